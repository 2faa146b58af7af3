"""Random tables under random rules, and whether their checks would find a fault."""

from itertools import count

import pytest

from engine import random_tables
from engine.chance import seeded
from engine.due import due_seats
from engine.judge import why_illegal, why_illegal_holding
from engine.legality import RefusalCode, legal_moves
from engine.moves import LayTile, Pass
from engine.random_tables import random_spec, simulate_table, simulate_tables
from engine.rules import SWITCHES
from engine.simulate import deal, hand_of
from engine.table import ENDED, Phase, start_game
from engine.trains import Seat
from engine.transition import apply
from engine.wrong_moves import wrong_moves


def test_any_combination_of_switches_plays():
    """Nothing is stuck, lost, unequal, legal though not listed, or refused though listed."""
    result = simulate_tables(60, b"any")
    assert result.troubles == []
    assert (result.stuck, result.divergent, result.illegal, result.crashed) == (0, 0, 0, 0)
    assert result.rounds >= 60
    assert result.refused > result.moves


def test_random_tables_are_the_same_twice():
    """Equal seeds make equal games, in one run or in two."""
    whole, part = simulate_tables(4, b"twice"), simulate_tables(2, b"twice")
    simulate_table(2, b"twice", part)
    simulate_table(3, b"twice", part)
    assert part == whole


def test_every_value_of_every_switch_is_drawn():
    """The random specs leave out no value of any switch."""
    drawn = set()
    for number in range(3000):
        rules = random_spec(seeded(number.to_bytes(4, "big"))).rules
        drawn |= {(switch.name, getattr(rules, switch.field)) for switch in SWITCHES.values()}
    words = {(name, getattr(value, "value", "number")) for name, value in drawn}
    wanted = {(name, value) for name, switch in SWITCHES.items() for value in switch.values}
    assert words == wanted | {("deal", "number")}


def test_wrong_moves_break_every_rule_there_is():
    """Every code of refusal is met, so that no rule of the judge goes untried."""
    codes = set()
    for number in count():
        entropy = seeded(b"wrong" + number.to_bytes(4, "big"))
        spec = random_spec(entropy)
        table = start_game(spec, Seat(0))
        tiles = deal(table, entropy)
        while table.phase not in {*ENDED, Phase.RESHUFFLE}:
            for seat in (due_seats(table)[0], Seat(0)):
                hand = hand_of(table, tiles, seat)
                tried = wrong_moves(table, tiles, seat, entropy)
                refusals = [why_illegal_holding(table, hand, move) for move in tried]
                codes |= {refusal.code for refusal in refusals if refusal}
            seat = due_seats(table)[0]
            table, _ = apply(table, legal_moves(table, hand_of(table, tiles, seat))[0])
        if codes == set(RefusalCode) - {RefusalCode.IMPOSSIBLE_TABLE}:
            return
        assert number < 300, set(RefusalCode) - codes


def _lenient(table, hand, move):
    """A judge that believes every claim about a hand."""
    return why_illegal(table, move)


def _losing(table, move):
    """A transition that loses the tile that is laid."""
    after, events = apply(table, move)
    if isinstance(move, LayTile):
        after = after._replace(seen=table.seen)
    return after, events


def _forgetful(calls=count()):  # noqa: B008 - one count for all calls
    def unsteady(table, move):
        after, events = apply(table, move)
        return after._replace(passes=after.passes + next(calls) % 2), events

    return unsteady


FAULTS = {
    "a judge that believes": ("why_illegal_holding", _lenient, "illegal", "is legal and not"),
    "a list of nothing": ("legal_moves", lambda *_: (), "stuck", "has no move"),
    "a list of passes": ("legal_moves", lambda _, hand: (Pass(hand.seat),), "illegal", "refused"),
    "tiles get lost": ("apply", _losing, "divergent", "seen tiles are those that lie open"),
    "chance in a transition": ("apply", _forgetful(), "divergent", "comes to another table"),
    "a round too long": ("MOVES_MAX", 3, "stuck", "goes on for ever"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault, monkeypatch):
    """Each check finds the fault that it is there for, and says what it was."""
    name, broken, counted, words = FAULTS[fault]
    monkeypatch.setattr(random_tables, name, broken)
    result = simulate_tables(12, b"fault")
    assert getattr(result, counted) > 0
    assert any(words in trouble.what for trouble in result.troubles)
