"""Drawings above the prompt, in place: a menu to choose from, or a picture with keys."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from cli.render.cells import Canvas
from cli.render.menu import Menu, menu_lines
from cli.render.palette import Line

KEYS: Final = (
    *("left", "right", "up", "down", "pageup", "pagedown", "home", "end"),
    *(" ", "+", "-", "h", "q", "?"),
)
"""The keys that may mean something while nothing is typed."""


@dataclass(slots=True)
class Above:
    """The menu or the picture; `keys` says for each key at an empty prompt what line it is."""

    changed: Callable[[], None]
    menu: Menu | None = None
    picture: Callable[[Canvas], tuple[Line, ...]] | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    _at: int = 0

    @property
    def stands(self) -> bool:
        """Whether anything is drawn there."""
        return self.menu is not None or self.picture is not None

    def offer(self, menu: Menu | None) -> None:
        """Draw this menu, its chosen row the one that was, if it is still there."""
        before = self.chosen()
        numbers = [number for number, _ in menu.rows] if menu else []
        self.menu, self._at = menu, numbers.index(before) if before in numbers else 0
        self.changed()

    def draw(
        self, picture: Callable[[Canvas], tuple[Line, ...]] | None, keys: Mapping[str, str]
    ) -> None:
        """Draw this picture in place of the last one, as wide as the window is, or nothing."""
        self.picture, self.keys = picture, keys
        self.changed()

    def chosen(self) -> int | None:
        """Return the number of the row that Enter would choose."""
        return self.menu.rows[self._at][0] if self.menu and self.menu.rows else None

    @property
    def is_value(self) -> bool:
        """Whether that row is a value, which Left and Right change."""
        return self.menu is not None and self.chosen() in self.menu.values

    def step(self, by: int) -> None:
        """Move in the menu, from its last row to its first and back."""
        if self.menu and self.menu.rows:
            self._at = (self._at + by) % len(self.menu.rows)

    def lines(self, canvas: Canvas) -> tuple[Line, ...]:
        """Return what is drawn, with room left for the prompt and the status line."""
        if self.menu is not None:
            return menu_lines(self.menu, canvas, self.chosen())
        return self.picture(canvas)[: max(1, canvas.rows - 3)] if self.picture else ()
