"""Nothing that honest seats ever signed convicts one of them, alone or in pairs, at any prefix."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from netgame.crypto.entropy import expand
from netgame.protocol import record
from netgame.protocol.ledger import Accepted, Ledger
from netgame.protocol.log import is_fork, read_entry
from netgame.simulation import game
from netgame.wire.codec import decode
from netgame.wire.messages import EvidenceFrame, Missing, RecordEntry, SignedEntry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from netgame.protocol.log import Entry
    from netgame.simulation.world import World

NEAR = 2
"""So many steps before and after the due one; what is farther off is judged at every tenth."""


def signed_by_all(world: World) -> list[Entry]:
    """Every entry that left any process, once."""
    sent = {decode(each, RecordEntry).entry for process in world.processes for each in process.sent}
    return [read_entry(signed) for signed in sorted(sent, key=lambda each: each.body)]


def convicted(ledger: Ledger, entries: tuple[SignedEntry, ...]) -> str:
    """What a verifier takes for proved by these entries, shown with this log; empty if nothing."""
    pending = dict(ledger.pending)
    reading = record.Reading(expand(bytes(32), "honest"), ledger, entries=1)
    fault = record._proved(reading, EvidenceFrame("", entries, b"", b"", b""))
    ledger.pending = pending
    return "" if fault is None else str(fault)


def prefixes(entries: list[SignedEntry]) -> Iterator[Ledger]:
    """The log as it grows, entry by entry."""
    ledger = Ledger(read_entry(entries[0]).table)
    for signed in entries:
        yield ledger
        judged = ledger.judge(signed)
        assert isinstance(judged, Accepted), judged
        ledger.settle(judged.entry)
        if ledger.chain is not None:
            ledger.pass_chain(ledger.chain)
    yield ledger


def shown(entries: list[Entry], ledger: Ledger) -> Iterator[tuple[SignedEntry, ...]]:
    """All singles and all pairs of one seat in one step that are to be judged at this prefix."""
    due = ledger.state.step
    near = [each for each in entries if abs(each.step - due) <= NEAR or due % 10 == 0]
    yield from ((each.signed,) for each in near)
    by_place: dict[tuple[int, int], list[Entry]] = {}
    for each in near:
        by_place.setdefault((each.step, each.seat), []).append(each)
    for group in by_place.values():
        for one, other in combinations(group, 2):
            yield one.signed, other.signed
            yield other.signed, one.signed


def tried(world: World) -> int:
    """Judge all of it; how many tries there were."""
    entries = signed_by_all(world)
    forks = [pair for pair in combinations(entries, 2) if is_fork(*pair)]
    assert not [pair for pair in forks if _author(world, pair[0]) == _author(world, pair[1])]
    longest = max(world.processes, key=lambda each: len(each.core.ledger.steps))
    count = 0
    for ledger in prefixes(list(longest.core.ledger.entries_from(0))):
        for each in shown(entries, ledger):
            count += 1
            assert not convicted(ledger, each), (ledger.state.step, *map(read_entry, each))
    return count


def _author(world: World, entry: Entry) -> bytes | None:
    """Whose signature an entry has."""
    return next((each.key for each in world.processes if entry.is_by(each.key)), None)


def play_and_try(monkeypatch: pytest.MonkeyPatch, seed: int, **how: bool) -> tuple[int, int]:
    """Play one game; how many tries, and how many votes were among what was signed."""
    true, found = game.wrong, []

    def look(world: World, *more: object) -> list[str]:
        votes = sum(isinstance(each.payload, Missing) for each in signed_by_all(world))
        found.append((tried(world), votes))
        return true(world, *more)

    monkeypatch.setattr(game, "wrong", look)
    played = game.play_game(seed, **how)
    assert not played.trouble, played.trouble
    return found[0] if found else (0, 0)


@pytest.mark.parametrize(
    ("how", "seeds"), [("leave", (8, 14)), ("company", (0, 2)), ("faults", (0,))]
)
def test_nothing_that_was_signed_convicts(
    how: str, seeds: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games with votes, leavers, latecomers and faults."""
    counts = [play_and_try(monkeypatch, seed, **{how: True}) for seed in seeds]
    assert sum(tries for tries, _ in counts) > 1_000
    if how == "leave":
        assert sum(votes for _, votes in counts) > 5
