"""A round played on to its end by the quick policy, from any moment of its play."""

from collections.abc import Mapping
from typing import NamedTuple

from engine.bots.policy import Rollout
from engine.table.table import Outcome, Table
from engine.table.trains import Position
from engine.tiles import Tile


class RolloutEnd(NamedTuple):
    """How a round ended, and what is left in the hands, by seat."""

    outcome: Outcome
    hands: tuple[tuple[Tile, ...], ...]


def rollout(table: Table, tiles: Mapping[Position, Tile]) -> RolloutEnd:
    """Play on to the end of the round when every tile is known."""
    end = Rollout(table, tiles)
    return RolloutEnd(end.play(), tuple(end.tiles()))
