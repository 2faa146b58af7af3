"""The lines printed above the prompt, once, and the place of the prompt below them.

When a window gets narrower, its terminal rewraps the printed lines and pushes some out of it; the
place of the prompt is then unknown. So after a change of size we clear the window, print the latest
lines again, and draw the table with the prompt at the bottom. A table is always at the bottom, so
that new lines move nothing below them, and we never ask the terminal where the cursor is. Lines
that have left the window stay as the terminal has them.
"""

import sys
from collections import deque
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Final, cast

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import ANSI, FormattedText, to_formatted_text
from prompt_toolkit.layout import (
    ConditionalContainer,
    Dimension,
    FloatContainer,
    FormattedTextControl,
    HSplit,
    Window,
)
from prompt_toolkit.layout.dimension import AnyDimension, to_dimension
from prompt_toolkit.layout.menus import CompletionsMenuControl
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.output import Output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.renderer import print_formatted_text
from prompt_toolkit.styles import default_ui_style

from cli.render.cells import line_cells
from cli.render.palette import Line, Palette, ansi_text
from cli.screens.talk import Block
from cli.visible import spelt

_KEPT_BLOCKS: Final = 200
_PROMPT_ROWS: Final = 10
"""The fewest rows to assume below the printed lines: the list of Tab may have six."""

_ESCAPE_S: Final = 0.1
"""A key that comes within this time after Esc belongs to the same code."""

_BEGIN_DRAWING, _END_DRAWING = "\x1b[?2026h", "\x1b[?2026l"
"""A terminal that knows these shows the output between them all at once."""


def depth_of(output: Output) -> int | None:
    """Return the number of bits for colours on a Windows console; None elsewhere.

    On Windows prompt-toolkit can find the number out, and no environment variable tells it.
    Elsewhere prompt-toolkit just assumes 256 colours.
    """
    if sys.platform != "win32":
        return None
    return int(output.get_default_color_depth().value.split("_")[1])  # "DEPTH_24_BIT"


_ERASE_DOWN: Final = "\x1b7\x1b[K\r\x1b[B\x1b[J\x1b8"
"""Erases the rest of a line, then all lines below it, and restores the cursor."""


def erase_without_history(output: Output) -> None:
    """Make an output erase everything below the cursor in two steps.

    A table in play takes the whole window. Some terminals, such as tmux, save to their history
    everything that a single command clears if it starts at the first row.
    """
    if isinstance(output, Vt100_Output):
        output.erase_down = partial(output.write_raw, _ERASE_DOWN)  # type: ignore[method-assign]


class _Standing(Window):
    """A window that copies its last cells to the screen, until its lines or its place change.

    Every key redraws everything, and prompt-toolkit is slow per character.
    """

    drawn: Callable[[], tuple[Line, ...]]
    _lines: tuple[Line, ...] = ()
    _place: tuple[int, int, int] = 0, 0, 0
    _rows: Sequence[Mapping[int, Char]] = ()

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,  # noqa: FBT001 - of prompt-toolkit
        z_index: int | None,
    ) -> None:
        top, rows = write_position.ypos, range(write_position.height)
        lines, place = self.drawn(), (top, len(rows), write_position.width)
        if lines is self._lines and place == self._place:
            for row in rows:
                screen.data_buffer[top + row].update(self._rows[row])
            screen.height = max(screen.height, top + len(rows))
            return
        super().write_to_screen(
            screen, mouse_handlers, write_position, parent_style, erase_bg, z_index
        )
        self._lines, self._place = lines, place
        self._rows = [dict(screen.data_buffer[top + row]) for row in rows]


def typed_rows_max(rows: int) -> int:
    """Return how many of a window's rows a typed line may take: a quarter, but at least 2.

    More would leave no room for the table. Of a longer line only the rows around the cursor show.
    """
    return max(2, rows // 4)


def _drawn(blocks: Iterable[Block]) -> list[Line]:
    return [line for block in blocks for line in block()]


class Scroll:
    """The printer above the prompt; it keeps the latest blocks for a change of the window's size.

    `height` returns the rows of the prompt and everything around it; 0 if they need no fixed place.
    When it shrinks, the rows set free stay empty for the next lines, such as the card after a
    round. But if lines had been pushed out of the window, or the height shrinks to 0, the latest
    lines are printed again.
    """

    def __init__(self, app: Application[str], palette: Palette, height: Callable[[], int]) -> None:
        self._app = app
        self._output = app.output
        self._palette = palette
        self._height = height
        self._kept: deque[Block] = deque(maxlen=_KEPT_BLOCKS)
        self._size = self._output.get_size()
        self._placed = 0  # the rows of the prompt and everything around it, as drawn last
        self._empty = 0  # empty rows above that, for the next lines
        self._pushed = 0  # rows that the prompt has pushed out of the window
        self._last: tuple[tuple[Line, ...], FormattedText] = (), FormattedText()
        app.ttimeoutlen = _ESCAPE_S
        app.before_render += self._begin
        app.after_render += self._end

    def lay_out(
        self,
        drawn: Callable[[], tuple[Line, ...]],
        toolbar: Callable[[], FormattedText],
        menu_rows: Callable[[], int],
    ) -> None:
        """Add the lines `drawn` above the prompt, and the toolbar below, to the app's layout.

        The list of Tab may cover `menu_rows` rows; the typed line takes at most `typed_rows_max`.
        Call this once.
        """
        frame, *_ = (layout := cast("HSplit", self._app.layout.container)).children
        around = cast("FloatContainer", cast("ConditionalContainer", frame).alternative_content)
        above = _Standing(
            FormattedTextControl(lambda: self._fragments(drawn())),
            height=lambda: Dimension.exact(len(drawn())),
        )
        above.drawn = drawn
        cast("HSplit", around.content).children.insert(0, above)
        style = "class:bottom-toolbar class:bottom-toolbar.text"
        layout.children.append(Window(FormattedTextControl(toolbar), height=1, style=style))
        for window in self._app.layout.find_all_windows():
            if isinstance(window.content, CompletionsMenuControl):
                window.height = lambda: Dimension(min=1, max=menu_rows())
        line = self._app.layout.current_window
        line.height = self._line_height(line.height)

    def _line_height(self, height: AnyDimension) -> Callable[[], Dimension]:
        """Return a function for the height of the typed line, limited by `typed_rows_max`."""

        def bounded() -> Dimension:
            least, most = to_dimension(height).min, typed_rows_max(self._output.get_size().rows)
            return Dimension(min=least, max=max(least, most))

        return bounded

    def _fragments(self, lines: tuple[Line, ...]) -> FormattedText:
        """Return lines for prompt-toolkit in few pieces: it goes through them all at each key."""
        if lines is not self._last[0]:
            text = "\n".join(ansi_text(line, self._palette) for line in lines)
            cells = to_formatted_text(ANSI(spelt(text, self._output.encoding())))
            runs = groupby(cells, itemgetter(0))
            self._last = (
                lines,
                FormattedText((style, "".join(cell[1] for cell in run)) for style, run in runs),
            )
        return self._last[1]

    def print(self, blocks: Sequence[Block]) -> None:
        """Print above the prompt, whose text and keys stay as they are.

        The terminal stays in raw mode meanwhile: in its usual mode Ctrl-C would send a signal, and
        Ctrl-Z would drop the typed text.
        """
        if self._app.is_running:
            self._output.write_raw(_BEGIN_DRAWING)
            self._erase(self._empty)
        self._kept.extend(blocks)
        lines = _drawn(blocks)
        self._write(lines)
        rows = sum(map(self._rows, lines))
        self._empty, self._pushed = self._empty - rows, max(0, self._pushed - rows)
        if self._app.is_running:
            self._app.renderer.reset()
            self._app.invalidate()

    def take_back(self, blocks: Container[Block]) -> Sequence[Block]:
        """Erase the blocks printed last, back to one that is not in `blocks`; return them in order.

        The caller shows them elsewhere. Take only blocks that are surely still whole in the window.
        """
        taken, rows = list[Block](), 0
        room = self._size.rows - max(self._placed, _PROMPT_ROWS) - max(0, self._empty)
        while self._app.is_running and self._kept and self._kept[-1] in blocks:
            rows += sum(map(self._rows, self._kept[-1]()))
            if rows > room or self._output.get_size() != self._size:
                break
            taken.insert(0, self._kept.pop())
        if taken:
            rows = sum(map(self._rows, _drawn(taken)))
            self._output.write_raw(_BEGIN_DRAWING)
            self._erase(max(0, self._empty) + rows)
            self._output.erase_down()
            self._empty = max(0, self._empty) + rows
            self._app.invalidate()
        return taken

    def leave_pushed(self) -> None:
        """Forget the lines pushed out of the window, so that nothing prints them again."""
        self._pushed = 0

    def _write(self, lines: Sequence[Line]) -> None:
        text = "".join(f"{ansi_text(line, self._palette)}\n" for line in lines)
        shown = ANSI(spelt(text, self._output.encoding()))
        print_formatted_text(self._output, shown, default_ui_style())

    def _begin(self, app: Application[str]) -> None:
        """Before the prompt is drawn, repaint the window if need be, and go to the prompt's row."""
        self._output.write_raw(_BEGIN_DRAWING)
        size, height = self._output.get_size(), self._height()
        more = height - self._placed
        if size != self._size or (more < 0 and (self._pushed or not height)):
            self._size = size
            self.repaint()
        else:
            if more:
                self._erase(min(self._empty, more))
                self._pushed += max(0, more - max(0, self._empty))
            self._empty = max(0, self._empty - more)
        self._placed = height
        if app.renderer.last_rendered_screen is None and height:
            self._output.write_raw("\n" * (height - 1))
            self._go_to_row(size.rows - height + 1)

    def _rows(self, line: Line) -> int:
        return -(-max(1, line_cells(line)) // self._size.columns)

    def _erase(self, rows: int) -> None:
        """Erase the prompt and everything around it, if drawn, and go up by this many rows."""
        stood = self._app.renderer.last_rendered_screen is not None
        self._app.renderer.erase()
        if stood and rows > 0:
            self._output.cursor_up(rows)

    def repaint(self) -> None:
        """Clear the window, and print the latest lines again."""
        size, height = self._output.get_size(), self._height()
        self._empty = self._pushed = 0
        lines = _drawn(self._kept)
        rows = list(map(self._rows, lines))
        first, room = len(rows), size.rows - max(1, height)
        while first and rows[first - 1] <= room:
            first, room = first - 1, room - rows[first - 1]
        self._output.write_raw(_BEGIN_DRAWING)
        self._clear(size.rows)
        if height:
            self._go_to_row(room + 1)
        self._write(lines[first:])

    def _go_to_row(self, row: int) -> None:
        """Go to the beginning of a row, counted from 1; to the first for a number below 1."""
        self._output.cursor_goto(max(1, row), 1)

    def _clear(self, rows: int) -> None:
        """Clear the window in two steps: some terminals save to history what one step clears."""
        self._app.renderer.erase()
        self._output.cursor_goto(1, 1)
        self._output.erase_end_of_line()
        if rows > 1:
            self._output.cursor_goto(2, 1)
            self._output.erase_down()
            self._output.cursor_goto(1, 1)

    def _end(self, _app: Application[str]) -> None:
        """After the prompt is drawn, make the terminal show it."""
        self._output.write_raw(_END_DRAWING)
        self._output.flush()
