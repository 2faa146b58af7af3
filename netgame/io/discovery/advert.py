"""What a table says of itself to the whole network, and how little of it is believed.

An advertisement is a hint: its text is display text, its fingerprint a label. Who answers at the
address proves its key, and the lobby's signed entries say what is played [protocol.md §3.4].
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from netgame import limits
from netgame.protocol.text import clean_text

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

    `name` is the host's (clean text), `table_id` 128 hexadecimal characters, `fingerprint` that of
    the key which answers there (the host's, or who stands in for it), `pip_max` the set,
    `addresses` IP addresses without port, `code_number` that of the join code that newcomers need,
    0 if they need none.
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
    """Return the name of the service: the host's, and what tells table and announcer apart.

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
    text = _texts(properties)
    text["name"] = clean_text(text.get("name", ""), limits.NAME_CELLS_MAX, "somebody")
    told = {field: text[key] for key, field in _KEYS.items() if key in text}
    try:
        ad = msgspec.convert({**told, "addresses": addresses, "port": port}, TableAd, strict=False)
    except msgspec.ValidationError:
        return None
    # Every key stands there, and every number as we would write it.
    return ad if txt_of(ad).items() <= text.items() else None


def _texts(properties: Mapping[bytes, bytes | None]) -> dict[str, str]:
    return {
        key.decode("ascii"): value.decode(errors="replace")
        for key, value in properties.items()
        if value is not None and len(value) <= limits.ADVERT_VALUE_BYTES_MAX and key.isascii()
    }
