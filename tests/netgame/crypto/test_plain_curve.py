"""The plain curve agrees with the library, so either may serve as the oracle."""

import pytest

from netgame.crypto.transcript import expand
from tests.netgame.crypto import oracle, plain_curve
from tests.netgame.crypto.oracle import G, Q

coincurve = pytest.importorskip("coincurve")

DRAW = expand(bytes(32), "plain curve")
SCALARS = [1, 2, 3, 16, Q - 1, Q - 2, *(int.from_bytes(DRAW(32), "big") % Q for _ in range(6))]


@pytest.fixture
def plain(monkeypatch):
    """Take the library away from the oracle; return the products that the library gave."""
    library = {k: oracle.base(k) for k in SCALARS}
    monkeypatch.setattr(oracle, "PublicKey", None)
    return library


def test_products_agree(plain):
    """Multiples of G are those of the library, and twice a multiple is the right multiple, too."""
    for k, point in plain.items():
        assert oracle.base(k) == point
        twice = oracle.mul(2, point)
        assert twice == oracle.base(2 * k)
        assert oracle.mul(Q, point) is None


def test_sums_agree_and_come_to_nothing_where_they_must(plain):
    """Sums of equal points, of opposite points, and with O are the right multiples of G."""
    for k, point in plain.items():
        assert oracle.add(point, point) == oracle.base(2 * k)
        assert oracle.add(point, oracle.neg(point)) is None
        assert oracle.add(point, None, G) == oracle.base(k + 1)
    assert oracle.add() is None


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
def test_what_is_no_point_is_none_for_both(octets, monkeypatch):
    """The library and the plain curve reject octets of a wrong length, first octet or x."""
    for library in (coincurve.PublicKey, None):
        monkeypatch.setattr(oracle, "PublicKey", library)
        with pytest.raises(ValueError, match=r"\w"):
            oracle.check_point(octets)
