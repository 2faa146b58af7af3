"""Links to all members: dialled at once, but never again and again without a pause."""

from netgame.limits import DIAL_BACKOFF_MAX_S, LINK_SETTLED_S
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.core import Core
from tests.netgame.games import Driven, driven, played
from tests.netgame.simtable import LATENCY_S

WATCHED_S = 20.0


class Dialler(Driven):
    """A core by itself that notes whom it dials, and when."""

    def __init__(self, core: Core) -> None:
        self.dialled: list[tuple[bytes, float]] = []
        super().__init__(core)

    def do(self, effects) -> None:
        """Carry out effects, with those that ask for a link."""
        effects = tuple(effects)
        self.dialled += [(each.peer, self.now) for each in effects if isinstance(each, fx.Dial)]
        super().do(effects)

    def dials_of(self, peer: bytes) -> list[float]:
        """When this peer was dialled."""
        return [at for key, at in self.dialled if key == peer]


def lower_and_higher() -> tuple[Dialler, bytes]:
    """A seat in the middle of a game, and a peer with a higher key, which it dials at once."""
    keys = [each.core.key for each in played(3, 6, 1).sitters]
    low, high = keys.index(min(keys)), max(keys)
    return Dialler(driven(40, low, played(3, 6, 1)).core), high


def test_a_link_that_is_lost_over_and_over_is_dialled_with_growing_pauses() -> None:
    """Two programs with one key, run from a copied folder, take each other's links away."""
    seat, peer = lower_and_higher()
    end, known = seat.now + WATCHED_S, -1
    while seat.now < end:
        if len(seat.dials_of(peer)) > known:
            known = len(seat.dials_of(peer))
            seat.link(peer)
            seat.pass_time(LATENCY_S)
            seat.unlink(peer)
        seat.pass_time(LATENCY_S)
    pauses = WATCHED_S / DIAL_BACKOFF_MAX_S
    assert pauses / 2 < len(seat.dials_of(peer)) < 2 * pauses


def test_a_link_that_has_held_is_dialled_again_at_once() -> None:
    """A cable pulled once in an evening costs no pause."""
    seat, peer = lower_and_higher()
    seat.link(peer)
    seat.pass_time(LINK_SETTLED_S + 1.0)
    seat.dialled.clear()
    seat.unlink(peer)
    assert seat.dials_of(peer) == [seat.now]
