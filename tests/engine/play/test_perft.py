"""Counts of legal sequences, which a second, independent rulebook has confirmed."""

import pytest

from engine.play.apply import apply
from engine.play.legal_moves import legal_moves
from engine.table.moves import DrawTile, LayTile, Pass
from engine.table.table import RoundPhase
from tests.engine.deals import dealt, holder, spec_of

PLAYED = LayTile | DrawTile | Pass


def perft(table, tiles, depth):
    """Return the number of sequences of lays, draws and passes of this length."""
    if table.phase is not RoundPhase.PLAY:
        return 0
    moves = [m for m in legal_moves(table, holder(table, tiles)) if isinstance(m, PLAYED)]
    if depth == 1:
        return len(moves)
    return sum(perft(apply(table, move)[0], tiles, depth - 1) for move in moves)


@pytest.mark.parametrize(
    ("pip_max", "seats", "seed", "depth", "count"),
    [
        (6, 2, b"a", 8, 2014),
        (6, 3, b"b", 9, 3418),
        (6, 4, b"c", 14, 2587),
        (9, 4, b"d", 11, 2751),
        (12, 4, b"e", 8, 2777),
        (12, 8, b"f", 15, 736),
        (15, 6, b"g", 12, 1130),
        (18, 14, b"h", 23, 300),
    ],
)
def test_there_are_as_many_games_as_before(pip_max, seats, seed, depth, count):
    """Under `standard` the number of move sequences equals the confirmed count, for every set."""
    table, tiles = dealt(spec_of(pip_max, seats), seed)
    assert perft(table, tiles, depth) == count
