"""The finished rounds of a record, with every tile that had been opened by the end."""

from collections.abc import Iterable, Iterator, Mapping

from engine.table.table import Table
from engine.table.trains import Position
from engine.tiles import Tile
from netgame.frozen import FrozenStruct
from netgame.protocol.ledger.record import Walked
from netgame.protocol.state.phases import History, Member


class FinishedRound(FrozenStruct):
    """A round as it was scored: its moves, and the tile of every position that was opened.

    At the end of a round all seats open the tiles they still have, except those that have left.
    """

    table: Table
    """The table after scoring."""
    history: History
    """Each move, with the table before it."""
    tiles: Mapping[Position, Tile]
    seats: tuple[Member, ...]
    """A member for every seat, including those that have left."""

    @property
    def number(self) -> int:
        """The number of the round in the game, from 1."""
        return len(self.table.past)


def finished_rounds(steps: Iterable[Walked]) -> Iterator[FinishedRound]:
    """Yield each round of a record whose hands were opened and scored; others are left out.

    A round is yielded when the next step closes, or at the end: until then a cut can make the
    opened hands void, and the round is scored again. `steps` are read only as far as rounds are
    asked for; an exception that they raise, such as `BadRecord`, passes through.
    """
    found: FinishedRound | None = None
    for step in steps:
        before, after, state = step.before.table, step.after.table, step.after
        if before is None or after is None:
            continue
        if len(before.past) < len(after.past):
            tiles = {} if state.deck is None else state.deck.tiles
            found = FinishedRound(after, state.history, tiles, state.seats)
        elif len(before.past) > len(after.past):
            found = None
        elif found is not None and state.step > step.before.step:
            yield found
            found = None
    if found is not None:
        yield found
