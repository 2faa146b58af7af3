"""The fast path plays the same game as the plain one."""

from dataclasses import fields, make_dataclass, replace
from importlib import reload

import pytest

import lab.rounds.rollout as rollouts
from engine.rules import ruleset
from engine.rules.ruleset import RuleSet
from engine.table.table import RoundPhase
from lab.rounds.any_move import choose_any
from lab.rounds.rollout import FREE, plays_as_standard, rollout
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import play_round
from tests.engine.deals import dealt, spec_of
from tests.sliced import sliced

TABLES = [(6, 2), (6, 4), (9, 5), (12, 4), (12, 8), (15, 10), (18, 14)]


def left(played):
    """The tiles in the hands at the end, by seat."""
    return tuple(tuple(sorted(played.tiles[at] for at in held)) for held in played.table.hands)


@pytest.mark.parametrize(("pip_max", "seats"), TABLES)
@sliced("seed", [bytes([seed]) for seed in range(20)], 3)
def test_rollout_agrees_with_play_round(pip_max, seats, seed):
    """The same octets give the same end, and the same octets are left, from any moment on."""
    table, tiles = dealt(spec_of(pip_max, seats), seed)
    plain, fast = seeded(seed), seeded(seed)
    history = []
    played = play_round(table, tiles, [choose_any] * seats, plain, history)
    assert rollout(table, tiles, fast) == (played.table.outcome, left(played))
    assert plain(8) == fast(8)
    for before, _ in history[:: len(history) // 5]:
        rest = play_round(before, tiles, [choose_any] * seats, seeded(seed))
        assert rollout(before, tiles, seeded(seed)) == (rest.table.outcome, left(rest))


def test_other_rules_are_played_by_the_plain_path():
    """What the fast path does not know it does not guess."""
    assert plays_as_standard(spec_of(9, 3, deal="5", ties="shared").rules)
    assert not plays_as_standard(spec_of(9, 3, branching="chicken-foot").rules)
    table, tiles = dealt(spec_of(9, 3, branching="chicken-foot"))
    assert table.phase is RoundPhase.PLAY
    played = play_round(table, tiles, [choose_any] * 3, seeded(b"branches"))
    assert rollout(table, tiles, seeded(b"branches")) == (played.table.outcome, left(played))


def test_what_is_new_is_not_played_fast():
    """A value that is not the standard's is played by the plain path, of whatever switch."""
    assert plays_as_standard(RuleSet())
    for each in fields(RuleSet):
        changed = replace(RuleSet(), **{each.name: object()})
        assert plays_as_standard(changed) == (each.name in FREE)


def test_a_switch_that_is_added_is_not_played_fast(monkeypatch):
    """Every switch is asked but the named ones: one that is added here falls back by itself."""
    known = [(each.name, each.type, each.default) for each in fields(RuleSet)]
    wider = make_dataclass("Wider", [*known, ("fresh", str, "no")], frozen=True)
    with monkeypatch.context() as patched:
        patched.setattr(ruleset, "RuleSet", wider)
        fresh = reload(rollouts)
        assert fresh.plays_as_standard(wider())
        assert not fresh.plays_as_standard(wider(fresh="yes"))
    reload(rollouts)
