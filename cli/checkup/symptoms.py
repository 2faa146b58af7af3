"""What the facts mean: pure, one sentence for each, with what to do about it.

A *problem* keeps this computer from hosting a game; a *warning* is what may keep people from
finding each other, or what will be a nuisance.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import partial
from typing import Final

from msgspec import Struct

from cli.checkup.facts import DataFacts, Facts, TerminalFacts
from cli.exits import sentence_of
from netgame.io.discovery.survey import Interface, NetworkFacts
from netgame.limits import PORT_DEFAULT, PORTS_TRIED

_PORT_LAST: Final = PORT_DEFAULT + PORTS_TRIED - 1
_PORTS: Final = f"TCP {PORT_DEFAULT} to {_PORT_LAST}"
_ROOM_BYTES: Final = 64 * 1024 * 1024
"""A long game's record is 4 MB; with less room than this a game may fill the disk."""

_COLUMNS_MIN: Final = 40
_CLOCK_YEARS: Final = range(2026, 2100)

_OPEN_PORTS: Final = {
    "ufw": f"sudo ufw allow 5353/udp; sudo ufw allow {PORT_DEFAULT}:{_PORT_LAST}/tcp",
    "firewalld": f"sudo firewall-cmd --add-service=mdns --add-port={PORT_DEFAULT}-{_PORT_LAST}/tcp",
    "windows": "let Python through on private networks in Windows Security, Firewall",
    "macos": "let Python accept incoming connections in System Settings, Network, Firewall",
}
_APART: Final = (
    "many guest networks keep their computers apart. Use another Wi-Fi, a cable or a phone's "
    "hotspot"
)


class Level(Enum):
    """How bad it is."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


class Symptom(Struct, frozen=True):
    """One line of the answer; `advice` says what to do, empty if nothing."""

    level: Level
    area: str
    text: str
    advice: str = ""


_ok = partial(Symptom, Level.OK)
_warning = partial(Symptom, Level.WARNING)
_problem = partial(Symptom, Level.PROBLEM)


def can_host(found: Sequence[Symptom]) -> bool:
    """Whether nothing keeps this computer from opening a table for others."""
    return all(each.level is not Level.PROBLEM for each in found)


def symptoms(facts: Facts) -> tuple[Symptom, ...]:
    """Judge all the facts, in the order in which a person would go through them."""
    network, outward = facts.network, [i for i in facts.network.interfaces if not i.is_loopback]
    return (
        *_interfaces(outward, facts.firewall),
        _port(network, facts.firewall),
        *(_others(network) if outward else ()),
        *_reached(network),
        _clock(facts.today),
        *_versions(facts),
        *_data(facts.data),
        *_terminal(facts.terminal),
    )


# ---- the network ----------------------------------------------------------------------------


def _interfaces(outward: Sequence[Interface], firewall: str) -> Iterator[Symptom]:
    """Tell of each address, then whether multicast works there."""
    if not outward:
        advice = "Join the Wi-Fi or plug the cable in; `boneyard play` works without."
        yield _problem("network", "This computer has no address on any network.", advice)
    for each in outward:
        yield _ok("network", f"{each.name} has the address {each.address}.")
    opening = _OPEN_PORTS.get(firewall, "open UDP 5353 in the firewall")
    advice = f"If a firewall is on: {opening}. Else others join by address: boneyard join HOST:PORT"
    for each in outward:
        if each.trouble:
            text = f"Nothing can be advertised on {each.name}: {each.trouble}."
            yield _warning("discovery", text, advice)
        elif each.heard_s is None:
            text = f"Multicast fails on {each.name}: nothing that is advertised there comes back."
            yield _warning("discovery", text, advice)
        else:
            yield _ok("discovery", f"Multicast works on {each.name}.")


def _port(network: NetworkFacts, firewall: str) -> Symptom:
    if network.port is None:
        advice = "End what uses the ports, or choose one: boneyard host --port N"
        return _problem("port", sentence_of(f"Nobody can connect: {network.port_trouble}"), advice)
    text = f"A table would listen on TCP port {network.port}."
    if not firewall:
        return _ok("port", text)
    opening = _OPEN_PORTS.get(firewall, f"open UDP 5353 and {_PORTS}")
    on = f"{text} A firewall is on here ({firewall})."
    return _warning("port", on, f"If others cannot connect: {opening}")


def _others(network: NetworkFacts) -> Iterator[Symptom]:
    if network.browse_trouble:
        yield _warning("others", network.browse_trouble)
        return
    for ad in network.tables:
        yield _ok("others", f"{ad.name}'s table answers at {ad.endpoints[0]}.")
    for ad in network.silent:
        yield _warning(
            "others",
            f"{ad.name}'s table is advertised at {ad.endpoints[0]}, but does not answer.",
            f"It is gone, its firewall is shut ({_PORTS}), or the network lets nothing through: "
            f"{_APART}.",
        )
    if network.tables or network.silent:
        return
    if network.neighbours:
        text = "No table is open; other computers and devices are heard on this network."
        yield _ok("others", text)
    else:
        text = "No table is open, and nobody else is heard on this network."
        advice = f"If somebody is there, {_APART}. A table's address may still work."
        yield _warning("others", text, advice)


def _reached(network: NetworkFacts) -> Iterator[Symptom]:
    reached = network.reached
    if reached is None:
        return
    if reached.seconds is None:
        advice = f"Ask its host to run boneyard doctor and to open {_PORTS}. But {_APART}."
        yield _warning("address", sentence_of(reached.trouble), advice)
    elif not reached.at_table:
        yield _warning("address", f"{reached.address} answers, but sits at no table.")
    else:
        code = f"; newcomers need the code {reached.code_number}-…" if reached.code_number else ""
        took = f"{reached.address} answers in {reached.seconds * 1000:.0f} ms"
        yield _ok("address", f"{took} and sits at a table{code}.")


# ---- this computer --------------------------------------------------------------------------


def _clock(today: str) -> Symptom:
    """No rule and no proof asks for the time; only the dates of known peers would look odd."""
    if int(today[:4]) in _CLOCK_YEARS:
        return _ok("clock", f"The clock says {today}; no game depends on it.")
    text = f"The clock says {today}. Games work, but what is noted has a wrong date."
    return _warning("clock", text, "Set the clock.")


def _versions(facts: Facts) -> Iterator[Symptom]:
    listed = ", ".join(f"{name} {number}" for name, number in facts.versions.items())
    yield _ok("versions", f"Python {facts.python}; {listed}.")
    for each in facts.old:
        yield _problem("versions", f"{each}.", "Install again: uv sync, or pip install -U.")


def _data(data: DataFacts) -> Iterator[Symptom]:
    if data.trouble:
        advice = "Fix that, or choose another folder: --data DIR or BONEYARD_DATA."
        yield _problem("data", sentence_of(data.trouble), advice)
        return
    private = not data.mode & 0o077
    roomy = data.free_bytes is None or data.free_bytes >= _ROOM_BYTES
    if not private:
        text = f"Others on this computer may look into {data.path} (mode {data.mode:o})."
        yield _warning("data", text, f"chmod 700 {data.path}")
    if not roomy:
        text = f"Only {(data.free_bytes or 0) // 2**20} MB are free at {data.path}."
        advice = "Make room: a seat whose record cannot be written is paused."
        yield _warning("data", text, advice)
    if private and roomy:
        yield _ok("data", f"Records and keys are kept in {data.path}.")


def _terminal(terminal: TerminalFacts) -> Iterator[Symptom]:
    if not terminal.is_terminal:
        yield _ok("terminal", "Not a terminal: sentences instead of a board.")
        return
    if terminal.columns < _COLUMNS_MIN:
        text = f"The terminal is {terminal.columns} columns wide; the board needs {_COLUMNS_MIN}."
        yield _warning("terminal", text, "Widen it, or use --plain.")
    if not terminal.unicode:
        text = f"The terminal's encoding ({terminal.encoding}) lacks the board's glyphs."
        advice = "ASCII is drawn instead; for lines and dots set LANG to a UTF-8 locale."
        yield _warning("terminal", text, advice)
    colours = "in colour" if terminal.colours else "without colour"
    yield _ok("terminal", f"{terminal.columns} columns, {terminal.encoding}, {colours}.")
