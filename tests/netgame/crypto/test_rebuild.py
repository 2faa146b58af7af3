"""A seat leaves: the others rebuild the deck, each withholding exactly its own hand."""

import pytest
from msgspec.structs import replace

from netgame.crypto import group
from netgame.crypto import rebuild as rb
from netgame.crypto.group import Q, add, mul, mul_base
from netgame.crypto.masking import Masked, tile_point
from netgame.crypto.rebuild import Contribution, RebuildStatement, prove_rebuild, verify_rebuild
from netgame.errors import LocalMisuse
from tests.netgame.crypto import oracle_moving as oracle
from tests.netgame.crypto.table import CTX, dealt, fixed, sums_of_infinity, tile_under

TABLE = dealt()
X_SECRET, X = TABLE.xs[1], TABLE.Xs[1]
JOINT = add(X, TABLE.Xs[2])
TILES, LAID = TABLE.tiles[1:], TABLE.tiles[0]
HELD = TILES[2:5]


def statement(*hand):
    """Return the claim that the seat withholds the tiles of this hand, masked under its key."""
    return RebuildStatement(CTX, JOINT, X, tuple(range(len(hand))), hand, TILES)


MINE = statement(*(tile_under(X, r, tile) for r, tile in enumerate(HELD, start=7)))
GOOD = prove_rebuild(MINE, X_SECRET, HELD, fixed("rebuild"))


def plain(claim, sent):
    """Return the verdict of the second implementation on a contribution."""
    return oracle.rebuild_holds(
        claim.ctx,
        claim.joint,
        claim.key,
        claim.positions,
        claim.residuals,
        claim.tiles,
        sent.entries,
        sent._asdict(),
    )


def accepts(claim, sent):
    """Return True if the contribution is accepted; both implementations must agree."""
    verdict = verify_rebuild(claim, sent)
    assert verdict == plain(claim, sent)
    return verdict


def lying(held, claim=MINE, entropy=None, multiples=None, bend=None):
    """Prove with the plain prover that `held` is withheld, whether it is or not.

    A cheater would run the plain prover: it accepts any tiles and any multiples of them.
    """
    v = oracle.rebuild_values(
        claim.ctx,
        claim.joint,
        X_SECRET,
        claim.positions,
        claim.residuals,
        claim.tiles,
        held,
        entropy or fixed("lie"),
        multiples,
        bend=bend,
    )
    entries = tuple(Masked(*entry) for entry in v["entries"])
    lists = (tuple(v[name]) for name in ("e0", "z0", "z1"))
    return Contribution(entries, v["c"], *lists, v["s_r"], v["s_x"])


def twice_withheld(bend=None):
    """Return a claim, and a contribution that withholds one tile twice and yet declares none.

    The hand opens to exactly that double point, so the proof of the sum is true and only that of
    the one entry is false.
    """
    tile = HELD[0]
    hand = Masked(mul_base(9), add(mul(9, X), mul(2, tile_point(tile))))
    claim, multiples = statement(hand), [2 * (each == tile) for each in TILES]
    return claim, lying((), claim, multiples=multiples, bend=bend)


def test_a_longer_challenge_would_prove_anything_and_is_refused():
    """A challenge longer than allowed is refused, because a cheater could prove anything with it.

    The cheater fixes the answers of the two branches before c is known; a longer e0 would then
    fit.
    """
    at, f, z = TILES.index(HELD[0]), 5, 7
    _, lie = twice_withheld()
    C1, C2 = lie.entries[at]

    def bend(T, link):
        first = [add(mul(z, P), mul(-f % Q, C)) for P, C in ((group.G, C1), (JOINT, C2))]
        return [*T[: 4 * at], *first, *T[4 * at + 2 :]], link

    claim, lie = twice_withheld(bend)
    more = (f - lie.e0[at]) * pow(2**128, -1, Q) % Q
    e0 = lie.e0[at] + (more << 128)
    forged = lie._replace(
        e0=(*lie.e0[:at], e0, *lie.e0[at + 1 :]), z0=(*lie.z0[:at], z, *lie.z0[at + 1 :])
    )
    assert plain(claim, forged)
    assert not verify_rebuild(claim, forged)
    assert not verify_rebuild(MINE, GOOD._replace(c=GOOD.c + 2**128))


def test_a_challenge_of_zero_is_as_good_as_any():
    """A challenge of zero is accepted: an honest prover draws e = 0 once in 2^128."""
    stream = fixed("zero")
    drawn = lying(HELD, entropy=lambda n: bytes(16) if n == 16 else stream(n))
    assert 0 in drawn.e0
    assert accepts(MINE, drawn)


@pytest.mark.parametrize(
    "change",
    [
        {"tiles": ()},
        {"tiles": tuple((a, b) for a in range(20) for b in range(a, 20))[:191]},
        {"tiles": HELD[:2]},
    ],
)
def test_statements_out_of_order_or_bounds_are_refused(change):
    """A claim with no tiles, too many, or fewer than are held is refused.

    The vectors have further bad claims.
    """
    claim = replace(MINE, **change)
    assert not rb.is_rebuildable(claim)
    assert not verify_rebuild(claim, lying(HELD, claim))
    with pytest.raises(LocalMisuse):
        prove_rebuild(claim, X_SECRET, HELD, fixed("bounds"))


@pytest.mark.parametrize("held", [HELD[:2], (*HELD[:2], HELD[0]), (*HELD[:2], LAID)])
def test_a_hand_that_does_not_fit_its_positions_is_a_bug(held):
    """A hand that does not fit its positions is misuse: it must name each of its tiles once."""
    with pytest.raises(LocalMisuse):
        prove_rebuild(MINE, X_SECRET, held, fixed("bug"))


def test_sums_that_are_infinity_are_fine():
    """An honest contribution is accepted, and a false one refused, even if SA or SB is O.

    These are the sums of the first and of the second halves of the hand.
    """
    for residuals, held in sums_of_infinity(X_SECRET, TILES[0]):
        claim = statement(*residuals)
        assert accepts(claim, lying(held, claim))
        assert not accepts(claim, lying((TILES[1],), claim))
