"""What a draw or a pass denies: the tiles that its seat says it does not hold.

What is laid by choice is denied by nobody. [docs/rules.md §2.3, §3.1, §5.11]
"""

from typing import Final

from engine.play.ends import (
    DOUBLE_BITS,
    chains_now,
    ends_bits,
    opens_elsewhere,
    opens_on_mexican,
    owes_start,
    own_ends,
    own_trains,
    places,
)
from engine.play.playable import playable_bits
from engine.rules.ruleset import RuleSet
from engine.rules.switches import OthersTrains
from engine.struct import replace
from engine.table.table import Table
from engine.table.trains import HUB, End, TrainId
from engine.table.turn import FRESH, TurnStage

_MAY: Final = OthersTrains.MAY


def denied_bits(table: Table) -> int:
    """Bit set of the tiles that the seat in turn denies to hold by a draw or a pass.

    Nothing once the tile that was owed is lost. [docs/rules.md §5.10]
    """
    if table.turn.stage is TurnStage.LOST:
        return 0
    return playable_bits(table) & ~free_bits(table)


def held_bits(table: Table) -> int:
    """Bit set of the doubles that the seat in turn may keep only if it has drawn them just now.

    Which tile was drawn only its seat knows, so no proof speaks of them. [docs/rules.md §5.11]
    """
    if not table.drawn or not by_choice(table.spec.rules):
        return 0
    return playable_bits(table) & DOUBLE_BITS & ~_free_anyway(table)


def denies_all(table: Table) -> bool:
    """Whether a pass now denies all that its seat would have to lay if it were asked again.

    Not so after a double of this turn, which brings no further one, with a drawn tile that is
    laid by choice, or in a first turn, in which most trains are shut. [docs/rules.md §7.2]
    """
    usual = table.turn.stage is TurnStage.START and table.turns >= table.spec.seats
    if usual and not free_bits(table):
        return True
    again = replace(table, turn=FRESH, drawn=False, turns=max(table.turns, table.spec.seats))
    return not denied_bits(again) & ~denied_bits(table)


def free_bits(table: Table) -> int:
    """Bit set of playable tiles that the seat in turn need not lay.

    What has its only place on others' trains, where rules leave that to the seat [§2.8], or is
    played there in a first turn [§3.6]. A further double where several are shared out [§5.8]. After
    a draw a double just drawn, where it is laid by choice [§5.11], and under a delayed opening the
    start of the own train [§3.1].
    """
    free = _free_anyway(table)
    return free | DOUBLE_BITS if table.drawn and by_choice(table.spec.rules) else free


def _free_anyway(table: Table) -> int:
    """What the seat need not lay, whether it has drawn it just now or not."""
    rules, free = table.spec.rules, 0
    if leaves_others(table) or opens_elsewhere(table):
        mine = tuple(end for end in places(table).plain if binds(table, end.train))
        free |= ~ends_bits(table, mine)
    if table.turn.doubles and rules.several.is_shared:
        free |= DOUBLE_BITS
    if table.drawn and rules.opening.may_wait and chains_now(table):
        ends = [end for end in places(table).plain if binds(table, end.train)]
        elsewhere = tuple(end for end in ends if not _starts_own(table, end))
        free |= ends_bits(table, own_ends(table)) & ~ends_bits(table, elsewhere)
    return free


def leaves_others(table: Table) -> bool:
    """Whether the seat in turn need not lay on others' trains now. [docs/rules.md §2.8]

    An owed double has to be covered wherever it lies, and so has one of this turn.
    """
    if table.spec.rules.others_trains is not _MAY or table.turn.stage is not TurnStage.START:
        return False
    return not table.owed or owes_start(table)


def binds(table: Table, train: TrainId) -> bool:
    """Whether what fits this train has to be laid by the seat in turn."""
    mine = train in own_trains(table, table.to_move)
    if opens_elsewhere(table) and table.turn.stage is TurnStage.START and not table.owed:
        return mine or (train < 0 and opens_on_mexican(table))
    return mine or train < 0 or not leaves_others(table)


def must_follow(table: Table, train: TrainId) -> bool:
    """Whether a double that a held tile follows has to be laid on this train. [§7.6]"""
    start = table.drawn and table.spec.rules.opening.may_wait and chains_now(table)
    if start and train in own_trains(table, table.to_move):
        return False
    return binds(table, train)


def needs_own_start(table: Table, train: TrainId) -> bool:
    """Whether a lay on this train is for a seat only that could start its own. [§3.6]"""
    if not opens_elsewhere(table) or table.turn.stage is not TurnStage.START or table.owed:
        return False
    if train < 0 and opens_on_mexican(table):
        return False
    return train not in own_trains(table, table.to_move)


def by_choice(rules: RuleSet) -> bool:
    """Whether a drawn double is laid by choice, and its player draws nothing for it."""
    return not (rules.drawn_double.draws_again or rules.cover.is_free_to_layer)


def _starts_own(table: Table, end: End) -> bool:
    return end.on == HUB and end.train in own_trains(table, table.to_move)
