"""The loop of one seat: notices in, lines in, moves out. Drawing follows the log, never the key.

notices -> tell and draw
lines   -> parse -> resolve -> propose -> node
a draw or pass that is the only legal move -> after a short pause, by itself
"""

from __future__ import annotations

from collections.abc import Callable

import trio

from cli.exits import ExitCode
from cli.said.failures import sentence_of
from cli.said.rule_problems import rule_problem_sentence, spec_problem_sentence
from cli.scene import scene_of
from cli.seat.answers import NOT_BEGUN, explanation
from cli.seat.frontend import FrontEnd
from cli.seat.needs import away_named, makes_sense, why_not_first
from cli.seat.player import Hearing
from cli.seat.sitting import Sitting
from cli.typed.intent import (
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
from cli.typed.parse import parse
from cli.typed.resolution import Ambiguous, NotFound, NotLegal
from cli.typed.resolve import resolve
from engine.rules.choose import RuleProblem
from netgame.io.node.node import Node
from netgame.io.tables.keep_notes import leave_for_good
from netgame.protocol.peer.view import TableStage, TableView
from netgame.protocol.text import join_names


async def sit(node: Node, front: FrontEnd, sitting: Sitting) -> ExitCode:
    """Play at the table of `node` until it is over or the person leaves."""
    return await _Shell(node, front, sitting).run()


class _Shell(Hearing):
    """The whole loop of one person at one table."""

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
        return self.node.view().stage in (TableStage.OVER, TableStage.HALTED)

    async def _do_line(self, line: str) -> None:
        asked, self.quitting = self.quitting, None
        if asked is not None and line.strip().lower() in ("y", "yes"):
            await self._leave(for_good=asked.for_good)
            return
        if self.seating and self.invited and await self._seat(line.strip().lower()):
            return
        intent = parse(line)
        match intent:
            case UsageError():
                self.front.say(sentence_of(intent.hint))
            case Quit():
                await self._quit(intent, asked=asked is not None)
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
                await self._start(intent.first)
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
            self.front.say("You have a seat here; type leave to give it up.")
        elif view.is_host:
            self.front.say("You opened this table without a seat, so you only watch.")
        elif isinstance(intent, SitDown):
            await self.node.take_seat()
        else:
            await self.node.look_on()
            self.front.say("You only watch now, and no longer wait for a seat.")

    async def _go_on_without(self, names: tuple[str, ...]) -> None:
        """Vote to give these up, if every name is that of somebody else here."""
        view = self.node.view()
        if view.seat is None and view.table is not None:
            self.front.say("You only watch; those who sit here decide that.")
            return
        chosen = away_named(view, names, self.node.key)
        if isinstance(chosen, str):
            self.front.say(chosen)
            return
        await self.node.go_on_without([info.key for info in chosen])
        told = join_names([info.name for info in chosen])
        self.front.say(f"You vote to go on without {told}; it takes the votes of all others here.")

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
        if isinstance(found, Ambiguous | NotFound | NotLegal):
            if isinstance(found, NotLegal):
                self.answers.refused = found.refusal
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
            waits_for_start = view.stage is TableStage.LOBBY and not self._starts_without_us(view)
            if ready(view) or waits_for_start or view.stage in (TableStage.OVER, TableStage.HALTED):
                return
            await changed.wait()

    def _starts_without_us(self, view: TableView) -> bool:
        return self.sitting.starts_itself or not view.is_host

    # ---- coming and going -----------------------------------------------------------------

    async def _start(self, first: str | None) -> None:
        view = self.node.view()
        if view.stage is not TableStage.LOBBY:
            self.front.say("The game has begun already.")
        elif not view.is_host:
            self.front.say("Only the host can start the game.")
        elif len(view.seats) < 2:
            self.front.say("At least two must sit before the game can begin.")
        elif first is not None and (why_not := why_not_first(view, first)):
            self.front.say(why_not)
        else:
            await self._begin(first)

    async def _begin(self, first: str | None) -> None:
        problem = await self.node.begin(first)
        if isinstance(problem, RuleProblem):
            self.front.say(rule_problem_sentence(problem))
        elif problem is not None:
            self.front.say(spec_problem_sentence(problem))

    async def _quit(self, intent: Quit, *, asked: bool) -> None:
        """Ask once, where somebody can answer and there is something to lose."""
        only_watches = self.node.view().seat is None and self.node.view().table is not None
        if asked or not self.front.asks_back or self._is_over() or only_watches:
            await self._leave(for_good=intent.for_good)
            return
        self.quitting = intent
        if self.node.view().stage is TableStage.LOBBY:
            self.front.say("Leave this table? Type it again, or yes.")
        elif intent.for_good:
            self.front.say("Leave for good? The others go on without you. Type leave again.")
        else:
            self.front.say("Leave? The others wait until you come back. Type quit again.")
            self.front.say("To go for good, and have them go on without you, type leave.")

    async def _leave(self, *, for_good: bool = False) -> None:
        view = self.node.view()
        back = view.stage not in (TableStage.LOBBY, TableStage.OVER, TableStage.HALTED)
        if for_good and back and view.seat is not None:
            await leave_for_good(self.node)
            self.front.say("You have left the table for good; the others go on without you.")
        else:
            how = " Come back with: boneyard resume" if back else ""
            self.front.say(f"You have left the table.{how}")
        self.end(ExitCode.OK)
