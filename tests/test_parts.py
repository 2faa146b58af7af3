"""`--part K/N` splits the tests into N parts, so that each test runs in exactly one."""

from itertools import chain

import pytest

from tests.conftest import part, pytest_collection_modifyitems


class _Named:
    """A test item, with only what `--part` reads."""

    def __init__(self, nodeid: str) -> None:
        self.nodeid = nodeid


class _Asked:
    """A pytest configuration with `--part` set."""

    def __init__(self, wanted: str) -> None:
        self.hook, self.left_out = self, []
        self._part = part(wanted)

    def getoption(self, _: str) -> tuple[int, int]:
        """Return the part that was asked for."""
        return self._part

    def pytest_deselected(self, items: list) -> None:
        """Note the tests that are left out."""
        self.left_out = items


def test_every_test_is_in_one_part() -> None:
    """Each test is in exactly one part, each part has some, and the rest is deselected."""
    tests = [_Named(f"tests/test_it.py::test_{number}") for number in range(90)]
    parts = []
    for k in (1, 2, 3):
        items, asked = list(tests), _Asked(f"{k}/3")
        pytest_collection_modifyitems(asked, items)
        assert sorted(map(id, items + asked.left_out)) == sorted(map(id, tests))
        parts.append(items)
    assert sorted(map(id, chain(*parts))) == sorted(map(id, tests))
    assert min(map(len, parts)) > 15


@pytest.mark.parametrize("wanted", ["0/3", "4/3", "3", "a/b"])
def test_what_is_no_part_is_refused(wanted: str) -> None:
    """Any part but K/N with 1 <= K <= N is refused, because its run could contain no tests."""
    with pytest.raises(ValueError, match="is no part"):
        part(wanted)
