"""The simulator takes no seat away, for good or for a while, if a quorum needs it."""

from lab.simulation.computers.process import Process
from lab.simulation.computers.toys import toys
from lab.simulation.computers.world import World
from lab.simulation.mishaps.leaving import can_be_spared
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import PeerKey
from tests.netgame.protocol.peer.test_seating import allow
from tests.netgame.simtable import SimTable
from tests.netgame.small_games import come_late, late_table


class Seated(Process):
    """A stand-in for a running process that does nothing by itself."""

    def __init__(self, number: int, core: Core) -> None:
        self.number, self.core, self.key = number, core, PeerKey(core.key)


def world_of(table: SimTable) -> World:
    """Return a world whose processes are the seats of this table: nobody has left, nobody lies."""
    world = World.__new__(World)
    world.processes = [Seated(number, each.core) for number, each in enumerate(table.sitters)]
    world.by_key = {each.key: each for each in world.processes}
    world.left, world.liars = set(), set()
    return world


def test_what_the_victim_alone_has_heard_makes_no_quorum() -> None:
    """Ben cannot be spared while he alone knows the decision that made Zoe the third voter.

    As far as the others know, Ann would be the only voter left, and she is not a quorum. Once Ann
    and Zoe know the decision, Ben can be spared.
    """
    with toys():
        table = late_table(rounds=3, seats=2)
        come_late(table)
        allow(table, table.sitters[1], table.sitters[2])
        ann, ben, zoe = (each.core for each in table.sitters)
        table.run(lambda: (len(ann.ledger.decisions), len(ben.ledger.decisions)) == (2, 3))
        world = world_of(table)
        assert ben.state.company.now.voters == 0b111
        assert not can_be_spared(world, world.processes[1])
        table.run(lambda: all(len(each.ledger.decisions) == 3 for each in (ann, zoe)))
        assert can_be_spared(world, world.processes[1])
