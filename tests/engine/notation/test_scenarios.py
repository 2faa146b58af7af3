"""The scenarios are judged as written, and show every switch, clash, preset and refusal."""

from dataclasses import replace
from functools import cache
from itertools import permutations, product
from pathlib import Path

import pytest

from engine.notation.game import GameText, Line, MustRefuse, WrittenDone
from engine.notation.notation import parse
from engine.notation.referee import LineVerdictKind, judge
from engine.refusals import RefusalCode
from engine.rules.choose import RULE_SETS, SWITCHES
from engine.rules.clashes import CLASHES
from tests.tree import SCENARIOS

FILES = sorted(SCENARIOS.glob("*.txt"))
SUBJECTS = sorted({path.stem.split("-")[0] for path in FILES})
"""The first words of the file names; a test for each game would take longer than judging it."""


def about(subject: str) -> list[Path]:
    """Return the scenarios whose names begin with this word."""
    return [path for path in FILES if path.stem.split("-")[0] == subject]


@cache
def read(path: Path) -> GameText:
    """Return a scenario, which must be readable."""
    game = parse(path.read_text(encoding="utf-8"))
    assert isinstance(game, GameText), game
    return game


@pytest.mark.parametrize("subject", SUBJECTS)
def test_scenarios_come_out_as_written(subject):
    """Legal actions are legal, `!` lines are refused with their code, and `?` lines are true."""
    for path in about(subject):
        wrong = [verdict for verdict in judge(read(path)) if not verdict.ok]
        assert wrong == [], path.stem


@pytest.mark.parametrize("subject", SUBJECTS)
def test_scenarios_survive_formatting(subject):
    """Parsing the formatted game gives the same game."""
    for path in about(subject):
        game = read(path)
        assert parse(str(game)) == game, path.stem


CHOICES = {name: switch.words() for name, switch in SWITCHES.items() if name != "deal"}
"""The values of every switch, except the deal."""

ALIKE = {("first", frozenset({"random-rotate", "chosen-rotate"}))}
"""Values that differ only in how the first seat was found, which a written game just names."""


def lines_of(game: GameText) -> list[Line]:
    """Return the lines of all rounds of a game."""
    return [line for played in game.rounds for line in played.lines]


def showing(name: str, value: str) -> list[GameText]:
    """Return the games that set a switch to this value and have a legal and a refused move."""
    return [
        game
        for path in FILES
        if (name, value) in (game := read(path)).switches
        and any(isinstance(line, WrittenDone) for line in lines_of(game))
        and any(isinstance(line, MustRefuse) and line.action for line in lines_of(game))
    ]


def told_apart(game: GameText, name: str, other: str) -> bool | None:
    """Return True if a game comes out differently with `other` as the value of a switch.

    Return None if the rules with that value allow no table.
    """
    switches = tuple((key, other if key == name else value) for key, value in game.switches)
    wrong = [verdict for verdict in judge(replace(game, switches=switches)) if not verdict.ok]
    no_table = bool(wrong) and wrong[0].kind is LineVerdictKind.TABLE
    return None if no_table else bool(wrong)


@pytest.mark.parametrize("name", CHOICES)
def test_every_value_has_a_legal_and_a_refused_move(name):
    """For each value of a switch, some game that sets it has a legal and a refused move."""
    for value in CHOICES[name]:
        assert showing(name, value), value


@pytest.mark.parametrize("name", CHOICES)
def test_every_value_makes_a_difference(name):
    """Some game comes out differently under any two values of a switch, except those in `ALIKE`.

    This does not apply if the other value allows no table in any of the games.
    """
    for value, other in permutations(CHOICES[name], 2):
        if (name, frozenset({value, other})) not in ALIKE:
            found = [told_apart(game, name, other) for game in showing(name, value)]
            assert any(found) or set(found) == {None}, (value, other)


def value_in(game: GameText, name: str) -> str:
    """Return the value of a switch in a game, from `with:` or its preset."""
    usual = getattr(RULE_SETS[game.rules], SWITCHES[name].field)
    return dict(game.switches).get(name, getattr(usual, "value", usual))


@pytest.mark.parametrize("clash", CLASHES, ids=lambda clash: f"{clash.one}, {clash.other}")
def test_every_clash_is_shown(clash):
    """docs/rules.md §8.2: for each pair of clashing values some scenario has a refused table."""
    refused = {
        (value_in(read(path), clash.one), value_in(read(path), clash.other))
        for path in FILES
        if path.stem.startswith("impossible") and read(path).rules in RULE_SETS
    }
    values = [[each.value for each in side] for side in (clash.ones, clash.others)]
    assert set(product(*values)) - refused == set()


def test_every_refusal_is_shown():
    """Each refusal code is expected by some `!` line."""
    lines = [line for path in FILES for line in lines_of(read(path))]
    shown = {line.code for line in lines if isinstance(line, MustRefuse)}
    assert set(RefusalCode) - shown == set()


def changed(preset: str) -> list[tuple[str, str]]:
    """Return each switch that a preset changes, except the deal, with its value in `standard`."""
    found = []
    for switch in SWITCHES.values():
        usual = getattr(RULE_SETS["standard"], switch.field)
        if switch.key != "deal" and getattr(RULE_SETS[preset], switch.field) != usual:
            found.append((switch.key, usual.value))
    return found


PRESET_SWITCHES = [(preset, name, usual) for preset in RULE_SETS for name, usual in changed(preset)]


@pytest.mark.parametrize(("preset", "name", "usual"), PRESET_SWITCHES)
def test_every_preset_shows_what_it_changes(preset, name, usual):
    """Some game of the preset comes out differently with the value of `standard`.

    This does not apply if that value allows no table in any of its games.
    """
    found = [
        judge(replace(game, switches=(*game.switches, (name, usual))))
        for path in FILES
        if (game := read(path)).rules == preset
        and name not in dict(game.switches)
        and any(isinstance(line, WrittenDone) for line in lines_of(game))
    ]
    assert found, f"no game of {preset}: tests/scenarios/preset--{preset}.txt"
    tables = [verdicts for verdicts in found if verdicts[0].kind is not LineVerdictKind.TABLE]
    assert not tables or not all(verdict.ok for verdicts in tables for verdict in verdicts)
