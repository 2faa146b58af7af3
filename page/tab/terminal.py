"""The page's terminal as the program uses it: input of keys, output of text, and its size.

xterm.js draws the text and obeys control sequences in it like any terminal, so `cli.visible` guards
it like any other.
"""

import asyncio
import io
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from prompt_toolkit.application import get_app_or_none
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import Input
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.output.vt100 import Vt100_Output

from page.tab.browser import Page

_STYLE: Final = re.compile(r"\x1b\[[\d;]*m")


class Keys(Input):
    """The keys that the page passes on, as an input for prompt-toolkit."""

    def __init__(self) -> None:
        self._read: list[KeyPress] = []
        self._parser = Vt100Parser(self._read.append)
        self._ready: Callable[[], None] = lambda: None

    def type(self, text: str) -> None:
        """Take text that was typed, pasted or tapped."""
        self._parser.feed(text)
        self._ready()

    def read_keys(self) -> list[KeyPress]:
        """Return the keys typed since the last call."""
        keys, self._read[:] = [*self._read], []
        return keys

    def flush_keys(self) -> list[KeyPress]:
        """Return keys that were held back because they could begin a longer sequence.

        Other keys typed since the last call are returned too.
        """
        self._parser.flush()
        return self.read_keys()

    def fileno(self) -> int:
        """Return 0 as the file descriptor; nobody reads from it."""
        return 0

    def typeahead_hash(self) -> str:
        """Return a name that distinguishes this input from others."""
        return "page"

    @property
    def closed(self) -> bool:
        """Always False: more keys may be typed at any time."""
        return False

    def raw_mode(self) -> AbstractContextManager[None]:
        """Change nothing: the page passes every key on unchanged anyway."""
        return _as_it_is()

    def cooked_mode(self) -> AbstractContextManager[None]:
        """Change nothing: the page passes keys on in the same way in either mode."""
        return _as_it_is()

    def attach(self, input_ready_callback: Callable[[], None]) -> AbstractContextManager[None]:
        """Within the block, call `input_ready_callback` whenever keys are there to read."""
        return self._attached(input_ready_callback)

    def detach(self) -> AbstractContextManager[None]:
        """Within the block, call nothing when keys are there to read."""
        return self._attached(lambda: None)

    @contextmanager
    def _attached(self, ready: Callable[[], None]) -> Iterator[None]:
        before, self._ready = self._ready, ready
        if self._read:
            asyncio.get_running_loop().call_soon(ready)
        try:
            yield
        finally:
            self._ready = before


@contextmanager
def _as_it_is() -> Iterator[None]:
    yield


class Screen(io.TextIOBase):
    """The page's terminal as a stream of text.

    `hears` is called with each line as it is printed, for example to have it read aloud.
    """

    encoding = "utf-8"

    def __init__(self, page: Page, hears: Callable[[str], None] = lambda _line: None) -> None:
        self._page, self._hears = page, hears
        self._prompt = ""

    def isatty(self) -> bool:
        """Return True: it is a terminal."""
        return True

    def writable(self) -> bool:
        """Return True: it can be written to."""
        return True

    def write(self, text: str) -> int:
        """Write the text to the terminal and pass its lines to `hears`; return its length.

        A line feed also moves to the start of the line, as usual in terminals.
        """
        self._page.write(text.replace("\r\n", "\n").replace("\n", "\r\n"))
        for line in filter(None, _STYLE.sub("", text).splitlines()):
            self._hears(line)
        return len(text)

    def flush(self) -> None:
        """Tell the page the text at the prompt, if it has changed; all else is already drawn."""
        app = get_app_or_none()
        text = "" if app is None else app.current_buffer.text
        if text != self._prompt:
            self._prompt = text
            self._page.prompt(text)


class Typed(io.TextIOBase):
    """Standard input that is always at its end, because keys go to prompt-toolkit instead."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        """Return True, as standard input does at a terminal."""
        return True

    def readable(self) -> bool:
        """Return True: it can be read."""
        return True

    def readline(self, _size: Any = -1, /) -> str:  # type: ignore[override]  # noqa: ANN401
        """Return an empty line at once, which means the end of the file."""
        return ""


def drawn_on(screen: Screen, page: Page) -> Vt100_Output:
    """Return the page's terminal as an output for prompt-toolkit."""
    return Vt100_Output(
        screen,  # type: ignore[arg-type]
        lambda: Size(rows=page.rows(), columns=page.columns()),
        term="xterm-256color",
        enable_cpr=False,
    )
