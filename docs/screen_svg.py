"""Screens of a terminal as SVG: one screen, or a film of several."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pyte
    from pyte.screens import Char

CELL_WIDTH: Final = 8.43
CELL_HEIGHT: Final = 19
MARGIN: Final = 14
BACKGROUND: Final = "#16181d"
FOREGROUND: Final = "#d7dae0"
STROKES: Final = {
    "─": "lr", "│": "ud", "┌": "rd", "┐": "ld", "└": "ru", "┘": "lu", "├": "rud", "┤": "lud",
    "┬": "lrd", "┴": "lru", "┼": "lrud",
}  # fmt: skip
"""The directions of a line from the middle of its cell: drawn, not written, so that lines meet."""
BLOCKS: Final = {"█": (0.0, 1.0), "▀": (0.0, 0.5), "▄": (0.5, 1.0)}
"""The part of its cell, from top to bottom, that a block fills."""
BLANK: Final = str.maketrans(dict.fromkeys([*STROKES, *BLOCKS], " "))
NAMED: Final = {"default": FOREGROUND, "black": "#000000", "white": "#ffffff"}


def colours(char: Char) -> tuple[str, str]:
    """Return the text colour and the background colour of a cell, as SVG has them."""
    front = NAMED.get(
        char.fg, f"#{char.fg}" if re.fullmatch("[0-9a-f]{6}", char.fg) else FOREGROUND
    )
    back = BACKGROUND
    if char.bg != "default":
        back = NAMED.get(char.bg, f"#{char.bg}" if re.fullmatch("[0-9a-f]{6}", char.bg) else back)
    return (back, front) if char.reverse else (front, back)


def draw(screen: pyte.Screen, title: str) -> str:
    """Return a picture of the screen, without the blank rows above and below its text.

    Neighbouring cells of one style are drawn as one text. `title` is for screen readers.
    """
    filled = [row for row, line in enumerate(screen.display) if line.strip()]
    rows = range(filled[0], filled[-1] + 1)
    width = screen.columns * CELL_WIDTH + 2 * MARGIN
    top, height = rows.start * CELL_HEIGHT, len(rows) * CELL_HEIGHT + 2 * MARGIN
    parts = frame_parts(title, width, height, top)
    for row in rows:
        parts += row_parts(screen, row, row)
    return "\n".join([*parts, "</svg>", ""])


def frame_parts(title: str, width: float, height: int, top: int = 0) -> list[str]:
    """Return the beginning of a picture of this size: its font, its title and its background."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 {top} {width:.0f} {height}" '
        f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">',
        f"<title>Boneyard in a terminal: {escape(title)}</title>",
        f'<rect y="{top}" width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
    ]


class Film:
    """An animated picture of several screens, each shown for a time.

    Equal rows are drawn once, and the screens refer to them.
    """

    def __init__(self) -> None:
        self._rows: dict[str, int] = {}
        self._screens: list[tuple[list[int], float]] = []
        self._size = (0, 0)

    def take(self, screen: pyte.Screen, seconds: float) -> None:
        """Add the present screen to the film, to be shown for `seconds`."""
        self._size = screen.columns, screen.lines
        drawn = ("".join(row_parts(screen, row, 0)) for row in range(screen.lines))
        numbers = [self._rows.setdefault(row, len(self._rows)) for row in drawn]
        self._screens.append((numbers, seconds))

    def draw(self, title: str) -> str:
        """Return the film as SVG; a viewer that wants no motion shows the last screen."""
        columns, lines = self._size
        whole = sum(seconds for _, seconds in self._screens)
        parts = frame_parts(
            title, columns * CELL_WIDTH + 2 * MARGIN, lines * CELL_HEIGHT + 2 * MARGIN
        )
        rules = [
            f".s{{visibility:hidden;animation:{whole:.1f}s step-end infinite}}",
            "@media(prefers-reduced-motion:reduce){.s{animation:none}.s:last-of-type{visibility:visible}}",
        ]
        shown, since = [], 0.0
        for number, (rows, seconds) in enumerate(self._screens):
            begin, end = 100 * since / whole, 100 * (since + seconds) / whole
            since += seconds
            hidden = f"{end:.2f}%{{visibility:hidden}}" if end < 100 else ""
            first = "0%{visibility:hidden}" if begin else ""
            rules.append(
                f"@keyframes k{number}{{{first}{begin:.2f}%{{visibility:visible}}{hidden}}}"
            )
            uses = "".join(
                f'<use href="#r{row}" y="{at * CELL_HEIGHT}"/>'
                for at, row in enumerate(rows)
                if row != self._rows.get("")
            )
            shown.append(f'<g class="s" style="animation-name:k{number}">{uses}</g>')
        symbols = (f'<g id="r{number}">{row}</g>' for row, number in self._rows.items() if row)
        return "\n".join(
            [
                *parts,
                f"<style>{''.join(rules)}</style>",
                "<defs>",
                *symbols,
                "</defs>",
                *shown,
                "</svg>",
                "",
            ]
        )


def row_parts(screen: pyte.Screen, row: int, at: int) -> list[str]:
    """Return the elements that draw a row of the screen at row `at` of the picture.

    The backgrounds come first, so that the text is drawn over them.
    """
    cells = [screen.buffer[row][column] for column in range(screen.columns)]
    boxes, texts = [], []
    start = 0
    while start < screen.columns:
        end = start
        style = (*colours(cells[start]), cells[start].bold, cells[start].underscore)
        while end < screen.columns and style == (
            *colours(cells[end]),
            cells[end].bold,
            cells[end].underscore,
        ):
            end += 1
        text = "".join(cell.data for cell in cells[start:end])
        lines, filled = strokes(text, start, at), blocks(text, start, at)
        text = text.translate(BLANK)
        front, back, bold, underlined = style
        x, y = MARGIN + start * CELL_WIDTH, MARGIN + at * CELL_HEIGHT
        run = (end - start) * CELL_WIDTH
        if back != BACKGROUND:
            boxes.append(
                f'<rect x="{x:.2f}" y="{y}" width="{run:.2f}" height="{CELL_HEIGHT}" '
                f'fill="{back}"/>'
            )
        if lines:
            texts.append(f'<path d="{lines}" stroke="{front}"/>')
        if filled:
            texts.append(f'<path d="{filled}" fill="{front}"/>')
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


def strokes(text: str, column: int, row: int) -> str:
    """Return the SVG path of the box-drawing characters in this text."""
    half_x, half_y = CELL_WIDTH / 2, CELL_HEIGHT / 2
    parts = []
    for run in re.finditer("─+|[^─]", text):
        x, y = MARGIN + (column + run.start()) * CELL_WIDTH, MARGIN + row * CELL_HEIGHT + half_y
        if run.group().startswith("─"):
            parts.append(f"M{x:.2f} {y}h{len(run.group()) * CELL_WIDTH:.2f}")
            continue
        for way in STROKES.get(run.group(), ""):
            end = {"l": f"h-{half_x:.2f}", "r": f"h{half_x:.2f}", "u": f"v-{half_y}"}
            parts.append(f"M{x + half_x:.2f} {y}{end.get(way, f'v{half_y}')}")
    return "".join(parts)


def blocks(text: str, column: int, row: int) -> str:
    """Return the SVG path of the block characters in this text."""
    parts = []
    for run in re.finditer("█+|▀+|▄+", text):
        top, bottom = (CELL_HEIGHT * part for part in BLOCKS[run.group()[0]])
        x, y = MARGIN + (column + run.start()) * CELL_WIDTH, MARGIN + row * CELL_HEIGHT + top
        parts.append(f"M{x:.2f} {y}h{len(run.group()) * CELL_WIDTH:.2f}v{bottom - top}H{x:.2f}z")
    return "".join(parts)
