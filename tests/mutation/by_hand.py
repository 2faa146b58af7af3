"""Hand-written wrongs, each with a name: they break checks that an attacker would want to break.

Each file of `wrongs` has a table for each wrong. It names the module, the right text, which occurs
there once, the wrong text that replaces it, and the test that then fails. `python -m
tests.mutation --by-hand` plants them one by one.
"""

import ast
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.mutation.targets import source_of

WRONGS: Final = Path(__file__).with_name("wrongs")


@dataclass(frozen=True, slots=True)
class HandWritten:
    """One wrong: `right` becomes `wrong`, and `test` fails."""

    name: str
    module: str
    right: str
    wrong: str
    test: str

    @property
    def apply(self) -> Callable[[], ast.Module]:
        """A function that returns the module's tree with the wrong in it.

        It raises ValueError if the wrong does not fit.
        """
        return lambda: ast.parse(self.changed())

    def changed(self) -> str:
        """Return the module's source with the wrong in it; raise ValueError if it does not fit."""
        source = source_of(self.module).read_text(encoding="utf-8")
        places = source.count(self.right)
        if places != 1:
            raise ValueError(f"{self.name}: the right text occurs {places} times")
        return source.replace(self.right, self.wrong)


def written_by_hand() -> list[HandWritten]:
    """Return all hand-written wrongs, in the order of the files and of their lines."""
    return [
        HandWritten(name, **fields)
        for path in sorted(WRONGS.glob("*.toml"))
        for name, fields in tomllib.loads(path.read_text(encoding="utf-8")).items()
    ]
