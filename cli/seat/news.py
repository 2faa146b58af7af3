"""What happens at the table, as one person hears and sees it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

import trio

from cli.drawn.board import board_lines
from cli.drawn.status import status_text
from cli.exits import ExitCode
from cli.language import say
from cli.logbook import log_notice
from cli.said.departures import departures_text, own_departure_text
from cli.said.moves import HeldDraws, call_sentences
from cli.said.notices import Search, notice_text
from cli.scene import RoundCard, Scene, scene_of
from cli.seat.desk import Desk
from cli.seat.frontend import FrontEnd, Happened, ScoresShown
from cli.seat.moves import Moves
from cli.seat.next_table import NextTable, is_closed_lobby
from cli.seat.round_pause import CARD_S, RoundPause
from cli.seat.stay import Invitation, Sitting, WayOut, is_over
from cli.seat.votes import must_wait, vote_advice
from cli.typed.complete import Place
from engine.table.events import Passed
from engine.table.table import ENDED, RoundPhase
from netgame.io.node.node import Node
from netgame.protocol import notices
from netgame.protocol.ledger.departures import GoneSeat
from netgame.protocol.notices import LaidOpen
from netgame.protocol.peer.view import TableStage, TableView
from netgame.protocol.seating import NoSeat

_FINISH_PATIENCE_S: Final = 15.0
"""After the last score; the core leaves by itself after 10 s [limits.LEAVE_AFTER_S]."""

_QUIET_S: Final = 1.0
_CATCH_UP_S: Final = 6.0
"""Who has come back has caught up when nothing has been told for so long, or after this time."""

_LOOK_S: Final = 0.25
"""Between two looks at a table of which nothing is told; somebody may be missed no more."""

_ADVISE_S: Final = 3.0
"""Whoever shares a computer or a cable is gone within this time, and is told of with the others."""

_WHILE_AWAY: Final = (
    notices.Played | notices.Dealt | notices.RoundOver | notices.SeatsLeft | notices.YourTurn
)
"""The first of what the others have done without you, or the end of that."""


@dataclass(slots=True)
class Commentary:
    """Tells each thing that happens once, and reminds of calls when they become possible."""

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

        Links to `own_bots`, those of the `bots` who play in this program, are no news. `departures`
        say how those who have gone went.
        """
        self._is_over |= isinstance(notice, notices.GameOver)
        text = "" if self._is_first_link(notice) else notice_text(scene, notice)
        if isinstance(notice, notices.LinkChanged) and notice.name in own_bots:
            text = ""
        if self._is_over and isinstance(notice, notices.LinkChanged):
            text = "" if notice.up else say("{name} has left.", name=notice.name)
        elif text:
            text = self._about_who_is_away(scene, notice, bots, departures) or text
        if self.returns and isinstance(notice, _WHILE_AWAY):
            self.returns = False
            if not isinstance(notice, notices.YourTurn):
                self.front.say(say("Since you left:"))
        sentence = self._search.told(scene, notice, text)
        self.front.tell(Happened(notice, sentence, self.draws.told(scene, notice, sentence)))
        if scene is not None and self.reminds:
            self._remind(scene)

    def _about_who_is_away(
        self,
        scene: Scene | None,
        notice: notices.Notice,
        bots: Collection[str],
        departures: Sequence[GoneSeat],
    ) -> str:
        """Say more than the notice does: what it means for who is here, or that it is about you."""
        match notice:
            case notices.SeatsLeft(names):
                own = [each for each in departures if each.name == self.own_name]
                is_own = own and self.own_name in names
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

    def advice(self, view: TableView, scene: Scene) -> str:
        """Say what a player can do about all who are away; empty if that is no news.

        It is news once of everybody, each time they go, and when those left can vote at last.
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
        """Whether a link comes up for the first time, or one too many is ended: no news."""
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


@dataclass(slots=True)
class SeatNews:
    """Takes each notice of the table to whom it concerns."""

    node: Node
    front: FrontEnd
    sitting: Sitting
    moves: Moves
    invitation: Invitation
    way_out: WayOut
    commentary: Commentary
    pause: RoundPause
    desk: Desk
    next_table: NextTable
    _turn: int = 0
    _owes_table: bool = False
    """Whether the table is to be shown as soon as it stands still."""
    _was_owed: bool = False

    async def hear(self) -> None:
        """Take the notices of the table, for as long as there are any.

        What is said before a table is left for the next is often heard when the way is taken.
        """
        async for notice in self.node.notices:
            log_notice(notice)
            is_late = self.way_out.is_taken and not isinstance(notice, notices.ChatHeard)
            if not (is_late or self.pause.holds(notice)):
                await self._take(notice)
                await self.desk.keep_plan()
            self._settle()

    async def go_on(self) -> None:
        """The card of the round has been read: tell what has happened meanwhile."""
        for notice in self.pause.end():
            if not self.pause.holds(notice):
                await self._take(notice)
        self._settle()

    async def _turn_over(self, card: RoundCard) -> None:
        """Go on by itself when the others have waited long enough for this card."""
        await trio.sleep(CARD_S)
        if self.pause.card is card:
            await self.go_on()

    async def watch(self) -> None:
        """Keep the status line true, also of what is told by no notice."""
        while True:
            moved = self.node.when_moved()
            self._settle()
            await moved.wait()
            await trio.sleep(_LOOK_S)

    def _settle(self) -> None:
        """Show what is to be shown now that a notice has been taken, or none has come."""
        self.refresh()
        if self.pause.stands:
            self.moves.answer_search()
        elif self._owes_table and not self.way_out.is_taken:
            self._show_owed()

    def _show_owed(self) -> None:
        """Show the table, once it is one at which people play: not on its way to one."""
        view = self.node.view()
        scene = scene_of(view)
        if view.catching_up or (scene is not None and scene.is_mixing):
            return
        self._owes_table, self._was_owed = False, True
        if scene is None or is_over(view) or self.moves.has_shown(view):
            return
        if view.can_move and not self.sitting.auto:
            self.moves.your_turn()
        else:
            self.desk.show()

    async def _advise(self) -> None:
        """Say what can be done about who is away, once for all who go, or come, in one moment."""
        await trio.sleep(_ADVISE_S)
        view = self.node.view()
        scene = None if self.way_out.is_taken or is_over(view) else scene_of(view)
        if scene is not None and (text := self.commentary.advice(view, scene)):
            self.front.say(text)

    async def show_to_returned(self) -> None:
        """Show the table to a person who has come back, once what was missed has been told."""
        with trio.move_on_after(_CATCH_UP_S):
            is_quiet = False
            while not is_quiet:
                changed = self.node.when_changed()
                with trio.move_on_after(_QUIET_S) as waiting:
                    await changed.wait()
                is_quiet = waiting.cancelled_caught
        if not (self.node.view().can_move or self.pause.stands or self._was_owed):
            self._owes_table = True
            self._settle()

    async def end_with_table(self) -> None:
        """End when the game is over for everybody, or the table has stopped."""
        await self.node.finished.wait()
        stage = self.node.view().stage
        if stage is TableStage.LOBBY:
            return  # what closes it says whether there is another
        halted = stage is TableStage.HALTED
        if halted or not self.next_table.ask():
            self.way_out.end(ExitCode.FAILED if halted else ExitCode.OK)

    def place(self) -> Place:
        """Return what is typed about: the round whose card stands, or the table as it is."""
        return self.pause.scene() or self.desk.place()

    def refresh(self) -> None:
        """Keep status line, completion and suggestion true."""
        view = self.node.view()
        status, place = status_text(view, at_card=self.pause.stands), self.place()
        status = f"{say('press Enter')} | {status}" if self.pause.stands else status
        self.front.scene_is(place, status, self.desk.beside(place))

    async def _take(self, notice: notices.Notice) -> None:
        scene = scene_of(self.node.view())
        self._tell(scene, notice)
        match notice:
            case notices.Dealt() | notices.Played() | notices.MovesUndone() if scene is not None:
                self._show_onlooker(scene)
                if not self.sitting.auto:
                    self._show_seated(scene, notice)
            case notices.LobbyChanged():
                self.invitation.lobby_changed()
            case notices.YourTurn() if not self.sitting.auto:
                self.moves.your_turn()
            case notices.RoundOver(end=end) if scene is not None:
                self._round_over(scene, end)
            case notices.GameOver():
                self._game_over(scene, notice.end)
            case notices.CaughtUp():
                self._owes_table = True
                self.invitation.caught_up()
            case _:
                self._end_by(notice)
        self.invitation.ask()

    def _tell(self, scene: Scene | None, notice: notices.Notice) -> None:
        view = self.node.view()
        self.commentary.own_name = view.name_of(self.node.key)
        self.commentary.no_seat = view.no_seat
        if not self.next_table.is_to_be_expected(notice):
            bots = [info.name for info in view.seats if info.bot]
            own = bots if view.is_host else ()
            gone = view.departures
            self.commentary.take(scene, notice, bots=bots, own_bots=own, departures=gone)
        self.desk.follow(scene, notice)
        if isinstance(notice, notices.LinkChanged):
            self.next_table.nursery.start_soon(self._advise)

    def _show_onlooker(self, scene: Scene) -> None:
        """Show the board to a person without a seat whenever play has come round."""
        before, self._turn = self._turn, scene.table.to_move
        comes_round = not scene.sits and self._turn < before and self.front.asks_back
        if comes_round and not self.node.view().catching_up:
            self.front.show(board_lines(scene, self.front.canvas()))

    def _show_seated(
        self, scene: Scene, notice: notices.Dealt | notices.Played | notices.MovesUndone
    ) -> None:
        """Show a new hand, unless the turn that begins now shows it; a person also after a pass.

        Who can only pass is not shown the table before it. What is taken back is drawn anew.
        """
        if isinstance(notice, notices.MovesUndone):
            shows = scene.seat is not None or self.front.asks_back
            self._owes_table |= shows
            return
        if self.node.view().catching_up:
            return
        if isinstance(notice, notices.Dealt):
            begins = scene.table.phase is RoundPhase.PLAY and scene.table.to_move == scene.seat
            shows = scene.hand is not None and not scene.can_move and not begins
        else:
            passed = any(isinstance(event, Passed) for event in notice.events)
            own = notice.seat == scene.seat and scene.table.phase not in ENDED
            shows = passed and own and self.front.asks_back
        if shows:
            self.desk.show()

    def _end_by(self, notice: notices.Notice) -> None:
        """End if there is nothing here to stay for; only a person may change their mind."""
        may_watch = self.front.asks_back or self.sitting.stays
        match notice:
            case notices.TableClosed() if is_closed_lobby(notice, self.node.view()):
                self.next_table.come_along()
            case notices.TableClosed():
                self.way_out.end(ExitCode.FAILED)
            case notices.SeatRefused() | notices.OtherRules():
                self.way_out.end(ExitCode.REFUSED)
            case notices.SeatLater(granted=False) if not may_watch:
                self.way_out.end(ExitCode.REFUSED)
            case _:
                pass

    def _round_over(self, scene: Scene, end: LaidOpen | None) -> None:
        """Show the card of a round, and wait until it has been read; or only the scores."""
        if end is None:
            self.front.tell(ScoresShown(scene))
            return
        card = RoundCard(end, scene.names, scene.seat)
        self.front.tell(card)
        if not scene.sits:
            return  # who watches is held up by no card: the table may be rounds further
        others = (info for info in self.node.view().seats if info.key != self.node.key)
        waited_for = any(not (info.bot or info.left) for info in others)
        self.pause.begin(card, ends=waited_for)
        if self.pause.stands and waited_for:
            self.next_table.nursery.start_soon(self._turn_over, card)

    def _game_over(self, scene: Scene | None, end: LaidOpen | None) -> None:
        """Show the result, and end even if the table should never say that it is done."""
        if scene is not None and end is not None:
            card = RoundCard(end, scene.names, scene.seat, is_last=True)
            self.pause.last = card if self.pause.reads else None
            self.front.tell(card)
        elif scene is not None:
            self.front.tell(ScoresShown(scene))
        for sentence in self.sitting.ending():
            self.front.say(sentence)
        if not self.next_table.ask():
            self.way_out.end_after(_FINISH_PATIENCE_S)
