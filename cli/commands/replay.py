"""`boneyard replay`: show a recorded game move by move, or print it as notation or as JSON."""

import argparse
import math
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import trio

from cli.exits import CommandFailed, ExitCode
from cli.export.notation import notation_of
from cli.history.film import film_of, told_of
from cli.history.naming import record_meant
from cli.history.viewing import BEGINS, CLOSE, KEYS, Viewing, answered, view_lines
from cli.language import say
from cli.render.board import board_lines, rule_line
from cli.render.sheets import score_lines
from cli.scene import Scene, onlooker_scene
from cli.screens.runs import AtScreen, Screen
from cli.session.frontend import REDRAW, FrontEnd, NoticeShown, ScoresShown
from cli.settings.look import own_canvas, print_drawn
from cli.streams import can_draw, has_terminal
from cli.visible import goes_on, print_line, print_text
from netgame.io.entropy import fresh_octets
from netgame.protocol import notices
from netgame.protocol.ledger.record import Walked, walk

if TYPE_CHECKING:
    from cli.screens.terminal import TerminalFront


def run(options: argparse.Namespace) -> AtScreen | ExitCode:
    """Replay a record, or print it as notation or JSON; return `OK` once it is shown or stopped.

    At a terminal that can draw, returns the replay to be run there. Raises `CommandFailed` if the
    record cannot be read, does not hold, or has nothing to show or write.
    """
    with record_meant(options) as octets:
        if options.notation:
            print_text(notation_of(walk(octets, fresh_octets)))
        elif options.json:
            _print_facts(walk(octets, fresh_octets))
        elif can_draw():
            return _watch(octets)
        else:
            _step_through(walk(octets, fresh_octets))
    return ExitCode.OK


# ---- in place, with keys ----------------------------------------------------------------------


def _watch(octets: bytes) -> AtScreen:
    """Return a replay that shows one frame at a time; keys and words control it.

    Raises `BadRecord` if the record does not hold, and `CommandFailed` if nobody has moved in it.
    """
    print_line(say("Checking the record …"))
    frames = film_of(octets)
    if not frames:
        raise _nobody_moved()

    async def show(front: "TerminalFront") -> ExitCode:
        front.scene_is(None, say("? help  h hands  Space plays  q leaves"))
        view: Viewing | None = Viewing(frames)
        while view is not None:
            front.above.draw(partial(view_lines, view), KEYS, BEGINS)
            view = await _next_view(front, view)
        front.above.draw(None, {})
        return ExitCode.OK

    return AtScreen(Screen.TERMINAL, show)


async def _next_view(front: FrontEnd, view: Viewing) -> Viewing | None:
    """Return the view after the next line or key; None to leave the replay.

    If the replay plays and nothing is typed during its pause, return the view of the next frame.
    """
    with trio.move_on_after(view.pause_s if view.plays else math.inf):
        line = await front.next_line(CLOSE)
        return view if line == REDRAW else answered(view, "q" if line is None else line)
    return view.moved_on()


# ---- line by line, where nothing can be drawn in place -----------------------------------------


def _step_through(steps: Iterator[Walked]) -> None:
    """Show every move as a sentence; at a terminal, with the board, one move per Enter.

    At a terminal, a line that begins with q ends the replay. Raises `CommandFailed` if nobody has
    moved.
    """
    asks, moved = has_terminal(), False
    for step in steps:
        if step.after.table is None:
            continue
        scene = onlooker_scene(step.after.table, step.after.seats)
        for notice in step.notices:
            told = _tell(step.number, scene, notice, draws=asks)
            moved = moved or told
            if told and asks and not goes_on(say("Enter: next move, q and Enter: stop")):
                return
    if not moved:
        raise _nobody_moved()


def _print_facts(steps: Iterator[Walked]) -> None:
    """Print the events as `--json` does at a table, each object with its `step`.

    After a deal comes an object with the table; after a round, one with the scores. Raises
    `CommandFailed` if nobody has moved.
    """
    from cli.screens.json_lines import JsonLines, facts_of, table_facts

    lines, moved = JsonLines(), False
    for step in steps:
        if step.after.table is None:
            continue
        scene = onlooker_scene(step.after.table, step.after.seats)
        for notice in step.notices:
            if (told := told_of(scene, notice)) is None:
                continue
            moved = moved or told[1] is not None
            kind, facts = facts_of(NoticeShown(notice, told[0]))
            lines.emit(kind, {"step": step.number, **facts})
            match notice:
                case notices.Dealt():
                    lines.emit("table", {"step": step.number, "table": table_facts(scene)})
                case notices.RoundOver() | notices.GameOver():
                    kind, facts = facts_of(ScoresShown(scene))
                    lines.emit(kind, {"step": step.number, **facts})
                case _:
                    pass
    if not moved:
        raise _nobody_moved()


def _nobody_moved() -> CommandFailed:
    return CommandFailed(ExitCode.FAILED, say("Nobody has moved yet in this game."))


def _tell(step: int, scene: Scene, notice: notices.Notice, *, draws: bool) -> bool:
    """Show a notice that has a sentence; return True if the replay may pause there.

    It may pause at a move and at the end of a round.
    """
    told = told_of(scene, notice)
    if told is None:
        return False
    text, mover = told
    plays = mover is not None and mover >= 0
    print_line(f"{step:>5}  {text}" if plays else text)
    if mover == -1:
        print_drawn(score_lines(scene, own_canvas()))
    elif plays and draws:
        canvas = own_canvas()
        print_drawn((rule_line(canvas), *board_lines(scene, canvas)))
    return mover is not None
