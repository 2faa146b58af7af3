"""Finding tables on the local network by mDNS.

A host that was killed says no goodbye and can haunt the network for an hour, so a table is listed
only after a TCP connection to it, and probed again while listed.
"""

from __future__ import annotations

import logging
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

import trio

from netgame import limits
from netgame.errors import NetgameError, Refused
from netgame.io.discovery.advert import SERVICE_TYPE, TableAd, parse_txt, responder, why_silent
from netgame.io.door.channel import open_stream
from netgame.io.door.dial import first
from netgame.io.network.addresses import Address, interface_networks, is_near
from netgame.io.tasks import unwrapped

if TYPE_CHECKING:
    from zeroconf import Zeroconf

log = logging.getLogger("netgame.io")


async def is_reachable(ad: TableAd) -> bool:
    """Whether one of the addresses takes a TCP connection within `PROBE_TIMEOUT_S`."""
    reached: list[None] = []

    async def knock(address: Address) -> None:
        await trio.aclose_forcefully(await open_stream(address))

    with trio.move_on_after(limits.PROBE_TIMEOUT_S), suppress(NetgameError):
        await first([Address(host, ad.port) for host in ad.addresses], knock, reached)
    return bool(reached)


class Browser:
    """A list of the tables that can be found and reached right now; `hear` and `probe` change it.

    It searches nothing by itself: `browse` does. `trouble` is set if the network cannot be
    searched. `resolve` gives what a service advertises, None if that is no table of this network;
    it runs in a thread.
    """

    def __init__(
        self,
        resolve: Callable[[str], TableAd | None] = lambda _name: None,
        answers: Callable[[TableAd], Awaitable[bool]] = is_reachable,
    ) -> None:
        self.trouble: Refused | None = None
        self.resolve = resolve
        self._answers = answers
        self._found: dict[str, TableAd] = {}
        self._listed: dict[str, TableAd] = {}
        self._resolving: dict[str, bool] = {}  # whether there has been news since it began
        self._changed = trio.Event()
        self._limiter = trio.CapacityLimiter(limits.RESOLVERS_MAX)

    @property
    def tables(self) -> tuple[TableAd, ...]:
        """Every table that answers, each once, sorted by name; all phases and versions."""
        by_id = {ad.table_id: ad for ad in self._listed.values()}
        return tuple(sorted(by_id.values(), key=lambda ad: (ad.name.casefold(), ad.table_id)))

    @property
    def silent(self) -> tuple[TableAd, ...]:
        """Every advertised table that does not answer, or has not yet, in the order found."""
        listed = {ad.table_id for ad in self._listed.values()}
        return tuple(ad for ad in self._found.values() if ad.table_id not in listed)

    def when_changed(self) -> trio.Event:
        """An event that is set at the next change of `tables` or `trouble`."""
        return self._changed

    def _announce(self) -> None:
        changed, self._changed = self._changed, trio.Event()
        changed.set()

    def fail(self, error: Exception) -> None:
        """Note that the network cannot be searched: set `trouble`."""
        log.debug("browsing failed", exc_info=error)
        text = (
            "Tables cannot be looked for on this network ({reason}); join one by its address: join "
            "HOST:PORT."
        )
        self.trouble = Refused("discovery", text, reason=why_silent(error))
        self._announce()

    async def hear(self, name: str, *, gone: bool) -> None:
        """Take the news that a service appeared, changed or went; returns once it has been probed.

        One that is `gone` is forgotten, and nothing probed. News of one that is being looked up has
        it looked up once more. News of one that is no table, or finds no room, is ignored.
        """
        is_busy = name in self._resolving
        if is_busy:
            self._resolving[name] = True
        if gone:
            self._found.pop(name, None)
            if self._listed.pop(name, None):
                self._announce()
            return
        if is_busy or not self._has_room(name):
            return
        ad = await self._looked_up(name)
        if ad is not None:
            self._found[name] = ad
            await self.probe(name, ad)

    async def _looked_up(self, name: str) -> TableAd | None:
        """Return what a service advertises after the last news of it; None if no table."""
        try:
            ad, self._resolving[name] = None, True
            while self._resolving[name]:
                self._resolving[name] = False
                ad = await trio.to_thread.run_sync(
                    self.resolve, name, limiter=self._limiter, abandon_on_cancel=True
                )
            return ad
        finally:
            del self._resolving[name]

    def _has_room(self, name: str) -> bool:
        """Whether one more may be remembered; a table that does not answer is forgotten for it."""
        if name in self._found or len(self._found) + len(self._resolving) < limits.TABLES_FOUND_MAX:
            return True
        silent = next((each for each in self._found if each not in self._listed), None)
        if silent is None:
            return False
        del self._found[silent]
        return True

    async def probe(self, name: str, ad: TableAd) -> None:
        """List the table if it answers, else remove it from the list.

        Nothing is done if its advertisement changed or went meanwhile.
        """
        answers = await self._answers(ad)
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
        """Probe everything found every `PROBE_S`, until cancelled."""
        while True:
            await trio.sleep(limits.PROBE_S)
            async with trio.open_nursery() as nursery:
                for name, ad in tuple(self._found.items()):
                    nursery.start_soon(self.probe, name, ad)


async def find_tables(
    timeout_s: float, *, at_least: int = 0, begun: bool = False
) -> tuple[TableAd, ...]:
    """Look for tables for `timeout_s`, or until `at_least` open ones (if not 0) are found.

    With `begun`, games that one may watch count as well. Once so many are found, others get
    `FOUND_GRACE_S` more, within `timeout_s`. Returns every table that answers, open or not, sorted
    by name. Raises `Refused` (code `discovery`) with a sentence if the network cannot be searched.
    """
    async with browse() as browser:
        with trio.move_on_after(timeout_s):
            while browser.trouble is None:
                changed = browser.when_changed()
                wanted = [ad for ad in browser.tables if ad.is_open or (begun and ad.can_watch)]
                if at_least and len(wanted) >= at_least:
                    await trio.sleep(limits.FOUND_GRACE_S)
                    break
                await changed.wait()
        if browser.trouble is not None:
            raise browser.trouble
        return browser.tables


# ---- zeroconf -------------------------------------------------------------------------------


@asynccontextmanager
async def browse() -> AsyncIterator[Browser]:
    """Look for tables within the block; what fails in that is set as `trouble`, never raised."""
    with unwrapped():
        async with trio.open_nursery() as nursery:
            browser = Browser()
            nursery.start_soon(_look, browser)
            yield browser
            nursery.cancel_scope.cancel()


async def _look(browser: Browser) -> None:
    try:
        async with responder() as zeroconf:
            browser.resolve = partial(_resolve, zeroconf)
            await _look_with(browser, zeroconf)
    except Exception as error:
        browser.fail(error)


async def _look_with(browser: Browser, zeroconf: Zeroconf) -> None:
    from zeroconf import ServiceBrowser, ServiceStateChange

    token = trio.lowlevel.current_trio_token()
    send, receive = trio.open_memory_channel[tuple[str, bool]](math.inf)

    # The keyword names are zeroconf's; it calls from its own thread.
    def on_change(*, name: str, state_change: ServiceStateChange, **_: object) -> None:
        with suppress(trio.RunFinishedError):
            gone = state_change is ServiceStateChange.Removed
            token.run_sync_soon(send.send_nowait, (name, gone))

    start = partial(ServiceBrowser, zeroconf, SERVICE_TYPE, handlers=[on_change])
    await trio.to_thread.run_sync(start)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(browser.probe_all)
        nursery.start_soon(_rescan, zeroconf)
        async for name, gone in receive:
            nursery.start_soon(partial(browser.hear, name, gone=gone))


async def _rescan(zeroconf: Zeroconf) -> None:
    """Follow network interfaces that come up or go away, until cancelled."""
    while True:
        await trio.sleep(limits.RESCAN_S)
        await trio.to_thread.run_sync(zeroconf.update_interfaces)


def _resolve(zeroconf: Zeroconf, name: str) -> TableAd | None:
    from zeroconf import IPVersion, ServiceInfo

    info = ServiceInfo(SERVICE_TYPE, name)
    if not info.request(zeroconf, int(1_000 * limits.RESOLVE_TIMEOUT_S)) or info.port is None:
        return None
    addresses = tuple(info.parsed_addresses(IPVersion.V4Only))[: limits.ADDRESSES_MAX]
    return parse_txt(info.properties, near_hosts(addresses), info.port)


def near_hosts(hosts: tuple[str, ...]) -> tuple[str, ...]:
    """The addresses of an advertisement that are on this network, in order; no others are tried."""
    return tuple(host for host in hosts if is_near(host, interface_networks))
