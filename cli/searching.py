"""The search for the engine, told briefly: one sentence a question instead of one an answer.

Every seat answers each question, and most answers are no; a person wants to hear what came of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.scene import tile_text
from engine.moves import HubLaid, NothingHeld, TileDrawn
from engine.switches import Engine, EngineMissing
from netgame.protocol import notices

if TYPE_CHECKING:
    from cli.scene import Scene
    from engine.tiles import Tile
    from engine.trains import Seat

__all__ = ["Search"]


class Search:
    """What has been answered to the question that is being asked now."""

    def __init__(self) -> None:
        self._going_on = False
        self._asked: Tile | None = None
        self._answered: set[Seat] = set()

    def told(self, scene: Scene | None, notice: notices.Notice, sentence: str) -> str:
        """Return what to say of a notice: its sentence, or the outcome of a question, or nothing.

        To be called for every notice in its order.
        """
        if isinstance(notice, notices.Dealt):
            self._going_on = scene is not None and scene.table.hub is None
            self._answered.clear()
        if self._going_on and isinstance(notice, notices.Played) and scene is not None:
            sentence = self._in_search(scene, notice, sentence)
        seek = scene.table.aside.seek if scene is not None else None
        if not self._answered and seek is not None and seek.asked:
            self._asked = seek.asked[0]
        return sentence

    def _in_search(self, scene: Scene, notice: notices.Played, sentence: str) -> str:
        if any(isinstance(event, HubLaid) for event in notice.events):
            self._going_on = False
            return sentence
        if all(isinstance(event, NothingHeld) for event in notice.events):
            return self._denied(scene, notice)
        if all(isinstance(event, TileDrawn) for event in notice.events):
            self._answered.clear()
            at_once = scene.table.rules.engine_missing is EngineMissing.ALL_DRAW
            return "" if at_once else sentence
        return sentence

    def _denied(self, scene: Scene, notice: notices.Played) -> str:
        self._answered.add(notice.seat)
        if len(self._answered) < scene.table.spec.seats:
            return ""
        self._answered.clear()
        rules = scene.table.rules
        asked = "that double" if self._asked is None else tile_text(self._asked)
        if rules.engine is Engine.DECLARED:
            return f"Nobody declares {asked}."
        draws = rules.engine is Engine.HOLDER and rules.engine_missing is EngineMissing.ALL_DRAW
        return f"Nobody has {asked}{': everybody draws' if draws else ''}."
