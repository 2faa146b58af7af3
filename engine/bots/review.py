"""Review: the moves of a finished round, each weighed by what its seat knew at the time.

A review starts from the advice that the player would have got, so that the two agree. The advised
move costs nothing, and neither does a rival that the advice calls about as good.

The others' hands and later draws play no part: a good move with bad luck is still a good move.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine.bots.advice import advise
from engine.bots.margin import Margin, margin_over
from engine.bots.pieces import Pieces, in_pieces
from engine.bots.search import is_weighable
from engine.bots.strategy import forced
from engine.chance import Entropy
from engine.knowledge import NOTHING_KNOWN
from engine.table.moves import Move
from engine.table.table import Hand, Table
from engine.table.trains import Position, Seat
from engine.tiles import Tile
from engine.view import SeatView

WEIGHED_DEALS: Final = 240
"""Further deals for weighing a move that the advice does not mention."""

MOMENTS_MAX: Final = 3
"""The most choices of a round that are worth remembering."""


class OwnMove(Struct, frozen=True):
    """A move of a seat, with its view at the time."""

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
    """The margin of `best` over the move played or, if that is the best, over the next best."""

    @property
    def is_best(self) -> bool:
        """True if nothing better than the move played was found."""
        return self.best == self.own.played

    @property
    def cost(self) -> float:
        """The points given away: the margin of a clearly better move, else 0."""
        return 0.0 if self.is_best or not self.margin.is_clear else self.margin.points


class RoundReview(Struct, frozen=True):
    """The weighed choices of a seat in one round."""

    number: int
    """The number of the round, counted from 1."""
    seat: Seat
    choices: tuple[MoveReview, ...]
    """The choices, in the order made."""
    unknown: int
    """The number of its moves that could not be weighed because their hand was never shown."""

    @property
    def cost(self) -> float:
        """The points given away in all choices: the sum of their costs."""
        return sum(each.cost for each in self.choices)

    @property
    def moments(self) -> tuple[MoveReview, ...]:
        """The choices worth remembering, at most `MOMENTS_MAX`, in the order of `choices`.

        They are the costliest mistakes and then, if there is room, the best finds. A choice whose
        margin is not clear is neither.
        """
        clear = [each for each in self.choices if each.margin.is_clear]
        clear.sort(key=lambda each: (each.is_best, -each.margin.points))
        kept = clear[:MOMENTS_MAX]
        return tuple(each for each in self.choices if each in kept)


def own_moves(
    history: Iterable[tuple[Table, Move]], tiles: Mapping[Position, Tile], seat: Seat
) -> Iterator[OwnMove | None]:
    """Yield the moves of a seat that were real choices, and None for a move with an unknown hand.

    They are in the order of `history`, which pairs the table before each move with that move.
    Moves without a choice, and those that cannot be weighed, are left out. A hand is unknown if the
    tile of any of its positions is.
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
    """Return True if the seat had a choice: the move played and a rival can both be weighed."""
    if not is_weighable(own.view, own.played):
        return False
    others = (move for move in own.view.legal if move != own.played)
    has_rival = any(is_weighable(own.view, move) for move in others)
    return has_rival and forced(own.view, own.view.legal) is None


@in_pieces
def review_move(own: OwnMove, entropy: Entropy) -> Pieces[MoveReview | None]:
    """Weigh a choice, or return None if that is impossible; the same octets give the same result.

    If the move played turns out better than the advised one, it counts as the best.
    """
    view, played = own.view, own.played
    advice = yield from advise.pieces(view, entropy)
    if advice is None or advice.margin is None:
        return None
    best = advice.move
    margin: Margin | None = advice.margin
    if played not in (best, advice.margin.rival):
        margin = yield from margin_over.pieces(view, best, played, entropy, WEIGHED_DEALS)
    if margin is None:
        return None
    if margin.points < 0 and best != played:
        return MoveReview(own, played, margin.turned(best))
    return MoveReview(own, best, margin)
