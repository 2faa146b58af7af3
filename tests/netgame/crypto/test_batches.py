"""Sums and decodings of many public points: the same octets with and without the extra.

Without it the binding's way alone is held to the oracle; with it installed, the extra's too.
"""

import random

import pytest

from netgame.crypto import batches
from netgame.crypto.group import Q
from tests.netgame.crypto import oracle

WAYS = {"each": (batches._sum_term_by_term, batches._widen_each)}
if batches.IS_NATIVE:
    WAYS["native"] = (batches._sum_natively, batches._widen_natively)

pytestmark = pytest.mark.parametrize(("add_up", "widen"), WAYS.values(), ids=WAYS)


def narrow(wide):
    """The 33 octets of a sum."""
    return None if wide is None else bytes([2 + (wide[64] & 1)]) + wide[1:33]


def points(count, seed):
    """Some points, and their forms of 65 octets."""
    chance = random.Random(seed)
    some = [oracle.base(chance.randrange(1, Q)) for _ in range(count)]
    return some, batches._widen_each(some)


@pytest.mark.parametrize("count", [0, 1, 2, 7, 91, 300])
def test_sums_are_what_the_oracle_says(add_up, widen, count):
    """From no term to as many as call for Pippenger's method; with and without a multiple of G."""
    del widen
    chance, (some, wides) = random.Random(count), points(count, count)
    factors = [chance.randrange(1, Q) for _ in some]
    if count > 2:
        wides[1], some[1] = wides[0], some[0]  # the same point twice
        factors[2] = 1
    for k in (0, 1, Q - 1, chance.randrange(Q)):
        terms = zip(factors, some, strict=True)
        assert narrow(add_up(k, wides, factors)) == oracle.add(
            oracle.base(k), oracle.combine(*terms)
        )


def test_what_cancels_is_infinity(add_up, widen):
    """P, and -P by its factor; kG and -kG."""
    del widen
    _, (wide,) = points(1, 1)
    assert add_up(0, [wide, wide], [5, Q - 5]) is None
    (base,) = batches._widen_each([oracle.base(1)])
    assert add_up(7, [base], [Q - 7]) is None


def test_points_open_to_their_wide_form(add_up, widen):
    """In order, none of none, and one that is no point refuses all."""
    del add_up
    some, wides = points(40, 2)
    assert list(widen(some)) == wides
    assert list(widen([])) == []
    for bad in (b"\x02" + b"\xff" * 32, b"\x02" + bytes(32), b"\x05" + some[0][1:]):
        with pytest.raises(ValueError) as refused:  # noqa: PT011 - the extra and the binding differ
            widen([*some, bad])
        assert str(refused.value)
