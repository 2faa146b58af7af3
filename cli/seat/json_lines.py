"""JSON out, for programs: one object a line, with `type`, `seq`, and what belongs to it."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, assert_never

from cli.drawn.cells import Canvas
from cli.drawn.palette import ASCII_GLYPHS, Line, plain_text
from cli.said.duties import duty_sentences
from cli.said.moves import move_text
from cli.scene import LobbyScene, Scene, choices, tile_text
from cli.seat.frontend import Happened, Occasion, ScoresShown, TurnBegins
from cli.seat.plain import COLUMNS, LineReader
from engine.scoring import totals


class JsonFront:
    """One JSON object a line on standard output; input as in plain mode."""

    asks_back = False

    def __init__(self, descriptor: int = 0) -> None:
        self._reader = LineReader(descriptor)
        self._count = 0

    def _emit(self, kind: str, facts: dict[str, Any]) -> None:
        self._count += 1
        line = {"type": kind, "seq": self._count, **facts}
        print(json.dumps(line, default=lambda each: each.value), flush=True)

    def canvas(self) -> Canvas:
        """Return a page of fixed width in ASCII."""
        return Canvas(COLUMNS, 24, ASCII_GLYPHS)

    def say(self, sentence: str) -> None:
        """Emit `{"type": "say", "text": …}`."""
        self._emit("say", {"text": sentence})

    def show(self, lines: Sequence[Line]) -> None:
        """Emit `{"type": "show", "lines": […]}`."""
        self._emit("show", {"lines": [plain_text(line).rstrip() for line in lines]})

    def tell(self, occasion: Occasion) -> None:
        """Emit what `facts_of` says."""
        self._emit(*facts_of(occasion))

    def scene_is(self, scene: Scene | None, status: str) -> None:
        """Ignore it: there is no status line here."""

    async def next_line(self) -> str | None:
        """Return the next line of standard input."""
        return await self._reader.next_line()


def facts_of(occasion: Occasion) -> tuple[str, dict[str, Any]]:
    """Return the type of an occasion's object, and what else is in it.

    A notice goes by its name in lower case, its events are objects with a `type`. A host's own
    program learns the join code in `lobby`, as a person does on the screen.
    """
    match occasion:
        case Happened():
            return kind_of(type(occasion.notice).__name__), _notice_facts(occasion)
        case TurnBegins(scene):
            tiles = scene.hand.tiles if scene.hand is not None else ()
            return "turn", {
                "plays": [move_text(scene, move) for move in choices(scene)],
                "hand": [tile_text(tile) for _, tile in tiles],
                "duties": duty_sentences(scene),
            }
        case ScoresShown(scene):
            past, sums = scene.table.past, totals(scene.table)
            return "scores", {"names": scene.names, "rounds": past, "totals": sums}
        case LobbyScene(view):
            return "lobby", {
                "seats": [info.name for info in view.seats],
                "offered": view.seats_offered,
                "host": view.is_host,
                "addresses": occasion.addresses,
                **({"code": occasion.code} if occasion.code else {}),
            }
        case _:
            assert_never(occasion)


def kind_of(name: str) -> str:
    """`YourTurn` -> `your-turn`."""
    return re.sub(r"(?<=.)([A-Z])", r"-\1", name).lower()


def _notice_facts(happened: Happened) -> dict[str, Any]:
    """Return the fields of a notice; enumerations in them are printed as their stable text."""
    facts = asdict(happened.notice) | {"text": happened.sentence}
    events = getattr(happened.notice, "events", ())
    if events:
        facts["events"] = [{"type": type(each).__name__, **asdict(each)} for each in events]
    return facts
