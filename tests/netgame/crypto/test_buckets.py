"""Sums by Pippenger's method equal sums of single products, for any digits."""

import random

import pytest
from btclib_secp256k1 import keys

from netgame.crypto import buckets, group
from netgame.crypto.group import G, Q
from tests.netgame.crypto import oracle

EDGES = [1, 31, 32, 33, 63, 64, 127, 128, 129, 255, 256, 2**128 - 1, Q // 2, Q - 1]


def narrow(wide):
    """Return the 33-octet form of a point given in 65 octets."""
    return None if wide is None else keys.reserialize(wide)


@pytest.fixture(params=["six", "eight"])
def bits(request, monkeypatch):
    """Use digits of six bits, or digits of eight."""
    monkeypatch.setattr(buckets, "_LONG_DIGITS_PAY", 1 if request.param == "eight" else Q)


@pytest.mark.usefixtures("bits")
def test_every_edge_of_a_digit_counts_as_it_says():
    """A factor at any edge of a digit gives the right product, alone and beside others."""
    points = [oracle.base(at) for at in range(1, len(EDGES) + 1)]
    wides = [keys.reserialize(point, compressed=False) for point in points]
    for factor in EDGES:
        assert narrow(buckets.sum_in_buckets(wides[1:2], [factor])) == oracle.base(2 * factor)
    assert narrow(buckets.sum_in_buckets(wides, EDGES)) == oracle.combine(
        *zip(EDGES, points, strict=True)
    )


@pytest.mark.usefixtures("bits")
@pytest.mark.parametrize("at_once", [200, 256])
def test_a_bucket_may_hold_more_than_one_call_adds(monkeypatch, at_once):
    """A bucket may collect more points than one call adds; the sum is right, even if it is O."""
    monkeypatch.setattr(buckets, "_AT_ONCE", at_once)
    wide = keys.reserialize(G, compressed=False)
    assert narrow(buckets.sum_in_buckets([wide] * 700, [5] * 700)) == oracle.base(3_500)
    turned = keys.reserialize(oracle.neg(G), compressed=False)
    assert buckets.sum_in_buckets([wide, turned] * 350, [5] * 700) is None


def test_what_is_no_point_is_refused():
    """A point that does not decode raises `ValueError`."""
    with pytest.raises(ValueError, match="no point"):
        buckets.sum_in_buckets([bytes(65)], [1])


def test_points_of_labels_add_up_like_all_others():
    """Fixed points, few or many, add up correctly beside others, and with factors of zero, too."""
    chance = random.Random(7)
    points = [group.hash_to_group(f"tile/0-{at}") for at in range(40)]
    for fixed in (0, 1, 15, 16, 40):
        factors = [chance.choice((0, 5, Q - 1, chance.randrange(Q))) for _ in range(fixed + 2)]
        elements = [oracle.base(9), None, *points[:fixed]]
        kept = [(k, point) for k, point in zip(factors, elements, strict=True) if k and point]
        assert group.multi_mul(factors, elements, fixed=fixed) == oracle.combine(*kept)
    assert group.multi_mul([0] * 16, points[:16], fixed=16) is None
    assert group.multi_mul([3, Q - 3] * 8, points[:1] * 16, fixed=16) is None
