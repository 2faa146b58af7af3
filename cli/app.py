"""The loop of one seat: notices in, lines in, moves out. Drawing follows the log, never the key.

notices -> tell and draw
lines   -> parse -> resolve -> propose -> node
a draw or pass that is the only legal move -> after a short pause, by itself
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, assert_never

import trio

from cli.cells import wrap_words
from cli.exits import ExitCode
from cli.failures import sentence_of
from cli.frontend import LobbyScene
from cli.intents import (
    Choose,
    Draw,
    Help,
    MoveIntent,
    Nothing,
    PassTurn,
    Play,
    Quit,
    SayText,
    ShowBoard,
    ShowHand,
    ShowRules,
    ShowScore,
    Start,
    UsageError,
    Who,
    Why,
)
from cli.parse import parse
from cli.render import HandOrder, board_lines, choice_lines, hand_lines, train_lines
from cli.resolve import Ambiguous, NotFound, Refused, resolve
from cli.scene import find_trains, legal, scene_of, tile_text, train_name
from cli.sheets import help_lines, rules_lines, switch_lines, who_lines
from cli.status import status_text
from cli.telling import forced_text, join_names, move_text, notice_text
from cli.wording import refusal_sentence, rule_problem_sentence, spec_problem_sentence
from engine.moves import DrawTile, LayTile, Pass, TileDrawn
from engine.rules import RuleProblem
from netgame.protocol import notices
from netgame.protocol.view import Stage

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.frontend import FrontEnd
    from cli.scene import Scene
    from engine.moves import Move
    from engine.trains import Position
    from netgame.io.node import Node
    from netgame.protocol.view import TableView

__all__ = ["Sitting", "sit"]

FORCED_PAUSE_S: Final = 0.7
"""Between saying that only a draw or a pass is left and doing it; always the same, so that it
tells nobody anything."""

_FINISH_PATIENCE_S: Final = 15.0
"""After the last score; the core leaves by itself after 10 s [limits.LEAVE_AFTER_S]."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """How this person sits at the table.

    With `auto` something else plays the seat; `stays` keeps going when the input ends; `ending`
    says after the game where the record is and how to check it.
    """

    addresses: tuple[str, ...] = ()
    auto: bool = False
    stays: bool = False
    ending: Callable[[], tuple[str, ...]] = tuple


async def sit(node: Node, front: FrontEnd, sitting: Sitting) -> ExitCode:
    """Play at the table of `node` until it is over or the person leaves."""
    return await _Shell(node, front, sitting).run()


class _Shell:
    """One person at one table; everything runs in one thread, so nothing here is locked."""

    def __init__(self, node: Node, front: FrontEnd, sitting: Sitting) -> None:
        self.node = node
        self.front = front
        self.sitting = sitting
        self.order = HandOrder.VALUE
        self.code: ExitCode | None = None
        self.done = trio.Event()
        self.quitting = False
        self.drawn: Position | None = None
        self.away: set[str] = set()
        self.nursery: trio.Nursery | None = None

    async def run(self) -> ExitCode:
        """Run the tasks of the loop until one of them ends it."""
        async with trio.open_nursery() as nursery:
            self.nursery = nursery
            nursery.start_soon(self._hear)
            nursery.start_soon(self._read)
            nursery.start_soon(self._watch)
            nursery.start_soon(self._end_with_node)
            await self.done.wait()
            nursery.cancel_scope.cancel()
        return ExitCode.OK if self.code is None else self.code

    def end(self, code: ExitCode) -> None:
        """End the loop; the first reason counts."""
        self.code = code if self.code is None else self.code
        self.done.set()

    # ---- what happens at the table --------------------------------------------------------

    async def _hear(self) -> None:
        async for notice in self.node.notices:
            await self._take(notice)
            self._refresh()

    async def _watch(self) -> None:
        """Keep the status line true."""
        while True:
            changed = self.node.when_changed()
            self._refresh()
            await changed.wait()

    async def _end_with_node(self) -> None:
        """End when the game is over for everybody, or the table has stopped."""
        await self.node.finished.wait()
        halted = self.node.view().stage is Stage.HALTED
        self.end(ExitCode.FAILED if halted else ExitCode.OK)

    def _refresh(self) -> None:
        view = self.node.view()
        self.front.scene_is(scene_of(view), status_text(view))

    async def _take(self, notice: notices.Notice) -> None:
        scene = scene_of(self.node.view())
        self._note_draw(scene, notice)
        self.front.happened(scene, notice, self._text_of(scene, notice))
        match notice:
            case notices.LobbyChanged():
                self._show_lobby()
            case notices.YourTurn() if not self.sitting.auto:
                self._your_turn()
            case notices.RoundOver() if scene is not None:
                self.front.scores(scene)
            case notices.GameOver():
                self._game_over(scene)
            case notices.TableClosed():
                self.end(ExitCode.FAILED)
            case notices.Refused():
                self.end(ExitCode.REFUSED)
            case _:
                pass

    def _text_of(self, scene: Scene | None, notice: notices.Notice) -> str:
        """Say a notice; a link that comes up for the first time is no news."""
        if isinstance(notice, notices.LinkChanged):
            known_away = notice.name in self.away
            (self.away.discard if notice.up else self.away.add)(notice.name)
            if notice.up and not known_away:
                return ""
        return notice_text(scene, notice)

    def _note_draw(self, scene: Scene | None, notice: notices.Notice) -> None:
        """Remember what this seat draws: which tile it is, the others' shares show only later."""
        if not isinstance(notice, notices.Played) or scene is None or notice.seat != scene.seat:
            return
        for event in notice.events:
            if isinstance(event, TileDrawn):
                self.drawn = event.position

    def _drawn_tile(self, scene: Scene) -> str:
        """Return the tile drawn last if it has just become visible, and forget it."""
        found = [tile for at, tile in scene.hand.tiles if at == self.drawn] if scene.hand else []
        if not found:
            return ""
        self.drawn = None
        return tile_text(found[0])

    def _show_lobby(self) -> None:
        view = self.node.view()
        if view.stage is Stage.LOBBY:
            self.front.lobby(LobbyScene(view, self.node.key, self.sitting.addresses))

    def _your_turn(self) -> None:
        """Show the turn, or do the only thing that can be done."""
        view = self.node.view()
        scene = scene_of(view)
        if scene is None or not view.can_move:
            return
        moves = legal(scene)
        drawn = self._drawn_tile(scene)
        if len(moves) == 1 and not isinstance(moves[0], LayTile):
            assert self.nursery is not None
            self.front.say(forced_text(moves[0], drawn))
            self.nursery.start_soon(self._force, moves[0], view)
            return
        if drawn:
            self.front.say(f"It is {drawn}.")
        self.front.your_turn(scene, self.order)

    async def _force(self, move: Move, seen: TableView) -> None:
        """Make the only legal move after a pause, unless somebody was quicker."""
        await trio.sleep(FORCED_PAUSE_S)
        view = self.node.view()
        if view.can_move and view.step == seen.step:
            await self._propose(move)

    def _game_over(self, scene: Scene | None) -> None:
        if scene is not None:
            self.front.scores(scene)
        for sentence in self.sitting.ending():
            self.front.say(sentence)
        assert self.nursery is not None
        self.nursery.start_soon(self._end_late)

    async def _end_late(self) -> None:
        """Leave a finished game even if the node should never say so."""
        await trio.sleep(_FINISH_PATIENCE_S)
        self.end(ExitCode.OK)

    # ---- what is typed --------------------------------------------------------------------

    async def _read(self) -> None:
        while (line := await self.front.next_line()) is not None:
            await self._do_line(line)
        if not self.sitting.stays:
            await self._leave()

    async def _do_line(self, line: str) -> None:
        asked, self.quitting = self.quitting, False
        if asked and line.strip().lower() in ("y", "yes"):
            await self._leave()
            return
        intent = parse(line)
        match intent:
            case UsageError():
                self.front.say(sentence_of(intent.hint))
            case Quit():
                await self._quit(asked=asked)
            case Play() | Choose() | Draw() | PassTurn():
                await self._move(intent)
            case _:
                await self._do(intent)

    async def _do(  # noqa: C901 - one branch a command
        self,
        intent: Why
        | Help
        | ShowBoard
        | ShowHand
        | ShowScore
        | SayText
        | Who
        | ShowRules
        | Start
        | Nothing,
    ) -> None:
        match intent:
            case Why():
                self._why(intent)
            case Help():
                playing = self.node.view().table is not None
                self.front.show(help_lines(intent.word, self.front.canvas(), playing=playing))
            case ShowBoard():
                self._show_board(intent)
            case ShowHand():
                self._show_hand(intent)
            case ShowScore():
                self._show_score()
            case SayText():
                await self.node.chat(intent.text)
            case Who():
                view = self.node.view()
                self.front.show(who_lines(view, self.front.canvas(), self.node.key))
            case ShowRules():
                self._show_rules(intent)
            case Start():
                await self._start()
            case Nothing():
                pass
            case _:
                assert_never(intent)

    # ---- moves ----------------------------------------------------------------------------

    async def _move(self, intent: MoveIntent) -> None:
        if not self.front.asks_back:
            await self._until_can_move()
        scene = self._scene()
        if scene is None:
            return
        found = resolve(intent, scene)
        if isinstance(found, LayTile | DrawTile | Pass):
            await self._propose(found)
        else:
            self._explain(found, scene)

    async def _until_can_move(self) -> None:
        """Hold a scripted move until it is this seat's turn, so that scripts need no timing."""
        while not self.done.is_set():
            changed = self.node.when_changed()
            view = self.node.view()
            if view.can_move or view.stage in (Stage.OVER, Stage.HALTED):
                return
            await changed.wait()

    async def _propose(self, move: Move) -> None:
        refusal = await self.node.propose(move)
        scene = scene_of(self.node.view())
        if refusal is not None and scene is not None:
            self.front.say(refusal_sentence(refusal, scene.names, scene.seat))

    def _explain(self, found: Ambiguous | NotFound | Refused, scene: Scene) -> None:
        match found:
            case Ambiguous():
                options = [move_text(scene, move) for move in found.options]
                self.front.say(f"That could be {', or '.join(options)}.")
            case NotFound():
                self.front.say(found.hint)
            case Refused():
                self.front.say(self._refused_text(found, scene))
            case _:
                assert_never(found)

    def _refused_text(self, found: Refused, scene: Scene) -> str:
        """Name the rule, and the legal moves most like what was meant."""
        sentence = refusal_sentence(found.refusal, scene.names, scene.seat)
        text = f"{sentence} [{found.refusal.rule}]"
        if found.nearest:
            near = " or ".join(move_text(scene, move) for move in found.nearest[:2])
            text += f" You could play {near}."
        return text

    def _why(self, intent: Why) -> None:
        scene = self._scene()
        if scene is None:
            return
        found = resolve(intent.move, scene)
        if isinstance(found, LayTile | DrawTile | Pass):
            self.front.say(f"Nothing is against it: {move_text(scene, found)}.")
        else:
            self._explain(found, scene)

    def _scene(self) -> Scene | None:
        scene = scene_of(self.node.view())
        if scene is None:
            self.front.say("The game has not begun yet.")
        return scene

    # ---- showing --------------------------------------------------------------------------

    def _show_board(self, intent: ShowBoard) -> None:
        scene = self._scene()
        if scene is None:
            return
        canvas = self.front.canvas()
        if intent.train is None:
            self.front.show(board_lines(scene, canvas))
            return
        trains = find_trains(scene, intent.train)
        if not trains:
            names = join_names([train_name(scene, train.id) for train in scene.table.trains])
            self.front.say(f"There is no train {intent.train} here: {names}.")
        for train in trains:
            self.front.show(train_lines(scene, train, canvas))

    def _show_hand(self, intent: ShowHand) -> None:
        scene = self._scene()
        if scene is None:
            return
        if intent.sort:
            orders = tuple(HandOrder)
            self.order = orders[(orders.index(self.order) + 1) % len(orders)]
            self.front.say(f"Your hand is sorted {self.order.value}.")
        canvas = self.front.canvas()
        self.front.show((*hand_lines(scene, canvas, self.order), *choice_lines(scene, canvas)))

    def _show_score(self) -> None:
        scene = self._scene()
        if scene is not None:
            self.front.scores(scene)

    def _show_rules(self, intent: ShowRules) -> None:
        view = self.node.view()
        canvas = self.front.canvas()
        if intent.topic is not None:
            rules = view.spec.rules if view.spec is not None else None
            self.front.show(switch_lines(intent.topic, rules, canvas))
        elif view.spec is not None:
            self.front.show(rules_lines(view.spec, canvas))
        elif view.settings is not None:
            words = " ".join((view.settings.preset, *view.settings.switches))
            text = f" {words}, double-{view.settings.pip_max}, up to {view.seats_offered} seats."
            self.front.show(wrap_words(text, canvas.columns, " "))

    # ---- coming and going -----------------------------------------------------------------

    async def _start(self) -> None:
        view = self.node.view()
        if view.stage is not Stage.LOBBY:
            self.front.say("The game has begun already.")
        elif not view.is_host:
            self.front.say("Only who opened the table can start the game.")
        elif len(view.seats) < 2:
            self.front.say("At least two must sit before the game can begin.")
        else:
            await self._begin()

    async def _begin(self) -> None:
        problem = await self.node.begin()
        if isinstance(problem, RuleProblem):
            self.front.say(rule_problem_sentence(problem))
        elif problem is not None:
            self.front.say(spec_problem_sentence(problem))

    async def _quit(self, *, asked: bool) -> None:
        """Ask once, where somebody can answer and there is something to lose."""
        stage = self.node.view().stage
        if asked or not self.front.asks_back or stage in (Stage.OVER, Stage.HALTED):
            await self._leave()
            return
        self.quitting = True
        if stage is Stage.LOBBY:
            self.front.say("Leave this table? Type quit again, or yes.")
        else:
            self.front.say("Leave? The others cannot play on without your tiles. Type quit again.")

    async def _leave(self) -> None:
        self.front.say("You have left the table.")
        self.end(ExitCode.OK)
