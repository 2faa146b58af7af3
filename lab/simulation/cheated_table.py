"""One table at which somebody cheats and nothing else goes wrong, from its opening to its end."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from lab.simulation.cheats.cheat import Cheat, How
from lab.simulation.cheats.cheater import Accomplice, Cheater, Deed
from lab.simulation.computers.chance import Chance
from lab.simulation.computers.clock import Script, Stuck
from lab.simulation.computers.process import Process
from lab.simulation.computers.small_tables import small
from lab.simulation.computers.world import World
from lab.simulation.evening import played_elsewhere
from lab.simulation.mishaps.faults import quiet_world
from lab.simulation.mishaps.leaving import Leaver
from lab.simulation.mishaps.people import People
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.parts import leave_for_good
from netgame.protocol.state.phases import Phase
from netgame.protocol.text import fingerprint
from netgame.wire.messages import Admit, Close, OpenTable

_QUIET: Final = small(3, 4)
_WAIT_S: Final = 30.0
"""How long seats wait that have convicted one of two cheats and cannot go on without the other."""
_LEAVE_S: Final = 0.005
"""The pause between two checks of whether the seat that leaves and comes back can do so yet."""


@dataclass(slots=True)
class CheatedTable:
    """One game with one cheater, during play and afterwards."""

    world: World
    deed: Deed
    number: int
    """The number of the process that cheats."""
    log: int = -1
    """The step due at the furthest honest peer when the cheat was found."""
    found_at: float = 0.0
    """The simulated time at which it was found."""
    trouble: list[str] = field(default_factory=list)

    @property
    def cheater(self) -> Process:
        """The process that cheats."""
        return self.world.processes[self.number]

    @property
    def honest(self) -> list[Process]:
        """The processes that do not cheat and are still there."""
        return [each for each in self.world.staying if each.number not in self._dishonest]

    @property
    def _dishonest(self) -> dict[int, Callable[..., Core]]:
        """The makers of the cores of the cheater and of any accomplice, by process number."""
        partner = {0: Accomplice} if self.cheat.backed else {}
        return {self.number: partial(Cheater, self.deed), **partner}

    @property
    def guilty(self) -> list[str]:
        """The fingerprints of the cheater and of its accomplice, if there is one."""
        return [fingerprint(self.world.processes[each].key) for each in self._dishonest]

    @property
    def cheat(self) -> Cheat:
        """The cheat of this game."""
        return self.deed.cheat

    def play(self, limit_s: float) -> None:
        """Play to the end, or for `limit_s` simulated seconds.

        If the game gets stuck, note that in `trouble`.
        """
        self.world.open_table(self._dishonest)
        self.deed.lent = self.world.processes[0].signer
        people = People(self.world, Chance(self.world.seed, "people"))
        self.world.follow(people.look_up(lambda: self.honest))
        if self.cheat.back:
            self.world.follow(self._leave_and_come_back())
        try:
            self.world.run(self._is_over, limit_s)
        except Stuck as stuck:
            self.trouble.append(f"stuck: {stuck}")

    def _is_over(self) -> bool:
        """Return True if the game is over; first let the cheater leave, if it cheats that way.

        It is over once all honest processes have finished or, if the host backs the cheat, some
        time after the cheat was found.
        """
        if self.cheat.how is How.AWAY and self.deed.done and self.cheater.is_alive:
            self.cheater.die()
        honest = self.honest
        if self.log < 0 and any(process.core.faults for process in honest):
            self.log = max(process.state.step for process in honest)
            self.found_at = self.world.time.now
        # A friend of the cheat lets nobody go: half a table can only wait, as for a silent seat.
        if self.cheat.backed and self.log >= 0:
            return self.world.time.now > self.found_at + _WAIT_S
        return all(process.is_finished for process in honest)

    def _leave_and_come_back(self) -> Script:
        """Have an honest player say that they leave for good, end their program, and come back."""
        yield _LEAVE_S
        while (left := self.honest[0]).state.phase is not Phase.PLAY:
            yield _LEAVE_S
        left.act(leave_for_good)
        yield _LEAVE_S
        left.die()
        left.come_back()


def cheated_table(cheat: Cheat, seed: int) -> CheatedTable:
    """Return the table of this seed, not yet played, at which a player will cheat.

    The cheater is the host if only a host can cheat in this way, or else a guest.
    """
    settings = cheat.place or _QUIET
    by_host = cheat.host or not {OpenTable, Admit, Close}.isdisjoint(cheat.kinds)
    number = 0 if by_host else 1 + seed % (settings.seats - 1)
    deed = Deed(cheat)
    if cheat.elsewhere:
        deed.elsewhere = played_elsewhere(seed, settings)
    away = 1 + number % (settings.seats - 1)
    leavers = [Leaver(away, Phase.PLAY, 3 + seed % 5, None, power=False)] if cheat.leaver else []
    return CheatedTable(quiet_world(seed, settings, leavers), deed, number)
