"""Every value of the engine survives a trip to another process.

The values come from random tables and from written games; a few are made by hand. Every public
class of the engine needs a value here, so a new class without one fails the test.
"""

import copy
import pickle
import pkgutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from importlib import import_module
from inspect import isclass

import pytest

import engine
from engine.audit import AuditFinding
from engine.bots.advice import Advice, MoveReason, PlannedTrain, ReasonKind
from engine.bots.margin import Gain, Margin
from engine.bots.odds import EndOdds, Likelihood, TableOdds
from engine.bots.review import MoveReview, OwnMove, RoundReview
from engine.knowledge import Knowledge
from engine.notation.game import GameText, NotationProblem
from engine.notation.notation import parse
from engine.notation.referee import follow
from engine.play.places import OpenEnds
from engine.play.reach import Reach
from engine.refusals import Refusal, RefusalReason
from engine.table.events import TileReturned
from engine.table.moves import Pass
from engine.table.rounds import start_game
from engine.table.table import Hand
from engine.table.trains import Position, Seat, TrainId
from engine.tiles import Tile
from engine.view import SeatView
from lab.rounds import random_tables
from lab.rounds.random_tables import Simulated, simulate_table
from tests.engine.deals import spec_of
from tests.tree import ROOT

TABLES_MAX = 100
"""After this many tables, the search for a value of every class stops."""


def fields_of(kind: type) -> tuple[str, ...]:
    """Return the names of the fields of a struct or a dataclass, or () for any other class."""
    fields = getattr(kind, "__struct_fields__", None) or getattr(kind, "__dataclass_fields__", ())
    return tuple(fields)


def value_classes() -> set[type]:
    """Return all public structs and dataclasses of the engine."""
    names = [each.name for each in pkgutil.walk_packages(engine.__path__, "engine.")]
    return {
        each
        for name, module in zip(names, map(import_module, names), strict=True)
        for each in vars(module).values()
        if isclass(each) and each.__module__ == name and each.__name__[0] != "_"
        if hasattr(each, "__struct_fields__") or hasattr(each, "__dataclass_fields__")
    }


def parts_of(value: object) -> tuple[object, ...]:
    """Return the parts of a value: the items of a collection, the fields of a struct."""
    if isinstance(value, Mapping):
        return (*value, *value.values())
    if isinstance(value, tuple | list | frozenset):
        return (*value,)
    return tuple(getattr(value, name) for name in fields_of(type(value)))


class Met:
    """One value of each shape that was met.

    A shape is a class, the classes of its parts, and which of the parts are false or empty.
    """

    def __init__(self) -> None:
        self.values: dict[tuple[object, ...], object] = {}
        self._gone_into: dict[int, object] = {}
        """Visited values by identity, because a table shares most of its parts with the one before.
        """

    def add(self, value: object) -> None:
        """Keep a value if its shape is new, and do the same with its parts."""
        if id(value) in self._gone_into:
            return
        self._gone_into[id(value)] = value
        parts = parts_of(value)
        self.values.setdefault((type(value), *((type(each), bool(each)) for each in parts)), value)
        for part in parts:
            self.add(part)

    @property
    def classes(self) -> set[type]:
        """The classes of all values."""
        return {type(value) for value in self.values.values()}

    def noting(self, function: Callable[..., object]) -> Callable[..., object]:
        """Return a wrapper of the function that keeps its arguments and results."""

        @wraps(function)
        def noted(*given: object) -> object:
            answer = function(*given)
            self.add(given)
            self.add(answer)
            return answer

        return noted


def by_hand() -> tuple[object, ...]:
    """Return the values that tables and written games do not make."""
    table = start_game(spec_of(6, 2), Seat(0))
    hand = Hand(Seat(0), ((Position(4), Tile(1, 2)),))
    view = SeatView(table, Seat(0), hand)
    pip = 6
    tile = Tile(6, 6)
    sure = Likelihood(1.0, True)
    move = Pass(Seat(1))
    margin = Margin(move, 1.5, 0.5, Gain.GOES_OUT)
    reason = MoveReason(ReasonKind.COVERS, 2, tile, TrainId(0))
    choice = MoveReview(OwnMove(3, view, move), move, margin)
    end = EndOdds(TrainId(0), pip, is_owed=True, seats={Seat(1): sure}, next_tile=None)
    return (
        view, Knowledge({Position(4): 6}), OpenEnds((), ()), Reach(),
        TileReturned(Seat(1), Seat(0)),
        AuditFinding(Seat(1), Refusal(RefusalReason.SEAT_HAS_LEFT, (("seat", 1),))),
        Advice(move, (reason,), margin), PlannedTrain(pip, (tile,)), TableOdds((end,), None),
        RoundReview(1, Seat(0), (choice,), 2), NotationProblem(1, 2, "a tile"),
    )  # fmt: skip


THERE_AND_BACK = """
import pickle, sys
values = pickle.load(sys.stdin.buffer)
sys.stdout.buffer.write(pickle.dumps(values))
"""


@pytest.fixture(scope="module")
def met() -> Met:
    """Return the values met in `by_hand`, in written games, and in random tables."""
    found, wanted = Met(), value_classes()
    found.add(by_hand())
    for path in sorted((ROOT / "tests" / "scenarios").glob("*.txt")):
        game = parse(path.read_text(encoding="utf-8"))
        assert isinstance(game, GameText)
        found.add((game, *follow(game)))
    with pytest.MonkeyPatch.context() as patch:
        for name in ("apply", "apply_calls", "score_round", "why_illegal_holding"):
            patch.setattr(random_tables, name, found.noting(getattr(random_tables, name)))
        for number in range(TABLES_MAX):
            if wanted <= found.classes:
                break
            simulate_table(number, b"pickled", Simulated())
    return found


def test_every_value_comes_back_from_another_process(met):
    """A value that another process has unpickled and pickled again equals the original.

    A deep copy equals it, too.
    """
    assert value_classes() <= met.classes
    values = list(met.values.values())
    there = subprocess.run(
        [sys.executable, "-c", THERE_AND_BACK],
        input=pickle.dumps(values),
        stdout=subprocess.PIPE,
        cwd=ROOT,
        check=True,
    )
    for value, back in zip(values, pickle.loads(there.stdout), strict=True):
        assert (type(back), back) == (type(value), value)
        assert copy.deepcopy(value) == value
