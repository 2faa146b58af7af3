"""Settings at the table: shown and changed as in the shell, and when a change takes effect."""

import tomllib

import pytest
from msgspec.structs import replace

from cli.input.readers import UsageError
from cli.joining.habits import own_habits
from cli.session.loop import sit
from cli.session.verbs.config import Config
from cli.session.verbs.questions import ArrangeHand
from cli.session.verbs.reading import parse
from cli.settings.declared import SETTINGS
from cli.settings.place import variable_of
from tests.cli.fakes import FakeFront, FakeNode, sitting_with
from tests.cli.running import boneyard, printed
from tests.cli.scenes import scene_after


@pytest.fixture
def settings(tmp_path, monkeypatch):
    """Return the path of the settings file of a player who has set nothing yet."""
    monkeypatch.setenv("BONEYARD_DATA", str(tmp_path))
    for key in SETTINGS:
        monkeypatch.delenv(variable_of(key), raising=False)
    return tmp_path / "config.toml"


def written(path):
    """Return the settings in the file."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


async def told(*lines):
    """Type these lines in the middle of a game; return the screen."""
    front, sitting = FakeFront(*lines), replace(sitting_with(), habits=own_habits())
    await sit(FakeNode(scene_after(9, 3, 8)), front, sitting)
    return front


@pytest.mark.parametrize(
    "line",
    ["config set sort value", "config sort value", "CONFIG sort=value", "ajustes sort value"],
)
async def test_the_order_of_the_hand_is_set_for_now_and_later(line, settings):
    """Each of these lines saves the order of the hand and applies it at once.

    It replaces an order that was chosen at this table.
    """
    front = await told("sort train", line, "sort")
    assert f"sort is now value: {settings}" in front.said
    assert front.said[front.said.index(f"sort is now value: {settings}") + 1] == "It acts at once."
    assert "Your hand is sorted with its longest train first." in front.said
    assert written(settings) == {"sort": "value"}
    ordered = [said for said in front.said if said.startswith("Your hand is sorted")]
    assert "longest train" in ordered[-1], "which follows on value"


async def test_other_changes_say_that_they_wait(settings):
    """A setting that is read only at the start takes effect at the next start.

    A player who changes it is told so.
    """
    front = await told("config bell off", "config get bell", "config unset bell", "config get bell")
    assert written(settings) == {}
    assert front.said.count("It acts when you next start Boneyard.") == 2
    assert [said for said in front.said if said in ("off", "turn")] == ["off", "turn"]


async def test_all_settings_or_one_are_shown(settings):
    """`config` shows all settings or one, as in the shell, and writes no file."""
    front = await told("config", "config show pace", "config get pace")
    assert any(all(key in said for key in SETTINGS) for said in front.said)
    assert any(said.startswith("pace is 0.4 (default). How long") for said in front.said)
    assert not settings.exists()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("config zzz", "There is no setting 'zzz'"),
        ("config bell loud", "bell cannot be 'loud', only one of: off, turn, all."),
        ("config set bell", "Type config, then a setting, then a value"),
        ("config get", "Type config, then a setting, then a value"),
    ],
)
async def test_a_slip_is_one_sentence(line, said, settings):
    """A mistake gets one sentence, and no file is written."""
    front = await told(line)
    assert any(each.startswith(said) for each in front.said), front.said
    assert not settings.exists()


def test_a_game_in_a_shell_writes_the_file_that_the_shell_reads(tmp_path):
    """A setting changed in a game is saved for the shell; a variable that overrides it is named."""
    typed = "config grace 3\nconfig bell off\nquit\nquit\n"
    game = ("play", "--plain", "--set", "6", "--bots", "1")
    said = boneyard(*game, data=tmp_path, text=typed, BONEYARD_BELL="all").stdout
    assert "It acts at once." in said
    assert "But BONEYARD_BELL is set in this shell" in said
    assert printed("config", "get", "grace", data=tmp_path) == "3\n"


def test_the_order_of_a_hand_has_one_word():
    """`sort` and its longer forms arrange the hand; `config sort` saves the order."""
    for line in ("sort value", "hand sort value", "hand value", "ordena value"):
        assert parse(line) == ArrangeHand("value")
    for line in ("sort", "hand sort", "sort my hand"):
        assert parse(line) == ArrangeHand("sort")
    assert parse("config sort value") == Config(("sort", "value"))


@pytest.mark.parametrize("line", ["hint; board", "draw;pass", "pass; hint", "plan; hand", "go; go"])
def test_several_commands_in_a_line_are_not_guessed_at(line):
    """Semicolons may separate tiles, but not commands, because a move cannot be taken back."""
    assert parse(line).hint.startswith("type one command a line")
    assert parse("9-5 m; done") == parse("9-5 m done")
    assert parse("9-5; 5-6") == parse("9-5, 5-6")
    assert parse("say one; two").text == "one; two"
    assert parse("hint;") == parse("hint")


def test_settings_are_shown_on_a_full_screen(start):
    """The settings are shown above the prompt, and a change to them acts at once."""
    game = start("play", "--set", "6", "--bots", "1", "--pace", "0")
    game.wait_for_prompt("Your turn")
    game.send("config\r")
    game.wait_for("Settings in ")
    game.send("\rconfig sort value\r")
    game.wait_for("It acts at once")


@pytest.mark.parametrize("line", [";", "; ;", "\ufeff;"])
def test_a_line_of_semicolons_is_no_command(line):
    """A line with nothing between its semicolons is a usage error."""
    assert isinstance(parse(line), UsageError)
