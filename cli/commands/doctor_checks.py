"""What `doctor` thinks of the facts: pure, one finding for each, with what to do about it.

A *problem* keeps this computer from hosting a game; a *warning* is what may keep people from
finding each other, or what will be a nuisance.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from netgame.io.discovery.survey import Interface, NetworkFacts
from netgame.limits import PORT_DEFAULT, PORTS_TRIED

_PORTS: Final = f"TCP {PORT_DEFAULT} to {PORT_DEFAULT + PORTS_TRIED - 1}"
_ROOM_BYTES: Final = 64 * 1024 * 1024
"""A long game's record is 4 MB; with less room than this a game may fill the disk."""

_COLUMNS_MIN: Final = 40
_CLOCK_YEARS: Final = range(2026, 2100)

_OPEN_PORTS: Final = {
    "ufw": f"sudo ufw allow 5353/udp; sudo ufw allow {PORT_DEFAULT}:{PORT_DEFAULT + 31}/tcp",
    "firewalld": "sudo firewall-cmd --add-service=mdns "
    f"--add-port={PORT_DEFAULT}-{PORT_DEFAULT + 31}/tcp",
    "windows": "let Python through on private networks in Windows Security, Firewall",
    "macos": "let Python accept incoming connections in System Settings, Network, Firewall",
}
_APART: Final = (
    "many guest networks keep their computers apart: use another Wi-Fi, a cable or a phone's "
    "hotspot"
)


class Level(Enum):
    """How bad it is."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Symptom:
    """One line of the answer; `advice` says what to do, empty if nothing."""

    area: str
    level: Level
    text: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class DataFacts:
    """The data folder: `trouble` says why it cannot be written; `mode` is 0 where there is none."""

    path: str
    trouble: str = ""
    mode: int = 0
    free_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class TerminalFacts:
    """Where the game would be drawn; `unicode` says that the drawing's glyphs can be shown."""

    is_terminal: bool
    encoding: str
    unicode: bool
    colours: bool
    columns: int


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything `doctor` has looked at; `old` names what is older than this program needs."""

    network: NetworkFacts
    data: DataFacts
    terminal: TerminalFacts
    python: str
    versions: Mapping[str, str]
    old: tuple[str, ...]
    today: str
    firewall: str = ""


def can_host(found: Sequence[Symptom]) -> bool:
    """Whether nothing keeps this computer from opening a table for others."""
    return all(each.level is not Level.PROBLEM for each in found)


def findings(facts: Facts) -> tuple[Symptom, ...]:
    """Judge all the facts, in the order in which a person would go through them."""
    return (
        *_interfaces(facts),
        *_multicast(facts),
        *_port(facts),
        *_others(facts),
        *_reached(facts),
        _clock(facts.today),
        *_versions(facts),
        *_data(facts.data),
        *_terminal(facts.terminal),
    )


# ---- the network ----------------------------------------------------------------------------


def _outward(network: NetworkFacts) -> tuple[Interface, ...]:
    return tuple(each for each in network.interfaces if not each.is_loopback)


def _interfaces(facts: Facts) -> tuple[Symptom, ...]:
    found = _outward(facts.network)
    if not found:
        return (
            Symptom(
                "network",
                Level.PROBLEM,
                "This computer has no address on any network.",
                "Join the Wi-Fi or plug the cable in; `boneyard play` works without.",
            ),
        )
    return tuple(
        Symptom("network", Level.OK, f"{each.name} has the address {each.address}.")
        for each in found
    )


def _multicast(facts: Facts) -> tuple[Symptom, ...]:
    opening = _OPEN_PORTS.get(facts.firewall, "open UDP 5353 in the firewall")
    advice = f"If a firewall is on: {opening}. Else others join by address: boneyard join HOST:PORT"
    found = []
    for each in _outward(facts.network):
        if each.trouble:
            text = f"Nothing can be advertised on {each.name}: {each.trouble}."
            found.append(Symptom("discovery", Level.WARNING, text, advice))
        elif each.heard_s is None:
            text = f"What is advertised on {each.name} does not come back: no multicast there."
            found.append(Symptom("discovery", Level.WARNING, text, advice))
        else:
            text = f"What is advertised on {each.name} is heard."
            found.append(Symptom("discovery", Level.OK, text))
    return tuple(found)


def _port(facts: Facts) -> tuple[Symptom, ...]:
    network = facts.network
    if network.port is None:
        advice = "End what uses the ports, or choose one: boneyard host --port N"
        return (Symptom("port", Level.PROBLEM, f"Nobody can connect: {_end(network.port_trouble)}",
                        advice),)  # fmt: skip
    text = f"A table would listen on TCP port {network.port}."
    if not facts.firewall:
        return (Symptom("port", Level.OK, text),)
    opening = _OPEN_PORTS.get(facts.firewall, f"open UDP 5353 and {_PORTS}")
    return (
        Symptom(
            "port",
            Level.WARNING,
            f"{text} A firewall is on here ({facts.firewall}).",
            f"If others cannot connect: {opening}",
        ),
    )


def _others(facts: Facts) -> tuple[Symptom, ...]:
    network = facts.network
    if not _outward(network):
        return ()
    if network.browse_trouble:
        return (Symptom("others", Level.WARNING, network.browse_trouble),)
    found = [
        Symptom("others", Level.OK, f"{ad.name}'s table answers at {ad.endpoints[0]}.")
        for ad in network.tables
    ]
    found += [
        Symptom(
            "others",
            Level.WARNING,
            f"{ad.name}'s table is advertised at {ad.endpoints[0]}, but does not answer.",
            f"It is gone, its firewall is shut ({_PORTS}), or the network lets nothing "
            f"through: {_APART}.",
        )
        for ad in network.silent
    ]
    if found:
        return tuple(found)
    if network.neighbours:
        text = "No table is open; other computers and devices are heard on this network."
        return (Symptom("others", Level.OK, text),)
    text = "No table is open, and nobody else is heard on this network."
    advice = f"If somebody is there: {_APART}. A table's address may still work."
    return (Symptom("others", Level.WARNING, text, advice),)


def _reached(facts: Facts) -> tuple[Symptom, ...]:
    reached = facts.network.reached
    if reached is None:
        return ()
    if reached.seconds is None:
        advice = f"Ask its host to run boneyard doctor and to open {_PORTS}; else {_APART}."
        return (Symptom("address", Level.WARNING, _end(_upper(reached.trouble)), advice),)
    if not reached.at_table:
        text = f"{reached.address} answers, but sits at no table."
        return (Symptom("address", Level.WARNING, text),)
    code = f"; newcomers need the code {reached.code_number}-…" if reached.code_number else ""
    text = (
        f"{reached.address} answers in {reached.seconds * 1000:.0f} ms and sits at a table{code}."
    )
    return (Symptom("address", Level.OK, text),)


# ---- this computer --------------------------------------------------------------------------


def _clock(today: str) -> Symptom:
    """No rule and no proof asks for the time; only the dates of known peers would look odd."""
    if int(today[:4]) in _CLOCK_YEARS:
        return Symptom("clock", Level.OK, f"The clock says {today}; no game depends on it.")
    text = f"The clock says {today}; games work, but what is noted is dated so."
    return Symptom("clock", Level.WARNING, text, "Set the clock.")


def _versions(facts: Facts) -> tuple[Symptom, ...]:
    listed = ", ".join(f"{name} {number}" for name, number in facts.versions.items())
    found = [Symptom("versions", Level.OK, f"Python {facts.python}; {listed}.")]
    found += [
        Symptom("versions", Level.PROBLEM, f"{each}.", "Install anew: uv sync, or pip install -U.")
        for each in facts.old
    ]
    return tuple(found)


def _data(data: DataFacts) -> tuple[Symptom, ...]:
    if data.trouble:
        advice = "Mend that, or choose another folder: --data DIR or BONEYARD_DATA."
        return (Symptom("data", Level.PROBLEM, _end(_upper(data.trouble)), advice),)
    found = []
    if data.mode & 0o077:
        text = f"Others on this computer may look into {data.path} (mode {data.mode:o})."
        found.append(Symptom("data", Level.WARNING, text, f"chmod 700 {data.path}"))
    if data.free_bytes is not None and data.free_bytes < _ROOM_BYTES:
        text = f"Only {data.free_bytes // 2**20} MB are free at {data.path}."
        advice = "Make room: a seat whose record cannot be written is paused."
        found.append(Symptom("data", Level.WARNING, text, advice))
    whole = Symptom("data", Level.OK, f"Records and keys are kept in {data.path}.")
    return tuple(found) or (whole,)


def _terminal(terminal: TerminalFacts) -> tuple[Symptom, ...]:
    if not terminal.is_terminal:
        return (Symptom("terminal", Level.OK, "Not a terminal: sentences instead of a board."),)
    found = []
    if terminal.columns < _COLUMNS_MIN:
        text = f"The terminal is {terminal.columns} columns wide; the board needs {_COLUMNS_MIN}."
        found.append(Symptom("terminal", Level.WARNING, text, "Widen it, or use --plain."))
    if not terminal.unicode:
        text = f"The terminal's encoding ({terminal.encoding}) lacks the board's glyphs."
        advice = "ASCII is drawn instead; for lines and dots set LANG to a UTF-8 locale."
        found.append(Symptom("terminal", Level.WARNING, text, advice))
    colours = "in colour" if terminal.colours else "without colour"
    text = f"{terminal.columns} columns, {terminal.encoding}, {colours}."
    return (*found, Symptom("terminal", Level.OK, text))


# ---- versions and sentences -----------------------------------------------------------------


def too_old(requirements: Sequence[str], installed: Mapping[str, str]) -> tuple[str, ...]:
    """Say which of `requirements` (`name>=1.2`, as packaging metadata has them) is not met."""
    found = []
    for text in requirements:
        wanted = re.match(r"([A-Za-z0-9_.-]+?)\s*[>=]=\s*([0-9.]+)", text)
        if wanted is None or ";" in text:
            continue
        name, least = wanted.groups()
        have = installed.get(name)
        if have is None:
            found.append(f"{name} is not installed")
        elif _numbers(have) < _numbers(least):
            found.append(f"{name} is {have}, but {least} is needed")
    return tuple(found)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.split("+")[0])[:4])


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _end(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
