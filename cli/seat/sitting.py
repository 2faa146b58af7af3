"""How a person sits at a table."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sitting:
    """How this person sits at the table.

    With `auto` something else plays the seat; `stays` keeps going when the input ends; a table
    that `starts_itself` needs no `start`; `ending` says after the game where the record is and
    how to check it. `code` gives the join code as it is now, if this is a host who asks for one.
    Who `looks_first` reads what is played before sitting down; who `watches` takes no seat.
    """

    addresses: tuple[str, ...] = ()
    auto: bool = False
    stays: bool = False
    starts_itself: bool = False
    ending: Callable[[], tuple[str, ...]] = tuple
    code: Callable[[], str] = str
    looks_first: bool = False
    watches: bool = False
