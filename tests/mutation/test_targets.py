"""The list of mutated modules names what is there: a test that was moved must not drop out."""

import pytest

from tests.mutation.targets import TESTS, source_of
from tests.tree import ROOT


@pytest.mark.parametrize("module", TESTS)
def test_a_target_and_its_tests_are_there(module: str) -> None:
    """Without its tests no mutant of a module would be noticed, and nobody would know why."""
    assert source_of(module).is_file()
    assert [path for path in TESTS[module] if not (ROOT / path).is_file()] == []
