"""Finding tables on the local network by mDNS.

zeroconf lives in a thread of its own and is imported only when used; its events come over with
`TrioToken.run_sync_soon`. A host that was killed says no goodbye and can haunt the network for an
hour, so a table is listed only after a TCP connection to it, and probed again while listed.
Whatever goes wrong here is one sentence and no more: tables are joined by address as well.
"""

from __future__ import annotations

import logging
import math
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import trio

from netgame.io.addresses import lan_addresses, parse_address
from netgame.io.advert import SERVICE_TYPE, TableAd, instance_name, parse_txt, txt_of
from netgame.io.neighbours import interface_networks, is_near
from netgame.io.tasks import unwrapped
from netgame.limits import (
    ADDRESSES_MAX,
    PROBE_S,
    PROBE_TIMEOUT_S,
    RACE_DELAY_S,
    RESCAN_S,
    TABLES_FOUND_MAX,
)

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf


log = logging.getLogger("netgame.io")

_RESOLVE_TIMEOUT_MS: Final = 1_500
_RESOLVERS: Final = 8
_UPDATE_PAUSE_S: Final = 0.2
"""Changes of an advertisement within this time go out as one."""


# ---- zeroconf, in threads -------------------------------------------------------------------


def _open_zeroconf() -> Zeroconf:
    from zeroconf import InterfaceChoice, IPVersion, Zeroconf

    # Without a handler of its own, zeroconf's warnings would land on the player's screen.
    logging.getLogger("zeroconf").addHandler(logging.NullHandler())
    return Zeroconf(interfaces=InterfaceChoice.All, ip_version=IPVersion.V4Only, use_asyncio=False)


def _rescan(zeroconf: Zeroconf) -> None:
    """Take notice of interfaces that came up or went away; cheap if there are none."""
    zeroconf.update_interfaces()


def _service_info(ad: TableAd) -> ServiceInfo:
    from zeroconf import ServiceInfo

    return ServiceInfo(
        SERVICE_TYPE,
        instance_name(ad),
        port=ad.port,
        properties=txt_of(ad),
        server=f"boneyard-{ad.table_id[:12]}-{ad.fingerprint}.local.",
        addresses=[socket.inet_aton(address) for address in ad.addresses],
    )


def _resolve(zeroconf: Zeroconf, name: str) -> TableAd | None:
    from zeroconf import IPVersion, ServiceInfo

    info = ServiceInfo(SERVICE_TYPE, name)
    if not info.request(zeroconf, _RESOLVE_TIMEOUT_MS) or info.port is None:
        return None
    addresses = tuple(info.parsed_addresses(IPVersion.V4Only))[:ADDRESSES_MAX]
    return parse_txt(info.properties, near_hosts(addresses), info.port)


def near_hosts(hosts: tuple[str, ...]) -> tuple[str, ...]:
    """Return those addresses of an advertisement that are of this network: no others are tried."""
    return tuple(host for host in hosts if is_near(host, interface_networks))


def _describe(error: Exception) -> str:
    """Why the responder gave up, in a few words; it raises RuntimeError without an interface."""
    if isinstance(error, RuntimeError):
        return "this computer has no network interface that is up"
    return f"{error.strerror or error}" if isinstance(error, OSError) else type(error).__name__


# ---- advertising ----------------------------------------------------------------------------


class Advert:
    """A table being advertised; `update` may be called at any time."""

    def __init__(self, ad: TableAd, on_trouble: Callable[[str], None]) -> None:
        self._wanted = ad
        self._news = trio.Event()
        self._on_trouble = on_trouble

    def update(self, ad: TableAd) -> None:
        """Advertise this from now on; the addresses are found anew all the time anyway."""
        if ad != self._wanted:
            self._wanted = ad
            self._news.set()

    async def run(self) -> None:
        """Register, which takes a second or two, and keep the record true until cancelled."""
        try:
            zeroconf = await trio.to_thread.run_sync(_open_zeroconf)
        except Exception as error:
            self._complain(error)
            return
        try:
            await self._keep_true(zeroconf)
        except Exception as error:
            self._complain(error)
        finally:
            with trio.CancelScope(shield=True), suppress(Exception):
                await trio.to_thread.run_sync(zeroconf.close)

    async def _keep_true(self, zeroconf: Zeroconf) -> None:
        said = await self._current()
        info = _service_info(said)
        await trio.to_thread.run_sync(
            lambda: zeroconf.register_service(info, allow_name_change=True)
        )
        while True:
            with trio.move_on_after(RESCAN_S):
                await self._news.wait()
                await trio.sleep(_UPDATE_PAUSE_S)
            self._news = trio.Event()
            await trio.to_thread.run_sync(_rescan, zeroconf)
            wanted = await self._current()
            if wanted != said:
                said = wanted
                info = _renamed(_service_info(wanted), info.name)
                await trio.to_thread.run_sync(zeroconf.update_service, info)

    async def _current(self) -> TableAd:
        ad = self._wanted
        endpoints = await trio.to_thread.run_sync(lan_addresses, ad.port)
        hosts = tuple(parse_address(endpoint).host for endpoint in endpoints)
        return replace(ad, addresses=hosts or ("127.0.0.1",))

    def _complain(self, error: Exception) -> None:
        log.debug("advertising failed", exc_info=error)
        self._on_trouble(
            f"This table cannot be announced on the network ({_describe(error)}); "
            "others can still join it by its address."
        )


def _renamed(info: ServiceInfo, name: str) -> ServiceInfo:
    info.name = name
    return info


@asynccontextmanager
async def advertise(ad: TableAd, on_trouble: Callable[[str], None]) -> AsyncIterator[Advert]:
    """Advertise a table within the block; `on_trouble` gets a sentence if that cannot be."""
    advert = Advert(ad, on_trouble)
    with unwrapped():
        async with trio.open_nursery() as nursery:
            nursery.start_soon(advert.run)
            yield advert
            nursery.cancel_scope.cancel()


# ---- browsing -------------------------------------------------------------------------------


class Browser:
    """The tables that can be found and reached right now.

    `trouble` is a sentence if looking is not possible.
    """

    def __init__(
        self,
        resolve: Callable[[str], TableAd | None],
        probe: Callable[[TableAd], bool] | None = None,
    ) -> None:
        self.trouble: str | None = None
        self._resolve = resolve
        self._probe_with = probe
        self._found: dict[str, TableAd] = {}
        self._listed: dict[str, TableAd] = {}
        self._resolving: set[str] = set()
        self._changed = trio.Event()
        self._limiter = trio.CapacityLimiter(_RESOLVERS)

    @property
    def tables(self) -> tuple[TableAd, ...]:
        """Every table that answers, each once, by name."""
        by_id = {ad.table_id: ad for ad in self._listed.values()}
        return tuple(sorted(by_id.values(), key=lambda ad: (ad.name.casefold(), ad.table_id)))

    @property
    def silent(self) -> tuple[TableAd, ...]:
        """Every table that is advertised and does not answer."""
        listed = {ad.table_id for ad in self._listed.values()}
        return tuple(ad for ad in self._found.values() if ad.table_id not in listed)

    def when_changed(self) -> trio.Event:
        """Return an event that is set at the next change of `tables` or `trouble`."""
        return self._changed

    def _announce(self) -> None:
        changed, self._changed = self._changed, trio.Event()
        changed.set()

    def fail(self, error: Exception) -> None:
        """Note that looking is not possible."""
        log.debug("browsing failed", exc_info=error)
        self.trouble = (
            f"Tables cannot be looked for on this network ({_describe(error)}); "
            "join one by its address: join HOST:PORT."
        )
        self._announce()

    async def hear(self, name: str, *, gone: bool) -> None:
        """Take in that a service appeared, changed or went."""
        if gone:
            self._found.pop(name, None)
            if self._listed.pop(name, None):
                self._announce()
            return
        if name in self._resolving or not self._has_room(name):
            return
        self._resolving.add(name)
        try:
            ad = await trio.to_thread.run_sync(
                self._resolve, name, limiter=self._limiter, abandon_on_cancel=True
            )
        finally:
            self._resolving.discard(name)
        if ad is not None:
            self._found[name] = ad
            await self.probe(name, ad)

    def _has_room(self, name: str) -> bool:
        """Whether one more may be remembered; a table that does not answer makes room."""
        if name in self._found or len(self._found) + len(self._resolving) < TABLES_FOUND_MAX:
            return True
        silent = next((each for each in self._found if each not in self._listed), None)
        if silent is None:
            return False
        del self._found[silent]
        return True

    async def probe(self, name: str, ad: TableAd) -> None:
        """List the table if it answers, else take it off the list."""
        answers = self._probe_with(ad) if self._probe_with else await is_reachable(ad)
        if self._found.get(name) != ad:
            return
        listed = self._listed.get(name)
        if answers and listed != ad:
            self._listed[name] = ad
            self._announce()
        elif not answers and listed is not None:
            del self._listed[name]
            self._announce()

    async def probe_all(self) -> None:
        """Probe everything found, again and again."""
        while True:
            await trio.sleep(PROBE_S)
            async with trio.open_nursery() as nursery:
                for name, ad in tuple(self._found.items()):
                    nursery.start_soon(self.probe, name, ad)


async def is_reachable(ad: TableAd) -> bool:
    """Whether one of the addresses takes a TCP connection within `PROBE_TIMEOUT_S`."""
    reached: list[bool] = []

    async def attempt(address: str, scope: trio.CancelScope) -> None:
        with suppress(OSError):
            stream = await trio.open_tcp_stream(address, ad.port)
            await trio.aclose_forcefully(stream)
            reached.append(True)
            scope.cancel()

    with trio.move_on_after(PROBE_TIMEOUT_S):
        async with trio.open_nursery() as nursery:
            for address in ad.addresses:
                nursery.start_soon(attempt, address, nursery.cancel_scope)
                await trio.sleep(RACE_DELAY_S)
    return bool(reached)


@asynccontextmanager
async def browse() -> AsyncIterator[Browser]:
    """Look for tables within the block; an error is `Browser.trouble`, never an exception."""
    with unwrapped():
        async with trio.open_nursery() as nursery:
            holder: list[Zeroconf] = []
            browser = Browser(lambda name: _resolve(holder[0], name))
            nursery.start_soon(_look, browser, holder)
            yield browser
            nursery.cancel_scope.cancel()


async def _look(browser: Browser, holder: list[Zeroconf]) -> None:
    try:
        holder.append(await trio.to_thread.run_sync(_open_zeroconf))
    except Exception as error:
        browser.fail(error)
        return
    try:
        await _look_with(browser, holder[0])
    except Exception as error:
        browser.fail(error)
    finally:
        with trio.CancelScope(shield=True), suppress(Exception):
            await trio.to_thread.run_sync(holder[0].close)


async def _look_with(browser: Browser, zeroconf: Zeroconf) -> None:
    from zeroconf import ServiceBrowser, ServiceStateChange

    token = trio.lowlevel.current_trio_token()
    send, receive = trio.open_memory_channel[tuple[str, bool]](math.inf)

    def deliver(name: str, gone: bool) -> None:  # noqa: FBT001
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            send.send_nowait((name, gone))

    # The keyword names are zeroconf's; it calls from its own thread.
    def on_change(
        zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        del zeroconf, service_type
        gone = state_change is ServiceStateChange.Removed
        with suppress(trio.RunFinishedError):
            token.run_sync_soon(deliver, name, gone)

    await trio.to_thread.run_sync(
        lambda: ServiceBrowser(zeroconf, SERVICE_TYPE, handlers=[on_change])
    )
    async with trio.open_nursery() as nursery:
        nursery.start_soon(browser.probe_all)
        nursery.start_soon(_rescan_for_ever, zeroconf)
        async for name, gone in receive:
            nursery.start_soon(partial(browser.hear, name, gone=gone))


async def _rescan_for_ever(zeroconf: Zeroconf) -> None:
    while True:
        await trio.sleep(RESCAN_S)
        await trio.to_thread.run_sync(_rescan, zeroconf)
