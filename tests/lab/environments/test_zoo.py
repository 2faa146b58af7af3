"""The environment of PettingZoo, held to that library's own tests."""

import warnings

import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test

from lab.environments.zoo import MexicanTrainZoo

GAMES = [
    {},
    {"preset": "wolf-lake", "pip_max": 9, "seats": 3},
    {"preset": "walnut", "pip_max": 9, "rounds": 2},
    {"switches": "blanks=25-50 deal=4", "pip_max": 6, "seats": 2, "rounds": 3},
]


@pytest.mark.parametrize("game", GAMES)
def test_the_librarys_own_tests_pass(game):
    """The tests of the interface and of seeds find nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it advises against observations that are dictionaries
        api_test(MexicanTrainZoo(**game), num_cycles=300)
        seed_test(lambda: MexicanTrainZoo(**game), num_cycles=40)


def test_rewards_add_up_to_the_points_lost():
    """Over a whole game what the agents were given is what the score sheet says."""
    env = MexicanTrainZoo(pip_max=6, seats=3, rounds=2)
    env.reset(seed=5)
    given = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, _, _ = env.last()
        given[agent] += reward
        env.step(None if over else int(seen["action_mask"].nonzero()[0][0]))
    assert [given[agent] for agent in env.possible_agents] == [-p for p in env.game.scores]


def test_a_game_that_cannot_be_is_refused_in_words():
    """The words of the parameters come from people."""
    with pytest.raises(ValueError, match="4, 6 or 8"):
        MexicanTrainZoo(switches="partners=yes", seats=3)
    env = MexicanTrainZoo(pip_max=6, seats=2)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="action mask"):
        env.step(0)
