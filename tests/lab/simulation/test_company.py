"""The simulator lets nobody go, for good or for a while, who would leave no quorum."""

from lab.simulation.computers.chance import Chance
from lab.simulation.computers.process import Process
from lab.simulation.computers.toys import toys
from lab.simulation.computers.world import World
from lab.simulation.mishaps.company import Comers
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import PeerKey
from tests.netgame.simtable import SimTable
from tests.netgame.small_games import come_late, late_table


class Seated(Process):
    """A process that runs, and does nothing by itself."""

    def __init__(self, number: int, core: Core) -> None:
        self.number, self.core, self.key = number, core, PeerKey(core.key)
        self.is_alive = self.is_awake = True
        self.is_paused = False


def comers_of(table: SimTable) -> Comers:
    """The comers and goers of this table, as a simulated game would have them."""
    processes = [Seated(number, each.core) for number, each in enumerate(table.sitters)]
    comers = Comers(Chance(1, "company"))
    comers.world = World.__new__(World)
    comers.world.processes, comers.world.settings = processes, table.settings
    comers.world.by_key = {each.key: each for each in processes}
    comers.world.left = set()
    return comers


def test_what_the_victim_alone_has_heard_makes_no_quorum() -> None:
    """It has seen that a third one sits; as long as the other has not, that one waits for it."""
    with toys():
        table = late_table(rounds=2, seats=2)
        come_late(table)
        ann, ben, zoe = (each.core for each in table.sitters)
        table.run(lambda: len(ann.ledger.decisions) != len(ben.ledger.decisions))
        comers = comers_of(table)
        victim = comers.world.processes[0]
        assert ann.state.company.now.voters == 0b111
        assert not comers._can_spare(victim)
        table.run(lambda: all(len(each.ledger.decisions) == 2 for each in (ben, zoe)))
        assert comers._can_spare(victim)
