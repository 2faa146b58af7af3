"""The loop of one seat: notices in, lines in, moves out. Drawing follows the log, never the key.

notices -> SeatNews -> tell and draw; a draw or pass that is the only move is made after a pause
lines   -> Prompt: parse -> resolve -> Moves -> node
"""

from typing import Final, TypeGuard, assert_never

import trio
from msgspec import Struct

from cli.exits import ExitCode, sentence_of
from cli.language import means_yes, say
from cli.scene import Scene, calls, choices, scene_of, tile_text
from cli.seat.answers import CATCHING_UP, explanation
from cli.seat.frontend import REDRAW, FrontEnd
from cli.seat.news import SeatNews
from cli.seat.round_pause import NOT_NOW
from cli.seat.session import Session
from cli.seat.stay import Onward, Sitting, is_over
from cli.seat.turn_clock import TurnClock
from cli.seat.verbs.complete import usable_words
from cli.seat.verbs.moves import CatchSeat
from cli.seat.verbs.orders import why_no_orders
from cli.seat.verbs.play import Choose, Play
from cli.seat.verbs.table import parse
from cli.seat.verbs.verb import Ask, Read, Speak, Until
from cli.typed.chains import PlayChain
from cli.typed.plan import lays_now, plan_text
from cli.typed.readers import UsageError
from cli.typed.resolution import (
    Ambiguous,
    Doubtful,
    MoveIntent,
    NotFound,
    NotLegal,
    Resolved,
    TileByTile,
    resolve,
)
from engine.refusals import RefusalReason
from engine.table.moves import Tap
from netgame.io.node.node import Node
from netgame.protocol.peer.view import TableView

_LATER: Final = frozenset({RefusalReason.NO_CHAIN, RefusalReason.ANOTHERS_TURN})
"""Refusals of several tiles that are only too many, or too early."""


async def sit(node: Node, front: FrontEnd, sitting: Sitting) -> ExitCode | Onward:
    """Play at the table of `node` until it is over or the person leaves."""
    front.resumable = sitting.resumable
    async with trio.open_nursery() as nursery:
        session = Session(node, front, sitting, nursery)
        news = SeatNews(session)
        prompt = Prompt(session, news)
        if sitting.returns:
            session.desk.recall_plan()
            # we may have kept all that there is to hear
            nursery.start_soon(session.invitation.show_kept)
        for task in (news.hear, news.watch, news.end_with_table, prompt.read):
            nursery.start_soon(task)
        if session.is_read:
            await node.attend()
            if sitting.returns:
                nursery.start_soon(news.show_to_returned)
            if sitting.clock_s:
                clock = TurnClock(node, front, sitting.clock_s, sitting.clock_ticks)
                nursery.start_soon(clock.watch)
        end = await session.way_out.taken()
        nursery.cancel_scope.cancel()
    return end


class Prompt(Struct, frozen=True):
    """Takes each typed line to whom it concerns."""

    session: Session
    news: SeatNews

    async def read(self) -> None:
        """Do what each line says; after the last one leave where the next is needed, or stay."""
        while (line := await self.session.front.next_line()) is not None:
            await self._do_line(line)
            await self.session.desk.keep_plan()
            self.news.refresh()
            if self.session.way_out.is_taken:
                return
        # a script that only sits down still wants to know whether there was a seat
        await self.session.hold(lambda view: view.sits)
        if not self.session.sitting.stays:
            await self._play_on()
            if not is_over(self.session.node.view()):
                await self.session.way_out.leave()

    async def _play_on(self) -> None:
        """Draw and pass for a script that has ended, until there is something to choose."""
        view = self.session.node.view()
        plays = self.session.sitting.starts_itself or (view.table is not None and view.sits)
        if plays and not self.session.front.asks_back:
            await self.session.moves.wait_for_choice()

    async def _do_line(self, line: str) -> None:
        if line == REDRAW:
            self._show_again()
            return
        word = line.strip().lower()
        is_answer = word in ("", "n", "no") or means_yes(word)
        if is_answer and not self.session.front.saw_question and self._asks():
            self.session.front.say(
                say("You typed that before the question was there: read it first.")
            )
            return
        if await self.session.way_out.answered(word):
            return
        if await self.session.invitation.answered(word):
            return
        if self.session.pause.stands and not word:
            await self.news.go_on()
        elif word:
            await self._do(self._parsed(line))
        else:
            await self._enter()

    def _asks(self) -> bool:
        return self.session.way_out.asks or self.session.invitation.asks

    def _parsed(self, line: str) -> Read | None:
        return parse(line, usable_words(self.news.place()))

    async def _enter(self) -> None:
        """Play what is asked back or planned, if it stood on the screen; else show all again.

        In a script an empty line waits for the turn in which the plan goes on.
        """
        await self.session.hold(lambda view: view.can_move or self.session.desk.plan is None)
        scene = scene_of(self.session.node.view())
        planned = self.session.desk.suggestion(scene)
        if planned is not None and planned.plays and self._was_seen(scene):
            await self._do(self._parsed(planned.text))
        elif self.session.front.asks_back:
            self._show_again()

    def _show_again(self) -> None:
        if self.session.pause.show_again():
            return
        if self.session.node.view().catching_up:
            self.session.front.say(say(CATCHING_UP))
        elif not self.session.desk.show():
            self.session.invitation.show_again()

    def _was_seen(self, scene: Scene | None) -> bool:
        """Whether the plays there are now were on the screen when the line was begun."""
        seen = self.session.front.seen
        return seen is None or (scene is not None and seen == choices(scene))

    async def _do(self, asked: Read | None) -> None:
        self.session.desk.offered = None
        match asked:
            case None:
                pass
            case UsageError(hint, orders):
                barred = why_no_orders(self.session.node.view()) if orders else ""
                self.session.front.say(barred or sentence_of(hint))
            case MoveIntent():
                if not self._is_at_an_end(Until.ROUND_ENDS):
                    await self._move(asked)
            case Ask(until=until):
                if not self._is_at_an_end(until):
                    await asked.do(self.session)
            case _:
                assert_never(asked)

    def _is_at_an_end(self, until: Until) -> bool:
        """Whether it is too late for something, which is said."""
        if until is Until.ROUND_ENDS and self.session.pause.stands:
            self.session.front.say(say(NOT_NOW))
        elif until is not Until.TABLE_ENDS and is_over(self.session.node.view()):
            self.session.next_table.say_over()
        else:
            return False
        return True

    async def _move(self, intent: MoveIntent) -> None:
        await self.session.hold(
            lambda view: makes_sense(intent, view) and not self.session.moves.goes_on
        )
        if self._answers_turn(intent, self.session.node.view()):
            await self.session.moves.wait_for_choice()
        view = self.session.node.view()
        if is_over(view):
            self.session.next_table.say_over()
            return
        scene = self.session.table_begun()
        if scene is None:
            return
        listed = range(1, len(choices(scene)) + 1)
        if isinstance(intent, Choose) and intent.number in listed:
            await self._choose(intent.number, scene)
        else:
            await self._resolve(intent, scene)

    async def _choose(self, number: int, scene: Scene) -> None:
        """Make a move of the printed list, if it was this list that stood on the screen."""
        if self._was_seen(scene):
            await self.session.moves.propose(choices(scene)[number - 1])
        else:
            text = "The list of plays is new since you typed {number}: look."
            self.session.front.say(say(text, number=number))

    async def _resolve(self, intent: MoveIntent, scene: Scene) -> None:
        found = resolve(intent, scene)
        if isinstance(intent, PlayChain) and _is_for_later(found, intent):
            await self._plan(intent, found, scene)
        elif isinstance(found, Ambiguous | Doubtful | NotFound | NotLegal):
            self.session.desk.offered = (
                (self.session.node.view().step, found.move) if isinstance(found, Doubtful) else None
            )
            hint = self.session.moves.remember(found.refusal) if isinstance(found, NotLegal) else ""
            self.session.front.say(f"{explanation(found, scene)}{hint}")
        elif isinstance(found, TileByTile):
            await self.session.moves.propose_each(found.lays)
        else:
            await self.session.moves.propose(found)

    async def _plan(self, intent: PlayChain, found: NotLegal, scene: Scene) -> None:
        """Play of a train what this turn takes, and keep the rest as a plan."""
        plan = self.session.desk.keep(intent, scene)
        if isinstance(plan, NotFound):
            self.session.front.say(plan.hint)
            return
        text, lays = plan_text(scene, plan), lays_now(plan, scene)
        if found.refusal.reason is RefusalReason.ANOTHERS_TURN:
            said = "Not your turn yet. {plan} is your plan: Enter plays it then."
            self.session.front.say(say(said, plan=text))
        elif not lays:
            self.session.front.say(
                say("You cannot play {plan} now; it is kept as your plan.", plan=text)
            )
        else:
            said = (
                "One tile a turn: {tile} is played, and the rest is your plan. Enter plays the "
                "next one; plan none drops it."
            )
            if len(lays) > 1:
                said = (
                    "This turn takes {tiles}; the rest is your plan. Enter plays the next one; "
                    "plan none drops it."
                )
            tiles = [tile_text(lay.tile, lay.joined) for lay in lays]
            self.session.front.say(say(said, tile=tiles[0], tiles=" ".join(tiles)))
            await self.session.moves.propose_each(lays)

    def _answers_turn(self, intent: MoveIntent, view: TableView) -> bool:
        """Whether a script's line is about a turn, which is told before it is answered."""
        lays = isinstance(intent, Play | PlayChain | Choose)
        in_play = view.can_move and not is_over(view)
        return lays and in_play and not (self.session.front.asks_back or self.session.sitting.auto)


def _is_for_later(found: Resolved, chain: PlayChain) -> TypeGuard[NotLegal]:
    """Whether nothing is wrong with these tiles but that they are too many, or too early."""
    waits = isinstance(found, NotLegal) and found.refusal.reason in _LATER
    return waits and not (chain.bullet or chain.back)


def makes_sense(intent: MoveIntent, view: TableView) -> bool:
    """Whether a line of a script has its turn: something to choose, to do, or to call."""
    scene = scene_of(view)
    if isinstance(intent, Play | PlayChain | Choose):
        return scene is not None and bool(choices(scene))
    calling = isinstance(intent, CatchSeat) or intent == Speak(Tap)
    return view.can_move or (calling and scene is not None and bool(calls(scene)))
