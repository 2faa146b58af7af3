"""The plain curve agrees with the library, so either may serve as the oracle."""

import pytest

from netgame.crypto.transcript import expand
from tests.netgame.crypto import oracle, plain_curve
from tests.netgame.crypto.oracle import G, Q

coincurve = pytest.importorskip("coincurve")

DRAW = expand(bytes(32), "plain curve")
H = oracle.hash_to_group("a point that is no known multiple of G")
SCALARS = [1, 2, 3, 16, Q - 1, Q - 2, *(int.from_bytes(DRAW(32), "big") % Q for _ in range(6))]


@pytest.fixture
def both(monkeypatch):
    """Return a function that computes with the library and then without it, and compares."""

    def compute(function, *given):
        found = []
        for library in (coincurve.PublicKey, None):
            monkeypatch.setattr(oracle, "PublicKey", library)
            found.append(function(*given))
        assert found[0] == found[1]
        return found[0]

    return compute


def test_products_agree(both):
    """Multiples of G, and of a point that is no known multiple of G, are those of the library."""
    for k in SCALARS:
        assert both(oracle.base, k) == both(oracle.mul, k, G)
        assert both(oracle.mul, 2, both(oracle.mul, k, H)) == both(oracle.mul, 2 * k, H)
        assert both(oracle.mul, Q, H) is None


def test_sums_agree_and_come_to_nothing_where_they_must(both):
    """Sums of equal points, of opposite points, and with O are those of the library."""
    for k in SCALARS:
        point = both(oracle.base, k)
        assert both(oracle.add, point, point) == both(oracle.base, 2 * k)
        assert both(oracle.add, point, oracle.neg(point)) is None
        assert both(oracle.add, point, None, G) == both(oracle.base, k + 1)
        assert both(oracle.add, point, H) != point
    assert both(oracle.add) is None


@pytest.mark.parametrize(
    "octets",
    [
        b"",
        bytes(33),
        G[:32],
        G + b"\x00",
        b"\x04" + G[1:],
        b"\x02" + bytes(31) + b"\x05",
        b"\x02" + plain_curve.P.to_bytes(32, "big"),
    ],
)
def test_what_is_no_point_is_refused_by_both(octets, monkeypatch):
    """The library and the plain curve reject octets of a wrong length, first octet or x."""
    for library in (coincurve.PublicKey, None):
        monkeypatch.setattr(oracle, "PublicKey", library)
        with pytest.raises(ValueError, match=r"\w"):
            oracle.check_point(octets)
