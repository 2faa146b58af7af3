"""The lists of mutated modules, explained survivors and hand-written wrongs fit the code."""

import ast
import tomllib

import pytest

from tests.mutation.__main__ import EXPLAINED
from tests.mutation.by_hand import written_by_hand
from tests.mutation.mutants import mutants_of
from tests.mutation.targets import TESTS, source_of
from tests.tree import ROOT


@pytest.mark.parametrize("module", TESTS)
def test_a_target_and_its_tests_are_there(module):
    """Every mutated module and each of its tests exists."""
    assert source_of(module).is_file()
    assert [path for path in TESTS[module] if not (ROOT / path).is_file()] == []


def test_every_survivor_that_is_explained_is_still_a_mutant():
    """Every explained survivor is among the mutants of the code."""
    planted = {
        mutant.name for name in TESTS for mutant in mutants_of(name, source_of(name).read_text())
    }
    assert tomllib.loads(EXPLAINED.read_text(encoding="utf-8")).keys() <= planted


BY_HAND = written_by_hand()


def test_every_wrong_by_hand_still_fits_and_has_its_test():
    """Each hand-written wrong still fits the code, and its test exists."""
    assert len(BY_HAND) >= 100
    names = {}
    for each in BY_HAND:
        ast.parse(each.changed())
        path, _, name = each.test.partition("::")
        if path not in names:
            tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
            kinds = ast.FunctionDef | ast.AsyncFunctionDef
            names[path] = {node.name for node in ast.walk(tree) if isinstance(node, kinds)}
        assert name in names[path], each.name
