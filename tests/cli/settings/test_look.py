"""What drawings look like on Windows, which says nothing of it in variables."""

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
"""Bits of a console's mode: how Windows starts it, and that it obeys escape codes."""


class Console(io.StringIO):
    """A window, and the part of Windows that speaks of it."""

    def __init__(self, *, obeys):
        super().__init__()
        self.obeys, self.mode = obeys, AS_IT_STARTS

    def isatty(self):
        """Say that it is a window."""
        return True

    def GetStdHandle(self, number):
        """Name the console of standard output, number -11."""
        return {-11: 7}[number]

    def GetConsoleMode(self, handle, mode):
        """Tell the mode."""
        mode._obj.value = self.mode
        return 1

    def SetConsoleMode(self, handle, mode):
        """Change the mode, as far as this Windows knows it."""
        if self.obeys:
            self.mode = mode
        return int(self.obeys)


@pytest.fixture
def windows(monkeypatch):
    """Be on Windows for the time of a test, at a console that obeys escape codes, or does not."""

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
    """Windows consoles can do it since Windows 10 (console-virtual-terminal-sequences)."""
    console = windows(obeys=True)
    assert own_palette() == PALETTES[Theme.AUTO]
    assert console.mode == AS_IT_STARTS | ESCAPE_CODES


def test_an_old_console_gets_no_escape_codes(windows):
    """It would print them."""
    console = windows(obeys=False)
    assert own_palette() == NO_COLOURS
    assert console.mode == AS_IT_STARTS


def test_a_pipe_on_windows_is_no_console(windows, monkeypatch):
    """Nobody asks the console, which may be somebody else's."""
    console = windows(obeys=True)
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert own_palette() == NO_COLOURS
    assert console.mode == AS_IT_STARTS


@pytest.mark.parametrize(
    ("known", "palette"),
    [(ColorDepth.DEPTH_24_BIT, PALETTES[Theme.AUTO]), (ColorDepth.DEPTH_4_BIT, SIXTEEN)],
)
def test_at_a_table_prompt_toolkit_knows(windows, known, palette):
    """It writes to an old console through calls and not through escape codes: sixteen colours."""
    windows(obeys=False)
    output = SimpleNamespace(get_default_color_depth=lambda: known)
    assert own_palette(terminal=True, depth=depth_of(output)) == palette


def test_elsewhere_variables_tell(monkeypatch):
    """prompt-toolkit takes any terminal for one of 256 colours."""
    monkeypatch.setattr(sys, "platform", "linux")
    assert depth_of(SimpleNamespace(get_default_color_depth=lambda: ColorDepth.DEPTH_8_BIT)) is None
