"""Colours on Windows, where no environment variable tells what a console can do."""

import ctypes
import io
import sys
from types import SimpleNamespace

import pytest
from prompt_toolkit.output.color_depth import ColorDepth

from cli.render.palette import NO_COLOURS, PALETTES, SIXTEEN, Theme
from cli.screens.scroll import depth_of
from cli.settings.look import own_palette

AS_IT_STARTS = 3
ESCAPE_CODES = 4
"""A console's mode when it starts, and the bit of the mode that makes it obey escape codes."""


class Console(io.StringIO):
    """A fake console window, with the calls of Windows that control it."""

    def __init__(self, *, obeys):
        super().__init__()
        self.obeys, self.mode = obeys, AS_IT_STARTS

    def isatty(self):
        """Return True: this is a window."""
        return True

    def GetStdHandle(self, number):
        """Return the handle of standard output, which is number -11."""
        return {-11: 7}[number]

    def GetConsoleMode(self, handle, mode):
        """Store the console's mode in `mode`, and return 1 for success."""
        mode._obj.value = self.mode
        return 1

    def SetConsoleMode(self, handle, mode):
        """Change the mode and return 1, or return 0 if the console does not obey."""
        if self.obeys:
            self.mode = mode
        return int(self.obeys)


@pytest.fixture
def windows(monkeypatch):
    """Return a function that makes the test run as on Windows, and returns a console.

    Its argument `obeys` says whether the console obeys escape codes.
    """

    def at(*, obeys):
        console = Console(obeys=obeys)
        monkeypatch.setattr(sys, "stdout", console)
        monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=console), raising=False)
        return console

    for name in ("TERM", "COLORTERM", "NO_COLOR", "COLORFGBG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    return at


def test_a_windows_console_is_told_to_obey_and_then_has_colours(windows):
    """A console that can obey escape codes is told to do so, and then has colours."""
    console = windows(obeys=True)
    assert own_palette() == PALETTES[Theme.AUTO]
    assert console.mode == AS_IT_STARTS | ESCAPE_CODES


def test_an_old_console_gets_no_escape_codes(windows):
    """A console that cannot obey escape codes has no colours, and its mode is unchanged."""
    console = windows(obeys=False)
    assert own_palette() == NO_COLOURS
    assert console.mode == AS_IT_STARTS


def test_a_pipe_on_windows_is_no_console(windows, monkeypatch):
    """Output to a pipe has no colours, and leaves the console's mode as it is."""
    console = windows(obeys=True)
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert own_palette() == NO_COLOURS
    assert console.mode == AS_IT_STARTS


@pytest.mark.parametrize(
    ("known", "palette"),
    [(ColorDepth.DEPTH_24_BIT, PALETTES[Theme.AUTO]), (ColorDepth.DEPTH_4_BIT, SIXTEEN)],
)
def test_at_a_table_prompt_toolkit_knows(windows, known, palette):
    """At a table, the colours follow from the depth that prompt-toolkit finds.

    prompt-toolkit can colour even an old console, by calling Windows functions.
    """
    windows(obeys=False)
    output = SimpleNamespace(get_default_color_depth=lambda: known)
    assert own_palette(terminal=True, depth=depth_of(output)) == palette


def test_elsewhere_variables_tell(monkeypatch):
    """Except on Windows, `depth_of` ignores prompt-toolkit, which always assumes 256 colours."""
    monkeypatch.setattr(sys, "platform", "linux")
    assert depth_of(SimpleNamespace(get_default_color_depth=lambda: ColorDepth.DEPTH_8_BIT)) is None
