"""The loop of one seat: notices in, lines in, moves out. Drawing follows the log, never the key.

notices -> SeatNews -> tell and draw; a draw or pass that is the only move is made after a pause
lines   -> Prompt: parse -> resolve -> Moves -> node
"""

from collections.abc import Callable
from typing import Final, TypeGuard, assert_never

import trio
from msgspec import Struct

from cli.drawn.layout import HandLayout
from cli.exits import ExitCode, sentence_of
from cli.language import means_yes, say
from cli.scene import Scene, calls, choices, scene_of, tile_text
from cli.seat.answers import CATCHING_UP, NOT_BEGUN, Answers, explanation
from cli.seat.commentary import Commentary
from cli.seat.desk import Desk
from cli.seat.frontend import REDRAW, FrontEnd
from cli.seat.hosting import LobbyOrders
from cli.seat.invitation import Invitation
from cli.seat.moves import Moves
from cli.seat.news import SeatNews
from cli.seat.next_table import NextTable
from cli.seat.review import Reviews, is_scored
from cli.seat.round_pause import NOT_NOW, RoundPause, is_of_play
from cli.seat.stay import Onward, Sitting, WayOut, is_over
from cli.seat.turn_clock import TurnClock
from cli.seat.votes import go_on_without
from cli.typed import intent as typed
from cli.typed.complete import usable_words
from cli.typed.grammar import parse
from cli.typed.intent import Topic
from cli.typed.plan import lays_now, plan_text
from cli.typed.readers import Read
from cli.typed.resolution import Ambiguous, Doubtful, NotFound, NotLegal, Resolved, TileByTile
from cli.typed.resolve import resolve
from engine.refusals import RefusalReason
from engine.table.moves import Tap
from netgame.io.node.node import Node
from netgame.io.tables.announce import is_hidden
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.peer.view import TableStage, TableView

_LATER: Final = frozenset({RefusalReason.NO_CHAIN, RefusalReason.ANOTHERS_TURN})
"""Refusals of several tiles that are only too many, or too early."""


async def sit(node: Node, front: FrontEnd, sitting: Sitting) -> ExitCode | Onward:
    """Play at the table of `node` until it is over or the person leaves."""
    front.resumable = sitting.resumable
    async with trio.open_nursery() as nursery:
        way_out = WayOut(node, front, sitting.confirms, sitting.resumable)
        desk = Desk(node, front, HandLayout(sitting.order), sitting.wish)
        if sitting.returns:
            desk.recall_plan()
        answers = Answers(front, node.key, desk)
        moves = Moves(node, front, answers, nursery, desk)
        invitation = Invitation(node, front, sitting, way_out, desk, sitting.looks_first)
        commentary = Commentary(
            front, moves.draws, reminds=not sitting.auto, returns=sitting.returns
        )
        pause = RoundPause(front, reads=front.asks_back and not sitting.auto)
        onward = NextTable(node, front, sitting, way_out, nursery)
        news = SeatNews(
            node, front, sitting, moves, invitation, way_out, commentary, pause, desk, onward
        )
        reviews = Reviews(node, front, nursery)
        orders = LobbyOrders(node, front, sitting, way_out)
        prompt = Prompt(
            node, front, sitting, answers, reviews, moves, invitation, way_out, news, desk, orders
        )
        if sitting.returns:
            nursery.start_soon(invitation.show_kept)  # we may have kept all that there is to hear
        for task in (news.hear, news.watch, news.end_with_table, prompt.read):
            nursery.start_soon(task)
        if front.asks_back and not sitting.auto:
            await node.attend()
            if sitting.returns:
                nursery.start_soon(news.show_to_returned)
            if sitting.clock_s:
                clock = TurnClock(node, front, sitting.clock_s, sitting.clock_ticks)
                nursery.start_soon(clock.watch)
        end = await way_out.taken()
        nursery.cancel_scope.cancel()
    return end


class Prompt(Struct, frozen=True):
    """Takes each typed line to whom it concerns."""

    node: Node
    front: FrontEnd
    sitting: Sitting
    answers: Answers
    reviews: Reviews
    moves: Moves
    invitation: Invitation
    way_out: WayOut
    news: SeatNews
    desk: Desk
    orders: LobbyOrders

    async def read(self) -> None:
        """Do what each line says; after the last one leave where the next is needed, or stay."""
        while (line := await self.front.next_line()) is not None:
            await self._do_line(line)
            await self.desk.keep_plan()
            self.news.refresh()
            if self.way_out.is_taken:
                return
        # a script that only sits down still wants to know whether there was a seat
        await self._hold(lambda view: view.sits)
        if not self.sitting.stays:
            await self._play_on()
            if not is_over(self.node.view()):
                await self.way_out.leave()

    async def _play_on(self) -> None:
        """Draw and pass for a script that has ended, until there is something to choose."""
        view = self.node.view()
        plays = self.sitting.starts_itself or (view.table is not None and view.sits)
        if plays and not self.front.asks_back:
            await self.moves.wait_for_choice()

    async def _do_line(self, line: str) -> None:
        if line == REDRAW:
            self._show_again()
            return
        word = line.strip().lower()
        is_answer = word in ("", "n", "no") or means_yes(word)
        if is_answer and not self.front.saw_question and self._asks():
            self.front.say(say("You typed that before the question was there: read it first."))
            return
        asked = self.way_out.open_question()
        if asked is not None and await self.way_out.answered(asked, word):
            return
        if await self.invitation.answered(word):
            return
        if self.news.pause.stands and not word:
            await self.news.go_on()
        elif word:
            await self._do(self._parsed(line), again=asked is not None)
        else:
            await self._enter()

    def _asks(self) -> bool:
        return self.way_out.asks or self.invitation.asks

    def _parsed(self, line: str) -> Read | None:
        return parse(line, usable_words(self.news.place()))

    async def _enter(self) -> None:
        """Play what is asked back or planned, if it stood on the screen; else show all again.

        In a script an empty line waits for the turn in which the plan goes on.
        """
        await self._hold(lambda view: view.can_move or self.desk.plan is None)
        scene = scene_of(self.node.view())
        planned = self.desk.suggestion(scene)
        if planned is not None and planned.plays and self._was_seen(scene):
            await self._do(self._parsed(planned.text), again=False)
        elif self.front.asks_back:
            self._show_again()

    def _show_again(self) -> None:
        if self.news.pause.show_again():
            return
        if self.node.view().catching_up:
            self.front.say(say(CATCHING_UP))
        elif not self.desk.show():
            self.invitation.show_again()

    def _was_seen(self, scene: Scene | None) -> bool:
        """Whether the plays there are now were on the screen when the line was begun."""
        seen = self.front.seen
        return seen is None or (scene is not None and seen == choices(scene))

    async def _do(self, intent: Read | None, *, again: bool) -> None:
        self.desk.offered = None
        if isinstance(intent, typed.UsageError):
            barred = self.orders.why_not() if intent.orders else ""
            self.front.say(barred or sentence_of(intent.hint))
        elif isinstance(intent, typed.Quit):
            await self._quit(intent, again=again)
        elif isinstance(intent, typed.Request):
            await self._ask(intent)
        elif intent is not None and is_of_play(intent) and self._is_at_an_end():
            pass
        elif isinstance(intent, typed.Show | typed.Why):
            await self._answer(intent)
        elif isinstance(intent, typed.DeskIntent):
            await self._arrange(intent)
        elif intent is not None:
            await self._move(intent)

    async def _quit(self, intent: typed.Quit, *, again: bool) -> None:
        """Leave; a script not before the move that it has typed last is made."""
        if not self.front.asks_back:
            await self.moves.settle()
        await self.way_out.quit(intent, again=again)

    def _is_at_an_end(self) -> bool:
        """Whether nobody plays now, which is said: at the card of a round, or after the game."""
        if self.news.pause.stands:
            self.front.say(say(NOT_NOW))
        elif is_over(self.node.view()):
            self.news.next_table.say_over()
        else:
            return False
        return True

    async def _answer(self, question: typed.Show | typed.Why) -> None:
        if isinstance(question, typed.Show) and self.news.pause.answered(question):
            return
        if question == typed.Show(Topic.HINT):
            await self._hold(lambda view: view.can_move or self.sitting.watches)
            await self.answers.hint(self.node.view())
            return
        if isinstance(question, typed.Show) and question.topic is Topic.REVIEW:
            await self._hold(lambda view: view.can_move or is_scored(view, question.named))
            await self.reviews.show(question.named)
            return
        if isinstance(question, typed.Why) or question.topic.is_of_table:
            watches = self.sitting.watches
            await self._hold(
                lambda view: bool(view.hand or (watches and view.table)) and not view.catching_up
            )
        if question == typed.Show(Topic.ODDS):
            await self.answers.odds(self.node.view())
            return
        self.answers.answer(question, self.node.view())
        is_for_others = not is_hidden(self.node.addresses_of(self.node.key))
        if question == typed.Show(Topic.WHO) and is_for_others and (code := self.node.door.code):
            self.front.say(say("The join code is {code}.", code=code))

    async def _arrange(self, intent: typed.DeskIntent) -> None:
        await self._hold(lambda view: bool(view.hand))
        scene = scene_of(self.node.view())
        if scene is None:
            self.front.say(say(NOT_BEGUN))
            return
        before = self.desk.layout
        self.desk.do(intent, scene)
        if self.desk.layout is not before:
            self.answers.show_hand(scene)

    async def _ask(self, request: typed.Request) -> None:  # noqa: C901 - one branch each
        over = is_over(self.node.view())
        match request:
            case typed.ChangePlace() | typed.Start() | typed.GoOnWithout() if over:
                self.news.next_table.say_over()
            case typed.ChangePlace(sits):
                await self._change_place(self.node.view(), sits=sits)
            case typed.Start(first):
                await self.orders.start(first)
            case typed.GoOnWithout(names):
                await go_on_without(self.node, self.front, names)
            case typed.Kick() | typed.Allow() | typed.SeatBots() | typed.ChangeTable():
                await self.orders.carry_out(request)
            case typed.Rename(name):
                await self.orders.rename(name)
            case typed.Again():
                await self.news.next_table.again()
            case typed.SayText(text):
                await self.node.chat(text)
            case typed.TakeRisk():
                await self._take_risk()
            case _:
                assert_never(request)

    async def _take_risk(self) -> None:
        """Sign again, if nobody could say what this seat, or a bot's of ours, has signed."""
        text = "There is nothing to risk: your seat knows what it has signed."
        if await self.node.take_risk():
            text = "Your seat signs again."
        self.front.say(say(text))

    async def _change_place(self, view: TableView, *, sits: bool) -> None:
        """Ask for a seat at the next round, or take that back."""
        self.invitation.undecided = False
        if view.sits:
            text = "You have a seat here; type leave to give it up."
            if view.is_host and view.stage is TableStage.LOBBY:
                text = "You have a seat here; type leave to close your table."
            self.front.say(say(text))
        elif view.is_host and view.seat is None:
            self.front.say(say("You opened this table without a seat, so you only watch."))
        elif sits:
            await self.node.take_seat()
            if view.table is not None and self.node.view().own is OwnPlace.ASKED:
                self.front.say(say("You have asked for a seat at the next round."))
        else:
            await self.node.look_on()
            self.front.say(say("You only watch now, and no longer wait for a seat."))

    async def _move(self, intent: typed.MoveIntent) -> None:
        await self._hold(lambda view: makes_sense(intent, view) and not self.moves.goes_on)
        if self._answers_turn(intent, self.node.view()):
            await self.moves.wait_for_choice()
        view = self.node.view()
        if is_over(view):
            self.news.next_table.say_over()
            return
        scene = scene_of(view)
        if scene is None:
            self.front.say(say(NOT_BEGUN))
            return
        listed = range(1, len(choices(scene)) + 1)
        if isinstance(intent, typed.Choose) and intent.number in listed:
            await self._choose(intent.number, scene)
        else:
            await self._resolve(intent, scene)

    async def _choose(self, number: int, scene: Scene) -> None:
        """Make a move of the printed list, if it was this list that stood on the screen."""
        if self._was_seen(scene):
            await self.moves.propose(choices(scene)[number - 1])
        else:
            text = "The list of plays is new since you typed {number}: look."
            self.front.say(say(text, number=number))

    async def _resolve(self, intent: typed.MoveIntent, scene: Scene) -> None:
        found = resolve(intent, scene)
        if isinstance(intent, typed.PlayChain) and _is_for_later(found, intent):
            await self._plan(intent, found, scene)
        elif isinstance(found, Ambiguous | Doubtful | NotFound | NotLegal):
            self.desk.offered = (
                (self.node.view().step, found.move) if isinstance(found, Doubtful) else None
            )
            hint = self.answers.remember(found.refusal) if isinstance(found, NotLegal) else ""
            self.front.say(f"{explanation(found, scene)}{hint}")
        elif isinstance(found, TileByTile):
            await self.moves.propose_each(found.lays)
        else:
            await self.moves.propose(found)

    async def _plan(self, intent: typed.PlayChain, found: NotLegal, scene: Scene) -> None:
        """Play of a train what this turn takes, and keep the rest as a plan."""
        plan = self.desk.keep(intent, scene)
        if isinstance(plan, NotFound):
            self.front.say(plan.hint)
            return
        text, lays = plan_text(scene, plan), lays_now(plan, scene)
        if found.refusal.reason is RefusalReason.ANOTHERS_TURN:
            said = "Not your turn yet. {plan} is your plan: Enter plays it then."
            self.front.say(say(said, plan=text))
        elif not lays:
            self.front.say(say("You cannot play {plan} now; it is kept as your plan.", plan=text))
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
            self.front.say(say(said, tile=tiles[0], tiles=" ".join(tiles)))
            await self.moves.propose_each(lays)

    def _answers_turn(self, intent: typed.MoveIntent, view: TableView) -> bool:
        """Whether a script's line is about a turn, which is told before it is answered."""
        lays = isinstance(intent, typed.Play | typed.PlayChain | typed.Choose)
        in_play = view.can_move and not is_over(view)
        return lays and in_play and not (self.front.asks_back or self.sitting.auto)

    # ---- lines of a script --------------------------------------------------------------------

    async def _hold(self, ready: Callable[[TableView], bool]) -> None:
        """Hold a script's line until it makes sense, so that scripts need no timing.

        Lines of a person are never held, nor those of a host whose `start` may be in the next.
        """
        while not self.front.asks_back:
            changed = self.node.when_changed()
            view = self.node.view()
            begins_by_itself = self.sitting.starts_itself or not view.is_host
            waits_for_start = view.stage is TableStage.LOBBY and not begins_by_itself
            if ready(view) or waits_for_start or is_over(view):
                return
            await changed.wait()


def _is_for_later(found: Resolved, chain: typed.PlayChain) -> TypeGuard[NotLegal]:
    """Whether nothing is wrong with these tiles but that they are too many, or too early."""
    waits = isinstance(found, NotLegal) and found.refusal.reason in _LATER
    return waits and not (chain.bullet or chain.back)


def makes_sense(intent: typed.MoveIntent, view: TableView) -> bool:
    """Whether a line of a script has its turn: something to choose, to do, or to call."""
    scene = scene_of(view)
    if isinstance(intent, typed.Play | typed.PlayChain | typed.Choose):
        return scene is not None and bool(choices(scene))
    calling = isinstance(intent, typed.CatchSeat) or intent == typed.Speak(Tap)
    return view.can_move or (calling and scene is not None and bool(calls(scene)))
