"""The tiles that a seat denies holding when it draws or passes.

The denial leaves out tiles that the seat may lay but need not. [docs/rules.md §2.3, §3.1, §5.11]
"""

from msgspec.structs import replace

from engine.play.places import DOUBLE_BITS, ends_bits, places
from engine.play.playable import playable_bits
from engine.rules.ruleset import RuleSet
from engine.table.table import Table
from engine.table.trains import TrainId
from engine.table.turn import FRESH, TurnStage


def denied_bits(table: Table) -> int:
    """Return the bit set of the tiles that the seat to move denies holding by a draw or a pass.

    Return 0 once the tile that was owed is lost [§5.10]. After a draw, leave out doubles if a drawn
    double is laid by choice [§5.11].
    """
    if table.turn.stage is TurnStage.LOST:
        return 0
    return _bound_bits(table) & ~(DOUBLE_BITS if _chooses_double(table) else 0)


def held_bits(table: Table) -> int:
    """Return the bit set of the doubles that the seat must lay unless it drew them in this turn.

    The seat is the one to move. Return 0 unless it has drawn, and may keep a drawn double. No proof
    covers these doubles, because nobody else knows which tile the seat drew. [docs/rules.md §5.11]
    """
    return _bound_bits(table) & DOUBLE_BITS if _chooses_double(table) else 0


def _chooses_double(table: Table) -> bool:
    return table.drawn and by_choice(table.rules)


def denies_all(table: Table) -> bool:
    """Return True if a pass now denies every tile that it would deny at the start of a later turn.

    If it denies fewer, the seat may still hold a tile that it can lay next time. That can happen in
    a first turn, after a double that allows no second one, with a drawn tile that it may keep, or
    once the tile that was due is lost. [docs/rules.md §7.2]
    """
    # a shortcut: most passes come at the start of an ordinary turn
    usual = table.turn.stage is TurnStage.START and table.turns >= table.spec.seats
    if usual and not (places(table).unbound or _chooses_double(table)):
        return True
    again = replace(table, turn=FRESH, drawn=False, turns=max(table.turns, table.spec.seats))
    return not denied_bits(again) & ~denied_bits(table)


def _bound_bits(table: Table) -> int:
    """Return the bit set of the tiles that the seat to move must lay if it holds them.

    A tile is left out if it fits only trains that do not bind the seat, and so is any further
    double under `several=share`. [docs/rules.md §2.8, §3.1, §3.6, §5.8]
    """
    now = places(table)
    bits = playable_bits(table)
    if now.unbound:
        bits &= ends_bits(table, tuple(end for end in now.plain if binds(table, end.train)))
    if table.turn.doubles and table.rules.several.is_shared:
        bits &= ~DOUBLE_BITS
    return bits


def binds(table: Table, train: TrainId) -> bool:
    """Return True if the seat to move must lay a tile that fits this train.

    The train must be open to the seat.
    """
    return train not in places(table).unbound


def by_choice(rules: RuleSet) -> bool:
    """Return True if a seat may keep a double that it draws. [docs/rules.md §5.11]

    If it lays that double instead, it does not draw again to cover it.
    """
    return not (rules.drawn_double.draws_again or rules.cover.is_free_to_layer)
