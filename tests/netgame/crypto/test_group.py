"""Points and scalars: the same octets as from another library, and no other octets accepted."""

import random
from itertools import pairwise

import pytest
from btclib_secp256k1 import keys as library
from hypothesis import given
from hypothesis import strategies as st

from netgame.crypto import curve, group, masking, rebuild
from netgame.crypto.group import Q
from netgame.errors import LocalMisuse
from tests.netgame.crypto import oracle
from tests.netgame.crypto.table import fixed, some_point

scalars = st.one_of(st.sampled_from([0, 1, 2, Q - 1, Q, 2**128]), st.integers(0, 2**256 - 1))
elements = st.one_of(st.none(), scalars.map(oracle.base))


def own_point(multiply, *given):
    """Multiply by a secret; return None if the product would be O, which the program refuses."""
    try:
        return multiply(*given)
    except LocalMisuse:
        return None


@given(k=scalars, point=elements)
def test_multiplications_give_the_points_of_another_binding(k, point):
    """Base, public and constant-time multiplication agree with `coincurve`, octet by octet."""
    assert group.mul_base(k) == oracle.base(k)
    assert group.mul(k, point) == oracle.mul(k, point)
    assert own_point(group.mul_secret, k, point) == oracle.mul(k, point)


@given(st.lists(elements, max_size=5))
def test_sums_give_the_points_of_another_binding(points):
    """Sums and differences of points agree with `coincurve`, also with O and inverses."""
    assert group.add(*points) == oracle.add(*points)
    for left, right in pairwise(points):
        assert group.sub(left, right) == oracle.add(left, oracle.neg(right))
        assert group.sub(left, left) is None


@given(k=scalars, plus=elements, terms=st.lists(st.tuples(scalars, elements), max_size=4))
def test_many_at_once_is_one_after_the_other(k, plus, terms):
    """`multi_mul` and `secret_multi_mul` agree with a sum of single products."""
    factors, points = [a for a, _ in terms], [b for _, b in terms]
    plain = oracle.combine(*terms)
    assert group.multi_mul(factors, points) == plain
    expected = oracle.add(oracle.base(k), plain, plus)
    assert own_point(group.secret_multi_mul, k, factors, points, plus) == expected


def test_random_scalars_skip_zero_and_what_is_too_large():
    """Draws outside 1..Q-1 are thrown away, so that the rest is uniform."""
    stream = iter([bytes(32), Q.to_bytes(32, "big"), b"\xff" * 32, (7).to_bytes(32, "big")])
    assert group.random_scalar(lambda _: next(stream)) == 7


def test_batch_factors_are_short():
    """Batch factors have sixteen octets each, half as many as a scalar."""
    stream = fixed("factors")(48)
    factors = group.batch_factors(lambda size: stream[:size], 3)
    assert factors == [int.from_bytes(stream[at : at + 16], "big") for at in (0, 16, 32)]


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_labels_map_to_the_points_of_the_published_map(label):
    """`hash_to_group` agrees with SwiftEC, written out in plain arithmetic."""
    assert group.hash_to_group(label) == oracle.hash_to_group(label)


def _pole(u):
    """Return the even t with u^3 + t^2 + 7 = 0, or None if there is none."""
    t = oracle.root(-(u**3) - 7)
    return None if t is None else min(t, oracle.P - t, key=lambda each: each & 1)


POLES = [(u, t) for u in range(1, 40) if (t := _pole(u)) is not None]


@pytest.mark.parametrize(
    ("u", "t"),
    [
        *((u, t) for u in (0, 1, oracle.P, oracle.P + 1, 2**256 - 1) for t in (0, 1, 2, oracle.P)),
        *((u, each) for u, t in POLES for each in (t, oracle.P - t)),
    ],
)
def test_the_published_map_is_whole(u, t):
    """The program's map agrees with plain arithmetic even if u, t or u^3 + t^2 + 7 is 0."""
    octets = u.to_bytes(32, "big") + t.to_bytes(32, "big")
    assert curve.swift_decode(octets) == oracle.swift(octets)


def test_poles_of_the_map_are_tried():
    """There are many poles among the tested pairs of u and t, so the test above covers them."""
    assert len(POLES) > 10


def opened(monkeypatch):
    """Empty the cache; return a list that then collects each point that is decompressed."""
    seen, widen = [], curve.widen
    monkeypatch.setattr(curve, "widen", lambda points: seen.extend(points) or widen(points))
    group.forget_points()
    return seen


def test_a_point_is_opened_once_as_long_as_there_is_room(monkeypatch):
    """A point is decompressed once, and its inverse never; a full cache still gives right sums."""
    seen, points = opened(monkeypatch), [some_point("memory", i) for i in range(9)]
    group.forget_points()
    for one, other in ((points, points), (map(group.neg, points), map(oracle.neg, points))):
        assert group.add(*one) == oracle.add(*other)
    assert group.decode_points(points[0], 1) == (points[0],)
    assert seen == points
    monkeypatch.setattr(group, "POINTS_REMEMBERED_MAX", 3)
    group.forget_points()
    for _ in range(2):
        assert group.add(*points) == oracle.add(*points)
    assert seen == points * 3


def test_what_only_one_seat_knows_is_not_remembered(monkeypatch):
    """Points that only one seat knows are not remembered: its token, and its tile.

    Otherwise the time of the next use of such a point would reveal it.
    """
    x, A, tile = 5, some_point(), masking.tile_point((0, 1))
    token = group.mul_secret(x, A)
    left = masking.Masked(A, group.add(tile, token))
    seen = opened(monkeypatch)
    group.add(A, left.B)  # they are public
    assert masking.unmask(left, masking.reveal_token(x, A)) == tile
    group.add(token, tile)
    assert seen.count(token) == seen.count(tile) == 1


def test_a_rebuild_remembers_the_points_of_held_and_of_withheld_tiles_alike(monkeypatch):
    """The proof of a rebuild opens the points of all its tiles, whichever of them the seat holds.

    Otherwise the time of the next use of such a point would reveal the hand.
    """
    x, A, tiles = 5, some_point(), ((0, 1), (0, 2))
    X, points = group.mul_base(x), {*map(masking.tile_point, tiles)}
    for held in tiles:
        left = masking.Masked(A, group.add(masking.tile_point(held), group.mul_secret(x, A)))
        claim = rebuild.RebuildStatement(b"", X, X, (0,), (left,), tiles)
        seen = opened(monkeypatch)
        rebuild.prove_rebuild(claim, x, (held,), fixed("memory"))
        assert points <= {*seen}
        del seen[:]
        group.add(*points)
        assert seen == []


# ---- many points at once --------------------------------------------------------------------


@pytest.fixture(params=["each", "buckets"])
def way(request, monkeypatch):
    """Sum in both ways: term by term, and in buckets."""
    monkeypatch.setattr(curve, "_BUCKETS_PAY", 1 if request.param == "buckets" else Q)


def points(count, seed):
    """Return `count` points, and their forms of 65 octets."""
    chance = random.Random(seed)
    some = [oracle.base(chance.randrange(1, Q)) for _ in range(count)]
    return some, [library.reserialize(point, compressed=False) for point in some]


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("count", [0, 1, 2, 7, 91, 300])
def test_sums_are_what_the_oracle_says(count):
    """Sums agree with the oracle for any factors, from no term to enough for Pippenger's method."""
    chance, (some, wides) = random.Random(count), points(count, count)
    factors = [chance.randrange(1, Q) for _ in some]
    if count > 2:
        wides[1], some[1] = wides[0], some[0]  # the same point twice
        factors[2] = 1
    for k in (1, 256, Q - 1, chance.randrange(1, Q)):
        factors[:1] = [k] * bool(factors)
        wide = curve.multiply_sum(wides, factors)
        narrow = None if wide is None else bytes([2 + (wide[64] & 1)]) + wide[1:33]
        assert narrow == oracle.combine(*zip(factors, some, strict=True))


@pytest.mark.usefixtures("way")
def test_what_cancels_is_infinity():
    """Terms that cancel give O: P twice with opposite factors, and P beside -P with one factor."""
    (point,), (wide,) = points(1, 1)
    assert curve.multiply_sum([wide, wide], [5, Q - 5]) is None
    other = library.reserialize(oracle.neg(point), compressed=False)
    assert curve.multiply_sum([wide, other], [7, 7]) is None


@pytest.mark.usefixtures("way")
def test_points_open_to_their_wide_form():
    """Points are widened in order; an empty list gives an empty list.

    One bad point among them raises ValueError.
    """
    some, wides = points(40, 2)
    assert curve.widen(some) == wides
    assert curve.widen([]) == []
    for bad in (b"\x02" + b"\xff" * 32, b"\x02" + bytes(32), b"\x05" + some[0][1:]):
        with pytest.raises(ValueError):  # noqa: PT011 - the extra and the binding differ
            curve.widen([*some, bad])
