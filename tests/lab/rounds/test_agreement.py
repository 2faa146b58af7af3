"""The list of moves and the judge agree; the check finds a list or judge that differs."""

import pytest

from engine.play.judge import why_illegal_holding
from engine.play.legal_moves import legal_moves
from engine.rules.choose import RULE_SETS
from engine.table.moves import Done, LayChain, LayTile
from engine.table.rounds import begin_round
from engine.table.table import Hand
from engine.table.trains import Position, Seat
from engine.tiles import Tile
from lab.rounds import agreement, random_tables
from lab.rounds.agreement import disagreements
from lab.rounds.random_tables import Simulated, simulate_rules
from tests.engine.deals import spec_of

TILES = Tile(5, 6), Tile(5, 5), Tile(3, 5)


def agree(number):
    """Play rounds under the rules with this number; assert that list and judge always agree."""
    result = Simulated()
    simulate_rules(number, b"agreement", result)
    assert result.troubles == []
    assert result.rounds >= random_tables.RULES_ROUNDS


@pytest.mark.parametrize("number", range(len(RULE_SETS)), ids=[*RULE_SETS])
def test_list_and_judge_agree_under_every_preset(number, monkeypatch):
    """List and judge agree on tiles and chains at every turn of two rounds."""
    monkeypatch.setattr(random_tables, "RULES_ROUNDS", 2)
    agree(number)


@pytest.mark.campaign
@pytest.mark.parametrize("number", range(3 * len(RULE_SETS)))
def test_list_and_judge_agree_under_every_preset_and_random_rules(number):
    """List and judge agree at every turn of twenty rounds of each rule set."""
    agree(number)


def opening():
    """Return a table where Ann opens with a chain that may not end on a double, and her hand."""
    spec = spec_of(6, 3, opening="whole-train", opening_double="refused")
    table = begin_round(spec, 0, Seat(0), Tile(6, 6), past=(), hand_sizes=(3, 3, 3))
    return table, Hand(Seat(0), tuple((Position(at), tile) for at, tile in enumerate(TILES)))


def test_nothing_is_found_where_list_and_judge_agree():
    """The check reports nothing where list and judge agree, as on a chain with a double."""
    assert list(disagreements(*opening())) == []


def _without_doubles(table, hand):
    """Return the legal moves without lays of doubles, which an old bug left out."""
    moves = legal_moves(table, hand)
    return tuple(m for m in moves if not isinstance(m, LayTile) or not m.tile.is_double)


def _without_done(table, hand):
    return tuple(move for move in legal_moves(table, hand) if not isinstance(move, Done))


def _with_too_much(table, hand):
    return (*legal_moves(table, hand), Done(hand.seat))


FAULTS = {
    _without_doubles: "is legal and its tiles are not listed",
    _without_done: "is legal and its tiles are not listed",
    _with_too_much: "is listed and refused",
}


@pytest.mark.parametrize("broken", FAULTS)
def test_a_list_that_differs_from_the_judge_is_found(broken, monkeypatch):
    """The check finds missing moves and surplus ones."""
    monkeypatch.setattr(agreement, "legal_moves", broken)
    assert any(FAULTS[broken] in told for told in disagreements(*opening()))


def _strict(table, hand, move):
    """Refuse every `LayChain`, and judge all other moves as usual."""
    return "refused" if isinstance(move, LayChain) else why_illegal_holding(table, hand, move)


def test_a_judge_that_refuses_a_chain_of_legal_tiles_is_found(monkeypatch):
    """The check names a refused chain whose tiles are listed one by one."""
    monkeypatch.setattr(agreement, "why_illegal_holding", _strict)
    assert any("is refused and its tiles are listed" in told for told in disagreements(*opening()))
