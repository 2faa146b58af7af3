"""Counts of legal sequences, against a second rulebook that was written to disagree."""

import pytest

from engine.chance import below, seeded
from engine.legality import legal_moves
from engine.moves import DrawTile, LayTile
from engine.table import Ending, Phase
from engine.transition import apply
from tests.engine.deals import dealt, holder, spec_of
from tests.engine.naive import NaiveRound, naive_perft


def perft(table, tiles, depth):
    """How many legal sequences of `depth` moves follow."""
    if depth == 0:
        return 1
    moves = legal_moves(table, holder(table, tiles)) if table.phase is Phase.PLAY else ()
    return sum(perft(apply(table, move)[0], tiles, depth - 1) for move in moves)


def second_rulebook(table, tiles):
    """The same deal, for the naive rules."""
    hands = [[tuple(tiles[at]) for at in held] for held in table.hands]
    boneyard = [tuple(tiles[at]) for at in table.boneyard]
    return NaiveRound(table.spec.pip_max, hands, boneyard, table.hub.high)


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
def test_perft_agrees_with_the_second_rulebook(pip_max, seats, seed, depth, count):
    """Both rulebooks, and the count written here, agree on how many games there are."""
    table, tiles = dealt(spec_of(pip_max, seats), seed)
    assert perft(table, tiles, depth) == count
    assert naive_perft(second_rulebook(table, tiles), depth) == count


def told(move):
    """A move in the naive rulebook's words."""
    if isinstance(move, LayTile):
        return tuple(move.tile), move.train if move.train >= 0 else "mexican"
    return "draw" if isinstance(move, DrawTile) else "pass"


@pytest.mark.parametrize("seed", [seed.to_bytes(2, "big") for seed in range(60)])
def test_whole_rounds_agree_with_the_second_rulebook(seed):
    """Random rounds to their end: the same moves at every step, and the same end."""
    entropy = seeded(seed)
    pip_max, most = ((6, 4), (9, 8), (12, 8), (15, 12), (18, 14))[below(entropy, 5)]
    table, tiles = dealt(spec_of(pip_max, 2 + below(entropy, most - 1)), seed)
    naive = second_rulebook(table, tiles)
    while table.phase is Phase.PLAY:
        moves = legal_moves(table, holder(table, tiles))
        assert sorted(map(str, map(told, moves))) == sorted(map(str, naive.moves()))
        move = moves[below(entropy, len(moves))]
        naive.play(told(move))
        table, _ = apply(table, move)
    blocked = table.outcome.ending is Ending.BLOCKED
    assert naive.over == ("blocked" if blocked else ("out", table.outcome.seat))
    assert [len(hand) for hand in naive.hands] == [len(hand) for hand in table.hands]
