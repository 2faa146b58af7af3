"""Asking a person for a table's join code, and reading it from the command line."""

import argparse

from cli.exits import CommandFailed, ExitCode
from cli.said.failures import sentence_of
from cli.seat.frontend import FrontEnd
from netgame.errors import Malformed
from netgame.io.door.codes import looks_like_code, parse_code


def code_of(options: argparse.Namespace) -> str:
    """Return the code given as `--code` or in place of a table, or ""; `CommandFailed` if bad."""
    table = options.table or ""
    given = options.code or (table if looks_like_code(table) else "")
    try:
        return str(parse_code(given)) if given else ""
    except Malformed as problem:
        raise CommandFailed(ExitCode.USAGE, sentence_of(str(problem))) from None


async def ask_code(front: FrontEnd, number: int, trouble: str) -> str | None:
    """Ask the person at `front` for a code that begins with `number`; None if nobody answers."""
    if not front.asks_back:
        return None
    if trouble:
        front.say(sentence_of(trouble))
    which = f" It begins with {number}-." if number else ""
    front.say(f"This table asks newcomers for its join code. Its host sees the code.{which}")
    while (line := await front.next_line()) is not None:
        try:
            return str(parse_code(line))
        except Malformed as problem:
            front.say(f"{sentence_of(str(problem))} Type it, or leave with Ctrl-C.")
    return None
