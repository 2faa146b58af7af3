"""The facts that `doctor` looks up on this computer, without judging them."""

import os
import platform
import re
import shutil
import stat
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from msgspec import Struct

from cli.language import say, translated
from cli.program import DISTRIBUTION
from cli.render.palette import ASCII_GLYPHS
from cli.settings.look import own_glyphs, own_palette
from cli.streams import has_terminal, standard_output, window
from netgame.errors import DiskTrouble
from netgame.io.abilities import ABILITIES
from netgame.io.clock import local_now
from netgame.io.discovery.survey import NetworkFacts
from netgame.io.disk.storage import check_writable, create_folder


class DataFacts(Struct, frozen=True):
    """The facts about the data folder."""

    path: str
    trouble: str = ""
    """The reason why nothing can be written there; empty if the folder is writable."""
    mode: int = 0
    """Its permissions; 0 if they are not known."""
    free_bytes: int | None = None


class TerminalFacts(Struct, frozen=True):
    """The terminal on which the game would be drawn."""

    is_terminal: bool
    encoding: str
    unicode: bool
    """True if it can show the glyphs of the drawings."""
    colours: bool
    columns: int


class Facts(Struct, frozen=True):
    """Everything that `doctor` has looked at."""

    network: NetworkFacts
    data: DataFacts
    terminal: TerminalFacts
    python: str
    versions: Mapping[str, str]
    """The versions of the packages, by name."""
    old: tuple[str, ...]
    """A phrase for each package that is missing, or older than this program needs."""
    today: str
    """Date and time."""
    firewall: str = ""
    """The firewall's name; empty if none is found."""


def gather(network: NetworkFacts, data: Path) -> Facts:
    """Gather all other facts, and return them together with those of the `network`.

    Creates the data folder if need be, and tries to write there; a failure is reported in the
    facts, not raised.
    """
    versions, old = _versions()
    return Facts(
        network=network,
        data=_data(data),
        terminal=_terminal(),
        python=platform.python_version(),
        versions=versions,
        old=old,
        today=local_now("%Y-%m-%d %H:%M"),
        firewall=_firewall(),
    )


def _versions() -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the versions of this program and its dependencies, and phrases about some of them.

    A phrase names a package that is missing or too old. Both are empty if this program is not
    installed as a package.
    """
    try:
        wanted = _least(metadata.requires(DISTRIBUTION) or ())
    except metadata.PackageNotFoundError:
        return {}, ()
    installed = {}
    for name in (DISTRIBUTION, *wanted):
        with suppress(metadata.PackageNotFoundError):
            installed[name] = metadata.version(name)
    return installed, too_old(wanted, installed)


def _least(requirements: Sequence[str]) -> dict[str, str]:
    """Read the least version of each package from requirements such as `name<2,>=1.2`.

    A requirement with a marker, as those of extras have, is left out.
    """
    required = [text for text in requirements if ";" not in text]
    found = [re.match(r"([\w.-]+)\s*(?:\S*,)?[>=]=\s*([0-9.]+)", text) for text in required]
    return {match[1]: match[2] for match in found if match is not None}


def too_old(wanted: Mapping[str, str], installed: Mapping[str, str]) -> tuple[str, ...]:
    """Return a phrase for each package that is missing, or has a lower version than wanted.

    Empty if all are good enough.
    """
    found = []
    for name, least in wanted.items():
        have = installed.get(name)
        if have is None:
            found.append(say("{name} is not installed", name=name))
        elif _numbers(have) < _numbers(least):
            text = "{name} is {version}, but {least} is needed"
            found.append(say(text, name=name, version=have, least=least))
    return tuple(found)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.split("+")[0])[:4])


def _data(path: Path) -> DataFacts:
    """Create the folder if need be, and try to write there; a `DiskTrouble` becomes a fact."""
    try:
        create_folder(path)
        check_writable(path / "doctor")
    except DiskTrouble as trouble:
        return DataFacts(str(path), translated(trouble.said))
    # a tab's files have modes that mean nothing: its store is its own origin's
    has_modes = os.name == "posix" and not ABILITIES.get().is_tab
    mode = stat.S_IMODE(path.stat().st_mode) if has_modes else 0
    with suppress(OSError):
        return DataFacts(str(path), "", mode, shutil.disk_usage(path).free)
    return DataFacts(str(path), "", mode)


def _terminal() -> TerminalFacts:
    is_terminal = has_terminal()
    encoding = standard_output().encoding or "ascii"
    return TerminalFacts(
        is_terminal=is_terminal,
        encoding=encoding,
        unicode=own_glyphs() is not ASCII_GLYPHS,
        colours=bool(own_palette(terminal=is_terminal).hues),
        columns=window().columns,
    )


def _firewall() -> str:
    """Return the name of the active firewall in one word, as far as this user can see.

    Empty if none is found. Windows and macOS are assumed to have theirs on.
    """
    if Path("/run/firewalld").exists():
        return "firewalld"
    with suppress(OSError):
        if "ENABLED=yes" in Path("/etc/ufw/ufw.conf").read_text("utf-8", "replace"):
            return "ufw"
    return {"win32": "windows", "darwin": "macos"}.get(sys.platform, "")
