"""People without a name who host or join at a terminal are asked for a name, once."""

import pytest

from cli.arguments.parser import COMMANDS, read_arguments
from cli.commands import tables
from cli.exits import CommandFailed, ExitCode
from cli.joining import person
from cli.settings.chosen import chosen
from cli.settings.declared import NAME
from netgame.io.tables.notes import note
from netgame.io.tables.options import ReachedBy
from tests.cli.house_rules.test_hosting import reader


@pytest.fixture
def comes(monkeypatch, tmp_path):
    """Return a function that runs a command and returns the name, and whether it was asked for."""
    monkeypatch.setenv("BONEYARD_DATA", str(tmp_path))
    monkeypatch.delenv("BONEYARD_NAME", raising=False)
    names = []

    async def sat(_front, options, *_table):
        names.append(person.own_name(options))
        return ExitCode.OK

    async def come(words, *lines, asks_back=True):
        front = reader(*lines)
        front.asks_back = asks_back
        monkeypatch.setattr(tables, "at_screen", lambda _options, main: main(front))
        await tables.run(read_arguments(words.split()))
        return names[-1], any("What is your name?" in said for said in front.said)

    for command in ("host", "join"):
        monkeypatch.setattr(tables, command, sat)
    return come


@pytest.mark.parametrize("line", ["host", "join", "host --wall"])
async def test_a_name_is_asked_for_once_and_kept(line, comes, monkeypatch):
    """A person without a name is asked for one, and the answer is kept for the next time.

    Somebody who gives a name, has set one or pipes lines in is not asked.
    """
    assert await comes(line, "Zoe") == ("Zoe", True)
    assert chosen(NAME) == "Zoe"
    assert await comes(line) == ("Zoe", False)
    assert await comes(f"{line} --name Bea") == ("Bea", False)
    monkeypatch.setattr(person, "chosen", lambda *_: "")
    _, is_asked = await comes(line, asks_back=False)
    assert not is_asked


@pytest.mark.parametrize("ended", ["left", "over"])
async def test_the_name_that_was_played_under_is_offered_again(ended, comes, tmp_path):
    """Enter takes the name last played under, which is offered instead of the login."""
    folder = tmp_path / "tables" / ("ab" * 32)
    folder.mkdir(parents=True)
    (folder / "record").touch()
    note(folder, name="Cy", begun=True, ended=ended)
    assert await comes("join", "") == ("Cy", True)


def test_a_wall_at_somebodys_table_is_nobodys(monkeypatch):
    """A wall that joins has the name "Wall", not the person's, unless `--name` is given."""
    monkeypatch.setenv("BONEYARD_NAME", "Zoe")
    assert person.own_name(read_arguments(["join", "--wall"])) == "Wall"
    assert person.own_name(read_arguments(["join", "--wall", "--name", "Hall"])) == "Hall"
    assert person.own_name(read_arguments(["host", "--wall"])) == "Zoe"


async def test_a_name_that_is_set_holds_at_once(monkeypatch, tmp_path):
    """A newly set name overrides the one in the environment at once."""
    monkeypatch.setenv("BONEYARD_DATA", str(tmp_path))
    monkeypatch.setenv("BONEYARD_NAME", "Root")
    person.keep_name(reader(), "Zoe")
    assert person.own_name(read_arguments(["play"])) == "Zoe"


async def test_whoever_would_rather_leave_opens_no_table():
    """`quit` at the question for a name ends the command, and is not taken for a name."""
    with pytest.raises(CommandFailed):
        await person.ask_name(reader("quit"))


async def test_a_command_is_not_taken_for_a_name(monkeypatch, tmp_path):
    """A command in place of a name gets an answer, and the name is asked for again."""
    monkeypatch.setenv("BONEYARD_DATA", str(tmp_path))
    front = reader("change set 9", "host", "Join 10.0.0.1:4747", "Zoe B")
    assert await person.ask_name(front, COMMANDS) == "Zoe B"
    for word in ("change", "host", "Join 10.0.0.1:4747"):
        begun = (line for line in front.said if f"name cannot be '{word}', only" in line)
        assert any("typed at a table. First, your name" in line for line in begun)


@pytest.mark.parametrize("line", ["I'm Rosa", "my name is Rosa", "Rosa.", "me llamo Rosa"])
async def test_a_name_is_taken_out_of_its_sentence(line, comes):
    """A name is taken out of the sentence that gives it, and is kept."""
    assert await comes("join", line) == ("Rosa", True)
    assert chosen(NAME) == "Rosa"


async def test_a_question_is_no_name(comes):
    """After a question in place of a name, the name is asked for again."""
    assert await comes("join", "which name?", "Rosa") == ("Rosa", True)


@pytest.mark.parametrize(
    ("notes", "asked"),
    [
        ({"name": "Eva", "begun": True}, False),
        ({"name": "Eva"}, False),
        ({"name": "Eva", "begun": True, "ended": "over"}, False),
        ({"name": "Eva", "begun": True, "reach": ReachedBy.COMPUTER}, True),
        ({"name": "quit", "begun": True}, True),
        ({"name": "Eva", "players": ("Ann",), "begun": True}, True),
    ],
    ids=["game", "lobby", "over", "practice", "no name", "watched"],
)
async def test_who_comes_back_is_known_by_name(notes, asked, comes, tmp_path):
    """A name that was used at a table with others is taken without a question.

    A person is asked if the name was used only for practice or for watching, or cannot be a name.
    """
    folder = tmp_path / "tables" / ("ab" * 32)
    folder.mkdir(parents=True)
    (folder / "record").touch()
    note(folder, **{"players": ("Ann", notes["name"])} | notes)
    assert await comes("join", "Zoe") == ("Zoe" if asked else "Eva", asked)
