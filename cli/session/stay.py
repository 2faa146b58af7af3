"""The end of a person's stay at a table.

Either they leave, after a question if something would be lost, or the table ends.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from cli.exits import CommandFailed, ExitCode
from cli.language import means_yes, say
from cli.program import typed_in_shell
from cli.scene import plays_alone, scene_of
from cli.session.frontend import FrontEnd, ScoresShown
from cli.session.tasks import Signal
from cli.wording.round_end import LEAVING
from engine.bots.levels import BotLevel
from engine.rules.switches import HandPoints
from engine.table.table import ENDED, RoundPhase
from netgame.io.node.node import Node
from netgame.io.tables.notes import leave_for_good
from netgame.protocol.peer.view import TableStage, TableView
from netgame.wire.messages import Settings

GIVE_UP_S: Final = 20.0
"""A host unreachable for this long is assumed not to open another table."""

_REDEALS: Final = "leaver=redeal"
"""The option that abandons a round when somebody leaves it. [protocol.md §4.6]"""


class GoTo(Struct, frozen=True):
    """The next table, which somebody else has opened."""

    where: str
    host: bytes
    """The key of the player who has opened it: the host, or somebody in their place."""
    sits: bool = True
    """True if the person wants a seat there."""


class Rematch(Struct, frozen=True):
    """Another table after a game, with this person as its host."""

    seats: int
    """The number of seats that the company needs."""


class Anew(Struct, frozen=True):
    """The same table, reopened by its host before a game, with other bots or settings."""

    bots: tuple[BotLevel, ...] | None = None
    """None keeps the present bots."""
    settings: Settings | None = None
    """None keeps the present settings."""
    names: tuple[str, ...] = ()
    """The names for the new bots."""


class NextTableOffer(Struct, frozen=True):
    """The end of a session whose person goes on to the next table of the same company."""

    to: GoTo | Rematch | Anew
    was_refused: bool = False
    """True if the rules have refused a move that this program chose, here or at an earlier table.
    """


def is_over(view: TableView) -> bool:
    """Return True if nothing more will happen here: the game is over, or a fault has stopped it."""
    return view.has_ended


class Stays(Struct, frozen=True):
    """The person is staying: no end has been given, and no question about leaving is open."""


class LeaveAsked(Struct, frozen=True):
    """The person was asked whether they want to leave, and has not answered yet."""

    for_good: bool


class Taken(Struct, frozen=True):
    """A way out has been taken: `end` is the first end that was given."""

    end: ExitCode | NextTableOffer
    departs: bool = False
    """True if the system ends the session, and the farewell has not been said yet."""


Leaving: TypeAlias = Stays | LeaveAsked | Taken


@dataclass(slots=True)
class WayOut:
    """The way one session ends: its `Leaving` state, and the end that `taken` returns.

    Verbs and notices give an end, and the first one given counts.
    """

    node: Node
    front: FrontEnd
    confirms: bool = True
    """True to ask the person first where something would be lost."""

    resumable: bool = True
    """False for a game from a seed or a lesson, to which nobody can come back."""

    was_refused: bool = False
    """True once the rules have refused a move that this program chose: it then never ends as `OK`.
    """

    _state: Leaving = field(default_factory=Stays)
    _ended: Signal = field(default_factory=Signal)

    @property
    def is_taken(self) -> bool:
        """True once an end has been given; further lines are then ignored."""
        return isinstance(self._state, Taken)

    @property
    def asks(self) -> bool:
        """True while the question to leave waits for its answer."""
        return isinstance(self._state, LeaveAsked)

    async def taken(self) -> ExitCode | NextTableOffer:
        """Wait until an end is given; return its exit code, or its offer of a next table.

        If the time of `end_after` is up first, the exit code is `OK`. If the rules have refused a
        move of this program, `OK` becomes `MOVE_REFUSED`, and an offer says so in `was_refused`.
        """
        await self._ended.wait()
        end = self._state.end if isinstance(self._state, Taken) else ExitCode.OK
        if not self.was_refused:
            return end
        if isinstance(end, NextTableOffer):
            return replace(end, was_refused=True)
        return ExitCode.MOVE_REFUSED if end is ExitCode.OK else end

    def end_after(self, seconds: float) -> None:
        """End the session after this many seconds, unless something ends it first.

        If the time ends it, `is_taken` stays False.
        """
        self._ended.come_after(seconds)

    def end(self, end: ExitCode | NextTableOffer, *, departs: bool = False) -> None:
        """End the session with this exit code or offer; do nothing if an end was already given."""
        if not self.is_taken:
            self._state = Taken(end, departs)
            self._ended.give()

    async def answered(self, word: str) -> bool:
        """Leave or stay, if this word answers the open question; return whether it does.

        Any other word leaves the question open. `word` is in lower case; an empty one means no.
        """
        if not isinstance(self._state, LeaveAsked):
            return False
        if means_yes(word):
            await self.leave(for_good=self._state.for_good)
        elif word in ("", "n", "no"):
            self.stay()
        else:
            return False
        return True

    def stay(self) -> None:
        """If the question to leave is open, close it and say that the person stays."""
        if self.asks:
            self._state = Stays()
            self.front.say(say("You stay."))

    def remind(self) -> None:
        """Say that the question is still open, after a line that did not answer it."""
        self.front.say(say("The question is still open: type yes to leave, or no."))

    async def quit(self, *, for_good: bool, typed: str) -> None:
        """Leave, or ask first if somebody can answer and there is something to lose.

        There is nothing to lose after the game, or for a watcher during it. A second call while the
        question is open leaves. Except in a lobby, the question names the word that was `typed`.
        """
        view = self.node.view()
        only_watches = view.table is not None and not view.sits
        asks = self.confirms and self.front.asks_back
        if self.asks or not asks or is_over(view) or only_watches:
            await self.leave(for_good=for_good)
            return
        if not self.is_taken:
            self._state = LeaveAsked(for_good)
        if view.stage is TableStage.LOBBY:
            text = "Leave this table? Type that again, or yes."
            if view.is_host:
                text = "Close this table, for all who are here? Type that again, or yes."
            self.front.ask(say(text))
        elif plays_alone(view):
            text = "Leave? The game waits until you come back. Type {word} again."
            if for_good:
                text = "Give this game up for good? Type {word} again."
            elif not self.resumable:
                text = "Leave? You cannot come back to a game from a seed. Type {word} again."
            self.front.ask(say(text, word=typed))
        elif for_good:
            text = say(
                "Leave for good? Nobody else is connected to see it. Type {word} again.", word=typed
            )
            self.front.ask(_leaves_for_good(view, typed) if self._is_heard(view) else text)
        else:
            text = say("Leave? The others wait until you come back. Type {word} again.", word=typed)
            self.front.ask(f"{text} {_how_to_go_for_good(view)}")

    async def leave(self, *, for_good: bool = False) -> None:
        """Leave at once, say how to come back, and end the session.

        The session ends even if an end was already given. With `for_good`, a person who has a seat
        in a running game gives it up: note that on disk, tell the others, and say what becomes of
        the game.
        """
        view = self.node.view()
        back = view.stage is not TableStage.LOBBY and not is_over(view)
        if for_good and back and view.sits:
            # set first, so that no notice of this departure is told here
            self._state = Taken(ExitCode.OK)
            await leave_for_good(self.node)
            text = "You have left the table for good; the others go on without you."
            if _ends_with_us(view):
                text = "You have left the table for good, and that ends the game."
            if _strands_others(view):
                text = (
                    "You have left the table for good. The others have no vote, so they "
                    "cannot go on."
                )
            if plays_alone(view):
                text = "You have given this game up."
            elif not self._is_heard(view):
                text = "You have left the table for good; nobody else was connected to see it."
            scene = scene_of(view)
            if plays_alone(view) and scene is not None and scene.table.past:
                self.front.tell(ScoresShown(scene))
            self.front.say(say(text))
            if self._is_heard(view) and not (_ends_with_us(view) or plays_alone(view)):
                self.front.say(_way_back(view))
        else:
            self._say_farewell()
        self.end(ExitCode.OK)
        self._ended.give()

    def depart(self) -> None:
        """Leave, though not for good, and let `part` say the farewell.

        Print nothing, so that nothing can raise. Do nothing if an end was already given.
        """
        self.end(ExitCode.OK, departs=True)

    def part(self) -> None:
        """Say the farewell after Ctrl-C or `depart`; say nothing if another way out was taken.

        After `depart`, ignore a failed write: the system may have closed the output, too.
        """
        match self._state:
            case Taken(departs=True):
                with suppress(CommandFailed, BrokenPipeError):
                    self._say_farewell()
            case Taken():
                pass
            case _:
                self._say_farewell()

    def _say_farewell(self) -> None:
        self.front.say(_farewell(self.node.view(), resumable=self.resumable))

    def _is_heard(self, view: TableView) -> bool:
        """Return True if anybody else is connected."""
        return any(info.connected and info.key != self.node.key for info in view.seats)


def hosts_unseated(view: TableView) -> bool:
    """Return True if this person hosts the table without having a seat there."""
    return view.is_host and not view.sits


def _farewell(view: TableView, *, resumable: bool) -> str:
    """Return a farewell: what has become of the table, and how to come back if one can."""
    if view.stage is TableStage.OVER:
        return say("Thank you for the game. Until next time!")
    resumes = resumable and view.stage is not TableStage.LOBBY and not is_over(view)
    if resumes and hosts_unseated(view):
        text = "You have left the table. Bring the wall back with: {command}"
        return say(text, command=typed_in_shell("resume", "--wall"))
    back = "You have left the table. Come back with: {command}"
    if resumes:
        return say(back, command=typed_in_shell("resume"))
    if view.stage is not TableStage.LOBBY:
        return say("You have left the table.")
    if view.is_host:
        return _closed_text(view)
    return say(back, command=typed_in_shell("join"))


def _closed_text(view: TableView) -> str:
    """Return a farewell to a host who has closed the lobby.

    If there are guests, it says how to get them back.
    """
    people = sum(info.connected and not info.bot for info in view.seats) + len(view.watchers)
    if people <= view.sits:
        return say("You have closed the table.")
    text = (
        "You have closed the table. Your guests wait for {seconds} seconds, and come along if you "
        "open it again with: {command}"
    )
    wall = ("--wall",) if hosts_unseated(view) else ()
    return say(text, seconds=round(GIVE_UP_S), command=typed_in_shell("host", *wall))


def _way_back(view: TableView) -> str:
    """Return how a player who has left for good can come back."""
    text = "{command} brings you back: you watch, and get your old seat at the next round."
    if view.closed is not None:
        text = "{command} brings you back, to watch."
    return say(text, command=typed_in_shell("join"))


def _ends_with_us(view: TableView) -> bool:
    """Return True if the game ends when this seat leaves for good.

    It does if two seats are left, nobody is coming, and the other seat can go on without this one.
    """
    two_left = sum(not info.left for info in view.seats) == 2
    return two_left and not view.coming and not _strands_others(view)


def _strands_others(view: TableView) -> bool:
    """Return True if only this seat has a vote, so that without it nobody could vote to go on."""
    others = [info for at, info in enumerate(view.seats) if at != view.seat and not info.left]
    return not view.has_no_vote_yet and bool(others) and all(info.no_vote for info in others)


def _leaves_for_good(view: TableView, typed: str) -> str:
    """Return the question whether to leave for good, and what it costs; `typed` is the command."""
    text = "Leave for good? The others go on without you. Type {word} again."
    if _ends_with_us(view):
        text = "Leave for good? That ends the game, and {name} wins it. Type {word} again."
    if _strands_others(view):
        text = "Leave for good? The others have no vote, so they cannot go on. Type {word} again."
    return f"{say(text, name=_stays(view), word=typed)} {_price(view)}".rstrip()


def _how_to_go_for_good(view: TableView) -> str:
    """Return what to type to leave for good, and what becomes of the game then."""
    text = "To go for good, and have them go on without you, type leave."
    if _ends_with_us(view):
        text = "To leave for good, type leave. That ends the game, and {name} wins it."
    if _strands_others(view):
        text = "To leave for good, type leave. The others have no vote, so they cannot go on then."
    return f"{say(text, name=_stays(view))} {_price(view)}".rstrip()


def _stays(view: TableView) -> str:
    """Return the name of the first other player who has not left; empty if there is none."""
    others = (info for at, info in enumerate(view.seats) if at != view.seat and not info.left)
    return next((info.name for info in others), "")


def _price(view: TableView) -> str:
    """Return a sentence on the points that leaving for good costs, or "". [docs/rules.md §7.11]

    An abandoned round is scored once it is dealt again, which never happens if the game ends now.
    """
    table, seat, settings = view.table, view.seat, view.settings
    if table is None or seat is None or table.phase in ENDED or not table.hands[seat]:
        return ""
    redeals = settings is not None and _REDEALS in settings.options
    if _ends_with_us(view) and (redeals or table.phase is not RoundPhase.PLAY):
        return ""
    return "" if table.rules.scoring is HandPoints.WINNER_TAKES else say(LEAVING)
