"""Lines in, sentences or JSON out: for screen readers, pipes, files, and programs.

Speaks changes, not boards; nothing is ever drawn over. Input may be a terminal, a pipe or a file.
"""

from __future__ import annotations

import codecs
import json
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from typing import Final

import trio

from cli.drawn.cells import Canvas
from cli.drawn.hand import HandOrder
from cli.drawn.palette import ASCII_GLYPHS, Line, choose_glyphs, plain_text
from cli.drawn.sheets import lobby_lines, score_lines
from cli.said.duties import duty_sentences
from cli.said.moves import move_text
from cli.scene import LobbyScene, Scene, choices, place_text, tile_text
from cli.visible import print_line, typed
from engine.scoring import totals
from engine.table.moves import LayTile, Move
from netgame.protocol.notices import Notice

_COLUMNS: Final = 100
_READ_BYTES: Final = 65_536
_LINE_CHARS_MAX: Final = 4_096


class LineReader:
    """Lines from a file descriptor of any kind, read in a thread that may be abandoned.

    Reads the descriptor itself: a thread left behind in `sys.stdin` would keep its lock, and the
    interpreter could not end.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._pending = ""
        self._ended = False

    async def next_line(self) -> str | None:
        """Return the next line, `typed`, without its end; None at the end of the input."""
        while "\n" not in self._pending and not self._ended:
            octets = await trio.to_thread.run_sync(self._read, abandon_on_cancel=True)
            self._ended = not octets
            self._pending += self._decoder.decode(octets, final=self._ended)
        if not self._pending:
            return None
        line, _, self._pending = self._pending.partition("\n")
        return typed(line.rstrip("\r")[:_LINE_CHARS_MAX])

    def _read(self) -> bytes:
        try:
            return os.read(self._descriptor, _READ_BYTES)
        except OSError:
            # a closed or unreadable descriptor is the end of the input
            return b""


def _choice_text(scene: Scene, move: Move) -> str:
    if not isinstance(move, LayTile):
        return move_text(scene, move)
    return f"{tile_text(move.tile, move.joined)} on {place_text(scene, move)}"


class PlainFront:
    """One sentence a line on standard output, numbered choices, no cursor movement."""

    def __init__(self, descriptor: int = 0) -> None:
        self.asks_back = _is_terminal(descriptor)
        self._reader = LineReader(descriptor)

    def canvas(self) -> Canvas:
        """Return a page of fixed width, so that output does not depend on a window."""
        return Canvas(_COLUMNS, 24, choose_glyphs(sys.stdout.encoding, os.environ))

    def say(self, sentence: str) -> None:
        """Print one sentence."""
        print_line(sentence)

    def show(self, lines: Sequence[Line]) -> None:
        """Print lines without colour."""
        for line in lines:
            print_line(plain_text(line).rstrip())

    def happened(self, _scene: Scene | None, _notice: Notice, sentence: str) -> None:
        """Print what happened."""
        if sentence:
            self.say(sentence)

    def your_turn(self, scene: Scene, _order: HandOrder) -> None:
        """Say that it is this seat's turn, what is owed, and the numbered choices."""
        parts = ["Your turn.", *duty_sentences(scene)]
        listed = [
            f"{number}, {_choice_text(scene, move)}"
            for number, move in enumerate(choices(scene), 1)
        ]
        if listed:
            parts.append(f"You can play: {'; '.join(listed)}.")
            parts.append("Type a number, or help.")
        self.say(" ".join(parts))

    def lobby(self, scene: LobbyScene) -> None:
        """Print who sits and what can be done."""
        self.show(lobby_lines(scene, self.canvas()))

    def scores(self, scene: Scene) -> None:
        """Print the score sheet."""
        self.show(score_lines(scene, self.canvas()))

    def scene_is(self, scene: Scene | None, status: str) -> None:
        """Ignore it: there is no status line here."""

    async def next_line(self) -> str | None:
        """Return the next line of standard input."""
        return await self._reader.next_line()


class JsonFront(PlainFront):
    """One JSON object a line: `type`, `seq`, and what belongs to it; input as in plain mode."""

    def __init__(self, descriptor: int = 0) -> None:
        super().__init__(descriptor)
        self.asks_back = False
        self._count = 0

    def _emit(self, kind: str, **facts: object) -> None:
        self._count += 1
        print(json.dumps({"type": kind, "seq": self._count, **facts}), flush=True)

    def canvas(self) -> Canvas:
        """Return a page of fixed width in ASCII."""
        return Canvas(_COLUMNS, 24, ASCII_GLYPHS)

    def say(self, sentence: str) -> None:
        """Emit `{"type": "say", "text": …}`."""
        self._emit("say", text=sentence)

    def show(self, lines: Sequence[Line]) -> None:
        """Emit `{"type": "show", "lines": […]}`."""
        self._emit("show", lines=[plain_text(line).rstrip() for line in lines])

    def happened(self, _scene: Scene | None, notice: Notice, sentence: str) -> None:
        """Emit the notice under its name in lower case, its events as objects with a `type`."""
        facts = {
            name: value for name, value in asdict(notice).items() if name not in ("events", "text")
        }
        events = getattr(notice, "events", None)
        if events is not None:
            facts["events"] = [
                {"type": type(event).__name__, **_jsonable(asdict(event))} for event in events
            ]
        self._emit(kind_of(type(notice).__name__), **facts, text=sentence)

    def your_turn(self, scene: Scene, _order: HandOrder) -> None:
        """Emit `{"type": "turn", "plays": ["9-4 Ann", …], "hand": […], "duties": […]}`."""
        plays = [move_text(scene, move) for move in choices(scene)]
        tiles = scene.hand.tiles if scene.hand is not None else ()
        hand = [tile_text(tile) for _, tile in tiles]
        self._emit("turn", plays=plays, hand=hand, duties=list(duty_sentences(scene)))

    def lobby(self, scene: LobbyScene) -> None:
        """Emit `{"type": "lobby", "seats": […], "offered": n, "host": bool, …}`.

        A host's own program learns the join code here, as a person does on the screen.
        """
        view = scene.view
        self._emit(
            "lobby",
            seats=[info.name for info in view.seats],
            offered=view.seats_offered,
            host=view.is_host,
            addresses=list(scene.addresses),
            **({"code": scene.code} if scene.code else {}),
        )

    def scores(self, scene: Scene) -> None:
        """Emit `{"type": "scores", "names": […], "rounds": [[…]], "totals": […]}`."""
        table = scene.table
        self._emit("scores", names=list(scene.names), rounds=table.past, totals=list(totals(table)))


def kind_of(name: str) -> str:
    """`YourTurn` -> `your-turn`."""
    return "".join(f"-{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


def _jsonable(facts: dict[str, object]) -> dict[str, object]:
    """Replace enumerations by their stable text."""
    return {key: getattr(value, "value", value) for key, value in facts.items()}


def _is_terminal(descriptor: int) -> bool:
    try:
        return os.isatty(descriptor)
    except OSError:
        return False


def run_plain(main: Callable[[PlainFront], Awaitable[int]], *, as_json: bool) -> int:
    """Run the loop under plain trio, with sentences or JSON."""
    front = JsonFront() if as_json else PlainFront()
    return trio.run(main, front)
