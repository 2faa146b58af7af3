"""Games under faults end properly, and the same seed gives the same game."""

from functools import cache
from itertools import islice

import pytest

from engine.rules.choose import STANDARD
from lab.simulation.campaign import games
from lab.simulation.game import APART, Game, play_game, play_random_rules
from lab.simulation.mishaps import faults
from lab.simulation.mishaps.company import KINDS, SEATED
from lab.simulation.mishaps.kinds import Mishap
from tests.cli.running import boneyard_anew
from tests.sliced import sliced

LEAVERS = (0, 2, 5, 8)
"""Seeds of games in which nobody, one or two seats leave.

Among them are a game that rebuilds the deck and one that deals the round again.
"""
GUESTS = (7, 12, 129)
"""Seeds of games that have every kind of guest between them.

In one of the games at least five people sit down late.
"""


@cache
def first_games() -> tuple[Game, ...]:
    """Return the first four games of a campaign, played with the toy group."""
    return tuple(islice(games(0, real=False), 4))


def test_a_slice_of_seeds() -> None:
    """The first four games of a campaign end without trouble.

    `simulate --seeds` plays far more.
    """
    for game in first_games():
        assert not game.trouble, (game.seed, game.trouble, game.story)


def test_a_seed_with_the_real_group() -> None:
    """A game with real points, proofs and signatures ends without trouble.

    Its octets are not those of the same seed with the toy group.
    """
    game = play_game(19, real=True)
    assert not game.trouble, (game.trouble, game.story)
    assert game.digest != play_game(19).digest


def test_random_rules_over_a_quiet_network() -> None:
    """A game under random rules, with the real group, is played to its end without trouble."""
    game = play_random_rules(3)
    assert not game.trouble
    assert (game.settings.preset, game.settings.switches) != (STANDARD, ())
    assert not game.is_gone
    assert not game.is_blocked


def test_guests_who_are_kept_apart_lose_nobody_but_those_who_leave() -> None:
    """Where guests cannot reach each other, the table gives up only the seats that leave.

    With other faults on top, such a game ends without trouble, too.
    """
    for seed in (5, 22):
        game = play_game(seed, leave=True, faults=False, apart=True)
        assert not game.trouble, (seed, game.trouble, game.story)
        assert game.counts["networks"][APART]
        assert sum(game.counts["given_up"].values()) == sum(game.counts["left"].values()) > 0
    game = next(islice(games(4, real=False), 1))
    assert not game.trouble, (game.trouble, game.story)
    assert game.counts["networks"][APART]


@sliced("fault", Mishap, 3, ids=lambda fault: fault.value)
def test_every_kind_of_fault_is_done(fault: Mishap, monkeypatch) -> None:
    """A kind of fault injected alone is counted, appears in the story, and causes no trouble."""
    monkeypatch.setattr(faults, "_KINDS", (fault,))
    for seed in range(12):
        game = play_game(seed)
        assert not game.trouble, (seed, game.trouble, game.story)
        if game.counts["faults"][fault.value]:
            assert any(fault.value in line for line in game.story)
            return
    raise AssertionError("never done in twelve games")


@pytest.mark.campaign
def test_seats_leave_for_good_and_the_others_go_on() -> None:
    """Games in which nobody, one or two seats leave for good all end without trouble.

    Some of these games rebuild the deck, and some deal the round again.
    """
    played = [play_game(seed, leave=True) for seed in LEAVERS]
    for game in played:
        assert not game.trouble, (game.seed, game.trouble, game.story)
    lefts = [sum(game.counts["left"].values()) for game in played]
    assert set(lefts) == {0, 1, 2}
    assert any("leaves for good" in line for game in played for line in game.story)
    assert {"deck rebuilt", "dealt again"} <= {
        how for game in played for how in game.counts["given_up"]
    }


@pytest.mark.campaign
def test_people_come_late_look_on_and_come_back() -> None:
    """Games with guests end without trouble, and every kind of guest occurs in them."""
    played = [play_game(seed, company=True) for seed in GUESTS]
    for game in played:
        assert not game.trouble, (game.seed, game.trouble, game.story)
    met = {kind for game in played for kind, count in game.counts["company"].items() if count}
    assert met == set(KINDS)
    assert max(game.counts["company"][SEATED] for game in played) >= 5


@pytest.mark.campaign
def test_equal_seeds_are_equal_games_in_any_process() -> None:
    """The hash order of sets and dicts does not change a game."""
    first = [boneyard_anew("simulate", "--seeds", "2", "--toy", PYTHONHASHSEED=n) for n in "12"]
    assert first[0].returncode == 0
    assert "digest" in first[0].stdout
    assert first[0].stdout == first[1].stdout


def test_another_seed_is_another_game() -> None:
    """Digests differ between seeds, and agree for the same seed."""
    assert len({game.digest for game in first_games()}) == 4
    assert next(games(1, real=False)).digest == first_games()[1].digest
