"""How a terminal calls somebody back to the table."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from cli.seat.frontend import Happened, Occasion, TurnBegins
from cli.settings.chosen import chosen
from cli.settings.declared import BELL, Bell
from engine.table.table import Table
from netgame.protocol import notices

_LOUD: Final = notices.GameStarted | notices.RoundOver | notices.GameOver | notices.ChatHeard
"""What a bell that rings for all rings for, beside a turn."""


@dataclass(slots=True)
class Attention:
    """Rings the bell as it is set: for a turn once, however often that is shown."""

    emit: Callable[[str], None]
    _bell: Bell = field(default_factory=lambda: chosen(BELL))
    _rung: Table | None = None

    def take(self, occasion: Occasion) -> None:
        """Call, if this is worth it."""
        match occasion:
            case TurnBegins(scene=scene) if self._rung != scene.table:
                self._rung = scene.table
                self._ring(Bell.TURN, Bell.ALL)
            case Happened(notice=notice) if isinstance(notice, _LOUD):
                self._ring(Bell.ALL)
            case _:
                pass

    def _ring(self, *settings: Bell) -> None:
        """Ring where one of these is set."""
        if self._bell in settings:
            self.emit("\a")
