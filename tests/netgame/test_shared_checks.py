"""A shared check answers each claim as the check itself does."""

from netgame.crypto.batch import Batch
from netgame.crypto.transcript import expand
from tests.netgame.shared_checks import one_by_one, shared_by_seats

WEIGHTS = expand(bytes(32), "weights")


def test_every_claim_gets_an_answer_of_its_own() -> None:
    """Another proof of what was shown before is checked too, with weights and without."""
    asked = []

    def is_shown(points, proof, by=None):
        asked.append(proof)
        return proof == sum(points)

    shared = shared_by_seats(is_shown)
    for by in ((), (WEIGHTS,), (expand(bytes(32), "others"),)):
        assert shared([1, 2], 3, *by)
        assert not shared([1, 2], 4, *by)
        assert not shared([1, 1], 3, *by)
    assert asked == [3, 4, 3]
    assert shared([1, 2], 3, Batch(WEIGHTS))
    assert asked == [3, 4, 3, 3]


def test_links_are_told_apart() -> None:
    """The places of the bad ones, in order, whichever were asked about before."""
    shared = one_by_one(shared_by_seats(lambda _key, links, _by: links[0] < 0))
    assert shared(b"key", [1, -1, 2, -2], WEIGHTS) == (1, 3)
    assert shared(b"key", [-2, 1], WEIGHTS) == (0,)
    assert shared(b"key", [], WEIGHTS) == ()
