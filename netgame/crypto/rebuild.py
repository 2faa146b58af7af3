"""Rebuilding the deck for those who stay, without the key of a seat that left (rebuilding.md 3).

    X, x       round key of a seat that stays         P      sum of the keys of all who stay
    t, M_t     each tile not on the table, its point  SA, SB sums of the seat's residuals
    b_t        1 if the seat holds t, else 0          r_t    fresh randomness
    C1, C2     the seat's entry for t: r_t G, r_t P - b_t M_t
    T0, T1     first messages of both branches, pairs (over G, over P)
    c, e0, e1  challenge and those of the branches: below 2^128, e0 + e1 = c modulo 2^128
    z0, z1     answers       L1, L2, L3     first messages of the link, answers s_r, s_x
    rho        sum r_t

For each tile the proof shows (C1, C2 + j M_t) = r(G, P) for j = 0 or 1, without showing which
(Cramer, Damgard and Schoenmakers 1994, over Chaum-Pedersen). For all tiles together it shows sum C1
= rho G, X = xG and sum C2 + SB = rho P + x SA, so the sum of the withheld tiles is the sum of the
hand. The M_t are independent, so b is the hand: the deck loses every held tile, and no other.

Then F_t = (O, M_t) + the entries of all who stay is t if none of them holds it (so the leaver's
tiles are back), and a blank if one does. First messages are not sent: they follow from c and the
answers.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from typing import Final, NamedTuple

from netgame.crypto import group, masking
from netgame.crypto.masking import Masked, Position, TileLike
from netgame.crypto.transcript import Part, Tag, hedge, weight
from netgame.errors import LocalMisuse
from netgame.frozen import FrozenStruct
from netgame.limits import SHUFFLE_TILES_MAX

_CHALLENGES: Final = 1 << 8 * group.SHORT_BYTES
"""The number of challenges; no two agree modulo Q."""


class RebuildStatement(FrozenStruct):
    """The statement that a seat's entries withhold exactly the tiles that it holds."""

    ctx: bytes
    """Binds the proof to its place in the log."""
    joint: group.Point
    """P."""
    key: group.Point
    """The seat's X."""
    positions: tuple[Position, ...]
    """The seat's whole hand, which may be empty."""
    residuals: tuple[Masked, ...]
    """The residuals at `positions`, in their order."""
    tiles: tuple[TileLike, ...]
    """All tiles that are not on the table, ascending."""


class Contribution(NamedTuple):
    """A staying seat's entry for each tile, with a proof that they withhold exactly its hand."""

    entries: tuple[Masked, ...]
    c: int
    e0: tuple[int, ...]
    """One number for each tile, as in `z0` and `z1`."""
    z0: tuple[int, ...]
    z1: tuple[int, ...]
    s_r: int
    s_x: int


class _Slot(NamedTuple):
    """The values that belong to one tile while the proof is made."""

    r: int
    """The scalar that masks the tile."""
    w: int
    """The nonce of the true branch."""
    e: int
    """The challenge of the false branch, chosen beforehand."""
    z: int
    """The answer of the false branch, chosen beforehand."""
    held: bool
    """True if the hand has the tile, so that the branch that withholds it is the true one."""
    entry: Masked
    T: tuple[group.Element, group.Element, group.Element, group.Element]
    """The first messages of both branches, T0 before T1."""


def is_rebuildable(statement: RebuildStatement) -> bool:
    """Return True if the statement is well formed; it may still be false.

    There must be 1 to 190 tiles, ascending, and at most as many positions as tiles. No position
    occurs twice, and each has a residual.
    """
    tiles, hand = statement.tiles, len(statement.positions)
    return (
        0 < len(tiles) <= SHUFFLE_TILES_MAX
        and all(low < high for low, high in pairwise(tiles))
        and hand == len(statement.residuals) == len(set(statement.positions))
        and hand <= len(tiles)
    )


def _claim(said: RebuildStatement, SA: group.Element, SB: group.Element) -> tuple[Part, ...]:
    return (said.ctx, said.joint, said.key, said.positions, SA, SB, said.tiles)


def _slot(joint: group.Point, M: group.Point, nonces: group.Entropy, *, held: bool) -> _Slot:
    """Mask one tile and make the first messages of both branches.

    z G - e C1 is (z - e r) G, so a held tile takes no longer than another, apart from one addition.
    """
    r, w, z = (group.random_scalar(nonces) for _ in range(3))
    e = int.from_bytes(nonces(group.SHORT_BYTES), "big")
    C1 = group.base_point(r)
    withheld = group.neg(M) if held else None
    C2 = group.secret_multi_mul(0, (r,), (joint,), plus=withheld)
    v = (z - e * r) % group.Q
    true = (group.mul_base(w), group.secret_multi_mul(0, (w,), (joint,)))
    over_joint = group.secret_multi_mul(0, (v, e if held else -e), (joint, M))
    false = (group.mul_base(v), over_joint)
    return _Slot(r, w, e, z, held, Masked(C1, C2), (*false, *true) if held else (*true, *false))


def prove_rebuild(
    statement: RebuildStatement, x: int, held: Iterable[TileLike], entropy: group.Entropy
) -> Contribution:
    """Return this seat's entries and their proof; `held` are its tiles, as many as positions.

    LocalMisuse if the statement is not `is_rebuildable`, or `held` has more or fewer tiles than
    positions, or one outside its `tiles`. With a wrong `x` or hand the proof does not verify.
    Publish the result as an entry, and send only those octets again; another statement needs fresh
    randomness throughout.
    """
    hand = set(held)
    if not is_rebuildable(statement) or len(hand) != len(statement.positions):
        raise LocalMisuse("a rebuild needs the tiles not on the table and a tile a position")
    if not hand <= set(statement.tiles):
        raise LocalMisuse("the hand holds a tile that is on the table")
    joint, (SA, SB) = statement.joint, masking.sum_masked(statement.residuals)
    claim = _claim(statement, SA, SB)
    nonces = hedge(entropy, Tag.REBUILD, group.encode(x), *claim)
    slots = [_slot(joint, masking.tile_point(t), nonces, held=t in hand) for t in statement.tiles]
    w_r, w_x = group.random_scalar(nonces), group.random_scalar(nonces)
    third = group.secret_multi_mul(0, (w_r, w_x), (joint, SA))
    link = (group.mul_base(w_r), group.mul_base(w_x), third)
    entries = tuple(slot.entry for slot in slots)
    c = weight(Tag.REBUILD, *claim, entries, [*chain(*(slot.T for slot in slots))], link)
    s_r = (w_r + c * sum(slot.r for slot in slots)) % group.Q
    e0, z0, z1 = zip(*(_answers(slot, c) for slot in slots), strict=True)
    return Contribution(entries, c, e0, z0, z1, s_r, (w_x + c * x) % group.Q)


def _other_challenge(c: int, e: int) -> int:
    """Return the challenge of the other branch, so that both add up to `c` modulo 2^128."""
    return (c - e) % _CHALLENGES


def _answers(slot: _Slot, c: int) -> tuple[int, int, int]:
    """Return e0, z0, z1; the false branch was answered before c was known."""
    e = _other_challenge(c, slot.e)
    z = (slot.w + e * slot.r) % group.Q
    return (slot.e, slot.z, z) if slot.held else (e, z, slot.z)


def _first_messages(
    joint: group.Point, c: int, tile: TileLike, entry: Masked, e0: int, z0: int, z1: int
) -> tuple[group.Element, group.Element, group.Element, group.Element]:
    """Return z0 G - e0 C1, z0 P - e0 C2, z1 G - e1 C1, z1 P - e1 (C2 + M)."""
    C1, C2 = entry
    e1 = _other_challenge(c, e0)
    return (
        group.multi_mul((z0, -e0), (group.G, C1)),
        group.multi_mul((z0, -e0), (joint, C2)),
        group.multi_mul((z1, -e1), (group.G, C1)),
        group.multi_mul((z1, -e1), (joint, group.add(C2, masking.tile_point(tile)))),
    )


def _is_shaped(statement: RebuildStatement, sent: Contribution) -> bool:
    n = len(statement.tiles)
    lists = (sent.entries, sent.e0, sent.z0, sent.z1)
    return (
        is_rebuildable(statement)
        and all(len(each) == n for each in lists)
        and None not in chain(*sent.entries)
        and all(0 <= e < _CHALLENGES for e in (sent.c, *sent.e0))
    )


def verify_rebuild(statement: RebuildStatement, sent: Contribution) -> bool:
    """Return True if the entries withhold exactly the hand at `positions`; both may be hostile.

    Recomputes every first message and compares c: T_j = z_j (G, P) - e_j (C1, C2 + j M) for each
    tile, L1 = s_r G - c sum C1, L2 = s_x G - cX, L3 = s_r P + s_x SA - c(sum C2 + SB).
    """
    if not _is_shaped(statement, sent):
        return False
    joint, (entries, c, e0, z0, z1, s_r, s_x) = statement.joint, sent
    (SA, SB), (S1, S2) = map(masking.sum_masked, (statement.residuals, entries))
    answered = zip(statement.tiles, entries, e0, z0, z1, strict=True)
    T = [*chain(*(_first_messages(joint, c, *slot) for slot in answered))]
    link = (
        group.multi_mul((s_r, -c), (group.G, S1)),
        group.multi_mul((s_x, -c), (group.G, statement.key)),
        group.multi_mul((s_r, s_x, -c), (joint, SA, group.add(S2, SB))),
    )
    return weight(Tag.REBUILD, *_claim(statement, SA, SB), entries, T, link) == c


def rebuilt_deck(
    tiles: Sequence[TileLike], contributions: Iterable[Sequence[Masked]]
) -> tuple[Masked, ...]:
    """Return F: for each tile, (O, M_t) plus the entries of all who stay.

    Each seat computes it by itself, and then all who stay shuffle it one after another under P.
    ValueError if a seat does not have one entry for each of `tiles`.
    """
    parts = zip(masking.initial_deck(tiles), *contributions, strict=True)
    return tuple(map(masking.sum_masked, parts))


def encode_rebuild(sent: Contribution) -> bytes:
    """Return the octets of the entries, c, all e0, all z0, all z1, s_r and s_x: 146 N + 80."""
    short = (e.to_bytes(group.SHORT_BYTES, "big") for e in (sent.c, *sent.e0))
    return group.encode(sent.entries, short, sent.z0, sent.z1, sent.s_r, sent.s_x)


def decode_rebuild(octets: bytes, n: int) -> Contribution:
    """Decode a contribution for n tiles; Malformed unless it is exactly 146 n + 80 good octets."""
    what, short_bytes = f"a contribution for {n} tiles", (n + 1) * group.SHORT_BYTES
    points, short, z = group.decode(octets, what, 2 * n, 2 * n + 2, between=short_bytes)
    c, *e0 = (int.from_bytes(e, "big") for e in group.split(short, group.SHORT_BYTES))
    entries = masking.as_deck(points)
    return Contribution(entries, c, tuple(e0), z[:n], z[n : 2 * n], z[-2], z[-1])
