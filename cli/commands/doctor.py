"""`boneyard doctor`: gather the facts, print what they mean."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import shutil
import stat
import sys
import textwrap
from pathlib import Path
from typing import Final

import trio

from cli.commands.doctor_checks import (
    DataFacts,
    Facts,
    Level,
    Symptom,
    TerminalFacts,
    can_host,
    findings,
    too_old,
)
from cli.drawn.palette import ASCII_GLYPHS, Palette, choose_glyphs, choose_palette
from cli.exits import CommandFailed, ExitCode
from cli.said.failures import sentence_of
from cli.visible import print_line
from netgame.errors import DiskTrouble, Malformed
from netgame.io.discovery.survey import NetworkFacts, survey_network
from netgame.io.disk.files import create_folder
from netgame.io.disk.identity import default_data_dir
from netgame.io.disk.store import check_writable

_LIBRARIES: Final = (
    "btclib-secp256k1", "cryptography", "ifaddr", "msgpack", "msgspec", "platformdirs",
    "prompt-toolkit", "spake2", "tomli-w", "trio", "wcwidth", "zeroconf",
)  # fmt: skip

_INDENT: Final = 20
_COLUMNS_MAX: Final = 100


def run(options: argparse.Namespace) -> ExitCode:
    """Look at everything; `OK` if a game can be hosted here."""
    try:
        network = trio.run(survey_network, options.address)
    except Malformed as problem:
        raise CommandFailed(ExitCode.USAGE, sentence_of(str(problem))) from None
    found = findings(_facts(network, Path(options.data) if options.data else default_data_dir()))
    if options.json:
        print(json.dumps(_as_json(found)))
    else:
        for each in found:
            for line in _lines(each):
                print_line(line)
        print(_summary(found))
    return ExitCode.OK if can_host(found) else ExitCode.FAILED


def _lines(finding: Symptom) -> list[str]:
    """Write one finding in two columns, its advice below it."""
    columns = min(_COLUMNS_MAX, shutil.get_terminal_size((_COLUMNS_MAX, 24)).columns)
    width = max(_INDENT, columns - _INDENT - 1)
    texts = [*textwrap.wrap(finding.text, width), *textwrap.wrap(finding.advice, width)]
    heads = [f"{finding.level.value:8} {finding.area}", *[""] * (len(texts) - 1)]
    return [f"{head:{_INDENT}}{text}" for head, text in zip(heads, texts, strict=True)]


def _summary(found: tuple[Symptom, ...]) -> str:
    if not can_host(found):
        return "A game cannot be hosted here until the problems above are fixed."
    warnings = sum(each.level is Level.WARNING for each in found)
    if not warnings:
        return "A game can be hosted here."
    return f"A game can be hosted here; {warnings} thing{'s' if warnings > 1 else ''} to look at."


def _as_json(found: tuple[Symptom, ...]) -> dict[str, object]:
    rows = [
        {"area": each.area, "level": each.level.value, "text": each.text, "advice": each.advice}
        for each in found
    ]
    return {"can_host": can_host(found), "findings": rows}


# ---- facts ----------------------------------------------------------------------------------


def _facts(network: NetworkFacts, data: Path) -> Facts:
    versions, old = _versions()
    return Facts(
        network=network,
        data=_data(data),
        terminal=_terminal(),
        python=platform.python_version(),
        versions=versions,
        old=old,
        today=datetime.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M"),
        firewall=_firewall(),
    )


def _versions() -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the versions of what this program stands on, and what of it is too old."""
    from importlib import metadata

    try:
        wanted = metadata.requires("boneyard") or []
        installed = {"boneyard": metadata.version("boneyard")}
    except metadata.PackageNotFoundError:
        return {}, ()
    for name in _LIBRARIES:
        try:
            installed[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return installed, too_old(wanted, installed)


def _data(path: Path) -> DataFacts:
    """Make the folder if need be, as hosting would, and try to write there."""
    try:
        create_folder(path)
        check_writable(path / "doctor")
    except DiskTrouble as trouble:
        return DataFacts(str(path), str(trouble))
    mode = stat.S_IMODE(path.stat().st_mode) if os.name == "posix" else 0
    try:
        free = shutil.disk_usage(path).free
    except OSError:
        free = None
    return DataFacts(str(path), "", mode, free)


def _terminal() -> TerminalFacts:
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    encoding = sys.stdout.encoding or "ascii"
    return TerminalFacts(
        is_terminal=is_terminal,
        encoding=encoding,
        unicode=choose_glyphs(encoding, os.environ) is not ASCII_GLYPHS,
        colours=choose_palette(os.environ, terminal=is_terminal) is Palette.SAFE,
        columns=shutil.get_terminal_size().columns,
    )


def _firewall() -> str:
    """Name the firewall that is on here, as far as anybody may see; "" if none is seen."""
    if Path("/run/firewalld").exists():
        return "firewalld"
    try:
        if "ENABLED=yes" in Path("/etc/ufw/ufw.conf").read_text("utf-8", "replace"):
            return "ufw"
    except OSError:
        pass
    return {"win32": "windows", "darwin": "macos"}.get(sys.platform, "")
