"""Another game of the same people, whose signatures are not valid at this table."""

from typing import Final

from lab.simulation.mishaps.faults import quiet_world
from netgame.wire.messages import Settings, SignedEntry

LIMIT_S: Final = 600.0


def played_elsewhere(seed: int, settings: Settings) -> tuple[SignedEntry, ...]:
    """Return the log of a quiet game that the people of this seed played at another table."""
    world = quiet_world(seed, settings, elsewhere=True)
    world.run_game(LIMIT_S)
    return tuple(world.processes[0].ledger.entries_from(0))
