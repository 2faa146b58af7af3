"""Somebody who stands behind a player and says which play a turn is for."""

from typing import Protocol

from cli.scene import Scene
from engine.table.moves import LayTile, Move


class Teacher(Protocol):
    """Wants one play in a turn, and has others wait for it."""

    def wanted(self, scene: Scene) -> LayTile | None:
        """Return the play that this turn is for; None leaves the turn to the player."""

    def withheld(self, scene: Scene, move: Move) -> str:
        """Say why a legal move is not made in this turn; empty if it is made."""


class NoTeacher:
    """Leaves every turn to the player, as where nobody teaches."""

    def wanted(self, _scene: Scene) -> None:
        """Return None."""
        return

    def withheld(self, _scene: Scene, _move: Move) -> str:
        """Return no reason."""
        return ""


NO_TEACHER = NoTeacher()
