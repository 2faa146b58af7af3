"""A survey of this computer's network for `doctor`: facts only, no judgement.

The survey advertises a service of its own from each address and listens for it: if it is heard,
that interface works. The services have random names and are withdrawn when the survey ends.
"""

import threading
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

import trio

from netgame.errors import NetgameError
from netgame.io import clock
from netgame.io.discovery.advert import TableAd, spoken_from
from netgame.io.discovery.browse import browse
from netgame.io.door.dial import look
from netgame.io.entropy import fresh_octets
from netgame.io.network.addresses import Address, parse_address
from netgame.io.network.interfaces import NoAddresses, best_first, dialled_as, read_addresses
from netgame.io.network.listen import Listen, PortTrouble, listening
from netgame.io.work import apart
from netgame.limits import SURVEY_HEAR_S, SURVEY_TABLES_S

_TYPE: Final = "_boneyard-doctor._tcp.local."


@dataclass(slots=True)
class Interface:
    """One address that this computer tells others, and the outcome of advertising from it."""

    name: str
    address: str
    heard_s: float | None = None
    """Seconds until the advertisement came back; None if it did not."""
    trouble: str = ""
    """The reason why it could not be sent; empty if it could."""
    is_alone: bool = False
    """True if nobody else can be in its network; nothing is sent from it then."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The outcome of connecting to an address.

    What the peer there says of itself is not verified.
    """

    address: str
    seconds: float = 0.0
    """The seconds that its answer took."""
    at_table: bool = False
    """True if it says that it sits at a table."""
    code_number: int = 0
    """The number of the join code that it asks for; 0 for none."""
    trouble: NetgameError | None = None
    """The reason why it did not answer; None if it did."""


@dataclass(slots=True)
class NetworkFacts:
    """The facts of a survey, filled in by several tasks at once.

    Each trouble is None unless there was one.
    """

    interfaces: tuple[Interface, ...] = ()
    """In the order in which this computer tells others its addresses."""
    interface_trouble: NetgameError | None = None
    """The reason why the system does not list the interfaces."""
    port: int | None = None
    """The port on which a host would listen; None if it cannot."""
    port_trouble: NetgameError | None = None
    """The reason why a host cannot listen."""
    tables: tuple[TableAd, ...] = ()
    """The tables that answer."""
    silent: tuple[TableAd, ...] = ()
    """The tables that are advertised and do not answer."""
    browse_trouble: NetgameError | None = None
    """The reason why tables could not be looked for."""
    neighbours: int = 0
    """The number of kinds of services that others offer."""
    reached: Reached | None = None
    """The outcome of trying the wanted address; None if there was none to try."""


async def survey_network(wanted: str | None = None) -> NetworkFacts:
    """Return the facts of a survey; `wanted` is an address to reach, `HOST` or `HOST:PORT`.

    Raises `Malformed` if `wanted` is not an address; other trouble is among the facts. Takes about
    three seconds, or longer if that address does not answer.
    """
    address = parse_address(wanted) if wanted is not None else None
    facts = NetworkFacts()
    try:
        facts.interfaces = tuple(
            Interface(each.interface, str(each.number), is_alone=each.is_alone)
            for each in best_first(read_addresses())
        )
    except NoAddresses as trouble:
        facts.interface_trouble = trouble
    await _try_port(facts)
    async with trio.open_nursery() as nursery:
        for interface in facts.interfaces:
            if not interface.is_alone:
                nursery.start_soon(apart, partial(_hear_ourselves, interface))
        nursery.start_soon(_look_for_tables, facts)
        nursery.start_soon(apart, partial(_count_neighbours, facts))
        if address is not None:
            nursery.start_soon(_reach, address, facts)
    return facts


async def _try_port(facts: NetworkFacts) -> None:
    try:
        async with listening(Listen()) as listeners:
            facts.port = listeners[0].port
    except PortTrouble as trouble:
        facts.port_trouble = trouble


def _hear_ourselves(interface: Interface) -> None:
    """Advertise from one address and wait at most `SURVEY_HEAR_S` to hear it.

    Blocks. Sets `heard_s` or `trouble` of `interface`, or neither if nothing was heard.
    """
    from zeroconf import IPVersion, ServiceBrowser, ServiceInfo, Zeroconf

    name = f"{fresh_octets(8).hex()}.{_TYPE}"
    info = ServiceInfo(_TYPE, name, port=9, parsed_addresses=[interface.address])
    version = IPVersion.V6Only if ":" in interface.address else IPVersion.V4Only
    speak = partial(Zeroconf, [interface.address], ip_version=version, use_asyncio=False)
    heard = threading.Event()

    # The keyword names are zeroconf's; it calls from its own thread.
    def on_change(*, name: str, **_: object) -> None:
        if name == info.name:
            heard.set()

    try:
        with speak() as speaker, speak() as listener:
            ServiceBrowser(listener, _TYPE, handlers=[on_change])
            start = clock.seconds()
            # Skips the conflict check, which takes 1.2 s: nobody else has this name.
            speaker.register_service(info, cooperating_responders=True)
            if heard.wait(SURVEY_HEAR_S):
                interface.heard_s = clock.seconds() - start
    except (OSError, RuntimeError) as error:
        interface.trouble = getattr(error, "strerror", None) or str(error)


async def _look_for_tables(facts: NetworkFacts) -> None:
    async with browse() as browser:
        await trio.sleep(SURVEY_TABLES_S)
        facts.tables, facts.silent = browser.tables, browser.silent
        facts.browse_trouble = browser.trouble


def _count_neighbours(facts: NetworkFacts) -> None:
    """Count the kinds of services that others offer: printers, screens, other computers.

    Blocks, and fills in `facts`; the count stays 0 if the network fails.
    """
    from zeroconf import ZeroconfServiceTypes

    with suppress(OSError, RuntimeError):
        spoken, version = spoken_from()
        kinds = ZeroconfServiceTypes.find(
            timeout=SURVEY_HEAR_S, interfaces=spoken, ip_version=version
        )
        facts.neighbours = len([kind for kind in kinds if "boneyard" not in kind])


async def _reach(address: Address, facts: NetworkFacts) -> None:
    start = trio.current_time()
    try:
        seen = await look(dialled_as(address))
    except NetgameError as error:
        facts.reached = Reached(str(address), trouble=error)
    else:
        seconds = trio.current_time() - start
        facts.reached = Reached(str(address), seconds, bool(seen.table), seen.number)
