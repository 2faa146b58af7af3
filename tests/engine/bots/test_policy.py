"""The quick policy of rollouts plays legally under all rules, and tracks every hand correctly."""

from itertools import count

import pytest

from engine.bots.policy import Rollout
from engine.play.due import due_seats
from engine.play.judge import why_illegal_holding
from engine.rules.choose import RULE_SETS
from engine.rules.spec import make_spec
from engine.table.table import RoundPhase
from engine.table.trains import Seat
from lab.rounds.any_move import choose_any
from lab.rounds.random_tables import random_spec
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import hand_of
from tests.engine.deals import played, spec_of

PLAYED_OUT = (RoundPhase.PLAY, RoundPhase.OPENING_ALL)


def in_play(spec, seed):
    """Return a table whose hub is laid, and the tile of every position.

    Rounds from successive seeds are played until one of them gets that far.
    """
    rounds = (played(spec, seed + bytes(number), choose_any) for number in count())
    moments = ((before, end.tiles) for history, end in rounds for before, _ in history)
    return next(moment for moment in moments if moment[0].phase in PLAYED_OUT)


def assert_legal_to_the_end(table, tiles):
    """Play a rollout to its end; assert that its moves are legal and that it tracks each hand."""
    played = Rollout(table, tiles)
    while played.table.outcome is None:
        seat = due_seats(played.table)[0]
        move = played.chosen(seat)
        hand = hand_of(played.table, tiles, seat)
        assert why_illegal_holding(played.table, hand, move) is None
        number = played.numbers.number
        assert played.hands[seat] == sum(1 << number[tile] for _, tile in hand.tiles)
        played.make(move)


@pytest.mark.parametrize("seed", [bytes([seed]) for seed in range(3)])
@pytest.mark.parametrize("preset", RULE_SETS)
def test_the_policy_is_legal_under_every_preset(preset, seed):
    """Under every preset, the policy plays a round legally from the hub to the end."""
    assert_legal_to_the_end(*in_play(make_spec(RULE_SETS[preset], None, 4, 1), seed))


def test_the_policy_is_legal_under_random_rules():
    """Under sixty random sets of rules, the policy plays legally from the hub to the end."""
    for number in range(60):
        seed = number.to_bytes(4, "big")
        drawn = seeded(seed)
        specs = (random_spec(drawn) for _ in count())
        # a seat that lays the engine from a hand of one is out, and play may never begin
        spec = next(each for each in specs if each.hand > 1)
        assert_legal_to_the_end(*in_play(spec, seed))


def test_a_round_is_played_on_for_so_many_turns():
    """A rollout stops after the given turn, and can be played on from there."""
    table, tiles = in_play(spec_of(9, 4), b"turns")
    played, whole = Rollout(table, tiles), Rollout(table, tiles)
    assert played.play(table.turns + 6) is None
    assert played.table.turns == table.turns + 6
    assert played.play() == whole.play() == whole.table.outcome
    assert played.table == whole.table


def test_a_round_is_played_on_up_to_a_turn_of_a_seat():
    """A rollout stops at a seat's turn, and does not move if it is that seat's turn already."""
    table, tiles = in_play(spec_of(9, 4), b"until")
    played = Rollout(table, tiles)
    other = Seat((table.to_move + 2) % 4)
    played.play_until(other)
    assert played.table.to_move == other
    before = played.table
    played.play_until(other)
    assert played.table is before
