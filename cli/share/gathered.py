"""Wheels for other kinds of computers, fetched by pip while there is internet, and kept.

Only libraries with compiled code differ from one kind to the next; all others are rebuilt from the
install (`installed`). Fetched wheels have the same versions as those installed here.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from cli.exits import CommandFailed, ExitCode
from cli.language import say
from cli.share.installed import Wheel, normalized


class OtherComputer(NamedTuple):
    """A kind of computer, with the names that pip has for it."""

    name: str
    platforms: tuple[str, ...]


KINDS: Final = (
    OtherComputer("Windows", ("win_amd64",)),
    OtherComputer("macOS on Apple silicon", ("macosx_11_0_arm64", "macosx_14_0_arm64")),
    OtherComputer(
        "Linux on x86-64",
        ("manylinux2014_x86_64", "manylinux_2_28_x86_64", "manylinux_2_34_x86_64"),
    ),
    OtherComputer(
        "Linux on ARM",
        ("manylinux2014_aarch64", "manylinux_2_28_aarch64", "manylinux_2_34_aarch64"),
    ),
)
"""The kinds of computer for which every library has a wheel. Others can use a browser."""

PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
FOLDER: Final = "share"
_WHEEL: Final = re.compile(r"([\w.]+)-([\w.+!]+)-[\w.]+-[\w.]+-[\w.]+\.whl")
_LIMIT_S: Final = 300.0


def pip_words() -> Sequence[str]:
    """Return the command that runs pip here; raises `CommandFailed` if there is none."""
    if find_spec("pip") is not None:
        return (sys.executable, "-m", "pip")
    if (uv := shutil.which("uv")) is not None:
        return (uv, "tool", "run", "pip")
    text = "That takes pip or uv, and neither is here. Install one of them: pipx install uv"
    raise CommandFailed(ExitCode.FAILED, say(text))


def gather(wheels: Sequence[Wheel], folder: Path) -> Iterator[tuple[str, str, str]]:
    """Fetch those of the `wheels` with compiled code into `folder`, for all `KINDS` and `PYTHONS`.

    Yields for each kind and Python the name of the kind, the version of Python, and the reason why
    a wheel is missing, or "" if none is. Raises `CommandFailed` if there is no pip.
    """
    pinned = [f"{each.project}=={each.version}" for each in wheels if not each.is_for_all]
    command = (*pip_words(), "download", "--quiet", "--disable-pip-version-check", "--no-deps")
    for kind in KINDS:
        for python in PYTHONS:
            abi = "cp" + python.replace(".", "")
            of_kind = [f"--platform={each}" for each in kind.platforms]
            of_python = (f"--python-version={python}", "--implementation=cp", f"--abi={abi}")
            words = (
                *(*command, "--only-binary=:all:", *of_kind, *of_python, "--abi=abi3"),
                *("--dest", str(folder), *pinned),
            )
            try:
                done = subprocess.run(
                    words, capture_output=True, text=True, timeout=_LIMIT_S, check=False
                )
            except subprocess.TimeoutExpired:
                text = say("pip took longer than {seconds:.0f} s", seconds=_LIMIT_S)
                yield kind.name, python, text
                continue
            lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
            yield kind.name, python, (lines or ["?"])[-1] if done.returncode else ""


def kept_wheels(wheels: Sequence[Wheel], folder: Path) -> Iterator[Wheel]:
    """Yield the wheels in `folder` that are for the same projects and versions as `wheels`.

    A file that is already among the `wheels` is left out.
    """
    versions = {each.project: each.version for each in wheels}
    files = {each.file for each in wheels}
    for name in sorted(os.listdir(folder)) if folder.is_dir() else ():
        told = _WHEEL.fullmatch(name)
        if told is None or name in files:
            continue
        project = normalized(told[1])
        if versions.get(project) == told[2]:
            yield Wheel(project, told[2], name, (folder / name).read_bytes())
