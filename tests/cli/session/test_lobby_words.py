"""Lines that people type before a game in their own words, and what they do."""

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from cli.joining.habits import keep_new_name
from cli.scene import LobbyScene
from cli.session.answers import NOT_BEGUN, ONLY_HOST
from cli.session.loop import sit
from cli.session.stay import Anew, NextTableOffer
from cli.session.verbs.complete import complete, usable_words
from cli.session.verbs.orders import LevelBots
from cli.session.verbs.reading import parse
from cli.session.verbs.table import VERBS, is_no_name
from cli.session.verbs.verb import Where
from cli.settings.bots import BOTS
from engine.bots.levels import BotLevel
from netgame.io.door.codes import parse_code
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.peer.view import TableStage
from tests.cli.fakes import FakeFront, sitting_with
from tests.cli.joining.test_sitting_down import lobby
from tests.cli.players import free_port
from tests.cli.scenes import scene_after
from tests.cli.session.test_hosting import SEATS, WALNUT, told
from tests.cli.session.test_keys import ESC

CODE = parse_code("7-otter-violin")


async def typed(*lines: str, code=None, is_hidden=False, addresses=(), **facts):
    """Type these lines in the lobby of Ana's own table, with Ben and the bot Bix.

    Return the node, the front and the result of the session.
    """
    usual = {"is_host": True, "seats": SEATS, "settings": WALNUT, "own": OwnPlace.SEAT}
    node, front = lobby(**usual | facts), FakeFront(*lines)
    node.bots = [SimpleNamespace(key=b"Bix", folder=None)]
    node.door.code, node.is_hidden = code, is_hidden
    return (
        node,
        front,
        await sit(node, front, sitting_with(change=told, bots=BOTS, addresses=addresses)),
    )


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("rounds 2", ("rounds", "2")),
        ("SET 12", ("set", "12")),
        ("seats 3", ("seats", "3")),
        ("tiles 8", ("tiles", "8")),
        ("draws hidden", ("draws", "hidden")),
        ("blanks=0", ("blanks=0",)),
        ("blanks 0 rounds 2", ("blanks", "0", "rounds", "2")),
        ("bullet yes", ("bullet", "yes")),
        ("standard set 12", ("standard", "set", "12")),
        ("use double twelve dominoes", ("set", "12")),
        ("back to double twelve", ("set", "12")),
        ("opening whole train", ("opening", "whole", "train")),
        ("opening whole train rounds 2", ("opening", "whole-train", "rounds", "2")),
        ("we play a whole train to open", ("opening", "whole-train")),
        ("double blank is 50", ("blanks", "0-50")),
        ("the double blank counts 25 points", ("blanks", "0-25")),
        ("doble blanca vale 50", ("blanks", "0-50")),
    ],
)
async def test_the_name_of_a_setting_is_its_verb(line, words):
    """In a lobby, a host can change a setting by its name and value, without typing `change`.

    This is so even if the name means something else in a game. A guest is refused.
    """
    _, _, end = await typed(line)
    assert end == NextTableOffer(Anew(settings=told(WALNUT, words)))
    _, front, _ = await typed(line, is_host=False)
    assert ONLY_HOST in front.said


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("easy bots", "easy"),
        ("harder bots", "hard"),
        ("bots easier", "easy"),
        ("make the bots easier", "easy"),
    ],
)
def test_how_well_the_bots_play_is_said_in_a_sentence(line, level):
    """Each sentence is read as an order to set the level of all bots."""
    in_lobby = {verb.word for verb in VERBS if verb.where is not Where.GAME}
    assert parse(line, in_lobby) == LevelBots(level)


@pytest.mark.parametrize("count", [0, 1, 3])
async def test_bots_that_are_to_play_better_stay_as_many_as_they_are(count):
    """All bots are set to the level that the line names; if there is no bot, one is added."""
    bots = [SimpleNamespace(key=name.encode(), folder=None) for name in ("Bix", "Ada", "Cleo")]
    seats = tuple(each for each in SEATS if not each.bot)
    node, front = lobby(is_host=True, seats=seats, seats_offered=8), FakeFront("make the bots hard")
    node.bots = bots[:count]
    end = await sit(node, front, sitting_with(change=told, bots=BOTS))
    assert end.to.bots == (BotLevel.HARD,) * max(1, count)


@pytest.mark.parametrize(
    "line",
    [
        "the first player is me",
        "can we play a whole train to open",
        "we don't play a whole train to open",
        "double blank is 40",
    ],
)
async def test_a_line_that_orders_no_other_rules_changes_none(line):
    """A line changes no setting if it is a question or a negation, or names no valid value."""
    _, _, end = await typed(line)
    assert not isinstance(end, NextTableOffer)


async def test_a_setting_that_is_late_or_cannot_be_is_said_to_be():
    """In a game, the host reads that settings can be changed only before it begins.

    In a lobby, an impossible value is refused with the reason.
    """
    _, front, _ = await typed("rounds 2", "seats 4", stage=TableStage.PLAYING)
    assert front.said.count("You can do that only before the game begins.") == 2
    _, front, _ = await typed("seats 2", "set 7")
    assert any("2 seats are too few" in said for said in front.said)
    assert any("only one of: none, 6, 9, 12" in said for said in front.said)


async def test_a_setting_alone_is_explained():
    """The name of a setting, typed alone, gets an explanation of the setting.

    Only the host also reads how to change it.
    """
    _, front, end = await typed("blanks", "rounds")
    assert not isinstance(end, NextTableOffer)
    assert any("> 25-50:" in said for said in front.said)
    text = "Type rounds and a value: none or a whole number from 1 to 99."
    assert text in front.said
    _, front, _ = await typed("rounds", is_host=False)
    assert text not in front.said


async def test_the_sheet_of_another_rule_set_ends_with_how_to_play_it():
    """In a lobby, the sheet of a rule set is followed by what the host can type to play it.

    If the table already plays these rules, a sentence says so instead. In a game there is no such
    sentence.
    """
    for line in ("rules roundhouse", "roundhouse"):
        _, front, end = await typed(line)
        assert not isinstance(end, NextTableOffer)
        (at,) = (at for at, said in enumerate(front.said) if "The opening" in said)
        assert front.said[at].startswith("roundhouse:")
        assert front.said[at + 1] == "Type change roundhouse to play it."
    _, front, _ = await typed("rules Roundhouse", is_host=False)
    assert "The host can type change roundhouse to play it." in front.said
    _, front, _ = await typed("rules walnut", settings=told(WALNUT, ("walnut",)))
    assert "This table plays it." in front.said
    _, front, _ = await typed("rules roundhouse", stage=TableStage.PLAYING)
    assert not any("change roundhouse" in said for said in front.said)


@pytest.mark.parametrize("word", ["start", "go", "begin", "empezar"])
async def test_the_game_begins_by_more_than_one_word(word):
    """Each of these words asks to start the game, which only the host can do."""
    _, front, _ = await typed(word, is_host=False)
    assert "Only the host can start the game." in front.said


@pytest.mark.parametrize("is_hidden", [True, False])
async def test_a_host_with_bots_alone_is_asked_whether_the_game_begins(is_hidden):
    """A host who is alone with bots must type `start` twice, because others may still come.

    A practice game, which nobody can join, begins at once.
    """
    alone = {"seats": [each for each in SEATS if each.bot or each.name == "Ana"]}
    begun = ("begin", None)
    for seats, lines, begins in ((alone, 1, is_hidden), (alone, 2, True), ({}, 1, True)):
        node, front, _ = await typed(*["start"] * lines, is_hidden=is_hidden, **seats)
        assert (begun in node.asked) is begins
        asked = [each for each in front.said if each.startswith("Only bots sit here so far.")]
        assert len(asked) == (bool(seats) and not is_hidden)


@pytest.mark.parametrize(
    ("line", "levels"),
    [
        ("add bot", "normal"),
        ("add a bot", "normal"),
        ("add 2 bots", "normal normal"),
        ("add hard bot", "hard"),
        ("add bot Hard", "hard"),
        ("add 2 easy bots", "easy easy"),
        ("add easy,hard", "easy hard"),
        ("añadir un bot", "normal"),
    ],
)
async def test_a_bot_is_added_to_those_that_are_there(line, levels):
    """`add` keeps the bots at the table, with their names, and adds others of the given level."""
    node, _, end = await typed(line, seats_offered=8)
    bots = tuple(map(BotLevel, f"normal {levels}".split()))
    assert end == NextTableOffer(Anew(bots=bots, names=("Bix",)))
    assert f"now: {', '.join(each.value for each in bots)}." in node.asked[0][1]


async def test_a_bot_that_cannot_be_added_is_said():
    """If `add` cannot add the bots asked for, a sentence gives the reason, and nothing changes."""
    _, front, end = await typed(
        "add 2 bots", "add genius", "add", "add 99 bots", "add 9 easy", "add 0 bots"
    )
    assert not isinstance(end, NextTableOffer)
    assert any("4 seats are too few for 2 people and 3 bots" in said for said in front.said)
    assert any("cannot be 'genius'" in said for said in front.said)
    assert any("cannot be '99'" in said for said in front.said)
    assert "The table is like that already." in front.said
    assert any("add hard bot" in said for said in front.said)
    assert any("4 seats are too few for 2 people and 10 bots" in said for said in front.said)


@pytest.mark.parametrize("word", ["code", "invite", "código", "invitar"])
async def test_how_others_join_is_told_again(word):
    """`code` and its synonyms say how others can join, by join code and by address.

    A guest reads whom to ask for the join code. In a practice game the answer is how to host one
    that others can join.
    """
    where = ("192.168.1.4:4747",)
    facts = {"announces": True, "addresses": where}
    _, front, _ = await typed(word, code=CODE, **facts)
    assert f"The join code is {CODE}. Others type: boneyard join {CODE}" in front.said
    assert "Where that finds no table: boneyard join 192.168.1.4:4747" in front.said
    _, front, _ = await typed(word, is_open=True, **facts)
    assert "Nobody needs a join code here. Others type: boneyard join" in front.said
    _, front, _ = await typed(word, is_hidden=True)
    assert any("boneyard host" in said for said in front.said)
    _, front, _ = await typed(word, is_host=False, announcer=b"Ben")
    assert "Ask Ben for the join code: it is on the screen there." in front.said


async def test_nothing_is_said_of_tiles_where_nobody_holds_any():
    """In a lobby, no answer to a line that resembles a move mentions tiles.

    Most of the answers say that the game has not begun.
    """
    lines = (
        "play",
        "play x",
        "9-4 ben zoe",
        "9-",
        "[9",
        "hand 9-4 > x",
        "draw 9",
        "catch",
        "put 9-4",
    )
    for is_host in (True, False):
        _, front, _ = await typed(*lines, is_host=is_host)
        assert front.said.count(NOT_BEGUN) >= 5
        assert not any(re.search(r"\btiles?\b|such as|9-4 ", said) for said in front.said[:-1]), (
            front.said
        )


def test_who_only_watches_is_told_nothing_of_tiles():
    """The hint for an unknown line tells a player, but not a watcher, how to play a tile."""
    scene = scene_after(9, 4, 8)
    for place, tells in ((scene, True), (replace(scene, hand=None, sits=False), False)):
        found = parse("shove 9-4", usable_words(place))
        assert ("to play a tile" in found.hint) == tells


def test_tab_continues_the_name_of_a_setting_and_offers_its_values():
    """Tab completes names and values of settings for a host, but offers none on an empty line.

    A guest is offered none at all.
    """
    node = lobby(is_host=True, own=OwnPlace.SEAT)
    place = LobbyScene(node.view(), node.key)
    assert "rounds" in [each.text for each in complete("rou", place)]
    assert [each.text for each in complete("cover on", place)] == ["on-double"]
    assert "rounds" not in [each.text for each in complete("", place)]
    guest = lobby(is_host=False, own=OwnPlace.SEAT)
    assert complete("rou", LobbyScene(guest.view(), guest.key)) == ()


# ---- at real tables ---------------------------------------------------------------------------


def test_a_lobby_of_two_is_changed_in_short_words_and_begun(start):
    """A guest reads each change that the host makes, and sits down again after it.

    Both read that the game begins.
    """
    port = free_port()
    host = start("host", "--open", "--port", port)
    host.wait_for_prompt("Type start")
    guest = start("join", "--yes", f"127.0.0.1:{port}", name="Bob")
    host.wait_for_prompt("Bob sits down")
    for times, (line, told_text) in enumerate(
        (
            ("rounds 2", "The rules change: rounds 2"),
            ("set 9", "The rules change: set 9"),
            ("seats 4", "The rules change: seats 4"),
            ("add bot", "Bots at this table now: normal"),
        ),
        2,
    ):
        host.send(f"{line}\r")
        guest.wait_for(told_text)
        guest.wait_until(lambda at=times: guest.count("You sit down") == at)
        # Bob may be back before the host draws the new table, which then shows him
        host.wait_until(lambda at=times: host.count("fingerprint of each key") >= at)
        host.wait_for_prompt("Bob")
    host.send("code\r")
    host.wait_for("Nobody needs a join code here")
    host.send("go\r")
    for each in (host, guest):
        each.wait_for("The game begins")
        each.wait_for("Round 1 of 2|R1/2|Round 1/2")


def test_a_name_taken_in_a_lobby_holds_at_the_next_table(start, tmp_path):
    """A name taken in a lobby is used in the menu afterwards, and saved in the settings."""
    menu = start(name="")
    menu.wait_for_prompt("What is your name")
    menu.send("Ann\r")
    menu.wait_for_prompt("You are Ann")
    menu.send("2\r")
    menu.wait_for_prompt("Enter opens a table")
    menu.send("\r")
    menu.wait_for_prompt("Type start")
    menu.send("name Leo\r")
    menu.wait_for("You are now called Leo")
    menu.wait_for("Leo is your name at later tables, too.")
    menu.send("quit\rquit\r")
    menu.wait_for_prompt("You are Leo[.]")
    menu.send("quit\r")
    assert menu.exit_code() == 0
    kept = (tmp_path / "data0" / "config.toml").read_text()
    assert 'name = "Leo"' in kept.splitlines()


def test_a_variable_of_the_shell_that_comes_before_the_name_is_told(monkeypatch, tmp_path):
    """The sentence about a new name warns of an environment variable that overrides the name.

    If the settings file is broken, no name is saved.
    """
    monkeypatch.setenv("BONEYARD_DATA", str(tmp_path))
    monkeypatch.setenv("BONEYARD_NAME", "")
    assert keep_new_name("Leo") == "Leo is your name at later tables, too."
    monkeypatch.setenv("BONEYARD_NAME", "Ann")
    text = "But BONEYARD_NAME is set in this shell, and overrides the file."
    assert keep_new_name("Zoe").endswith(text)
    assert 'name = "Zoe"' in (tmp_path / "config.toml").read_text().splitlines()
    (tmp_path / "config.toml").write_text("no settings")
    assert "later tables" not in keep_new_name("Leo")


def test_all_rule_sets_are_listed_in_sight_when_asked_for(start):
    """`list` shows all rule sets at once in a window of 80 columns and 24 rows.

    Enter alone then opens a table with the standard rules.
    """
    menu = start(columns=80, rows=24)
    menu.wait_for_prompt("1 Play here against bots")
    menu.send("2\r")
    menu.wait_for_prompt("Enter opens a table with these rules")
    assert not menu.has("chickenfoot:")
    menu.send("list\r")
    menu.wait_until(lambda: menu.shows(" 1 standard:") and menu.shows("13 chickenfoot:"))
    assert menu.shows("Rule sets")
    menu.send(ESC)
    menu.wait_until(lambda: not menu.shows("13 chickenfoot:") and menu.prompts())
    menu.send("\r")
    menu.wait_for_prompt("Table: standard")
    menu.send("quit\rquit\r")
    menu.wait_for_prompt("7 Quit")


def test_the_words_of_a_lobby_are_no_names():
    """Words that are commands in a lobby are refused as names of players."""
    assert all(map(is_no_name, ("go", "begin", "add", "code", "invite", "código")))


async def test_a_program_at_the_table_keeps_no_name():
    """With `--auto` no name is saved, because the settings belong to a person."""
    kept = []
    for auto in (False, True):
        node, front = lobby(is_host=True, own=OwnPlace.SEAT, seats=SEATS), FakeFront("name Leo")
        node.bots = []
        await sit(
            node, front, sitting_with(auto=auto, keep_name=lambda name: kept.append(name) or "")
        )
    assert kept == ["Leo"]
