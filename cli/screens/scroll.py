"""The lines that go by above the prompt, once, and the place of the prompt below them.

A terminal wraps anew what was printed when its window gets narrower, and pushes lines out of it:
nobody knows then where the prompt was drawn. So a window that has changed is cleared, the last of
what went by is drawn again for it, and the table with the prompt at the bottom. A table is always
there, so that what is said moves nothing below it, and nothing is asked of the terminal. What has
left the window stays as the terminal has it.
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
"""At least so many rows of a window are below what was printed: the list of Tab may have six."""

_ESCAPE_S: Final = 0.1
"""After Esc so long nothing may come, or it began the code of another key."""

_BEGIN_DRAWING, _END_DRAWING = "\x1b[?2026h", "\x1b[?2026l"
"""Terminals that know these show nothing of what is between them until it is whole."""


def depth_of(output: Output) -> int | None:
    """Return how many bits the colours of a Windows console have; None elsewhere.

    prompt-toolkit knows Windows, where no variable tells; anywhere else it believes in 256 colours.
    """
    if sys.platform != "win32":
        return None
    return int(output.get_default_color_depth().value.split("_")[1])  # "DEPTH_24_BIT"


_ERASE_DOWN: Final = "\x1b7\x1b[K\r\x1b[B\x1b[J\x1b8"
"""Erases the rest of a line, then all lines below it, and comes back."""


def erase_without_history(output: Output) -> None:
    """Have an output erase what is below the cursor in two steps.

    A table in play takes the whole window, and some terminals, such as tmux, keep as history what a
    single order clears from the first row on.
    """
    if isinstance(output, Vt100_Output):
        output.erase_down = partial(output.write_raw, _ERASE_DOWN)  # type: ignore[method-assign]


class _Standing(Window):
    """Lines that are put on the screen as they were, until others are `drawn`.

    Each key has everything drawn anew, and prompt-toolkit takes its time for each character.
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
    """Return how many of so many rows a typed line may take: a quarter, but 2 at least.

    More would leave no room for the table. Of a longer line those rows show that are around the
    cursor.
    """
    return max(2, rows // 4)


def _drawn(blocks: Iterable[Block]) -> list[Line]:
    return [line for block in blocks for line in block()]


class Scroll:
    """Prints above the prompt, and keeps the last of that for a window that changes.

    `height` says how many rows the prompt and all around it take, 0 where they need no place. Where
    that gets less, so many rows are left empty for what is said next: a round ends with a card. But
    where an answer had pushed lines out of the window, they are printed again.
    """

    def __init__(self, app: Application[str], palette: Palette, height: Callable[[], int]) -> None:
        self._app = app
        self._output = app.output
        self._palette = palette
        self._height = height
        self._kept: deque[Block] = deque(maxlen=_KEPT_BLOCKS)
        self._size = self._output.get_size()
        self._placed = 0  # the rows that prompt and all around it took when drawn last
        self._empty = 0  # rows above it that are left for what is said next
        self._pushed = 0  # rows that it has pushed out of the window
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
        """Add what is `drawn` above the prompt, and the toolbar below, to the layout of the app.

        The list that Tab opens may cover `menu_rows` rows. To be called once.
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
        """Return this height of the line that is typed, but no more than it may have."""

        def bounded() -> Dimension:
            least, most = to_dimension(height).min, typed_rows_max(self._output.get_size().rows)
            return Dimension(min=least, max=max(least, most))

        return bounded

    def _fragments(self, lines: tuple[Line, ...]) -> FormattedText:
        """Return lines as prompt-toolkit has them, in few pieces, as it takes all at each key."""
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

        The terminal is left in raw mode meanwhile: in its own mode it would take Ctrl-C for a
        signal, and Ctrl-Z for an order to drop what was typed.
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
        """Erase the last of these blocks, and return them, oldest first, to be shown elsewhere.

        Only what was printed last is taken, and as far as it must still be whole in the window.
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
        """Leave out of the window what was pushed out of it, also when there is room again."""
        self._pushed = 0

    def _write(self, lines: Sequence[Line]) -> None:
        text = "".join(f"{ansi_text(line, self._palette)}\n" for line in lines)
        shown = ANSI(spelt(text, self._output.encoding()))
        print_formatted_text(self._output, shown, default_ui_style())

    def _begin(self, app: Application[str]) -> None:
        """Before the prompt is drawn: clear a window that has changed, and find its place."""
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
        """Erase the prompt and all around it, if that stands, and go up by so many rows."""
        stood = self._app.renderer.last_rendered_screen is not None
        self._app.renderer.erase()
        if stood and rows > 0:
            self._output.cursor_up(rows)

    def repaint(self) -> None:
        """Clear the window, and draw the last of what went by again."""
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
        """Go to the beginning of a row, from 1; to the first where a window has fewer rows."""
        self._output.cursor_goto(max(1, row), 1)

    def _clear(self, rows: int) -> None:
        """Clear the window, not at once: some terminals keep as history what that takes away."""
        self._app.renderer.erase()
        self._output.cursor_goto(1, 1)
        self._output.erase_end_of_line()
        if rows > 1:
            self._output.cursor_goto(2, 1)
            self._output.erase_down()
            self._output.cursor_goto(1, 1)

    def _end(self, _app: Application[str]) -> None:
        """After the prompt was drawn: have the terminal show it."""
        self._output.write_raw(_END_DRAWING)
        self._output.flush()
