"""Cheats with what seats sign of who goes on."""

from typing import Final

from lab.simulation.cheats.cheat import Cheat

POLL_CHEATS: Final[tuple[Cheat, ...]] = ()
