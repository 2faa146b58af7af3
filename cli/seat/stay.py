"""How a person's stay at a table begins and ends.

They are shown what is played and asked whether they sit down; they leave, after a question where
something would be lost, or the table ends.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import trio
from msgspec import Struct

from cli.drawn.rule_sheet import changed_lines, offer_of
from cli.exits import ExitCode
from cli.language import joined, means_yes, say
from cli.said.notices import no_seat_text
from cli.scene import LobbyScene, plays_alone
from cli.seat.desk import Desk, Wish, no_wish
from cli.seat.frontend import FrontEnd
from cli.typed.intent import HandOrder, Quit
from engine.bots.levels import BotLevel
from netgame.io.node.node import Node
from netgame.io.tables.notes import leave_for_good
from netgame.protocol.peer.view import TableStage, TableView
from netgame.protocol.seating import NoSeat, WhyNoSeat
from netgame.wire.messages import Settings

Change: TypeAlias = Callable[[Settings, Sequence[str], Callable[[Settings], str]], Settings | str]
"""Makes of an offer and words another offer, or says why not; the last may refuse what comes out,
with a sentence."""


class Onward(Struct, frozen=True):
    """This table is left for the next of the same company: `where` it is, for a guest of it.

    Its host opens it; before a game with other `bots`, who keep the `names` given, or `settings`.
    Who `sits` wants a seat there.
    """

    where: str = ""
    sits: bool = True
    bots: tuple[BotLevel, ...] | None = None
    settings: Settings | None = None
    names: tuple[str, ...] = ()

    @property
    def is_anew(self) -> bool:
        """Whether no game has been played at the table that is left."""
        return self.bots is not None or self.settings is not None


class Sitting(Struct, frozen=True):
    """How this person sits at the table.

    With `auto` something else plays the seat; `stays` keeps going when the input ends; a table
    that `starts_itself` needs no `start`; `ending` says after the game where the record is and
    how to check it. Who `looks_first` reads what is played before sitting down; who `watches`
    takes no seat; who `returns` has been at the table before; who `confirms` is asked before
    leaving. A game that is not `resumable` came from a seed.
    `host_at` is where the host was found, `known` what was played at the last table of the same
    company, an `order` how the hand lies; `change` is what a host's words make of the table. After
    `clock_s` in a turn, unless that is 0, they are told how long it takes, again and again with
    `clock_ticks`. A teacher has a `wish` for a turn, which Enter plays.
    """

    addresses: tuple[str, ...] = ()
    auto: bool = False
    stays: bool = False
    starts_itself: bool = False
    ending: Callable[[], tuple[str, ...]] = tuple
    looks_first: bool = False
    watches: bool = False
    returns: bool = False
    confirms: bool = True
    resumable: bool = True
    host_at: tuple[str, ...] = ()
    known: Settings | None = None
    order: HandOrder = HandOrder.NUMBER
    clock_s: float = 0.0
    clock_ticks: bool = True
    change: Change = lambda *_: say("Nothing can be changed.")
    wish: Wish = no_wish


def is_over(view: TableView) -> bool:
    """Whether nothing more will happen at this table."""
    return view.stage in (TableStage.OVER, TableStage.HALTED)


_LINK_S: Final = 2.0
"""How long a lobby known from before is kept back; the host says hello at once."""


@dataclass(slots=True)
class WayOut:
    """Ends the loop; asks back where something would be lost. The first reason to end counts."""

    node: Node
    front: FrontEnd
    confirms: bool = True
    resumable: bool = True
    _asked: Quit | None = None
    _end: ExitCode | Onward = ExitCode.OK
    _taken: trio.Event = field(default_factory=trio.Event)
    _waiting: trio.CancelScope = field(default_factory=trio.CancelScope)

    @property
    def is_taken(self) -> bool:
        """Whether the loop ends, so that no further line counts."""
        return self._taken.is_set()

    async def taken(self) -> ExitCode | Onward:
        """Wait for the end; return its exit code, or where to go on."""
        with self._waiting:
            await self._taken.wait()
        return self._end

    def end_after(self, seconds: float) -> None:
        """End the loop then, unless something ends it before."""
        self._waiting.deadline = trio.current_time() + seconds

    def end(self, end: ExitCode | Onward) -> None:
        """End the loop."""
        if not self.is_taken:
            self._end = end
            self._taken.set()

    def open_question(self) -> Quit | None:
        """Return what was asked back with the line before; any line closes the question."""
        asked, self._asked = self._asked, None
        return asked

    async def quit(self, intent: Quit, *, again: bool) -> None:
        """Ask once, where somebody can answer and there is something to lose."""
        view = self.node.view()
        only_watches = view.table is not None and not view.sits
        asks = self.confirms and self.front.asks_back
        if again or not asks or is_over(view) or only_watches:
            await self.leave(for_good=intent.for_good)
            return
        self._asked = intent
        if view.stage is TableStage.LOBBY:
            text = "Leave this table? Type that again, or yes."
            if view.is_host:
                text = "Close this table, for all who are here? Type that again, or yes."
            self.front.say(say(text))
        elif plays_alone(view):
            text = "Leave? The game waits until you come back. Type quit again."
            if not self.resumable:
                text = "Leave? You cannot come back to a game from a seed. Type quit again."
            elif intent.for_good:
                text = "Give this game up for good? Type leave again."
            self.front.say(say(text))
        elif intent.for_good:
            alone = say("Leave for good? Nobody is here to learn of it. Type leave again.")
            self.front.say(_leaves_for_good(view) if self._is_heard(view) else alone)
        else:
            self.front.say(say("Leave? The others wait until you come back. Type quit again."))
            self.front.say(_how_to_go_for_good(view))

    async def leave(self, *, for_good: bool = False) -> None:
        """Leave at once, and say how to come back."""
        view = self.node.view()
        back = view.stage is not TableStage.LOBBY and not is_over(view)
        if for_good and back and view.sits:
            await leave_for_good(self.node)
            text = "You have left the table for good; the others go on without you."
            if _ends_with_us(view):
                text = "You have left the table for good, and the game ends with that."
            if plays_alone(view):
                text = "You have given this game up."
            elif not self._is_heard(view):
                text = "You have left the table for good, and nobody was here to learn of it."
            self.front.say(say(text))
            if self._is_heard(view) and not (_ends_with_us(view) or plays_alone(view)):
                self.front.say(_way_back(view))
        elif view.stage is TableStage.OVER:
            self.front.say(say("Thank you for the game. Until next time!"))
        else:
            self.front.say(_farewell(view, resumes=back and self.resumable))
        self.end(ExitCode.OK)

    def _is_heard(self, view: TableView) -> bool:
        """Whether anybody else is connected."""
        return any(info.connected and info.key != self.node.key for info in view.seats)


def _farewell(view: TableView, *, resumes: bool) -> str:
    """Say what has become of the table, and how to come back."""
    if resumes:
        return say("You have left the table. Come back with: boneyard resume")
    if view.stage is not TableStage.LOBBY:
        return say("You have left the table.")
    if view.is_host:
        return say("You have closed the table.")
    return say("You have left the table. Come back with: boneyard join")


def _way_back(view: TableView) -> str:
    """Say what brings somebody back who has left for good."""
    text = "boneyard join brings you back: you watch, and get your old seat at the next round."
    if view.closed is not None:
        text = "boneyard join brings you back, to watch."
    return say(text)


@dataclass(slots=True)
class Invitation:
    """Shows the lobby; tells once what is played, and asks while somebody is undecided.

    The question stands while it is `_asked`: where the table would give a seat, and nowhere else.
    `_refused` is why it was not put.
    """

    node: Node
    front: FrontEnd
    sitting: Sitting
    way_out: WayOut
    desk: Desk
    undecided: bool
    _told: bool = False
    _begun: bool = False
    _asked: bool = False
    _refused: NoSeat | None = None
    _played: Settings | None = None
    _seated: dict[bytes, str] = field(default_factory=dict)
    _bots: frozenset[bytes] = frozenset()

    async def show_kept(self) -> None:
        """Show a lobby that is known from before, once the link to its host is up."""
        with trio.move_on_after(_LINK_S):
            while not _is_host_here(self.node.view()):
                await self.node.when_changed().wait()
        self.lobby_changed()

    def lobby_changed(self) -> None:
        """Show who sits, if that or what is played has changed."""
        view = self.node.view()
        begun = view.stage not in (TableStage.LOBBY, TableStage.HALTED)
        if self.undecided and begun and not self._begun:
            self._asked, self._begun = False, True
            self.front.say(say("The game has begun without you: you watch."))
        seated = {info.key: info.name for info in view.seats}
        same = (seated, view.settings) == (self._seated, self._played)
        if same or view.stage is not TableStage.LOBBY:
            return
        before = self._seated if view.settings == self._played else {}
        gone = before.keys() - seated.keys()
        self._seated, self._played = seated, view.settings
        bots, self._bots = self._bots, frozenset(info.key for info in view.seats if info.bot)
        if gone and gone <= bots and seated.keys() <= before.keys():
            return  # they go along with their host, who opens the table anew
        if not view.is_host:
            self._tell(view)
        if not self.undecided:
            key, name = self.node.key, self.node.name
            self._show(view, seats_text(before, view, key, name) if before else "")
            if not before and (text := renamed_text(view, key, name)):
                self.front.say(text)

    def show_again(self) -> None:
        """Show the lobby once more, if it has been shown."""
        view = self.node.view()
        if self._played is not None and view.stage is TableStage.LOBBY:
            self._show(view)

    def _show(self, view: TableView, news: str = "") -> None:
        sitting, key = self.sitting, self.node.key
        itself, code = sitting.starts_itself, str(self.node.door.code or "")
        self.front.tell(
            LobbyScene(view, key, sitting.addresses, itself, code, sitting.watches, news)
        )

    def caught_up(self) -> None:
        """Tell what is played where a game had begun when we came."""
        self._tell(self.node.view())

    def _tell(self, view: TableView) -> None:
        offer = None if view.settings is None else offer_of(view.settings)
        if offer is None or self._told:
            return
        self._told = True
        if view.settings != self.sitting.known:
            self.front.show(changed_lines(offer, self.front.canvas()))

    def ask(self) -> None:
        """Ask whoever is undecided, where the table would give a seat; say why, where it would not.

        To be called whenever anything has happened, as either may come to be so.
        """
        view = self.node.view()
        if not (self.undecided and self._told) or is_over(view):
            return
        if view.no_seat is not None:
            self._say_why_not(view, view.no_seat)
        elif not self._asked:
            self._asked = True
            self.front.say(_question(view, frees=self._refused is not None))
            self.front.say(say("Sit down? [Y/n]"))

    def _say_why_not(self, view: TableView, why: NoSeat) -> None:
        """Once; in a game nobody is asked any more then, in the lobby a seat may become free."""
        self._asked = False
        if why.why is WhyNoSeat.STARTED or why == self._refused:
            return  # who asks while the seats are drawn can be told when they are
        self._refused = why
        self.front.say(no_seat_text(why))
        if view.stage is not TableStage.LOBBY:
            self.undecided = False
            self.front.say(say("You watch; type quit to leave."))
        elif why.why is WhyNoSeat.KICKED:
            self.way_out.end(ExitCode.REFUSED)
        else:
            self.front.say(say("You are asked when a seat is free; type quit to leave."))

    async def answered(self, word: str) -> bool:
        """Take a seat or none, if that was asked and this is an answer."""
        if not (self.undecided and self._asked):
            return False
        no = word in ("n", "no")
        if no and self.node.view().stage is not TableStage.LOBBY:
            self.undecided = False
            self.front.say(say("You watch. For a seat at the next round type sit."))
        elif no or word in ("q", "quit"):
            await self.way_out.leave()
        elif not word or means_yes(word):
            self.undecided, self._seated = False, {}
            await self.node.take_seat()
        else:
            return False
        return True


def _question(view: TableView, *, frees: bool) -> str:
    """Say what somebody is about to be asked: at what table, or what seat."""
    if view.stage is not TableStage.LOBBY:
        return say("You watch this round, and can sit down at the next.")
    if frees:
        return say("There is a seat free now.")
    names = joined([info.name for info in view.seats]) or say("nobody")
    return say("Seated: {names}. Type rules for all of the rules.", names=names)


def _is_host_here(view: TableView) -> bool:
    """Whether who opened the table is linked, or has no seat that would show it."""
    host = next((info for info in view.seats if info.key == view.host_key), None)
    return host is None or host.connected


def seats_text(before: Mapping[bytes, str], view: TableView, own_key: bytes, wanted: str) -> str:
    """Say who sat down, left or took another name since, by key; how many seats are taken now."""
    now = {info.key: info.name for info in view.seats}
    gone = [name for key, name in before.items() if key not in now and key != own_key]
    said = [say("{name} has left.", name=name) for name in gone]
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
    """Say that another has the name that was `wanted`; empty if nobody has."""
    own, meant = view.name_of(own_key), wanted.casefold()
    other = next((info.name for info in view.seats if info.name.casefold() == meant), "")
    text = "You are called {name}: there is {other} already."
    return say(text, name=own, other=other) if own and other and own.casefold() != meant else ""


def _ends_with_us(view: TableView) -> bool:
    """Whether nobody is left to play with whoever stays when this seat goes."""
    return sum(not info.left for info in view.seats) == 2 and not view.watchers


def _leaves_for_good(view: TableView) -> str:
    """Ask whether to leave for good, and say what becomes of the game."""
    if _ends_with_us(view):
        return say("Leave for good? The game ends with that. Type leave again.")
    return say("Leave for good? The others go on without you. Type leave again.")


def _how_to_go_for_good(view: TableView) -> str:
    """Say what to type to leave for good, and what becomes of the game then."""
    if _ends_with_us(view):
        return say("To go for good, and end the game with that, type leave.")
    return say("To go for good, and have them go on without you, type leave.")
