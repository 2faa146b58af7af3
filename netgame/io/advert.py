"""What a table says of itself to the whole network, and how little of it is believed.

An advertisement is a hint: its text is display text, its fingerprint a label. Who answers at the
address proves its key, and the lobby's signed entries say what is played [protocol.md §3.4].
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from netgame.limits import (
    ADVERT_VALUE_BYTES_MAX,
    CODE_NUMBER_MAX,
    NAME_CELLS_MAX,
    PROTOCOL_VERSION,
    SEATS_MAX,
)
from netgame.protocol.text import clean_text

SERVICE_TYPE: Final = "_boneyard._tcp.local."
PHASES: Final = ("lobby", "playing", "over")

_INSTANCE_BYTES_MAX: Final = 60
"""mDNS allows 63 octets; three are left for the `-2` of a name that is taken."""

_WORD: Final = re.compile(r"[a-z0-9-]{1,32}")
_HEX: Final = re.compile(r"[0-9a-f]{128}")
_FINGERPRINT: Final = re.compile(r"[a-z2-7]{8}")
_SETS: Final = range(6, 19, 3)
_VERSION_MAX: Final = 65_535


@dataclass(frozen=True, slots=True)
class TableAd:
    """A table somebody offers.

    `name` is the host's (clean text), `table_id` 128 hexadecimal characters, `fingerprint` that of
    the key which answers there (the host's, or who stands in for it), `pip_max` the set, `phase`
    one of `PHASES`, `addresses` IP addresses without port, `code_number` that of the join code that
    newcomers need, 0 if they need none.
    """

    name: str
    table_id: str
    fingerprint: str
    preset: str
    pip_max: int
    seats_taken: int
    seats_offered: int
    phase: str
    addresses: tuple[str, ...]
    port: int
    version: int = PROTOCOL_VERSION
    code_number: int = 0

    @property
    def is_open(self) -> bool:
        """Whether somebody who speaks our version could sit down."""
        has_room = self.seats_taken < self.seats_offered
        return self.phase == "lobby" and has_room and self.version == PROTOCOL_VERSION

    @property
    def can_watch(self) -> bool:
        """Whether a game is going on there at which one may look on."""
        return self.phase == "playing" and self.version == PROTOCOL_VERSION

    @property
    def endpoints(self) -> tuple[str, ...]:
        """Every address as `HOST:PORT`."""
        return tuple(f"{address}:{self.port}" for address in self.addresses)


def instance_name(ad: TableAd) -> str:
    """Return the name of the service: the host's, and what tells table and announcer apart.

    Who stands in for a host announces the same table; the host's own record may still be cached.
    """
    suffix = f" {ad.table_id[:6]}-{ad.fingerprint[:4]}"
    room = _INSTANCE_BYTES_MAX - len(suffix)
    name = clean_text(ad.name, NAME_CELLS_MAX, "table").encode()[:room].decode(errors="ignore")
    return f"{name}{suffix}.{SERVICE_TYPE}"


def txt_of(ad: TableAd) -> dict[str, str]:
    """Return the TXT record."""
    return {
        "v": str(ad.version),
        "id": ad.table_id,
        "fp": ad.fingerprint,
        "name": ad.name,
        "preset": ad.preset,
        "set": str(ad.pip_max),
        "taken": str(ad.seats_taken),
        "seats": str(ad.seats_offered),
        "phase": ad.phase,
        "code": str(ad.code_number),
    }


def parse_txt(
    properties: Mapping[bytes, bytes | None], addresses: tuple[str, ...], port: int
) -> TableAd | None:
    """Read what a stranger advertises; None for whatever is not a table's.

    Of another version only the version is sure to mean the same, so it alone decides then.
    """
    text = _texts(properties)
    version = _number(text.get("v", ""), 0, _VERSION_MAX)
    name = clean_text(text.get("name", ""), NAME_CELLS_MAX, "somebody")
    table_id, fingerprint = text.get("id", ""), text.get("fp", "")
    preset, phase = text.get("preset", ""), text.get("phase", "")
    pip_max = _number(text.get("set", ""), _SETS[0], _SETS[-1])
    taken = _number(text.get("taken", ""), 0, SEATS_MAX)
    seats = _number(text.get("seats", ""), 1, SEATS_MAX)
    number = _number(text.get("code", ""), 0, CODE_NUMBER_MAX)
    if version is None or pip_max is None or taken is None or seats is None or number is None:
        return None
    words_fit = _WORD.fullmatch(preset) and phase in PHASES and pip_max in _SETS
    if not (words_fit and _HEX.fullmatch(table_id) and _FINGERPRINT.fullmatch(fingerprint)):
        return None
    if not addresses or not 0 < port <= _VERSION_MAX:
        return None
    return TableAd(
        name,
        table_id,
        fingerprint,
        preset,
        pip_max,
        taken,
        seats,
        phase,
        addresses,
        port,
        version,
        number,
    )


def _texts(properties: Mapping[bytes, bytes | None]) -> dict[str, str]:
    texts = {}
    for key, value in properties.items():
        if value is None or len(value) > ADVERT_VALUE_BYTES_MAX or not key.isascii():
            continue
        texts[key.decode("ascii")] = value.decode(errors="replace")
    return texts


def _number(text: str, least: int, most: int) -> int | None:
    """Read a short decimal number within bounds."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most))):
        return None
    number = int(text)
    return number if least <= number <= most else None
