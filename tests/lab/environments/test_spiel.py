"""The game of OpenSpiel, held to that library's own test."""

import pytest

pyspiel = pytest.importorskip("pyspiel")

import lab.environments.spiel  # noqa: E402, F401

GAMES = [
    "python_mexican_train",
    "python_mexican_train(preset=wolf-lake,players=3,pip_max=9)",
    "python_mexican_train(preset=walnut,pip_max=9,rounds=2)",
    "python_mexican_train(preset=roundhouse,players=5,pip_max=9)",
]


@pytest.mark.parametrize("game", GAMES)
def test_the_librarys_random_simulations_pass(game):
    """Random games keep what the library demands, serialised and cloned on the way."""
    pyspiel.random_sim_test(pyspiel.load_game(game), num_sims=2, serialize=True, verbose=False)


def test_a_clone_goes_its_own_way():
    """An action on a clone is none on the state."""
    state = pyspiel.load_game("python_mexican_train").new_initial_state()
    twin = state.clone()
    twin.apply_action(twin.chance_outcomes()[0][0])
    assert str(twin) != str(state)
    assert len(state.chance_outcomes()) == len(twin.chance_outcomes()) + 1
