"""The peers this player has met, how each was proved, and a warning when a key changes.

The file is TOML, one `[[peer]]` for each name at an address. `how` is `code` when a join code has
proved the key, so that no code is needed again, and `open` when the table asked for none. An entry
whose key differs from the one shown today is never overwritten; the player must remove it.

If the file is damaged, the game goes on: nobody counts as known, the player is told, and the file
is set aside, not overwritten, when the next peer is noted.
"""

import re
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

import msgspec
import tomli_w
from msgspec.structs import asdict, replace

from netgame.crypto.signing import is_public_key
from netgame.errors import DiskTrouble
from netgame.frozen import FrozenStruct
from netgame.io import clock
from netgame.io.disk.storage import (
    STORAGE,
    create_folder,
    disk_sentences,
    free_name,
    read_kept,
    replace_file,
)
from netgame.limits import KNOWN_PEERS_MAX, RECORD_BYTES_MAX
from netgame.protocol.text import fingerprint
from netgame.saying import Saying, saying

How = Literal["code", "open"]

FILE_NAME: Final = "known-peers.toml"
_OCTETS_MAX: Final = 16 * 1024 * 1024
"""The largest file that is read: eighty times the size of `KNOWN_PEERS_MAX` peers."""
_JSON_PAIR: Final = re.compile(r"\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})")
"""The escape that earlier versions wrote for a character beyond U+FFFF; TOML forbids it."""


class KnownPeer(FrozenStruct):
    """A key that once answered as `name` at `address`.

    All fields are as in the file, which anybody may have edited. Days are ISO dates.
    """

    name: str
    address: str
    key: str
    """In hexadecimal."""
    first_seen: str
    last_seen: str
    how: str = "open"
    convicted: str = ""
    """The day on which this key was proved to have broken the rules; empty if it was not."""


class _PeersFile(FrozenStruct):
    peer: tuple[KnownPeer, ...] = ()


class KnownPeers:
    """The known-peers file of a data folder; if it could not be read, `trouble` says why.

    Every public method reads the file again, and sets `trouble`: to None if the file is sound.
    """

    def __init__(self, data_dir: Path) -> None:
        self.path = data_dir / FILE_NAME
        self.trouble: Saying | None = None

    def read(self) -> tuple[KnownPeer, ...]:
        """Return all peers in the file, usually with the last seen at the end; none without a file.

        Return () too, and set `trouble`, if it is damaged. Raises `DiskTrouble` if the system
        denies access to it.
        """
        self.trouble = None
        octets = b""
        with disk_sentences("read", self.path), suppress(FileNotFoundError):
            octets = read_kept(self.path, _OCTETS_MAX + 1)
        try:
            if len(octets) > _OCTETS_MAX:
                raise ValueError
            text = _JSON_PAIR.sub(
                lambda pair: bytes.fromhex(pair[1] + pair[2]).decode("utf-16-be"), octets.decode()
            )
            return msgspec.convert(tomllib.loads(text), _PeersFile).peer
        except (ValueError, RecursionError, msgspec.MsgspecError):
            self.trouble = saying(
                "{path} is damaged, so nobody counts as known, and a changed key is not noticed. "
                "Repair it, or it becomes {aside} when somebody is noted",
                path=self.path,
                aside=self._aside().name,
            )
            return ()

    def _aside(self) -> Path:
        """Return the first free name under which a damaged file can be set aside."""
        return free_name(self.path.with_name("known-peers.broken.toml"), 1)

    def trusted(self) -> frozenset[bytes]:
        """Return the keys that a join code has proved and that are not convicted.

        Raises `DiskTrouble`.
        """
        proved = (p.key for p in self.read() if p.how == "code" and not p.convicted)
        return frozenset(bytes.fromhex(key) for key in proved if _is_key(key))

    def address_of(self, key: bytes) -> str:
        """Return the address at which this key answered last; empty if the key is not known.

        Raises `DiskTrouble`.
        """
        found = [peer.address for peer in self.read() if peer.key == key.hex()]
        return found[-1] if found else ""

    def warning(self, name: str | None, address: str, key: bytes) -> Saying | None:
        """Return a warning if `key` is unknown and another is known at `address`; otherwise None.

        Without a `name`, every peer known at that address counts. `key` counts as known at any
        address where it answered, but under that `name` if one is given. Raises `DiskTrouble`.
        """
        peers = self.read()
        if any(peer.key == key.hex() and name in (None, peer.name) for peer in peers):
            return None
        others = (peer for peer in peers if peer.address == address and name in (None, peer.name))
        found = next((peer for peer in others if peer.key != key.hex()), None)
        return _warning(found, key, self.path) if found else None

    def meet(
        self, name: str, address: str, key: bytes, how: How = "open", today: str | None = None
    ) -> Saying | None:
        """Note that `key` answered as `name` at `address`.

        If another key is known there by that name, note nothing and return a warning; otherwise
        return None. A key that a code has proved stays proved. `name` must be clean text; `today`
        is an ISO date. A damaged file is set aside; beyond `KNOWN_PEERS_MAX` the peers seen longest
        ago are forgotten. Raises `DiskTrouble`.
        """
        day = today or clock.today()
        peers = self.read()
        known = [peer for peer in peers if (peer.name, peer.address) == (name, address)]
        strangers = [peer for peer in known if peer.key != key.hex()]
        if strangers:
            return _warning(strangers[0], key, self.path)
        others = tuple(peer for peer in peers if peer not in known)
        peer = known[0] if known else KnownPeer(name, address, key.hex(), day, day, how)
        proved = "code" if how == "code" else peer.how
        self._write((*others, replace(peer, last_seen=day, how=proved)))
        return None

    def forget(self, key: bytes) -> None:
        """Remove every entry of this key, so that it is no longer known; raises `DiskTrouble`.

        A convicted key keeps its entries, but needs a code again even after a pardon. A damaged
        file is left as it is.
        """
        peers = self.read()
        kept = tuple(
            replace(peer, how="open") if peer.key == key.hex() else peer
            for peer in peers
            if peer.key != key.hex() or peer.convicted
        )
        if kept != peers:
            self._write(kept)

    def convicted(self) -> frozenset[bytes]:
        """Return the keys that are noted as having broken the rules; raises `DiskTrouble`."""
        found = (peer.key for peer in self.read() if peer.convicted)
        return frozenset(bytes.fromhex(key) for key in found if _is_key(key))

    def convict(self, key: bytes, name: str, address: str, today: str | None = None) -> None:
        """Note that this key has broken the rules; raises `DiskTrouble`.

        `name` and `address` are noted if the key is not known yet.
        """
        day = today or clock.today()
        peers = self.read()
        if not any(peer.key == key.hex() for peer in peers):
            peers = (*peers, KnownPeer(name, address, key.hex(), day, day))
        self._write(_marked(peers, key, day))

    def pardon(self, key: bytes) -> None:
        """Clear this key's conviction in every entry of it; raises `DiskTrouble`."""
        peers = self.read()
        if _marked(peers, key, "") != peers:
            self._write(_marked(peers, key, ""))

    def _write(self, peers: tuple[KnownPeer, ...]) -> None:
        kept = sorted(peers, key=lambda peer: peer.last_seen)[-KNOWN_PEERS_MAX:]
        try:
            text = tomli_w.dumps({"peer": [asdict(peer) for peer in kept]}).encode()
        except UnicodeEncodeError:
            why = "cannot write {path}: half a character is no text"
            raise DiskTrouble(why, path=self.path) from None
        create_folder(self.path.parent)
        if self.trouble is not None:
            with disk_sentences("set aside", self.path):
                octets = read_kept(self.path, RECORD_BYTES_MAX)
                STORAGE.get().replace(self._aside(), octets)
        replace_file(self.path, text)


def _marked(peers: tuple[KnownPeer, ...], key: bytes, day: str) -> tuple[KnownPeer, ...]:
    """Return `peers` with `day` as the day of conviction of `key`; an empty `day` clears it."""
    return tuple(replace(p, convicted=day) if p.key == key.hex() else p for p in peers)


def _warning(known: KnownPeer, key: bytes, path: Path) -> Saying:
    return saying(
        "WARNING: {name} at {address} shows a different key from before: {key}. Known since {day} "
        "is {before}. Somebody may pose as {name}; if the key was changed on purpose, remove the "
        "entry from {path}",
        name=known.name,
        address=known.address,
        key=fingerprint(key),
        day=known.first_seen,
        before=fingerprint(bytes.fromhex(known.key)) if _is_key(known.key) else known.key,
        path=path,
    )


def _is_key(text: str) -> bool:
    """Return True if this is a usable public key of 32 octets, in hexadecimal."""
    try:
        return is_public_key(bytes.fromhex(text))
    except ValueError:
        return False
