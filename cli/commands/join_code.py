"""Asking a person for a table's join code, and reading it from the command line."""

from __future__ import annotations

import argparse
from collections.abc import Awaitable, Callable

from cli.exits import CommandFailed, ExitCode
from cli.said.failures import sentence_of
from cli.seat.frontend import FrontEnd
from netgame.errors import Malformed
from netgame.io.codes import looks_like_code, parse_code


def code_of(options: argparse.Namespace) -> str:
    """Return the code given as `--code` or in place of a table, or ""; `CommandFailed` if bad."""
    table = options.table or ""
    given = options.code or (table if looks_like_code(table) else "")
    if not given:
        return ""
    try:
        return str(parse_code(given))
    except Malformed as problem:
        raise CommandFailed(ExitCode.USAGE, sentence_of(str(problem))) from None


def asker(front: FrontEnd) -> Callable[[int, str], Awaitable[str | None]]:
    """Return what asks the person at `front`; where nobody answers questions it gives None."""

    async def ask(number: int, trouble: str) -> str | None:
        if not front.asks_back:
            return None
        if trouble:
            front.say(sentence_of(trouble))
        which = f" It begins with {number}-." if number else ""
        front.say(f"This table asks newcomers for its join code; its host sees it.{which}")
        while (line := await front.next_line()) is not None:
            try:
                return str(parse_code(line))
            except Malformed as problem:
                front.say(f"{sentence_of(str(problem))} Type it, or leave with Ctrl-C.")
        return None

    return ask
