"""An example of each row of a table of states: the row happens to peers at a table."""

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from types import ModuleType
from typing import Any

import pytest

Example = Callable[[], Iterator[Any]]
Row = tuple[type, Enum]


def row_name(part: object) -> str:
    """What a test of a row is called by: a machine, a state or an event."""
    return str(getattr(part, "__name__", None) or getattr(part, "name", None) or part)


class Examples:
    """Examples by the row that they show.

    One yields those whom it is about when they are in the state before, then makes the event
    happen, and yields them again.
    """

    def __init__(self) -> None:
        self._examples: dict[Row, tuple[Example, type]] = {}

    def row(self, state: type, event: Enum, to: type) -> Callable[[Example], Example]:
        """Note an example of this row."""

        def note(example: Example) -> Example:
            assert (state, event) not in self._examples
            self._examples[state, event] = example, to
            return example

        return note

    def show_all(self, *tables: Mapping[Row, type]) -> None:
        """Fail unless there is an example of each row of these tables, and of nothing else."""
        declared = {key: to for table in tables for key, to in table.items()}
        assert {key: to for key, (_, to) in self._examples.items()} == declared

    def play(
        self,
        row: Row,
        look: Callable[[Any], object],
        read_by: ModuleType,
        patch: pytest.MonkeyPatch,
    ) -> None:
        """Play the example of a row, and `look` at the state before and after.

        `read_by` is the module that reads the table: the row must be what it has read.
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
