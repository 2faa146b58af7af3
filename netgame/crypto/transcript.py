"""Unambiguous hashing, and streams of octets derived from it: protocol.md 5.0.

H(tag, parts...) is SHA-512 of the tag and the parts, each preceded by its length in four octets; a
list is its count and then its parts one by one. Every tag in use is a constant below, so that two
purposes cannot share one by accident; so is every phase that a context may carry. protocol.md lists
both (5.0, 5.2), and a test compares them.

The streams are the same after a restart. Every secret of a round is derived from a table secret of
32 octets and the place in the log. So a process that died between writing an entry and sending it
finds the same permutation again, and never makes a second one for the same input. Test vectors and
`--seed` use such streams, too.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from hashlib import sha512
from itertools import count
from typing import Final, TypeAlias, Union

from netgame.crypto.group import POINT_BYTES, Entropy, Q
from netgame.errors import LocalMisuse

Part: TypeAlias = Union[bytes, int, str, Sequence["Part"], None]  # noqa: UP007 (recursive)
"""Octets; a number below 2^64; ASCII text; None for the point at infinity; or a list of parts."""

DIGEST_BYTES: Final = 64
SEED_BYTES: Final = 32


class Tag(StrEnum):
    """The purpose of a hash; no two purposes share a tag (protocol.md 5.0)."""

    STEP = "step"
    EPOCH = "epoch"
    STATEMENT = "statement"
    RULES = "rules"
    ROSTER = "roster"
    TABLE = "table"
    COIN = "n"
    SESSION = "sid"
    SEAT = "seat"
    FIRST = "first"
    CONTEXT = "ctx"
    KEY = "key"
    POSSESSION = "pop"
    DECK = "deck"
    SHUFFLE = "sh"
    SHUFFLE_SEED = "y"
    SHUFFLE_WEIGHT = "u"
    SHUFFLE_CHALLENGE = "c"
    REVEAL = "rho"
    REVEAL_WEIGHT = "rho-p"
    REVEAL_CHALLENGE = "dleq"
    HAND = "hand"
    HAND_OVER = "over"
    OPENING = "opening"
    REBUILD = "rebuild"
    EXPAND = "expand"


CONTEXT_PHASES: Final = frozenset(
    {
        "key-commit",
        "key-open",
        "deck",
        "shares",
        "lay",
        "draw",
        "pass",
        "chain",
        "hub",
        "none",
        "show",
        "declare",
        "silent",
        "opening-commit",
        "hand-over",
        "mix-hand",
        "rebuild",
        "blind",
        "unblind",
        "open",
    }
)
"""The phases of a context: the tag of the entry whose content is proved (protocol.md 5.2)."""


def _write(out: list[bytes], parts: Iterable[Part]) -> None:
    for part in parts:
        if type(part) is bytes:  # most parts are points
            octets = part
        elif part is None:
            # O: no other point is encoded as zeros.
            octets = bytes(POINT_BYTES)
        elif isinstance(part, int):
            octets = part.to_bytes(8, "big")
        elif isinstance(part, str):
            octets = part.encode("ascii")
        elif isinstance(part, (bytearray, memoryview)):
            octets = bytes(part)
        else:
            out.append(len(part).to_bytes(4, "big"))
            _write(out, part)
            continue
        out += (len(octets).to_bytes(4, "big"), octets)


def encode_parts(*parts: Part) -> bytes:
    """Return the octets hashed for `parts`: each with its length, a list with its count.

    OverflowError for a number outside 0..2^64-1, UnicodeEncodeError for text that is not ASCII.
    """
    out: list[bytes] = []
    _write(out, parts)
    return b"".join(out)


def digest(tag: Tag, *parts: Part) -> bytes:
    """Return H(tag, parts): 64 octets. Scalars are passed as their 32 octets, O as None."""
    return sha512(encode_parts(tag, *parts)).digest()


def digest_int(tag: Tag, *parts: Part) -> int:
    """Return H(tag, parts) read as a big-endian number below 2^512."""
    return int.from_bytes(digest(tag, *parts), "big")


def challenge(tag: Tag, *parts: Part) -> int:
    """Return H(tag, parts) modulo Q: the challenge of a proof."""
    return digest_int(tag, *parts) % Q


def weight(tag: Tag, *parts: Part) -> int:
    """Return H(tag, parts) modulo 2^128: a factor in a sum of equations, or a short challenge."""
    return digest_int(tag, *parts) & ((1 << 128) - 1)


def context(sid: bytes, round_number: int, phase: str, seat: int, step: int, head: bytes) -> bytes:
    """Return the octets to which a proof is bound: session, round, seat, and place in the log.

    `step` is the step of the entry whose content is proved, and `head` the digest of the step
    before it (protocol.md 5.2). Every challenge hashes the context first, so a proof is not valid
    in any other place. `phase` must be one of `CONTEXT_PHASES`. `sid` is the id in the entry.
    """
    # An assertion, because every caller passes a literal.
    assert phase in CONTEXT_PHASES, phase
    return digest(Tag.CONTEXT, sid, round_number, phase, seat, step, head)


def expand(seed: bytes, label: str, *parts: Part) -> Entropy:
    """Return the stream H("expand", seed, label, parts, counter), counter = 0, 1, 2, ...

    Each call of the stream returns the octets after those already taken. Equal arguments give equal
    streams, so `parts` must contain everything that distinguishes two uses: for a permutation, the
    context and the digest of the input deck (protocol.md 5.5). LocalMisuse unless the seed is 32
    octets.
    """
    if len(seed) != SEED_BYTES:
        raise LocalMisuse("a seed is 32 octets")
    common = sha512(encode_parts(Tag.EXPAND, seed, label, parts))
    counter, spare = count(), b""

    def draw(size: int) -> bytes:
        nonlocal spare
        while len(spare) < size:
            block = common.copy()
            block.update(encode_parts(next(counter)))
            spare += block.digest()
        drawn, spare = spare[:size], spare[size:]
        return drawn

    return draw


def hedge(entropy: Entropy, label: str, *parts: Part) -> Entropy:
    """Return a stream of nonces for one proof, bound to the secret and the statement in `parts`.

    It expands 32 octets of entropy, drawn now. A nonce used for two challenges gives its secret
    away. Because of the binding, even entropy that repeats (a seed, a restored snapshot) gives
    a different nonce for a different statement.
    """
    return expand(entropy(SEED_BYTES), label, *parts)
