"""What a table says of itself by mDNS, how that is kept true, and how little of it is believed.

An advertisement is a hint: its text is display text, its fingerprint a label. Who answers at the
address proves its key, and the lobby's signed entries say what is played [peer.md §3.4].
Whatever goes wrong here is one sentence and no more: tables are joined by address as well.
zeroconf lives in a thread of its own, and is imported only when it is used.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

import msgspec
import trio
from msgspec import Meta

from netgame import limits
from netgame.io.network.addresses import lan_addresses
from netgame.protocol.text import clean_text

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

log = logging.getLogger("netgame.io")

SERVICE_TYPE: Final = "_boneyard._tcp.local."

TablePhase: TypeAlias = Literal["lobby", "playing", "over"]

_KEYS: Final = {
    "v": "version",
    "id": "table_id",
    "fp": "fingerprint",
    "name": "name",
    "preset": "preset",
    "set": "pip_max",
    "taken": "seats_taken",
    "seats": "seats_offered",
    "phase": "phase",
    "code": "code_number",
}
"""The keys of the TXT record, and what of a table each says."""


@dataclass(frozen=True, slots=True)
class TableAd:
    """A table somebody offers.

    `name` is that of who announces it, the host or who stands in for it (clean text), `fingerprint`
    that of the key which answers there, theirs; `table_id` are 128 hexadecimal characters,
    `pip_max` the set, `addresses` IP addresses without port, `code_number` that of the join code
    that newcomers need, 0 if they need none.
    """

    name: str
    table_id: Annotated[str, Meta(pattern=r"^[0-9a-f]{128}\Z")]
    fingerprint: Annotated[str, Meta(pattern=r"^[a-z2-7]{8}\Z")]
    preset: Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,32}\Z")]
    pip_max: Annotated[int, Meta(ge=6, le=18, multiple_of=3)]
    seats_taken: Annotated[int, Meta(ge=0, le=limits.SEATS_MAX)]
    seats_offered: Annotated[int, Meta(ge=1, le=limits.SEATS_MAX)]
    phase: TablePhase
    addresses: Annotated[tuple[str, ...], Meta(min_length=1)]
    port: Annotated[int, Meta(ge=1, le=65_535)]
    version: Annotated[int, Meta(ge=0, le=65_535)] = limits.PROTOCOL_VERSION
    code_number: Annotated[int, Meta(ge=0, le=limits.CODE_NUMBER_MAX)] = 0

    @property
    def is_open(self) -> bool:
        """Whether somebody who speaks our version could sit down."""
        has_room = self.seats_taken < self.seats_offered
        return self.phase == "lobby" and has_room and self.version == limits.PROTOCOL_VERSION

    @property
    def can_watch(self) -> bool:
        """Whether a game is going on there at which one may look on."""
        return self.phase == "playing" and self.version == limits.PROTOCOL_VERSION

    @property
    def endpoints(self) -> tuple[str, ...]:
        """Every address as `HOST:PORT`."""
        return tuple(f"{address}:{self.port}" for address in self.addresses)


def instance_name(ad: TableAd) -> str:
    """Return the name of the service: the announcer's, and what tells table and announcer apart.

    Who stands in for a host announces the same table; the host's own record may still be cached.
    """
    suffix = f" {ad.table_id[:6]}-{ad.fingerprint[:4]}"
    room = limits.ADVERT_NAME_BYTES_MAX - len(suffix)
    name = clean_text(ad.name, limits.NAME_CELLS_MAX, "table").encode()[:room]
    return f"{name.decode(errors='ignore')}{suffix}.{SERVICE_TYPE}"


def txt_of(ad: TableAd) -> dict[str, str]:
    """Return the TXT record."""
    return {key: str(getattr(ad, field)) for key, field in _KEYS.items()}


def parse_txt(
    properties: Mapping[bytes, bytes | None], addresses: tuple[str, ...], port: int
) -> TableAd | None:
    """Read what a stranger advertises; None for whatever is not a table's.

    Of another version only the version is sure to mean the same, so it alone decides then.
    """
    text = {
        key.decode("ascii"): value.decode(errors="replace")
        for key, value in properties.items()
        if value is not None and len(value) <= limits.ADVERT_VALUE_BYTES_MAX and key.isascii()
    }
    text["name"] = clean_text(text.get("name", ""), limits.NAME_CELLS_MAX, "somebody")
    told = {field: text[key] for key, field in _KEYS.items() if key in text}
    try:
        ad = msgspec.convert({**told, "addresses": addresses, "port": port}, TableAd, strict=False)
    except msgspec.ValidationError:
        return None
    # Every key stands there, and every number as we would write it.
    return ad if txt_of(ad).items() <= text.items() else None


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
        with trio.move_on_after(limits.RESCAN_S):
            changed = when_changed()
            while describe() == ad:
                await changed.wait()
                await trio.sleep(limits.ADVERT_PAUSE_S)
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
    hosts = tuple(endpoint.rpartition(":")[0] for endpoint in endpoints)
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


@asynccontextmanager
async def responder() -> AsyncIterator[Zeroconf]:
    """Speak mDNS on all interfaces within the block. Raises whatever zeroconf and systems do."""
    zeroconf = await trio.to_thread.run_sync(_open_zeroconf)
    try:
        yield zeroconf
    finally:
        with trio.CancelScope(shield=True), suppress(Exception):
            await trio.to_thread.run_sync(zeroconf.close)


def _open_zeroconf() -> Zeroconf:
    from zeroconf import InterfaceChoice, IPVersion, Zeroconf

    # Without a handler of its own, zeroconf's warnings would land on the player's screen.
    logging.getLogger("zeroconf").addHandler(logging.NullHandler())
    return Zeroconf(interfaces=InterfaceChoice.All, ip_version=IPVersion.V4Only, use_asyncio=False)


def why_silent(error: Exception) -> str:
    """Why the responder gave up, in a few words; it raises RuntimeError without an interface."""
    if isinstance(error, RuntimeError):
        return "this computer has no network interface that is up"
    return f"{error.strerror or error}" if isinstance(error, OSError) else type(error).__name__
