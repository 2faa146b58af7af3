"""Every way to make a choice accepts the same words, and reports mistakes in the same way."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from cli.arguments.parser import read_arguments
from cli.choices.table import TABLE
from cli.exits import CommandFailed
from cli.house_rules.change import Changes
from cli.house_rules.choice import TableChoice, settings_for
from cli.house_rules.menu import Hosting, answered
from cli.settings.bots import BOTS
from cli.settings.chosen import read_settings
from cli.settings.declared import SETTINGS
from cli.settings.file import set_typed
from engine.rules.presets import PRESETS
from engine.rules.switches.endings import Blanks
from netgame.wire.messages import Settings
from tests.cli.running import offered

BASE = "walnut"
BLANKS = ", ".join(each.value for each in Blanks)
USUAL = settings_for(TableChoice(BASE))


def in_file(text: str) -> Settings:
    """Return the settings that a table file with this text offers.

    Raise CommandFailed for a bad file, with a sentence that leaves out the file's path.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ours.toml"
        path.write_text(f'rules = "{BASE}"\n{text}\n')
        try:
            return offered("host", "--rules", str(path)).settings
        except CommandFailed as failed:
            raise CommandFailed(failed.code, failed.sentence.removeprefix(f"{path}: ")) from None


def from_menu(line: str) -> Settings | str:
    """Return the settings after a line typed in the menu, or the answer if it is refused."""
    step = answered(Hosting(TableChoice(BASE)), line)
    assert step.state is not None
    return step.said or settings_for(step.state.choice)


def at(*words: str) -> Settings:
    """Return the settings that `host` offers with these words on its command line."""
    return offered("host", "--rules", BASE, *words).settings


WAYS = {
    "an argument": lambda name, word: at(f"--{name}", word),
    "--with": lambda name, word: at("--with", f"{name}={word}"),
    "a file": lambda name, word: in_file(f'{name} = "{word}"'),
    "[with] in a file": lambda name, word: in_file(f'[with]\n{name} = "{word}"'),
    "the menu": lambda name, word: from_menu(f"change {name} {word}"),
    "change": lambda name, word: Changes().changed(USUAL, (name, word)),
    "change, in one word": lambda name, word: Changes().changed(USUAL, (f"{name}={word}",)),
}
"""Every way to make a choice of a table in words."""

MEANT = [
    *(("target", word, {"switches": ("target=100",)}) for word in ("100", "0100")),
    *(("set", word, {"pip_max": 9, "seats": 8}) for word in ("9", "009")),
    *((name, "none", {}) for name in ("set", "seats", "rounds", "tiles", "deal")),
    *((name, "12", {"hand": 12, "seats": 7}) for name in ("tiles", "deal")),
    ("tiles", "galt", {"switches": ("deal=galt",), "seats": 8}),
    ("rounds", "00005", {"rounds": 5}),
    *(("audit", word, {"options": ("audit=keys",)}) for word in ("keys", "KEYS", "k")),
    ("audit", "hands", {}),
    ("patience", "vote", {"options": ("patience=vote",)}),
    *(("blanks", word, {"switches": ("blanks=25-50",)}) for word in ("25-50", "25")),
    *(("bullet", word, {"switches": ("bullet=yes",)}) for word in ("yes", "on", "TRUE", "y")),
    *(("bullet", word, {"switches": ("bullet=no",)}) for word in ("no", "off", "false")),
]

WRONG = [
    ("target", "0", "target cannot be '0', only none or a whole number from 1 to 999."),
    ("set", "7", "set cannot be '7', only one of: none, 6, 9, 12, 15, 18."),
    ("seats", "1", "seats cannot be '1', only none or a whole number from 2 to 14."),
    ("rounds", "5.0", "rounds cannot be '5.0', only none or a whole number from 1 to 99."),
    ("deal", "gald", "deal cannot be 'gald'; did you mean galt?"),
    ("audit", "2", "audit cannot be '2', only one of: hands, keys."),
    ("audit", "kyes", "audit cannot be 'kyes'; did you mean keys?"),
    ("blanks", "7", f"blanks cannot be '7', only one of: {BLANKS}."),
    ("bullet", "1", "bullet cannot be '1', only one of: no, yes."),
    ("blank", "0", "There is no setting 'blank'; did you mean blanks?"),
    (
        "cover",
        "on-double",
        "The switches several=chain and cover=on-double exclude each other: the tile after a "
        "double has to go on it. These go together: cover=on-double several=one; several=chain "
        "cover=anywhere-then-duty.",
    ),
]


@pytest.mark.parametrize("way", WAYS)
def test_a_choice_of_a_table_is_read_the_same(way):
    """Every way reads a choice alike, even in capitals, shortened or with leading zeros."""
    for name, word, facts in MEANT:
        offer = WAYS[way](name, word)
        assert isinstance(offer, Settings), offer
        assert offer == replace(USUAL, **facts), (name, word)


@pytest.mark.parametrize("way", WAYS)
def test_the_same_is_said_of_a_choice_that_cannot_be(way, capsys):
    """Every way refuses a wrong choice with the same sentence.

    The command line adds the dashes of the option and a hint to its help.
    """
    for name, word, sentence in WRONG:
        if way == "an argument" and name not in TABLE:
            continue
        try:
            said = WAYS[way](name, word)
        except CommandFailed as failed:
            said = failed.sentence
        except SystemExit:
            before = {"an argument": "--", "--with": "--with "}[way]
            said = capsys.readouterr().err.removesuffix(" See: boneyard host --help\n")
            said = said.removeprefix(before if sentence.startswith(name) else "")
        assert said == sentence


@pytest.mark.parametrize("typed", ["0", "2", "easy", "Hard,n"])
def test_bots_are_read_back_as_they_are_shown(typed):
    """The menu can read the words that it shows for a choice of bots, even for no bots."""
    assert BOTS.value(BOTS.word(typed)) == BOTS.value(typed)


def test_several_changes_are_judged_together():
    """`rounds` may be typed before or after a new `set` that allows more rounds than the old."""
    for words in (("rounds", "15", "set", "15"), ("set", "15", "rounds", "15")):
        found = Changes().changed(settings_for(TableChoice()), words)
        assert isinstance(found, Settings), found
        assert (found.pip_max, found.rounds) == (15, 15)


@pytest.mark.parametrize("words", [("rules", "Galt-1994"), ("GALT-1994",), ("rules=galt-1994",)])
def test_another_rule_set_is_a_choice_like_others(words):
    """A change may name another rule set, in any case, with or without the word `rules`."""
    found = Changes().changed(USUAL, words)
    assert isinstance(found, Settings), found
    assert found.preset == "galt-1994"


SET_WAYS = ("an argument", "config set", "a file", "a variable")


@pytest.mark.parametrize("way", SET_WAYS)
@pytest.mark.parametrize(
    ("key", "word", "value", "sentence"),
    [
        ("name", " Ben ", "Ben", ""),
        ("name", "draw", "", "name cannot be 'draw', only 1 to 20 letters, and no number or word"),
        ("name", "x" * 21, "", f"name cannot be '{'x' * 21}', only 1 to 20 letters"),
        ("pace", "0.25", 0.25, ""),
        ("pace", "0.0001", 0.0001, ""),
        (
            "pace",
            "61",
            0,
            "pace cannot be '61', only a number of seconds from 0 to 60, such as 2 or 0.5.",
        ),
        ("plain", "ON", True, ""),
        ("bell", "AL", SETTINGS["bell"].kind.read("all"), ""),
        ("bell", "tunr", 0, "bell cannot be 'tunr'; did you mean turn?"),
        ("language", "ES", "es", ""),
    ],
)
def test_a_setting_is_read_the_same(way, key, word, value, sentence, tmp_path, capsys):
    """A setting is read alike from an argument, `config set`, the file and a variable.

    A wrong value gets the same sentence everywhere.
    """
    environment = {"BONEYARD_DATA": str(tmp_path)}
    path, variable = tmp_path / "config.toml", f"BONEYARD_{key.upper()}"
    if way == "an argument" and key not in ("name", "pace"):
        return
    with patch.dict(os.environ, environment):
        os.environ.pop(variable, None)
        try:
            if way == "an argument":
                assert vars(read_arguments(["play", f"--{key}", word]))[key] == value
                return
            if way == "config set":
                set_typed(SETTINGS[key], word)
            elif way == "a file":
                path.write_text(f'{key.upper()} = "{word}"\n')
            else:
                os.environ[variable] = word
            told = read_settings()
            said = "".join(told.mistakes).removeprefix(f"{path}: ").replace(variable, key)
        except CommandFailed as failed:
            said = failed.sentence
        except SystemExit:
            said = capsys.readouterr().err.removeprefix("--")
    assert said.startswith(sentence)
    assert bool(said) == bool(sentence)
    assert sentence or told.found[key].value == value


def test_every_rule_set_makes_a_table_before_anybody_has_chosen_a_set():
    """If no set is chosen, it is double-12, or the largest set that the rule set deals from."""
    sets = {name: settings_for(TableChoice(name)).pip_max for name in PRESETS}
    others = {name: pip_max for name, pip_max in sets.items() if pip_max != 12}
    assert others == {"longana": 9, "maltese-cross": 6}
