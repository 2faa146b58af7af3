"""The words by which this program was called, for sentences that say what to type in a shell."""

import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from shlex import quote
from typing import Final

PROGRAM: Final = "boneyard"
RUN_NEXT: Final[ContextVar[Callable[[Sequence[str]], None] | None]] = ContextVar(
    "run next", default=None
)
"""Takes a command of this program to run once this one has ended; None if a shell runs it."""
_UV: Final = "UV_RUN_RECURSION_DEPTH"
"""A variable that `uv run` sets for the programs that it starts."""


def typed_in_shell(*words: str) -> str:
    """Return a command of this program as typed in the shell that started it.

    The words are not changed: the caller quotes what a shell would split.
    """
    return " ".join((called_by(os.environ, sys.argv[0]), *words))


def installed_version() -> str:
    """Return the version of the installed program; empty if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # late, because it is slow

    try:
        return version(PROGRAM)
    except PackageNotFoundError:
        return ""


def called_by(environment: Mapping[str, str], script: str) -> str:
    """Return the words that call the program: its name, `uv run` and its name, or a path.

    `script` is the file that was run, as the system gives it. That is a path even if a name was
    typed, so the path is returned only if the name does not lead there.
    """
    if environment.get(_UV):
        return f"uv run {PROGRAM}"
    if Path(script).stem != PROGRAM:  # a test, or `python -m`
        return PROGRAM
    found = shutil.which(PROGRAM, path=environment.get("PATH"))
    is_same = found is not None and os.path.realpath(found) == os.path.realpath(script)
    return PROGRAM if is_same else quote(script)
