"""Unambiguous hashing: what every commitment, challenge and digest is made of (protocol.md 5.0).

H(tag, parts...) is SHA-512 of the tag and the parts, each behind its length in four octets, a list
behind its count and then its parts one by one. Every tag in use is a constant below, so that two
purposes cannot share one by accident; so is every text that a context may carry. The page lists
both, and a test compares them (protocol.md 5.0, 5.2).
"""

from collections.abc import Sequence
from hashlib import sha512
from typing import Final, TypeAlias, Union

from netgame.crypto.group import POINT_BYTES, Q

Part: TypeAlias = Union[bytes, int, str, Sequence["Part"], None]  # noqa: UP007 (recursive)
"""Octets; a number below 2^64; ASCII text; None for the point at infinity; or a list of parts."""

DIGEST_BYTES: Final = 64

TAG_STEP: Final = "step"
TAG_RULES: Final = "rules"
TAG_ROSTER: Final = "roster"
TAG_TABLE: Final = "table"
TAG_COIN: Final = "n"
TAG_SESSION: Final = "sid"
TAG_SEAT: Final = "seat"
TAG_FIRST: Final = "first"
TAG_CONTEXT: Final = "ctx"
TAG_KEY: Final = "key"
TAG_SEED: Final = "seed"
TAG_POSSESSION: Final = "pop"
TAG_DECK: Final = "deck"
TAG_SHUFFLE: Final = "sh"
TAG_SHUFFLE_SEED: Final = "y"
TAG_SHUFFLE_WEIGHT: Final = "u"
TAG_SHUFFLE_CHALLENGE: Final = "c"
TAG_REVEAL: Final = "rho"
TAG_REVEAL_WEIGHT: Final = "rho-p"
TAG_REVEAL_CHALLENGE: Final = "dleq"
TAG_HAND: Final = "hand"
TAG_HAND_OVER: Final = "over"
TAG_OPENING: Final = "opening"
TAG_REBUILD: Final = "rebuild"
LABEL_BLIND: Final = "blind"
TAG_EXPAND: Final = "expand"

CONTEXT_PHASES: Final = frozenset(
    {
        "key-commit",
        "key-open",
        "deck",
        "shares",
        "lay",
        "draw",
        "pass",
        "act",
        "opening-commit",
        "hand-over",
        "mix-hand",
        "rebuild",
        "blind",
        "unblind",
        "open",
    }
)
"""What a context says is proved: the tag of the entry whose content it is (protocol.md 5.2)."""

_INFINITY: Final = bytes(POINT_BYTES)
_NUMBER_LENGTH: Final = (8).to_bytes(4, "big")


def _write(out: list[bytes], part: Part) -> None:
    if type(part) is bytes:
        out.append(len(part).to_bytes(4, "big"))
        out.append(part)
    elif part is None:
        _write(out, _INFINITY)
    elif isinstance(part, int):
        out.append(_NUMBER_LENGTH)
        out.append(part.to_bytes(8, "big"))
    elif isinstance(part, str):
        _write(out, part.encode("ascii"))
    elif isinstance(part, (bytearray, memoryview)):
        _write(out, bytes(part))
    else:
        out.append(len(part).to_bytes(4, "big"))
        for member in part:
            if type(member) is bytes:  # most members are points: no call for each
                out += (len(member).to_bytes(4, "big"), member)
            else:
                _write(out, member)


def encode_parts(*parts: Part) -> bytes:
    """Give the octets that are hashed for `parts`."""
    out: list[bytes] = []
    for part in parts:
        _write(out, part)
    return b"".join(out)


def digest(tag: str, *parts: Part) -> bytes:
    """Give H(tag, parts): 64 octets. Scalars are passed as their 32 octets, O as None."""
    return sha512(encode_parts(tag, *parts)).digest()


def digest_int(tag: str, *parts: Part) -> int:
    """Give H(tag, parts) read as a big-endian number below 2^512."""
    return int.from_bytes(digest(tag, *parts), "big")


def challenge(tag: str, *parts: Part) -> int:
    """Give H(tag, parts) modulo Q: the challenge of a proof."""
    return digest_int(tag, *parts) % Q


def weight(tag: str, *parts: Part) -> int:
    """Give H(tag, parts) modulo 2^128: a factor of a combination, or a short challenge."""
    return digest_int(tag, *parts) & ((1 << 128) - 1)


def context(sid: bytes, round_number: int, phase: str, seat: int, step: int, head: bytes) -> bytes:
    """Give what a proof is bound to: the session, the round, who, and the place in the log.

    `step` is that of the entry whose content is proved, `head` the digest of the step before it
    (protocol.md 5.2). It goes first into every challenge, so no proof can be moved. `phase` is one
    of `CONTEXT_PHASES`: that is our own text, never a peer's.
    """
    assert phase in CONTEXT_PHASES, phase
    return digest(TAG_CONTEXT, sid, round_number, phase, seat, step, head)
