"""Every command ends with the exit code that the manual page lists for the cause."""

import signal

import pytest

from cli.exits import MEANINGS, ExitCode, as_failure
from netgame.errors import Refused
from tests.cli.running import WAIT_S, boneyard_here, environment, piped
from tests.tree import ROOT

PLAY = ("play", "--plain", "--set", "6", "--bots", "1", "--seed", "7")

AT_TABLES = {ExitCode.REFUSED, ExitCode.MOVE_REFUSED, ExitCode.CUT_OFF}
"""Codes that only a game ends with."""

SIGNALS = {
    ExitCode.HUNG_UP: signal.SIGHUP,
    ExitCode.INTERRUPTED: signal.SIGINT,
    ExitCode.TERMINATED: signal.SIGTERM,
}

ROWS = {
    ExitCode.OK: ("games", "stats", "standings", "solve 12-3", "verify 1", "sheet 1", "replay 1"),
    ExitCode.FAILED: (
        "verify 1 --expect eh7ddx5b",
        "verify 1 --head 0123456789abcdef",
        "review 1 --round 9",
        "sheet 1 --csv --out no/such/folder",
        "judge wrong.txt",
        "judge right.txt wrong.txt",
    ),
    ExitCode.USAGE: (
        "frobnicate",
        "verify",
        "solve 12-x",
        "config get bel",
        "rules walnt",
        "games --forget 1",
        "games --force",
        "review 1 --name nobody",
    ),
    ExitCode.NOT_FOUND: (
        "verify missing",
        "verify .",
        "verify 9",
        "verify 1 missing",
        "replay missing",
        "sheet missing",
        "review missing",
        "standings missing",
        "judge missing",
        "judge wrong.txt missing",
        "rules missing.toml",
        "games --copy 9 x",
        "resume 9 --plain",
    ),
    ExitCode.BAD_FILE: (
        "verify no.record",
        "verify empty",
        "verify 1 no.record missing",
        "replay no.record",
        "sheet no.record",
        "review no.record",
        "standings no.record missing",
        "judge no.record",
        "judge empty missing right.txt",
        "rules no.toml",
        "rules wrong.toml",
    ),
}
"""Commands by the code that they end with."""


@pytest.fixture
def here(played, tmp_path, monkeypatch):
    """Make good and bad files of every kind in the current folder; return a data folder."""
    monkeypatch.chdir(tmp_path)
    game = "rules: standard\nset: 9\nseats: A B\nrounds: 1\nhand A: 9-5\nhand B: 0-7\n\nA 9-{} A\n"
    files = {
        "right.txt": game.format(5),
        "wrong.txt": game.format(4),
        "no.record": "nothing",
        "empty": "",
        "no.toml": "set 9",
        "wrong.toml": "set = 7",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return played


@pytest.mark.parametrize(
    ("line", "code"), [(line, code) for code, lines in ROWS.items() for line in lines]
)
def test_a_command_ends_with_the_code_of_its_row(line, code, here):
    """Each command line ends with the code of its row, with some output and no traceback.

    If several files fail, the highest code counts.
    """
    done = boneyard_here(*line.split(), data=here)
    assert (done.returncode, "Traceback" in done.stderr) == (code, False), done
    assert done.stdout + done.stderr


@pytest.mark.parametrize("code", SIGNALS)
def test_a_command_that_is_ended_says_by_what(code, tmp_path):
    """A game ended by a signal has that signal's exit code."""
    with piped(PLAY, environment(BONEYARD_DATA=str(tmp_path))) as (program, _, told, _):
        told.readline()
        program.send_signal(SIGNALS[code])
        assert program.wait(WAIT_S) == code


def test_a_game_whose_reader_has_gone_ends_with_a_code_of_its_own(tmp_path):
    """A game whose reader closes the pipe ends with the code for being cut off."""
    words = (*PLAY, "--auto")
    with piped(words, environment(BONEYARD_DATA=str(tmp_path))) as (program, typed, told, _):
        typed.close()
        told.readline()
        told.close()
        assert program.wait(WAIT_S) == ExitCode.CUT_OFF


def test_another_players_refusal_has_a_code_of_its_own():
    """A refusal, such as that all seats are taken, has its own exit code."""
    assert as_failure(Refused("full", "all seats are taken")).code is ExitCode.REFUSED


def test_every_code_has_a_row_in_the_manual_page():
    """The manual page lists each exit code with its meaning, and no other.

    Each code is tried here or is one that only a game ends with.
    """
    assert set(MEANINGS) == set(ExitCode) == {*ROWS, *SIGNALS, *AT_TABLES}
    page = (ROOT / "docs" / "boneyard.1").read_text(encoding="utf-8")
    rows = page.partition(".SH EXIT STATUS\n")[2].partition("\n.SH ")[0].split(".TP\n")[1:]
    told = [tuple(row.splitlines()) for row in rows]
    assert told == [
        (f"\\fB{code.value}\\fR", text.replace("-", "\\-")) for code, text in MEANINGS.items()
    ]
