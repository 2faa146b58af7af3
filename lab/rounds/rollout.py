"""A round played on to its end by the quick policy, from any moment of its play."""

from collections.abc import Mapping
from typing import NamedTuple

from engine.bots.policy import play
from engine.bots.tables import played_out
from engine.bots.world import FastWorld, is_played_fast, world_of
from engine.bots.world_rules import WorldRules, world_rules
from engine.chance import Entropy
from engine.table.table import Outcome, Table
from engine.table.trains import Position
from engine.tiles import Tile


class RolloutEnd(NamedTuple):
    """How a round ended, and what is left in the hands, by seat."""

    outcome: Outcome
    hands: tuple[tuple[Tile, ...], ...]


def open_world(table: Table, tiles: Mapping[Position, Tile], rules: WorldRules) -> FastWorld:
    """The world of a table in play when every tile is known."""
    bits = rules.set.bits
    hands = [sum([bits[tiles[at]] for at in held]) for held in table.hands]
    world = world_of(table, hands, [tiles[at] for at in table.boneyard], rules)
    held = table.hands[table.to_move]
    world.drawn_bits = sum([bits[tiles[at]] for at in table.turn.drawn if at in held])
    return world


def rollout(table: Table, tiles: Mapping[Position, Tile], entropy: Entropy) -> RolloutEnd:
    """Play on to the end of the round when every tile is known.

    Rules that the world does not know are played by the house bot, on one table after another:
    five times slower. Octets are taken for that alone.
    """
    if is_played_fast(table):
        rules = world_rules(table.spec.rules, table.spec.pip_max)
        world = open_world(table, tiles, rules)
        play(world)
        assert world.outcome is not None
        return RolloutEnd(world.outcome, tuple(map(rules.set.tiles_of, world.hands)))
    table, outcome = played_out(table, tiles, entropy)
    left = [tuple(sorted(tiles[at] for at in held)) for held in table.hands]
    return RolloutEnd(outcome, tuple(left))
