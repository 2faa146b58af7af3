"""What a planted bug is: attributes of classes, and what stands in their place for a while."""

from collections.abc import Callable
from typing import Any

Swap = tuple[type, str, Any]
"""A class, the name of one of its attributes, and the wrong one."""
Bug = Callable[[], list[Swap]]


def into(bugs: dict[str, Bug]) -> Callable[[str], Callable[[Bug], Bug]]:
    """A decorator that enters a bug under its name."""

    def bug(name: str) -> Callable[[Bug], Bug]:
        def entered(make: Bug) -> Bug:
            bugs[name] = make
            return make

        return entered

    return bug
