"""State tables: the events that move a part from one named state to the next.

A state is a type whose fields are known in that state only; the states of one machine form a
union. A table has a row for each event that changes a state. docs/peer.md prints the tables
(§7, §8.1, §8.2).
"""

from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

from msgspec.structs import asdict

from netgame.frozen import FrozenStruct

S = TypeVar("S", bound=FrozenStruct)
E = TypeVar("E", bound=Enum)


def after(table: Mapping[tuple[type[S], E], type[S]], state: S, event: E, **facts: object) -> S:
    """Return the state after an event, or the same state if the table has no row for the pair.

    The new state takes each field from `facts`, or else from the old state. Raises KeyError if
    neither has it.
    """
    kind = table.get((type(state), event))
    if kind is None:
        return state
    known = {**asdict(state), **facts}
    return kind(**{name: known[name] for name in kind.__struct_fields__})
