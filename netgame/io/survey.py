"""What this computer's network is like, looked at for `doctor`: facts only, no judgement.

For each address a service of its own is advertised from there and looked for: whoever hears it
has heard that interface. The names are random and gone when the survey ends.
"""

from __future__ import annotations

import secrets
import socket
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import trio

from netgame.errors import NetgameError
from netgame.io.addresses import format_address, parse_address
from netgame.io.advert import TableAd
from netgame.io.channel import Channel
from netgame.io.dial import look
from netgame.io.discovery import browse
from netgame.io.identity import Identity
from netgame.io.listen import Listen, PortTrouble, open_listeners, port_of

if TYPE_CHECKING:
    from zeroconf import Zeroconf


HEAR_S: Final = 2.0
"""Our own advertisement has this long to come back; on a healthy network it takes 0.5 s."""

_TYPE: Final = "_boneyard-doctor._tcp.local."
_TABLES_S: Final = 2.5
"""Tables have this long to show up and to answer their probe."""


@dataclass(frozen=True, slots=True)
class Interface:
    """One IPv4 address of this computer and what became of an advertisement sent from it.

    `heard_s` is how long it took to come back, None if it did not; `trouble` says why it could not
    be sent.
    """

    name: str
    address: str
    heard_s: float | None = None
    trouble: str = ""

    @property
    def is_loopback(self) -> bool:
        """Whether nobody else can be reached there."""
        return self.address.startswith("127.")


@dataclass(frozen=True, slots=True)
class Reached:
    """An address somebody wants to reach: how long it took, or why it could not be."""

    address: str
    seconds: float | None = None
    at_table: bool = False
    code_number: int = 0
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class NetworkFacts:
    """All of it.

    `port` is where a host would listen, None if it cannot (`port_trouble`). `tables` answer,
    `silent` ones are advertised but do not. `neighbours` counts kinds of services of others.
    """

    interfaces: tuple[Interface, ...]
    port: int | None
    port_trouble: str = ""
    tables: tuple[TableAd, ...] = ()
    silent: tuple[TableAd, ...] = ()
    browse_trouble: str = ""
    neighbours: int = 0
    reached: Reached | None = None


@dataclass(slots=True)
class _Findings:
    interfaces: dict[str, Interface] = field(default_factory=dict)
    tables: tuple[TableAd, ...] = ()
    silent: tuple[TableAd, ...] = ()
    browse_trouble: str = ""
    neighbours: int = 0
    reached: Reached | None = None


async def survey_network(wanted: str | None = None) -> NetworkFacts:
    """Look at everything at once; `wanted` is an address to reach, `HOST` or `HOST:PORT`.

    Raises `Malformed` if that is no address. Takes about three seconds.
    """
    address = parse_address(wanted) if wanted is not None else None
    port, trouble = await _free_port()
    found = _Findings({each.address: each for each in _interfaces()})
    async with trio.open_nursery() as nursery:
        for each in tuple(found.interfaces.values()):
            if not each.is_loopback:
                nursery.start_soon(_hear_ourselves, each, found)
        nursery.start_soon(_look_for_tables, found)
        nursery.start_soon(_count_neighbours, found)
        if address is not None:
            nursery.start_soon(_reach, format_address(address), found)
    interfaces = tuple(found.interfaces.values())
    return NetworkFacts(
        interfaces,
        port,
        trouble,
        found.tables,
        found.silent,
        found.browse_trouble,
        found.neighbours,
        found.reached,
    )


def _interfaces() -> list[Interface]:
    import ifaddr

    return [
        Interface(adapter.nice_name, ip.ip)
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if isinstance(ip.ip, str)
    ]


async def _free_port() -> tuple[int | None, str]:
    try:
        listeners = await open_listeners(Listen())
    except PortTrouble as trouble:
        return None, str(trouble)
    port = port_of(listeners)
    for listener in listeners:
        await listener.aclose()
    return port, ""


async def _hear_ourselves(interface: Interface, found: _Findings) -> None:
    heard, trouble = await trio.to_thread.run_sync(_multicast, interface.address)
    found.interfaces[interface.address] = Interface(
        interface.name, interface.address, heard, trouble
    )


def _multicast(address: str) -> tuple[float | None, str]:
    """Advertise from one address and wait to hear it; return the seconds, or why not."""
    from zeroconf import IPVersion, Zeroconf

    def open_at_address() -> Zeroconf:
        return Zeroconf(interfaces=[address], ip_version=IPVersion.V4Only, use_asyncio=False)

    with ExitStack() as stack:
        try:
            speaker = open_at_address()
            stack.callback(speaker.close)
            listener = open_at_address()
            stack.callback(listener.close)
            return _say_and_hear(speaker, listener, address), ""
        except (OSError, RuntimeError) as error:
            return None, getattr(error, "strerror", None) or str(error)


def _say_and_hear(speaker: Zeroconf, listener: Zeroconf, address: str) -> float | None:
    from zeroconf import ServiceBrowser, ServiceInfo, ServiceStateChange

    name = f"{secrets.token_hex(8)}.{_TYPE}"
    info = ServiceInfo(_TYPE, name, port=9, addresses=[socket.inet_aton(address)])
    heard = threading.Event()

    # The keyword names are zeroconf's; it calls from its own thread.
    def on_change(
        zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        del zeroconf, service_type, state_change
        if name == info.name:
            heard.set()

    ServiceBrowser(listener, _TYPE, handlers=[on_change])
    start = time.monotonic()
    # Without the conflict check, which takes 1.2 s: nobody else has this name.
    speaker.register_service(info, cooperating_responders=True)
    return time.monotonic() - start if heard.wait(HEAR_S) else None


async def _look_for_tables(found: _Findings) -> None:
    async with browse() as browser:
        await trio.sleep(_TABLES_S)
        found.tables, found.silent = browser.tables, browser.silent
        found.browse_trouble = browser.trouble or ""


async def _count_neighbours(found: _Findings) -> None:
    """Count what kinds of services others offer: printers, screens, other computers."""

    def ask() -> int:
        from zeroconf import IPVersion, ZeroconfServiceTypes

        try:
            kinds = ZeroconfServiceTypes.find(timeout=HEAR_S, ip_version=IPVersion.V4Only)
        except (OSError, RuntimeError):
            return 0
        return len([kind for kind in kinds if "boneyard" not in kind])

    found.neighbours = await trio.to_thread.run_sync(ask)


async def _reach(text: str, found: _Findings) -> None:
    start = trio.current_time()
    try:
        _, seen = await look(Channel(Identity.ephemeral()), [parse_address(text)])
    except NetgameError as error:
        found.reached = Reached(text, trouble=str(error))
        return
    seconds = trio.current_time() - start
    found.reached = Reached(text, seconds, bool(seen.table), seen.number)
