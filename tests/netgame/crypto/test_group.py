"""Points and scalars: the same octets as another binding gives, and nothing else accepted."""

import random
from math import isqrt

import pytest
from btclib_secp256k1 import keys as library
from hypothesis import given
from hypothesis import strategies as st

from netgame.crypto import group
from netgame.crypto.group import Q
from netgame.errors import LocalMisuse, Malformed
from tests.netgame.crypto import oracle
from tests.netgame.crypto.table import fixed, some_point

scalars = st.one_of(st.sampled_from([0, 1, 2, Q - 1, Q, 2**128]), st.integers(0, 2**256 - 1))
elements = st.one_of(st.none(), scalars.map(oracle.base))

FIELD = 2**256 - 2**32 - 977


def decode_point(octets):
    """Take one point from elsewhere."""
    return group.decode_points(octets, 1)[0]


def test_the_order_is_prime_and_no_other_multiple_of_it_has_so_many_points():
    """By Hasse's bound the curve has just Q points: a false equation times a factor is never O."""
    odd, twos = Q - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in range(2, 42):  # Miller and Rabin: no composite passes more than one in four
        power = pow(base, odd, Q)
        powers = [pow(power, 2**each, Q) for each in range(twos)]
        assert power == 1 or Q - 1 in powers, base
    spread = 2 * isqrt(FIELD) + 1
    assert [k for k in range(4) if abs(k * Q - (FIELD + 1)) <= spread] == [1]


def test_order_and_base_point_are_those_of_sec2():
    """Q times G is O, and G has the published x."""
    assert group.G == oracle.G
    assert group.mul_base(Q) is None
    assert group.mul_base(Q - 1) == group.neg(group.G)


@given(k=scalars, point=elements)
def test_multiplications_give_the_points_of_another_binding(k, point):
    """Base, public and constant-time multiplication agree with `coincurve`, octet by octet."""
    assert group.mul_base(k) == oracle.base(k)
    assert group.mul(k, point) == oracle.mul(k, point)
    assert group.mul_secret(k, point) == oracle.mul(k, point)


@given(st.lists(elements, max_size=5))
def test_sums_give_the_points_of_another_binding(points):
    """Adding any number of points, O and inverses among them, agrees with adding in pairs."""
    assert group.add(*points) == oracle.add(*points)


@given(left=elements, right=elements)
def test_subtraction_adds_the_inverse(left, right):
    """P - R is P + (-R), and P - P is O."""
    assert group.add(left, right) == oracle.add(left, right)
    assert group.sub(left, right) == oracle.add(left, oracle.neg(right))
    assert group.sub(left, left) is None


@given(k=scalars, plus=elements, terms=st.lists(st.tuples(scalars, elements), max_size=4))
def test_many_at_once_is_one_after_the_other(k, plus, terms):
    """Both multi-multiplications agree with single steps: must agree with the plain sum."""
    factors, points = [a for a, _ in terms], [b for _, b in terms]
    plain = oracle.combine(*terms)
    assert group.multi_mul(factors, points) == plain
    expected = oracle.add(oracle.base(k), plain, plus)
    assert group.secret_multi_mul(k, factors, points, plus) == expected


def test_zero_terms_and_empty_sums_are_infinity():
    """The binding refuses a zero scalar and an empty sum; here they are O."""
    assert group.multi_mul((), ()) is None
    assert group.add(*()) is None
    assert group.multi_mul((0, 5), (group.G, None)) is None
    assert group.secret_multi_mul(0, (), ()) is None


@pytest.mark.parametrize(
    "octets",
    [
        b"",
        group.G[:32],
        group.G + b"\x00",
        bytes(33),
        b"\x00" + group.G[1:],
        b"\x04" + group.G[1:],
        b"\x05" + group.G[1:],
        b"\x06" + group.G[1:],
        b"\x02" + bytes(32),
        b"\x02" + (5).to_bytes(32, "big"),
        b"\x02" + FIELD.to_bytes(32, "big"),
        b"\x02" + (FIELD + 1).to_bytes(32, "big"),
        b"\x03" + b"\xff" * 32,
    ],
)
def test_octets_that_are_no_compressed_point_are_malformed(octets):
    """Only 33 octets, 02 or 03 in front and an x below p on the curve, are a point."""
    with pytest.raises(Malformed):
        decode_point(octets)


def test_no_first_octet_but_02_and_03_makes_a_point():
    """All 256 before the same x: two points, each its own inverse's twin; nothing else decodes."""
    good = {}
    for first in range(256):
        octets = bytes([first]) + group.G[1:]
        try:
            good[first] = decode_point(octets)
        except Malformed:
            continue
    assert set(good) == {2, 3}
    assert good[3] == group.neg(good[2])


@pytest.mark.parametrize("first", [4, 6, 7])
def test_long_and_hybrid_forms_are_malformed(first):
    """The binding would parse 65 octets; two encodings of one point would break every digest."""
    y = pow(pow(int.from_bytes(group.G[1:], "big"), 3, FIELD) + 7, (FIELD + 1) // 4, FIELD)
    for candidate in (y, FIELD - y):
        with pytest.raises(Malformed):
            decode_point(bytes([first]) + group.G[1:] + candidate.to_bytes(32, "big"))


@given(scalars.filter(lambda k: k % Q))
def test_a_point_survives_the_wire(k):
    """What we compute decodes to itself, and so do two in a row."""
    point = oracle.base(k)
    assert decode_point(point) == point
    assert group.decode_points(point * 2, 2) == (point, point)


def test_lists_of_points_and_scalars_have_exact_lengths():
    """One octet more or fewer is malformed."""
    for octets in (b"", group.G * 2, group.G + b"\x02"):
        with pytest.raises(Malformed):
            group.decode_points(octets, 1)
    for octets in (b"", bytes(31), bytes(33), bytes(64)):
        with pytest.raises(Malformed):
            group.decode(octets, "a scalar", 0, 1)


def test_scalars_stop_below_the_order():
    """0 and Q - 1 are scalars, Q and longer or shorter octets are not."""
    assert group.decode_scalar(bytes(32)) == 0
    assert group.decode_scalar(group.encode(Q - 1)) == Q - 1
    for octets in (Q.to_bytes(32, "big"), b"\xff" * 32, bytes(31), bytes(33)):
        with pytest.raises(Malformed):
            group.decode_scalar(octets)


def test_random_scalars_skip_zero_and_what_is_too_large():
    """Draws outside 1..Q-1 are thrown away, so that the rest stay uniform."""
    stream = iter([bytes(32), Q.to_bytes(32, "big"), b"\xff" * 32, (7).to_bytes(32, "big")])
    assert group.random_scalar(lambda _: next(stream)) == 7


def test_batch_factors_are_short():
    """Sixteen octets each, so that half of their digits are zero."""
    stream = fixed("factors")(48)
    factors = group.batch_factors(lambda size: stream[:size], 3)
    assert factors == [int.from_bytes(stream[at : at + 16], "big") for at in (0, 16, 32)]


def test_stretching_takes_two_short_halves_to_one_scalar():
    """It gives a + b lambda, lambda the cube root of 1 that maps (x, y) to (beta x, y)."""
    root = group._LAMBDA
    assert pow(root, 3, Q) == 1 != root
    assert group.stretch((3 << 64) + 5) == 3 + root * 5
    rotated = group.mul(root, group.G)
    beta = int.from_bytes(rotated[1:], "big") * pow(int.from_bytes(group.G[1:], "big"), -1, FIELD)
    assert pow(beta, 3, FIELD) == 1
    assert rotated[0] == group.G[0]


def test_infinity_has_no_octets():
    """O is a value to compute with and never one to send."""
    assert group.require_point(group.G) == group.G
    with pytest.raises(LocalMisuse):
        group.require_point(None)


def test_every_label_gives_a_point_of_its_own():
    """No two of the generators and of the tiles up to double-eighteen are equal."""
    labels = ["shuffle/h", *(f"shuffle/h/{i}" for i in range(1, 191))]
    labels += [f"tile/{a}-{b}" for a in range(19) for b in range(a, 19)]
    points = {group.hash_to_group(label) for label in labels} | {group.G}
    assert len(points) == 1 + 190 + 190 + 1


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_labels_map_to_the_points_of_the_published_map(label):
    """Our map agrees with SwiftEC written out in plain arithmetic."""
    assert group.hash_to_group(label) == oracle.hash_to_group(label)


def test_a_full_memory_of_points_changes_no_result(monkeypatch):
    """The memory of opened points is bounded and forgets without harm."""
    monkeypatch.setattr(group, "POINTS_REMEMBERED_MAX", 3)
    points = [some_point("memory", i) for i in range(9)]
    assert group.add(*points) == oracle.add(*points)
    assert len(group._remembered) <= 3


def test_the_inverse_of_a_remembered_point_is_not_opened(monkeypatch):
    """It has the same x and the other y, whichever of the two came first."""
    points = [some_point("inverse", i) for i in range(4)]
    group.forget_points()
    wides = [group._wide(point) for point in points]
    inverses = [library.reserialize(oracle.neg(point), compressed=False) for point in points]
    assert wides != inverses
    monkeypatch.setattr(group, "widen", None)
    assert [group._wide(group.neg(point)) for point in points] == inverses


def test_a_point_from_elsewhere_is_opened_once(monkeypatch):
    """Its wide form is known from then on."""
    point = some_point("once")
    group.forget_points()
    group.decode_points(point, 1)
    monkeypatch.setattr(group, "widen", lambda points: [] if points == [] else None)
    assert group.decode_points(point, 1) == (point,)
    assert group._wide(point) == library.reserialize(point, compressed=False)


def test_secret_results_are_not_remembered():
    """A token of the holder's own tile stays out of the memory of opened points."""
    k = group.random_scalar(fixed("token"))
    assert group.mul_secret(k, some_point()) not in group._remembered


# ---- many points at once --------------------------------------------------------------------


@pytest.fixture(params=["each", "buckets", "native"])
def way(request, monkeypatch):
    """All ways; without the extra, those over the binding alone."""
    if request.param != "native":
        monkeypatch.setattr(group, "native", None)
        monkeypatch.setattr(group, "_BUCKETS_PAY", 1 if request.param == "buckets" else Q)
    elif group.native is None:
        pytest.skip("the extra is not installed")


def points(count, seed):
    """Some points, and their forms of 65 octets."""
    chance = random.Random(seed)
    some = [oracle.base(chance.randrange(1, Q)) for _ in range(count)]
    return some, [library.reserialize(point, compressed=False) for point in some]


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("count", [0, 1, 2, 7, 91, 300])
def test_sums_are_what_the_oracle_says(count):
    """From no term to as many as call for Pippenger's method; small factors and great ones."""
    chance, (some, wides) = random.Random(count), points(count, count)
    factors = [chance.randrange(1, Q) for _ in some]
    if count > 2:
        wides[1], some[1] = wides[0], some[0]  # the same point twice
        factors[2] = 1
    for k in (1, 256, Q - 1, chance.randrange(1, Q)):
        factors[:1] = [k] * bool(factors)
        wide = group.multiply_sum(wides, factors)
        narrow = None if wide is None else bytes([2 + (wide[64] & 1)]) + wide[1:33]
        assert narrow == oracle.combine(*zip(factors, some, strict=True))


@pytest.mark.usefixtures("way")
def test_what_cancels_is_infinity():
    """P, and -P by its factor; P and the point that is already -P."""
    (point,), (wide,) = points(1, 1)
    assert group.multiply_sum([wide, wide], [5, Q - 5]) is None
    other = library.reserialize(oracle.neg(point), compressed=False)
    assert group.multiply_sum([wide, other], [7, 7]) is None


@pytest.mark.usefixtures("way")
def test_points_open_to_their_wide_form():
    """In order, none of none, and one that is no point refuses all."""
    some, wides = points(40, 2)
    assert group.widen(some) == wides
    assert group.widen([]) == []
    for bad in (b"\x02" + b"\xff" * 32, b"\x02" + bytes(32), b"\x05" + some[0][1:]):
        with pytest.raises(ValueError) as refused:  # noqa: PT011 - the extra and the binding differ
            group.widen([*some, bad])
        assert str(refused.value)
