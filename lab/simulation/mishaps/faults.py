"""What goes wrong in a game, and when: faults aimed at the moments at which they can hurt.

Faults at random times almost never meet the few instants in which a bug would show. So they are
hung on entries: with the n-th entry that anybody writes something happens, to its writer at a
chosen point between persisting and sending, or to somebody else just then.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from itertools import combinations
from typing import Final

from lab.simulation.computers.chance import Chance
from lab.simulation.computers.death import Point
from lab.simulation.computers.process import Process
from lab.simulation.computers.weather import SLOW_CHECK_S, SLOW_WORK_S
from lab.simulation.computers.world import World
from lab.simulation.mishaps import folders
from lab.simulation.mishaps.company import Comers
from lab.simulation.mishaps.kinds import CRASHES, POINTS, Mishap
from lab.simulation.mishaps.leaving import Leaver
from lab.simulation.mishaps.people import People
from netgame.protocol.fold.phases import Phase
from netgame.protocol.peer.effects import Effect

_KINDS: Final = tuple(Mishap)
_FAULTS_MOST: Final = 8
_ENTRIES_AIMED_AT: Final = 80
"""A small game has some 40 to 130 entries."""
_ENTRIES_OF_LOBBY: Final = 6
_STATEMENTS_AIMED_AT: Final = 24
"""The poll behind a coin takes some seven."""
_CUT_S: Final = (1.0, 40.0)
"""How long the parts of a network are apart."""
_TAKES_AWAY: Final = (
    *(Mishap.PARTITION, Mishap.STALL, Mishap.OTHER_DIES, Mishap.ALL_DIE, Mishap.SLEEPS),
    *CRASHES,
)
_NAMED_S: Final = 15.0
"""People name who is missing within so long after something else goes wrong."""
_CALM_S: Final = 12.0
"""After a seat that lost part of its record is back nothing else goes wrong for so long."""


class Injector:
    """Chooses and carries out the faults of one game; an injector without a plan does nothing."""

    def __init__(
        self,
        seed: int,
        *,
        faults: bool,
        leavers: tuple[Leaver, ...] = (),
        company: Comers | None = None,
    ) -> None:
        self.leavers = leavers
        self.company = company
        self.counts_effects = False
        """Whether `before` and `after` want to hear of every effect."""
        self.counts: Counter[Mishap] = Counter()
        self._chance = Chance(seed, "faults")
        self._world: World | None = None
        self.people: People | None = None
        self.entries = 0
        self._active = 0
        self._doom: dict[int, Mishap] = {}
        self._plan: dict[int, list[Mishap]] = {}
        self._plan_of_polls: dict[int, list[Mishap]] = {}
        self._statements = 0
        if faults:
            for _ in range(1 + self._chance.below(_FAULTS_MOST)):
                early = self._chance.once_in(8)
                at = 1 + self._chance.below(_ENTRIES_OF_LOBBY if early else _ENTRIES_AIMED_AT)
                self._plan.setdefault(at, []).append(self._chance.pick(_KINDS))
            for _ in range(self._chance.below(3)):
                at = 1 + self._chance.below(_STATEMENTS_AIMED_AT)
                self._plan_of_polls.setdefault(at, []).append(self._chance.pick(_KINDS))

    def attach(self, world: World) -> None:
        """Say whose faults these are."""
        self._world = world
        self.people = People(world, Chance(world.seed, "people"))
        if self.company is not None:
            self.company.world = world

    @property
    def world(self) -> World:
        """Where it happens."""
        assert self._world is not None
        return self._world

    @property
    def takes_seats(self) -> bool:
        """Whether seats are left for good in this game, or given up while they are away."""
        by_people = (Mishap.CUT, Mishap.NAMED, Mishap.FAREWELL)
        is_asked = any(self.counts[each] for each in by_people)
        return bool(self.leavers) or self.company is not None or is_asked

    def say_farewell(self, victim: Process) -> None:
        """Have this one leave for good, whatever else goes wrong."""
        if self._people.say_farewell(victim):
            self._tell(Mishap.FAREWELL, victim.name)

    def has_left(self, number: int) -> bool:
        """Whether this process was killed and never comes back."""
        if self.company is not None and number in self.company.gone:
            return True
        if self.people is not None and number in self.people.left:
            return True
        return any(each.left is not None and each.number == number for each in self.leavers)

    # ---- what processes report ------------------------------------------------------------

    def wrote(self, process: Process, record: bytes) -> None:
        """A process has appended an entry of its own."""
        self.entries += 1
        if self.company is not None:
            self.company.wrote(process, record)
        for leaver in self.leavers:
            leaver.wrote(self.world, process)
        self._begin_all(self._plan.get(self.entries, ()), process)

    def said(self, process: Process) -> None:
        """A process has noted a statement of its own."""
        self._statements += 1
        self._begin_all(self._plan_of_polls.get(self._statements, ()), process)

    def _begin_all(self, faults: Iterable[Mishap], process: Process) -> None:
        for fault in faults:
            if self.world.time.now >= self.world.calm_until:
                self._begin(fault, process)

    def before(self, process: Process, effect: Effect) -> bool:
        """Whether the process dies before this effect; it is dead when this returns."""
        del process, effect
        return False

    def after(self, process: Process, effect: Effect) -> bool:
        """Whether the process dies after this effect; it is dead when this returns."""
        del process, effect
        return False

    def strikes(self, process: Process, point: Point) -> bool:
        """Whether the process dies at this point; it is dead when this returns."""
        leaves = any(leaver.strikes(self.world, process, point) for leaver in self.leavers)
        if leaves or (self.company is not None and self.company.strikes(process, point)):
            return True
        fault = self._doom.get(process.number)
        if fault is None or POINTS[fault] is not point:
            return False
        del self._doom[process.number]
        if fault is Mishap.DISK_LIES:
            self._forget_entry(process)
            return True
        self._tell(fault, f"{process.name} dies, its entry {point.value}")
        process.die(power=fault is Mishap.DIES_UNSYNCED or self._chance.once_in(2))
        self._bring_back(process, alone=self._chance.once_in(2))
        return True

    def paused(self, process: Process) -> None:
        """A disk has failed: somebody mends it and comes back."""
        life = process.lives

        def mended() -> None:
            if process.lives == life:
                process.die()
                self._bring_back(process, alone=False)

        self.world.time.later(self._chance.between(0.5, 20.0), mended)

    # ---- beginnings -----------------------------------------------------------------------

    def _begin(self, fault: Mishap, writer: Process) -> None:
        weather = self.world.room.weather
        if writer.core.state.company.seats_step < 0:
            self.world.began_badly = True
        if fault is Mishap.DISK_LIES and not self._all_is_well(writer):
            return
        if fault in POINTS:
            self._doom[writer.number] = fault
            return
        how: dict[Mishap, Callable[[Process], str]] = {
            Mishap.PARTITION: self._part,
            Mishap.CUT: self._cut_in_parts,
            Mishap.NAMED: self._name,
            Mishap.FAREWELL: self._leave,
            Mishap.STALL: self._stall,
            Mishap.RESET: self._reset,
            Mishap.SLOW_LINK: self._slow_link,
            Mishap.SLOW_WORK: lambda _: self._slow_down(weather.lame, SLOW_WORK_S),
            Mishap.SLOW_CHECK: lambda _: self._slow_down(weather.slow_checks, SLOW_CHECK_S),
            Mishap.PIECES: self._cut_up,
            Mishap.REPEATS: self._repeat,
            Mishap.OTHER_DIES: self._other_dies,
            Mishap.ALL_DIE: self._all_die,
            Mishap.FLIP: self._flip,
            Mishap.FLIP_JOURNAL: self._flip_journal,
            Mishap.OLD_BACKUP: self._old_backup,
            Mishap.ROLLBACK: self._put_back,
            Mishap.COPIED: self._copy,
            Mishap.DISK_FULL: self._fill_disk,
            Mishap.SYNC_FAILS: self._break_disk,
            Mishap.CLOCK_JUMPS: self._jump,
            Mishap.SLEEPS: self._sleep,
        }
        told = how[fault](writer)
        if told:
            self._tell(fault, told)

    def _tell(self, fault: Mishap, what: str) -> None:
        self.counts[fault] += 1
        self.world.room.note(255, 5, len(what))
        self.world.story.append(
            f"{self.world.time.now:10.3f} s, entry {self.entries}: {fault.value}: {what}"
        )

    def _for_a_while(self, seconds: float, undo: Callable[[], object]) -> None:
        self._active += 1

        def over() -> None:
            self._active -= 1
            undo()

        self.world.time.later(seconds, over)

    # ---- links ----------------------------------------------------------------------------

    def _pair(self, one: Process) -> frozenset[int]:
        others = [p.number for p in self.world.processes if p is not one]
        return frozenset((one.number, self._chance.pick(others)))

    def _part(self, writer: Process) -> str:
        """Two groups, of which one may be a single seat."""
        numbers = range(len(self.world.processes))
        here = {n for n in numbers if self._chance.once_in(2)} or {writer.number}
        there = [n for n in numbers if n not in here] or [writer.number]
        here -= set(there)
        self._cut_off([frozenset((a, b)) for a in here for b in there])
        return f"{sorted(here)} from {there}"

    def _cut_in_parts(self, _: Process) -> str:
        """Two or three parts, which meet again one pair after the other.

        People of each part go on without those who are missing, if they can.
        """
        processes, groups = self.world.processes, 2 + self._chance.below(2)
        parts: dict[int, list[Process]] = {}
        for process in processes:
            parts.setdefault(self._chance.below(groups), []).append(process)
        if len(parts) < 2:
            return ""
        for here, there in combinations(parts.values(), 2):
            pairs = [frozenset((a.number, b.number)) for a in here for b in there]
            self.world.network.part(pairs)
            heal = partial(self.world.network.rejoin, pairs)
            self._for_a_while(self._chance.between(*_CUT_S), heal)
        self._people.name_all_missing(_CUT_S[1])
        return " and ".join("".join(str(each.number) for each in part) for part in parts.values())

    def _name(self, writer: Process) -> str:
        """While something else goes wrong by which somebody is missing."""
        self._people.name_all_missing(_NAMED_S)
        self._begin(self._chance.pick(_TAKES_AWAY), writer)
        return "whoever is missing by then"

    def _leave(self, writer: Process) -> str:
        victim = self._other(writer)
        if victim is None or not self._people.say_farewell(victim):
            return ""
        return victim.name

    @property
    def _people(self) -> People:
        assert self.people is not None
        return self.people

    def _cut_off(self, pairs: list[frozenset[int]]) -> None:
        self.world.network.part(pairs)
        self._for_a_while(self._chance.between(0.5, 30.0), lambda: self.world.network.rejoin(pairs))

    def _stall(self, writer: Process) -> str:
        pair = self._pair(writer)
        links = self.world.network.links_of(pair)
        for link in links:
            link.stall()
            self._for_a_while(self._chance.between(0.5, 30.0), link.heal)
        return f"between {sorted(pair)}" if links else ""

    def _reset(self, writer: Process) -> str:
        pair = self._pair(writer)
        links = self.world.network.links_of(pair)
        for link in links:
            link.reset()
        return f"between {sorted(pair)}" if links else ""

    def _slow_link(self, writer: Process) -> str:
        pair = self._pair(writer)
        keys = frozenset(self.world.processes[number].key for number in pair)
        slow = self.world.room.weather.slow
        slow[keys] = self._chance.between(0.2, 3.0)
        self._for_a_while(self._chance.between(1.0, 60.0), lambda: slow.pop(keys, None))
        return f"between {sorted(pair)}"

    def _cut_up(self, _: Process) -> str:
        self.world.room.weather.cut_up_frames = 400
        return "400 frames"

    def _repeat(self, _: Process) -> str:
        self.world.room.weather.repeated_frames = 200
        return "200 frames"

    # ---- processes and computers ----------------------------------------------------------

    def _slow_down(self, slow: dict[int, float], within_s: tuple[float, float]) -> str:
        victim = self._chance.pick(self.world.processes)
        slow[victim.number] = self._chance.between(*within_s)
        self._for_a_while(self._chance.between(1.0, 60.0), lambda: slow.pop(victim.number, None))
        return victim.name

    def _other(self, writer: Process) -> Process | None:
        others = [p for p in self.world.processes if p is not writer and p.is_alive and p.is_awake]
        return self._chance.pick(others) if others else None

    def _other_dies(self, writer: Process) -> str:
        victim = self._other(writer)
        if victim is None:
            return ""
        victim.die(power=self._chance.once_in(2))
        self._bring_back(victim, alone=self._chance.once_in(3))
        return victim.name

    def _all_die(self, writer: Process) -> str:
        """Everybody but the writer now, the writer at once after: it is in the midst of writing."""
        for process in self.world.processes:
            if process is not writer and process.is_alive:
                process.die(power=True)
                self._bring_back(process, alone=False)
        self._doom[writer.number] = self._chance.pick(CRASHES)
        return "all"

    def _bring_back(self, victim: Process, *, alone: bool) -> None:
        """The process starts again; `alone` cuts it off from some or all others by then."""
        life = victim.lives

        def back() -> None:
            if victim.lives != life:
                return
            if alone and self.world.time.now >= self.world.calm_until:
                others = [p.number for p in self.world.processes if p is not victim]
                some = others if self._chance.once_in(2) else [self._chance.pick(others)]
                self._cut_off([frozenset((victim.number, each)) for each in some])
            victim.come_back()

        self._for_a_while(self._chance.between(0.05, 20.0), back)

    def _sleep(self, writer: Process) -> str:
        victim = self._other(writer)
        if victim is None:
            return ""
        seconds = self._chance.between(0.5, 60.0)
        links = self.world.network.links_at(victim)
        for link in links:
            link.stall()
        victim.fall_asleep()

        def wake() -> None:
            for link in links:
                link.heal()
            victim.wake_up(seconds)

        self._for_a_while(seconds, wake)
        return f"{victim.name} for {seconds:.1f} s"

    def _jump(self, writer: Process) -> str:
        """The wall clock is set: to the program it looks as if the computer had slept."""
        victim = self._other(writer) or writer
        victim.links.end_all()
        return victim.name

    # ---- disks ----------------------------------------------------------------------------

    def _fill_disk(self, writer: Process) -> str:
        victim = self._other(writer) or writer
        victim.records.disk.room = self._chance.below(3_000)
        victim.records.disk.allocates_late = self._chance.once_in(2)
        self._for_a_while(self._chance.between(0.1, 30.0), victim.records.disk.make_room)
        return f"{victim.name} in {victim.records.disk.room} octets"

    def _break_disk(self, writer: Process) -> str:
        victim = self._other(writer) or writer
        victim.records.disk.fails_to_sync = True
        return victim.name

    def _flip(self, writer: Process) -> str:
        victim = self._loser(writer)
        if victim is None or not victim.records.disk.durable:
            return ""
        return folders.flip_record(victim, self._chance)

    def _flip_journal(self, writer: Process) -> str:
        victim = self._loser(writer)
        return "" if victim is None else folders.flip_journal(victim, self._chance)

    def _old_backup(self, writer: Process) -> str:
        victim = self._loser(writer)
        if victim is None or not victim.records.disk.durable:
            return ""
        return folders.cut_record(victim, self._chance)

    def _put_back(self, writer: Process) -> str:
        """Without its journal, somebody has to be there to tell; with it, nobody."""
        journal_too = self._chance.once_in(2)
        victim = self._loser(writer) if journal_too else self._other(writer)
        if victim is None:
            return ""
        if not journal_too:
            victim.die()
            self._bring_back(victim, alone=self._chance.once_in(3))
        return folders.put_back(victim, self._chance, journal_too=journal_too)

    def _copy(self, writer: Process) -> str:
        """While both play, nothing else goes wrong: they must be able to hear each other."""
        victim = self._other(writer) if self._all_is_well(writer) else None
        if victim is None:
            return ""
        delay = self._chance.between(0.0, 10.0)
        self.world.calm_until = self.world.time.now + delay + 2 * _CALM_S
        return folders.start_copy(self.world, victim, delay)

    def _forget_entry(self, victim: Process) -> None:
        """An entry that one other has is lost where it was made; the others cannot ask each other.

        Without its journal its author reaches all of them, and must hear all of them before it
        writes. With it, it must not need to hear who has the entry.
        """
        record, others = victim.sent[-1], [p for p in self.world.processes if p is not victim]
        remembers = folders.forget_last(victim, record, self._chance)
        where = "its journal alone" if remembers else "no file any more"
        self._tell(Mishap.DISK_LIES, f"{victim.name} dies; what it has sent to one is in {where}")
        self._cut_off([frozenset((a.number, b.number)) for a, b in combinations(others, 2)])
        delay = self._chance.between(0.1, 0.5)
        self.world.calm_until = self.world.time.now + delay + _CALM_S

        def back() -> None:
            having = folders.who_have(others, record)
            if remembers:
                self._cut_off([frozenset((victim.number, each.number)) for each in having])
            elif not having and record in victim.sent:
                victim.sent.remove(record)  # it was lost on its way, too: nobody has heard it
            victim.come_back()
            self.world.time.later(_CALM_S, partial(self._start_again, victim, victim.lives))

        self.world.time.later(delay, back)

    def _start_again(self, victim: Process, life: int) -> None:
        """Its person starts a program again that has heard what it forgot too late, and stopped.

        Somebody was behind the step in which it wrote, and so could not show it in a head.
        """
        is_over = victim.core.state.phase is Phase.OVER
        if victim.lives == life and victim.is_finished and not is_over:
            victim.die()
            victim.come_back()

    def _all_is_well(self, writer: Process) -> bool:
        """Whether everybody is there and nothing else is going on, in a game that has begun."""
        everybody = self.world.processes
        present = all(p.is_alive and p.is_awake and not p.is_paused for p in everybody)
        begun = all(p.core.state.company.seats_step >= 0 for p in (*everybody, writer))
        return present and begun and not self._active and not self._doom

    def _loser(self, writer: Process) -> Process | None:
        """Kill another seat that will lose what it had synced, if all others are there to tell."""
        victim = self._other(writer) if self._all_is_well(writer) else None
        if victim is None:
            return None
        victim.die()
        delay = self._chance.between(1.0, 5.0)
        self.world.calm_until = self.world.time.now + delay + _CALM_S
        self.world.time.later(delay, victim.come_back)
        return victim
