"""Odds: the chance that each other seat can play on each open end, as one seat may know it.

All deals that agree with the proved facts are equally likely. If they can be counted, a chance is
exact; else it is the share of drawn deals in which the event occurs.
"""

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from engine.bots.deals import DealSource, HiddenTiles
from engine.bots.effort import Effort
from engine.bots.pieces import Pieces, in_pieces
from engine.chance import Entropy
from engine.play.places import ends_bits, open_ends
from engine.play.reach import own_trains, played_trains
from engine.table.table import Table
from engine.table.trains import End, Position, Seat, Train, TrainId
from engine.table.turn import InPlay
from engine.tiles import TILE_BITS
from engine.view import SeatView

DRAWN_DEALS: Final = 400
"""The deals for an estimate, which is off by more than 5 percentage points once in twenty times."""


class Likelihood(NamedTuple):
    """The chance of an event, from 0 to 1; it is exact if counted, else estimated."""

    likely: float
    is_exact: bool


class EndOdds(Struct, frozen=True):
    """The odds of one open end, or of all ends of one train that show the same pip."""

    train: TrainId
    pip: int
    is_owed: bool
    """True if it is a double that must be covered."""
    seats: Mapping[Seat, Likelihood | None]
    """For each other seat, the chance that it holds a fitting tile; None if the train is closed."""
    next_tile: Likelihood | None
    """The chance that the next tile of the boneyard fits; None if the boneyard is empty."""


class TableOdds(Struct, frozen=True):
    """The odds of all open ends, in the order of the trains, even where the seat may not play."""

    ends: tuple[EndOdds, ...]
    next_fits: Likelihood | None
    """The chance that the next boneyard tile fits where the seat may play; None if the boneyard is
    empty."""


_Question: TypeAlias = tuple[Collection[Position], int]
"""Positions and a bit set of tiles: is one of these tiles at one of these positions?"""


@in_pieces
def table_odds(
    view: SeatView, entropy: Entropy, effort: Effort | None = None
) -> Pieces[TableOdds | None]:
    """Return the odds as the seat of `view` can know them, counted exactly while there is time.

    Estimate a chance if it cannot be counted, or if the time is up. Return None outside play, if
    the seat has no hand, or if there are not as many unseen tiles as positions that it does not
    see. Raise ValueError if no deal agrees with the known facts.
    """
    table, hand = view.table, view.hand
    if hand is None or not isinstance(table.now, InPlay):
        return None
    hidden = HiddenTiles(table, hand, view.known)
    if len(hidden.owners) != len(hidden.tiles):
        return None
    seats = [seat for seat in table.present if seat != hand.seat]
    held = {seat: frozenset(table.hands[seat]) for seat in seats}
    fits = table.rules.wild_blanks.fits
    next_at = frozenset(table.boneyard[:1])
    pips = sorted({end.pip for train in played_trains(table) for end in train.ends})
    joins = ends_bits(table, _own_ends(table, hand.seat))
    asked: list[_Question] = [(held[seat], fits[pip]) for pip in pips for seat in seats]
    asked += [(next_at, fits[pip]) for pip in pips]
    questions = [*asked, (next_at, joins)]
    chances = yield from _answers(hidden, questions, entropy, effort or Effort())
    owed = {(each.train, each.on) for each in table.owed}
    ends = [
        EndOdds(
            train=train.id,
            pip=pip,
            is_owed=any((train.id, end.on) in owed for end in train.ends if end.pip == pip),
            seats={
                seat: chances[held[seat], fits[pip]] if _is_open_to(table, seat, train) else None
                for seat in seats
            },
            next_tile=chances[next_at, fits[pip]] if next_at else None,
        )
        for train in played_trains(table)
        for pip in dict.fromkeys(end.pip for end in train.ends)
    ]
    return TableOdds(tuple(ends), chances[next_at, joins] if next_at else None)


def _is_open_to(table: Table, seat: Seat, train: Train) -> bool:
    """Return True if a seat may usually play on a train: its own, a Mexican one, or a marked one.

    This ignores the rules of a first turn, and doubles.
    """
    return train.is_mexican or train.marker or train.id in own_trains(table, seat)


def _own_ends(table: Table, seat: Seat) -> tuple[End, ...]:
    """Return the ends where a seat may play now if it is its turn, else where it usually may."""
    if table.to_move == seat:
        return open_ends(table)
    mine = [train for train in played_trains(table) if _is_open_to(table, seat, train)]
    return tuple(end for train in mine for end in train.ends)


def _answers(
    hidden: HiddenTiles, asked: Collection[_Question], entropy: Entropy, effort: Effort
) -> Pieces[dict[_Question, Likelihood]]:
    """Return every question with its answer: counted if possible in time, else estimated.

    All estimates use the same deals, and are made even when time is up.
    """
    found = dict[_Question, Likelihood]()
    left = list[_Question]()
    for question in dict.fromkeys(asked):
        yield
        likely = hidden.chance_at(*question) if effort.has_time() else None
        if likely is None:
            left.append(question)
        else:
            found[question] = Likelihood(likely, is_exact=True)
    if not left:
        return found
    source = DealSource(hidden, entropy)
    hits = [0] * len(left)
    for _ in range(DRAWN_DEALS):
        yield
        bits = [TILE_BITS[tile] for tile in source.draw()]
        dealt = dict(zip(hidden.owners, bits, strict=True))
        for number, (positions, fitting) in enumerate(left):
            hits[number] += any(dealt[at] & fitting for at in positions)
    return found | {
        question: Likelihood(hit / DRAWN_DEALS, is_exact=False)
        for question, hit in zip(left, hits, strict=True)
    }
