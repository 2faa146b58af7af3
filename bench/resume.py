"""The cost of reaching the state of a table in play: from a record, or from the other peers.

A table in virtual time stops in the middle of a round. First a new core is restored from one
seat's record and journal. Then a watcher joins the same table with nothing, reads the whole log
over its links and judges every entry. In both cases only the processor time of the new core or
watcher counts, not links, disks or waiting.
"""

from functools import cache

from bench._core import TimedCore
from bench.figure import Figure, middle, timed
from netgame.crypto.transcript import expand
from netgame.protocol.peer.core import Core
from netgame.protocol.state.phases import Phase
from tests.netgame.simtable import SimTable, full_table, standard

MOVES = 40
"""Steps of play in the log."""


@cache
def table(seats: int) -> SimTable:
    """Return a double-twelve table of bots that have stopped in the middle of the first round.

    Later calls return the same table.
    """
    made = full_table([f"seat{number}" for number in range(seats)], standard(12, seats))
    host = made.sitters[0].core
    made.run(lambda: host.state.phase is Phase.PLAY)
    begun = host.state.step
    made.run(lambda: host.state.step >= begun + MOVES)
    made.bots = False
    made.pass_time(5.0)
    return made


def restored(seats: int) -> float:
    """Return the processor seconds that it takes to restore a seat from its record and journal."""
    sitter = table(seats).sitters[1]
    core = Core(sitter.signer, "seat1", expand(bytes(32), "again"), sitter.secret, ())
    _, seconds = timed(lambda: core.restore(sitter.record, 0.0, sitter.journal).start(0.0))
    assert core.state.head == sitter.core.state.head, "it stands elsewhere"
    return seconds


def joined(seats: int) -> float:
    """Return the processor seconds that a new watcher takes to read and judge the whole log."""
    place = table(seats)
    TimedCore.begin()
    watcher = place.seat("watcher", core_class=TimedCore, watches=True)
    host = place.sitters[0].core
    place.run(lambda: watcher.core.state.head == host.state.head)
    for other in place.sitters[:seats]:
        place.disconnect(watcher, other)
    watcher.alive = False
    return sum(TimedCore.spent.values())


def measure(seats: int = 8, repeat: int = 5) -> list[Figure]:
    """Measure `repeat` times how long it takes to restore a seat and to join as a watcher."""
    table.cache_clear()  # a table's room for watchers is limited, and each measurement adds some
    log = table(seats).sitters[0].core.ledger
    name = f"of {log.state.step} steps, {seats} seats"
    return [
        middle(f"resume, a record {name}", [restored(seats) for _ in range(repeat)], "s"),
        middle(f"join, a log {name}", [joined(seats) for _ in range(repeat)], "s"),
    ]
