"""Random tables under random rules find no fault, and their checks find planted ones."""

from itertools import count

import pytest
from msgspec.structs import replace

from engine.play.apply import apply
from engine.play.due import due_seats
from engine.play.judge import why_illegal, why_illegal_holding
from engine.play.legal_moves import legal_moves
from engine.refusals import RefusalCode
from engine.rules.choose import SWITCHES
from engine.table.moves import ChainLink, LayChain, LayTile, Pass, Quiet
from engine.table.rounds import begin_round, start_game
from engine.table.table import ENDED, Hand, RoundPhase
from engine.table.trains import Seat, TrainId
from engine.tiles import Tile
from lab.rounds import random_tables
from lab.rounds import wrong_moves as moves_tried
from lab.rounds.random_tables import Simulated, random_spec, simulate_table
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import deal, hand_of
from lab.rounds.wrong_moves import is_as_listed, wrong_moves
from tests.engine.deals import spec_of


def simulate_tables(count, seed):
    """Play `count` random tables with random moves; return the counts of play and of faults."""
    result = Simulated()
    for number in range(count):
        random_tables.simulate_table(number, seed, result)
    return result


def test_random_tables_are_the_same_twice():
    """Equal seeds make equal games, in one run or in two."""
    whole, part = simulate_tables(4, b"twice"), simulate_tables(2, b"twice")
    simulate_table(2, b"twice", part)
    simulate_table(3, b"twice", part)
    assert part == whole


@pytest.mark.campaign
def test_every_value_of_every_switch_is_drawn():
    """Random specs use every value of every switch."""
    drawn = set()
    for number in range(3000):
        rules = random_spec(seeded(number.to_bytes(4, "big"))).rules
        drawn |= {(switch.key, getattr(rules, switch.field)) for switch in SWITCHES.values()}
    words = {(name, getattr(value, "value", "number")) for name, value in drawn}
    wanted = {(name, value) for name, switch in SWITCHES.items() for value in switch.words()}
    counted = {(name, "number") for name, switch in SWITCHES.items() if switch.numbers}
    assert words == wanted | counted


def test_wrong_moves_break_every_rule_there_is():
    """Wrong moves are refused with every code but `IMPOSSIBLE_TABLE` within some 300 tables."""
    codes = set()
    for number in count():
        entropy = seeded(b"wrong" + number.to_bytes(4, "big"))
        spec = random_spec(entropy)
        table = start_game(spec, Seat(0))
        tiles = deal(table, entropy)
        while table.phase not in {*ENDED, RoundPhase.RESHUFFLE}:
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
    """Judge as if every claim about a hand were true."""
    return why_illegal(table, move)


def _losing(table, move):
    """Apply a move, but do not count a laid tile among those seen."""
    after, events = apply(table, move)
    if isinstance(move, LayTile):
        after = replace(after, seen=table.seen)
    return after, events


def _forgetful(calls):
    def unsteady(table, move):
        after, events = apply(table, move)
        return replace(after, passed=after.passed + next(calls) % 2), events

    return unsteady


def _crashing(table, move):
    """Raise KeyError, like a transition with a bug."""
    raise KeyError(move)


def _doubled(table, entropy):
    """Deal the same tile to two places."""
    tiles = deal(table, entropy)
    return tiles | {1: tiles[0]}


def _unsteady(numbers):
    return lambda _: next(numbers)


FAULTS = {
    "a judge that believes": ("why_illegal_holding", _lenient, "illegal", "is legal and not"),
    "a list of nothing": ("legal_moves", lambda *_: (), "stuck", "has no move"),
    "a list of passes": ("legal_moves", lambda _, hand: (Pass(hand.seat),), "illegal", "refused"),
    "tiles get lost": ("apply", _losing, "divergent", "seen tiles are those that lie open"),
    "chance in a transition": ("apply", _forgetful(count()), "divergent", "comes to another table"),
    "a round too long": ("MOVES_MAX", 3, "stuck", "goes on for ever"),
    "a bug": ("apply", _crashing, "crashed", "crashed: KeyError"),
    "a tile twice": ("deal", _doubled, "divergent", "a tile lies in two places"),
    "a hash that moves": ("hash", _unsteady(count()), "illegal", "changed"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault, monkeypatch):
    """Each check finds and names the fault for which it exists, and further tables are played.

    There are twelve tables, because not every table has a chance to show the fault.
    """
    name, broken, counted, words = FAULTS[fault]
    monkeypatch.setattr(random_tables, name, broken, raising=False)
    result = simulate_tables(12, b"fault")
    assert result.tables == 12
    assert getattr(result, counted) > 0
    assert any(words in trouble.what for trouble in result.troubles)


def test_legal_moves_that_are_not_listed_are_told_apart(monkeypatch):
    """A chain that is legal tile by tile need not be listed; any other legal move must be."""
    spec = spec_of(6, 2, opening="whole-train")
    table = begin_round(spec, 0, Seat(0), Tile(6, 6), past=(), hand_sizes=(3, 3))
    tiles = (Tile(1, 6), Tile(1, 2), Tile(0, 0))
    hand = Hand(Seat(0), tuple(enumerate(tiles)))
    chain = LayChain(Seat(0), TrainId(0), (ChainLink(0, tiles[0], 6), ChainLink(1, tiles[1], 1)))
    assert is_as_listed(table, hand, chain)
    assert is_as_listed(table, hand, Quiet(Seat(1)))
    monkeypatch.setattr(moves_tried, "why_illegal_step", lambda *_: "refused")
    assert not is_as_listed(table, hand, chain)
    none = Hand(Seat(0), ())
    assert not is_as_listed(table, none, LayTile(Seat(0), 0, tiles[0], TrainId(0), -1, 6))


@pytest.mark.parametrize(("most", "goes_on"), [(50, True), (0, False)])
def test_rounds_are_dealt_again_but_not_for_ever(most, goes_on, monkeypatch):
    """§1.6: with the double in no hand and too few tiles to draw, the round is dealt again.

    Once more than `REDEALS_MAX` rounds have been dealt again, the table ends.
    """
    spec = spec_of(6, 5, 1, engine="holder", deal="5")
    monkeypatch.setattr(random_tables, "random_spec", lambda _: spec)
    monkeypatch.setattr(random_tables, "REDEALS_MAX", most)
    result = simulate_tables(30, b"again")
    assert result.troubles == []
    assert (result.rounds > 30) == goes_on
