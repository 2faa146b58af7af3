"""Run commands as people who have not read the manual type them, and record what they print.

`uv run python -m tests.cli.invocations` rewrites the golden file `tests/cli/golden/commands.md`.
"""

import os
import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from contextlib import chdir
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple
from unittest.mock import patch

import pexpect

from netgame.io.tables.notes import Ended, TableNotes, replace_notes
from netgame.io.tables.options import ReachedBy
from tests.cli.pseudoterminals import WAIT_S, Forked
from tests.cli.running import boneyard_here, environment, piped
from tests.tree import ROOT, VECTORS

PAGE: Final = ROOT / "tests" / "cli" / "golden" / "commands.md"

_LINES_SHOWN: Final = 8
_CELLS_SHOWN: Final = 140
_SINCE: Final = 1_800_000_000
"""A time in seconds, one hour before the record of the first game was written."""

_HEAD: Final = """\
# What commands print

What is typed, what it prints and its *exit* code where that is not 0: `!` before what goes to
standard error, `␛` for an escape code, `…` for what is left out. There are three games: one that is
over, one with others who wait, and one against bots. `uv run python -m tests.cli.invocations`
writes this file anew; a test compares.
"""

CHAPTERS: Final = {
    "Help": (
        "boneyard help",
        "boneyard help games",
        "boneyard help plya",
        "boneyard -V",
        "PAGER='sed s/^/read:/' boneyard help solve  # at a terminal of 10 rows",
        "PAGER='' boneyard help solve  # at a terminal of 10 rows",
        "boneyard completion bash",
    ),
    "Words that there are not": (
        "boneyard frobnicate",
        "boneyard plya",
        "BONEYARD_LANGUAGE=es boneyard plya",
        "UV_RUN_RECURSION_DEPTH=1 boneyard plya",
        "boneyard --plain",
        "boneyard play --ruls walnut",
        "boneyard learn 5",
        "boneyard demo shufle",
        "boneyard completion tcsh",
        "boneyard solve 12-3 --by pip",
        "boneyard resume 2 3",
        "boneyard rules wlanut",
        "boneyard verify",
        "boneyard verify missing",
        "boneyard judge data/tables",
        "boneyard rules missing.toml",
    ),
    "Settings": (
        "boneyard config get bell",
        "BONEYARD_BELL=off boneyard config get bell",
        "boneyard config get name",
        "boneyard config get bel",
        "boneyard config gte bell",
        "boneyard config set bell loud",
    ),
    "Nothing to list": (
        "BONEYARD_DATA=empty boneyard games",
        "BONEYARD_DATA=empty UV_RUN_RECURSION_DEPTH=1 boneyard games",
        "BONEYARD_DATA=empty boneyard games --json",
        "BONEYARD_DATA=empty boneyard stats",
        "BONEYARD_DATA=empty boneyard standings",
        "boneyard tables",
        "boneyard tables --json",
        "BONEYARD_DATA=empty boneyard sheet last",
        "BONEYARD_DATA=empty boneyard resume --plain",
    ),
    "Games": (
        "boneyard games",
        "boneyard games --copy 1 for-ben.record",
        "boneyard games --copy 1 for-ben.record",
        "boneyard verify for-ben.record",
        "boneyard games --copy 9 other.record",
        "boneyard games --copy 1 - --json",
        "boneyard games --copy 1 -  # at a terminal of 10 rows",
        "boneyard games --forget 2",
        "boneyard games --forget practice",
        "boneyard games --forget practice --force",
        "boneyard games --force",
        "boneyard games",
        "boneyard sheet 1 --json",
        "boneyard replay 1 --json",
        "boneyard games --forget 1 --force --json",
    ),
    "For programs and pipes": (
        "boneyard rules blanks --json",
        "FORCE_COLOR=1 boneyard rules",
        "CLICOLOR_FORCE=1 boneyard rules walnut",
        "FORCE_COLOR=1 NO_COLOR=1 boneyard rules walnut",
        "boneyard rules | head -1",
        "boneyard play --plain --auto --set 6 --seed 7 --bots 1 | head -1",
    ),
}


RECORDS: Final = ("two-seats.bin", "cut-in-drawn.bin", "cut-in-score.bin")
"""The records of the three games: a finished one, one with others, one for practice."""


class _Told(NamedTuple):
    """A command's standard output, its complaint and its exit code."""

    out: str
    complaint: str
    code: int


def page() -> str:
    """Run every line of `CHAPTERS`, and return the text of the golden file."""
    with (
        TemporaryDirectory() as folder,
        chdir(folder),
        patch("cli.commands.tables.find_tables", _nothing_found),
    ):
        _keep_games(Path("data"))
        chapters = {title: "\n".join(map(_block, lines)) for title, lines in CHAPTERS.items()}
    told = (f"## {title}\n\n```text\n{blocks}```\n" for title, blocks in chapters.items())
    return "\n".join([_HEAD, *told])


async def _nothing_found(*_how: object, **_more: object) -> tuple[()]:
    return ()


def _keep_games(data: Path) -> None:
    """Write the three games into this data folder, each with its notes and a fixed time."""
    for number, name in enumerate(RECORDS, 1):
        folder = data / "tables" / f"{number}".zfill(32)
        folder.mkdir(parents=True)
        shutil.copy(VECTORS / "logs" / name, folder / "record")
        ended: Ended = "over" if number == 1 else ""
        notes = TableNotes(
            number=number,
            begun=True,
            ended=ended,
            reach=ReachedBy.COMPUTER if number == 3 else ReachedBy.NETWORK,
        )
        replace_notes(folder, notes)
        os.utime(folder / "record", (_SINCE + number * 3_600,) * 2)


def _block(line: str) -> str:
    """Run one line, and return it with its output and exit code, as they appear on the page."""
    command, _, remark = line.partition("  # ")
    command, _, pipe = command.partition(" | ")
    words = shlex.split(command)
    variables = dict(word.split("=", 1) for word in takewhile(lambda each: "=" in each, words))
    words = words[len(variables) + 1 :]
    if remark:
        told = _at_terminal(words, variables)
    elif pipe:
        told = _one_line(words, variables)
    else:
        done = boneyard_here(*words, **{"BONEYARD_DATA": "data", "TZ": "UTC", **variables})
        told = _Told(done.stdout, done.stderr, done.returncode)
    shown = [*_shown(told.out, ""), *_shown(told.complaint, "! ")]
    end = [f"*exit {told.code}*"] if told.code else []
    return "".join(f"{each}\n" for each in (f"$ {line}", *shown, *end))


def _at_terminal(words: Sequence[str], variables: dict[str, str]) -> _Told:
    """Run the program at a terminal of ten rows, and return its output and exit code."""
    place = {"BONEYARD_DATA": str(Path("data").absolute()), **variables}
    process = Forked(words, environment(TERM="xterm", **place), 10, 80)
    process.expect(pexpect.EOF)
    code = process.program.wait(WAIT_S)
    assert code is not None
    return _Told(process.before.decode().replace("\r\n", "\n"), "", code)


def _one_line(words: Sequence[str], variables: dict[str, str]) -> _Told:
    """Run the program, and close its output after the first line, as `head -1` does.

    Return that line, the complaint and the exit code.
    """
    place = {"BONEYARD_DATA": str(Path("elsewhere").absolute()), **variables}
    with piped(words, environment(**place)) as (program, typed, told, complained):
        typed.close()
        first = told.readline()
        told.close()
        code = program.wait(WAIT_S)
        assert code is not None
        return _Told(first, complained.read(), code)


def _shown(text: str, sign: str) -> Iterator[str]:
    """Yield the first lines of a text, each with `sign` before it and cut to a limit.

    If lines are left out, a last line says how many. Version numbers and escape codes are replaced.
    """
    version = r'(?<=^boneyard )\d[\d.]*$|(?<="version": ")\d[\d.]*(?=")'
    lines = re.sub(version, "X.Y.Z", text, flags=re.M).splitlines()
    for line in lines[:_LINES_SHOWN]:
        whole = f"{sign}{line}".replace("\x1b", "␛").rstrip()
        yield whole if len(whole) <= _CELLS_SHOWN else f"{whole[:_CELLS_SHOWN]}…"
    if len(lines) > _LINES_SHOWN:
        yield f"… {len(lines) - _LINES_SHOWN} more lines"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
