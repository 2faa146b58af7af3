"""Masked tiles: ElGamal over points, one point for each tile (protocol.md 5.1, 5.4, 5.6).

    M_t        the point of tile t                   X = sum x_k G    the joint key
    mask       (A, B) = (rG, M_t + rX)               remask           (A + r'G, B + r'X)
    token      D_k = x_k A                           unmask           M_t = B - sum of all D_k
    residual   (A, B - sum of the others' D_k): a ciphertext under the drawer's key alone

The M_t are independent: nobody knows a relation among them, which is what hand proofs rest on.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

from netgame.crypto import group
from netgame.crypto.transcript import TAG_DECK, digest
from netgame.errors import LocalMisuse, Malformed

TileLike: TypeAlias = tuple[int, int]
"""A tile as its two pips, low <= high."""

MASKED_BYTES: Final = 2 * group.POINT_BYTES


class Masked(NamedTuple):
    """A tile under a key. A is O only in a deck everybody computed, B only by coincidence."""

    A: group.Element
    B: group.Element


def tile_point(tile: TileLike) -> group.Point:
    """Give M_t = H2G("tile/low-high")."""
    low, high = tile
    return group.hash_to_group(f"tile/{low}-{high}")


def tile_points(tiles: Iterable[TileLike]) -> dict[group.Point, TileLike]:
    """Give the tile of each point: what an unmasked point is looked up in."""
    return {tile_point(tile): tile for tile in tiles}


def initial_deck(tiles: Iterable[TileLike]) -> tuple[Masked, ...]:
    """Give E_0: each tile in the open, (O, M_t), in the order given. Computed, never sent."""
    return tuple(Masked(None, tile_point(tile)) for tile in tiles)


def mixed_deck(
    undrawn: Sequence[Masked], open_tiles: Iterable[TileLike], handed: Sequence[Masked]
) -> tuple[Masked, ...]:
    """Give the input of a new chain in mid-round: computed by everybody, never sent.

    First the undrawn positions as they are, then tiles that all have seen, (O, M_t), ascending,
    then tiles handed over to the joint key, all in the order of the log (protocol.md 5.9). An open
    tile or an entry that comes twice is LocalMisuse: after the checks of the log no two entries can
    hold one tile.
    """
    deck = (*undrawn, *initial_deck(sorted(open_tiles)), *handed)
    if len(set(deck)) != len(deck):
        raise LocalMisuse("a tile stands twice in the deck that is to be shuffled")
    return deck


def sum_masked(entries: Iterable[Masked]) -> Masked:
    """Add entries half by half; O and O for none."""
    halves = tuple(zip(*entries, strict=True)) or ((), ())
    return Masked(group.sum_points(halves[0]), group.sum_points(halves[1]))


def deck_digest(deck: Sequence[Masked]) -> bytes:
    """Give H("deck", deck): 64 octets, what a permutation is bound to."""
    return digest(TAG_DECK, deck)


def encode_deck(deck: Sequence[Masked]) -> bytes:
    """Give A || B of every entry, 66 octets each; LocalMisuse if one is O (E_0 is never sent)."""
    return b"".join(group.require_point(A) + group.require_point(B) for A, B in deck)


def decode_deck(octets: bytes, n: int) -> tuple[Masked, ...]:
    """Take a deck of exactly n entries from elsewhere; else Malformed. O cannot be encoded."""
    if len(octets) != n * MASKED_BYTES:
        raise Malformed(f"a deck of {n} tiles must be {n * MASKED_BYTES} octets")
    points = group.decode_points(octets, 2 * n)
    return tuple(map(Masked, points[::2], points[1::2]))


def reveal_token(x: int, A: group.Element) -> group.Point:
    """Give D = xA, this seat's share of a tile, in constant time."""
    return group.require_point(group.mul_secret(x, A))


def residual(masked: Masked, tokens: Iterable[group.Element]) -> Masked:
    """Take others' tokens off: what is left is masked by the remaining seat's key alone."""
    return Masked(masked.A, group.sum_points((masked.B, *map(group.neg, tokens))))


def unmask(masked: Masked, token: group.Element) -> group.Element:
    """Take the last token off: the point of the tile, to be looked up in `tile_points`."""
    return group.sub(masked.B, token)
