"""The identity of a player: one Ed25519 key for each data folder.

The key file holds the 32 secret octets of RFC 8032 and nothing else, and only its owner may read
it. People see the key's fingerprint.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from netgame.crypto.signing import SIGNING_SEED_BYTES, make_signing_key
from netgame.errors import DiskTrouble
from netgame.io.disk.storage import read_secret, seen_at, write_new_secret
from netgame.io.entropy import fresh_octets
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.text import fingerprint

KEY_FILE: Final = "identity.key"


class Identity:
    """A key pair that signs (a `Signer` of the protocol); `public` names the peer everywhere.

    It is made from 32 secret octets; any other number raises `LocalMisuse`. `public_bytes` is the
    same as `public`.
    """

    def __init__(self, seed: bytes) -> None:
        key = make_signing_key(seed)
        self.sign = key.sign
        self.public_bytes = self.public = PeerKey(key.public_bytes)

    def __repr__(self) -> str:
        """Return a text with the fingerprint, never the secret."""
        return f"Identity({fingerprint(self.public)})"

    @classmethod
    def ephemeral(cls) -> Identity:
        """Return an identity with a fresh key that is not stored anywhere."""
        return cls(fresh_octets(SIGNING_SEED_BYTES))


def load_or_create(data_dir: Path, seed: bytes | None = None) -> Identity:
    """Return the identity of `data_dir`, made on first use from `seed` or fresh octets.

    If there is a key already, `seed` is ignored. Missing folders are made. Two processes that start
    at once agree on one key. Raises `DiskTrouble`, also if the file is not a key or others may read
    it.
    """
    path = data_dir / KEY_FILE
    if seen_at(path) is None:
        write_new_secret(path, seed or fresh_octets(SIGNING_SEED_BYTES))
    octets = read_secret(path)
    if len(octets) != SIGNING_SEED_BYTES:
        text = "{path} is not a key file: {octets} octets instead of 32"
        raise DiskTrouble(text, path=path, octets=len(octets))
    return Identity(octets)


def default_data_dir(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder named by `BONEYARD_DATA`, or the usual one for a user's data.

    Nothing is created.
    """
    chosen = environment.get("BONEYARD_DATA")
    if chosen:
        return Path(chosen).expanduser()
    from platformdirs import user_data_path

    return user_data_path("boneyard", appauthor=False)
