"""The toy group: it obeys the group laws, and the real verifier refuses what is made with it."""

import pytest

from lab.simulation.computers.small_tables import small
from lab.simulation.computers.toys import toys
from lab.simulation.mishaps.faults import quiet_world
from netgame.crypto import group, signing
from netgame.crypto.shuffle import generators
from netgame.crypto.transcript import expand
from netgame.errors import Malformed
from netgame.protocol.ledger.verification import verify_record


def toy_record() -> bytes:
    """Return the record of a game played with the toy group."""
    with toys():
        world = quiet_world(1, small(2, 3))
        world.run_game(100.0)
        octets = world.processes[0].records.disk.octets
        assert verify_record(octets, expand(bytes(32), "v")).ok
    return octets


def test_a_record_of_toys_is_refused_by_the_real_verifier() -> None:
    """The real verifier refuses the record of a game that was played with the toy group."""
    verdict = verify_record(toy_record(), expand(bytes(32), "v"))
    assert not verdict.ok


def test_toy_points_are_refused_by_the_real_group() -> None:
    """The real group refuses about half of all toy points, so no toy deck decodes."""
    with toys():
        points = [group.require_point(group.mul_base(k)) for k in range(2, 60)]
    refused = 0
    for point in points:
        try:
            group.decode_points(point, 1)
        except Malformed:
            refused += 1
    assert 15 < refused < 45


@pytest.mark.parametrize("ends", ["well", "badly"])
def test_the_real_group_is_back_after_the_block(ends: str) -> None:
    """Libraries, signatures and caches are restored, however the block ends."""
    before = (group.curve, signing.ciphers)
    base, tile = group.mul_base(7), group.hash_to_group("tile/1-2")
    key = signing.make_signing_key(bytes(32))
    try:
        with toys():
            assert group.mul_base(7) != base
            assert group.hash_to_group("tile/1-2") != tile
            assert signing.make_signing_key(bytes(32)).public_bytes != key.public_bytes
            if ends == "badly":
                raise KeyError
    except KeyError:
        assert ends == "badly"
    assert (group.curve, signing.ciphers) == before
    assert group.mul_base(7) == base
    assert group.hash_to_group("tile/1-2") == tile
    assert signing.make_signing_key(bytes(32)).public_bytes == key.public_bytes


def test_the_toy_group_is_a_group_of_order_q() -> None:
    """Sums, multiples, inverses and O agree with arithmetic modulo Q."""
    with toys():
        points = [group.mul_base(k) for k in (1, 2, 5, group.Q - 3)]
        assert points[0] == group.G
        assert group.add(*points) == group.mul_base(1 + 2 + 5 - 3)
        assert group.add(points[0], group.neg(points[0])) is None
        assert group.mul(group.Q - 1, points[2]) == group.neg(points[2])
        assert group.mul_secret(11, points[1]) == group.mul_base(22)
        assert group.multi_mul((3, 4), points[:2]) == group.mul_base(11)
        assert group.multi_mul((9, 3), (group.G, points[0])) == group.mul_base(12)
        assert group.multi_mul((3,), points[:1]) == group.mul_base(3)
        assert group.secret_multi_mul(9, (3,), points[1:2], points[2]) == group.mul_base(20)
        for point in (*points, *generators(3)[1]):
            assert group.decode_points(group.require_point(point), 1) == (point,)
        for octets in (b"\x02" + bytes(32), b"\x02" + b"\xff" * 32, b"\x04" + bytes(32)):
            with pytest.raises(Malformed):
                group.decode_points(octets, 1)


def test_a_toy_signature_is_of_one_key_and_one_text() -> None:
    """A toy signature verifies with its own key, domain and text, and with no other."""
    with toys():
        key, other = (signing.make_signing_key(bytes([n]) * 32) for n in (1, 2))
        signature = key.sign("a", b"text")
        assert signing.verify_signature(key.public_bytes, "a", b"text", signature)
        assert not signing.verify_signature(other.public_bytes, "a", b"text", signature)
        assert not signing.verify_signature(key.public_bytes, "b", b"text", signature)
        assert not signing.verify_signature(key.public_bytes, "a", b"test", signature)
        assert not signing.verify_signature(key.public_bytes, "a", b"text", bytes(64))
