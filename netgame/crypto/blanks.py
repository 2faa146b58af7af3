"""The places of what is held, found in a rebuilt deck without opening a tile (protocol.md 5.10).

    A, B       an entry of the last deck, under the sum of the keys of all who stay
    z_k, Z_k   a seat's blinding factor, drawn for this and forgotten; Z_k = z_k G
    z          sum of all z_k       zA, zB   sums of what the seats sent, z times the entry
    D_k        x_k zA, shares of the blinded entry, proved like any others (`proofs`)

zB - sum D_k is z times the tile's point: O for a blank, else a point that shows nothing as long as
one seat forgets its factor. A blank's position dies; who drew it would hold a tile that is none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from netgame.crypto import group
from netgame.crypto.entropy import hedge
from netgame.crypto.masking import (
    MASKED_BYTES,
    Masked,
    deck_digest,
    decode_deck,
    encode_deck,
    residual,
    sum_masked,
)
from netgame.crypto.proofs import (
    REVEAL_PROOF_BYTES,
    RevealProof,
    decode_reveal_proof,
    encode_reveal_proof,
    prove_reveal,
    verify_reveal,
)
from netgame.crypto.transcript import LABEL_BLIND
from netgame.errors import Malformed

_AROUND: Final = group.POINT_BYTES + REVEAL_PROOF_BYTES


@dataclass(frozen=True, slots=True)
class Blinding:
    """One seat's factor times both halves of every entry, and the proof that it is one factor."""

    Z: group.Point
    entries: tuple[Masked, ...]
    proof: RevealProof


def _halves(deck: Sequence[Masked]) -> tuple[group.Element, ...]:
    """Give all first halves, then all second halves: "positions" 0..2N-1 of the proof."""
    return (*(masked.A for masked in deck), *(masked.B for masked in deck))


def prove_blinding(ctx: bytes, deck: Sequence[Masked], entropy: group.Entropy) -> Blinding:
    """Draw a factor, give it times the whole deck, and forget it.

    Publish the result as an entry and resend those bytes. LocalMisuse for an empty deck or an entry
    with O, which no deck from the wire has.
    """
    z = group.random_scalar(hedge(entropy, LABEL_BLIND, ctx, deck_digest(deck)))
    halves, n = _halves(deck), len(deck)
    blinded, proof = prove_reveal(z, ctx, range(2 * n), halves, entropy)
    entries = tuple(map(Masked, blinded[:n], blinded[n:]))
    return Blinding(group.require_point(group.mul_base(z)), entries, proof)


def verify_blinding(ctx: bytes, deck: Sequence[Masked], blinding: Blinding) -> bool:
    """Whether every half is z times the deck's for the z behind Z, which the sender knows.

    Knowing it matters: who could send what cancels another's factor would see tiles.
    """
    halves, positions = _halves(deck), range(2 * len(deck))
    return verify_reveal(
        blinding.Z, ctx, positions, halves, _halves(blinding.entries), blinding.proof
    )


def blinded_deck(blindings: Sequence[Sequence[Masked]]) -> tuple[Masked, ...] | None:
    """Give z times the deck, the sum over all who stay; None, and start again, if a zA is O.

    Before this every blinding must be in the log and verified. Each seat then gives its shares of
    all zA with one `prove_reveal`, positions 0..N-1.
    """
    deck = tuple(map(sum_masked, zip(*blindings, strict=True)))
    return None if any(masked.A is None for masked in deck) else deck


def find_blanks(
    blinded: Sequence[Masked], tokens: Sequence[Sequence[group.Element]], held: int
) -> tuple[int, ...] | None:
    """Give the places of the blanks, `tokens` being every seat's for the whole deck in order.

    None, and the round is void, unless there are as many as the stayers' hands have tiles.
    """
    shares = zip(*tokens, strict=True)
    left = map(residual, blinded, shares)
    blanks = tuple(place for place, masked in enumerate(left) if masked.B is None)
    return blanks if len(blanks) == held else None


def encode_blinding(blinding: Blinding) -> bytes:
    """Give Z, the entries, T1, T2, s: 66 N + 131 octets."""
    return blinding.Z + encode_deck(blinding.entries) + encode_reveal_proof(blinding.proof)


def decode_blinding(octets: bytes, n: int) -> Blinding:
    """Take a blinding of n entries from elsewhere; Malformed unless every octet counts."""
    size = n * MASKED_BYTES
    if n < 1 or len(octets) != size + _AROUND:
        raise Malformed(f"a blinding of {n} entries must be {66 * n + 131} octets")
    end = group.POINT_BYTES + size
    return Blinding(
        group.decode_point(octets[: group.POINT_BYTES]),
        decode_deck(octets[group.POINT_BYTES : end], n),
        decode_reveal_proof(octets[end:]),
    )
