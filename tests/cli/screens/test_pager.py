"""Text longer than the window goes to a pager, and a terminal gets bold headings."""

from pathlib import Path

import pexpect
import pytest

from tests.cli.pseudoterminals import WAIT_S, Forked
from tests.cli.running import boneyard, boneyard_here, environment

MARKS = "sed s/^/read:/"
BOLD = "\x1b[1m{}\x1b[0m"


def at_terminal(*words: str, rows: int = 24, **extra: str) -> str:
    """Return the output of a command at a terminal of `rows` rows; it must succeed."""
    process = Forked(words, environment(TERM="xterm-256color", **extra), rows, 80)
    process.expect(pexpect.EOF)
    assert process.program.wait(WAIT_S) == 0
    return process.before.decode().replace("\r\n", "\n")


@pytest.fixture
def less(tmp_path: Path) -> dict[str, str]:
    """Return a `PATH` variable that leads to a fake `less`, which prints its arguments."""
    path = tmp_path / "less"
    path.write_text(f'#!/bin/sh\necho "less $* LESS=$LESS"\nexec {MARKS}\n')
    path.chmod(0o700)
    return {"PATH": f"{tmp_path}:{environment()['PATH']}"}


@pytest.mark.parametrize("words", [("help",), ("--help",), ("play", "--help"), ("rules", "walnut")])
def test_a_long_text_is_read_in_the_pager_that_somebody_has_named(words):
    """Every line of help or of a sheet passes through the pager."""
    lines = at_terminal(*words, PAGER=MARKS).splitlines()
    assert len(lines) > 24
    assert all(line.startswith("read:") for line in lines)


def test_the_usual_pager_is_less(less):
    """`less`, as the default or named in `PAGER`, ends at once if all fits, unless `LESS` is set.

    Its prompt says how to close it; otherwise people would type their next command there.
    """
    usual = "LESS=FRXPsPress q to close this, Space to read on$\nread:"
    assert at_terminal("help", **less).startswith(f"less -FRX {usual}")
    assert at_terminal("help", PAGER="less -M", **less).startswith(f"less -M {usual}")
    own = at_terminal("help", PAGER="less", LESS="-R", **less)
    assert own.startswith("less  LESS=-R\nread:")


def test_what_fits_into_the_window_is_printed(less):
    """No pager is started for text that fits into the window."""
    assert "read:" not in at_terminal("help", rows=100, **less)
    assert "read:" not in at_terminal("rules", "blanks", PAGER=MARKS)


@pytest.mark.parametrize(
    "off", [{"PAGER": ""}, {"PAGER": "cat"}, {"TERM": "dumb"}, {"ACCESSIBLE": "1"}]
)
def test_a_pager_can_be_turned_off(off, less):
    """The pager is off at a dumb terminal, or if `PAGER` is empty or `cat`.

    `ACCESSIBLE`, which is for screen readers, turns it off too.
    """
    process = Forked(("help",), environment(**{"TERM": "xterm", **less, **off}), 24, 80)
    process.expect(pexpect.EOF)
    assert b"read:" not in process.before
    assert b"COMMAND" in process.before


def test_a_pager_that_is_not_there_costs_nothing():
    """If the pager does not exist, the shell says so and the text is printed without it."""
    told = at_terminal("help", PAGER="no-such-pager")
    assert "no-such-pager" in told
    assert "find out why this computer" in told


def test_a_pipe_gets_the_plain_text():
    """A pipe gets no escape codes and no pager."""
    told = boneyard("help", PAGER="false")
    assert told.returncode == 0
    assert "find out why this computer" in told.stdout
    assert "\x1b" not in told.stdout


def test_ctrl_c_in_a_pager_is_for_the_pager():
    """Ctrl-C reaches only the pager; the program goes on waiting until the pager ends."""
    pager = "trap 'echo HEARD' INT; echo READY; read line </dev/tty; echo LEFT"
    process = Forked(("help",), environment(TERM="xterm", PAGER=pager), 24, 80)
    process.expect("READY")
    process.send("\x03")
    process.expect("HEARD")
    process.send("\r")
    process.expect("LEFT")
    process.expect(pexpect.EOF)
    assert process.program.wait(WAIT_S) == 0


@pytest.mark.parametrize(
    ("words", "headings"),
    [
        (("help", "play"), ("usage:", "options:", "the game:", "you:")),
        (("rules",), (" Rule sets:", " Switches:")),
        (("rules", "walnut"), (" The deal",)),
    ],
)
def test_headings_are_bold_at_a_terminal(words, headings):
    """Help and sheets have bold headings at a terminal; `NO_COLOR` turns them off."""
    told = at_terminal(*words, PAGER="cat")
    for heading in headings:
        assert BOLD.format(heading) in told
    plain = at_terminal(*words, PAGER="cat", NO_COLOR="1")
    assert "\x1b" not in plain
    for heading in headings:
        assert heading in plain


def test_colours_can_be_forced_into_a_pipe():
    """`FORCE_COLOR` makes headings bold even in a pipe, unless `NO_COLOR` is set."""
    assert BOLD.format(" Rule sets:") in boneyard_here("rules", FORCE_COLOR="1").stdout
    assert "\x1b" not in boneyard_here("rules", FORCE_COLOR="1", NO_COLOR="1").stdout
