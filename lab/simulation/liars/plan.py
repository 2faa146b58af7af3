"""The liars of one game: who they are, how they come and go, and when they lie.

A liar comes and goes in one of these ways:

    stays       it sits from the beginning, until the others let it go
    farewell    it leaves for good, and watches
    cut         it is away until the others give it up, and then watches
    returns     it is away until the others give it up, and sits down once more
    guest       it comes late for a seat

Once a liar has begun it lies repeatedly, and more often once it is convicted, has gone, or has sat
down again. Honest people come late, watch, leave and come back as in any game.
"""

from collections import Counter
from enum import Enum
from functools import partial
from typing import Final

from lab.simulation.computers.chance import Chance
from lab.simulation.computers.clock import Script
from lab.simulation.computers.process import Process
from lab.simulation.liars.liar import Liar, Tale
from lab.simulation.liars.lies import OF_THE_PAST, UNASKED, Armed, Breach, Make, second_body
from lab.simulation.liars.stops import Stops
from lab.simulation.mishaps.company import Comers
from lab.simulation.mishaps.kinds import Mishap
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.parts import leave_for_good


class Standing(Enum):
    """A liar's place at the table when it signs something."""

    SEATED = "seated"
    CONVICTED = "convicted"
    GONE = "gone"
    GUEST = "guest just seated"
    BACK = "back"


class _Way(Enum):
    STAYS = "stays"
    FAREWELL = "farewell"
    CUT = "cut"
    RETURNS = "returns"
    GUEST = "guest"


MISHAPS: Final = (
    Mishap.PARTITION, Mishap.STALL, Mishap.RESET, Mishap.SLOW_LINK, Mishap.SLOW_WORK,
    Mishap.SLOW_CHECK, Mishap.PIECES, Mishap.REPEATS, Mishap.DIES_UNSYNCED, Mishap.DIES_UNSENT,
    Mishap.DIES_HALF_SENT, Mishap.DIES_SENT, Mishap.OTHER_DIES, Mishap.CLOCK_JUMPS, Mishap.SLEEPS,
)  # fmt: skip
"""The other faults: networks and crashes, but no damaged files, because a seat that loses its
record must believe the peers it asks.
"""

_WAYS: Final = (
    _Way.STAYS, _Way.STAYS, _Way.STAYS, _Way.FAREWELL, _Way.CUT, _Way.RETURNS, _Way.RETURNS,
)  # fmt: skip
_LIES_MOST: Final = 6
_FEW_ONCE_IN: Final = 20
"""One game in this many has two seats, or as many liars as others."""
_ARMED: Final = (
    Armed.INSTEAD, Armed.INSTEAD, Armed.BESIDE_GOOD, Armed.BESIDE_GOOD, Armed.BESIDE_GOOD,
    Armed.FORK, Armed.APART, Armed.PROMISED, Armed.SHUFFLE,
)  # fmt: skip
"""Chance picks one, and more often one that is listed more often; the same goes for `_WAYS`."""
_LOBBY_ONCE_IN: Final = 8
"""One lying host in this many lies in the lobby, too."""
_AT_LAST_S: Final = 10.0
_LATE_ENTRY: Final = 60
_ARMED_ONCE_IN: Final = 2


_SOON: Final = 2
_ODDS: Final = {Standing.SEATED: 6, Standing.CONVICTED: 3, Standing.GONE: 12}
"""A liar uses one chance in this many to lie; more after its standing has changed."""


class Liars(Comers):
    """The liars of one game, and the honest people who come and go."""

    def __init__(self, chance: Chance) -> None:
        super().__init__(chance)
        self.is_few = chance.once_in(_FEW_ONCE_IN)
        self.stops = Stops()
        self.lies: Counter[str] = Counter()
        self.signers: Counter[str] = Counter()
        self._first = chance.below(_LATE_ENTRY)
        self._lies_in_lobby = False
        self._tales: dict[int, Tale] = {}
        self._left: dict[int, int] = {}
        self._stood: dict[int, Standing | None] = {}
        if self.is_few:
            self.seats, liars = chance.pick(((2, 1), (4, 2)))
        else:
            self.seats = chance.pick((3, 3, 4, 4, 4, 5, 5, 6))
            liars = 2 if self.seats > 4 and chance.once_in(2) else 1
        numbers = list(range(self.seats))
        chosen = [numbers.pop(chance.below(len(numbers))) for _ in range(liars)]
        self._leaver = chance.pick(numbers)
        self._returner = chance.pick(numbers)
        if self._leaver == self._returner:
            self._returner = -1
            self._plan = [each for each in self._plan if each[1] != self._goes_and_returns]
        self._lies_in_lobby = 0 in chosen and self._first % _LOBBY_ONCE_IN == 0
        self.ways = {number: chance.pick(_WAYS) for number in chosen}
        for number in chosen:
            self._tale_of(number)
            script = {
                _Way.FAREWELL: self._says_farewell,
                _Way.CUT: self._is_cut,
                _Way.RETURNS: self._is_cut,
            }.get(self.ways[number])
            if script is not None:
                at = self._moment(_LATE_ENTRY // 2)
                self._plan.append((at, partial(script, number)))
        if chance.once_in(3):
            self._plan.append((self._moment(_LATE_ENTRY // 2), self._liar_comes))
        self._plan.sort(key=lambda each: each[0])
        self.kinds = {number: partial(Liar, tale) for number, tale in self._tales.items()}

    def _tale_of(self, number: int) -> Tale:
        tale = self._tales[number] = Tale(self._chance, partial(self._told, number))
        self._left[number] = 1 + self._chance.below(_LIES_MOST)
        return tale

    @property
    def away(self) -> set[int]:
        """The numbers of the honest processes that may leave by plan, for good or for a while.

        A number of -1 stands for nobody.
        """
        return {self._leaver, self._returner}

    # ---- how they come and go -------------------------------------------------------------

    def _liar_comes(self) -> Script:
        number = len(self.world.processes)
        self.world.liars.add(number)
        yield from self._comes(watches=False, kind=partial(Liar, self._tale_of(number)))

    def _comes(self, *, watches: bool, kind: type[Core] | partial[Liar] = Core) -> Script:  # type: ignore[override]
        yield from super()._comes(watches=watches, kind=kind)

    def _arrived(self, guest: Process, *, watches: bool) -> None:
        """Note an honest guest that has come.

        A liar is not counted, because the table owes it no seat.
        """
        if guest.number not in self.world.liars:
            super()._arrived(guest, watches=watches)

    def _says_farewell(self, number: int) -> Script:
        victim = self.world.processes[number]
        if (yield from self._spared(victim)):
            self._tell(f"{victim.name} says farewell and looks on")
            victim.wants_seat = False
            victim.act(leave_for_good)
            if self._chance.once_in(2):
                yield 0.5
                victim.die(quits=True)
                yield self._chance.pick((0.5, 5.0))
                victim.come_back()

    def _is_cut(self, number: int) -> Script:
        victim = self.world.processes[number]
        if (yield from self._spared(victim)):
            victim.wants_seat = self.ways[number] is _Way.RETURNS
            self._goes_away(victim)
            yield from self._waits(victim)

    # ---- when they lie --------------------------------------------------------------------

    def wrote(self, writer: Process, record: bytes) -> None:
        """Note an appended entry: somebody may now come, go, or lie."""
        super().wrote(writer, record)
        self._signed(writer)

    def said(self, writer: Process) -> None:
        """Note a statement, which shows that a poll is open: a liar may now lie."""
        self._signed(writer)

    def _signed(self, writer: Process) -> None:
        if writer.number not in self.world.liars:
            self.stops.signs(writer)
        self._tempt()

    def moved(self, process: Process) -> None:
        """Check whether a fault stops this process."""
        self.stops.look(self.world, process)

    def _tempt(self) -> None:
        if self._lies_in_lobby and not self.world.processes[0].has_begun:
            self.world.later(0.0, partial(self._lies, self.world.processes[0], second_body))
        if self._entries < self._first:
            return
        for number, tale in self._tales.items():
            if self._left[number] <= 0 or number >= len(self.world.processes):
                continue
            process = self.world.processes[number]
            standing = self._standing(process)
            is_new = self._stood.get(number) != standing
            self._stood[number] = standing
            if standing is None or not process.is_ready:
                continue
            odds = _SOON if is_new else _ODDS.get(standing, _SOON)
            if not self._chance.once_in(odds):
                continue
            if standing is not Standing.GONE and self._chance.once_in(_ARMED_ONCE_IN):
                tale.armed = self._chance.pick(_ARMED)
                continue
            makes = OF_THE_PAST if standing is Standing.GONE else UNASKED
            self.world.later(0.0, partial(self._lies, process, self._chance.pick(makes)))

    def _lies(self, process: Process, make: Make) -> None:
        core = process.core
        if isinstance(core, Liar) and process.is_ready:
            process.take(partial(core.tell, make))

    def _standing(self, process: Process) -> Standing | None:
        """Return a liar's place in the most advanced honest log.

        Return None in the lobby, or if the liar has never had a seat.
        """
        company = self.world.furthest().company
        epochs = [each for each in company.epochs if each.keys]
        sat = [each.has(process.key) for each in epochs]
        if True not in sat or not company.sessions:
            return None
        if not sat[-1]:
            return Standing.GONE
        if any(process.key in each.core.context.convicted for each in self.world.honest):
            return Standing.CONVICTED
        if False in sat[sat.index(True) :]:
            return Standing.BACK
        return Standing.GUEST if process.number >= self.seats else Standing.SEATED

    def _told(self, number: int, lie: Breach) -> None:
        """Count a lie that was told.

        If the liar withheld an entry for it, have the liar write that entry a while later.
        """
        process = self.world.processes[number]
        standing = self._standing(process) or Standing.SEATED
        self._left[number] -= 1
        self.lies[lie.value] += 1
        self.signers[standing.value] += 1
        self._tell(f"{process.name}, {standing.value}, signs: {lie.value}")
        self.world.later(_AT_LAST_S, partial(self._writes_at_last, process))

    def _writes_at_last(self, process: Process) -> None:
        core = process.core
        if isinstance(core, Liar) and process.is_ready:
            process.take(core.write_at_last)
