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
DISTRIBUTION: Final = "boneyard-dominoes"
"""The package that installs the program, under the package's name as well as `boneyard`."""
RUN_NEXT: Final[ContextVar[Callable[[Sequence[str]], None] | None]] = ContextVar(
    "run next", default=None
)
"""Takes a command of this program to run after the present one; None if a shell must run it."""
_UV_RUN: Final = "UV_RUN_RECURSION_DEPTH"
"""A variable that `uv run` sets for the programs that it starts."""
_UVX: Final = "UV"
"""A variable that `uv run` and `uvx` both set; after `uvx`, no program of that name remains."""


def typed_in_shell(*words: str) -> str:
    """Return a command of this program as typed in the shell that started it.

    The words are not changed: the caller quotes what a shell would split.
    """
    return " ".join((called_by(os.environ, sys.argv[0]), *words))


def is_by_uv_run() -> bool:
    """Return True if `uv run` started this program, as it is run in a clone of the repository."""
    return bool(os.environ.get(_UV_RUN))


def installed_version() -> str:
    """Return the version of the installed program; empty if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # late, because it is slow

    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return ""


def called_by(environment: Mapping[str, str], script: str) -> str:
    """Return what to type to call the program: its name, `uv run` or `uvx` and a name, or a path.

    `script` is the path of the program, which the system reports even where a name was typed. The
    path is returned only where the program's name does not lead to it.
    """
    if environment.get(_UV_RUN):
        return f"uv run {PROGRAM}"
    if environment.get(_UVX):
        return f"uvx {DISTRIBUTION}"
    name = Path(script).stem
    if name not in (PROGRAM, DISTRIBUTION):  # a test, or `python -m`
        return PROGRAM
    found = shutil.which(name, path=environment.get("PATH"))
    is_same = found is not None and os.path.realpath(found) == os.path.realpath(script)
    return name if is_same else quote(script)
