"""One seat's knowledge of a moment, as numbers from 0 to 1 of one fixed length.

Made of a `SeatView` and of nothing else, so an agent sees no more than a player does.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from engine.rules.spec import TableSpec
from engine.scoring import totals
from engine.table.rounds import start_game
from engine.table.table import RoundPhase, Table
from engine.table.trains import Seat
from engine.table.turn import EngineSearch, Returning, SeekStep
from engine.tiles import TILE_BITS, full_set, tile_bits
from engine.view import SeatView
from lab.environments.action_numbers import MEXICANS

_PHASES: Final = tuple(RoundPhase)
_STAGES: Final = ("start", "cover", "extra", "may", "held", "chain", "drive", "lost")
_STEPS: Final = tuple(SeekStep)
_POINTS: Final = 1_000
"""Points that are shown as 1: a game has some hundreds, and what is over it counts as it."""


def observation_size(spec: TableSpec) -> int:
    """How many numbers `observed` gives at such a table."""
    return len(observed(SeatView(start_game(spec, Seat(0)), None, None)))


def observed(view: SeatView) -> list[float]:
    """The numbers: tiles, hub, phase, trains, seats, in the order of this module.

    Seats and their trains are counted from the one that looks, so its own always come first.
    """
    return [float(each) for each in _all_of(view)]


def _all_of(view: SeatView) -> Iterator[float]:
    table, seat = view.table, view.seat or 0
    spec = table.spec
    held = tile_bits(tuple([tile for _, tile in view.hand.tiles])) if view.hand else 0
    asked = tile_bits(table.now.asked) if isinstance(table.now, EngineSearch) else 0
    asks = table.now.step if isinstance(table.now, (EngineSearch, Returning)) else None
    for bits in (held, table.seen, asked):
        yield from (bits & TILE_BITS[tile] != 0 for tile in full_set(spec.pip_max))
    yield from (table.hub is not None and table.hub.high == pip for pip in range(spec.pip_max + 1))
    yield from (table.phase is phase for phase in _PHASES)
    yield from (table.turn.stage.value == stage for stage in _STAGES)
    yield from (asks is step for step in _STEPS)
    yield table.drawn
    yield len(table.boneyard) / len(full_set(spec.pip_max))
    yield (table.round_number + 1) / spec.rounds
    around = [(seat + at) % spec.seats for at in range(spec.seats)]
    yield from _trains(table, around)
    yield from _seats(table, around)


def _trains(table: Table, around: Iterable[int]) -> Iterator[float]:
    """Open ends, whether it is started and public, and how much of an open double it owes."""
    owed = {owed.train: (place + 1, owed.need) for place, owed in enumerate(table.owed)}
    shown = [table.trains[at] for at in around]
    shown += table.mexican_trains[:MEXICANS]
    for train in shown:
        ends = {end.pip for end in train.ends}
        yield from (pip in ends for pip in range(table.spec.pip_max + 1))
        yield train.started
        yield train.marker or train.is_mexican
        place, need = owed.get(train.id, (0, 0))
        yield 1 / place if place else 0.0
        yield need / max(3, table.rules.mexican.arms)
    missing = table.spec.seats + MEXICANS - len(shown)
    yield from [0.0] * (missing * (table.spec.pip_max + 5))


def _seats(table: Table, around: Iterable[int]) -> Iterator[float]:
    points, tiles = totals(table), len(full_set(table.spec.pip_max))
    for at in around:
        yield at == table.to_move
        yield len(table.hands[at]) / tiles
        yield bool(table.passed >> at & 1)
        yield bool(table.memory.silent >> at & 1)
        yield min(1.0, points[at] / _POINTS)
        yield at == table.first
