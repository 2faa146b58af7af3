"""The findings of `doctor` and `selftest` as sentences, some with advice.

A *problem* keeps this computer from hosting a game; a *warning* may keep people from finding each
other, or will be a nuisance.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import partial
from typing import Final

from msgspec import Struct

from cli.doctor.facts import DataFacts, Facts, TerminalFacts
from cli.doctor.trial import Trial
from cli.exits import sentence_about, sentence_of
from cli.language import say, translate, translated
from cli.program import typed_in_shell
from netgame.io.discovery.survey import Interface, NetworkFacts
from netgame.limits import PORT_DEFAULT, PORTS_TRIED

_PORT_LAST: Final = PORT_DEFAULT + PORTS_TRIED - 1
_ROOM_BYTES: Final = 64 * 1024 * 1024
"""A long game's record is 4 MB; with less room than this a game may fill the disk."""

_COLUMNS_MIN: Final = 40
_CLOCK_YEARS: Final = range(2026, 2100)

_OPENING: Final = {
    "ufw": f"sudo ufw allow 5353/udp; sudo ufw allow {PORT_DEFAULT}:{_PORT_LAST}/tcp",
    "firewalld": f"sudo firewall-cmd --add-service=mdns --add-port={PORT_DEFAULT}-{_PORT_LAST}/tcp",
}
_LETTING: Final = {
    "": "open UDP 5353 in the firewall",
    "windows": "let Python through on private networks in Windows Security, Firewall",
    "macos": "let Python accept incoming connections in System Settings, Network, Firewall",
}
_ALONE: Final = (
    "{name} has the address {address}, as a VPN gives it: nobody else on this network reaches it."
)
_APART: Final = (
    "many guest networks keep their computers apart. Use another Wi-Fi, a cable or a phone's "
    "hotspot"
)


class Level(Enum):
    """The severity of a symptom; only a `PROBLEM` keeps this computer from hosting."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


class Symptom(Struct, frozen=True):
    """One finding, in the player's language."""

    level: Level
    area: str
    """The area it concerns, such as `network`."""
    text: str
    advice: str = ""
    """Advice on what to do; empty if there is none."""


def _symptom(level: Level, area: str, text: str, advice: str = "", /, **facts: object) -> Symptom:
    """Make a symptom from English texts, translated and filled with their facts."""
    return Symptom(level, say(area), translate(text, **facts), translate(advice, **facts))


def _told(level: Level, area: str, sentence: str, advice: str = "") -> Symptom:
    """Make a symptom from a sentence and advice that are already translated."""
    return Symptom(level, say(area), sentence, advice)


_ok = partial(_symptom, Level.OK)
_warning = partial(_symptom, Level.WARNING)
_problem = partial(_symptom, Level.PROBLEM)


def _ports() -> str:
    return say("TCP {first} to {last}", first=PORT_DEFAULT, last=_PORT_LAST)


def _opening(firewall: str) -> str:
    """Return the command that opens this firewall for a table, or else words on how to do it."""
    return _OPENING.get(firewall) or say(_LETTING[firewall])


def can_host(found: Sequence[Symptom]) -> bool:
    """Return True if nothing keeps this computer from opening a table for others."""
    return all(each.level is not Level.PROBLEM for each in found)


def symptoms(facts: Facts) -> tuple[Symptom, ...]:
    """Return the symptoms in all the facts, in the order in which a person would look at them."""
    return (*network_symptoms(facts), *computer_symptoms(facts))


def network_symptoms(facts: Facts) -> tuple[Symptom, ...]:
    """Return the symptoms in the facts that the survey of the network found."""
    network = facts.network
    return (
        *_interfaces(network, facts.firewall),
        _port(network, facts.firewall),
        *(_others(network) if network.interfaces else ()),
        *_reached(network),
    )


def computer_symptoms(facts: Facts) -> tuple[Symptom, ...]:
    """Return the symptoms in the facts that need no network."""
    return (_clock(facts.today), *_versions(facts), *_data(facts.data), *_terminal(facts.terminal))


# ---- the network ----------------------------------------------------------------------------


def _interfaces(network: NetworkFacts, firewall: str) -> Iterator[Symptom]:
    """Yield a symptom for each address, then one for multicast at each that is not a VPN's.

    It is a problem to have no address at all, and a warning if the system cannot list addresses.
    """
    if network.interface_trouble is not None:
        yield _told(Level.WARNING, "network", sentence_about(network.interface_trouble))
    elif not network.interfaces:
        text = "This computer has no address on any network."
        advice = "Join the Wi-Fi or plug the cable in. To play without: {command}"
        yield _problem("network", text, advice, command=typed_in_shell("play"))
    for each in network.interfaces:
        text = _ALONE if each.is_alone else "{name} has the address {address}."
        yield _ok("network", text, name=each.name, address=each.address)
    yield from map(partial(_multicast, firewall), (i for i in network.interfaces if not i.is_alone))


def _multicast(firewall: str, each: Interface) -> Symptom:
    """Return a symptom saying whether multicast works at this address; a failure is a warning."""
    advice = "If a firewall is on: {opening}. Else others join by address: boneyard join HOST:PORT"
    facts = {"name": each.name, "trouble": each.trouble, "opening": _opening(firewall)}
    if each.trouble:
        text = "Nothing can be advertised on {name}: {trouble}."
        return _warning("discovery", text, advice, **facts)
    if each.heard_s is None:
        text = "Multicast fails on {name}: nothing that is advertised there comes back."
        return _warning("discovery", text, advice, **facts)
    return _ok("discovery", "Multicast works on {name}.", **facts)


def _port(network: NetworkFacts, firewall: str) -> Symptom:
    port, trouble = network.port, network.port_trouble
    if trouble is not None:
        text, why = "Nobody can connect: {trouble}.", translated(trouble.said)
        advice = "End what uses the ports, or choose one: {command}"
        command = typed_in_shell("host", "--port", "N")
        return _problem("port", text, advice, trouble=why.rstrip("."), command=command)
    if not firewall:
        return _ok("port", "A table would listen on TCP port {port}.", port=port)
    text = "A table would listen on TCP port {port}. A firewall is on here ({firewall})."
    advice, opening = "If others cannot connect: {opening}", _opening(firewall)
    return _warning("port", text, advice, port=port, firewall=firewall, opening=opening)


def _others(network: NetworkFacts) -> Iterator[Symptom]:
    if network.browse_trouble is not None:
        yield _told(Level.WARNING, "others", sentence_about(network.browse_trouble))
        return
    for ad in network.tables:
        text = "{name}'s table answers at {address}."
        yield _ok("others", text, name=ad.name, address=ad.endpoints[0])
    apart = say(_APART)
    for ad in network.silent:
        text = "{name}'s table is advertised at {address}, but does not answer."
        advice = (
            "It is gone, its firewall is shut ({ports}), or the network lets nothing through: "
            "{apart}."
        )
        yield _warning(
            "others",
            text,
            advice,
            name=ad.name,
            address=ad.endpoints[0],
            ports=_ports(),
            apart=apart,
        )
    if network.tables or network.silent:
        return
    if network.neighbours:
        text = "No table is open; other computers and devices are heard on this network."
        yield _ok("others", text)
    else:
        text = "No table is open, and nobody else is heard on this network."
        advice = "If somebody is there, {apart}. A table's address may still work."
        yield _warning("others", text, advice, apart=apart)


def _reached(network: NetworkFacts) -> Iterator[Symptom]:
    reached = network.reached
    if reached is None:
        return
    facts: dict[str, object] = {"address": reached.address, "code": reached.code_number}
    if reached.trouble is not None:
        text = "Ask its host to run boneyard doctor and to open {ports}. But {apart}."
        advice = say(text, ports=_ports(), apart=say(_APART))
        yield _told(Level.WARNING, "address", sentence_about(reached.trouble), advice)
    elif not reached.at_table:
        yield _warning("address", "{address} answers, but sits at no table.", **facts)
    else:
        text = "{address} answers in {ms:.0f} ms and sits at a table."
        if reached.code_number:
            text = (
                "{address} answers in {ms:.0f} ms and sits at a table; newcomers need the code "
                "{code}-…."
            )
        yield _ok("address", text, ms=reached.seconds * 1000, **facts)


# ---- this computer --------------------------------------------------------------------------


def _clock(today: str) -> Symptom:
    """Return a symptom on the date: a warning outside 2026 to 2099, never a problem.

    No rule or proof needs the time; only the dates noted in records would be wrong.
    """
    if int(today[:4]) in _CLOCK_YEARS:
        return _ok("clock", "The clock says {today}; no game depends on it.", today=today)
    text = "The clock says {today}. Games work, but what is noted has a wrong date."
    return _warning("clock", text, "Set the clock.", today=today)


def _versions(facts: Facts) -> Iterator[Symptom]:
    listed = [f"{name} {number}" for name, number in facts.versions.items()]
    text = "; ".join(filter(None, (f"Python {facts.python}", ", ".join(listed))))
    yield Symptom(Level.OK, say("versions"), f"{text}.")
    for each in facts.old:
        advice = say("Install again: uv sync, or pip install -U.")
        yield _told(Level.PROBLEM, "versions", each + ".", advice)


def _data(data: DataFacts) -> Iterator[Symptom]:
    path = data.path
    if data.trouble:
        advice = say("Fix that, or choose another folder: --data DIR or BONEYARD_DATA.")
        yield _told(Level.PROBLEM, "data", sentence_of(data.trouble), advice)
        return
    private = not data.mode & 0o077
    roomy = data.free_bytes is None or data.free_bytes >= _ROOM_BYTES
    if not private:
        text = say(
            "Other users of this computer can read {path} (mode {mode:o}).",
            path=path,
            mode=data.mode,
        )
        yield _told(Level.WARNING, "data", text, "chmod 700 " + path)
    if not roomy:
        text, free = "Only {free} MB are free at {path}.", (data.free_bytes or 0) // 2**20
        advice = "Make room: a seat whose record cannot be written is paused."
        yield _warning("data", text, advice, path=path, free=free)
    if private and roomy:
        yield _ok("data", "Records and keys are kept in {path}.", path=path)


def _terminal(terminal: TerminalFacts) -> Iterator[Symptom]:
    if not terminal.is_terminal:
        yield _ok("terminal", "Not a terminal: sentences instead of a board.")
        return
    facts = {"columns": terminal.columns, "least": _COLUMNS_MIN, "encoding": terminal.encoding}
    if terminal.columns < _COLUMNS_MIN:
        text = "The terminal is {columns} columns wide; the board needs {least}."
        yield _warning("terminal", text, "Widen it, or use --plain.", **facts)
    if not terminal.unicode:
        text = "The terminal's encoding ({encoding}) lacks the board's glyphs."
        advice = "ASCII is drawn instead; for lines and dots set LANG to a UTF-8 locale."
        yield _warning("terminal", text, advice, **facts)
    text = "{columns} columns, {encoding}, in colour."
    if not terminal.colours:
        text = "{columns} columns, {encoding}, without colour."
    yield _ok("terminal", text, **facts)


# ---- the table of four ----------------------------------------------------------------------


def trial_symptoms(trial: Trial) -> Iterator[Symptom]:
    """Yield the symptoms of the table that `selftest` has played: its game, records and page."""
    text = "A table of four played a round in {took:.1f} s, each program on a port of its own."
    if not trial.over_network:
        text = "A table of four played a round in {took:.1f} s, inside this program."
    yield _ok("table", text, took=trial.seconds)
    bad = [verdict for verdict in trial.records if not verdict.ok]
    if bad or len({verdict.head for verdict in trial.records}) > 1:
        text = "The programs kept records that are damaged, or that differ."
        yield _problem("disk", text, "Please report this, with all these lines.")
    else:
        text = "Their records were written and read back: {count} of {octets} octets, all good."
        yield _ok("disk", text, count=len(trial.records), octets=trial.octets)
    page = trial.page
    if page is None:
        yield _ok("page", "No page for browsers here.")
    elif page.trouble:
        text = "The page for browsers was not served: {trouble}."
        yield _problem("page", text, "Play with --no-page, and report this.", trouble=page.trouble)
    else:
        size = f"{page.octets / 1e6:.1f}"
        yield _ok("page", "A page for browsers was served beside it: {size} MB.", size=size)


def trial_failed(why: str) -> Symptom:
    """Return the problem of a table that could not be played to its end; `why` is a sentence."""
    advice = "Please report this, with all these lines."
    return _problem("table", "A table of four could not play: {why}", advice, why=why)
