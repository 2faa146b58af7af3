"""The cost of coming to a table that plays: from one's own record, or from the others.

A table in virtual time is stopped in the middle of a round. A seat is killed there, and its process
is made anew from what it wrote down, until it stands where the others stand. A watcher comes to the
same table with nothing, reads the whole log over its links and judges every entry. Links, disks and
waiting are no part of it: what is counted is processor time of the one peer.
"""

from collections.abc import Callable
from functools import cache, partial
from time import process_time
from typing import ClassVar, TypeVar

from msgspec.structs import replace

from bench.figure import Figure, format_figures, middle
from netgame.crypto.transcript import expand
from netgame.protocol.fold.phases import Phase
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.core import Core
from tests.netgame.simtable import SimTable, standard

T = TypeVar("T")
MOVES = 40
"""So many steps of play stand in the log."""


class TimedCore(Core):
    """A peer whose inputs and work are timed."""

    spent: ClassVar[float] = 0.0

    @classmethod
    def timed(cls, act: Callable[[], T]) -> T:
        """Do this, and count its processor time."""
        began = process_time()
        result = act()
        cls.spent += process_time() - began
        return result

    def frame(self, peer: fx.PeerKey, body: bytes, now: float) -> tuple[fx.Effect, ...]:
        """A frame from a peer."""
        return self._out(self.timed(partial(super().frame, peer, body, now)))

    def work_done(self, job: int, result: object, now: float) -> tuple[fx.Effect, ...]:
        """A piece of work has run."""
        return self._out(self.timed(partial(super().work_done, job, result, now)))

    def wake(self, now: float) -> tuple[fx.Effect, ...]:
        """A time has come."""
        return self._out(self.timed(partial(super().wake, now)))

    def _out(self, effects: tuple[fx.Effect, ...]) -> tuple[fx.Effect, ...]:
        return tuple(
            replace(each, run=partial(self.timed, each.run)) if isinstance(each, fx.Work) else each
            for each in effects
        )


@cache
def table(seats: int) -> SimTable:
    """A table of bots in the middle of its first round, double-twelve."""
    made = SimTable(standard(12, seats, 1))
    for number in range(seats):
        made.seat(f"seat{number}", start_at=None if number else seats)
    host = made.sitters[0].core
    made.run(lambda: host.state.phase is Phase.PLAY)
    begun = host.state.step
    made.run(lambda: host.state.step >= begun + MOVES)
    made.bots = False
    made.pass_time(5.0)
    return made


def restored(seats: int) -> float:
    """Seconds in which a killed seat stands again where its record ends."""
    sitter = table(seats).sitters[1]
    core = Core(sitter.signer, "seat1", expand(bytes(32), "again"), sitter.secret, ())
    began = process_time()
    core.restore(sitter.record, 0.0, sitter.journal)
    core.start(0.0)
    seconds = process_time() - began
    if core.state.head != sitter.core.state.head:
        raise AssertionError("it stands elsewhere")
    return seconds


def joined(seats: int) -> float:
    """Seconds in which somebody with nothing has read and judged the whole log."""
    place, TimedCore.spent = table(seats), 0.0
    watcher = place.seat("watcher", core_class=TimedCore, watches=True)
    host = place.sitters[0].core
    place.run(lambda: watcher.core.state.head == host.state.head)
    for other in place.sitters[:seats]:
        place.disconnect(watcher, other)
    watcher.alive = False
    return TimedCore.spent


def measure(seats: int = 8, repeat: int = 5) -> list[Figure]:
    """Both, at a table of so many seats."""
    log = table(seats).sitters[0].core.ledger
    name = f"of {log.state.step} steps, {seats} seats"
    return [
        middle(f"resume, a record {name}", [restored(seats) for _ in range(repeat)], "s"),
        middle(f"join, a log {name}", [joined(seats) for _ in range(repeat)], "s"),
    ]


if __name__ == "__main__":
    print(format_figures(measure()))
