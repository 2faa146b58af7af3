"""Which table a person means, and what they read if there is none."""

from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest
import trio
from msgspec.structs import replace

from cli.arguments.parser import read_arguments
from cli.commands import tables
from cli.exits import CommandFailed, ExitCode
from cli.joining import evening, search, ways
from tests.cli.fakes import view_of
from tests.cli.house_rules.test_hosting import reader
from tests.cli.joining.ads import ANN
from tests.cli.scenes import scenes_of

ZOE = replace(ANN, name="Zoe", table_id="cd" * 64, code_number=0)


@pytest.fixture
def network(monkeypatch):
    """Make every search find the same two tables."""

    async def find_tables(*_patience, **_how):
        return (ANN, ZOE)

    monkeypatch.setattr(search, "find_tables", find_tables)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("8-otter-violin", "No table here has a join code that begins with 8."),
        ("bnn", "Nobody called bnn has a table here."),
    ],
)
async def test_where_no_table_is_meant_those_that_are_there_are_offered(
    network, autojump_clock, wanted, said
):
    """If no table matches, a person chooses from a list of the tables that there are.

    In a script, or with `auto`, an error lists them instead.
    """
    front = reader("1")
    assert await search.find_table(front, wanted, auto=False) == (ANN, "")
    assert said in front.said
    assert any("1 Ann, standard double-12" in line for line in front.said)
    script = reader()
    script.asks_back = False
    for nobody, auto in ((script, False), (reader("1"), True)):
        with pytest.raises(CommandFailed) as failed:
            await search.find_table(nobody, wanted, auto=auto)
        assert said in failed.value.sentence
        assert "Ann, standard double-12" in failed.value.sentence


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("7-otter-violin", (ANN, "7-otter-violin")),
        ("7 Otter Violin", (ANN, "7-otter-violin")),
        ("the code is 7–otter–violin", (ANN, "7-otter-violin")),
        ("Zoe's table, please", (ZOE, "")),
        ("number 2", (ZOE, "")),
        ("the first one", (ANN, "")),
        ("zo", (ZOE, "")),
    ],
)
async def test_of_the_tables_offered_one_is_chosen_by_its_code_or_host_too(
    network, autojump_clock, line, found
):
    """After wrong answers, a join code, a host's name or a row chooses the table.

    A code is returned with its table.
    """
    front = reader("9", "8-otter-violin", "7-oter-violin", "nobody", line)
    assert await search.find_table(front, "8-otter-violin", auto=False) == found
    assert front.said.count("No table here has a join code that begins with 8.") == 2
    assert "'oter' is not a word of any join code; did you mean otter?" in " ".join(front.said)
    assert "Nobody called nobody has a table here." in front.said


def opens_after(monkeypatch, seconds, *tables):
    """Make a search find these tables only when `seconds` have passed."""
    opens_at = trio.current_time() + seconds

    async def find_tables(patience, **_how):
        await trio.sleep(min(patience, max(0.0, opens_at - trio.current_time())))
        return tables if trio.current_time() >= opens_at else ()

    monkeypatch.setattr(search, "find_tables", find_tables)


@pytest.mark.parametrize("wanted", [None, "ann", "7-otter-violin"])
async def test_who_is_early_waits_for_the_host_and_reads_for_how_long(
    monkeypatch, autojump_clock, wanted
):
    """A guest who comes before the host waits and reads for how long; a script gives up sooner."""
    waits = "No table is open yet. Looking for 117 seconds more; Ctrl-C leaves."
    opens_after(monkeypatch, 90.0, ANN)
    front = reader()
    assert await search.find_table(front, wanted, auto=False) == (ANN, "")
    assert front.said == ["Looking for a table on this network ...", waits]
    opens_after(monkeypatch, 90.0, ANN)
    script = reader()
    script.asks_back = False
    began = trio.current_time()
    with pytest.raises(CommandFailed) as failed:
        await search.find_table(script, wanted, auto=False)
    assert "Once its host has opened it, type boneyard join again" in failed.value.sentence
    assert trio.current_time() - began == pytest.approx(search.JOIN_PATIENCE_S, abs=1.0)
    assert waits not in script.said


async def test_nobody_waits_who_finds_a_table_or_is_to_choose_one(monkeypatch, autojump_clock):
    """If a table is open, it is found or a list is shown without any waiting."""
    for wanted, found in ((None, ANN), ("ann", ANN), ("bnn", ZOE)):
        opens_after(monkeypatch, 0.0, found)
        front = reader("1")
        assert await search.find_table(front, wanted, auto=False) == (found, "")
        assert not any("No table is open yet" in said for said in front.said)


async def test_a_game_in_play_is_found_before_anybody_is_told_to_wait(monkeypatch, autojump_clock):
    """If no table is named and none is open, a game in play is found without waiting."""
    playing = replace(ANN, phase="playing")
    opens_after(monkeypatch, 0.0, playing)
    front = reader()
    assert await search.find_table(front, None, auto=False) == (playing, "")
    assert front.said == ["Looking for a table on this network ..."]


def test_a_table_that_is_announced_by_two_keys_is_told_with_its_key():
    """A table announced by two keys is shown with its key, and with all addresses of that key."""
    twin = replace(ANN, fingerprint="twintwin")
    assert search.ad_sentence(replace(ANN, others=(twin,))).startswith("Ann (key eh7ddx5b), ")
    assert search.ad_sentence(replace(twin, others=(ANN,))).startswith("Ann (key twintwin), ")
    copied = search.ad_sentence(replace(ANN, others=(replace(ANN, port=1), twin)))
    assert copied.startswith("Ann (key eh7ddx5b), ")
    assert copied.endswith(" at 10.0.0.1:4747 or 10.0.0.1:1"), "one of them is hers"


def test_a_table_of_this_computer_alone_says_so():
    """A loopback address, which nobody else can reach, is marked "on this computer"."""
    here = replace(ANN, addresses=("127.0.0.1",))
    assert search.ad_sentence(here).endswith("at 127.0.0.1:4747 on this computer")
    there = replace(ANN, addresses=("fd00::7",))
    assert search.ad_sentence(there).endswith("at [fd00::7]:4747")


def test_a_code_of_another_table_is_not_tried_at_the_one_that_was_chosen():
    """A code with another table's number is dropped, because the door would count it as a guess."""
    for code, kept in (("8-otter-violin", ""), ("7-otter-violin", "7-otter-violin")):
        for words in ([code], ["ann", "--code", code]):
            assert search.code_of(read_arguments(["join", *words]), ANN) == kept
    options = read_arguments(["join", "--code", "8-otter-violin", "10.0.0.1:4747"])
    assert search.code_of(options, "10.0.0.1:4747") == "8-otter-violin"


def lets_in(monkeypatch, asks):
    """Make every table run `asks`, then admit the guest and end at once."""

    @asynccontextmanager
    async def join_table(seat, where):
        await asks(seat, where)
        scene = next(iter(scenes_of("walnut", 1)))
        facts = {"key": b"k", "name": "Zoe", "folder": None, "page_address": ""}
        yield SimpleNamespace(view=lambda: view_of(scene), **facts)

    async def sit(*_):
        return ExitCode.OK

    monkeypatch.setattr(ways, "join_table", join_table)
    monkeypatch.setattr(evening, "sit", sit)


async def test_a_code_of_another_table_leads_there_from_the_prompt(network, monkeypatch):
    """The number in a typed code leads to its table, and the code is not asked for twice."""
    came = []

    async def asks(seat, where):
        came.append((where, seat.code))
        if where == ZOE:
            await seat.ask_code(12, "")

    lets_in(monkeypatch, asks)
    options = read_arguments(["join", "--yes"])
    front = reader("7-otter-violin")
    assert await tables.join(front, options, ZOE) is ExitCode.OK
    assert came == [(ZOE, ""), (ANN, "7-otter-violin")]
    assert "Asking for a seat at Ann's table." in front.said


@pytest.mark.parametrize(
    ("waits", "first"),
    [
        (True, "Looking for your game, and for the others who play it ..."),
        (False, "Asking for a seat at 10.0.0.1:4747."),
    ],
)
async def test_a_player_who_comes_back_asks_for_no_seat(monkeypatch, waits, first):
    """If a game waits at the table, `join` says the same as `resume`.

    Otherwise it says that it asks for a seat.
    """

    async def asks(*_):
        return

    lets_in(monkeypatch, asks)
    monkeypatch.setattr(tables, "waits_at", lambda _data, where: waits and "10.0.0.1" in where)
    front = reader()
    options = read_arguments(["join", "10.0.0.1:4747", "--yes"])
    assert await tables.join(front, options) is ExitCode.OK
    assert front.said == [first, "You are back at the table. Catching up …"]


async def test_a_code_of_no_table_is_left_to_the_door(network, autojump_clock):
    """A code that matches no known table is passed on: the host may have drawn a new one since."""
    assert await search.ask_code(reader("8-otter-violin"), 12, "") == "8-otter-violin"


async def test_a_join_code_is_taken_out_of_what_is_said_of_it():
    """A join code may be typed within a sentence, and a sentence may ask to go back instead."""
    for line in ("the code is 7-otter-violin", "7 OTTER violin", "it's 7–otter–violin, I think"):
        assert await search.ask_code(reader(line), 7, "") == "7-otter-violin"
    with pytest.raises(CommandFailed):
        await search.ask_code(reader("take me back, please"), 7, "")
