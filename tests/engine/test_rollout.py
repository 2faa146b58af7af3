"""The fast path plays the same game as the plain one."""

from dataclasses import replace

import pytest

from engine.chance import seeded
from engine.ends import places
from engine.laying import draw_step, lay_step
from engine.moves import DrawTile, LayTile
from engine.plain import draw_plainly, lay_plainly
from engine.rollout import knows, rollout
from engine.rules import RuleSet
from engine.simulate import play_round
from engine.spec import make_spec
from engine.strategy import choose_any
from engine.switches import Branching, Bullet, Ties
from engine.table import Phase
from engine.turn import FRESH
from tests.engine.deals import dealt, spec_of

TABLES = [(6, 2), (6, 4), (9, 5), (12, 4), (12, 8), (15, 10), (18, 14)]


def left(played):
    """The tiles in the hands at the end, by seat."""
    return tuple(tuple(sorted(played.tiles[at] for at in held)) for held in played.table.hands)


@pytest.mark.parametrize(("pip_max", "seats"), TABLES)
@pytest.mark.parametrize("seed", [bytes([seed]) for seed in range(20)])
def test_rollout_agrees_with_play_round(pip_max, seats, seed):
    """The same octets give the same end, and the same octets are left, from any moment on."""
    table, tiles = dealt(spec_of(pip_max, seats), seed)
    plain, fast = seeded(seed), seeded(seed)
    played = play_round(table, tiles, [choose_any] * seats, plain)
    assert rollout(table, tiles, fast) == (played.table.outcome, left(played))
    assert plain(8) == fast(8)
    for before, _ in played.history[:: len(played.history) // 5]:
        rest = play_round(before, tiles, [choose_any] * seats, seeded(seed))
        assert rollout(before, tiles, seeded(seed)) == (rest.table.outcome, left(rest))


@pytest.mark.parametrize(("pip_max", "seats"), TABLES)
@pytest.mark.parametrize("rules", [{}, {"mexican_from": "first-turn", "continuous_draw": "yes"}])
def test_the_short_way_agrees_with_the_long_way(pip_max, seats, rules):
    """What is laid and drawn in one step comes out as it does step by step."""
    table, tiles = dealt(spec_of(pip_max, seats, **rules), b"short")
    played = play_round(table, tiles, [choose_any] * seats, seeded(b"short"))
    assert table.spec.plain_lays
    for before, move in played.history:
        if isinstance(move, LayTile):
            if not move.tile.is_double:
                assert lay_plainly(before, move) == lay_step(before, move)
            long = _by_stage(before)
            assert places(before).plain == long.plain
        elif isinstance(move, DrawTile):
            short, long = draw_plainly(before, move.seat), draw_step(before, move.seat)
            assert (short[0]._replace(turn=FRESH), short[1]) == (
                long[0]._replace(turn=FRESH),
                long[1],
            )


def _by_stage(table):
    """The places as the rules without a short way have them."""
    spec = table.spec
    slow = make_spec(replace(spec.rules, bullet=Bullet.YES), spec.pip_max, spec.seats, 1)
    assert not slow.plain_lays
    return places(table._replace(spec=slow))


def test_other_rules_are_played_by_the_plain_path():
    """What the fast path does not know it does not guess."""
    assert knows(RuleSet(deal=5, ties=Ties.SHARED))
    assert not knows(RuleSet(branching=Branching.CHICKEN_FOOT))
    table, tiles = dealt(spec_of(9, 3, branching="chicken-foot"))
    assert table.phase is Phase.PLAY
    played = play_round(table, tiles, [choose_any] * 3, seeded(b"branches"))
    assert rollout(table, tiles, seeded(b"branches")) == (played.table.outcome, left(played))
