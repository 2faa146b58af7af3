"""docs/sources.md states, for each sentence of the sources, how the presets play it."""

import re
from functools import cache
from typing import NamedTuple

import pytest

from engine.notation.notation import parse
from engine.rules.choose import RULE_SETS, SWITCHES
from tests.tree import ROOT, SCENARIOS

TEXT = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")

PRESETS = {"Roundhouse": "roundhouse", "Walnut": "walnut", "Wolf Lake": "wolf-lake"}
"""The preset that plays each text as it is written."""

SHEETS = {"[4]": "parsons-1994", "[5]": "galt-1994", "[6]": "bauguess-2012"}
"""The rule sheets that the first text cites, and the presets that play them."""


class Row(NamedTuple):
    """A sentence of a source, with the rule made from it."""

    text: str
    says: str
    rules: str
    switches: tuple[tuple[str, str], ...]
    scenarios: tuple[str, ...]

    @property
    def is_variation(self) -> bool:
        """True if the sentence describes an alternative to the text's own rule."""
        return self.says.startswith("*or* ")


def rows() -> list[Row]:
    """Return every numbered sentence of docs/sources.md."""
    found, text = [], ""
    for line in re.sub(r"\n  (?=\S)", " ", TEXT).splitlines():
        if heading := re.fullmatch(r"### ([^:]+): .+", line):
            text = heading[1]
        elif row := re.fullmatch(r"- [\d.-]+ (.+): (§[^`]+)(.*)", line):
            says, rules, named = row.groups()
            words = re.findall(r"`([^`]+)`", named)
            switches = tuple(tuple(word.split("=")) for word in words if "=" in word)
            games = tuple(word for word in words if "=" not in word)
            found.append(Row(text, says, rules, switches, games))
    return found


ROWS = rows()


def shown_by(row: Row) -> list[str]:
    """Return the games of a row: those that it names, and those named after its switches."""
    patterns = [f"{game}.txt" for game in row.scenarios]
    for switch, value in row.switches:
        patterns += [f"{switch}--{value}*.txt", f"with-{switch}-{value}*.txt"]
        patterns += [f"deal--{value}-*.txt"] if switch == "deal" else []
    return [path.stem for pattern in patterns for path in SCENARIOS.glob(pattern)]


def test_every_sentence_is_shown_by_a_game():
    """Each game that a row names exists; a row that names none has games for its switches."""
    assert len(ROWS) >= 390
    for row in ROWS:
        assert shown_by(row), row
        assert set(row.scenarios) <= set(shown_by(row)), row


@cache
def game(scenario):
    """Return the parsed game of this scenario."""
    return parse((SCENARIOS / f"{scenario}.txt").read_text(encoding="utf-8"))


def value_of(preset: str, name: str) -> str:
    """Return a preset's value of a switch, as `with:` writes it."""
    value = getattr(RULE_SETS[preset], SWITCHES[name].field)
    return getattr(value, "value", str(value))


@pytest.mark.parametrize("text", PRESETS)
def test_a_preset_plays_what_its_text_says(text):
    """The preset has each value named by a sentence of its text that is not a variation."""
    said = {
        (name, value)
        for row in ROWS
        if row.text == text and not row.is_variation
        for name, value in row.switches
    }
    assert {pair for pair in said if value_of(PRESETS[text], pair[0]) != pair[1]} == set()


@pytest.mark.parametrize("text", PRESETS)
def test_a_preset_plays_nothing_that_its_text_does_not_say(text):
    """A preset differs from `standard` only in switches that sentences of its text name."""
    preset = PRESETS[text]
    said = {name for row in ROWS if row.text == text for name, _ in row.switches}
    changed = {n for n in SWITCHES if value_of(preset, n) != value_of("standard", n)}
    assert changed - said == set()


def cited(row: Row) -> list[str]:
    """Return the presets of the sheets that a row of the first text cites."""
    return [preset for mark, preset in SHEETS.items() if mark in row.says]


FIRST_TEXT = [row for row in ROWS if row.text == "First text"]


def test_the_first_text_is_played_by_the_sheets_it_cites():
    """Each sentence of the first text is played by the presets of the sheets it cites.

    If it cites none, `standard` plays it. Variations are exempt. Each cited preset has a game among
    those that the sentence names.
    """
    for row in FIRST_TEXT:
        presets = cited(row) or ["standard"]
        if not row.is_variation:
            allowed: dict[str, set[str]] = {}
            for name, value in row.switches:
                allowed.setdefault(name, set()).add(value)
            for name, values in allowed.items():
                assert all(value_of(preset, name) in values for preset in presets), row
        played_by = {game(name).rules for name in row.scenarios}
        assert set(cited(row)) <= played_by, row


@pytest.mark.parametrize("mark", SHEETS)
def test_a_sheet_is_played_as_the_first_text_tells(mark):
    """The sentences that cite a sheet name all its differences from `standard`."""
    preset = SHEETS[mark]
    told = {pair for row in FIRST_TEXT if mark in row.says for pair in row.switches}
    changed = {n for n in SWITCHES if value_of(preset, n) != value_of("standard", n)}
    assert {(name, value_of(preset, name)) for name in changed} - told == set()
