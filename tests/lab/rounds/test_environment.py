"""The environment sketched in `docs/research.md` plays rounds."""

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from engine.rules.choose import RULE_SETS
from engine.rules.spec import make_spec
from lab.rounds.seeds import pick, seeded
from tests.engine.deals import spec_of
from tests.tree import ROOT

PAGE = ROOT / "docs" / "research.md"


@pytest.fixture(scope="module")
def sketch():
    """Run the Python code of the page, and return the names that it defines."""
    code = re.search(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)[1]
    defined = {}
    exec(compile(code, str(PAGE), "exec"), defined)
    return SimpleNamespace(**defined)


def played(game):
    """Play a round at random; return the number of moves made."""
    chance, made = seeded(b"actions"), 0
    while (view := game.observe()) is not None:
        game.step(pick(chance, view.legal))
        made += 1
    return made


@pytest.mark.parametrize("preset", RULE_SETS)
def test_a_round_of_every_preset_ends(preset, sketch):
    """A round ends, and somebody has points unless it is called off."""
    spec = make_spec(replace(RULE_SETS[preset], deal=5), 6, 3, 1)
    game = sketch.Round(spec, preset.encode())
    assert played(game) > 0
    assert game.table.outcome is not None
    assert game.table.is_called_off or sum(game.points()) != 0


def test_points_are_what_the_hands_hold(sketch):
    """Under the standard rules points are the pips of the tiles left."""
    game = sketch.Round(spec_of(6, 3), b"points")
    played(game)
    left = [[game.tiles[at] for at in held] for held in game.table.hands]
    assert any(left)
    assert list(game.points()) == [sum(tile.low + tile.high for tile in held) for held in left]


def test_the_same_seed_plays_the_same_round(sketch):
    """The same seed deals and plays the same round; a different seed deals different tiles."""
    one, same, other = (sketch.Round(spec_of(6, 3), seed) for seed in (b"one", b"one", b"other"))
    assert one.tiles == same.tiles != other.tiles
    assert played(one) == played(same)
    assert one.table == same.table


def test_an_agent_sees_its_own_hand_only(sketch):
    """Exchanging tiles that the seat does not hold changes nothing that it observes."""
    game = sketch.Round(spec_of(6, 3), b"hidden")
    before = game.observe()
    hidden = [at for at in game.tiles if at not in game.table.hands[before.seat]]
    mixed = dict(zip(hidden, (game.tiles[at] for at in reversed(hidden)), strict=True))
    assert mixed.items() - game.tiles.items()
    game.tiles |= mixed
    assert game.observe() == before
