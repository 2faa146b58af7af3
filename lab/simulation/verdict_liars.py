"""Check that a game with liars ended as it must.

Only a fault that binds [protocol.md §7] may make an honest program leave. If it does, the table
stops for good. Otherwise the honest seats still at the table play to the end, with one log and a
good record.
"""

from collections import Counter
from collections.abc import Iterator
from enum import Enum
from typing import Final

from lab.simulation.computers.agreement import Difference
from lab.simulation.computers.process import Process
from lab.simulation.computers.records import judged
from lab.simulation.computers.world import World
from lab.simulation.liars.plan import Liars
from lab.simulation.storms import stormy
from lab.simulation.verdict import (
    FRAMES_PER_ENTRY_MAX,
    bad_records,
    everywhere,
    hasty,
    lost,
    told_wrong,
)
from lab.simulation.verdict_company import same_coins, wrong_with_company
from netgame.protocol.log.entry import read_entry
from netgame.protocol.log.fault import FaultKind
from netgame.protocol.state.phases import Phase
from netgame.protocol.text import fingerprint

_WAITS_S: Final = 400.0
"""How long to watch the remaining seats after others have stopped for good."""

_KEPT_MOST_S: Final = 30.0
"""The time within which, in a quiet room, a convicted key must be gone."""


class TableEnd(Enum):
    """The ways in which a table with liars ends.

    `FEW` is counted in addition to one of the others.
    """

    NO_LIE = "nobody was told a lie"
    PLAYED_ON = "played on to the end"
    STOPPED = "stopped for good"
    FEW = "two seats, or half of them lie"


CONVICTED: Final = "keys convicted"
TABLES: Final = (*(each.value for each in TableEnd), CONVICTED)
"""The counts of the tables with liars."""


class Given:
    """Decides whether the rest of a table has had enough time after a program stopped for good."""

    def __init__(self, world: World, liars: Liars) -> None:
        self._world = world
        self._liars = liars
        self._at: tuple[int, float] | None = None

    def is_up(self) -> bool:
        """Return True if an honest program has stopped, and none has advanced for `_WAITS_S`."""
        world = self._world
        if not _stopped(world, self._liars):
            return False
        step = sum(process.state.step for process in world.honest)
        if self._at is None or self._at[0] != step:
            self._at = step, world.time.now
        return world.time.now >= self._at[1] + _WAITS_S


def _stopped(world: World, liars: Liars) -> list[Process]:
    """Return the honest programs that a fault has stopped for good."""
    return [each for each in world.honest if liars.stops.has_left(each)]


def counts_of(world: World, liars: Liars) -> dict[str, Counter[str]]:
    """Return the counts of one game by kind, under their names in JSON."""
    stops = liars.stops
    convicted = Counter({CONVICTED: len(stops.convicted)})
    return {
        "lies": liars.lies,
        "signers": liars.signers,
        "binds": stops.binds,
        "lasted": stops.lasted,
        "tables": _ending(world, liars) + convicted,
    }


def _ending(world: World, liars: Liars) -> Counter[str]:
    how = TableEnd.STOPPED if _stopped(world, liars) else TableEnd.PLAYED_ON
    if not liars.lies:
        how = TableEnd.NO_LIE
    return Counter([how.value, *([TableEnd.FEW.value] if liars.is_few else [])])


def wrong_with_liars(world: World, liars: Liars, *, is_quiet: bool) -> list[str]:
    """Return everything wrong after a game with liars.

    If no other faults were simulated (`is_quiet`), nobody may be given up by mistake, and convicted
    keys must soon be gone, unless `liars.is_few`.
    """
    false = [each for each in world.processes if each.number in world.liars]
    honest = [each for each in world.processes if each not in false]
    found = list(liars.stops.wrong)
    for process in honest:
        found += told_wrong(process, *false)
        found += _believed(process, false)
    found += hasty(honest)
    if _stopped(world, liars):
        return found
    found += [
        each.says for each in world.agreement.partings(world.honest) if not _is_mended(each, world)
    ]
    if is_quiet and not liars.is_few and liars.stops.kept_s > _KEPT_MOST_S:
        found.append(f"kept: a convicted key sat on for {liars.stops.kept_s:.0f} s")
    if not any(each in world.began for each in world.honest):
        return found  # a liar has kept the table from its start
    finishers = _finishers(world)
    missing = [each for each in honest if each in world.began and each not in finishers]
    if is_quiet:
        away = liars.away | world.left
        found += [f"left behind: {each.name}" for each in missing if each.number not in away]
    if len({p.state.head for p in finishers}) > 1 or not finishers:
        found.append(f"diverged: {everywhere(world)}")
    if any(process.state.phase is not Phase.OVER for process in finishers):
        found.append(f"unfinished: {everywhere(world)}")
    if found or not finishers:
        return found
    ledger = finishers[0].ledger
    found += [*lost(finishers), *same_coins(ledger), *stormy(world, ledger)]
    found += bad_records(world, finishers)
    found += wrong_with_company(world, liars, finishers)
    entries = sum(map(len, ledger.steps))
    if world.room.frames > FRAMES_PER_ENTRY_MAX * entries * len(world.processes):
        found.append(f"livelock: {world.room.frames} frames for {entries} entries")
    return found


def _is_mended(parting: Difference, world: World) -> bool:
    """Return True if a liar's two bodies have split two logs, but no log has either body now.

    This happens if some programs close a step with one of the bodies, while the others remove the
    liar from that step on. Programs that learn of both bodies sign nothing until they remove the
    liar, too.
    """
    forks = {
        (entry.id, entry.step)
        for process in world.honest
        for fault in process.core.faults
        if fault.kind is FaultKind.FORK
        for entry in map(read_entry, fault.entries)
    }
    epoch, step = parting.epoch, parting.step
    if step is None or not any(of == epoch and at <= step for of, at in forks):
        return False
    return all(each.state.company.at(step).id != epoch for each in world.honest)


def _finishers(world: World) -> list[Process]:
    """Return the honest processes that are at the table at its end."""
    states = [each.state for each in world.honest if each in world.began]
    furthest = max(states, key=lambda state: (len(state.company.epochs), state.step))
    here = {furthest.author_key(furthest.step - 1, seat) for seat in furthest.present}
    return [each for each in world.honest if each.key in here]


def _believed(process: Process, liars: list[Process]) -> Iterator[str]:
    """Yield a line for each evidence file of an honest program that does not convict a liar."""
    for name, content in process.records.evidence.items():
        verdict = judged(content)
        if not verdict.ok or not any(fingerprint(e.key) in verdict.culprit for e in liars):
            yield f"evidence: {name} of {process.name} says: {verdict.sentence}"
