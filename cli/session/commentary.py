"""Commentary: a sentence on each event at the table, beside the drawings."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from cli.language import say
from cli.scene import Scene
from cli.session.frontend import FrontEnd, NoticeShown
from cli.session.votes import must_wait, vote_advice
from cli.wording.departures import departures_text, own_departure_text
from cli.wording.moves import HeldDraws, call_sentences
from cli.wording.notices import notice_text
from cli.wording.search import Search
from netgame.protocol import notices
from netgame.protocol.ledger.departures import GoneSeat
from netgame.protocol.peer.view import TableView
from netgame.protocol.seating import NoSeat

_OF_LOG: Final = (
    notices.Played | notices.Dealt | notices.RoundOver | notices.GameOver | notices.GameStarted
    | notices.MovesUndone | notices.Reshuffled | notices.SeatsCame | notices.SeatsLeft
)  # fmt: skip
"""The notices that come out of the log: all others are heard when they happen."""

_WHILE_AWAY: Final = (
    notices.Played | notices.Dealt | notices.RoundOver | notices.SeatsLeft | notices.YourTurn
)
"""The first of what the others have done without you, or the end of that."""


@dataclass(slots=True)
class Commentary:
    """Says each notice once to one person, and reminds of calls when they become possible.

    While it `returns`, the next play told is introduced as missed, which ends that. `SeatNews` sets
    `own_name` and `no_seat` before each notice. Without `reminds` no call is told of.
    """

    front: FrontEnd
    draws: HeldDraws
    reminds: bool
    returns: bool = False
    own_name: str = ""
    no_seat: NoSeat | None = None
    _search: Search = field(default_factory=Search)
    _away: set[str] = field(default_factory=set)
    _parted: set[str] = field(default_factory=set)
    _told_how: set[str] = field(default_factory=set)
    _can_vote: bool = True
    _reminders: tuple[str, ...] = ()
    _is_over: bool = False
    _is_stopped: bool = False
    """Whether a fault has stopped the table: whoever goes now is not waited for."""
    _is_behind: bool = False
    _knows_way_back: bool = False

    def take(
        self,
        scene: Scene | None,
        notice: notices.Notice,
        *,
        bots: Collection[str] = (),
        own_bots: Collection[str] = (),
        departures: Sequence[GoneSeat] = (),
    ) -> None:
        """Tell of a notice; to be called for every notice in its order.

        Links to `own_bots`, those of the `bots` who play in this program, are no news: they are
        told without words. `departures` say how those who have gone went. Calls that have become
        possible are told next.
        """
        self._is_over |= isinstance(notice, notices.GameOver)
        match notice:
            case notices.FaultFound(then=notices.AfterFault.STOPS):
                self._is_stopped = True
            case notices.PlaysOn():
                self._is_stopped = False
            case _:
                pass
        text = "" if self._is_first_link(notice) else notice_text(scene, notice)
        match notice:
            case notices.LinkChanged(name=name) if name in own_bots:
                text = ""
            case notices.LinkChanged(name=name, up=is_up) if self._is_over or self._is_stopped:
                text = "" if is_up else say("{name} has left.", name=name)
            case _ if text:
                text = self._about_who_is_away(scene, notice, bots, departures) or text
        sentence = self._search.told(scene, notice, text)
        told = self.draws.told(scene, notice, sentence)
        if isinstance(notice, notices.SeatLater) and notice.returns and self._knows_way_back:
            told = ""  # it was said with who went on without you
        if self.returns and isinstance(notice, _WHILE_AWAY):
            self.returns = not (told or isinstance(notice, notices.YourTurn))
            if told:
                self.front.say(say("Since you left:"))
        self.front.tell(NoticeShown(notice, sentence, told, self._is_past(notice)))
        if scene is not None and self.reminds:
            self._remind(scene)

    def _about_who_is_away(
        self,
        scene: Scene | None,
        notice: notices.Notice,
        bots: Collection[str],
        departures: Sequence[GoneSeat],
    ) -> str:
        """Return what to say in place of the notice: what it means for who is here, or for you.

        Empty if there is no more to say than the notice does. It notes whether you have read how
        you come back to a table that has gone on without you.
        """
        match notice:
            case notices.SeatsLeft(names):
                own = [each for each in departures if each.name == self.own_name]
                is_own = own and self.own_name in names
                self._knows_way_back |= bool(is_own) and self.no_seat is None
                return (
                    own_departure_text(own[-1], self.no_seat)
                    if is_own
                    else departures_text(names, departures, self.own_name)
                )
            case notices.VoteCast(without=names) if self.own_name in names:
                return f"{notice_text(scene, notice)} {say('It lapses when you move.')}"
            case notices.VoteCast(name=name) if name in bots:
                rule = "A bot votes with a person, or once the time is up that the table has set."
                return f"{notice_text(scene, notice)} {say(rule)}"
            case notices.LinkChanged(name=name, up=True) if scene and name in scene.names:
                watches = scene.names.index(name) not in scene.table.present
                return say("{name} is back, and watches.", name=name) if watches else ""
            case _:
                return ""

    def _is_past(self, notice: notices.Notice) -> bool:
        """Whether a notice is of what happened before this program knew; hears all in order."""
        if isinstance(notice, notices.FellBehind | notices.CaughtUp):
            self._is_behind = isinstance(notice, notices.FellBehind)
        return self._is_behind and isinstance(notice, _OF_LOG)

    def advice(self, view: TableView, scene: Scene) -> str:
        """Say what a player can do about all who are away; empty if that is no news.

        Empty for an onlooker, too. It is news once of everybody, each time they go, and when those
        left can vote at last. What is returned counts as told.
        """
        present = scene.table.present
        away = [scene.names[each] for each in present if scene.names[each] in self._away]
        could_vote, self._can_vote = self._can_vote, not must_wait(view)
        is_known = self._told_how.issuperset(away) and (could_vote or not self._can_vote)
        if not away or scene.seat not in present or is_known:
            return ""
        self._told_how.update(away)
        return vote_advice(view, away)

    def _is_first_link(self, notice: notices.Notice) -> bool:
        """Note who is away and who has said farewell; return whether a change of a link is no news.

        It is none if a link comes up for the first time, one too many is ended, or one goes down
        whose owner has said farewell. False for other notices.
        """
        if isinstance(notice, notices.SaidFarewell):
            self._parted.add(notice.name)
        if not isinstance(notice, notices.LinkChanged):
            return False
        if notice.end is notices.LinkEnd.ENDED_HERE:
            return True
        if notice.name in self._parted:
            (self._parted.discard if notice.up else self._away.discard)(notice.name)
            return not notice.up
        known_away = notice.name in self._away
        (self._away.discard if notice.up else self._away.add)(notice.name)
        self._told_how.discard(notice.name)  # who goes once more may be voted on once more
        return notice.up and not known_away

    def _remind(self, scene: Scene) -> None:
        """Say once that a last tile must be told, or who may be caught; in turn the board says it.

        What can be called changes with every play, so each sentence is told anew when it is new.
        """
        before, self._reminders = self._reminders, call_sentences(scene)
        for sentence in self._reminders if not scene.can_move else ():
            if sentence not in before:
                self.front.say(sentence)
