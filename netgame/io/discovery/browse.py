"""Finding tables on the local network by mDNS.

A host that was killed says no goodbye, and its record can stay on the network for an hour. So a
table is listed only once it has accepted a TCP connection, and probed again while listed.
"""

from __future__ import annotations

import logging
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import trio
from msgspec.structs import replace

from netgame import limits
from netgame.errors import NetgameError, Refused
from netgame.io.discovery.advert import (
    SERVICE_TYPE,
    TableAd,
    follow_interfaces,
    parse_txt,
    responder,
    why_silent,
)
from netgame.io.door.dial import first
from netgame.io.network.addresses import Address, number_of
from netgame.io.network.interfaces import dialled_as, interface_networks
from netgame.io.network.neighbours import is_near
from netgame.io.network.tcp import dial
from netgame.io.tasks import unwrapped
from netgame.io.work import apart

if TYPE_CHECKING:
    from zeroconf import Zeroconf

log = logging.getLogger("netgame.io")


Members: TypeAlias = Callable[[str], Collection[str]]
"""A function from a table's id to the fingerprints of the members who may announce it, host first.

The result is empty for an unknown table. The function may read the beginning of a record, so it is
called only where several keys announce one table.
"""


async def answering_host(ad: TableAd) -> str | None:
    """Return the first address of a table that accepts a TCP connection.

    None if none does within `PROBE_TIMEOUT_S`.
    """
    reached: list[str] = []

    async def knock(host: str, address: Address) -> str:
        (await dial(address)).close()
        return host

    ways = {way: host for host in ad.addresses for way in dialled_as(Address(host, ad.port))}
    with trio.move_on_after(limits.PROBE_TIMEOUT_S), suppress(NetgameError):
        await first([*ways], lambda way: knock(ways[way], way), reached)
    return reached[0] if reached else None


def told_apart(listed: Iterable[TableAd], members: Members = lambda _id: ()) -> list[TableAd]:
    """Return one advertisement for each table and announcing key, with its `others` filled in.

    An advertisement proves nothing, and anybody may copy one: then two have the same id, and the
    copy must not hide the true one. But if two keys belong to members of a table that this player
    knows, they are the host's and its stand-in's, and only the first, the host's, is returned. If
    one key announces a table at several places, the first counts. Tables keep the order in which
    each is first listed.
    """
    by_id: dict[str, list[TableAd]] = {}
    for ad in listed:
        by_id.setdefault(ad.table_id, []).append(ad)
    rows: list[TableAd] = []
    for ads in by_id.values():
        shown = {ad.fingerprint: ad for ad in reversed(ads)}
        ours = [key for key in members(ads[0].table_id) if key in shown] if len(shown) > 1 else []
        for key in ours[1:]:
            del shown[key]
        rows += [
            replace(ad, others=tuple(other for other in ads if other is not ad))
            for ad in ads
            if shown.get(ad.fingerprint) is ad
        ]
    return rows


class Browser:
    """A list of the tables that can be found and reached right now; `hear` and `probe` change it.

    It does not search by itself: `browse` does.
    """

    def __init__(
        self,
        resolve: Callable[[str], TableAd | None] = lambda _name: None,
        answers: Callable[[TableAd], Awaitable[str | None]] = answering_host,
        members: Members = lambda _id: (),
    ) -> None:
        self.trouble: Refused | None = None
        """The reason why the network cannot be searched; None if it can."""
        self.resolve = resolve
        """Returns the advertisement of a service, or None if it is not a table of this network;
        runs in a thread.
        """
        self._answers = answers
        """Returns the address at which a table answers, which then becomes its first; None if it
        does not answer.
        """
        self._members = members
        """Called where several keys announce one table."""
        self._found: dict[str, TableAd] = {}
        self._listed: dict[str, TableAd] = {}
        self._resolving: dict[str, bool] = {}
        """The services being resolved; True if there has been news of one since that began."""
        self._changed = trio.Event()
        self._limiter = trio.CapacityLimiter(limits.RESOLVERS_MAX)

    @property
    def tables(self) -> tuple[TableAd, ...]:
        """Every table that answers, of any phase and version, sorted by name.

        A table that several keys announce may be there once for each key: see `told_apart`.
        """
        rows = told_apart(self._listed.values(), self._members)
        return tuple(sorted(rows, key=lambda ad: (ad.name.casefold(), ad.table_id, ad.fingerprint)))

    @property
    def silent(self) -> tuple[TableAd, ...]:
        """Every advertised table that does not answer, or has not yet, in the order found."""
        listed = {ad.row for ad in self._listed.values()}
        return tuple(ad for ad in self._found.values() if ad.row not in listed)

    def when_changed(self) -> trio.Event:
        """Return an event that is set at the next change of `tables` or `trouble`."""
        return self._changed

    def _announce(self) -> None:
        changed, self._changed = self._changed, trio.Event()
        changed.set()

    def fail(self, error: Exception) -> None:
        """Set `trouble` because `error` has ended the search of the network."""
        log.debug("browsing failed", exc_info=error)
        text = (
            "Tables cannot be looked for on this network ({reason}); join one by its address: join "
            "HOST:PORT."
        )
        self.trouble = Refused("discovery", text, reason=why_silent(error))
        self._announce()

    async def hear(self, name: str, *, gone: bool) -> None:
        """Handle news that a service has appeared, changed or gone; probe it unless it has gone.

        A service that is `gone` is forgotten. News of a service during its look-up causes another
        look-up, for which this call does not wait. A service that is not a table, or for which
        there is no room, is ignored.
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
        """Look a service up, and again if there is news of it meanwhile; return its advertisement.

        None if it is not a table.
        """
        try:
            ad, self._resolving[name] = None, True
            while self._resolving[name]:
                self._resolving[name] = False
                ad = await apart(
                    partial(self.resolve, name), limiter=self._limiter, is_left_behind=True
                )
            return ad
        finally:
            del self._resolving[name]

    def _has_room(self, name: str) -> bool:
        """Return True if there is room to remember `name`; may forget a table that is silent."""
        if name in self._found or len(self._found) + len(self._resolving) < limits.TABLES_FOUND_MAX:
            return True
        silent = next((each for each in self._found if each not in self._listed), None)
        if silent is None:
            return False
        del self._found[silent]
        return True

    async def probe(self, name: str, ad: TableAd) -> None:
        """List the table if it answers, otherwise remove it from the list.

        Does nothing if its advertisement has changed or gone by the time of the answer.
        """
        listed = self._listed.get(name)
        is_same = listed is not None and set(listed.addresses) == set(ad.addresses)
        # The address that answered before is tried first, so that it stays the table's address.
        tried = ad if listed is None or not is_same else replace(ad, addresses=listed.addresses)
        host = await self._answers(tried)
        if self._found.get(name) != ad:
            return
        listed = self._listed.get(name)
        if host is not None:
            others = (each for each in tried.addresses if each != host)
            tried = replace(tried, addresses=(host, *others))
            if listed != tried:
                self._listed[name] = tried
                self._announce()
        elif listed is not None:
            del self._listed[name]
            self._announce()

    async def probe_all(self) -> None:
        """Every `PROBE_S` seconds, probe everything found again; run until cancelled."""
        while True:
            await trio.sleep(limits.PROBE_S)
            async with trio.open_nursery() as nursery:
                for name, ad in tuple(self._found.items()):
                    nursery.start_soon(self.probe, name, ad)


async def find_tables(
    timeout_s: float, *, at_least: int = 0, begun: bool = False, members: Members = lambda _id: ()
) -> tuple[TableAd, ...]:
    """Look for tables for `timeout_s`, or until `at_least` open ones (if not 0) are found.

    With `begun`, games that one may watch count as well. Once enough are found, the search goes on
    for `FOUND_GRACE_S` more, within `timeout_s`. Returns every table that answers, open or not,
    sorted by name; `members` is as for `told_apart`. Raises `Refused` (code `discovery`) with a
    sentence if the network cannot be searched.
    """
    async with browse(members) as browser:
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
async def browse(members: Members = lambda _id: ()) -> AsyncIterator[Browser]:
    """Look for tables within the block, which is given the `Browser`.

    If the search fails, its `trouble` is set, and nothing is raised.
    """
    with unwrapped():
        async with trio.open_nursery() as nursery:
            browser = Browser(members=members)
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
    await apart(start)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(browser.probe_all)
        nursery.start_soon(_rescan, zeroconf)
        async for name, gone in receive:
            nursery.start_soon(partial(browser.hear, name, gone=gone))


async def _rescan(zeroconf: Zeroconf) -> None:
    """Follow network interfaces that come up or go away, until cancelled."""
    while True:
        await trio.sleep(limits.RESCAN_S)
        await apart(partial(follow_interfaces, zeroconf))


def _resolve(zeroconf: Zeroconf, name: str) -> TableAd | None:
    from zeroconf import BadTypeInNameException, ServiceInfo

    try:
        info = ServiceInfo(SERVICE_TYPE, name)
    except BadTypeInNameException:  # anybody may put anything on the network
        return None
    if not info.request(zeroconf, int(1_000 * limits.RESOLVE_TIMEOUT_S)) or info.port is None:
        return None
    addresses = tuple(info.parsed_scoped_addresses())[: limits.ADDRESSES_MAX]
    return parse_txt(info.properties, near_hosts(addresses), info.port)


def near_hosts(hosts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the hosts of an advertisement that are on this network; no others are tried.

    Hosts in a network of this computer come first; otherwise they keep their order. A network with
    room for one address, such as a VPN's, does not count: no other computer is in it.
    """
    near = [host for host in hosts if is_near(host, interface_networks)]
    networks = [each for each in interface_networks() if each.num_addresses > 1]

    def is_far(host: str) -> bool:
        number = number_of(host)
        return number is None or not any(number in network for network in networks)

    return tuple(sorted(near, key=is_far))
