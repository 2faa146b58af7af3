"""The game as decisions and draws of chance, its numbered actions, and what a seat observes."""

from dataclasses import replace
from itertools import islice

import pytest

from engine.chance import below
from engine.rules.choose import RULE_SETS
from engine.rules.spec import TableSpec, make_spec
from engine.rules.switches import Opening
from engine.table.moves import LayChain
from engine.table.table import RoundPhase
from engine.table.trains import Seat
from lab.environments.action_numbers import ActionNumbers
from lab.environments.observation import observed
from lab.environments.open_game import OpenGame
from lab.rounds.seeds import seeded
from tests.lab.environments.random_rounds import play_numbered, random_games


def spec_of(preset, pip_max=6, seats=3, rounds=1, **switches):
    """A small game of a preset, with other values of some switches."""
    spec = make_spec(replace(RULE_SETS[preset], deal=5, **switches), pip_max, seats, rounds)
    assert isinstance(spec, TableSpec), spec
    return spec


def to_decision(game, entropy):
    """Draw what chance has to draw."""
    while game.is_chance:
        tiles = game.outcomes()
        game.draw(tiles[below(entropy, len(tiles))])


@pytest.mark.parametrize("preset", RULE_SETS)
def test_every_preset_is_played_to_its_end_by_numbers(preset):
    """A game of two rounds ends, and every moment of it can be observed."""
    assert play_numbered(spec_of(preset, rounds=2), preset.encode()) >= 2


def test_random_rules_are_played_by_numbers():
    """Games of any rules that go together show no fault."""
    assert all(deals for _, deals in islice(random_games(b"suite"), 12))


def test_a_seat_observes_nothing_of_another_hand():
    """Two games that differ in hidden tiles only look the same to the seat."""
    entropy = seeded(b"hidden")
    game = OpenGame(spec_of("standard"), Seat(0))
    while game.is_chance and len(game.glimpses) < 5:
        tiles = game.outcomes()
        game.draw(tiles[below(entropy, len(tiles))])
    other = game.copy()
    for each in (game, other):
        to_decision(each, entropy)
    assert [seat for seat, *_ in game.glimpses] == [0] * 5 + [1] * 5 + [2] * 5
    assert game.glimpses != other.glimpses
    assert observed(game.view(Seat(0))) == observed(other.view(Seat(0)))
    assert game.legal() == other.legal()


def test_seats_that_act_at_once_do_not_see_each_other():
    """In an opening of all at once a choice shows when all have chosen."""
    entropy = seeded(b"at once")
    game = OpenGame(spec_of("standard", opening=Opening.SIMULTANEOUS), Seat(0))
    to_decision(game, entropy)
    assert game.table.phase is RoundPhase.OPENING_ALL
    before, first = game.table, game.seat
    game.decide(game.legal()[0])
    assert game.table is before
    assert game.seat != first


def test_a_copy_goes_its_own_way():
    """A move in a copy is none in the game it was made of."""
    game = OpenGame(spec_of("standard"), Seat(0))
    twin = game.copy()
    twin.draw(twin.outcomes()[0])
    assert not game.glimpses
    assert twin.outcomes()[0] in game.outcomes()


def test_a_number_means_one_move_throughout():
    """The number of a lay does not hang on what else is legal."""
    entropy = seeded(b"numbers")
    spec = spec_of("standard")
    numbers, meant = ActionNumbers(spec), {}
    for _ in range(30):
        game = OpenGame(spec, Seat(0))
        while not game.is_over:
            to_decision(game, entropy)
            if game.seat is None:
                break
            numbered = numbers.by_number(game.view(game.seat), game.legal())
            for number, move in numbered.items():
                assert not isinstance(move, LayChain)
                said = (type(move), getattr(move, "tile", None), getattr(move, "train", None))
                assert meant.setdefault(number, said) == said
            choices = tuple(numbered.values())
            game.decide(choices[below(entropy, len(choices))])
