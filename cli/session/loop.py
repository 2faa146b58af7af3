"""The loop of one seat: it takes notices and typed lines, and makes moves.

The screen shows a move once it is in the log, not when it is typed.

notices -> Session -> tell and draw; make a draw or pass after a pause if it is the only move
lines   -> the open question, or parse -> a move: typed_moves -> Moves -> node
                                       -> anything else: Ask.do
"""

import re
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from functools import partial
from typing import Final, assert_never

from cli.exits import ExitCode, sentence_of
from cli.input.lexer import without_courtesies
from cli.input.readers import UsageError
from cli.input.resolution import MoveIntent
from cli.language import means_yes, say
from cli.scene import names_at
from cli.session.answers import HELD
from cli.session.frontend import LEAVE, REDRAW, FrontEnd
from cli.session.session import Session
from cli.session.sitting import Sitting
from cli.session.stay import NextTableOffer, is_over
from cli.session.tasks import open_tasks
from cli.session.turn_clock import TurnClock
from cli.session.until import Until
from cli.session.verbs.asked_back import read_answer
from cli.session.verbs.complete import usable_words
from cli.session.verbs.orders import why_no_orders
from cli.session.verbs.reading import parse
from cli.session.verbs.typed_moves import make
from cli.session.verbs.verb import Ask, Read
from netgame.io.node.node import Node


async def sit(node: Node, front: FrontEnd, sitting: Sitting) -> ExitCode | NextTableOffer:
    """Play at the table of `node` until it is over or the person leaves; return how it ends.

    The result is an exit code, or an offer of the next table of the same company. Say the farewell
    even if cancelled. If the system asks for the end, leave without a question.
    """
    front.resumable = sitting.resumable
    with ExitStack() as afterwards:
        async with open_tasks() as tasks:
            session = Session(node, front, sitting, tasks)
            # say the farewell last of all, when no task speaks any more
            afterwards.callback(session.way_out.part)
            afterwards.callback(setattr, front.ending, "leave", None)
            front.ending.leave = session.way_out.depart
            if front.ending.is_asked:  # on the way here from another table
                session.way_out.depart()
            if sitting.visit.returns:
                session.desk.recall()
                # our log may already hold everything, so that no notice comes
                tasks.start_soon(_show_lobby, session, session.invitation.show_kept)
                tasks.start_soon(session.advice.look_around)
            if sitting.visit.company:
                tasks.start_soon(_show_lobby, session, session.invitation.show_company)
            for task in (session.hear, session.watch, session.end_of_game.end_with_table):
                tasks.start_soon(task)
            tasks.start_soon(_read_lines, session)
            if session.is_read:
                await node.attend()
                if sitting.visit.returns:
                    tasks.start_soon(session.show_to_returned)
                if sitting.habits.clock_s:
                    clock = TurnClock(
                        node,
                        front,
                        sitting.habits.clock_s,
                        sitting.habits.clock_ticks,
                        session.desk.asks_draw,
                    )
                    tasks.start_soon(clock.watch)
            end = await session.way_out.taken()
            tasks.cancel_scope.cancel()
    return end


async def _show_lobby(session: Session, show: Callable[[], Awaitable[None]]) -> None:
    """Await `show`, then ask whether to sit down, because there may be no notice to prompt that."""
    await show()
    session.invitation.ask()
    session.refresh()


async def _read_lines(session: Session) -> None:
    """Do what each line says, until a way out is taken.

    When the lines end, leave the table, unless the sitting `stays` or the game is over. Before
    that, a script waits for its seat, then draws and passes until there is something to choose.
    """
    while (line := await session.front.next_line()) is not None:
        await session.end_of_game.is_told()
        await _do_line(session, line)
        await session.desk.keep()
        session.refresh()
        if session.way_out.is_taken:
            return
    # a script that only sits down still wants to know whether there was a seat
    await session.hold(lambda view: view.sits)
    if not session.sitting.stays:
        await _play_on(session)
        if not is_over(session.node.view()):
            await session.way_out.leave()


async def _play_on(session: Session) -> None:
    """After a script's last line, let its seat draw and pass until there is something to choose.

    Return at once for a person, for a watcher, and where no game will begin by itself.
    """
    view = session.node.view()
    plays = session.sitting.starts_itself or (view.table is not None and view.sits)
    if plays and not session.front.asks_back:
        await session.moves.wait_for_choice()


_GO_ON: Final = frozenset(
    {"", "next", "next round", "continue", "ready", "go on", "siguiente", "sigue"}
)
"""Lines that take the card of a round away; the empty one is Enter alone."""


_ENTER: Final = re.compile(r"(?:press |hit |pulsa )?(?:enter|return|intro)[.!]?")
_PLAY_IT: Final = re.compile(
    r"(?:(?:ok|okay|yes|vale|sí|si)[,.]? )?(?:play|do|juega) (?:it|that|eso)[.!]?"
)
"""Lines that mean the Enter key, or a yes to the play named last."""


async def _do_line(session: Session, line: str) -> None:
    """Use a line to answer the open question; if it does not, apply it to the card or the table.

    Refuse a yes, a no or Enter that was typed before the question was on the screen, and say so.
    """
    if line == REDRAW:
        session.show_again()
        return
    if line == LEAVE:
        await session.way_out.leave()
        return
    word = line.strip().lower()
    if _ENTER.fullmatch(word) or (_PLAY_IT.fullmatch(word) and not session.desk.asked):
        word = ""
    elif _PLAY_IT.fullmatch(word):
        word = line = say("yes")
    is_answer = word in ("", "n", "no") or means_yes(word)
    if is_answer and not session.front.saw_question and session.on_enter is not None:
        text = "You typed that before the question came: read it first."
        session.answer(text)
    elif await session.answered(word):
        pass
    elif session.pause.stands and " ".join(without_courtesies(word.split())).rstrip(".!") in _GO_ON:
        await session.go_on()
    elif word:
        await _do(session, line)
    else:
        await _enter(session)


async def _enter(session: Session) -> None:
    """Play what the prompt offers for Enter, if the screen showed that; else show everything again.

    On a screen that keeps the board, also say once a turn what can be typed. While a move is held,
    only say that it is. In a script, an empty line waits for this seat's turn if there is a plan;
    it never shows everything again.
    """
    await session.hold(lambda view: view.can_move or session.desk.plan is None)
    scene = session.desk.scene()
    planned = session.desk.suggestion(scene)
    if session.moves.holds:
        session.answer(HELD)
    elif planned is not None and planned.plays and session.was_seen(scene):
        await _do(session, planned.text)
    elif session.front.asks_back:
        session.show_again()
        if scene is not None and session.front.keeps_board:
            session.desk.say_how_to_play(scene)


def _parsed(session: Session, line: str) -> Read | None:
    """Parse a line by the verbs and names at the player's present place; None if it is empty."""
    place = session.place()
    return parse(line, usable_words(place), names_at(place))


async def _do(session: Session, line: str) -> None:
    """Do what a line asks for, unless it is too late for that.

    A move answers no to the question whether to leave; other lines leave it open.
    """
    scene, desk, is_asked = session.desk.scene(), session.desk, session.way_out.asks
    asked = read_answer(line, desk.asked, scene) or _parsed(session, line)
    if scene is None and session.sitting.starts_itself and isinstance(asked, UsageError):
        # a script's line may be meant for the hand that is about to be dealt
        await session.hold(lambda view: bool(view.hand))
        asked = _parsed(session, line)
    desk.offered, desk.asked = None, ()
    match asked:
        case None:
            pass
        case UsageError(hint, orders):
            barred = why_no_orders(session.node.view()) if orders else ""
            session.front.say(barred or sentence_of(hint))
        case MoveIntent():
            session.thinking.cut()
            session.way_out.stay()
            if not session.is_too_late(Until.ROUND_ENDS):
                await make(session, asked)
        case Ask(until=until):
            if not session.is_too_late(until):
                give = partial(asked.do, session)
                await session.last_answer.give(asked.on_change, asked.about, give)
        case _:
            assert_never(asked)
    if is_asked and session.way_out.asks:
        session.way_out.remind()
