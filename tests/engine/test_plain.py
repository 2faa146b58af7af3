"""The short way of the commonest rules makes the same moves and tables as the long way."""

from dataclasses import replace

import pytest

from engine.bots import choose_any
from engine.chance import seeded
from engine.play.apply import apply
from engine.play.legality import legal_moves, why_illegal
from engine.table.moves import LayTile
from engine.table.turn import Turn
from engine.tiles import TILES
from lab.rounds.whole_games import hand_of, play_round
from tests.engine.deals import dealt, spec_of

TABLES = [(6, 2), (6, 4), (9, 5), (12, 8), (18, 14)]
RULES = [
    {},
    {"mexican_from": "first-turn", "continuous_draw": "yes"},
    {"mexican_from": "own-started", "last_double": "must-cover"},
    {"mexican": "none", "draw": "until-playable"},
    {"opening_miss": "marker", "marker_empty": "pass", "marker_layer": "own-train"},
]


def the_long_way(table):
    """The same table, whose moves are made without the short way."""
    spec = replace(table.spec)
    object.__setattr__(spec, "plain_lays", False)
    return table._replace(spec=spec)


def what_counts(told):
    """A table and its events, but for what was drawn in the turn, which only other rules ask."""
    table, events = told
    turn = Turn(table.turn.stage, doubles=table.turn.doubles)
    return table._replace(turn=turn), events


def lays_of(table):
    """Every tile on every end, from a held position, and some that no table has."""
    seat = table.to_move
    position = table.hands[seat][0]
    places = {(train.id, end.on) for train in table.trains for end in train.ends}
    for tile in TILES[:: 1 + len(TILES) // 60]:
        for train, on in sorted(places):
            for joined in {*tile, tile.low + 1}:
                yield LayTile(seat, position, tile, train, on, joined)
        for train in (len(table.trains), -3):
            yield LayTile(seat, position, tile, train, -1, tile.low)
        yield LayTile(seat, -1, tile, seat, -1, tile.low)


@pytest.mark.parametrize(("pip_max", "seats"), TABLES)
@pytest.mark.parametrize("rules", RULES)
def test_the_short_way_agrees_with_the_long_way(pip_max, seats, rules):
    """Lists, judgements, tables and events are equal at every move of whole rounds."""
    for seed in (b"one", b"two"):
        table, tiles = dealt(spec_of(pip_max, seats, **rules), seed)
        assert table.spec.plain_lays
        played = play_round(table, tiles, [choose_any] * seats, seeded(seed))
        for step, (before, move) in enumerate(played.history):
            long, hand = the_long_way(before), hand_of(before, tiles, before.to_move)
            assert legal_moves(before, hand) == legal_moves(long, hand)
            assert what_counts(apply(before, move)) == what_counts(apply(long, move))
            if step % 7 == 0 and before.hands[before.to_move]:
                for lay in lays_of(before):
                    assert why_illegal(before, lay) == why_illegal(long, lay)


@pytest.mark.parametrize(
    "rules",
    [
        {"own_train_first": "elsewhere"},
        {"marker_double": "free"},
        {"last_tile": "courtesy"},
        {"cover": "optional"},
        {"wild_blanks": "yes"},
    ],
)
def test_other_rules_go_the_long_way(rules):
    """What the short way does not know is not asked of it."""
    assert not spec_of(6, 4, **rules).plain_lays
