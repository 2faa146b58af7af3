"""A drawn screen can also be heard, in the sentences of the plain screen."""

import asyncio
import io
import re

import trio
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from cli.__main__ import main_here
from cli.exits import ExitCode
from cli.render.menu import Menu
from cli.screens.heard import HeardFront
from cli.screens.plain import table_sentences
from cli.session.frontend import TableShown
from cli.settings.place import ENVIRONMENT
from cli.streams import Streams
from cli.visible import served_by
from tests.cli.fakes import FakeFront
from tests.cli.running import environment
from tests.cli.scenes import with_plays


class Drawn(FakeFront):
    """A fake drawn screen that runs no event loop."""

    loop = None
    above = "a picture"


async def test_what_a_screen_is_told_is_said_as_the_plain_one_says_it():
    """Sentences, turns with their plays, menus and questions of a drawn screen are also heard."""
    heard, drawn = [], Drawn()
    front = HeardFront(drawn, heard.append)
    scene = with_plays(3)
    front.say("Ann\x1b[31m played.")
    front.tell(TableShown(scene))
    front.offer(Menu("Menu", ((1, "Play"),), "Foot"))
    front.ask("Leave?")
    told = [" ".join(each.split()) for each in table_sentences(scene, TableShown(scene).picture)]
    assert [" ".join(each.split()) for each in heard] == [
        r"Ann\u001b[31m played.", *told, "Menu", "1 Play", "Foot", "Leave?"
    ]  # fmt: skip
    assert told[-1].startswith("Your turn. You can play: 1, ")
    assert drawn.shown == [TableShown(scene)]
    with trio.fail_after(5):
        assert await front.next_line() == "quit"
    assert front.above == "a picture"


class Window(io.StringIO):
    """A text buffer that claims to be a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        """Return True, as for a terminal."""
        return True


def test_a_game_that_is_drawn_is_heard(tmp_path):
    """A drawn game is also heard, from its first sentence to the score, without escape codes."""
    heard, window = [], Window()
    words = ["play", "--auto", "--seed", "3", "--bots", "1", "--set", "6", "--rounds", "1"]

    async def run():
        output = Vt100_Output(window, lambda: Size(20, 60))
        with create_pipe_input() as typed, create_app_session(input=typed, output=output):
            return await main_here([*words, f"--data={tmp_path}"])

    before = ENVIRONMENT.set(environment(BONEYARD_DATA=str(tmp_path), BONEYARD_NAME="Zoe"))
    try:
        with served_by(Streams(window, window, window, lambda: (60, 20), heard.append)):
            assert asyncio.run(run()) == ExitCode.OK
    finally:
        ENVIRONMENT.reset(before)
    assert "\x1b[" in window.getvalue()
    told = "\n".join(heard)
    assert "\x1b" not in told
    for sentence in ("Practice game: standard", "Round 1 of 1 is dealt", "The fewest points win."):
        assert sentence in told
    assert re.search(r"^(You|\w+) played \d-\d on ", told, re.MULTILINE)
