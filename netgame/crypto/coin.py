"""The table's coin: all seats together draw the seat order and the first player (protocol.md 5.2).

    tid   table id          r_k   32 secret octets of seat k, committed before any is shown
    sid   session id        key   32 octets, a seat's identity key

A seat that commits and then does not reveal is removed from the roster, and the others commit
again. So a second throw costs a seat, and seats that are willing to be removed can bias the coin.
"""

from collections.abc import Sequence

from netgame.crypto.transcript import Tag, digest, digest_int
from netgame.errors import LocalMisuse


def table_id(host_key: bytes, nonce: bytes) -> bytes:
    """Return the id of a table: H("table", host key, 32 random octets), 64 octets."""
    return digest(Tag.TABLE, host_key, nonce)


def coin_commitment(tid: bytes, key: bytes, secret: bytes) -> bytes:
    """Return H("n", tid, key, secret), 64 octets: the seat's commitment to 32 secret octets.

    `tid` is the id of the epoch: the table's, unless somebody has left or a session has begun.
    """
    return digest(Tag.COIN, tid, key, secret)


def session_id(
    tid: bytes,
    version: int,
    rules_hash: bytes,
    roster_keys: Sequence[bytes],
    commit_step_digest: bytes,
    secrets: Sequence[bytes],
) -> bytes:
    """Return the id of the session: 64 octets that nobody could choose.

    `roster_keys` must be sorted as octets, without repeats, and `secrets` must be in the same
    order. LocalMisuse for unsorted or repeated keys, or if there are not as many secrets as keys.
    """
    if list(roster_keys) != sorted(set(roster_keys)) or len(secrets) != len(roster_keys):
        raise LocalMisuse("a roster is sorted, has no key twice, and one secret for each key")
    return digest(Tag.SESSION, tid, version, rules_hash, roster_keys, commit_step_digest, secrets)


def seat_order(sid: bytes, keys: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return the identity keys in seat order: ascending H("seat", sid, key)."""
    return tuple(sorted(keys, key=lambda key: digest(Tag.SEAT, sid, key)))


def first_seat(sid: bytes, seats: int) -> int:
    """Return the seat that plays first: H("first", sid) modulo `seats`."""
    return digest_int(Tag.FIRST, sid) % seats
