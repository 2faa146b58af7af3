"""Outages in one game: their victims, and how they end."""

from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

from lab.simulation.computers.chance import Chance
from lab.simulation.computers.network import Pairs, pairs_of
from lab.simulation.computers.process import Process
from lab.simulation.computers.world import World
from lab.simulation.mishaps.kinds import Mishap
from lab.simulation.mishaps.people import People

T = TypeVar("T")

CALM_S: Final = 12.0
"""How long nothing else goes wrong after the return of a seat that lost part of its record."""
_OUTAGE_S: Final = (0.5, 30.0)


class Outages:
    """The outages that are going on, and the choice of victims for new ones."""

    def __init__(self, world: World, chance: Chance) -> None:
        self.world = world
        self.chance = chance
        self.people = People(world, Chance(world.seed, "people"))
        self.doom: dict[int, Mishap] = {}
        """By number of a process: the fault of which it dies at its next entry."""
        self._active = 0

    # ---- how long it lasts ----------------------------------------------------------------

    def for_a_while(
        self, undo: Callable[[], object], within_s: tuple[float, float] = _OUTAGE_S
    ) -> None:
        """Call `undo` after a random time in this range; an outage lasts until then."""
        self.last(self.chance.between(*within_s), undo)

    def last(self, seconds: float, undo: Callable[[], object]) -> None:
        """Call `undo` after this many seconds; an outage lasts until then."""
        self._active += 1

        def over() -> None:
            self._active -= 1
            undo()

        self.world.later(seconds, over)

    def cut_off(self, pairs: Pairs, within_s: tuple[float, float] = _OUTAGE_S) -> None:
        """Let nothing pass between the two hosts of each pair for a while."""
        self.world.network.part(pairs)
        self.for_a_while(partial(self.world.network.rejoin, pairs), within_s)

    def slow_down(self, slow: dict[T, float], whom: T, within_s: tuple[float, float]) -> None:
        """Slow something down for a while: give `whom` a delay in `slow`."""
        slow[whom] = self.chance.between(*within_s)
        self.for_a_while(lambda: slow.pop(whom, None), (1.0, 60.0))

    def calm_for(self, seconds: float) -> None:
        """Let nothing else go wrong for this many seconds."""
        self.world.calm_until = self.world.time.now + seconds

    # ---- processes that die ---------------------------------------------------------------

    def bring_back(self, victim: Process, *, alone: bool) -> None:
        """Start a dead process again after a while.

        If `alone`, it is then cut off from one or all others for a while.
        """

        def back() -> None:
            if alone and self.world.time.now >= self.world.calm_until:
                others = self._numbers_beside(victim)
                some = others if self.chance.once_in(2) else [self.chance.pick(others)]
                self.cut_off(pairs_of([victim.number], some))
            victim.come_back()

        self.for_a_while(victim.life.guard(back), (0.05, 20.0))

    # ---- whom it strikes ------------------------------------------------------------------

    def anybody(self, _: Process) -> Process:
        """Return any process."""
        return self.chance.pick(self.world.processes)

    def other(self, writer: Process) -> Process | None:
        """Return another process that is alive and awake, or None if there is none."""
        others = [p for p in self.world.processes if p is not writer and p.is_alive and p.is_awake]
        return self.chance.pick(others) if others else None

    def other_if_any(self, writer: Process) -> Process:
        """Return another process, or the writer itself."""
        return self.other(writer) or writer

    def loser(self, writer: Process) -> Process | None:
        """Kill another process, whose disk is to lose octets, and return it.

        Return None unless all is well. The process comes back after a few seconds, and nothing else
        goes wrong until some time after that.
        """
        victim = self.healthy(writer)
        if victim is not None:
            victim.die()
            delay = self.chance.between(1.0, 5.0)
            self.calm_for(delay + CALM_S)
            self.world.later(delay, victim.come_back)
        return victim

    def healthy(self, writer: Process) -> Process | None:
        """Return another process that runs if all is well, else None."""
        return self.other(writer) if self.all_is_well(writer) else None

    def pair(self, writer: Process) -> frozenset[int]:
        """Return the numbers of the writer and of another process."""
        return frozenset((writer.number, self.chance.pick(self._numbers_beside(writer))))

    def _numbers_beside(self, process: Process) -> list[int]:
        return [each.number for each in self.world.processes if each is not process]

    def all_is_well(self, writer: Process) -> bool:
        """Return True if the game has begun, all processes run, and no other outage is going on."""
        present = all(process.is_ready for process in self.world.processes)
        begun = all(process.has_begun for process in (*self.world.processes, writer))
        return present and begun and not self._active and not self.doom
