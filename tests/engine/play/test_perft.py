"""Counts of legal sequences, against a second rulebook that was written to disagree."""

from copy import deepcopy

import pytest

from engine.chance import below
from engine.play.apply import apply
from engine.play.due import due_seats
from engine.play.legal_moves import legal_moves
from engine.rules.choose import RULE_SETS
from engine.rules.spec import make_spec
from engine.table.moves import Done, DrawTile, LayChain, LayTile, Pass
from engine.table.rounds import start_game
from engine.table.table import Ending, RoundPhase
from engine.table.trains import Seat
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import deal, hand_of, reshuffle
from tests.engine.deals import dealt, holder, spec_of
from tests.engine.play.naive_presets import NaivePreset
from tests.sliced import sliced


def perft(table, tiles, depth):
    """How many sequences of lays, draws and passes of this length follow."""
    moves = plain_moves(table, tiles)
    if depth == 1:
        return len(moves)
    return sum(perft(apply(table, move)[0], tiles, depth - 1) for move in moves)


def naive_perft(state, depth):
    """How many sequences of so many moves the second rulebook has."""
    moves = state.moves()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = deepcopy(state)
        after.play(move)
        total += naive_perft(after, depth - 1)
    return total


@sliced(
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
    3,
)
def test_perft_agrees_with_the_second_rulebook(pip_max, seats, seed, depth, count):
    """Both rulebooks, and the count written here, agree on how many games there are."""
    table, tiles = dealt(spec_of(pip_max, seats), seed)
    assert perft(table, tiles, depth) == count
    assert naive_perft(second_rulebook("standard", table, tiles), depth) == count


def begun(preset, seed):
    """A round of a preset with its double in the hub, found by random answers, and its tiles."""
    entropy = seeded(seed)
    pip_max, most = ((6, 4), (9, 6), (12, 8))[below(entropy, 3)]
    seats = 2 + below(entropy, most - 1)
    hand = 2 + below(entropy, 5)
    spec = make_spec(RULE_SETS[preset], pip_max, seats, 1, hand)
    table = start_game(spec, Seat(0))
    tiles = deal(table, entropy)
    while table.hub is None and table.outcome is None:
        if table.phase is RoundPhase.RESHUFFLE:
            table, tiles = reshuffle(table, tiles, entropy)
            continue
        seat = due_seats(table)[0]
        moves = legal_moves(table, hand_of(table, tiles, seat))
        table, _ = apply(table, moves[below(entropy, len(moves))])
    return table, tiles, entropy


def second_rulebook(preset, table, tiles):
    """The same round for the second rulebook."""
    hands = [[tuple(tiles[at]) for at in held] for held in table.hands]
    boneyard = [tuple(tiles[at]) for at in table.boneyard]
    first = table.to_move
    return NaivePreset(preset, table.spec.pip_max, hands, boneyard, table.hub.high, first)


def told_fully(table, move):
    """A move in the words of the second rulebook for presets."""
    if isinstance(move, LayTile):
        return tuple(move.tile), move.train, move.on, move.joined
    if isinstance(move, LayChain):
        first, second = move.lays
        on, train = len(table.train(move.train).lays), move.train
        if move.back:
            train, on = table.turn.doubles[0]
        return (
            (tuple(first.tile), move.train, move.on, first.joined),
            (tuple(second.tile), train, on, second.joined),
        )
    return {DrawTile: "draw", Pass: "pass", Done: "done"}[type(move)]


def plain_moves(table, tiles):
    """The legal moves that lay, draw, pass or end a turn; what is merely said is left out."""
    moves = legal_moves(table, holder(table, tiles)) if table.phase is RoundPhase.PLAY else ()
    return [move for move in moves if isinstance(move, LayTile | LayChain | DrawTile | Pass | Done)]


@pytest.mark.parametrize("preset", RULE_SETS)
@sliced("seed", [seed.to_bytes(2, "big") for seed in range(40)], 5)
def test_presets_agree_with_the_second_rulebook(preset, seed):
    """Random rounds of every preset to their end: the same moves at every step, the same end."""
    table, tiles, entropy = begun(preset, preset.encode() + seed)
    if table.outcome is not None:
        return
    naive = second_rulebook(preset, table, tiles)
    while table.phase is RoundPhase.PLAY:
        moves = plain_moves(table, tiles)
        own = sorted(str(told_fully(table, move)) for move in moves)
        assert own == sorted(str(move) for move in naive.moves())
        move = moves[below(entropy, len(moves))]
        naive.play(told_fully(table, move))
        table, _ = apply(table, move)
        markers = [naive.trains[seat]["marked"] for seat in range(table.spec.seats)]
        if table.phase is RoundPhase.PLAY:
            assert [train.marker for train in table.trains[: table.spec.seats]] == markers
            owed = list(dict.fromkeys(each[:2] for each in naive.owed))
            assert [(each.train, each.on) for each in table.owed] == owed
    blocked = table.outcome.ending is Ending.BLOCKED
    assert naive.over == ("blocked" if blocked else ("out", table.outcome.seat))
