"""A table's mDNS advertisement: composing it, keeping it current, and reading it with distrust.

An advertisement is a hint: its text is only shown, and its fingerprint only labels it. The peer at
the address proves its key, and the lobby's signed entries say what is played [peer.md §3]. If
anything goes wrong here, the player is told in one sentence: tables can be joined by address too.

zeroconf runs in a thread of its own, and is imported only when it is used.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

import msgspec
import trio
from msgspec import Meta
from msgspec.structs import replace

from netgame import limits
from netgame.frozen import FrozenStruct
from netgame.io.abilities import ABILITIES, Unable
from netgame.io.network.addresses import Address
from netgame.io.network.interfaces import lan_hosts, own_addresses
from netgame.io.network.listen import LOOPBACK
from netgame.io.work import apart
from netgame.protocol.text import clean_text
from netgame.saying import Saying, saying

if TYPE_CHECKING:
    from zeroconf import InterfaceChoice, IPVersion, ServiceInfo, Zeroconf

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
"""The keys of the TXT record, each with its field of `TableAd`."""


class TableAd(FrozenStruct):
    """The advertisement of a table."""

    name: str
    """The name of the announcer, who is the host or its stand-in; clean text."""
    table_id: Annotated[str, Meta(pattern=r"^[0-9a-f]{128}\Z")]
    """In hexadecimal."""
    fingerprint: Annotated[str, Meta(pattern=r"^[a-z2-7]{8}\Z")]
    """The fingerprint of the announcer's key; the peer with that key answers there."""
    preset: Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,32}\Z")]
    pip_max: Annotated[int, Meta(ge=6, le=18, multiple_of=3)]
    """The set, by its highest pip."""
    seats_taken: Annotated[int, Meta(ge=0, le=limits.SEATS_MAX)]
    seats_offered: Annotated[int, Meta(ge=1, le=limits.SEATS_MAX)]
    phase: TablePhase
    addresses: Annotated[tuple[str, ...], Meta(min_length=1)]
    """IP addresses, without port."""
    port: Annotated[int, Meta(ge=1, le=65_535)]
    version: Annotated[int, Meta(ge=0, le=65_535)] = limits.PROTOCOL_VERSION
    code_number: Annotated[int, Meta(ge=0, le=limits.CODE_NUMBER_MAX)] = 0
    """The number of the join code that newcomers need; 0 if they need none."""
    others: tuple[TableAd, ...] = ()
    """Other advertisements of the same table, by another key or at another place: the host's and
    its stand-in's, or one that somebody has forged. The browser adds them; none is transmitted.
    """

    @property
    def is_open(self) -> bool:
        """True if the table is in the lobby, has a free seat, and uses this program's version."""
        has_room = self.seats_taken < self.seats_offered
        return self.phase == "lobby" and has_room and self.version == limits.PROTOCOL_VERSION

    @property
    def can_watch(self) -> bool:
        """True if a game in this program's version is in progress there: it may be watched."""
        return self.phase == "playing" and self.version == limits.PROTOCOL_VERSION

    @property
    def row(self) -> tuple[str, str]:
        """The pair that identifies this advertisement in a list: the table and its announcer."""
        return self.table_id, self.fingerprint

    @property
    def endpoints(self) -> tuple[str, ...]:
        """Every address as `HOST:PORT`, or `[IPv6]:PORT`."""
        return tuple(str(Address(address, self.port)) for address in self.addresses)


def instance_name(ad: TableAd) -> str:
    """Return the full name of the service: a label for table and announcer, and the type.

    No player's name is in it: a name may begin with a dot, or take another form that some programs
    refuse as a label. A host's stand-in announces the same table while the host's own record may
    still be cached, so the label tells the two apart.
    """
    return f"{_label(ad)}.{SERVICE_TYPE}"


def _label(ad: TableAd) -> str:
    """Return a label for the table and its announcer: ASCII letters and digits around one `-`."""
    return f"{ad.table_id[:12]}-{ad.fingerprint}"


def txt_of(ad: TableAd) -> dict[str, str]:
    """Return the TXT record: each of its keys, with the value of its field as text."""
    return {key: str(getattr(ad, field)) for key, field in _KEYS.items()}


def parse_txt(
    properties: Mapping[bytes, bytes | None], addresses: tuple[str, ...], port: int
) -> TableAd | None:
    """Read a stranger's advertisement; return None if it is not that of a table in this format.

    Return None also without an address, or if any key but the name is missing. A value over
    `ADVERT_VALUE_BYTES_MAX` counts as missing; unknown keys are ignored. The name is cleaned, and
    is "somebody" if empty. If `version` differs from this program's, the other fields may mean
    something else.
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
    # All keys must be there, and all numbers must be written as we write them.
    return ad if txt_of(ad).items() <= text.items() else None


async def advertise(
    describe: Callable[[], TableAd],
    when_changed: Callable[[], trio.Event],
    on_trouble: Callable[[Saying], None],
) -> None:
    """Advertise what `describe` returns, and keep it current until cancelled.

    `when_changed` returns an event that is set when `describe` may return something
    new. The addresses advertised are this computer's own, whatever `describe` returns.
    If advertising fails, call `on_trouble` with a sentence and return.
    """
    try:
        async with responder() as zeroconf:
            await _keep_true(zeroconf, describe, when_changed)
    except Exception as error:
        log.debug("advertising failed", exc_info=error)
        on_trouble(
            saying(
                "This table cannot be announced on the network ({reason}); others can still join "
                "it by its address.",
                reason=why_silent(error),
            )
        )


async def _keep_true(
    zeroconf: Zeroconf, describe: Callable[[], TableAd], when_changed: Callable[[], trio.Event]
) -> None:
    """Register the service, which takes a second or two; then keep it up to date.

    Runs until cancelled; raises the errors of zeroconf and of the system.
    """
    said = await _placed(describe())
    info = _service_info(said, instance_name(said))
    register = partial(zeroconf.register_service, info, allow_name_change=True)
    await apart(register)
    while True:
        with trio.move_on_after(limits.RESCAN_S):
            changed = when_changed()
            while replace(describe(), addresses=said.addresses) == said:
                await changed.wait()
                await trio.sleep(limits.ADVERT_PAUSE_S)
                changed = when_changed()
        await apart(partial(follow_interfaces, zeroconf))
        now = await _placed(describe())
        if now != said:
            said, info = now, _service_info(now, info.name)
            await apart(partial(zeroconf.update_service, info))


async def _placed(ad: TableAd) -> TableAd:
    """Return `ad` with this computer's current addresses, or with loopback if it has none."""
    hosts = await apart(lan_hosts)
    return replace(ad, addresses=hosts or (LOOPBACK,))


def _service_info(ad: TableAd, name: str) -> ServiceInfo:
    from zeroconf import ServiceInfo

    return ServiceInfo(
        SERVICE_TYPE,
        name,
        port=ad.port,
        properties=txt_of(ad),
        server=f"boneyard-{_label(ad)}.local.",
        parsed_addresses=list(ad.addresses),
    )


@asynccontextmanager
async def responder() -> AsyncIterator[Zeroconf]:
    """Speak mDNS on all interfaces within the block, which is given the `Zeroconf`.

    It speaks by IPv4, and by IPv6 where there is any. On entry, raises any error of zeroconf or the
    system, and `Unable` where there is no mDNS. Closing raises nothing.
    """
    if not ABILITIES.get().discovers:
        raise Unable("this program has no mDNS here")
    zeroconf = await apart(_open_zeroconf)
    try:
        yield zeroconf
    finally:
        with trio.CancelScope(shield=True), suppress(Exception):
            await apart(zeroconf.close)


def _open_zeroconf() -> Zeroconf:
    from zeroconf import InterfaceChoice, IPVersion, Zeroconf

    # Without a handler of its own, zeroconf's warnings would land on the player's screen.
    logging.getLogger("zeroconf").addHandler(logging.NullHandler())
    interfaces, version = spoken_from()
    # If an odd IPv6 address makes zeroconf fail altogether, speak IPv4 alone.
    if version is not IPVersion.V4Only:
        with suppress(OSError, RuntimeError):
            return Zeroconf(interfaces, ip_version=version, use_asyncio=False)
    return Zeroconf(InterfaceChoice.All, ip_version=IPVersion.V4Only, use_asyncio=False)


def spoken_from() -> tuple[list[str] | InterfaceChoice, IPVersion]:
    """Return the addresses from which this computer speaks mDNS, and the IP version, for zeroconf.

    These are all IPv4 addresses and, of each interface, one IPv6 address other than loopback. If no
    interface has such an IPv6 address, return `InterfaceChoice.All` and IPv4 alone.
    """
    from zeroconf import InterfaceChoice, IPVersion

    mine = sorted(own_addresses(), key=lambda each: not each.number.is_link_local)
    four = [str(each.number) for each in mine if each.number.version == 4]
    six: dict[str, str] = {}
    for each in mine:
        if each.number.version == 6 and not each.number.is_loopback:
            six.setdefault(each.interface, str(each.number))
    if not six:
        return InterfaceChoice.All, IPVersion.V4Only
    return [*four, *six.values()], IPVersion.All


def follow_interfaces(zeroconf: Zeroconf) -> None:
    """Begin to speak mDNS on interfaces that have come up, and stop on those that are gone.

    Blocks.
    """
    interfaces, version = spoken_from()
    with suppress(RuntimeError):  # one has just gone: the next call notices
        zeroconf.update_interfaces(interfaces, ip_version=version)


def why_silent(error: Exception) -> Saying:
    """Return in a few words why the responder failed.

    zeroconf raises RuntimeError if no network interface is up.
    """
    if isinstance(error, RuntimeError):
        return saying("this computer has no network interface that is up")
    if isinstance(error, Unable):
        return error.said
    if isinstance(error, OSError):
        return Saying(f"{error.strerror or error}")
    return Saying(type(error).__name__)
