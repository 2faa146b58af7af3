"""A table kept advertised by mDNS as it changes.

Whatever goes wrong here is one sentence and no more: tables are joined by address as well.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import trio

from netgame.io.discovery.advert import SERVICE_TYPE, TableAd, instance_name, txt_of
from netgame.io.discovery.responder import responder, why_silent
from netgame.io.network.addresses import parse_address
from netgame.io.network.interfaces import lan_addresses
from netgame.limits import ADVERT_PAUSE_S, RESCAN_S

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

log = logging.getLogger("netgame.io")


async def advertise(
    describe: Callable[[], TableAd],
    when_changed: Callable[[], trio.Event],
    on_trouble: Callable[[str], None],
) -> None:
    """Advertise what `describe` says, and keep that true until cancelled.

    `when_changed` gives an event that is set when `describe` may say something new; the addresses
    are found here. `on_trouble` gets a sentence if that cannot be.
    """
    try:
        async with responder() as zeroconf:
            await _keep_true(zeroconf, describe, when_changed)
    except Exception as error:
        log.debug("advertising failed", exc_info=error)
        on_trouble(
            f"This table cannot be announced on the network ({why_silent(error)}); "
            "others can still join it by its address."
        )


async def _keep_true(
    zeroconf: Zeroconf, describe: Callable[[], TableAd], when_changed: Callable[[], trio.Event]
) -> None:
    """Register, which takes a second or two, and tell of changes and of interfaces that come up."""
    ad = describe()
    said = await _placed(ad)
    info = _service_info(said)
    register = partial(zeroconf.register_service, info, allow_name_change=True)
    await trio.to_thread.run_sync(register)
    while True:
        with trio.move_on_after(RESCAN_S):
            changed = when_changed()
            while describe() == ad:
                await changed.wait()
                await trio.sleep(ADVERT_PAUSE_S)
                changed = when_changed()
        await trio.to_thread.run_sync(zeroconf.update_interfaces)
        ad = describe()
        now = await _placed(ad)
        if now != said:
            said, name = now, info.name
            info = _service_info(said)
            info.name = name
            await trio.to_thread.run_sync(zeroconf.update_service, info)


async def _placed(ad: TableAd) -> TableAd:
    """Return what is said with the addresses that this computer has now."""
    endpoints = await trio.to_thread.run_sync(lan_addresses, ad.port)
    hosts = tuple(parse_address(endpoint).host for endpoint in endpoints)
    return replace(ad, addresses=hosts or ("127.0.0.1",))


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
