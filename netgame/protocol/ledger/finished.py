"""The rounds of a record that were played to their end, with every tile that was opened by then."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from engine.table.table import Table
from engine.table.trains import Position
from engine.tiles import Tile
from netgame.protocol.fold.phases import History, Member
from netgame.protocol.ledger.record import Walked


class FinishedRound(Struct, frozen=True):
    """A round as it was scored: its moves, and the tiles of all positions that were shown.

    Everybody opens at the end what they still hold; who had left by then has not. `table` stands
    as the scores have left it.
    """

    table: Table
    history: History
    tiles: Mapping[Position, Tile]
    seats: tuple[Member, ...]
    table_id: bytes

    @property
    def number(self) -> int:
        """Which round of the game it is, counted from 1."""
        return len(self.table.past)


def finished_rounds(steps: Iterable[Walked]) -> Iterator[FinishedRound]:
    """Each round as soon as its scores stand; raises `BadRecord` where the record does not hold."""
    for step in steps:
        before, after = step.before.table, step.after.table
        if before is None or after is None or len(before.past) == len(after.past):
            continue
        state = step.after
        tiles = {} if state.deck is None else state.deck.tiles
        yield FinishedRound(after, state.history, tiles, state.seats, state.table_id)
