"""Tables of states: what moves a part from one named state to the next.

A state is a type, with the fields that are known in it alone; the states of one machine are a
union. A table has a row for each event that changes a state, and docs/peer.md prints it (7,
8.1, 8.2).
"""

from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

from msgspec.structs import asdict

from netgame.frozen import FrozenStruct

S = TypeVar("S", bound=FrozenStruct)
E = TypeVar("E", bound=Enum)


def after(table: Mapping[tuple[type[S], E], type[S]], state: S, event: E, **facts: object) -> S:
    """The state after an event; the same state if the table has no row for the two.

    The new state takes its fields from `facts`, else from the state before; KeyError if neither
    has one of them.
    """
    kind = table.get((type(state), event))
    if kind is None:
        return state
    known = {**asdict(state), **facts}
    return kind(**{name: known[name] for name in kind.__struct_fields__})
