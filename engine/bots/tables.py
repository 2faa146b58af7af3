"""Moves tried out on tables, by the engine itself: under any rules, with partners, with leavers.

The house bot plays all seats, each from its own hand. A round takes five to six times as long as
in the fast world, so fewer are played out.
"""

from collections.abc import Mapping
from typing import Final

from engine.bots.deals import DealSource, HiddenTiles
from engine.bots.house import choose
from engine.chance import Entropy
from engine.knowledge import Knowledge
from engine.longest_train import longest_train
from engine.play.apply import apply
from engine.play.calls import apply_calls, may_tap, offenders
from engine.play.due import due_seats
from engine.play.reach import own_trains
from engine.scoring import round_scores
from engine.table.moves import LayTile, Move, Tap, shows
from engine.table.table import Hand, Outcome, RoundPhase, Table
from engine.table.trains import Position
from engine.tiles import Tile
from engine.view import SeatView

_FIRST_OF_EQUALS: Final[Entropy] = bytes
"""Zeros for octets: of equal moves the first one, in every deal alike."""

ON_TABLES: Final = (RoundPhase.PLAY, RoundPhase.OPENING_ALL)
"""Phases from which a round is played to its end by moves alone."""


def played_out(
    table: Table, tiles: Mapping[Position, Tile], entropy: Entropy
) -> tuple[Table, Outcome]:
    """The table at the end of its round, all seats played by the house bot, all tiles known.

    The table must be in one of the phases `ON_TABLES`, or over. Who has one tile left tells of it
    at once.
    """
    while table.outcome is None:
        seat = due_seats(table)[0]
        held = Hand(seat, tuple([(at, tiles[at]) for at in table.hands[seat]]))
        table, _ = apply(table, choose(SeatView(table, seat, held), entropy))
        if table.aside.silent:
            table = _told(table)
    return table, table.outcome


def _told(table: Table) -> Table:
    """All that may be caught tell of their last tile, where that is still in time."""
    if table.phase is not RoundPhase.PLAY:
        return table
    return apply_calls(table, [Tap(seat) for seat in offenders(table) if may_tap(table, seat)])[0]


class TableThought:
    """Tables that agree with what a seat knows, and what moves come to on them."""

    def __init__(self, table: Table, hand: Hand, known: Knowledge, entropy: Entropy) -> None:
        self._table, self._hand = table, hand
        hidden = HiddenTiles(table, hand, known)
        self._positions = tuple(hidden.owners)
        self._source = DealSource(hidden, entropy)
        self._tiles = dict(hand.tiles)
        self._usual = choose(SeatView(table, hand.seat, hand), _FIRST_OF_EQUALS)
        self._own = own_trains(table, hand.seat)
        own = {int(train) for train in self._own}
        self._others = [seat for seat in table.present if seat not in own]

    def is_usual(self, move: Move) -> bool:
        """Whether the house bot would make it."""
        return move == self._usual

    def reach(self, move: Move) -> int:
        """How long the own train gets that begins with it, tiles laid elsewhere left aside."""
        after, _ = apply(self._table, move)
        laid = {tile for _, tile in shows(move)}
        rest = [tile for _, tile in self._hand.tiles if tile not in laid]
        trains = [after.train(own) for own in self._own]
        lengths = [len(longest_train(rest, end.pip)) for train in trains for end in train.ends]
        elsewhere = isinstance(move, LayTile) and move.train not in self._own
        return max(lengths, default=0) + (0 if elsewhere else len(laid))

    def deal(self) -> None:
        """Draw the next deal, of which `worth` is asked then."""
        self._tiles.update(zip(self._positions, self._source.draw(), strict=True))

    def worth(self, move: Move) -> float:
        """By how much the others end worse in this deal, in points, than the seat and its side."""
        table, tiles = self._table, self._tiles
        table, outcome = played_out(_told(apply(table, move)[0]), tiles, _FIRST_OF_EQUALS)
        left = [[tiles[at] for at in held] for held in table.hands]
        scores = round_scores(table.rules, outcome, left, table.aside)
        own = scores[self._hand.seat]
        others = sum([scores[seat] for seat in self._others]) / max(1, len(self._others))
        return table.rules.standing(1) * (others - own)
