"""House rules in a file: reading, writing, and one sentence for each mistake."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.choices.table import TABLE
from cli.exits import CommandFailed, ExitCode
from cli.house_rules.choice import TableChoice
from cli.house_rules.file import is_table_file, read_choice, save_choice, write_choice
from engine.rules.choose import RULE_SETS, RuleSet, parse_rules
from tests.cli.running import boneyard, boneyard_here, offered, printed

GRANDMA = """
name = "Grandma's table"
rules = "walnut"
set = 9
seats = 3
rounds = 2
[with]
blanks = "25-50"
tap-penalty = 0
bullet = true
"""


def written_file(tmp_path, text: str | bytes) -> str:
    """Write this text to a file, and return the file's name."""
    path = tmp_path / "grandma.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def complaint(tmp_path, text: str | bytes) -> str:
    """Return the complaint about a file with this text, without the file's name."""
    name = written_file(tmp_path, text)
    with pytest.raises(CommandFailed) as failed:
        read_choice(name)
    assert failed.value.code is ExitCode.BAD_FILE
    assert "\n" not in failed.value.sentence
    assert failed.value.sentence.isprintable()
    assert failed.value.sentence[-1] in ".?"
    return failed.value.sentence.removeprefix(f"{name}: ")


def test_a_file_names_preset_size_and_switches(tmp_path):
    """A file's rule set, sizes and switches are read, and its numbers and booleans become words."""
    choice = read_choice(written_file(tmp_path, GRANDMA))
    assert choice == TableChoice(
        "walnut",
        {
            "name": "Grandma's table",
            "set": "9",
            "seats": "3",
            "rounds": "2",
            "blanks": "25-50",
            "tap-penalty": "0",
            "bullet": "yes",
        },
    )


def test_a_change_that_is_taken_back_is_none():
    """A switch set back to its default no longer counts as a change."""
    changed = TableChoice().with_value("blanks", "0-50")
    assert changed.values == {"blanks": "0-50"}
    assert changed.with_value("blanks", "0") == TableChoice()


def test_an_empty_file_is_standard(tmp_path):
    """Every key may be left out, so an empty file means `standard`."""
    assert read_choice(written_file(tmp_path, "")) == TableChoice()


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("rulez = 9", "There is no setting 'rulez'; did you mean rules?"),
        ("zzz = 9", "There is no setting 'zzz'; see: boneyard rules."),
        (f"rounds = {'9' * 5_000}", "a number in it is far too long"),
        (f"rounds = 0x{'f' * 5_000}", "only none or a whole number from 1 to"),
        (f"name = 0x{'f' * 5_000}", "far too long"),
        (f"[with]\ndeal = 0x{'f' * 5_000}", "far too long"),
        (f"[with]\ndeal = {'9' * 4_200}", "or a whole number from 1 to 95."),
        ('"a\\u001bb" = 9', "There is no setting 'a\\x1bb'"),
        ("set = 7", "set cannot be 7, only one of: none, 6, 9, 12, 15, 18."),
        ("set = 9.0", "set cannot be 9.0, only one of"),
        ("set = true", "set cannot be True, only one of"),
        ("set = [9]", "set cannot be [9], only one of"),
        ("audit = 1", "audit cannot be 1, only one of: hands, keys."),
        ("deal = 0", "deal cannot be 0, only one of: none,"),
        ("deal = 'galt'\n[with]\ndeal = 7", "The key deal is given twice"),
        ("rules = 9", "rules cannot be 9, only one of: standard,"),
        ("rules = 'walnt'", "rules cannot be 'walnt'; did you mean walnut?"),
        ("name = 9", "name cannot be 9, only 1 to 60 letters."),
        (f"name = '{'x' * 61}'", "only 1 to 60 letters"),
        ("with = 9", "The key with is a table of switches"),
        ('[with]\n"a\\u001bb" = 9', "There is no setting 'a\\x1bb'; see: boneyard rules."),
        ("[with]\nblanks = [1]", "blanks cannot be [1], only one of: 0, "),
        ("[with]\nmarker-double = 'free'\ndouble-public = 'yes'", "exclude each other"),
        ("set 9", "Not valid TOML: "),
        ("set = 9\nset = 9", "Not valid TOML: "),
        (b"\xff", "This is not UTF-8 text."),
        ("#" * 70_000, "is longer than 65536 octets."),
        ("a = " + "[" * 9_000, "Not valid TOML"),
    ],
)
def test_a_mistake_is_one_sentence_that_names_the_key(tmp_path, text, part):
    """Each mistake in a file gets one sentence that tells the file's author what to change."""
    assert part in complaint(tmp_path, text)


@given(st.binary(max_size=200))
def test_no_file_whatever_is_more_than_a_sentence(tmp_path_factory, octets):
    """Any octets in a file give either a choice or a printable complaint."""
    path = tmp_path_factory.mktemp("any") / "x.toml"
    path.write_bytes(octets)
    try:
        told = repr(read_choice(str(path)))
    except CommandFailed as failed:
        told = failed.sentence
    assert told.isprintable()


NAMES = st.none() | st.sampled_from(["ours", 'He said "9"', "back\\slash", "Größe"])


@pytest.mark.campaign
@given(
    preset=st.sampled_from(list(RULE_SETS)),
    chosen=st.dictionaries(st.sampled_from(list(TABLE)), st.integers(0, 200), max_size=6),
    name=NAMES,
)
def test_what_is_written_is_read_back_the_same(tmp_path_factory, preset, chosen, name):
    """A file that the program writes is read back as the same choice."""
    choice = TableChoice(preset, {"name": name} if name else {})
    for key, number in chosen.items():
        words = [*TABLE[key].kind.sentences, str(number)]
        if TABLE[key].spelled(word := words[number % len(words)]) is not None:
            choice = choice.with_value(TABLE[key].key, word)
    if not isinstance(parse_rules(choice.preset, choice.switches), RuleSet):
        return
    path = tmp_path_factory.mktemp("round") / "ours.toml"
    save_choice(str(path), choice)
    assert read_choice(str(path)) == choice


def test_a_file_is_never_written_over(tmp_path):
    """Saving refuses to overwrite a file, and reports a path that it cannot write to."""
    path = str(tmp_path / "x.toml")
    save_choice(path, TableChoice())
    with pytest.raises(CommandFailed) as failed:
        save_choice(path, TableChoice("walnut"))
    assert "exists already" in failed.value.sentence
    with pytest.raises(CommandFailed) as failed:
        save_choice(str(tmp_path / "no" / "x.toml"), TableChoice())
    assert "Cannot write" in failed.value.sentence
    with pytest.raises(CommandFailed) as failed:
        save_choice(f"{path}/x.toml", TableChoice())
    assert "Cannot write" in failed.value.sentence


def test_files_are_told_from_presets_by_their_name():
    """A name with a path separator or the ending .toml means a file, and any other a preset."""
    assert is_table_file("grandma.toml")
    assert is_table_file("./grandma")
    assert not any(is_table_file(name) for name in RULE_SETS)


def test_a_host_plays_by_the_file_and_options_come_on_top(tmp_path):
    """`host` and `play` use the rules in a file, and options on the command line override them."""
    name = written_file(tmp_path, GRANDMA)
    plain = offered("host", "--rules", name)
    assert (plain.settings.preset, plain.settings.pip_max, plain.start_at) == ("walnut", 9, 3)
    assert plain.settings.switches == ("blanks=25-50", "tap-penalty=0", "bullet=yes")
    more = ["--set", "12", "--seats", "5", "--rounds", "1", "--with", "blanks=0-50"]
    changed = offered("host", "--rules", name, *more)
    assert (changed.settings.pip_max, changed.start_at, changed.settings.rounds) == (12, 5, 1)
    assert "blanks=0-50" in changed.settings.switches
    assert len(offered("play", "--rules", name).bots) == 2
    secret = written_file(tmp_path, 'draws = "hidden"\naudit = "keys"')
    typed = ["host", "--rules", secret, "--audit", "hands"]
    assert offered(*typed).settings.options == ("draws=hidden",)


def test_a_file_can_be_written_shown_and_played_by(tmp_path):
    """`rules --write` makes a file, `rules` shows its sheet, and `play --rules` plays by it."""
    path = tmp_path / "ours.toml"
    written = ("rules", "standard", "--write", path)
    told = printed(*written, "--with", "blanks=25-50", "--set", "6")
    assert str(path) in told
    sheet = printed("rules", path)
    assert sheet.startswith(" standard (double-6, 7 rounds)")
    assert "+  Each blank half" in sheet
    assert boneyard_here(*written).returncode == 2
    game = boneyard(
        "play",
        "--rules",
        path,
        "--bots",
        "1",
        "--rounds",
        "1",
        "--auto",
        "--plain",
        "--record",
        tmp_path / "game.record",
        data=tmp_path / "d",
    )
    assert game.returncode == 0, game.stderr
    notation = printed("replay", tmp_path / "game.record", "--notation")
    assert "with: blanks=25-50" in notation
    assert "set: 6" in notation


def test_a_file_names_who_plays_first(tmp_path):
    """A file may name the first player where the rules allow it, and the name is written back."""
    text = 'first-player = "Ann"\n[with]\nfirst = "chosen-rotate"\n'
    choice = read_choice(written_file(tmp_path, text))
    assert choice.values["first-player"] == "Ann"
    again = written_file(tmp_path, write_choice(choice))
    assert read_choice(again) == choice


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('first-player = "Ann"', "first=chosen-rotate lets you name somebody"),
        ("first-player = 1", "first-player cannot be 1, only 1 to"),
        ('first-playr = "Ann"', "did you mean first-player?"),
    ],
)
def test_a_first_player_that_cannot_be_is_one_sentence(tmp_path, text, says):
    """A first player is refused if the rules allow no choice or if it is not a name.

    A misspelt key gets a suggestion.
    """
    with pytest.raises(CommandFailed, match=says):
        read_choice(written_file(tmp_path, text))
