"""A seat leaves: those who stay rebuild the deck, each withholding its hand and nothing else."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netgame.crypto import group
from netgame.crypto import rebuild as rb
from netgame.crypto.audit import open_points, opened_deck
from netgame.crypto.group import (
    Q,
    add,
    mul,
    mul_base,
    neg,
    require_point,
    short_difference,
    stretch,
)
from netgame.crypto.handover import prove_hand_over, verify_hand_over
from netgame.crypto.masking import Masked, residual, reveal_token, tile_point
from netgame.crypto.rebuild import (
    Contribution,
    RebuildStatement,
    prove_rebuild,
    rebuilt_deck,
    verify_rebuild,
)
from netgame.crypto.shuffle import make_shuffle_secret, shuffle
from netgame.errors import LocalMisuse, Malformed
from tests.netgame.crypto import oracle_moving as oracle
from tests.netgame.crypto.table import CTX, OTHER_CTX, dealt, fixed, flips, some_point

TABLE = dealt()
LEAVER, STAYERS = 0, (1, 2)
HANDS = {0: (0, 1), 1: (3, 4, 5), 2: (6, 7)}
JOINT = add(*(TABLE.Xs[k] for k in STAYERS))
(LAID,) = TABLE.held(0, (9,))
TILES = tuple(tile for tile in TABLE.tiles if tile != LAID)


def statement(seat, ctx=CTX):
    """State what `seat` withholds: the hand it was dealt, under its own key."""
    hand = HANDS[seat]
    return RebuildStatement(ctx, JOINT, TABLE.Xs[seat], hand, TABLE.residuals(seat, hand), TILES)


@cache
def contributed(seat):
    """Give what an honest seat sends."""
    held = TABLE.held(seat, HANDS[seat])
    return prove_rebuild(statement(seat), TABLE.xs[seat], held, fixed("rebuild", seat))


SEAT = 1
MINE, HELD, X_SECRET = statement(SEAT), TABLE.held(SEAT, HANDS[SEAT]), TABLE.xs[SEAT]
GOOD = contributed(SEAT)
SENT = rb.encode_rebuild(GOOD)


def test_what_is_remembered_of_a_tile_does_not_depend_on_who_holds_it():
    """The memory of opened points holds every tile of the statement, and the inverse of none."""
    group.forget_points()
    prove_rebuild(MINE, X_SECRET, HELD, fixed("rebuild", "memory"))
    points = [tile_point(tile) for tile in TILES]
    assert [point in group._remembered for point in points] == [True] * len(points)
    assert [neg(point) in group._remembered for point in points] == [False] * len(points)


def plain(claim, contribution):
    """Ask the second implementation."""
    return oracle.rebuild_holds(
        claim.ctx, claim.joint, claim.key, claim.positions, claim.residuals, claim.tiles,
        contribution.entries, contribution._asdict(),
    )  # fmt: skip


def accepts(claim=MINE, contribution=GOOD):
    """Whether it stands; both implementations must agree."""
    verdict = verify_rebuild(claim, contribution)
    assert verdict == plain(claim, contribution)
    return verdict


def lying(bits, claim=MINE, x=X_SECRET, entropy=None, multiples=None, bend=None):
    """Prove by the book, with the plain prover, that `bits` tiles are withheld, whatever is held.

    The plain prover takes any bits and any multiples of tiles: it is what a cheater would run.
    """
    held = [tile for tile, bit in zip(claim.tiles, bits, strict=True) if bit]
    v = oracle.rebuild_values(
        claim.ctx, claim.joint, x, claim.positions, claim.residuals, claim.tiles, held,
        entropy or fixed("lie"), multiples, bend=bend,
    )  # fmt: skip
    entries = tuple(Masked(*entry) for entry in v["entries"])
    short = (v["c"], tuple(v["e0"]))
    return Contribution(entries, *short, tuple(v["z0"]), tuple(v["z1"]), v["s_r"], v["s_x"])


def bits_of(held):
    """Give a bit for each tile."""
    return [tile in held for tile in TILES]


def test_honest_contributions_are_accepted():
    """Sent and received: 146 octets a tile and 80."""
    for seat in STAYERS:
        octets = rb.encode_rebuild(contributed(seat))
        assert len(octets) == 146 * len(TILES) + 80
        received = rb.decode_rebuild(octets, len(TILES))
        assert received == contributed(seat)
        assert accepts(statement(seat), received)
    assert accepts(MINE, lying(bits_of(HELD)))


def test_the_rebuilt_deck_holds_what_nobody_who_stays_holds():
    """The leaver's tiles and the boneyard come back unseen; tiles in hands are blanks."""
    deck = rebuilt_deck(TILES, [contributed(k).entries for k in STAYERS])
    kept = [tile for k in STAYERS for tile in TABLE.held(k, HANDS[k])]
    xs = [TABLE.xs[k] for k in STAYERS]
    points = open_points(deck, xs)
    assert points == tuple(None if t in kept else tile_point(t) for t in TILES)
    left = [tile for tile in TILES if tile not in kept]
    assert set(TABLE.held(LEAVER, HANDS[LEAVER])) <= set(left)
    assert opened_deck(deck, xs, left, blanks=len(kept)) is not None


def test_no_key_less_than_all_who_stay_opens_it():
    """Neither the leaver nor one of those who stay alone sees anything."""
    deck = rebuilt_deck(TILES, [contributed(k).entries for k in STAYERS])
    points = {None, *map(tile_point, TILES)}
    for xs in (TABLE.xs[:1], TABLE.xs[1:2], TABLE.xs[2:], TABLE.xs[:2], TABLE.xs):
        assert not points & set(open_points(deck, xs))


def test_without_contributions_the_deck_is_open():
    """F starts as (O, M_t); O in a computed deck is fine."""
    assert open_points(rebuilt_deck(TILES, []), (1,)) == tuple(map(tile_point, TILES))


def test_an_empty_hand_contributes_too():
    """Who holds nothing withholds nothing, and proves that."""
    empty = replace(MINE, positions=(), residuals=())
    nothing = prove_rebuild(empty, X_SECRET, (), fixed("empty"))
    assert accepts(empty, nothing)
    assert not accepts(MINE, nothing)
    assert not accepts(empty, GOOD)
    assert not accepts(empty, lying(bits_of(HELD[:1]), empty))


def test_a_hand_may_be_everything():
    """One tile and one position: the rebuilt deck is one blank."""
    tile = HELD[0]
    small = replace(MINE, positions=HANDS[SEAT][:1], residuals=MINE.residuals[:1], tiles=(tile,))
    alone = prove_rebuild(small, X_SECRET, (tile,), fixed("small"))
    assert accepts(small, alone)
    deck = rebuilt_deck((tile,), [alone.entries])
    x = sum(TABLE.xs[k] for k in STAYERS)
    assert open_points(deck, [x]) == (None,)


def received(octets, claim=MINE):
    """Whether octets from a peer are accepted."""
    try:
        contribution = rb.decode_rebuild(octets, len(claim.tiles))
    except Malformed:
        return False
    return verify_rebuild(claim, contribution)


def test_any_flipped_octet_is_refused():
    """Every octet of a contribution for three tiles, a different bit each time."""
    small = replace(MINE, positions=(3,), residuals=MINE.residuals[:1], tiles=tuple(sorted(HELD)))
    sent = rb.encode_rebuild(prove_rebuild(small, X_SECRET, HELD[:1], fixed("flip")))
    assert received(sent, small)
    assert not any(received(bad, small) for bad in flips(sent))
    assert not received(sent[:-1], small)
    assert not received(sent + b"\x00", small)


def test_sampled_octets_of_a_whole_contribution_are_refused():
    """The same for the deck of the table, every 29th octet."""
    assert received(SENT)
    assert not any(received(bad) for bad in flips(SENT, 29))


def test_every_part_of_the_statement_counts():
    """Context, joint key, own key, positions, residuals and tiles are all in the challenge."""
    first, *rest = MINE.residuals
    changes = [
        {"ctx": OTHER_CTX},
        {"joint": TABLE.X},
        {"joint": neg(JOINT)},
        {"key": TABLE.Xs[2]},
        {"key": neg(MINE.key)},
        {"positions": (3, 4, 6)},
        {"positions": (4, 3, 5)},
        {"residuals": (Masked(neg(first.A), first.B), *rest)},
        {"residuals": (Masked(first.A, neg(first.B)), *rest)},
        {"residuals": TABLE.residuals(SEAT, (3, 4, 6))},
        {"tiles": tuple(sorted((*TILES[1:], LAID)))},
    ]
    for change in changes:
        assert not accepts(replace(MINE, **change)), change
    assert not any(accepts(replace(MINE, ctx=bad)) for bad in flips(CTX, 8))


def test_tampered_entries_are_refused():
    """Halves negated, entries exchanged, or shifted so that their sum stays."""
    entries = GOOD.entries
    shift = some_point("shift")
    changes = [
        (Masked(neg(entries[0].A), entries[0].B), *entries[1:]),
        (Masked(entries[0].A, neg(entries[0].B)), *entries[1:]),
        (entries[1], entries[0], *entries[2:]),
        (
            Masked(entries[0].A, add(entries[0].B, shift)),
            Masked(entries[1].A, add(entries[1].B, neg(shift))),
            *entries[2:],
        ),
    ]
    for bad in changes:
        assert not accepts(contribution=GOOD._replace(entries=bad))


def test_replayed_contributions_are_refused():
    """One's own of another step, another seat's as one's own, or as it stands."""
    assert not accepts(replace(MINE, ctx=OTHER_CTX))
    other = contributed(2)
    assert accepts(statement(2), other)
    assert not accepts(MINE, other)
    copied = GOOD._replace(entries=other.entries)
    assert not accepts(MINE, copied)
    assert not accepts(statement(2), GOOD)


def test_omitted_tile_is_refused():
    """Who leaves a held tile in the deck would hold it twice."""
    for at in range(3):
        lie = lying(bits_of([tile for k, tile in enumerate(HELD) if k != at]))
        assert not accepts(contribution=lie)
    assert not accepts(contribution=lying(bits_of(())))


def test_foreign_tile_is_refused():
    """Nobody takes a tile out of the deck that is not in their hand: no veto, no more, no trade."""
    free = [tile for tile in TILES if tile not in HELD]
    for tile in free:
        assert not accepts(contribution=lying(bits_of((*HELD, tile))))
        assert not accepts(contribution=lying(bits_of((*HELD[1:], tile))))
    assert not accepts(contribution=lying([True] * len(TILES)))


def test_halves_of_tiles_cannot_be_traded():
    """Withholding 0-2 and 1-3 for 0-1 and 2-3: the same pips, not the same sum."""
    held, swapped = ((0, 1), (2, 3)), ((0, 2), (1, 3))
    residuals = tuple(
        Masked(mul_base(r), add(mul(r, MINE.key), tile_point(t)))
        for r, t in zip((5, 6), held, strict=True)
    )
    claim = replace(MINE, positions=(0, 1), residuals=residuals, tiles=TABLE.tiles)
    assert accepts(claim, lying([t in held for t in TABLE.tiles], claim))
    assert not accepts(claim, lying([t in swapped for t in TABLE.tiles], claim))


def withheld(k, claimed, bend=None):
    """Claim that one tile is withheld or none, where `k` times that tile is.

    The hand opens to just that multiple, so the link is true and only the slot may be false.
    """
    held = HELD[:1]
    hand = (Masked(mul_base(9), add(mul(9, MINE.key), mul(k % Q, tile_point(*held)))),)
    claim = replace(MINE, positions=(3,), residuals=hand)
    multiples = [k * (tile in held) for tile in TILES]
    return claim, lying(bits_of(held[:claimed]), claim, multiples=multiples, bend=bend)


@pytest.mark.parametrize("factor", [2, 3, -1, 2**128])
@pytest.mark.parametrize("claimed", [0, 1])
def test_non_binary_withholding_is_refused(factor, claimed):
    """Twice a tile, or minus one of it: neither branch is true, whichever is claimed."""
    assert accepts(*withheld(claimed, claimed))
    assert not accepts(*withheld(factor, claimed))


def test_a_longer_challenge_would_prove_anything_and_is_refused():
    """Both branches are answered before c is known: some e0 still fits e1 and what was chosen."""
    at, f, z = TILES.index(HELD[0]), 5, 7
    _, lie = withheld(2, 0)
    C1, C2 = lie.entries[at]

    def bend(T, link):
        first = [add(mul(z, P), mul(-f % Q, C)) for P, C in ((group.G, C1), (JOINT, C2))]
        return [*T[: 4 * at], *first, *T[4 * at + 2 :]], link

    claim, lie = withheld(2, 0, bend)
    high, low = divmod(lie.e0[at], 2**64)
    more = (f - stretch(lie.e0[at])) * pow(2**64, -1, Q) % Q
    e0 = (high + 2**64 * more << 64) + low
    forged = lie._replace(
        e0=(*lie.e0[:at], e0, *lie.e0[at + 1 :]), z0=(*lie.z0[:at], z, *lie.z0[at + 1 :])
    )
    assert plain(claim, forged)
    assert not verify_rebuild(claim, forged)


def test_masking_under_another_key_is_refused():
    """Entries under the whole table's key, or the cheater's own, could never be opened by all."""
    for joint in (TABLE.X, MINE.key):
        wrong = replace(MINE, joint=joint)
        lie = lying(bits_of(HELD), wrong)
        assert accepts(wrong, lie)
        assert not accepts(MINE, lie)


def test_somebody_elses_hand_is_refused():
    """Without the key of the residuals the link has no proof."""
    assert not accepts(contribution=lying(bits_of(HELD), x=TABLE.xs[2]))
    stolen = replace(MINE, key=TABLE.Xs[2])
    assert not accepts(stolen, lying(bits_of(HELD), stolen, TABLE.xs[2]))


def test_both_branches_false_needs_both_challenges():
    """The challenges of a slot add up to c: none of them can be chosen freely twice."""
    for e0 in (0, GOOD.c, (GOOD.e0[0] + 1) % 2**128, GOOD.e0[0] ^ 1 << 64):
        assert not accepts(contribution=GOOD._replace(e0=(e0, *GOOD.e0[1:])))


def test_a_challenge_of_zero_is_as_good_as_any():
    """One draw in 2^128 gives it: the branch that is not true may begin with e = 0."""
    stream = fixed("zero")
    drawn = lying(bits_of(HELD), entropy=lambda n: bytes(16) if n == 16 else stream(n))
    assert 0 in drawn.e0
    assert accepts(contribution=drawn)


def test_simulated_link_is_refused():
    """Answers chosen before the challenge give another challenge."""
    for change in (
        {"s_r": (GOOD.s_r + 1) % Q},
        {"s_x": (GOOD.s_x + 1) % Q},
        {"c": GOOD.c ^ 1},
        {"c": 0},
        {"z0": ((GOOD.z0[0] + 1) % Q, *GOOD.z0[1:])},
        {"z1": (*GOOD.z1[:-1], (GOOD.z1[-1] + 1) % Q)},
    ):
        assert not accepts(contribution=GOOD._replace(**change))


def test_infinity_and_odd_lengths_are_refused():
    """No entry is O, and every list has a member for each tile."""
    first, *rest = GOOD.entries
    for hole in (Masked(None, first.B), Masked(first.A, None)):
        assert not verify_rebuild(MINE, GOOD._replace(entries=(hole, *rest)))
    assert not verify_rebuild(MINE, GOOD._replace(entries=GOOD.entries[:-1]))
    for name in ("e0", "z0", "z1"):
        for members in (getattr(GOOD, name)[:-1], (*getattr(GOOD, name), 0), ()):
            bad = GOOD._replace(**{name: members})
            assert not verify_rebuild(MINE, bad)
    for change in ({"c": GOOD.c + 2**128}, {"e0": (GOOD.e0[0] + 2**128, *GOOD.e0[1:])}):
        assert not verify_rebuild(MINE, GOOD._replace(**change))


@pytest.mark.parametrize(
    "change",
    [
        {"tiles": TILES[::-1]},
        {"tiles": (TILES[0], *TILES)},
        {"tiles": ()},
        {"tiles": tuple((a, b) for a in range(20) for b in range(a, 20))[:191]},
        {"tiles": HELD[:2]},
        {"positions": (3, 3, 5)},
        {"positions": (3, 4)},
        {"residuals": MINE.residuals[:2]},
    ],
)
def test_statements_out_of_order_or_bounds_are_refused(change):
    """Tiles out of order, twice, none or too many; positions twice or without a residual."""
    claim = replace(MINE, **change)
    assert not rb.is_rebuildable(claim)
    assert not verify_rebuild(claim, lying([tile in HELD for tile in claim.tiles], claim))
    with pytest.raises(LocalMisuse):
        prove_rebuild(claim, X_SECRET, HELD, fixed("bounds"))


@pytest.mark.parametrize("held", [(), HELD[:2], (*HELD[:2], HELD[0]), (*HELD[:2], LAID)])
def test_a_hand_that_does_not_fit_its_positions_is_a_bug(held):
    """Our own code names each tile of the hand once, and none that is on the table."""
    with pytest.raises(LocalMisuse):
        prove_rebuild(MINE, X_SECRET, held, fixed("bug"))


def test_sums_that_are_infinity_are_fine():
    """SA = O and SB = O are computed values: an honest contribution holds, a lie does not."""
    A, key = some_point("A"), MINE.key
    tile = TILES[0]
    for residuals, held in (
        ((Masked(mul_base(9), add(mul(9, key), tile_point(tile))),
          Masked(mul_base(Q - 9), mul(Q - 9, key))), (tile,)),
        ((Masked(A, mul(X_SECRET, A)), Masked(neg(A), neg(mul(X_SECRET, A)))), ()),
    ):  # fmt: skip
        claim = replace(MINE, positions=(0, 1), residuals=residuals)
        assert accepts(claim, lying(bits_of(held), claim))
        assert not accepts(claim, lying(bits_of((TILES[1],)), claim))


@settings(max_examples=8, deadline=None)
@given(held=st.sets(st.sampled_from(TILES), max_size=6), claimed=st.sets(st.sampled_from(TILES)))
def test_exactly_the_hand_can_be_withheld(held, claimed):
    """For any hand and any tiles withheld: accepted if they are the same, else not."""
    residuals = tuple(
        Masked(mul_base(r), add(mul(r, MINE.key), tile_point(tile)))
        for r, tile in enumerate(sorted(held), start=7)
    )
    claim = replace(MINE, positions=tuple(range(len(held))), residuals=residuals)
    assert accepts(claim, lying(bits_of(claimed), claim)) == (claimed == held)


def test_a_second_contribution_uses_other_randomness():
    """Even with entropy that repeats, two steps share neither entries nor first messages."""
    one, two = (
        prove_rebuild(replace(MINE, ctx=ctx), X_SECRET, HELD, lambda n: bytes(n))
        for ctx in (CTX, OTHER_CTX)
    )
    assert not {m.A for m in one.entries} & {m.A for m in two.entries}
    assert not {m.B for m in one.entries} & {m.B for m in two.entries}


def test_one_randomness_for_two_hands_would_show_what_changed():
    """Why r is drawn anew on a retry: the difference of two entries is the tile itself."""
    first, second = (lying(bits_of(held), entropy=fixed("again")) for held in (HELD, HELD[1:]))
    at = TILES.index(HELD[0])
    assert first.entries[at].A == second.entries[at].A
    assert add(second.entries[at].B, neg(first.entries[at].B)) == tile_point(HELD[0])


@pytest.mark.parametrize("n", [0, 1, 8, 10])
def test_octets_of_another_length_are_malformed(n):
    """146 N + 80 octets, no others; and for no tiles nothing is accepted."""
    with pytest.raises(Malformed):
        rb.decode_rebuild(SENT, n)
    assert not verify_rebuild(replace(MINE, tiles=()), rb.decode_rebuild(bytes(80), 0))


def test_the_largest_contribution_fits_an_entry():
    """190 tiles, all of a double-eighteen: 27,820 octets."""
    assert 146 * 190 + 80 == 27_820


def test_short_numbers_are_a_group_of_distinct_scalars():
    """E + d - d = e half by half, and what they stand for adds up while no half overflows."""
    e, d = 2**127 + 5, 2**63 + 9
    assert short_difference(e, e) == 0
    assert short_difference(e, short_difference(e, d)) == d
    assert stretch(1 << 64) == 1
    assert pow(stretch(1), 3, Q) == 1 != stretch(1)
    assert (stretch(7) + stretch(8 << 64)) % Q == stretch(7 + (8 << 64)) % Q
    assert oracle.stretch(e) == stretch(e) % Q
    assert oracle.short_difference(d, e) == short_difference(d, e)


def test_residuals_stay_as_they_are():
    """After the rebuild a hand opens as before: no key of those who stay has changed."""
    left = MINE.residuals[0]
    assert tile_point(HELD[0]) == residual(left, [reveal_token(X_SECRET, left.A)]).B
    assert require_point(JOINT) == add(TABLE.Xs[1], TABLE.Xs[2])


def test_a_hand_that_has_moved_is_withheld_like_any_other():
    """Residuals shuffled by their owner, and a tile handed over: only residuals count."""
    secret = make_shuffle_secret(3, fixed("own"))
    own = shuffle(MINE.residuals, MINE.key, secret)
    (left,), (tile,) = TABLE.residuals(2, (6,)), TABLE.held(2, (6,))
    over = prove_hand_over(TABLE.xs[2], CTX, left, MINE.key, fixed("over"))
    assert verify_hand_over(TABLE.Xs[2], CTX, MINE.key, left, over)
    claim = replace(MINE, positions=((1, 0), (1, 1), (1, 2), 40), residuals=(*own, over.masked))
    assert accepts(claim, prove_rebuild(claim, X_SECRET, (*HELD, tile), fixed("moved")))
    giver = replace(statement(2), positions=(7,), residuals=TABLE.residuals(2, (7,)))
    assert accepts(giver, prove_rebuild(giver, TABLE.xs[2], TABLE.held(2, (7,)), fixed("gave")))
    assert not accepts(claim, lying(bits_of(HELD), claim))
