"""Drawings above the prompt, in place: a menu to choose from, or a picture with keys."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from cli.render.cells import Canvas
from cli.render.menu import Menu, menu_lines
from cli.render.palette import Line

KEYS: Final = (
    "left",
    "right",
    "up",
    "down",
    "pageup",
    "pagedown",
    "home",
    "end",
    " ",
    "+",
    "-",
    "h",
    "q",
    "?",
)
"""The keys that may have a meaning while nothing is typed."""


@dataclass(slots=True)
class Overlay:
    """A menu or a picture above the prompt; a menu hides a picture."""

    changed: Callable[[], None]
    """Called after each `offer` and `draw`."""
    menu: Menu | None = None
    picture: Callable[[Canvas], tuple[Line, ...]] | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    """The line that each key types at an empty prompt."""
    begins: str = ""
    """The letters that may begin a line while there are `keys`; all others are ignored."""
    _at: int = 0

    @property
    def stands(self) -> bool:
        """True if there is a menu or a picture."""
        return self.menu is not None or self.picture is not None

    def offer(self, menu: Menu | None) -> None:
        """Draw this menu, or remove it for None.

        Keep the chosen row if the new menu has it, or else choose `menu.first` or the first row.
        """
        numbers = [number for number, _ in menu.rows] if menu else []
        wanted = (self.chosen(), menu.first if menu else 0)
        self._at = next((numbers.index(each) for each in wanted if each in numbers), 0)
        self.menu = menu
        self.changed()

    def draw(
        self,
        picture: Callable[[Canvas], tuple[Line, ...]] | None,
        keys: Mapping[str, str],
        begins: str = "",
    ) -> None:
        """Draw this picture with its `keys` in place of the last one; None removes the picture."""
        self.picture, self.keys, self.begins = picture, keys, begins
        self.changed()

    def chosen(self) -> int | None:
        """Return the number of the row that Enter would choose; None without a menu or rows."""
        return self.menu.rows[self._at][0] if self.menu and self.menu.rows else None

    @property
    def is_value(self) -> bool:
        """True if the chosen row is one of the menu's `values`, which Left and Right change."""
        return self.menu is not None and self.chosen() in self.menu.values

    def step(self, by: int) -> None:
        """Move the choice `by` rows down, or up if negative, and wrap; do nothing without rows."""
        if self.menu and self.menu.rows:
            self._at = (self._at + by) % len(self.menu.rows)

    def lines(self, canvas: Canvas) -> tuple[Line, ...]:
        """Return the menu, or the picture cut to leave three rows; empty without either."""
        if self.menu is not None:
            return menu_lines(self.menu, canvas, self.chosen())
        return self.picture(canvas)[: max(1, canvas.rows - 3)] if self.picture else ()
