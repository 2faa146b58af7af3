"""Examples for the rows of a state table; each makes one row happen to a peer."""

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from types import ModuleType
from typing import Any

import pytest

Example = Callable[[], Iterator[Any]]
Row = tuple[type, Enum]


def row_name(part: object) -> str:
    """Return the name of a machine, a state or an event, for a test's id."""
    return str(getattr(part, "__name__", None) or getattr(part, "name", None) or part)


class Examples:
    """Examples by the row that they show.

    An example yields a peer in the row's first state, makes the event happen, and yields the
    peer again.
    """

    def __init__(self) -> None:
        self._examples: dict[Row, tuple[Example, type]] = {}

    def row(self, state: type, event: Enum, to: type) -> Callable[[Example], Example]:
        """Return a decorator that notes an example of the row from `state` by `event` to `to`."""

        def note(example: Example) -> Example:
            assert (state, event) not in self._examples
            self._examples[state, event] = example, to
            return example

        return note

    def show_all(self, *tables: Mapping[Row, type]) -> None:
        """Fail unless each row of these tables has an example, and each example has its row.

        The new states must be the same, too.
        """
        declared = {key: to for table in tables for key, to in table.items()}
        assert {key: to for key, (_, to) in self._examples.items()} == declared

    def play(
        self,
        row: Row,
        look: Callable[[Any], object],
        read_by: ModuleType,
        patch: pytest.MonkeyPatch,
    ) -> None:
        """Play the example of a row, and `look` at the peer before and after.

        Fail unless that shows the two states of the row. `read_by` is the module that reads the
        table: it must have read this row meanwhile.
        """
        happened, true = set(), read_by.after

        def noted(table: Any, before: Any, event: Enum, **facts: object) -> Any:
            found = true(table, before, event, **facts)
            happened.add((type(before), event, type(found)))
            return found

        example, to = self._examples[row]
        acts = example()
        assert type(look(next(acts))) is row[0]
        patch.setattr(read_by, "after", noted)
        assert type(look(next(acts))) is to
        assert (*row, to) in happened
        assert not list(acts)
