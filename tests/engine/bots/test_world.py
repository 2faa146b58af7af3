"""The world that bots try things out on plays the same game as the table."""

from dataclasses import fields, make_dataclass, replace

import pytest

from engine.bots.known_rules import FREE, PLAYED, plays_fast
from engine.bots.policy import chosen, lay, without_lay
from engine.bots.world import CHAIN, HELD, MAY, STAGES, is_played_fast
from engine.bots.world_rules import world_rules
from engine.chance import below
from engine.play.apply import apply
from engine.play.legal_moves import legal_moves
from engine.rules.choose import RULE_SETS
from engine.rules.ruleset import RuleSet
from engine.rules.spec import TableSpec, make_spec
from engine.table.moves import Done, DrawTile, LayChain, LayTile, Pass, Tap
from engine.table.rounds import start_game
from engine.table.table import RoundPhase
from engine.table.trains import Seat, train_index
from engine.tiles import tile_bits
from lab.rounds.any_move import choose_any
from lab.rounds.rollout import open_world, rollout
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import deal, hand_of, play_round
from tests.engine.deals import spec_of

FAST = [name for name, rules in RULE_SETS.items() if plays_fast(rules)]
TABLES = [
    make_spec(RULE_SETS[name], pip_max, seats, 1)
    for name in FAST
    for pip_max, seats in ((9, 3), (12, 4), (12, 8))
]
SPECS = [spec for spec in TABLES if isinstance(spec, TableSpec)]
OTHERS = {
    "free": {"marker_double": "free", "marker_down": "any-play"},
    "many": {"mexican": "many", "mexican_from": "first-player", "several": "until-covered"},
    "share": {"several": "share", "draw": "until-playable"},
    "anywhere": {"cover": "anywhere", "several": "chain", "draw": "until-playable"},
    "must": {"last_double": "must-cover", "layer_miss": "draw-only", "duty_order": "last-played"},
    "optional": {"cover": "optional", "mexican": "none", "opening": "whole-train"},
    "covered": {
        "marker_down": "own-covered",
        "cover": "anywhere-then-duty",
        "several": "two-held",
        "last_double": "must-cover",
        "mexican_from": "own-started",
        "opening_miss": "draw-until",
    },
}


def test_most_presets_are_played_fast():
    """All but those that branch, or refuse what the world does not know."""
    assert set(RULE_SETS) - set(FAST) == {"wolf-lake", "masters-of-games"}


def in_play(spec, seed):
    """A table of a round whose hub is laid, and the tile of every position."""
    entropy = seeded(seed)
    while True:
        table, history = start_game(spec, Seat(0)), []
        tiles = deal(table, entropy)
        played = play_round(table, tiles, [choose_any] * spec.seats, entropy, history)
        for before, _ in history:
            if before.phase is RoundPhase.PLAY:
                return before, played.tiles


def assert_alike(world, table, tiles):
    """Every field of the world says what the table says."""
    assert world.outcome == table.outcome
    of = world.rules.set.of
    for seat, held in enumerate(table.hands):
        assert world.hands[seat] == of(tile_bits(tuple(tiles[at] for at in held)))
    if table.outcome is not None:
        return
    seats = table.spec.seats
    assert (world.seat, world.turns, world.drawn) == (table.to_move, table.turns, table.drawn)
    assert world.stage == STAGES[table.turn.stage]
    assert world.passed == table.passed
    assert world.unseen == of(table.unseen)
    numbers = [world.rules.set.bits[tiles[at]].bit_length() - 1 for at in table.boneyard]
    assert world.yard == numbers[::-1]
    assert world.ends == [train.ends[0].pip for train in table.trains]
    assert world.public == [train.marker or train.is_mexican for train in table.trains]
    assert world.started == [train.started for train in table.trains]
    assert world.owed == [train_index(seats, owed.train) for owed in table.owed]
    doubles = [train_index(seats, train) for train, _ in table.turn.doubles]
    assert world.doubles == doubles
    opened = [train_index(seats, train) for train, _ in table.aside.opened]
    assert world.opened == opened
    assert world.out == (-1 if table.aside.out is None else table.aside.out)
    assert world.began == table.turn.started


def assert_same_moves(world, table, moves):
    """What may be laid is the same, and so is what there is beside laying."""
    numbers = world.rules.set
    tiles = {move.tile for move in moves if isinstance(move, LayTile)}
    tiles |= {move.lays[0].tile for move in moves if isinstance(move, LayChain)}
    assert set(numbers.tiles_of(world.fitting())) == tiles
    plain, doubles = world.places()
    seats = table.spec.seats
    for move in moves:
        if isinstance(move, LayTile):
            assert train_index(seats, move.train) in (doubles if move.tile.is_double else plain)
    further = world.rules.shared and world.doubles
    bound = {tile for tile in tiles if not (further and tile.is_double)}
    assert any(isinstance(move, DrawTile) for move in moves) == (not bound and world.draw_due)
    may_end = (world.stage == MAY) or (world.stage == CHAIN)
    assert any(isinstance(move, Done) for move in moves) == may_end


def lay_of(world, table, tiles, number, at):
    """The move that lays this tile on that train."""
    tile, seat = world.rules.set.tiles[number], table.to_move
    train = table.trains[at]
    position = next(each for each in table.hands[seat] if tiles[each] == tile)
    far = world.rules.set.far[world.ends[at]][number]
    return LayTile(seat, position, tile, train.id, train.ends[0].on, tile.low + tile.high - far)


def pair_of(legal, double):
    """The first legal move that lays this double there together with its cover."""
    chains = [move for move in legal if isinstance(move, LayChain)]
    return next(
        move for move in chains if (move.lays[0].tile, move.train) == (double.tile, double.train)
    )


def lockstep(table, tiles, choice):
    """Play a round both ways; the moves of the one are those of the other."""
    rules = world_rules(table.rules, table.spec.pip_max)
    world = open_world(table, tiles, rules)
    moves = 0
    while table.outcome is None:
        seat = table.to_move
        legal = legal_moves(table, hand_of(table, tiles, seat))
        taps = [move for move in legal if isinstance(move, Tap)]
        if taps:
            table, _ = apply(table, taps[0])
            continue
        assert_alike(world, table, tiles)
        assert_same_moves(world, table, legal)
        number, at = choice(world)
        if number < 0:
            word = DrawTile if world.draw_due else Pass
            move = (Done if world.stage in (CHAIN, MAY) else word)(seat)
            without_lay(world)
            table, _ = apply(table, move)
        else:
            move = lay_of(world, table, tiles, number, at)
            lay(world, number, at)
            if world.stage == HELD:
                move = pair_of(legal, move)
                cover = move.lays[1]
                number = world.rules.set.bits[cover.tile].bit_length() - 1
                far = cover.tile.low + cover.tile.high - cover.joined
                lay(world, number, world.doubles[0] if move.back else at, far)
            table, _ = apply(table, move)
        moves += 1
    assert_alike(world, table, tiles)
    return moves


def any_lay(entropy):
    """A choice among all lays alike."""

    def choice(world):
        plain, doubles = world.places()
        numbers = world.rules.set
        fitting = world.fitting()
        lays = [
            (number, at)
            for number in range(len(numbers.tiles))
            if fitting >> number & 1
            for at in (doubles if numbers.doubles >> number & 1 else plain)
            if numbers.fits[world.ends[at]] >> number & 1
        ]
        if not lays or (world.stage in (CHAIN, MAY) and not below(entropy, 4)):
            return -1, -1
        return lays[below(entropy, len(lays))]

    return choice


@pytest.mark.parametrize("seed", [bytes([seed]) for seed in range(4)])
@pytest.mark.parametrize("spec", SPECS)
def test_world_agrees_with_the_table(spec, seed):
    """Under every preset that it knows, by the policy and at random, field by field."""
    table, tiles = in_play(spec, seed)
    assert is_played_fast(table)
    lockstep(table, tiles, chosen)
    lockstep(table, tiles, any_lay(seeded(seed)))


@pytest.mark.parametrize("seed", [bytes([seed]) for seed in range(8)])
@pytest.mark.parametrize("name", OTHERS)
def test_world_agrees_under_switches_of_no_preset(name, seed):
    """Values that presets leave out, alone and together."""
    table, tiles = in_play(spec_of(9, 4, 1, **OTHERS[name]), seed)
    assert is_played_fast(table)
    lockstep(table, tiles, chosen)
    lockstep(table, tiles, any_lay(seeded(seed)))


def test_what_is_not_listed_is_not_played_fast():
    """Each switch by itself: a value that is not listed falls back, and so does one unheard of."""
    usual = RuleSet()
    assert plays_fast(usual)
    for each in fields(RuleSet):
        assert plays_fast(replace(usual, **{each.name: object()})) == (each.name in FREE)
        for value in type(getattr(usual, each.name)):
            listed = PLAYED.get(each.name, (getattr(usual, each.name),))
            known = each.name in FREE or value in listed
            assert plays_fast(replace(usual, **{each.name: value})) == known


def test_a_switch_that_is_added_is_not_played_fast():
    """One that nobody has listed is played by its usual value only."""
    known = [(each.name, each.type, each.default) for each in fields(RuleSet)]
    wider = make_dataclass("Wider", [*known, ("fresh", str, "no")], frozen=True)
    assert plays_fast(wider())
    assert not plays_fast(wider(fresh="yes"))


@pytest.mark.parametrize("preset", RULE_SETS)
def test_rollout_ends_under_every_preset(preset):
    """Fast or slowly, the round ends, and nobody holds what the table does not say."""
    table, tiles = in_play(make_spec(RULE_SETS[preset], 12, 4, 1), b"preset")
    end = rollout(table, tiles, seeded(b"octets"))
    assert end.outcome is not None
    held = [tile for hand in end.hands for tile in hand]
    assert len(set(held)) == len(held)
    assert (end.outcome.seat is None) or not end.hands[end.outcome.seat]
