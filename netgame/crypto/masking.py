"""Masked tiles, and the proved tokens that open them: ElGamal over points (protocol.md 5.4, 5.6).

    M_t        the point of tile t                   X = sum x_k G    the joint key
    mask       (A, B) = (rG, M_t + rX)               remask           (A + r'G, B + r'X)
    token      D_k = x_k A                           unmask           M_t = B - sum of all D_k
    residual   (A, B - sum of the others' D_k): a ciphertext under the drawer's key alone

The M_t are independent: nobody knows a relation among them, and hand proofs rest on that.

A reveal proof shows that many tokens at once really are x times their A:

    A_p, D_p     first half of position p and its token D_p = x A_p
    rho_p        128-bit factors that fold all positions into A* = sum rho_p A_p
    T1, T2       wG and wA*             c, s     challenge and answer s = w + cx

It is the proof of Chaum and Pedersen 1992 for the folded pair; the hash covers the whole statement
before rho.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

from netgame.crypto import group
from netgame.crypto.batch import Batch, Weights
from netgame.crypto.group import Element, Entropy, Point
from netgame.crypto.transcript import Tag, challenge, digest, hedge, weight
from netgame.errors import LocalMisuse

TileLike: TypeAlias = tuple[int, int]
"""A tile as its two pips, low <= high."""
Position: TypeAlias = int
"""The place of a tile in the decks of its round."""

_FEW: Final = 3
"""Up to this many positions, folding a proof costs more than it saves."""


class Masked(NamedTuple):
    """A tile under a key. A is O in computed decks only; B is O in an opened blank or by chance."""

    A: Element
    B: Element


class RevealProof(NamedTuple):
    """Proof that all tokens of a batch were made with the secret behind one key: 98 octets."""

    T1: Point
    T2: Point
    s: int


def tile_point(tile: TileLike) -> Point:
    """Return M_t = H2G("tile/low-high"). With the higher pip first it belongs to no tile."""
    low, high = tile
    return group.hash_to_group(f"tile/{low}-{high}")


def tile_points(tiles: Iterable[TileLike]) -> dict[Point, TileLike]:
    """Return a dict from the point of each tile to the tile, to look up unmasked points."""
    return {tile_point(tile): tile for tile in tiles}


def initial_deck(tiles: Iterable[TileLike]) -> tuple[Masked, ...]:
    """Return E_0, the first deck: each tile unmasked, (O, M_t), in the order given."""
    return tuple(Masked(None, tile_point(tile)) for tile in tiles)


def mixed_deck(
    undrawn: Sequence[Masked], open_tiles: Iterable[TileLike], handed: Sequence[Masked]
) -> tuple[Masked, ...]:
    """Return the deck that is to be shuffled again in mid-round: each seat computes it by itself.

    First `undrawn`, then the tiles that all have seen, (O, M_t), ascending, then `handed`, the
    entries handed over to the joint key (protocol.md 5.9). `undrawn` and `handed` stay in the order
    given, which is the order of the log. LocalMisuse if an entry occurs twice; the checks of the
    log make sure that none does.
    """
    deck = (*undrawn, *initial_deck(sorted(open_tiles)), *handed)
    if len(set(deck)) != len(deck):
        raise LocalMisuse("a tile stands twice in the deck that is to be shuffled")
    return deck


def sum_masked(entries: Iterable[Masked]) -> Masked:
    """Return the sum of all first halves and that of all second halves; (O, O) for no entries."""
    firsts, seconds = tuple(zip(*entries, strict=True)) or ((), ())
    return Masked(group.add(*firsts), group.add(*seconds))


def deck_digest(deck: Sequence[Masked]) -> bytes:
    """Return H("deck", deck): 64 octets, from which the permutation for this deck is derived."""
    return digest(Tag.DECK, deck)


def decode_deck(octets: bytes, n: int) -> tuple[Masked, ...]:
    """Decode a deck of exactly n entries; else Malformed. O cannot be encoded."""
    return as_deck(group.decode(octets, f"a deck of {n} tiles", 2 * n)[0])


def as_deck(points: Sequence[Point]) -> tuple[Masked, ...]:
    """Return the entries (A, B) whose halves alternate in `points`; ignore an odd last point."""
    return tuple(map(Masked, points[::2], points[1::2]))


def reveal_token(x: int, A: Element) -> Point:
    """Return the token D = xA, computed in constant time; LocalMisuse if A is O."""
    return group.mul_secret(x, A)


def residual(masked: Masked, tokens: Iterable[Element]) -> Masked:
    """Return the tile with the others' `tokens` removed: only the drawer's key still masks it."""
    return Masked(masked.A, group.add(masked.B, *map(group.neg, tokens)))


def unmask(masked: Masked, token: Element) -> Element:
    """Remove the last token, and return the tile's point (see `tile_points`), or O for a blank."""
    return group.sub(masked.B, token)


def _statement(
    X: Point,
    ctx: bytes,
    positions: Sequence[Position],
    As: Sequence[Element],
    tokens: Sequence[Element],
) -> tuple[bytes, list[int]]:
    """Return v, the digest of the whole statement, and for each position its factor rho_p."""
    v = digest(Tag.REVEAL, ctx, X, positions, As, tokens)
    return v, [weight(Tag.REVEAL_WEIGHT, v, position) for position in positions]


def prove_reveal(
    x: int, ctx: bytes, positions: Sequence[Position], As: Sequence[Element], entropy: Entropy
) -> tuple[tuple[Point, ...], RevealProof]:
    """Return the tokens for all `positions`, in order, and one proof for all of them.

    `As` are the first halves at these positions. LocalMisuse if there are no positions, if there is
    not one A for each, or if an A is O. If a position occurs twice, the proof does not verify.
    Publish the result as an entry, and send only those octets again; never call this twice for one
    slot.
    """
    if len(positions) != len(As):
        raise LocalMisuse("a reveal needs an A for each position")
    X = group.base_point(x)
    tokens = tuple(reveal_token(x, A) for A in As)
    v, rho = _statement(X, ctx, positions, As, tokens)
    w = group.random_scalar(hedge(entropy, Tag.REVEAL_CHALLENGE, group.encode(x), v))
    T1 = group.base_point(w)
    # The A are public and may be added up in variable time; only w is secret.
    T2 = group.mul_secret(w, group.multi_mul(rho, As))
    c = challenge(Tag.REVEAL_CHALLENGE, v, T1, T2)
    return tokens, RevealProof(T1, T2, (w + c * x) % group.Q)


def verify_reveal(
    X: Point,
    ctx: bytes,
    positions: Sequence[Position],
    As: Sequence[Element],
    tokens: Sequence[Element],
    proof: RevealProof,
    by: Weights | None = None,
) -> bool:
    """Return True if each token is x times its A, for the x behind X.

    The equations are sG = T1 + cX and sA* = T2 + c sum rho_p D_p. If `by` is a `Batch`, they are
    only added to it, and True means only that all other checks passed.

    All arguments may be hostile; none is secret. False for an empty list (its T2 would be O), a
    repeated position, lists of different lengths, and a token O (only A = O has one).
    """
    if not len(positions) == len(As) == len(tokens) == len(set(positions)) or None in tokens:
        return False
    v, rho = _statement(X, ctx, positions, As, tokens)
    c = challenge(Tag.REVEAL_CHALLENGE, v, proof.T1, proof.T2)
    if isinstance(by, Batch):
        weights = (-1, *(proof.s * each for each in rho), *(-c * each for each in rho))
        return by.add(
            ((proof.s, -1, -c), (group.G, proof.T1, X)), (weights, (proof.T2, *As, *tokens))
        )
    if not group.is_answer(proof.s, c, proof.T1, X):
        return False
    # The same equation, as one sum without folding.
    if len(rho) <= _FEW:
        factors = (*(proof.s * each for each in rho), *(-c * each for each in rho))
        return group.multi_mul(factors, (*As, *tokens)) == proof.T2
    folded = (group.multi_mul(rho, As), proof.T2, group.multi_mul(rho, tokens))
    return group.multi_mul((proof.s, -1, -c), folded) is None


def decode_reveal_proof(octets: bytes) -> RevealProof:
    """Decode T1 || T2 || s; Malformed unless it is exactly 98 good octets."""
    (T1, T2), _, (s,) = group.decode(octets, "a reveal proof", 2, 1)
    return RevealProof(T1, T2, s)
