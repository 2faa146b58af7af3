"""Plain mode: lines from a pipe or a file go in, sentences or JSON come out."""

import json
import os
import signal
import subprocess
import sys
from importlib.metadata import version

import pytest
import trio
import trio.testing

from cli.render.menu import Menu
from cli.screens.plain import LineReader, PlainFront
from tests.cli.running import WAIT_S, boneyard_anew, environment, run, spoken
from tests.tree import ROOT

QUICK = ("play", "--set", "6", "--rounds", "1", "--bots", "1")


async def lines_of(octets: bytes, chunk: int) -> list[str]:
    """Return the lines that are read from these octets if they arrive `chunk` at a time."""
    source, sink = os.pipe()
    reader = LineReader(source)
    lines = []
    try:
        for at in range(0, len(octets), chunk):
            os.write(sink, octets[at : at + chunk])
        os.close(sink)
        while (line := await reader.next_line()) is not None:
            lines.append(line)
    finally:
        os.close(source)
    return lines


def test_of_a_list_that_changes_only_what_is_new_is_printed(capsys):
    """A changed menu prints only its new rows; the same menu, offered again, is printed whole."""
    front, rows = PlainFront(), ((1, "Play"), (2, "Join Ann"))
    for menu in (Menu("Menu", rows[:1], "Foot"), Menu("Menu", rows, "Foot")) * 2:
        front.offer(menu)
    told = [line.split() for line in capsys.readouterr().out.splitlines()]
    first = [["Menu"], ["1", "Play"], ["Foot"]]
    assert told == [*first, ["2", "Join", "Ann"], ["2", "Join", "Ann"]]
    front.offer(menu)
    assert len(capsys.readouterr().out.splitlines()) == 4


@pytest.mark.parametrize("chunk", [1, 2, 3, 1000])
async def test_lines_are_whole_however_they_arrive(chunk):
    """Lines are read whole, even if they arrive in chunks that split a letter."""
    octets = "play 9-4 jürgen\r\nsay ☃\n\nquit".encode()
    assert await lines_of(octets, chunk) == ["play 9-4 jürgen", "say ☃", "", "quit"]


@pytest.mark.parametrize(
    ("code_page", "octets", "read"),
    [
        ("cp850", b"say Zo\x89", "say Zoë"),
        ("cp932", "say 花".encode("cp932"), "say 花"),
        ("cp65001", "say Zoë".encode(), "say Zoë"),
        ("cp708", "say Zoë".encode(), "say Zoë"),
    ],
)
async def test_a_console_types_in_its_code_page(code_page, octets, read, monkeypatch):
    """A console's input is decoded by its code page, or as UTF-8 if Python has no such codec.

    The test reads from a pipe and pretends that the pipe is a console.
    """
    monkeypatch.setattr(os, "device_encoding", lambda descriptor: code_page)
    assert await lines_of(octets + b"\n", 3) == [read]


async def test_bytes_that_are_no_text_are_replaced():
    """Octets that are not UTF-8 are replaced by U+FFFD, the replacement character."""
    assert await lines_of(b"say \xff\xfe\n", 100) == ["say \ufffd\ufffd"]


def test_control_characters_through_a_pipe_end_nothing(tmp_path):
    """Control characters from a pipe do not end the program, and are left out of its answer."""
    text = "\x1a\nzz\x1a\x1b[2J\u202e\n" + "1\n" * 80
    told = spoken(*QUICK, "--plain", data=tmp_path / "d", text=text)
    assert '"zz[2J" is not a command here' in told


def test_odds_are_given_at_the_table_and_no_review_before_a_round_is_scored(tmp_path):
    """A script gets odds during a round, and no review before a round is scored."""
    text = "odds\nreview 0\n1\nreview\n" + "1\n" * 80
    told = spoken(*QUICK, "--seed", "2", "--plain", data=tmp_path / "d", text=text)
    assert "How likely each player is to hold a tile for the end" in told
    assert "Type review, or review and the number of a round." in told
    assert "\nNo round is scored yet.\n" in told


async def test_no_line_is_lost_when_nobody_waits_for_it_any_more():
    """Lines that come after a cancelled read are kept for the next read."""
    source, sink = os.pipe()
    reader = LineReader(source)
    for _ in range(3):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(reader.next_line)
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
    for line in ("sit", "name Bea", "leave"):
        os.write(sink, f"{line}\n".encode())
        assert await reader.next_line() == line
    os.close(sink)
    assert await reader.next_line() is None
    os.close(source)


async def test_a_closed_input_is_at_its_end():
    """The reader returns None at once if its input is closed."""
    source, sink = os.pipe()
    os.close(sink)
    os.close(source)
    assert await LineReader(source).next_line() is None


def test_numbers_from_a_file_play_a_whole_round_without_being_asked_for_plain(tmp_path):
    """If its input is a file, the program chooses plain mode by itself."""
    script = tmp_path / "moves.txt"
    script.write_text("help play\n" + "1\n" * 80, encoding="utf-8")
    with script.open() as file:
        done = boneyard_anew(*QUICK, data=tmp_path / "d", typed=file)
    assert done.returncode == 0, done.stderr
    assert "play TILE [TRAIN]" in done.stdout
    assert "the game." in done.stdout


def test_the_end_of_the_input_leaves_politely(tmp_path):
    """At the end of its input, the program leaves the table."""
    told = spoken(*QUICK, "--plain", data=tmp_path / "d")
    assert "You have left the table." in told.splitlines()[-1]


def test_the_program_plays_on_by_itself_without_input(tmp_path):
    """With `--auto` the program plays a game to its end; `ACCESSIBLE` makes it print plain text."""
    told = spoken(*QUICK, "--auto", data=tmp_path / "d", ACCESSIBLE="1", NO_COLOR="1")
    assert "the game." in told
    assert "\x1b" not in told


def test_commands_are_answered_while_a_game_is_on(tmp_path):
    """Each command piped into a game gets an answer, and `quit` leaves."""
    text = "who\nboard\nhand sort\nscore\nrules\nrules blanks\nwhy draw\nfly\n1\nquit\n"
    told = spoken(*QUICK, "--plain", data=tmp_path / "d", text=text)
    for part in (
        "Your hand is sorted",
        "blanks",
        '"fly" is not a command here',
        "You have left the table.",
    ):
        assert part in told


def test_why_says_the_rule_that_was_broken_and_where_it_is_written(tmp_path):
    """A refusal says what is wrong, and `why` states the rule and cites its section."""
    text = "why\n5-5 m\nwhy\nwhy 5-5 m\nquit\n"
    told = spoken(*QUICK, "--seed", "2", "--plain", data=tmp_path / "d", text=text)
    refusal, rule = "You don't have 5=5.", "A tile you hold joins an open end"
    said = [line for line in told.splitlines() if refusal in line or rule in line]
    assert "No move was refused in this round." in told
    assert [line.endswith("Type why for the rule.") for line in said] == [True, False, False]
    assert [(refusal in line, "See §2.2 of the rules." in line) for line in said] == [
        (True, False),
        (False, True),
        (True, True),
    ]


def test_json_is_one_object_a_line_in_order(tmp_path):
    """With `--json` each line is one object; the objects are numbered, and a hello comes first."""
    told = spoken(*QUICK, "--json", data=tmp_path / "d", text="1\n" * 80)
    objects = [json.loads(line) for line in told.splitlines()]
    assert [each["seq"] for each in objects] == list(range(1, len(objects) + 1))
    assert objects[0] == {
        "type": "hello",
        "seq": 1,
        "format": 1,
        "version": version("boneyard-dominoes"),
    }
    first = {each["type"]: each for each in reversed(objects)}
    assert {"dealt", "scores"} <= {*first}
    assert [each["type"] for each in first["game-over"]["events"]] == ["RoundScored", "GameEnded"]
    assert all((first["turn"]["plays"], first["turn"]["hand"], first["played"]["text"]))


def test_the_c_locale_gets_ascii(tmp_path):
    """In the C locale all output is ASCII, and names lose their accents."""
    told = spoken(
        *QUICK,
        "--auto",
        "--plain",
        "--name",
        "Gül",
        data=tmp_path / "d",
        text="say hello\n",
        LC_ALL="C",
    )
    assert told.isascii()
    assert "Gul: hello" in told


@pytest.fixture
def interruptible():
    """Let SIGINT end child processes, even if a shell runs the tests in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_ends_with_130_and_no_traceback(tmp_path):
    """Ctrl-C ends the program with exit code 130, as shells expect, and without a traceback."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cli", "play", "--set", "6", "--plain"],
        cwd=ROOT,
        env=environment(BONEYARD_DATA=str(tmp_path / "d")),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        assert process.stdout is not None
        while "is dealt" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGINT)
        process.wait(timeout=WAIT_S)  # its input stays open, because its end would end the program
    finally:
        process.kill()
        told, errors = process.communicate()
    assert process.returncode == 130
    assert told.endswith("Come back with: boneyard resume\n")
    assert errors == ""


def test_a_reader_that_has_seen_enough_is_no_trouble():
    """If `head` closes the pipe, the program prints no traceback."""
    done = run("sh", "-c", f"{sys.executable} -m cli rules | head -n 1")
    assert done.stdout == " Rule sets:\n"
    assert done.stderr == ""


@pytest.mark.parametrize("mode", ["--plain", "--json"])
def test_lines_after_the_last_are_not_read(mode, tmp_path):
    """Lines after the one that leaves the table are ignored."""
    told = spoken(*QUICK, mode, data=tmp_path / "d", text="quit\nquit\nwho\n")
    assert told.count("You have left the table.") == 1
