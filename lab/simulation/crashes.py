"""Two games played again and again, each time with a crash of one seat at one of its effects.

In the second game somebody leaves for good, and the crashes come after that. They hit seats that
decide the departure, and that deal or rebuild without the leaver.

The game must end as every game must, whatever the crash leaves: an entry persisted and not sent,
sent and not acknowledged, or half written. The seat starts again with the disk it left behind.
"""

from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

from lab.simulation.computers.clock import Stuck
from lab.simulation.computers.death import Point
from lab.simulation.computers.process import Process
from lab.simulation.computers.small_tables import small
from lab.simulation.computers.toys import toys
from lab.simulation.computers.weather import Weather
from lab.simulation.computers.world import World
from lab.simulation.mishaps.faults import Injector
from lab.simulation.verdict import is_gone, stuck_at, wrong
from netgame.protocol.log.entry import FRAME_HEADER_BYTES
from netgame.protocol.peer.effects import Effect, Journalled, Persist

REFERENCE: Final = small(3, 0)
"""One round of three seats with double-6, and the hands that the rules deal."""

LEAVING: Final = small(4, 3, "leaver=rebuild", "patience=minute")
"""One round of four seats, of whom the last leaves in the middle."""

_LEAVER: Final = 3
_LEAVES_AT: Final = 54
"""The number of the entry, one of a turn, at which it leaves."""
_SEED: Final = 0
_LIMIT_S: Final = 1_800.0
_AWAY_S: Final = 1.0


class Moment(Enum):
    """The moment of a crash, relative to an effect."""

    BEFORE = "killed before it"
    AFTER = "power cut after it"
    TORN = "power cut while it is half written"


class Crash(NamedTuple):
    """A case: the seat, its effect, and the moment of the crash."""

    number: int
    """Its number among all cases."""
    seat: int
    effect: int
    """Counted from the seat's first counted effect."""
    kind: str
    """The name of the effect's class."""
    moment: Moment
    leaving: bool
    """True if somebody leaves in this game, too."""


class Crashed(NamedTuple):
    """The outcome of a case."""

    crash: Crash
    trouble: tuple[str, ...]
    is_gone: bool
    """True if the table was lost with its host, in the lobby."""
    digest: bytes


class _Aim(Injector):
    """An injector that counts the effects of all seats, and strikes at the one that `crash` names.

    Without a `crash` it strikes at none.
    """

    def __init__(self, crash: Crash | None, *, leaving: bool) -> None:
        super().__init__(_SEED, faults=False)
        self.leaving = leaving
        self.counts_effects = not leaving
        self.crash = crash
        self.done: dict[int, list[str]] = {}

    def wrote(self, process: Process, record: bytes) -> None:
        """Note an appended entry; after a certain one of the second game, have the leaver leave."""
        super().wrote(process, record)
        if self.leaving and self.entries == _LEAVES_AT:
            self.world.later(0.0, self._one_leaves)

    def _one_leaves(self) -> None:
        self.counts_effects = True
        self.say_farewell(self.world.processes[_LEAVER])

    def strikes(self, process: Process, point: Point, effect: Effect | None = None) -> bool:
        """Kill the process if the crash is due at this effect and moment; return True if it is."""
        match point:
            case Point.BEFORE:
                self.done.setdefault(process.number, []).append(type(effect).__name__)
                return self._hits(process, Moment.BEFORE) and self._kill(process, power=False)
            case Point.AFTER if self._hits(process, Moment.AFTER):
                return self._kill(process, power=True)
            case Point.AFTER if self._hits(process, Moment.TORN):
                assert isinstance(effect, Persist | Journalled)
                return self._tear(process, effect)
        return False

    def _tear(self, process: Process, effect: Persist | Journalled) -> bool:
        half, records = (FRAME_HEADER_BYTES + len(effect.record)) // 2, process.records
        if isinstance(effect, Persist):
            return self._kill(process, power=True, kept=len(records.disk.cached) - half)
        records.journal.power_went(len(records.journal.cached) - half)
        return self._kill(process, power=True)

    def _hits(self, process: Process, moment: Moment) -> bool:
        crash = self.crash
        if crash is None or crash.seat != process.number or crash.moment is not moment:
            return False
        return len(self.done[process.number]) - 1 == crash.effect

    def _kill(self, process: Process, *, power: bool, kept: int | None = None) -> bool:
        self.crash = None
        process.die(power=power, kept=kept)
        process.life.later(_AWAY_S, process.come_back)
        return True


def crashes() -> Iterator[Crash]:
    """Yield every case: for each seat, three crashes at an effect that writes, two at any other.

    To list the effects, this plays each of the two games once without a crash.
    """
    number = 0
    for leaving in (False, True):
        aim = _Aim(None, leaving=leaving)
        with toys():
            trouble = _play(aim)[1]
        assert not trouble, trouble
        for seat in sorted(aim.done):
            for effect, kind in enumerate(aim.done[seat]):
                for moment in Moment:
                    if moment is not Moment.TORN or kind in _WRITES:
                        yield Crash(number, seat, effect, kind, moment, leaving)
                        number += 1


_WRITES: Final = (Persist.__name__, Journalled.__name__)


def play_crash(crash: Crash) -> Crashed:
    """Play the game with this crash, and check everything that must be true of it."""
    aim = _Aim(crash, leaving=crash.leaving)
    with toys():
        world, trouble = _play(aim)
        if aim.crash is not None:
            trouble = (*trouble, "it never came to this effect")
        gone = not trouble and is_gone(world)
        if not trouble and not gone:
            trouble = tuple(wrong(world))
    return Crashed(crash, trouble, gone, world.room.digest())


def _play(aim: _Aim) -> tuple[World, tuple[str, ...]]:
    settings = LEAVING if aim.leaving else REFERENCE
    world = World(_SEED, settings, Weather(_SEED, restless=False), aim)
    try:
        world.open_table()
        world.run(lambda: world.is_gone or all(p.is_through for p in world.staying), _LIMIT_S)
    except Stuck as stuck:
        return world, (stuck_at(world, stuck),)
    return world, ()
