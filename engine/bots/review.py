"""Review: the moves of a finished round, each weighed by what its seat knew when it was made.

What the others held, and what was drawn later, plays no part: a good move with bad luck is still a
good move.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine.bots.margin import Margin, margin_over, rivals_of
from engine.bots.search import is_weighable, search
from engine.bots.strategy import forced
from engine.chance import Entropy
from engine.knowledge import NOTHING_KNOWN
from engine.table.moves import Move
from engine.table.table import Hand, Table
from engine.table.trains import Position, Seat
from engine.tiles import Tile
from engine.view import SeatView

ROLLOUTS: Final = 240
"""Rounds played out to find the best move of a choice: a tenth of a second or two."""

WEIGHED: Final = 480
"""Further rounds, played out over other deals, to weigh it against others."""

MOMENTS_MAX: Final = 3
"""Choices of a round that are worth remembering."""


class OwnMove(Struct, frozen=True):
    """A move of a seat with what it knew then."""

    turn: int
    """The seat's turn of the round, counted from 1."""
    view: SeatView
    played: Move


class MoveReview(Struct, frozen=True):
    """The result of weighing one move."""

    own: OwnMove
    best: Move
    """The best move, which may be the one played."""
    margin: Margin
    """Over the move played or, if that is the best, over the next best."""

    @property
    def is_best(self) -> bool:
        """Whether nothing better was found than the move played."""
        return self.best == self.own.played

    @property
    def cost(self) -> float:
        """The points that were given away: the margin of a clearly better move, else 0."""
        return 0.0 if self.is_best or not self.margin.is_clear else self.margin.points


class RoundReview(Struct, frozen=True):
    """The choices of a seat in a round, weighed."""

    number: int
    """The number of the round, counted from 1."""
    seat: Seat
    choices: tuple[MoveReview, ...]
    """In the order made."""
    unknown: int
    """How many of its moves could not be weighed, as their hand was never shown."""

    @property
    def cost(self) -> float:
        """The points given away in all choices together: the sum of their costs."""
        return sum(each.cost for each in self.choices)

    @property
    def moments(self) -> tuple[MoveReview, ...]:
        """The choices worth remembering, `MOMENTS_MAX` at most, in the order of `choices`.

        They are the costliest mistakes, and then the best finds if there is room. A choice whose
        margin is not clear is neither.
        """
        clear = [each for each in self.choices if each.margin.is_clear]
        clear.sort(key=lambda each: (each.is_best, -each.margin.points))
        kept = clear[:MOMENTS_MAX]
        return tuple(each for each in self.choices if each in kept)


def own_moves(
    history: Iterable[tuple[Table, Move]], tiles: Mapping[Position, Tile], seat: Seat
) -> Iterator[OwnMove | None]:
    """The moves of a seat that were real choices; None for one whose hand is not all known.

    Both come in the order of `history`, which has each move of the round with the table before it.
    Moves without a choice, and those that cannot be weighed, are left out; with an unknown hand
    every move gives None.
    """
    known = NOTHING_KNOWN
    for table, move in history:
        if move.seat == seat and isinstance(view := _view(table, tiles, seat), SeatView):
            turn = table.turns // table.spec.seats + 1
            own = OwnMove(turn, replace(view, known=known), move)
            if _is_choice(own):
                yield own
        elif move.seat == seat:
            yield None
        known = known.after(table, move)


def _view(table: Table, tiles: Mapping[Position, Tile], seat: Seat) -> SeatView | None:
    held = table.hands[seat]
    if any(at not in tiles for at in held):
        return None
    return SeatView(table, seat, Hand(seat, tuple((at, tiles[at]) for at in held)))


def _is_choice(own: OwnMove) -> bool:
    """Whether the seat had a choice: the move played and a rival can both be weighed."""
    if not is_weighable(own.view, own.played):
        return False
    return forced(own.view, own.view.legal) is None and bool(rivals_of(own.view, own.played))


def review_move(own: OwnMove, entropy: Entropy) -> MoveReview | None:
    """Weigh a choice; the same octets give the same result. None if it cannot be weighed.

    If the move played turns out better than the one found, it counts as the best.
    """
    view, played = own.view, own.played
    best = search(view, entropy, ROLLOUTS).move
    rivals = rivals_of(view, best) if best == played else (played,)
    deals = WEIGHED // (1 + len(rivals))
    margin = margin_over(view, best, rivals, entropy, deals)
    if margin is None:
        return None
    if margin.points < 0 and best != played:
        return MoveReview(own, played, margin.turned(best))
    return MoveReview(own, best, margin)
