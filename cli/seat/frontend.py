"""What the loop needs of a screen, so that it never knows which one it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from cli.drawn.cells import Canvas
from cli.drawn.hand import HandOrder
from cli.drawn.palette import Line
from cli.scene import LobbyScene, Scene
from netgame.protocol.notices import Notice


class FrontEnd(Protocol):
    """A screen and a keyboard, whatever they are made of. All methods run in the loop's thread."""

    asks_back: bool
    """Whether somebody is there to answer a question, such as after `quit`."""

    def canvas(self) -> Canvas:
        """Return what is drawn on, as it is now."""

    def say(self, sentence: str) -> None:
        """Tell one sentence."""

    def show(self, lines: Sequence[Line]) -> None:
        """Show a block of lines that somebody has asked for."""

    def happened(self, scene: Scene | None, notice: Notice, sentence: str) -> None:
        """Tell what happened at the table, as `sentence` says it; it may be empty."""

    def your_turn(self, scene: Scene, order: HandOrder) -> None:
        """Show what is needed to move now."""

    def lobby(self, scene: LobbyScene) -> None:
        """Show a table that waits for people."""

    def scores(self, scene: Scene) -> None:
        """Show the score sheet."""

    def scene_is(self, scene: Scene | None, status: str) -> None:
        """Learn what completion and the status line are about from now on."""

    async def next_line(self) -> str | None:
        """Return the next typed line; None when there will be no more."""
