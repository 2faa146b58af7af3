"""The moves of one seat: showing its turn when it comes, and making its moves."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from cli.language import say
from cli.scene import asked_draw, forced_move, legal, scene_of
from cli.session.answers import HELD
from cli.session.desk import Desk
from cli.session.frontend import FrontEnd
from cli.session.stay import is_over
from cli.session.tasks import Signal, Tasks, sleep, within
from cli.wording.moves import HeldDraws, forced_text, move_text
from cli.wording.refusals import refusal_sentence
from engine.refusals import Refusal
from engine.table.events import Caught, Tapped
from engine.table.moves import Call, Catch, Mark, Move, Tap
from engine.table.table import RoundPhase, Table
from netgame.io.node.node import Node
from netgame.io.node.question import Granted
from netgame.protocol.notices import GameOver, Notice, Played, RoundOver
from netgame.protocol.peer.view import TableView

FORCED_PAUSE_S: Final = 0.7
"""The pause between saying that only a draw or a pass is left and making that move. It is always
the same, so that its length gives nothing away."""

DRAW_S: Final = 30.0
"""How long a player who wants to draw for themselves may take while other people wait."""

_SCRIPT_PAUSE_S: Final = 0.05
"""The pause where no person reads, and for the many answers in a search for the engine."""

_SETTLE_S: Final = 10.0
"""The longest that a script's `quit` waits for the move before it: for its proof, or for a step
that others must close too. A proof takes well under a second."""


@dataclass(slots=True)
class Moves:
    """Makes the moves of one seat: the typed ones, and the only legal one if it lays no tile.

    A typed move may be held for a while first. The tiles of one line are played one after the other
    as the turn goes on. When the session ends, moves still held or remaining are dropped.
    """

    node: Node
    front: FrontEnd
    tasks: Tasks
    desk: Desk
    grace_s: float = 0.0
    """How long a typed move is held so that `back` can stop it, in seconds; 0 for not at all."""
    draws: HeldDraws = field(default_factory=HeldDraws)
    """The draws that have not been told yet, collected from every notice."""
    refused: Refusal | None = None
    """The last refusal, for `why`."""
    _rest: tuple[Move, ...] = ()
    """The remaining moves of the line typed last, played by themselves as the turn goes on."""
    _pending: int = -1
    """The step of a move that may still be on its way into the log, or -1."""
    _shown: tuple[bytes, Table | None] | None = None
    """The position last shown as a turn. The step would not do: when all seats open at once, each
    tile makes a new position in the same step."""
    _wake: Signal = field(default_factory=Signal)
    _answered_at: int = -1
    _held: Signal | None = None
    """The signal that stops the typed move being held, if any."""
    _line: tuple[Move, ...] = ()
    """The held moves, as typed last."""
    _called: Tap | Catch | None = None
    """The last call of this seat, until its outcome is told."""

    @property
    def others_wait(self) -> bool:
        """True if other people, and not only bots, are in the game and wait for this player."""
        others = (info for info in self.node.view().seats if info.key != self.node.key)
        return any(not (info.bot or info.left) for info in others)

    def remember(self, refusal: Refusal) -> str:
        """Keep a refusal for `why`; return a hint at `why` to add, or "" if one was kept already.

        Forget what was told of this seat's own last pass.
        """
        hint = "" if self.refused else f" {say('Type why for the rule.')}"
        self.refused, self.draws.own_pass = refusal, None
        return hint

    def forget(self) -> None:
        """Forget, for a new round, the refusal and the pass that `why` would explain."""
        self.refused = self.draws.own_pass = None

    def your_turn(self) -> None:
        """Show the turn, go on with the line typed last, or make the only move if it lays no tile.

        Do nothing if this seat cannot move, is catching up, or was shown this turn. A task makes
        the move.
        """
        view = self.node.view()
        scene = self.desk.scene()
        if scene is None or not view.can_move or view.catching_up or self.has_shown(view):
            return
        if self._rest and self._rest[0] in legal(scene):
            self.tasks.start_soon(self._go_on, view)
            return
        self._rest = ()
        only = forced_move(scene)
        if only is not None:
            if said := forced_text(only):
                self.front.say(said)
            self.tasks.start_soon(self._force, only, view)
            return
        if said := self.draws.flushed(scene):
            self.front.say(said)
        self.desk.show()
        self._shown = view.position
        self._wake.give()
        if asked_draw(scene) and self.others_wait:
            self.tasks.start_soon(self._draw_late, view)

    def has_shown(self, view: TableView) -> bool:
        """Return True if the turn in this view was shown; False if this seat cannot move."""
        return view.can_move and view.position == self._shown

    async def wait_for_choice(self) -> None:
        """Return once this seat's turn has been shown, with something to choose; at once if it has.

        This may wait for ever; the end of the session cancels it.
        """
        while not self.has_shown(self.node.view()):
            self._wake = Signal()
            await self._wake.wait()

    def answer_search(self) -> None:
        """Make the only possible answer in a search for the engine, while the person reads a card.

        A task makes it, at most once a step. Do the same while a draw decides the first turn. Do
        nothing in any other phase, if this seat is not to move, or if there is a choice.
        """
        view = self.node.view()
        scene = scene_of(view)
        if scene is None or not view.can_move or view.step == self._answered_at:
            return
        only = forced_move(scene)
        if only is not None and scene.table.phase in (RoundPhase.ENGINE, RoundPhase.HIGH_DRAW):
            self._answered_at = view.step
            self.tasks.start_soon(self._force, only, view)

    async def _force(self, move: Move, seen: TableView) -> None:
        """Make the only legal move after a pause, unless the position has changed by then."""
        searching = seen.table is None or seen.table.phase is RoundPhase.ENGINE
        quick = searching or not self.front.asks_back
        await sleep(_SCRIPT_PAUSE_S if quick else FORCED_PAUSE_S)
        view = self.node.view()
        if view.can_move and view.position == seen.position:
            await self.propose(move)

    async def _draw_late(self, seen: TableView) -> None:
        """Draw for a player who was asked to draw and has not within `DRAW_S`; tell them first."""
        await sleep(DRAW_S)
        scene = self.desk.scene()
        draw = None if scene is None else asked_draw(scene)
        if draw is not None and self.node.view().position == seen.position:
            text = "The others wait: after {seconds} seconds the tile is drawn for you."
            self.front.say(say(text, seconds=round(DRAW_S)))
            await self.propose(draw)

    @property
    def goes_on(self) -> bool:
        """True if moves of the line typed last are still to be made."""
        return bool(self._rest)

    async def settle(self) -> None:
        """Wait until every typed move is in the log and told, or is refused, but at most 10 s.

        Return at once if none is under way. A move that takes longer is left as it is.
        """
        if not self._rest and self._pending < 0:
            return
        await within(_SETTLE_S, self._nothing_under_way)
        await sleep(_SCRIPT_PAUSE_S)  # the notice of a logged move comes a moment later

    async def _nothing_under_way(self) -> None:
        """Wait until every typed move is in the log, or can no longer get there."""
        while not is_over(view := self.node.view()) and (self._rest or view.step == self._pending):
            await self.node.when_changed().wait()

    async def make_typed(self, *line: Move) -> None:
        """Make one move, or the moves of a line in order; hold them first for `grace_s`, if any.

        Drop a move that is still held, and say so; the same move typed again stays held. A task
        makes the moves that are held, and this returns at once. Calls are never held, because they
        are a race, and neither is a draw when nothing else can be done.
        A held move is not signed yet and nobody knows of it, so stopping it takes nothing back.
        """
        if self.holds and line == self._line:
            self.front.say(say(HELD))
            return
        if self.take_back():
            self.front.say(say("The move that was held is not made."))
        scene = self.desk.scene()
        if not self.grace_s or isinstance(line[0], Call) or scene is None or asked_draw(scene):
            await self._make_each(line)
            return
        told = ", ".join(move_text(scene, move) for move in line)
        text = "Held for {seconds} s: {moves}. Type back to stop it."
        self.front.say(say(text, seconds=f"{self.grace_s:g}", moves=told))
        self._held, self._line = Signal(), line
        self._held.come_after(self.grace_s)
        self.tasks.start_soon(self._make_held, line, self._held)

    async def _make_held(self, line: Sequence[Move], held: Signal) -> None:
        await held.wait()
        if not held.is_given:
            self._held = None
            await self._make_each(line)

    @property
    def holds(self) -> bool:
        """True while a typed move is held."""
        return self._held is not None

    def take_back(self) -> bool:
        """Stop the held move; return whether there was one."""
        held, self._held = self._held, None
        if held is not None:
            held.give()
        return held is not None

    async def _make_each(self, line: Sequence[Move]) -> None:
        if len(line) > 1:
            await self.propose_each(line)
        else:
            await self.propose(line[0])

    async def propose_each(self, line: Sequence[Move]) -> None:
        """Make moves one after the other, each once the one before it is in the log.

        Return after the first; `your_turn` plays the others. Drop the rest if one is refused.
        """
        self._rest = tuple(line)
        await self._go_on(self.node.view())

    async def _go_on(self, seen: TableView) -> None:
        """Make the line's next move if the position is as `seen`; drop the rest if refused."""
        if not self._rest or self.node.view().position != seen.position:
            return
        lay, self._rest = self._rest[0], self._rest[1:]
        await self._make(lay)
        view = self.node.view()
        if view.can_move and view.position == seen.position:
            self._rest = ()

    async def propose(self, move: Move) -> None:
        """Make a move, and drop the remaining tiles of an earlier line.

        A call counts only once all may speak, except for a tap when this seat is to move. Say a
        refusal, and keep it for `why`.
        """
        self._rest = ()
        await self._make(move)

    def follow(self, notice: Notice) -> None:
        """Say that a call came to nothing if the round has ended before it could count.

        Call this for every notice, in order. Commentary tells any other outcome of a call.
        """
        call = self._called
        match notice:
            case Played(events=events) if call is not None:
                about = call.seat if isinstance(call, Tap) else call.offender
                told = (each for each in events if isinstance(each, Tapped | Caught))
                if any(each.seat == about for each in told):
                    self._called = None
            case RoundOver() | GameOver() if call is not None:
                self._called = None
                tap = "Your tap came too late: the round ended before all could speak."
                catch = "Your catch came too late: the round ended before all could speak."
                self.front.say(say(tap if isinstance(call, Tap) else catch))
            case _:
                pass

    async def _make(self, move: Move) -> None:
        before, seen = self.node.view(), self.desk.scene()
        if seen is not None and seen.can_move and (why := self.desk.teacher.withheld(seen, move)):
            self.front.say(why)
            return
        calls = isinstance(move, Catch) or not before.can_move
        if isinstance(move, Tap | Catch) and calls:
            answer = await self.node.call(move)
            tap = "Your tap counts as soon as all may speak."
            catch = "Your catch counts as soon as all may speak."
            said = say(tap if isinstance(move, Tap) else catch)
            self._called = move if isinstance(answer, Granted) else self._called
        else:
            answer = await self.node.propose(move)
            said = ""
            if isinstance(move, Mark):  # the table does not show it at once
                up = "Your marker stays up when this turn ends, if you play a tile of your hand."
                down = (
                    "Your marker comes down when this turn ends, if you play a tile of your hand."
                )
                said = say(up if move.up else down)
        view = self.node.view()
        is_under_way = isinstance(answer, Granted) and not (
            view.can_move and view.step == before.step
        )
        self._pending = before.step if is_under_way else -1
        scene = scene_of(view)
        if isinstance(answer, Refusal) and scene is not None:
            hint = self.remember(answer)
            why = refusal_sentence(answer, scene.names, scene.seat, scene.table.rules)
            self.front.say(f"{why}{hint}")
        elif isinstance(answer, Granted) and said:
            self.front.say(said)
