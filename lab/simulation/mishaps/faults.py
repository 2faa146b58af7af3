"""Faults in a game, aimed at the moments at which they can hurt.

Faults at random times almost never hit the few instants in which a bug would show. So entries
and statements trigger them: at the n-th that anybody writes, a fault strikes its writer at a chosen
point between persisting and sending, or somebody else at the same time.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

from lab.simulation.computers.chance import Chance
from lab.simulation.computers.death import Point
from lab.simulation.computers.process import Process
from lab.simulation.computers.surroundings import Fate
from lab.simulation.computers.weather import Weather
from lab.simulation.computers.world import World
from lab.simulation.mishaps import disk_faults, link_faults, machine_faults
from lab.simulation.mishaps.company import Comers
from lab.simulation.mishaps.folders import start_copy
from lab.simulation.mishaps.kinds import CRASHES, POINTS, Mishap
from lab.simulation.mishaps.leaving import Leaver
from lab.simulation.mishaps.outages import Outages
from lab.simulation.mishaps.talking import Talkers
from netgame.protocol.peer.effects import Effect
from netgame.wire.messages import Settings

_KINDS: Final = tuple(Mishap)
_FAULTS_MOST: Final = 8
_ENTRIES_AIMED_AT: Final = 80
"""A small game has some 40 to 130 entries."""
_ENTRIES_OF_LOBBY: Final = 6
_STATEMENTS_AIMED_AT: Final = 24
"""The poll after a coin takes about seven."""
_TAKES_AWAY: Final = (
    Mishap.PARTITION, Mishap.STALL, Mishap.OTHER_DIES, Mishap.ALL_DIE, Mishap.SLEEPS, *CRASHES,
)  # fmt: skip
_NAMED_S: Final = 15.0
"""People name the missing seats within this time, while something else goes wrong."""

Goer: TypeAlias = Leaver | Comers | Talkers
"""People who come, go or talk according to a plan; some of them `takes_seats`."""

Choose = Callable[[Outages, Process], Any] | None
"""Chooses the victim of a fault when somebody writes; None if the fault finds its own victims."""

FAULTS: Final[dict[Mishap, tuple[Choose, Callable[[Outages, Any], str]]]] = {
    Mishap.PARTITION: (None, link_faults.part),
    Mishap.CUT: (None, link_faults.cut_in_parts),
    Mishap.FAREWELL: (Outages.other, machine_faults.say_farewell),
    Mishap.STALL: (Outages.pair, link_faults.stall),
    Mishap.RESET: (Outages.pair, link_faults.reset),
    Mishap.SLOW_LINK: (Outages.pair, link_faults.slow_link),
    Mishap.SLOW_WORK: (Outages.anybody, machine_faults.slow_work),
    Mishap.SLOW_CHECK: (Outages.anybody, machine_faults.slow_check),
    Mishap.PIECES: (None, link_faults.cut_up_frames),
    Mishap.REPEATS: (None, link_faults.repeat_frames),
    Mishap.OTHER_DIES: (Outages.other, machine_faults.crash),
    Mishap.ALL_DIE: (None, machine_faults.crash_all),
    Mishap.FLIP: (Outages.loser, disk_faults.flip_record),
    Mishap.FLIP_JOURNAL: (Outages.loser, disk_faults.flip_journal),
    Mishap.OLD_BACKUP: (Outages.loser, disk_faults.cut_record),
    Mishap.ROLLBACK: (None, disk_faults.put_back),
    Mishap.COPIED: (Outages.healthy, start_copy),
    Mishap.DISK_FULL: (Outages.other_if_any, disk_faults.fill),
    Mishap.SYNC_FAILS: (Outages.other_if_any, disk_faults.fail),
    Mishap.CLOCK_JUMPS: (Outages.other_if_any, machine_faults.set_clock),
    Mishap.SLEEPS: (Outages.other, machine_faults.sleep),
}
"""The faults and their victims, except `NAMED` and deaths at a `Point`."""


class Injector(Fate[Process]):
    """The faults of one game, chosen and carried out; without `faults` there are none.

    Whatever goes wrong, `goers` come, go and talk according to their plans.
    """

    outages: Outages

    def __init__(
        self,
        seed: int,
        *,
        faults: bool,
        goers: Iterable[Goer] = (),
        kinds: Sequence[Mishap] | None = None,
    ) -> None:
        self.goers = tuple(goers)
        kinds = _KINDS if kinds is None else kinds
        self.counts: Counter[str] = Counter()
        self.entries = self._statements = 0
        self._chance = chance = Chance(seed, "faults")
        self._plan: list[tuple[str, Mishap]] = []
        """Each fault, with the entry or statement, counted over all seats, that triggers it."""
        if faults:
            for _ in range(1 + chance.below(_FAULTS_MOST)):
                within = _ENTRIES_OF_LOBBY if chance.once_in(8) else _ENTRIES_AIMED_AT
                self._plan.append((f"entry {1 + chance.below(within)}", chance.pick(kinds)))
            for _ in range(chance.below(3)):
                at = f"statement {1 + chance.below(_STATEMENTS_AIMED_AT)}"
                self._plan.append((at, chance.pick(kinds)))

    def attach(self, world: World) -> None:
        """Take the world in which these faults are to happen."""
        self.world = world
        self.outages = Outages(world, self._chance)
        for goer in self.goers:
            goer.world = world

    @property
    def takes_seats(self) -> bool:
        """True if in this game people leave for good, or lose their seats while they are away."""
        by_people = (Mishap.CUT, Mishap.NAMED)
        are_named = self.outages.people.look_up_began
        are_going = any(goer.takes_seats for goer in self.goers)
        return are_going or are_named or any(self.counts[each.value] for each in by_people)

    # ---- what processes report ------------------------------------------------------------

    def wrote(self, process: Process, record: bytes) -> None:
        """Note that a process has appended an entry of its own, and start the faults due."""
        self.entries += 1
        for goer in self.goers:
            goer.wrote(process, record)
        self._begin_all(f"entry {self.entries}", process)

    def said(self, process: Process) -> None:
        """Note that a process has noted a statement of its own, and start the faults due."""
        self._statements += 1
        for goer in self.goers:
            goer.said(process)
        self._begin_all(f"statement {self._statements}", process)

    def _begin_all(self, now: str, process: Process) -> None:
        for at, fault in self._plan:
            if at == now and self.world.time.now >= self.world.calm_until:
                self.begin(fault, process)

    def strikes(self, process: Process, point: Point, effect: Effect | None = None) -> bool:
        """Kill the process if a fault, or the plan of a goer, is due now; return True if so."""
        del effect
        if any(goer.strikes(process, point) for goer in self.goers):
            return True
        fault = self.outages.doom.get(process.number)
        if fault is None or POINTS[fault] is not point:
            return False
        del self.outages.doom[process.number]
        if fault is Mishap.DISK_LIES:
            self._tell(fault, disk_faults.forget_last(self.outages, process))
            return True
        self._tell(fault, f"{process.name} dies, its entry {point.value}")
        process.die(power=fault is Mishap.DIES_UNSYNCED or self._chance.once_in(2))
        self.outages.bring_back(process, alone=self._chance.once_in(2))
        return True

    def moved(self, process: Process) -> None:
        """Tell all `goers` that an honest process has carried out all effects of its last input."""
        for goer in self.goers:
            goer.moved(process)

    def doubted(self, process: Process) -> None:
        """Have people look for missing seats from now on, because this process signs nothing."""
        del process
        self.outages.people.begin_to_look_up()

    def paused(self, process: Process) -> None:
        """Have somebody mend a disk that has failed, and restart the process, after a while."""

        def mended() -> None:
            process.die()
            self.outages.bring_back(process, alone=False)

        process.life.later(self._chance.between(0.5, 20.0), mended)

    # ---- beginnings -----------------------------------------------------------------------

    def begin(self, fault: Mishap, writer: Process) -> None:
        """Start a fault, if it can happen; `writer` is the process that just signed something."""
        if not writer.has_begun:
            self.world.began_badly = True
        if fault in POINTS:
            if fault is not Mishap.DISK_LIES or self.outages.all_is_well(writer):
                self.outages.doom[writer.number] = fault
        elif fault is Mishap.NAMED:  # while something else takes a seat away
            self.outages.people.name_all_missing(_NAMED_S)
            self.begin(self._chance.pick(_TAKES_AWAY), writer)
            self._tell(fault, "whoever is missing by then")
        else:
            choose, strike = FAULTS[fault]
            victim = writer if choose is None else choose(self.outages, writer)
            told = "" if victim is None else strike(self.outages, victim)
            if told:
                self._tell(fault, told)

    def _tell(self, fault: Mishap, what: str) -> None:
        self.counts[fault.value] += 1
        self.world.room.note(255, 5, len(what))
        now, entries = self.world.time.now, self.entries
        self.world.story.append(f"{now:10.3f} s, entry {entries}: {fault.value}: {what}")

    def say_farewell(self, victim: Process) -> None:
        """Have this process leave for good, if it can; the story then has a line about it."""
        told = machine_faults.say_farewell(self.outages, victim)
        if told:
            self._tell(Mishap.FAREWELL, told)


def quiet_world(
    seed: int, settings: Settings, goers: Iterable[Goer] = (), *, elsewhere: bool = False
) -> World:
    """Return a table of this seed's people in a quiet room, where nothing goes wrong by itself.

    `goers` still come, go and talk according to their plans.
    """
    injector = Injector(seed, faults=False, goers=goers)
    return World(seed, settings, Weather(seed, restless=False), injector, elsewhere=elsewhere)
