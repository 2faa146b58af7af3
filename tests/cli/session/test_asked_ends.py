"""SIGTERM, and the SIGHUP of a closed terminal: the program leaves as after `quit`."""

import os
import pty
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
import trio
import trio.testing

from cli.exits import ExitCode
from cli.screens.ending import RunEnding, run_trio
from cli.signals import hearing
from tests.cli.forked import Program
from tests.cli.players import Player, free_port, hosted
from tests.cli.running import WAIT_S, environment, piped, printed
from tests.tree import ROOT

TERM, HUP = signal.SIGTERM, signal.SIGHUP
CODES = {TERM: 143, HUP: 129}
GAME = ("play", "--set", "6", "--bots", "1", "--rounds", "1", "--pace", "0")
HOST = ("host", "--set", "6")
WALL = ("host", "--wall", "--set", "6", "--pace", "9")
RESUME = "You have left the table. Come back with: boneyard resume"
CLOSED = "You have closed the table."
CASES = {
    "menu": ((), "1 Play here", ""),
    "lobby": (HOST, "Type start", CLOSED),
    "game": (GAME, r"Play  1: ", RESUME),
    "lesson": (("learn",), "Press Enter to begin", ""),
    "wall-lobby": (WALL, "Newcomers need this code", CLOSED),
    "wall-game": (
        (*WALL, "--seats", "2", "--bots", "2"),
        "Mexican",
        "Bring the wall back with: boneyard resume --wall",
    ),
}
"""Each place on a full screen: the words that lead there, its text, and the farewell."""


def marked(cases, wanted):
    """Return the cases as parameters, marked for the campaign unless they are in `wanted`."""
    return [
        pytest.param(
            *case,
            marks=() if case in wanted else pytest.mark.campaign,
            id="-".join(getattr(each, "name", each) for each in case),
        )
        for case in cases
    ]


SCREENS = [(place, number) for place in CASES for number in CODES]


@pytest.mark.parametrize(
    ("place", "number"),
    marked(SCREENS, [("menu", TERM), ("lobby", HUP), ("game", TERM), ("wall-game", TERM)]),
)
def test_the_full_screen_and_the_wall_leave_as_quit_does(place, number, start):
    """After a signal the terminal is restored, and the farewell stays readable."""
    words, shown, farewell = CASES[place]
    port = ("--port", free_port()) if "host" in words else ()
    screen = start(*words, *port)
    screen.wait_for(shown)
    screen.process.kill(number)
    assert screen.exit_code() == CODES[number]
    assert b"Traceback" not in screen.seen
    off, on = (b"\x1b[?1049l", b"\x1b[?1049h") if "--wall" in words else (b"?2004l", b"?2004h")
    assert screen.seen.rindex(off) > screen.seen.rindex(on)
    told = screen.seen.rpartition(off)[2].decode() if "--wall" in words else screen.text()
    assert farewell in told


LINES = [
    (mode, place, number)
    for mode in ("--plain", "--json", "menu")
    for place in ("lobby", "game")
    for number in CODES
    if (mode, place) != ("menu", "game")
]


@pytest.mark.parametrize(
    ("mode", "place", "number"),
    marked(
        LINES,
        [
            ("--plain", "lobby", TERM),
            ("--plain", "game", HUP),
            ("--json", "lobby", HUP),
            ("--json", "game", TERM),
            ("menu", "lobby", TERM),
        ],
    ),
)
def test_sentences_and_json_leave_as_quit_does(mode, place, number, tmp_path):
    """After a signal the farewell is the last line of the output."""
    words = {"lobby": (*HOST, "--port", free_port()), "game": GAME}[place]
    ready = {"lobby": "code|lobby", "game": "Your turn|turn"}[place]
    farewell = {"lobby": CLOSED, "game": RESUME}[place]
    if mode == "menu":
        words, ready, farewell, mode = (), "7 Quit", "HOST:PORT", "menu"
    player = Player(tmp_path, *words, *(() if mode == "menu" else (mode,)))
    try:
        player.wait_for(ready)
        player.process.send_signal(number)
        assert player.exit_code() == CODES[number]
        player.listener.join()
        assert farewell in [*player.lines, *player.incoming.queue][-1]
    finally:
        player.process.kill()
        player.listener.join()
        player.stdin.close()
        player.stdout.close()


@pytest.mark.parametrize("number", [TERM, pytest.param(HUP, marks=pytest.mark.campaign)])
def test_others_read_that_the_program_was_closed_and_the_seat_comes_back(number, party, tmp_path):
    """The others read that the program was closed, and the seat can be resumed.

    The record of that seat is still good.
    """
    host, way, code = hosted(party, "--seats", "2")
    guest = party("Bob", *way, "--code", code)
    for each in (host, guest):
        each.wait_for("is dealt")
    host.process.send_signal(number)
    guest.wait_for("Ann has quit, and may come back")
    assert host.exit_code() == CODES[number]
    back = party("Ann", "resume")
    guest.wait_for("Ann is back")
    back.wait_for("You are back")
    guest.type("say welcome back")
    back.wait_for("welcome back")  # Ann has a link to Bob, too
    guest.process.send_signal(number)
    back.wait_for("Bob has quit, and may come back")
    assert guest.exit_code() == CODES[number]
    back.process.send_signal(number)
    assert back.exit_code() == CODES[number]
    assert "A good record" in printed("verify", "1", data=tmp_path / "Ann")


def test_guests_in_a_lobby_read_that_it_is_closed(party):
    """Guests read that the host has closed the table, as after `quit`."""
    host, way, code = hosted(party)
    guest = party("Bob", *way, "--code", code)
    host.wait_for("Bob sits down")
    host.process.send_signal(TERM)
    guest.wait_for("The table is closed. The host has closed it.")
    assert host.exit_code() == 143


def test_a_table_is_left_in_peace_though_nobody_reads_the_farewell(party, tmp_path):
    """The table is closed properly even if nobody reads the output, as when a service stops."""
    port = free_port()
    words = [*HOST, "--plain", "--port", port]
    with piped(words, environment(BONEYARD_DATA=str(tmp_path / "host"))) as (host, _, told, bad):
        code = next(line for line in told if "need this code" in line).split()[-1]
        guest = party("Bob", "join", f"127.0.0.1:{port}", "--code", code)
        assert any("Bob sits down" in line for line in told)
        told.close()
        host.send_signal(TERM)
        guest.wait_for("The table is closed. The host has closed it.")
        assert host.wait(WAIT_S) == 143
        assert bad.read() == ""


@pytest.mark.campaign
@pytest.mark.parametrize("number", CODES)
def test_who_is_on_the_way_to_a_table_is_let_go(number, party, start):
    """A signal also ends a search for tables and the question for a code."""
    _, way, _ = hosted(party)
    asked, looking = start(*way), start("join", "nobody")
    asked.wait_for_prompt("asks newcomers for its join code")
    looking.wait_for("Looking")
    for screen in (asked, looking):
        screen.process.kill(number)
        assert screen.exit_code() == CODES[number]
        assert b"Traceback" not in screen.seen


@pytest.mark.parametrize("has_signal", [True, False])
@pytest.mark.parametrize(
    "words",
    [GAME, (*GAME, "--plain"), pytest.param(WALL, marks=pytest.mark.campaign)],
    ids=["screen", "plain", "wall"],
)
def test_a_terminal_that_is_closed_is_no_traceback(words, has_signal, tmp_path):
    """If its terminal is closed, with SIGHUP or without, the program leaves without a complaint."""
    ours, its = pty.openpty()
    termios.tcsetwinsize(its, (24, 80))
    heard, complains = os.pipe()
    port = ("--port", free_port()) if "host" in words else ()
    program = Program(
        [*words, *port],
        environment(TERM="xterm-256color", BONEYARD_DATA=str(tmp_path)),
        (its, its, complains),
        leads_terminal=has_signal,
    )
    os.close(its)
    os.close(complains)
    try:
        told = b""
        while not any(ready in told for ready in (b"Play  1:", b"Your turn", b"need this code")):
            told += os.read(ours, 65536)
        os.close(ours)
        assert program.wait(WAIT_S) == 129
    finally:
        program.kill()
    with os.fdopen(heard, "rb") as complaints:
        assert complaints.read() == b""


# ---- the program as process 1 -------------------------------------------------------------------

NAMESPACE = ("unshare", "--map-root-user", "--pid", "--fork", "--kill-child")


def catches(pid: int, number: int) -> bool:
    """Return True if a process has a handler for this signal."""
    status = Path(f"/proc/{pid}/status").read_text()
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(caught.split()[1], 16) >> (number - 1) & 1)


@pytest.fixture
def first_process():
    """Yield a function that runs the program as process 1 of a namespace; kill all afterwards.

    The function returns the process that was started and the process id of the program.
    """
    if subprocess.run([*NAMESPACE, "true"], check=False, capture_output=True).returncode:
        pytest.skip("this system gives no namespaces")
    started = []

    def begin(data: Path, *words: str) -> tuple[subprocess.Popen[bytes], int]:
        process = subprocess.Popen(
            [*NAMESPACE, sys.executable, "-m", "cli", *words],
            cwd=ROOT,
            env=environment(BONEYARD_DATA=str(data)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        started.append(process)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        deadline = time.monotonic() + WAIT_S
        while not (found := children.read_text().split()):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return process, int(found[0])

    yield begin
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    "words",
    [
        ("verify", "-"),
        pytest.param((*GAME, "--plain"), marks=pytest.mark.campaign),
        pytest.param((*GAME, "--json"), marks=pytest.mark.campaign),
        pytest.param(("arena", "--games", "100000"), marks=pytest.mark.campaign),
        pytest.param(("simulate", "--seconds", "600"), marks=pytest.mark.campaign),
        pytest.param(("fuzz", "--seconds", "600"), marks=pytest.mark.campaign),
        pytest.param(("bench",), marks=pytest.mark.campaign),
    ],
    ids=lambda words: words[0] + words[-1],
)
def test_process_1_of_a_container_ends_where_the_system_does_nothing(
    words, first_process, tmp_path
):
    """As process 1 every command ends on SIGTERM, and a game says its farewell."""
    process, pid = first_process(tmp_path, *words)
    if words[0] == "play":
        assert process.stdout is not None
        while b"dealt" not in process.stdout.readline():
            pass
    deadline = time.monotonic() + 10
    while not catches(pid, TERM) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(pid, TERM)
    process.wait(10)  # its input stays open, because its end would end the program too
    told, complaints = process.communicate()
    assert process.returncode == 143
    assert b"Traceback" not in complaints
    assert (b"Come back with" in told) is (words[0] == "play")


# ---- within one process -------------------------------------------------------------------------
# Signals are raised in this thread: if one is sent to the process, another thread may get it first,
# and a second signal that comes meanwhile is lost.


async def for_ever() -> ExitCode:
    """Sit at a table that is never left; fail the test if nothing ends it."""
    await trio.sleep(WAIT_S)
    pytest.fail("nothing ended it")


def leaves_slowly(*numbers: int) -> list[int]:
    """Send these signals at a table; return a 1 for each attempt to leave it, then the exit code.

    The table can be left only if there is one signal.
    """
    left = list[int]()

    async def sit() -> ExitCode:
        ending.leave = lambda: left.append(1)
        for number in numbers:
            signal.raise_signal(number)
            await trio.testing.wait_all_tasks_blocked()
        if len(numbers) > 1:
            return await for_ever()
        return ExitCode.OK

    ending = RunEnding()
    with hearing(), pytest.raises(SystemExit) as end:
        run_trio(sit, ending)
    return [*left, end.value.code]


def test_the_second_signal_ends_it_at_once_with_the_code_of_the_first():
    """A second signal ends a program that cannot leave its table, with the first one's code."""
    assert leaves_slowly(TERM) == [1, 143]
    assert leaves_slowly(TERM, TERM) == [1, 143]
    assert leaves_slowly(HUP, TERM) == [1, 129]


def test_where_nobody_sits_at_a_table_the_first_ends_it():
    """In a menu, or on the way to a table, the first signal ends the program."""

    async def look() -> ExitCode:
        signal.raise_signal(HUP)
        return await for_ever()

    with hearing(), pytest.raises(SystemExit) as end:
        run_trio(look)
    assert end.value.code == 129


def test_a_command_without_a_screen_ends_at_once():
    """The first signal ends a command that has no table to leave."""

    def work() -> None:
        signal.raise_signal(TERM)
        time.sleep(WAIT_S)

    with hearing(), pytest.raises(SystemExit) as end:
        work()
    assert end.value.code == 143


def test_it_ends_in_peace_while_the_program_is_still_imported():
    """A signal during an import ends the program, though Python 3.11 replaces the exception."""

    class Field:
        def __set_name__(self, owner: type, name: str) -> None:
            signal.raise_signal(TERM)

    def load() -> None:
        type("Loaded", (), {"field": Field()})

    with pytest.raises(SystemExit) as end, hearing():
        load()
    assert end.value.code == 143


def test_what_was_turned_off_stays_off_and_all_is_as_it_was_afterwards():
    """An ignored SIGHUP, as under `nohup`, stays ignored.

    At the end the old handlers are back.
    """
    before = signal.signal(HUP, signal.SIG_IGN), signal.getsignal(TERM)
    try:
        with hearing():
            signal.raise_signal(HUP)
            assert signal.getsignal(HUP) is signal.SIG_IGN
            assert signal.getsignal(TERM) is not before[1]
        assert signal.getsignal(TERM) is before[1]
    finally:
        signal.signal(HUP, before[0])
