"""Every scenario is a proof of a rule, in words a domino player reads."""

from pathlib import Path

import pytest

from engine.legality import RefusalCode
from engine.notation import format_game, parse
from engine.referee import judge
from engine.rules import SWITCHES
from engine.written import GameText, MustRefuse

FOLDER = Path(__file__).parent.parent / "scenarios"
FILES = sorted(FOLDER.glob("*.txt"))


def read(path: Path) -> GameText:
    """A scenario, which must be readable."""
    game = parse(path.read_text(encoding="utf-8"))
    assert isinstance(game, GameText), game
    return game


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scenario_comes_out_as_written(path):
    """Legal actions are legal, `!` lines are refused with their code, `?` lines hold."""
    wrong = [verdict for verdict in judge(read(path)) if not verdict.ok]
    assert wrong == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scenario_survives_formatting(path):
    """`parse(format_game(game)) == game`."""
    game = read(path)
    assert parse(format_game(game)) == game


def test_there_is_a_scenario_for_every_switch():
    """Each value a switch may be set to is shown at work, deal tables apart."""
    shown = {pair for path in FILES for pair in read(path).switches}
    wanted = {
        (switch.name, value)
        for switch in SWITCHES.values()
        for value in switch.values
        if value != switch.default and switch.name != "deal"
    }
    assert wanted - shown == set()


def test_every_refusal_is_shown():
    """Each code of the rules played here is the expected answer of some `!` line."""
    lines = [line for path in FILES for played in read(path).rounds for line in played.lines]
    shown = {line.code for line in lines if isinstance(line, MustRefuse)}
    assert set(RefusalCode) - shown == set()
