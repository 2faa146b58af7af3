"""Makes `docs/screen.svg` from a real game: plays in a pseudo-terminal and draws what stands there.

Run from the project's root with the development dependencies: `python docs/make_screen.py`.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pexpect
import pyte

if TYPE_CHECKING:
    from pyte.screens import Char

COLUMNS: Final = 80
ROWS: Final = 27
CELL_WIDTH: Final = 8.43
CELL_HEIGHT: Final = 19
MARGIN: Final = 14
BACKGROUND: Final = "#16181d"
FOREGROUND: Final = "#d7dae0"
NAMED: Final = {"default": FOREGROUND, "black": "#000000", "white": "#ffffff"}

TURNS_MAX: Final = 14
GAMES_MAX: Final = 6
PATIENCE_S: Final = 20.0


class Screen:
    """The program at a terminal of its own."""

    def __init__(self, folder: str) -> None:
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self.screen)
        kept = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
        self._process = pexpect.spawn(
            sys.executable,
            ["-m", "cli", "play", "--name", "Ann", "--bots", "4"],
            env={
                **kept,
                "TERM": "xterm-256color",
                "PROMPT_TOOLKIT_COLOR_DEPTH": "DEPTH_24_BIT",
                "LANG": "C.UTF-8",
                "BONEYARD_DATA": folder,
            },
            dimensions=(ROWS, COLUMNS),
        )
        self._process.delaybeforesend = None

    def read_for(self, seconds: float) -> str:
        """Take what comes for so long; return the text of the screen."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                octets = self._process.read_nonblocking(65_536, timeout=0.05)
            except pexpect.TIMEOUT:
                continue
            self._stream.feed(octets)
            if b"\x1b[6n" in octets:
                # prompt-toolkit asks where the cursor is
                at = self.screen.cursor
                self._process.send(f"\x1b[{at.y + 1};{at.x + 1}R")
        return "\n".join(self.screen.display)

    def wait_for_turn(self) -> str:
        """Read until there is something to choose."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            text = self.read_for(0.4)
            if "YOUR TURN" in text and " 1: " in text and re.search(r"boneyard> *$", text, re.M):
                return text
        raise SystemExit("the game did not come to a turn with a choice; run it again")

    def type(self, text: str) -> None:
        """Press these keys."""
        self._process.send(text)

    def close(self) -> None:
        """End the game."""
        self._process.close(force=True)


def play_on(screen: Screen) -> bool:
    """Play until there is much to see in the first round, then ask for completion."""
    for turn in range(TURNS_MAX):
        text = screen.wait_for_turn()
        if "Round 1/" not in text:
            return False
        several = " 3: " in text
        opened = text.count("\u25cf") > 1
        if several and opened and turn > 4:
            screen.type("play ")
            screen.read_for(0.5)
            screen.type("\t")
            screen.read_for(1.0)
            return True
        screen.type("1\r")
        screen.read_for(1.0)
    return False


def colours(char: Char) -> tuple[str, str]:
    """Return text and background colour of a cell."""
    front = NAMED.get(
        char.fg, f"#{char.fg}" if re.fullmatch("[0-9a-f]{6}", char.fg) else FOREGROUND
    )
    back = BACKGROUND
    if char.bg != "default":
        back = NAMED.get(char.bg, f"#{char.bg}" if re.fullmatch("[0-9a-f]{6}", char.bg) else back)
    return (back, front) if char.reverse else (front, back)


def draw(screen: pyte.Screen) -> str:
    """Draw the cells as SVG, runs of equal style as one text."""
    width = COLUMNS * CELL_WIDTH + 2 * MARGIN
    height = ROWS * CELL_HEIGHT + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
        f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">',
        "<title>Boneyard in a terminal: the board, a hand, and the legal plays</title>",
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
    ]
    for row in range(ROWS):
        parts += row_parts(screen, row)
    return "\n".join([*parts, "</svg>", ""])


def row_parts(screen: pyte.Screen, row: int) -> list[str]:
    """Draw one row: backgrounds first, then the text over them."""
    cells = [screen.buffer[row][column] for column in range(COLUMNS)]
    boxes, texts = [], []
    start = 0
    while start < COLUMNS:
        end = start
        style = (*colours(cells[start]), cells[start].bold, cells[start].underscore)
        while end < COLUMNS and style == (
            *colours(cells[end]),
            cells[end].bold,
            cells[end].underscore,
        ):
            end += 1
        text = "".join(cell.data for cell in cells[start:end])
        front, back, bold, underlined = style
        x, y = MARGIN + start * CELL_WIDTH, MARGIN + row * CELL_HEIGHT
        run = (end - start) * CELL_WIDTH
        if back != BACKGROUND:
            boxes.append(
                f'<rect x="{x:.2f}" y="{y}" width="{run:.2f}" height="{CELL_HEIGHT}" '
                f'fill="{back}"/>'
            )
        if text.strip():
            weight = ' font-weight="bold"' if bold else ""
            line = ' text-decoration="underline"' if underlined else ""
            # spaces at the edges are left out: viewers disagree on whether they count
            kept = text.strip()
            x += (len(text) - len(text.lstrip())) * CELL_WIDTH
            texts.append(
                f'<text x="{x:.2f}" y="{y + 14}" fill="{front}"{weight}{line} '
                f'textLength="{len(kept) * CELL_WIDTH:.2f}" xml:space="preserve">'
                f"{escape(kept)}</text>"
            )
        start = end
    return boxes + texts


def main() -> None:
    """Play until a game is worth a picture, draw it, write it."""
    for _ in range(GAMES_MAX):
        with tempfile.TemporaryDirectory() as folder:
            screen = Screen(folder)
            try:
                if play_on(screen):
                    picture = draw(screen.screen)
                    Path(__file__).with_name("screen.svg").write_text(picture, encoding="utf-8")
                    print("\n".join(screen.screen.display))
                    return
            finally:
                screen.close()
    raise SystemExit("no game was worth a picture; run it again")


if __name__ == "__main__":
    main()
