"""A seat that leaves for good: its process is killed at a chosen moment and never comes back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final

from engine.rules.choose import STANDARD
from lab.simulation.computers.chance import Chance
from lab.simulation.computers.death import OF_ENTRY, Point
from lab.simulation.computers.process import Process
from lab.simulation.computers.world import World
from netgame.protocol.epochs.cut import is_quorum
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.state.phases import Phase
from netgame.wire.messages import KeyCommit, Payload, Rebuild, Roster
from netgame.wire.statements import bit, seats_in


@dataclass(slots=True)
class Leaver:
    """One process that dies for good."""

    number: int
    """The number of the process."""
    phase: Phase
    """The phase in which it dies."""
    entries: int
    """How many entries, of anybody, come first in that phase."""
    point: Point | None
    """The point, at an entry of its own, where it dies; None if it dies when somebody else writes.
    """
    power: bool
    """True if the power goes, and unsynced octets with it."""
    left: Phase | None = None
    """The phase in which it left; None before."""
    world: World = field(init=False)
    takes_seats: ClassVar[bool] = True

    def wrote(self, writer: Process, _: bytes) -> None:
        """Note that somebody has appended an entry; at the planned one, have this process leave."""
        victim = self.world.processes[self.number]
        if self.left is not None or not victim.is_ready:
            return
        if victim.state.phase is self.phase:
            self.entries -= 1
        due = self.entries < 0 and self.point is None and victim is not writer
        if due and can_be_spared(self.world, victim):
            self._leave(victim, "while somebody wrote")

    def said(self, writer: Process) -> None:
        """Ignore statements: nobody leaves because of one."""

    def moved(self, process: Process) -> None:
        """Ignore progress: nobody leaves because of it."""

    def strikes(self, process: Process, point: Point) -> bool:
        """Have this process leave for good if this is the planned point; return True if it is."""
        if self.left is not None or process.number != self.number or self.entries >= 0:
            return False
        if point is not self.point or not can_be_spared(self.world, process):
            return False
        self._leave(process, f"its entry {point.value}")
        return True

    def _leave(self, victim: Process, how: str) -> None:
        state = victim.state
        self.left = state.phase
        self.world.left.add(self.number)
        at = f"in {state.phase.value}, step {state.step}, {how}"
        self.world.tell(f"{victim.name} leaves for good {at}")
        victim.die(power=self.power)


def can_be_spared(world: World, victim: Process) -> bool:
    """Return True if every staying process would still see a quorum without the victim.

    Each process's own log counts, because entries that only the victim has heard leave with it.
    Liars do not count.
    """
    staying = [process for process in world.honest if process is not victim]
    left = world.by_key.keys() - {process.key for process in staying}
    epochs = (process.state.company.now for process in staying)
    tables = ({epoch.keys[seat] for seat in seats_in(epoch.voters)} for epoch in epochs)
    return all(2 * len(keys & left) < max(1, len(keys)) for keys in tables)


def has_quorum(process: Process, stay: int) -> bool:
    """Return True if the seats in the mask `stay`, less those that have parted, are a quorum.

    Both the poll and the partings are those that this process has in its log.
    """
    poll = process.ledger.poll
    parted = poll.cut.parted()
    return is_quorum(poll.cut.company, stay & ~parted, parted)


def can_go_on(process: Process, victim: Process) -> bool:
    """Return True if, in this process's view, the other seats are a quorum without the victim.

    Seats that have parted do not count.
    """
    company, seat = process.ledger.poll.cut.company, process.state.seat_of(victim.key)
    return has_quorum(process, company if seat is None else company & ~bit(seat))


_PLACES: Final = (
    Phase.ROSTER, Phase.COIN_COMMIT, Phase.COIN_REVEAL, Phase.DEAL, Phase.DEAL, Phase.SHARES,
    Phase.PLAY, Phase.PLAY, Phase.PLAY, Phase.PLAY, Phase.DRAWN, Phase.DRAWN, Phase.CALLS,
    Phase.MIX_HAND, Phase.HAND_OVER, Phase.OPENING_COMMIT, Phase.OPEN, Phase.SCORE, Phase.AUDIT,
)  # fmt: skip
"""The phases in which somebody leaves; mostly turns, because most steps are turns."""

SETTINGS_FOR: Final[dict[Phase, tuple[str, ...]]] = {
    Phase.CALLS: (STANDARD, "last-tile=tap", "tap-penalty=1"),
    Phase.MIX_HAND: (STANDARD, "draws=hidden"),
    Phase.HAND_OVER: ("wolf-lake",),
    Phase.OPENING_COMMIT: (STANDARD, "opening=simultaneous"),
    Phase.AUDIT: (STANDARD, "audit=keys"),
}
"""Preset, switches and options that lead to phases which other games seldom reach."""

_LATER: Final = (Phase.REBUILD, Phase.DEAL, Phase.BLIND, Phase.UNBLIND, Phase.PLAY, Phase.OPEN)
"""The phases in which the second of two leavers dies: most come up again once the first has left.

It does not wait for the first, so it may be the one that leaves earlier.
"""

_LONG: Final = (Phase.DEAL, Phase.PLAY, Phase.DRAWN)


def make_leavers(chance: Chance) -> tuple[Leaver, ...]:
    """Return the leavers of a game: one at a table of four, or two at a table of five.

    A single leaver may leave in almost any phase; of two, one leaves during the turns.
    """
    if chance.once_in(3):
        first = _make_leaver(chance, chance.below(5), chance.pick((Phase.PLAY, Phase.DRAWN)))
        number = (first.number + 1 + chance.below(4)) % 5
        return first, _make_leaver(chance, number, chance.pick(_LATER))
    return (_make_leaver(chance, chance.below(4), chance.pick(_PLACES)),)


def _make_leaver(chance: Chance, number: int, phase: Phase) -> Leaver:
    entries = chance.below(16 if phase in _LONG else 3)
    point = chance.pick((None, None, *OF_ENTRY))
    return Leaver(number, phase, entries, point, power=chance.once_in(2))


_FOLLOWS: Final[dict[type[Payload], str]] = {
    Rebuild: "deck rebuilt",
    KeyCommit: "dealt again",
    Roster: "roster signed again",
}
_SCORED: Final = "scored as it was"

FOLLOW_UPS: Final = (*_FOLLOWS.values(), _SCORED)
"""The ways in which a table goes on after it has given somebody up."""


def follow_ups(ledger: Ledger) -> tuple[str, ...]:
    """Return how the table went on each time it gave somebody up, as one of `FOLLOW_UPS`."""
    cuts = (decision.step for decision in ledger.decisions if decision.goes)
    then = (next(filter(None, ledger.steps[cut + 1 :]), None) for cut in cuts)
    return tuple(_FOLLOWS.get(type(step[0].payload), _SCORED) if step else _SCORED for step in then)
