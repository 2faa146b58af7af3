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
"""Takes a command of this program that is to be run once this one has ended; None where a shell
does that."""
_UV: Final = "UV_RUN_RECURSION_DEPTH"
"""A variable that `uv run` sets for the programs that it starts."""


def typed_in_shell(*words: str) -> str:
    """Return a command of this program as it is typed where this run of it was started.

    The words stay as they are: whatever a shell would take for more than one is quoted before.
    """
    return " ".join((called_by(os.environ, sys.argv[0]), *words))


def installed_version() -> str:
    """Return the version of the installed program; empty where none is."""
    from importlib.metadata import PackageNotFoundError, version  # late, as it takes long

    try:
        return version(PROGRAM)
    except PackageNotFoundError:
        return ""


def called_by(environment: Mapping[str, str], script: str) -> str:
    """Return the words that call the program: its name, `uv run` and that, or a path.

    `script` is what was run, as the system tells it: a path also where a name was typed, so the
    path is only told if the name does not lead there.
    """
    if environment.get(_UV):
        return f"uv run {PROGRAM}"
    if Path(script).stem != PROGRAM:  # a test, or `python -m`
        return PROGRAM
    found = shutil.which(PROGRAM, path=environment.get("PATH"))
    is_same = found is not None and os.path.realpath(found) == os.path.realpath(script)
    return PROGRAM if is_same else quote(script)
