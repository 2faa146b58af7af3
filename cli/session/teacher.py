"""A teacher who says which play a turn is for."""

from typing import Protocol

from cli.scene import Scene
from engine.table.moves import LayTile, Move


class Teacher(Protocol):
    """A teacher who wants one play in a turn, and withholds others."""

    def wanted(self, scene: Scene) -> LayTile | None:
        """Return the play that this turn is for; None leaves the turn to the player."""

    def withheld(self, scene: Scene, move: Move) -> str:
        """Return a sentence on why to withhold a legal move in this turn; empty to allow it."""


class NoTeacher:
    """The absence of a teacher: every turn is the player's own."""

    def wanted(self, _scene: Scene) -> None:
        """Return None."""
        return

    def withheld(self, _scene: Scene, _move: Move) -> str:
        """Return "": nothing is withheld."""
        return ""


NO_TEACHER = NoTeacher()
