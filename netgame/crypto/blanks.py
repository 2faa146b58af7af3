"""Finds the blanks of a rebuilt deck (held tiles) without opening any (rebuilding.md 4).

    A, B       an entry of the last deck, under the sum of the keys of all who stay
    z_k, Z_k   a seat's blinding factor, drawn for this and forgotten; Z_k = z_k G
    z          sum of all z_k       zA, zB   sums of what the seats sent, z times the entry
    D_k        x_k zA, shares of the blinded entry, proved like any others (`masking`)

zB - sum D_k is z times the tile's point: O for a blank, else a point that shows nothing as long as
one seat forgets its factor. A blank's position is not used, because it has no tile to draw.
"""

from collections.abc import Sequence
from typing import NamedTuple

from netgame.crypto import group, masking
from netgame.crypto.masking import Masked, RevealProof
from netgame.crypto.transcript import hedge


class Blinding(NamedTuple):
    """One seat's factor times both halves of every entry, with a proof that it is the same for all.

    Encoded, it has 66 N + 131 octets for N entries.
    """

    Z: group.Point
    entries: tuple[Masked, ...]
    proof: RevealProof


def _halves(deck: Sequence[Masked]) -> tuple[group.Element, ...]:
    """Return all halves A of the deck, then all halves B, numbered from 0 to 2N-1 in the proof."""
    return (*(masked.A for masked in deck), *(masked.B for masked in deck))


def prove_blinding(ctx: bytes, deck: Sequence[Masked], entropy: group.Entropy) -> Blinding:
    """Draw a factor, multiply the whole deck by it, and forget it.

    Publish the result once, as an entry; to send it again, send the same octets. LocalMisuse for an
    empty deck or an entry with O, which no deck from the wire has.
    """
    z = group.random_scalar(hedge(entropy, "blind", ctx, masking.deck_digest(deck)))
    halves, n = _halves(deck), len(deck)
    blinded, proof = masking.prove_reveal(z, ctx, range(2 * n), halves, entropy)
    entries = tuple(map(Masked, blinded[:n], blinded[n:]))
    return Blinding(group.base_point(z), entries, proof)


def verify_blinding(ctx: bytes, deck: Sequence[Masked], blinding: Blinding) -> bool:
    """Return True if each half is z times that of the deck, for the z behind Z.

    The proof also shows that the sender knows z: a seat that could cancel another's factor would
    see tiles. `blinding` may be hostile: False for O, and for more or fewer entries than the deck
    has.
    """
    halves, positions = _halves(deck), range(2 * len(deck))
    return masking.verify_reveal(
        blinding.Z, ctx, positions, halves, _halves(blinding.entries), blinding.proof
    )


def blinded_deck(blindings: Sequence[Sequence[Masked]]) -> tuple[Masked, ...] | None:
    """Return z times the deck: the sum of what all the seats that stay have sent.

    None if a zA is O: then all start again. Every blinding must be in the log and verified before
    this; ValueError for unequal lengths. Each seat then gives its shares of all zA with one
    `prove_reveal`, positions 0..N-1.
    """
    deck = tuple(map(masking.sum_masked, zip(*blindings, strict=True)))
    return None if any(masked.A is None for masked in deck) else deck


def find_blanks(
    blinded: Sequence[Masked], tokens: Sequence[Sequence[group.Element]], held: int
) -> tuple[int, ...] | None:
    """Return the positions of the blanks in the deck, ascending, or None if their number is wrong.

    `tokens` are every seat's, in the order of the deck. `held` is the number of tiles in the hands
    of the seats that stay; with more or fewer blanks the round is void.
    """
    shares = zip(*tokens, strict=True)
    left = map(masking.residual, blinded, shares)
    blanks = tuple(place for place, masked in enumerate(left) if masked.B is None)
    return blanks if len(blanks) == held else None


def decode_blinding(octets: bytes, n: int) -> Blinding:
    """Decode Z, n entries, T1, T2, s; Malformed unless it is exactly 66 n + 131 good octets."""
    what = f"a blinding of {n} entries"
    (Z, *entries, T1, T2), _, (s,) = group.decode(octets, what, 2 * n + 3, 1)
    return Blinding(Z, masking.as_deck(entries), RevealProof(T1, T2, s))
