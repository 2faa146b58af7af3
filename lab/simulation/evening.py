"""Another evening of the same people: what they signed there is not for this table."""

from typing import Final

from lab.simulation.computers.weather import Weather
from lab.simulation.computers.world import World
from lab.simulation.mishaps.faults import Injector
from netgame.wire.messages import Settings, SignedEntry

LIMIT_S: Final = 600.0


def played_elsewhere(seed: int, settings: Settings) -> tuple[SignedEntry, ...]:
    """The log of a quiet game that the people of this seed have played at another table."""
    injector = Injector(seed, faults=False)
    world = World(seed, settings, Weather(seed, restless=False), injector, elsewhere=True)
    injector.attach(world)
    world.open_table(settings.seats)
    world.time.run(lambda: all(process.is_finished for process in world.processes), LIMIT_S)
    return tuple(world.processes[0].core.ledger.entries_from(0))
