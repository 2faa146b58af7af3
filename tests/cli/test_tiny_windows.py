"""Even in the tiniest window, the program writes only well-formed escape sequences."""

import re

import pytest

from tests.cli.players import free_port

SEQUENCE = re.compile(
    rb"\x1b(?:\[[?>=]?[0-9;]*[ -/]*[@-~]"  # such as a cursor position: no number below 0
    rb"|\][^\x1b\x07]*(?:\x1b\\|\x07)"  # such as a title
    rb"|[()][AB0]|[=>78M])"
)
"""The sequences after Esc that terminals understand: ECMA-48 5.4, and xterm's control sequences."""

WALL = ("host", "--wall", "--set", "6", "--seats", "2", "--bots", "2", "--pace", "9")
SIZES = [(2, 2), (24, 1), (1, 80), (80, 24), (1, 1)]
"""The sizes that the window is given one after another, as rows and columns."""


@pytest.mark.parametrize(
    "words",
    [
        ("play", "--set", "6", "--bots", "1", "--pace", "0"),
        WALL,
        pytest.param((), marks=pytest.mark.campaign),
        pytest.param(("learn",), marks=pytest.mark.campaign),
    ],
    ids=["table", "wall", "menu", "lesson"],
)
def test_every_escape_sequence_is_well_formed_in_the_smallest_windows(words, start):
    """Resizing down to one cell and typing `help` produces only well-formed escape sequences.

    Back at its usual size, the program answers a line.
    """
    port = ("--port", free_port()) if words == WALL else ()
    screen = start(*words, *port, rows=1, columns=1)
    screen.wait_until(lambda: b"\x1b[?25h" in screen.seen)
    for rows, columns in SIZES:
        before = len(screen.seen)
        screen.resize(columns, rows, waits=False)
        screen.send("help\r")
        screen.wait_until(lambda before=before: b"\x1b[?25h" in screen.seen[before:])
    screen.resize(80, 24, waits=False)
    screen.send("zz\r")
    screen.wait_for('"zz" is not a command|Type a number from the list')
    screen.process.kill(15)
    assert screen.exit_code() == 143
    left = SEQUENCE.sub(b"", screen.seen)
    at = left.find(b"\x1b")
    assert at < 0, left[max(0, at - 40) : at + 40]
    assert b"Traceback" not in screen.seen
