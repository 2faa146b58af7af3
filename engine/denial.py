"""What a draw or a pass denies: the tiles that its seat says it does not hold.

What is laid by choice is denied by nobody. [docs/rules.md §2.3, §3.1, §5.11]
"""

from engine.ends import (
    DOUBLE_BITS,
    OpenEnd,
    chains_now,
    ends_bits,
    own_ends,
    own_trains,
    places,
    playable_bits,
)
from engine.ruleset import RuleSet
from engine.switches import Cover, DrawnDouble, Opening
from engine.table import Table
from engine.trains import HUB
from engine.turn import FRESH, Stage


def denied_bits(table: Table) -> int:
    """Bit set of the tiles that the seat in turn denies to hold by a draw or a pass.

    Nothing once the tile that was owed is lost. [docs/rules.md §5.10]
    """
    if table.turn.stage is Stage.LOST:
        return 0
    return playable_bits(table) & ~free_after_draw(table)


def denies_all(table: Table) -> bool:
    """Whether a pass now denies all that its seat would have to lay if it were asked again.

    Not so after a double of this turn, which brings no further one, with a drawn tile that is
    laid by choice, or in a first turn, in which most trains are shut. [docs/rules.md §7.2]
    """
    again = table._replace(turn=FRESH, drawn=False, turns=max(table.turns, table.spec.seats))
    return not denied_bits(again) & ~denied_bits(table)


def free_after_draw(table: Table) -> int:
    """Bit set of playable tiles that a seat which has drawn need not lay.

    A double just drawn is laid by choice [docs/rules.md §5.11]; under a delayed opening so is
    the start of the own train [docs/rules.md §3.1].
    """
    if not table.drawn:
        return 0
    rules, free = table.spec.rules, 0
    if by_choice(rules):
        free |= DOUBLE_BITS
    if rules.opening is Opening.DELAYED and chains_now(table):
        elsewhere = tuple(end for end in places(table).plain if not _starts_own(table, end))
        free |= ends_bits(table, own_ends(table)) & ~ends_bits(table, elsewhere)
    return free


def by_choice(rules: RuleSet) -> bool:
    """Whether a drawn double is laid by choice, ends the turn and is owed by the others first."""
    return rules.drawn_double is DrawnDouble.NO_DRAW and rules.cover not in (
        Cover.LAYER_MAY,
        Cover.OPTIONAL,
    )


def _starts_own(table: Table, end: OpenEnd) -> bool:
    return end.on == HUB and end.train in own_trains(table, table.to_move)
