"""The loop of one seat: notices in, lines in, moves out. Drawing follows the log, never the key.

notices -> tell and draw
lines   -> parse -> resolve -> propose -> node
a draw or pass that is the only legal move -> after a short pause, by itself
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import trio

from cli.answers import NOT_BEGUN, Answers, explanation
from cli.duties import Drawn, call_sentences
from cli.exits import ExitCode
from cli.failures import sentence_of
from cli.frontend import LobbyScene
from cli.intents import (
    GoOnWithout,
    Help,
    LookOn,
    MoveIntent,
    Nothing,
    Quit,
    SayText,
    ShowBoard,
    ShowHand,
    ShowRules,
    ShowScore,
    SitDown,
    Start,
    UsageError,
    Who,
    Why,
)
from cli.parse import parse
from cli.render import board_lines
from cli.resolve import Ambiguous, NotFound, Refused, resolve
from cli.rulesheet import changed_lines, offer_of
from cli.scene import forced_move, scene_of
from cli.searching import Search
from cli.status import status_text
from cli.telling import forced_text, notice_text
from cli.typed import away_named, makes_sense
from cli.wording import refusal_sentence, rule_problem_sentence, spec_problem_sentence
from engine.moves import Catch, Mark, Tap
from engine.rules import RuleProblem
from engine.table import Phase
from engine.trains import Seat
from netgame.protocol import notices
from netgame.protocol.text import join_names
from netgame.protocol.view import Stage

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.frontend import FrontEnd
    from cli.scene import Scene
    from engine.legality import Refusal
    from engine.moves import Move
    from netgame.io.node import Node
    from netgame.protocol.view import TableView

__all__ = ["Sitting", "sit"]

FORCED_PAUSE_S: Final = 0.7
"""Between saying that only a draw or a pass is left and doing it; always the same, so that it
tells nobody anything."""

_SCRIPT_PAUSE_S: Final = 0.05
"""The same where nobody looks on, and for the many answers of a search for the engine."""

_FINISH_PATIENCE_S: Final = 15.0
"""After the last score; the core leaves by itself after 10 s [limits.LEAVE_AFTER_S]."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """How this person sits at the table.

    With `auto` something else plays the seat; `stays` keeps going when the input ends; a table
    that `starts_itself` needs no `start`; `ending` says after the game where the record is and
    how to check it. `code` gives the join code as it is now, if this is a host who asks for one.
    Who `looks_first` reads what is played before sitting down; who `watches` takes no seat.
    """

    addresses: tuple[str, ...] = ()
    auto: bool = False
    stays: bool = False
    starts_itself: bool = False
    ending: Callable[[], tuple[str, ...]] = tuple
    code: Callable[[], str] = str
    looks_first: bool = False
    watches: bool = False


async def sit(node: Node, front: FrontEnd, sitting: Sitting) -> ExitCode:
    """Play at the table of `node` until it is over or the person leaves."""
    return await _Shell(node, front, sitting).run()


class _Shell:
    """One person at one table; everything runs in one thread, so nothing here is locked."""

    def __init__(self, node: Node, front: FrontEnd, sitting: Sitting) -> None:
        self.node = node
        self.front = front
        self.sitting = sitting
        self.answers = Answers(front, node.key)
        self.code: ExitCode | None = None
        self.done = trio.Event()
        self.quitting = False
        self.invited = False
        self.seating = sitting.looks_first
        self.shown: tuple[object, ...] = ()
        self.drawn = Drawn()
        self.turn = Seat(0)
        self.away: set[str] = set()
        self.called: tuple[str, ...] = ()
        self.search = Search()
        self.nursery: trio.Nursery | None = None

    async def run(self) -> ExitCode:
        """Run the tasks of the loop until one of them ends it."""
        async with trio.open_nursery() as nursery:
            self.nursery = nursery
            nursery.start_soon(self._hear)
            nursery.start_soon(self._read)
            nursery.start_soon(self._watch)
            nursery.start_soon(self._end_with_node)
            if self.front.asks_back and not self.sitting.auto:
                await self.node.attend()
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
        self.drawn.note(scene, notice)
        self.front.happened(scene, notice, self._text_of(scene, notice))
        self._tell_calls(scene)
        if scene is not None and isinstance(notice, notices.Dealt | notices.Played):
            self._show_onlooker(scene)
        match notice:
            case notices.LobbyChanged():
                self._show_lobby()
            case notices.YourTurn() if not self.sitting.auto:
                self._your_turn()
            case notices.RoundOver() if scene is not None:
                self.front.scores(scene)
            case notices.GameOver():
                self._game_over(scene)
            case notices.CaughtUp():
                await self._look_on(scene)
            case _:
                self._end_by(notice)

    def _show_onlooker(self, scene: Scene) -> None:
        """Show the board to a person without a seat whenever play has come round."""
        before, self.turn = self.turn, scene.table.to_move
        if scene.seat is None and self.turn < before and self.front.asks_back:
            self.front.show(board_lines(scene, self.front.canvas()))

    def _end_by(self, notice: notices.Notice) -> None:
        """End if there is nothing here to stay for; only a person may change their mind."""
        may_watch = self.front.asks_back or self.sitting.stays
        match notice:
            case notices.TableClosed():
                self.end(ExitCode.FAILED)
            case notices.Refused():
                self.end(ExitCode.REFUSED)
            case notices.SeatLater(granted=False) if not may_watch:
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
        return self.search.told(scene, notice, notice_text(scene, notice))

    def _tell_calls(self, scene: Scene | None) -> None:
        """Say once that a last tile must be told, or who may be caught; in turn the board says it.

        What can be called changes with every play, so each sentence is told anew when it is new.
        """
        said = () if scene is None or self.sitting.auto else call_sentences(scene)
        fresh = [sentence for sentence in said if sentence not in self.called]
        self.called = said
        if scene is not None and not scene.can_move:
            for sentence in fresh:
                self.front.say(sentence)

    def _show_lobby(self) -> None:
        """Show who sits, if that or what is played has changed."""
        view = self.node.view()
        shown = (view.seats, view.settings)
        if self.seating and view.stage not in (Stage.LOBBY, Stage.HALTED):
            self.seating = False
            self.front.say("The game has begun without you: you watch. For a seat later type sit.")
        if view.stage is Stage.LOBBY and shown != self.shown:
            self.shown = shown
            if not view.is_host:
                self._invite(view)
            if self.seating:
                return
            sitting = self.sitting
            itself, code = sitting.starts_itself, sitting.code()
            where, key = sitting.addresses, self.node.key
            self.front.lobby(LobbyScene(view, key, where, itself, code, sitting.watches))

    async def _look_on(self, scene: Scene | None) -> None:
        """The game had begun when we came: show it, and ask for the seat we came for."""
        view = self.node.view()
        self._invite(view)
        if scene is not None:
            self.front.show(board_lines(scene, self.front.canvas()))
        if self.seating:
            self.seating = False
            await self.node.take_seat()

    def _invite(self, view: TableView) -> None:
        """Tell who comes to a table, once, what is played there; and ask who looks first."""
        offer = None if view.settings is None else offer_of(view.settings)
        if offer is None or self.invited:
            return
        self.invited = True
        self.front.show(changed_lines(offer, self.front.canvas()))
        if self.seating and view.stage is Stage.LOBBY:
            names = join_names([info.name for info in view.seats]) or "nobody"
            self.front.say(f"There sit: {names}. Type rules for all of the rules.")
            self.front.say("Sit down? [Y/n]")

    def _your_turn(self) -> None:
        """Show the turn, or do the only thing that can be done."""
        view = self.node.view()
        scene = scene_of(view)
        if scene is None or not view.can_move:
            return
        drawn = self.drawn.tile(scene)
        only = forced_move(scene)
        if only is not None:
            assert self.nursery is not None
            said = forced_text(scene, only, drawn)
            if said:
                self.front.say(said)
            self.nursery.start_soon(self._force, only, view)
            return
        if drawn:
            self.front.say(f"It is {drawn}.")
        self.front.your_turn(scene, self.answers.order)

    async def _force(self, move: Move, seen: TableView) -> None:
        """Make the only legal move after a pause, unless somebody was quicker."""
        looking = seen.table is None or seen.table.phase is Phase.ENGINE
        quick = looking or not self.front.asks_back
        await trio.sleep(_SCRIPT_PAUSE_S if quick else FORCED_PAUSE_S)
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
        # a script that only sits down still wants to know whether there was a seat
        await self._hold(lambda view: any(info.key == self.node.key for info in view.seats))
        if not self.sitting.stays and not self._is_over():
            await self._leave()

    def _can_be_seen(self, view: TableView) -> bool:
        """Whether there is what a script asks to see: a hand, or for who watches a table."""
        return view.hand is not None or (self.sitting.watches and view.table is not None)

    def _is_over(self) -> bool:
        return self.node.view().stage in (Stage.OVER, Stage.HALTED)

    async def _do_line(self, line: str) -> None:
        asked, self.quitting = self.quitting, False
        if asked and line.strip().lower() in ("y", "yes"):
            await self._leave()
            return
        if self.seating and self.invited and await self._seat(line.strip().lower()):
            return
        intent = parse(line)
        match intent:
            case UsageError():
                self.front.say(sentence_of(intent.hint))
            case Quit():
                await self._quit(asked=asked)
            case ShowBoard() | ShowHand() | ShowScore() | Why():
                await self._hold(self._can_be_seen)
                self.answers.answer(intent, self.node.view())
            case SitDown() | LookOn():
                await self._change_place(intent)
            case SayText() | ShowRules() | Who() | Help() | Start() | GoOnWithout() | Nothing():
                await self._do(intent)
            case _:
                await self._move(intent)

    async def _do(
        self, intent: SayText | ShowRules | Who | Help | Start | GoOnWithout | Nothing
    ) -> None:
        match intent:
            case SayText():
                await self.node.chat(intent.text)
            case Start():
                await self._start()
            case GoOnWithout():
                await self._go_on_without(intent.names)
            case Nothing():
                pass
            case _:
                self.answers.answer(intent, self.node.view())
                if isinstance(intent, Who) and self.sitting.code():
                    self.front.say(f"The join code is {self.sitting.code()}.")

    async def _change_place(self, intent: SitDown | LookOn) -> None:
        """Ask for a seat at the next round, or take that back."""
        view = self.node.view()
        if any(info.key == self.node.key for info in view.seats):
            self.front.say("You have a seat here; leave it with quit.")
        elif view.is_host:
            self.front.say("You opened this table without a seat, and look on.")
        elif isinstance(intent, SitDown):
            await self.node.take_seat()
        else:
            await self.node.look_on()
            self.front.say("You look on, and wait for no seat.")

    async def _go_on_without(self, names: tuple[str, ...]) -> None:
        """Vote to give these up, if every name is that of somebody else here."""
        view = self.node.view()
        if view.seat is None and view.table is not None:
            self.front.say("You only look on: who sits here decides that.")
            return
        chosen = away_named(view, names, self.node.key)
        if isinstance(chosen, str):
            self.front.say(chosen)
            return
        await self.node.go_on_without([info.key for info in chosen])
        told = " and ".join(info.name for info in chosen)
        self.front.say(f"You vote to go on without {told}; it takes all others who are here.")

    async def _seat(self, word: str) -> bool:
        """Take a seat or leave, if that is what was answered."""
        if word in ("n", "no", "q", "quit"):
            await self._leave()
        elif word in ("", "y", "yes"):
            self.seating, self.shown = False, ()
            await self.node.take_seat()
        else:
            return False
        return True

    # ---- moves ----------------------------------------------------------------------------

    async def _move(self, intent: MoveIntent) -> None:
        await self._hold(lambda view: makes_sense(intent, view))
        if self._is_over() and not self.front.asks_back:
            return
        scene = scene_of(self.node.view())
        if scene is None:
            self.front.say(NOT_BEGUN)
            return
        found = resolve(intent, scene)
        if isinstance(found, Ambiguous | NotFound | Refused):
            self.front.say(explanation(found, scene))
        else:
            await self._propose(found)

    async def _hold(self, ready: Callable[[TableView], bool]) -> None:
        """Hold a script's line until it makes sense, so that scripts need no timing.

        Lines of a person are never held, nor those of a host whose `start` may be in the next.
        """
        while not self.front.asks_back:
            changed = self.node.when_changed()
            view = self.node.view()
            waits_for_start = view.stage is Stage.LOBBY and not self._starts_without_us(view)
            if ready(view) or waits_for_start or view.stage in (Stage.OVER, Stage.HALTED):
                return
            await changed.wait()

    def _starts_without_us(self, view: TableView) -> bool:
        return self.sitting.starts_itself or not view.is_host

    async def _propose(self, move: Move) -> None:
        """Make a move; a call goes to the step in which all may speak, a tap in turn at once."""
        out_of_turn = isinstance(move, Tap) and not self.node.view().can_move
        if isinstance(move, Catch) or (isinstance(move, Tap) and out_of_turn):
            refusal = await self._call(move)
        else:
            refusal = await self.node.propose(move)
        scene = scene_of(self.node.view())
        if refusal is not None and scene is not None:
            self.front.say(refusal_sentence(refusal, scene.names, scene.seat))
        elif isinstance(move, Mark):
            how = "stays up" if move.up else "comes down"
            self.front.say(
                f"Your marker {how} when this turn ends, if you lay a tile of your hand."
            )

    async def _call(self, move: Tap | Catch) -> Refusal | None:
        refusal = await self.node.call(move)
        if refusal is None:
            what = "tap" if isinstance(move, Tap) else "catch"
            self.front.say(f"Your {what} is called as soon as all may speak.")
        return refusal

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
        only_watches = self.node.view().seat is None and self.node.view().table is not None
        if asked or not self.front.asks_back or self._is_over() or only_watches:
            await self._leave()
            return
        self.quitting = True
        if self.node.view().stage is Stage.LOBBY:
            self.front.say("Leave this table? Type quit again, or yes.")
        else:
            self.front.say("Leave? The others cannot play on without your tiles. Type quit again.")

    async def _leave(self) -> None:
        back = self.node.view().stage not in (Stage.LOBBY, Stage.OVER, Stage.HALTED)
        how = " Come back with: boneyard resume" if back else ""
        self.front.say(f"You have left the table.{how}")
        self.end(ExitCode.OK)
