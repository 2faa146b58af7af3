"""A teacher who may want one particular play in a turn."""

from typing import Protocol

from cli.scene import Scene
from engine.table.moves import LayTile, Move


class Teacher(Protocol):
    """A teacher who may want one particular play in a turn, and withhold other moves."""

    def wanted(self, scene: Scene) -> LayTile | None:
        """Return the play that the player should make in this turn; None if any will do."""

    def withheld(self, scene: Scene, move: Move) -> str:
        """Return a sentence on why to withhold a legal move in this turn; empty to allow it."""


class NoTeacher:
    """Stands in for a teacher where there is none: it wants no play and withholds no move."""

    def wanted(self, _scene: Scene) -> None:
        """Return None: no particular play is wanted."""
        return

    def withheld(self, _scene: Scene, _move: Move) -> str:
        """Return "": nothing is withheld."""
        return ""


NO_TEACHER = NoTeacher()
