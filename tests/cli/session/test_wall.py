"""The wall as a process: its picture during a game, and how it is taken down."""

import signal
import time
from collections.abc import Sequence

import pytest

from tests.cli.players import free_port
from tests.cli.pseudoterminals import WAIT_S, Terminal
from tests.cli.running import boneyard

GAME = ("--set", "6", "--rounds", "1", "--pace", "0")


def shown(wall: Terminal) -> str:
    """Return the text on the wall's screen."""
    return "\n".join(line.rstrip() for line in wall.screen.display)


def wait_for_all(walls: Sequence[Terminal], *words: str) -> None:
    """Read all walls until each has shown one of the words; fail after `WAIT_S` seconds.

    All are read in turn, so that none is held up.
    """
    seen = set[Terminal]()
    deadline = time.monotonic() + WAIT_S
    while len(seen) < len(walls):
        assert time.monotonic() < deadline, "\n".join(map(shown, walls))
        for wall in walls:
            wall.read()
            if any(word in shown(wall) for word in words):
                seen.add(wall)


def test_bots_play_a_game_on_the_wall(start):
    """A game of bots starts by itself on a wall, and is drawn again for each size of the window.

    Answers cover the game until they are closed. The farewell stays in the terminal afterwards.
    """
    wall = start("host", "--wall", *GAME, "--seats", "2", "--bots", "2", "--port", free_port())
    wall.wait_for("the game\\.")
    wall.wait_until(lambda: "of the game:" in shown(wall))
    assert b"\x1b[?1049h" in wall.seen
    assert "Round 1 of 1" in shown(wall)
    wall.resize(120, 40, waits=False)
    wall.wait_until(lambda: "─" * 81 in shown(wall))
    assert shown(wall).count("of the game:") == 1
    wall.send("score\r")
    wall.wait_until(lambda: "after 1 round" in shown(wall) and "of the game:" not in shown(wall))
    assert "Esc closes" in shown(wall)
    wall.send("\x1b")
    wall.wait_until(lambda: "of the game:" in shown(wall))
    wall.resize(80, 12, waits=False)
    wall.send("\rhelp\r")
    wall.wait_until(lambda: "Esc closes; PgUp PgDn, 1-" in shown(wall))
    wall.send("\x1b[6~")
    wall.wait_until(lambda: "Esc closes" in shown(wall) and "PgDn, 1-" not in shown(wall))
    wall.resize(120, 40, waits=False)
    wall.send("\r")
    wall.wait_until(lambda: "of the game:" in shown(wall))
    wall.send("q\r")
    assert wall.exit_code() == 0
    assert b"\x1b[?1049l" in wall.seen
    assert b"Thank you for the game" in wall.seen.rpartition(b"\x1b[?1049l")[2]
    assert b"Traceback" not in wall.seen


def test_two_ctrl_c_take_the_wall_down(start):
    """The first Ctrl-C asks for a second, so that a slip does not close the table for everybody.

    Before there is a table, the wall asks for a name, accepts Enter, and does not mention help. At
    a table without players `who` says that all seats are free, talk does not change the prompt, and
    Enter means no to a question.
    """
    wall = start("host", "--wall", *GAME, "--port", free_port(), name="")
    wall.wait_for("What is your name")
    assert "help tells" not in shown(wall)
    wall.send("help\r")
    wall.wait_for("First, your name")
    wall.send("\r")
    wall.wait_for("Newcomers need this code")
    wall.send("who\r")
    wall.wait_until(lambda: "Esc closes" in shown(wall) and "0 of 4 seats taken" in shown(wall))
    wall.send("say hello everybody\r")
    wall.wait_until(lambda: "hello everybody" in shown(wall) and "help tells" in shown(wall))
    wall.send("quit\r")
    wall.wait_for("Close this table, for all who are here?")
    wall.send("\r")
    wall.wait_for("You stay.")
    wall.send("\x03")
    wall.wait_for("Ctrl-C once more to leave at once")
    wall.send("\x03")
    assert wall.exit_code() == 0
    assert b"You have closed the table." in wall.seen.rpartition(b"\x1b[?1049l")[2]
    assert b"Traceback" not in wall.seen


def test_ctrl_z_gives_the_screen_back_until_fg(start):
    """Ctrl-Z suspends a wall under a shell, and after `fg` the wall draws its screen again."""
    wall = start("host", "--wall", *GAME, "--port", free_port(), shell=True)
    wall.wait_for("Newcomers need this code")
    wall.send("\x1a")
    wall.wait_for("Stopped")
    wall.send("fg; echo ended with $?.\r")
    wall.wait_until(lambda: wall.seen.count(b"\x1b[?1049h") == 2)
    wall.send("quit\r")
    wall.wait_for("Close this table")
    wall.send("yes\r")
    wall.wait_for("ended with 0\\.")
    assert "You have closed the table" in shown(wall)


def test_a_wall_that_comes_back_after_a_crash_shows_where_others_come_in(start, tmp_path):
    """A wall that is resumed after a crash shows where to join, with the old code.

    When it is closed, it says how to bring the wall back.
    """
    data, pace = ("--data", str(tmp_path)), ("--pace", "9")
    table = ("--bots", "2", "--set", "9", "--rounds", "3", "--port", free_port())
    wall = start("host", "--wall", *table, *data, *pace)
    wall.wait_for(r"need this code: \S+")
    code = shown(wall).partition("need this code: ")[2].split()[0]
    wall.send("start\r")
    door = r"boneyard join \S+  " + code
    wall.wait_for(f"Round 1/3[^>]*{door}")
    wall.process.kill(signal.SIGKILL)
    back = start("resume", *data, *pace)
    back.wait_for(f"Round 1/3[^>]*{door}")
    back.send("\x03")
    back.wait_for("come back with: boneyard resume --wall")
    back.send("\x03")
    assert back.exit_code() == 130
    assert b"Bring the wall back with: boneyard resume --wall" in back.seen.rpartition(b"1049l")[2]


def test_a_wall_that_cannot_open_its_table_says_why_below_it(start):
    """If a wall cannot open its table, the terminal is restored before the reason is printed."""
    wall = start("join", "127.0.0.1:1", "--wall")
    assert wall.exit_code() not in (0, None)
    assert b"127.0.0.1:1" in wall.seen.rpartition(b"\x1b[?1049l")[2]


@pytest.mark.parametrize("words", [("host",), ("join", "--plain"), ("host", "--json")])
def test_a_wall_needs_a_terminal(words):
    """Without a terminal a wall is refused in one line, with the exit code for usage."""
    told = boneyard(*words, "--wall")
    assert told.returncode == 2
    assert told.stderr.count("\n") == 1
    assert "A wall needs a terminal that can draw" in told.stderr


@pytest.mark.campaign
def test_a_round_with_guests_and_two_walls(start, party):
    """Every wall shows the game; a wall elsewhere shows the code only if it was started with it."""
    port = free_port()
    place = f"127.0.0.1:{port}"
    wall = start("host", "--no-seat", "--wall", *GAME[:4], "--seats", "2", "--port", port)
    wall.wait_for(r"need this code: \S+")
    code = shown(wall).partition("need this code: ")[2].split()[0]
    elsewhere = start("join", place, "--watch", "--wall", columns=120, rows=40)
    elsewhere.wait_for("asks newcomers for its join code")
    elsewhere.send(f"{code}\r")
    given = start("join", place, "--wall", "--code", code, columns=200, rows=60)
    for each in (elsewhere, given):
        each.wait_for("0 of 2 seats taken")
    given.wait_until(lambda: f"code: {code}" in shown(given))
    assert f"boneyard join {place}" in shown(elsewhere)
    assert code not in shown(elsewhere)
    guests = [party(name, "join", place, "--code", code) for name in ("Ben", "Cy")]
    walls = (wall, elsewhere, given)
    wait_for_all(walls, "> Ben", "> Cy")
    assert code not in shown(elsewhere)
    for guest in guests:
        guest.wait_for("is dealt")
        for _ in range(60):
            guest.type("1")
    wait_for_all(walls, "of the game:")
    for each in walls:
        each.send("q\r")
        assert each.exit_code() == 0
    for guest in guests:
        guest.wait_for("boneyard verify")


@pytest.mark.campaign
def test_no_wall_shows_a_code_that_a_kick_has_changed(start, party):
    """After a kick the host's wall shows the new code, and another wall shows none."""
    port = free_port()
    place = f"127.0.0.1:{port}"
    wall = start("host", "--wall", *GAME[:4], "--seats", "2", "--port", port)
    wall.wait_for(r"need this code: \S+")
    code = shown(wall).partition("need this code: ")[2].split()[0]
    given = start("join", place, "--wall", "--code", code, columns=120, rows=40)
    given.wait_until(lambda: f"code: {code}" in shown(given))
    party("Ben", "join", place, "--code", code)
    wall.wait_until(lambda: "1 of 2 seats taken" in shown(wall))
    wall.send("kick ben\r")
    wall.wait_until(lambda: f"code: {code}" not in shown(wall))
    assert "need this code: " in shown(wall)
    given.wait_until(lambda: "need this code" not in shown(given))
    assert "The join code of this table has changed" in shown(given)
    for each in (given, wall):
        each.send("q\r")
