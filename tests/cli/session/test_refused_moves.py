"""A program that chooses an illegal move says so in its exit code, whoever wins the game."""

import os
from contextlib import asynccontextmanager

import pytest

from cli.arguments.parser import build_parser, read_arguments
from cli.commands import learn, tables
from cli.exits import ExitCode
from cli.joining import evening
from cli.session.loop import sit
from cli.session.stay import GoTo, NextTableOffer, Rematch
from engine.bots.levels import BotLevel
from engine.table.moves import Pass
from netgame.io.tables import bot
from netgame.io.tables.options import HostOptions
from netgame.protocol.notices import Trouble, TroubleKind
from netgame.protocol.peer.status import lifetime
from tests.cli.fakes import FakeFront, FakeNode, sitting_with
from tests.cli.render.test_sheets import SETTINGS
from tests.cli.running import boneyard_here
from tests.cli.scenes import scene_after
from tests.cli.session.test_next_table import DOOR, GameIsOver

CODE = ExitCode.MOVE_REFUSED
GAME = ("play", "--set", "6", "--rounds", "1", "--auto", "--plain")
OWN = Trouble(TroubleKind.MOVE_REFUSED, ("not-your-tile",))
OF_BOT = Trouble(TroubleKind.MOVE_REFUSED, ("not-your-tile",), of_bot=True)
OPENS = {"play": ["play"], "join": ["join", DOOR], "resume": ["resume", "0123456789abcdef"]}
chosen = bot._chosen


@pytest.fixture
def wrong(monkeypatch):
    """Return the set of bot levels that always pass, legal or not; each test adds levels to it."""
    levels = set()

    def choose(view, table, level, *rest):
        move = yield from chosen(view, table, level, *rest)
        return Pass(view.seat) if level in levels else move

    monkeypatch.setattr(bot, "_chosen", choose)
    # a player who has left need not read the end
    monkeypatch.setattr(lifetime, "LEAVE_AFTER_S", 0.5)
    with open(os.devnull) as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        yield levels


@pytest.mark.parametrize("bots", ["easy", "easy,steady"])
def test_a_bot_of_this_program_ends_it_with_a_code_of_its_own(wrong, tmp_path, bots):
    """A bot's refused move is reported once, and the exit code is the one for refused moves.

    The record is kept.
    """
    wrong.add(BotLevel.EASY)
    done = boneyard_here(*GAME, "--bots", bots, data=tmp_path)
    assert done.returncode == CODE, done
    assert done.stdout.count("A bot of yours: The rules refuse the move") == 1
    assert done.stdout.count("The record is kept; check it again") == 1


def test_what_plays_a_seat_where_nobody_is_leaves_it(wrong, tmp_path):
    """With `--auto`, the program leaves the table after a refused move of its own.

    A person can resume the game.
    """
    wrong.add(BotLevel.NORMAL)
    done = boneyard_here(*GAME, "--bots", "easy", data=tmp_path)
    assert done.returncode == CODE, done
    assert done.stdout.count("The rules refuse the move") == 1
    assert done.stdout.endswith("You have left the table. Come back with: boneyard resume\n")


@pytest.mark.parametrize(("trouble", "auto"), [(OF_BOT, False), (OWN, True)])
async def test_a_person_at_the_table_stays(autojump_clock, trouble, auto):
    """After a move of the program is refused, a person at the table stays until they quit.

    The exit code then tells of the refused move.
    """
    node = FakeNode(scene_after(9, 4, 3))
    node.tell(trouble)
    front = FakeFront(30.0, "quit", "quit")
    assert await sit(node, front, sitting_with(auto=auto, stays=auto)) is CODE
    assert front.said[-1].startswith("You have left the table.")


@pytest.mark.parametrize("before", [False, True])
async def test_it_is_not_forgotten_at_the_next_table(autojump_clock, before):
    """The next table's session is told that a move was refused, at this table or an earlier one."""
    node = GameIsOver(host=True)
    if not before:
        node.tell(OF_BOT)
    end = await sit(node, FakeFront(1.0, "again"), sitting_with(was_refused=before))
    assert end == NextTableOffer(Rematch(4), was_refused=True)


@pytest.mark.parametrize("command", ["play", "join", "resume"])
@pytest.mark.parametrize("is_host", [False, True])
async def test_every_table_of_an_evening_hears_of_it(monkeypatch, command, is_host):
    """A refused move is reported to the next table and in the exit code, whatever the command."""
    heard = []

    @asynccontextmanager
    async def table(*_):
        node = GameIsOver(host=is_host or command == "play")
        node.port, node.bots, node.pool = 4747, [], None
        yield node

    async def sat(_node, _front, sitting):
        heard.append(sitting.visit.was_refused)
        to = Rematch(4) if is_host or command == "play" else GoTo(DOOR, b"Ben")
        return CODE if len(heard) == 2 else NextTableOffer(to, was_refused=True)

    @asynccontextmanager
    async def joined(*_):
        async with table() as node:
            yield node, "192.168.1.4:4747"

    for name, makes in {"host_table": table, "joined": joined, "resume_table": table}.items():
        monkeypatch.setattr(evening, name, makes)
    monkeypatch.setattr(evening, "sit", sat)
    options = read_arguments(OPENS[command])
    front, seat = FakeFront(), HostOptions(name="Ana", settings=SETTINGS)
    monkeypatch.setattr(evening, "opened_again", lambda *_: seat)
    if command == "play":
        code = await tables.host(front, options, seat)
    else:
        code = await (tables.join if command == "join" else tables.resume)(front, options)
    assert (code, heard) == (CODE, [False, True])


async def test_a_lesson_ends_with_it_too(monkeypatch):
    """If a bot's move is refused in a lesson, the lesson ends with the code for refused moves."""

    async def refused(*_):
        return CODE

    monkeypatch.setattr(learn, "sit", refused)
    front = FakeFront("")
    assert await learn.learn(front, "Ann") is CODE


def test_every_exit_code_is_listed():
    """`--help` lists every exit code at its end."""
    listed = build_parser().epilog.partition("Exit codes: ")[2]
    assert [int(each.split()[0]) for each in listed.split("; ")] == [*map(int, ExitCode)]
