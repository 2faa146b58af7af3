"""Rooms of the protocol are tested with toys: what they decide is not about the group."""

from collections.abc import Callable, Hashable, Iterator, Sequence

import pytest

from lab.simulation.computers.toys import toys
from netgame.crypto import masking
from netgame.crypto.batch import Batch, Weights
from netgame.crypto.group import Point
from netgame.crypto.shuffle import ShuffleLink
from netgame.protocol.fold import deal, play, turn


@pytest.fixture(autouse=True, scope="module")
def _with_toys(request: pytest.FixtureRequest) -> Iterator[None]:
    """Toy points and toy signatures for a whole module, unless it is marked `real_group`."""
    if request.node.get_closest_marker("real_group"):
        yield
        return
    with toys(), pytest.MonkeyPatch.context() as patched:
        patched.setattr(masking, "verify_reveal", shared_by_seats(masking.verify_reveal))
        patched.setattr(turn, "verify_hand", shared_by_seats(turn.verify_hand))
        shuffles = one_by_one(shared_by_seats(deal.verify_shuffles))
        patched.setattr(deal, "verify_shuffles", shuffles)
        patched.setattr(play, "verify_shuffles", shuffles)
        yield


def shared_by_seats(check: Callable[..., object]) -> Callable[..., object]:
    """A check whose answer is remembered: all seats of a test ask it, of the same octets."""
    answers: dict[Hashable, object] = {}

    def answer(*claim: object) -> object:
        *facts, by = claim
        if isinstance(by, Batch):  # it is given the equations, and answers later
            return check(*claim)
        key = tuple(tuple(fact) if isinstance(fact, list) else fact for fact in facts)
        if key not in answers:
            answers[key] = check(*claim)
        return answers[key]

    return answer


def one_by_one(check: Callable[..., object]) -> Callable[..., object]:
    """A check of many links, each by itself: no two seats ask it of the same ones."""

    def bad(key: Point, links: Sequence[ShuffleLink], by: Weights) -> object:
        if isinstance(by, Batch):
            return check(key, links, by)
        return tuple(at for at, link in enumerate(links) if check(key, (link,), by))

    return bad
