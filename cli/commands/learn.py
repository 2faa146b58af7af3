"""`boneyard learn`: five minutes at a table of bots, with a coach."""

import argparse
from functools import partial
from typing import Final, cast

import trio
from msgspec.structs import replace

from cli.arguments.parser import read_arguments
from cli.exits import ExitCode
from cli.joining.person import at_screen, host_options, own_name
from cli.language import say
from cli.learn.coach import Coach
from cli.learn.lesson_table import LEARNER, LessonTable, names_read
from cli.learn.lessons import FIRST, SECOND
from cli.program import typed_in_shell
from cli.screens.runs import AtScreen
from cli.session.frontend import FrontEnd
from cli.session.loop import sit
from cli.session.sitting import Habits, Sitting
from cli.session.verbs.leaving import LEAVING
from netgame.io.disk.memory import IN_MEMORY, in_memory
from netgame.io.node.node import Node
from netgame.io.tables.host import host_table

_GAME: Final = ("play", "--set=9", "--rounds=1")
PACE_S: Final = 1.5
"""The least time that a bot takes for a move, in seconds: a beginner needs time to look."""

COURSES: Final = {
    "1": (FIRST, ("--bots=easy,easy", "--seed=24")),
    "2": (SECOND, ("--bots=casual,casual", "--seed=2")),
}
"""For each number, a course and the arguments of a game in which each of its lessons comes up."""


def run(options: argparse.Namespace) -> AtScreen:
    """Return a lesson, to be run at any screen."""
    return at_screen(options, lambda front: learn(front, options.name, options.lesson))


async def learn(front: FrontEnd, name: str | None = None, lesson: str = "1") -> ExitCode:
    """Play one round with a coach; nothing played here is saved.

    Returns `OK` once the round is over or the player has left, and `MOVE_REFUSED` if the rules
    refused a move that the program chose. `lesson` is one of `COURSES`; if `name` is None, the
    usual name is used.
    """
    course, table_words = COURSES[lesson]
    text = (
        "Welcome! You play one round against two bots, and get rid of your tiles by adding them "
        "to trains, like ends together. Type quit whenever you have had enough."
    )
    if course is SECOND:
        text = (
            "This round teaches doubles that are owed, open trains, and counting the tiles "
            "still out. Type quit whenever you have had enough."
        )
    front.say(say(text))
    front.resumable = False
    if front.asks_back:
        front.scene_is(None, say("press Enter"))
        front.say(say("Press Enter to begin."))
        if (await front.next_line(LEAVING[0]) or "").strip().lower() in LEAVING:
            return ExitCode.OK
    with in_memory():
        named = [f"--name={name}"] if name else []
        options = read_arguments([*_GAME, *table_words, f"--data={IN_MEMORY}", *named])
        table = replace(host_options(options), name=LEARNER)
        with trio.CancelScope() as scope:
            coach, refused = Coach(front, scope, course), False
            if front.asks_back:
                pause_s = max(PACE_S, table.pause_s)
                may_move = partial(coach.reading.move_on, pause_s)
                table = replace(table, pause_s=pause_s, may_move=may_move)
            async with host_table(table) as node:
                # the lesson does not mention its seed, and gives hints as any game does
                own = own_name(options)
                sitting = Sitting(
                    replace(table, seed=None, name=own),
                    Habits(asks_draw=True),
                    teacher=coach,
                    has_read=coach.reading.done,
                    offers_trains=course is not FIRST,
                )
                read = cast("Node", LessonTable(node, names_read(own)))
                end = await sit(read, cast("FrontEnd", coach), sitting)
                refused = end is ExitCode.MOVE_REFUSED
    _say_goodbye(front, coach)
    return ExitCode.MOVE_REFUSED if refused else ExitCode.OK


def _say_goodbye(front: FrontEnd, coach: Coach) -> None:
    """Tell the player what to try next."""
    if coach.course is FIRST:
        text = "There is a second lesson: {command}"
        front.say(say(text, command=typed_in_shell("learn", "2")))
    text = "Play a whole game with: {command}. Ask hint, why or help at any turn."
    front.say(say(text, command=typed_in_shell("play")))
