"""A bit flips in a seat's journal: the others go on without that seat if they are a majority."""

import pytest

from lab.simulation.computers.small_tables import small
from lab.simulation.computers.toys import toys
from lab.simulation.mishaps.disk_faults import flip_journal
from lab.simulation.mishaps.faults import quiet_world
from lab.simulation.verdict import Blocked, wrong, wrong_while_blocked
from netgame.protocol.notices import Trouble, TroubleKind
from netgame.protocol.state.phases import Phase

LIMIT_S = 7_200.0


def damaged(seats):
    """Return a world in play, and the process that has just come back to a damaged journal."""
    world = quiet_world(3, small(seats, 3))
    world.open_table()
    world.run(lambda: all(each.state.phase is Phase.PLAY for each in world.processes), LIMIT_S)
    victim = world.processes[1]
    victim.die()
    assert flip_journal(world.trouble.outages, victim)
    victim.come_back()
    return world, victim


def troubles(process):
    """Return the kinds of trouble that this seat's person was told of."""
    return [each.kind for each in process.told if isinstance(each, Trouble)]


@pytest.mark.parametrize(
    ("seats", "told"), [(4, TroubleKind.JOURNAL_DOUBT), (2, TroubleKind.NO_WAY_ON)]
)
def test_a_table_goes_on_without_a_damaged_journal_if_enough_are_left(seats, told):
    """Three of four seats play on, but one of two waits.

    The victim is told why it is out, or that there is no way on; nobody is accused.
    """
    with toys():
        world, victim = damaged(seats)
        blocked = Blocked(world)
        others = [p for p in world.processes if p is not victim]
        world.run(lambda: blocked.is_sure() or all(p.is_through for p in others), LIMIT_S)
        assert blocked.is_sure() == (seats == 2)
        assert troubles(victim) == [told]
        assert not (wrong_while_blocked if blocked.is_sure() else wrong)(world)
