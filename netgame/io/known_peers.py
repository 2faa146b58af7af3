"""Whom this player has met, what showed that it was they, and a loud word when a key changes.

The file is TOML, one `[[peer]]` for each name at an address. `how` is `code` when a join code has
proved the key, so that none is asked again, and `open` when the table asked for none. An entry
whose key differs from the one shown today is never overwritten; the person must remove it.
"""

from __future__ import annotations

import datetime
import json
import tomllib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from netgame.io.files import create_folder, disk_sentences, replace_file
from netgame.protocol.fingerprint import fingerprint

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["How", "KnownPeer", "KnownPeers"]

How = Literal["code", "open"]

FILE_NAME: Final = "known-peers.toml"
PEERS_MAX: Final = 1_000
"""Peers remembered; those seen longest ago are forgotten first."""


@dataclass(frozen=True, slots=True)
class KnownPeer:
    """A key that once answered to `name` at `address`; the days are ISO dates."""

    name: str
    address: str
    key: str
    first_seen: str
    last_seen: str
    how: str = "open"


class KnownPeers:
    """The known-peers file of a data folder."""

    def __init__(self, data_dir: Path) -> None:
        self.path = data_dir / FILE_NAME

    def read(self) -> tuple[KnownPeer, ...]:
        """Return all peers in the file; a damaged file counts as an error, not as empty.

        Raises `DiskTrouble`.
        """
        if not self.path.exists():
            return ()
        with disk_sentences("read", self.path):
            try:
                tables = tomllib.loads(self.path.read_text("utf-8")).get("peer", [])
                return tuple(_peer(table) for table in tables)
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                raise OSError(0, f"not a list of known peers ({error})") from error

    def trusted(self) -> frozenset[bytes]:
        """Return the keys that a join code has proved. Raises `DiskTrouble`."""
        proved = (peer.key for peer in self.read() if peer.how == "code")
        return frozenset(bytes.fromhex(key) for key in proved if _is_hex(key))

    def trusts(self, key: bytes) -> bool:
        """Whether a join code has proved this key before. Raises `DiskTrouble`."""
        return key in self.trusted()

    def warning(self, name: str | None, address: str, key: bytes) -> str | None:
        """Return what to say if only another key than `key` is known there; None if all is well.

        Without a `name` everybody known at that address counts. Raises `DiskTrouble`.
        """
        peers = self.read()
        if any(peer.key == key.hex() and name in (None, peer.name) for peer in peers):
            return None
        others = (peer for peer in peers if peer.address == address and peer.key != key.hex())
        found = next((peer for peer in others if name in (None, peer.name)), None)
        return _warning(found, key, self.path) if found else None

    def meet(
        self, name: str, address: str, key: bytes, how: How = "open", today: str | None = None
    ) -> str | None:
        """Note that `key` answered to `name` at `address`; a warning if another key did before.

        `name` is already clean text. Raises `DiskTrouble`.
        """
        day = today or datetime.datetime.now(datetime.UTC).date().isoformat()
        peers = self.read()
        known = [peer for peer in peers if (peer.name, peer.address) == (name, address)]
        strangers = [peer for peer in known if peer.key != key.hex()]
        if strangers:
            return _warning(strangers[0], key, self.path)
        others = tuple(peer for peer in peers if peer not in known)
        if known:
            kept: str = "code" if how == "code" else known[0].how
            self._write((*others, replace(known[0], last_seen=day, how=kept)))
        else:
            self._write((*others, KnownPeer(name, address, key.hex(), day, day, how)))
        return None

    def _write(self, peers: tuple[KnownPeer, ...]) -> None:
        create_folder(self.path.parent)
        kept = sorted(peers, key=lambda peer: peer.last_seen)[-PEERS_MAX:]
        replace_file(self.path, "\n".join(_toml(peer) for peer in kept).encode())


def _peer(table: dict[str, str]) -> KnownPeer:
    peer = KnownPeer(
        table["name"],
        table["address"],
        table["key"],
        table["first_seen"],
        table["last_seen"],
        table.get("how", "open"),
    )
    if not all(isinstance(getattr(peer, name), str) for name in KnownPeer.__slots__):
        raise TypeError("every field is text")
    return peer


def _toml(peer: KnownPeer) -> str:
    # A JSON string is a TOML basic string, as control characters are escaped in both.
    lines = [f"{field} = {json.dumps(getattr(peer, field))}\n" for field in KnownPeer.__slots__]
    return "[[peer]]\n" + "".join(lines)


def _warning(known: KnownPeer, key: bytes, path: Path) -> str:
    before = fingerprint(bytes.fromhex(known.key)) if _is_hex(known.key) else known.key
    return (
        f"WARNING: {known.name} at {known.address} shows another key than before: "
        f"{fingerprint(key)}, known since {known.first_seen} as {before}. Somebody may pose as "
        f"{known.name}; if the key was changed on purpose, remove the entry from {path}"
    )


def _is_hex(text: str) -> bool:
    try:
        bytes.fromhex(text)
    except ValueError:
        return False
    return True
