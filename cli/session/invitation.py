"""The invitation: a person sees the lobby and its rules, and is asked to sit down."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from cli.exits import ExitCode
from cli.language import joined, means_yes, say
from cli.render.rule_sheet import changed_lines, offer_of
from cli.scene import LobbyScene
from cli.session.desk import Desk
from cli.session.frontend import FrontEnd
from cli.session.sitting import Sitting
from cli.session.stay import WayOut, is_over
from cli.session.tasks import within
from cli.wording.seats import no_seat_text
from netgame.io.node.node import Node
from netgame.limits import NAME_CELLS_MAX
from netgame.protocol.names import are_alike
from netgame.protocol.peer.view import TableStage, TableView
from netgame.protocol.seating import NoSeat, WhyNoSeat
from netgame.protocol.text import clean_text
from netgame.wire.messages import Settings

_COMPANY_S: Final = 3.0
"""How long to wait before showing a reopened lobby, so that its company can follow."""

_LINK_S: Final = 2.0
"""How long to wait for the host's hello, which comes at once, before showing a known lobby."""


class SeatQuestion(Enum):
    """The state of the question whether a person without a seat sits down."""

    WAITS = "they wait to be asked: no seat is free, or they have not read what is played"
    ASKED = "the question stands"
    LEFT_OUT = "the game has begun without them, and they wait to be asked"
    ASKED_LATE = "the game has begun without them, and the question stands"
    SETTLED = "they have answered, or a game has no seat for them"


class SeatNews(Enum):
    """The kinds of news that change the state of the question whether to sit down."""

    FREE = "the table would give them a seat"
    NONE = "the table gives them no seat now"
    BEGINS = "the game begins"
    NEVER = "a game tells why it gives them no seat"
    ANSWER = "they sit down, watch, or type `sit`"


QUESTION_TRANSITIONS: Final = {
    (SeatQuestion.WAITS, SeatNews.FREE): SeatQuestion.ASKED,
    (SeatQuestion.WAITS, SeatNews.BEGINS): SeatQuestion.LEFT_OUT,
    (SeatQuestion.WAITS, SeatNews.NEVER): SeatQuestion.SETTLED,
    (SeatQuestion.WAITS, SeatNews.ANSWER): SeatQuestion.SETTLED,
    (SeatQuestion.ASKED, SeatNews.NONE): SeatQuestion.WAITS,
    (SeatQuestion.ASKED, SeatNews.BEGINS): SeatQuestion.LEFT_OUT,
    (SeatQuestion.ASKED, SeatNews.NEVER): SeatQuestion.SETTLED,
    (SeatQuestion.ASKED, SeatNews.ANSWER): SeatQuestion.SETTLED,
    (SeatQuestion.LEFT_OUT, SeatNews.FREE): SeatQuestion.ASKED_LATE,
    (SeatQuestion.LEFT_OUT, SeatNews.NEVER): SeatQuestion.SETTLED,
    (SeatQuestion.LEFT_OUT, SeatNews.ANSWER): SeatQuestion.SETTLED,
    (SeatQuestion.ASKED_LATE, SeatNews.NONE): SeatQuestion.LEFT_OUT,
    (SeatQuestion.ASKED_LATE, SeatNews.NEVER): SeatQuestion.SETTLED,
    (SeatQuestion.ASKED_LATE, SeatNews.ANSWER): SeatQuestion.SETTLED,
}
"""The next state, by state and news; no other pair changes anything."""


@dataclass(slots=True)
class Invitation:
    """One person's view of the lobby: its people, its rules, and the question to sit down."""

    node: Node
    front: FrontEnd
    sitting: Sitting
    way_out: WayOut
    desk: Desk
    question: SeatQuestion
    """The state of the question to sit down."""
    _told: bool = False
    """True once the person has been told the rules."""
    _refused: NoSeat | None = None
    """The reason why the person gets no seat, as last told."""
    _played: Settings | None = None
    """The settings of the lobby as last shown."""
    _seated: dict[bytes, str] | None = None
    """The names by key in the lobby as last shown."""
    _bots: frozenset[bytes] = frozenset()
    """The keys of the bots in the lobby as last shown."""
    _is_company_awaited: bool = False
    """True while the lobby is not shown yet because the company of the last table is still to come.
    """

    def __post_init__(self) -> None:
        self._is_company_awaited = bool(self.sitting.visit.company) and self.front.asks_back

    async def show_kept(self) -> None:
        """Show the lobby to a person who comes back to it.

        First wait until the host is connected, but not for longer than `_LINK_S`.
        """
        await within(_LINK_S, self._host_comes)
        self.lobby_changed()

    async def show_company(self) -> None:
        """Show a reopened lobby, once everybody from the last table sits there again.

        Wait no longer than `_COMPANY_S`. Without the wait, the lobby would report each of them as a
        player who sits down.
        """
        await within(_COMPANY_S, self._company_comes)
        self._is_company_awaited = False
        self.lobby_changed()

    async def _company_comes(self) -> None:
        company = self.sitting.visit.company
        while company - {info.key for info in self.node.view().seats}:
            await self.node.when_changed().wait()

    async def _host_comes(self) -> None:
        while not self.node.view().is_host_here:
            await self.node.when_changed().wait()

    def lobby_changed(self) -> None:
        """Show the lobby if its seats or settings have changed, but not to an undecided person.

        Before that, tell a guest the rules, once; while the company of the last table is awaited,
        do nothing else. When the game begins, tell an undecided person that they watch. Do nothing
        if only bots have left: they leave with their host, who then reopens the table.
        """
        view = self.node.view()
        begun = view.stage not in (TableStage.LOBBY, TableStage.HALTED)
        if begun and self._moves(SeatNews.BEGINS):
            self.front.say(say("The game has begun without you: you watch."))
        seated = {info.key: info.name for info in view.seats}
        same = (seated, view.settings) == (self._seated, self._played)
        if same or view.stage is not TableStage.LOBBY:
            return
        if self._is_company_awaited:
            if not view.is_host:
                self._tell(view)
            return
        before = self._seated if view.settings == self._played else None
        gone = frozenset() if before is None else before.keys() - seated.keys()
        self._seated, self._played = seated, view.settings
        bots, self._bots = self._bots, frozenset(info.key for info in view.seats if info.bot)
        if before and gone and gone <= bots and seated.keys() <= before.keys():
            return  # the bots go with their host, who reopens the table
        if not view.is_host:
            self._tell(view)
        if self.question is SeatQuestion.SETTLED:
            key, name = self.node.key, self.node.name
            self._show(view, "" if before is None else seats_text(before, view, key, name))
            if before is None and (text := renamed_text(view, key, name)):
                self.front.say(text)

    def show_again(self) -> None:
        """Show the lobby as it is now.

        Do nothing if the game has begun, or if `lobby_changed` has not seen a lobby yet.
        """
        view = self.node.view()
        if self._played is not None and view.stage is TableStage.LOBBY:
            self._show(view)

    def _show(self, view: TableView, news: str = "") -> None:
        sitting, key = self.sitting, self.node.key
        itself, code = sitting.starts_itself, str(self.node.door.shown or "")
        where = sitting.visit.addresses or (sitting.visit.host_at if sitting.watches else ())
        self.front.tell(
            LobbyScene(
                view, key, where, itself, code, sitting.watches, news, page=self.node.page_address
            )
        )

    def caught_up(self) -> None:
        """Tell the rules to a person who has come to a table where the game has begun.

        Tell nothing if they have been told already, or if the last table had the same settings.
        """
        self._tell(self.node.view())

    def _tell(self, view: TableView) -> None:
        offer = None if view.settings is None else offer_of(view.settings)
        if offer is None or self._told:
            return
        self._told = True
        if view.settings != self.sitting.visit.known:
            self.front.show(changed_lines(offer, self.front.canvas()))

    def ask(self) -> None:
        """Ask an undecided person to sit down if there is a seat for them, else say why not.

        Do nothing until they have been told the rules. Call this after every event, because any
        of them may change whether there is a seat.
        """
        view = self.node.view()
        if self.question is SeatQuestion.SETTLED or not self._told or is_over(view):
            return
        if view.no_seat is not None:
            self._say_why_not(view, view.no_seat)
        elif self._moves(SeatNews.FREE):
            self.front.say(_question(view, frees=self._refused is not None))
            self.front.ask(say("Sit down? [Y/n]"))

    def _say_why_not(self, view: TableView, why: NoSeat) -> None:
        """Close the question, and say once why there is no seat.

        In a game the person then watches, and the question is settled; in a lobby they wait for a
        seat, or the session ends if they were kicked. Say nothing while the seats are being
        drawn.
        """
        self._moves(SeatNews.NONE)
        if why.why is WhyNoSeat.FORMING or why == self._refused:
            return  # the seats are still being drawn: the answer comes after that
        self._refused = why
        self.front.say(no_seat_text(why))
        if view.stage is not TableStage.LOBBY:
            self._moves(SeatNews.NEVER)
            self.front.say(say("You watch; type quit to leave."))
        elif why.why is WhyNoSeat.KICKED:
            self.way_out.end(ExitCode.REFUSED)
        else:
            self.front.say(say("You are asked when a seat is free; type quit to leave."))

    @property
    def asks(self) -> bool:
        """True while the question to sit down waits for its answer."""
        return self.question in (SeatQuestion.ASKED, SeatQuestion.ASKED_LATE)

    def settle(self) -> None:
        """Settle the question: the person has answered it, or has typed `sit` or `watch`."""
        self._moves(SeatNews.ANSWER)

    def _moves(self, news: SeatNews) -> bool:
        """Change the state of the question as this news requires; return whether it has changed."""
        before = self.question
        self.question = QUESTION_TRANSITIONS.get((before, news), before)
        return self.question is not before

    async def answered(self, word: str) -> bool:
        """Take `word` as the answer to the open question to sit down; return whether it is one.

        A yes or an empty word takes a seat. A no or `quit` leaves the table, but during a game a no
        means to watch. Other words leave the question open.
        """
        if not self.asks:
            return False
        no = word in ("n", "no")
        if no and self.node.view().stage is not TableStage.LOBBY:
            self.settle()
            self.front.say(say("You watch. For a seat at the next round type sit."))
        elif no or word in ("q", "quit"):
            await self.way_out.leave()
        elif not word or means_yes(word):
            self.settle()
            self._seated = None
            await self.node.take_seat()
        else:
            return False
        return True


def _question(view: TableView, *, frees: bool) -> str:
    """Return the sentence that precedes the question whether to sit down.

    During a game, it says that the person can sit down at the next round. In a lobby, it says that
    a seat is free now if `frees` is True, else who is seated.
    """
    if view.stage is not TableStage.LOBBY:
        return say("You watch this round, and can sit down at the next.")
    if frees:
        return say("There is a seat free now.")
    names = joined([info.name for info in view.seats]) or say("nobody")
    return say("Seated: {names}. Type rules for all of the rules.", names=names)


def seats_text(before: Mapping[bytes, str], view: TableView, own_key: bytes, wanted: str) -> str:
    """Return who has sat down, left or been renamed since `before`, and the number of taken seats.

    `before` has the names by key; `wanted` is the name that the owner of `own_key` asked for.
    """
    now = {info.key: info.name for info in view.seats}
    gone = [name for key, name in before.items() if key not in now and key != own_key]
    said = [say("{name} no longer sits here.", name=name) for name in gone]
    for key, name in now.items():
        old = before.get(key, "")
        if old == name:
            continue
        if key != own_key:
            text = "{old} is now called {name}." if old else "{name} sits down."
            said.append(say(text, old=old, name=name))
        else:
            text = "You are now called {name}." if old else "You sit down."
            said.append(renamed_text(view, own_key, wanted) or say(text, name=name))
    text = "{taken} of {seats} seats taken."
    return " ".join([*said, say(text, taken=len(now), seats=view.seats_offered)])


def renamed_text(view: TableView, own_key: bytes, wanted: str) -> str:
    """Return why the owner of `own_key` is not called `wanted` here.

    Empty if they are, except for letter case and underscores, or if they have no seat.
    """
    own, meant = view.name_of(own_key), clean_text(wanted, NAME_CELLS_MAX)
    if not own or own.casefold() == meant.replace(" ", "_").casefold():
        return ""
    others = (info.name for info in view.seats if info.key != own_key)
    other = next((name for name in others if are_alike(name, meant)), "")
    text = "You are {name} here, because {wanted} could be misread."
    if other:
        text = "There is already a {other} here, so you are {name}."
    return say(text, name=own, other=other, wanted=meant)
