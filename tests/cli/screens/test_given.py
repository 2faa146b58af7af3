"""Commands in an event loop that already runs, with the streams of their caller."""

import asyncio
import io
import json
import signal
from functools import partial

import pytest
import trio
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from cli.__main__ import main_here
from cli.exits import ExitCode
from cli.settings.place import ENVIRONMENT
from cli.streams import Streams, can_draw, window
from cli.visible import served_by
from netgame.io.abilities import ABILITIES, Abilities
from netgame.io.disk.memory import IN_MEMORY, in_memory
from netgame.io.disk.on_disk import DiskStorage
from netgame.io.disk.store import DataFolder
from netgame.io.tables.kept import kept_games
from tests.cli.running import environment


class Page(io.StringIO):
    """A stream of the caller that claims to be a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        """Return True, as for a terminal."""
        return True


@pytest.fixture
def page(tmp_path, capfd):
    """Yield the stream that the caller gives to the program.

    Fail if anything is printed on the streams of the process.
    """
    page, typed = Page(), Page()
    before = ENVIRONMENT.set(environment(BONEYARD_DATA=str(tmp_path), BONEYARD_NAME="Zoe"))
    try:
        with served_by(Streams(typed, page, page, lambda: (60, 20))):
            yield page
    finally:
        ENVIRONMENT.reset(before)
    assert capfd.readouterr() == ("", "")


async def in_company(words):
    """Run a command beside another task; return its exit code and how often that task ran."""
    turns = 0

    async def others():
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    task = asyncio.create_task(others())
    try:
        return await main_here(words), turns
    finally:
        task.cancel()


def drawn_on(page, words, keys=""):
    """Run a command that draws, beside another task, and type `keys` at the caller's terminal.

    Return its exit code and how often the other task ran.
    """

    async def run():
        output = Vt100_Output(page, lambda: Size(20, 60))
        with create_pipe_input() as typed, create_app_session(input=typed, output=output):
            typed.send_text(keys)
            return await in_company(words)

    return asyncio.run(run())


def test_what_a_command_prints_goes_to_its_caller(page):
    """Output is wrapped to the width of the caller's window, and JSON can still be parsed."""
    assert asyncio.run(main_here(["rules", "blanks"])) == ExitCode.OK
    lines = page.getvalue().splitlines()
    assert lines
    assert max(map(len, lines)) < 60
    page.truncate(0)
    page.seek(0)
    assert asyncio.run(main_here(["rules", "--json", "blanks"])) == ExitCode.OK
    assert "blanks" in json.loads(page.getvalue())["switches"]


def test_a_complaint_goes_there_too(page):
    """A complaint goes to the caller, and the exit code is the one that a shell would get."""
    assert asyncio.run(main_here(["verify", "no-such-file"])) == ExitCode.NOT_FOUND
    assert page.getvalue().startswith("Cannot read no-such-file: No such file")


def test_the_window_is_the_callers(page):
    """The window has the size that the caller gives, and can be drawn on."""
    assert window() == (60, 20)
    assert can_draw()


def test_a_game_is_played_on_a_given_terminal_in_a_loop_that_is_there(page, tmp_path):
    """A game is drawn and ends while other tasks of the loop run.

    The handler of SIGINT is the same afterwards.
    """
    before = signal.getsignal(signal.SIGINT)
    words = ["play", "--auto", "--bots", "1", "--set", "6", "--rounds", "1"]
    code, turns = drawn_on(page, [*words, f"--data={tmp_path}"])
    assert (code, turns > 100) == (ExitCode.OK, True)
    assert "Practice game: standard" in page.getvalue()
    assert "\x1b[" in page.getvalue()
    assert signal.getsignal(signal.SIGINT) is before


def test_what_is_typed_comes_from_the_caller(page):
    """The program reads `quit`, the only way out of the menu, from the caller's terminal."""
    code, _ = drawn_on(page, [], keys="quit\r")
    assert code == ExitCode.OK
    assert page.getvalue()


def test_sentences_are_said_in_a_loop_that_is_there(page, tmp_path):
    """A game with `--plain` is also played in a loop that already runs, beside its other tasks."""
    words = ["play", "--auto", "--plain", "--bots", "1", "--set", "6", "--rounds", "1"]
    run = partial(in_company, [*words, f"--data={tmp_path}"])
    code, turns = asyncio.run(run())
    assert (code, turns > 100) == (ExitCode.OK, True)
    assert "Practice game: standard" in page.getvalue()
    assert "Round 1 of 1" in page.getvalue()


def test_a_place_that_can_only_compute_draws_and_plays_a_game(page, monkeypatch):
    """A game is played without threads, files or network, as in a browser.

    Commands that need a network fail and say so.
    """

    def fail(*_args, **_more):
        raise AssertionError("that cannot be done here")

    for module, name in ((trio.to_thread, "run_sync"), (trio, "open_tcp_listeners")):
        monkeypatch.setattr(module, name, fail)
    for verb in ("open", "lock", "replace", "remove", "create_folder"):
        monkeypatch.setattr(DiskStorage, verb, fail)
    nothing = dict.fromkeys(Abilities.__struct_fields__, False)
    before = ABILITIES.set(Abilities(**nothing))
    try:
        _play_and_be_refused(page)
    finally:
        ABILITIES.reset(before)


def _play_and_be_refused(page):
    """Play a game in memory; then ask for what needs a network, and read why it cannot be had."""
    words = ["play", "--auto", "--bots", "expert", "--set", "6", "--rounds", "1"]
    with in_memory():
        code, turns = drawn_on(page, [*words, f"--data={IN_MEMORY}"])
        assert (code, turns > 100) == (ExitCode.OK, True)
        assert "Practice game: standard" in page.getvalue()
        (game,) = kept_games(DataFolder(IN_MEMORY))
        assert game.notes.ended == "over"
        page.truncate(0)
        for words, said in (
            (
                ["host", "--plain", f"--data={IN_MEMORY}"],
                "Nobody can come to a table that is opened here",
            ),
            (["tables"], "Tables cannot be looked for from here"),
            (["doctor"], "A table cannot be hosted from here"),
        ):
            assert asyncio.run(main_here([*words])) == ExitCode.FAILED
            assert said in page.getvalue()
