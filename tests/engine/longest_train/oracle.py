r"""An oracle for longest trains: OR-tools' constraint solver, which knows none of our search.

    uv run --with-requirements tests/engine/longest_train/requirements.txt \
        python -m tests.engine.longest_train.oracle --hands 2000

A train is tiles that hang together, with two odd pips at most. That this is so, small hands show:
theirs are found by trying every train as well.
"""

import argparse
import random
from collections import Counter
from collections.abc import Sequence

from ortools.sat.python import cp_model

from engine.longest_train import Aim, TrainSearch
from engine.tiles import PIP_MAX, SET_SIZES, Tile, full_set
from tests.engine.longest_train.hands import any_hand, assert_is_train, longest_of_all, value

SMALL_MAX = 13
TILES_MAX = 60


def longest_by_parity(hand: Sequence[Tile], start: int, aim: Aim, *, covered: bool) -> int:
    """Return the value of the best train: connected tiles with at most two odd pips.

    With `covered`, the train may not end on a double.
    """
    model = cp_model.CpModel()
    pips = range(PIP_MAX + 1)
    shown = [model.new_bool_var(f"{pip} shows") for pip in pips]
    last = [model.new_bool_var(f"{pip} is last") for pip in pips]
    depth = [model.new_int_var(0, PIP_MAX, f"depth of {pip}") for pip in pips]
    played = {tile: model.new_bool_var(str(tile)) for tile in hand}
    led_to: list[list[cp_model.IntVar]] = [[] for _ in pips]
    model.add(shown[start] == 1)
    model.add_exactly_one(last)
    for tile, is_played in played.items():
        for pip in set(tile):
            model.add_implication(is_played, shown[pip])
            if not tile.is_double and pip != start:
                leads = model.new_bool_var(f"{tile} leads to {pip}")
                led_to[pip].append(leads)
                model.add_implication(leads, is_played)
                model.add(depth[pip] > depth[tile.other_end(pip)]).only_enforce_if(leads)
    for pip in pips:
        around = sum(on for tile, on in played.items() if tile.has(pip) and not tile.is_double)
        model.add(around + (pip == start) + last[pip] == 2 * model.new_int_var(0, PIP_MAX, ""))
        model.add_implication(last[pip], shown[pip])
        if pip != start:
            model.add(sum(led_to[pip]) == shown[pip])
        double = Tile(pip, pip)
        if covered and double in played:
            model.add(around >= 2 * (played[double] + last[pip] - 1))
    model.maximize(sum(value([tile], aim) * on for tile, on in played.items()))
    return _solved(model)


def _solved(model: cp_model.CpModel) -> int:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(model) == cp_model.OPTIMAL
    return round(solver.objective_value)


def compare(dice: random.Random) -> tuple[int, int]:
    """Compare search and oracle on one random hand; return its highest pip and its size.

    A small hand is searched exhaustively too. Raise AssertionError if the results differ.
    """
    if dice.randrange(3):
        tiles = full_set(dice.choice(SET_SIZES))
        hand = dice.sample(tiles, dice.randint(1, min(TILES_MAX, len(tiles))))
    else:
        hand = any_hand(dice, TILES_MAX)
    start = dice.choice(dice.choice(hand))
    aim = dice.choice(list(Aim))
    covered = dice.random() < 0.3
    search = TrainSearch(hand, start, aim, covered=covered)
    while not search.is_proven:
        search.step()
    train = search.best()[1]
    assert_is_train(train, hand, start)
    assert not (covered and train and train[-1].is_double)
    best = longest_by_parity(hand, start, aim, covered=covered)
    assert value(train, aim) == best, (hand, start, aim, covered, train, best)
    if len(hand) <= SMALL_MAX:
        assert best == longest_of_all(hand, start, aim, covered=covered), (hand, start, aim)
    return max(tile.high for tile in hand), len(hand)


def main() -> None:
    """Compare as many hands as asked for; stop with an AssertionError at the first difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    found = Counter[str]()
    for number in range(options.hands):
        pip_max, tiles = compare(random.Random(f"{options.seed} {number}"))
        found["small" if tiles <= SMALL_MAX else "large"] += 1
        found[f"up to double-{min(size for size in SET_SIZES if size >= pip_max)}"] += 1
        if number % 200 == 199:
            print(f"{number + 1} hands alike", flush=True)
    print(f"{options.hands} hands, all alike:", dict(sorted(found.items())))


if __name__ == "__main__":
    main()
