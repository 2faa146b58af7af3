"""Which trains the seat in turn may use while no double matters, and why not the others.

The rest of the engine asks only here and at `places`. A train is open, or shut for one reason; the
list of moves, the judge's refusals, the proofs' claims and the odds are all made of that. It reads
the public table only. [docs/rules.md §2.2, §3.1-§3.6, §4.2]
"""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from engine.refusals import RefusalReason
from engine.rules.switches import OpeningElsewhere
from engine.table.table import Table
from engine.table.trains import End, Train, TrainId
from engine.table.turn import TurnStage

Shut = RefusalReason | None
"""Why a train is shut; None where it is open."""


class Reach(Struct, frozen=True, gc=False):
    """By kind of train: why it is shut to the seat in turn, None where it is open.

    Its own trains are in no field, as only a double shuts them.
    """

    marked: Shut = None
    """The trains of other seats whose marker is up."""
    others: Shut = RefusalReason.PRIVATE_TRAIN
    """All other trains of other seats."""
    mexican: Shut = None
    """Mexican trains that have a tile."""
    unstarted: Shut = None
    """The Mexican train that has none."""


_ALL: Final = Reach()
_ALL_STARTED: Final = Reach(unstarted=RefusalReason.NOT_STARTED_YET)
"""Most turns have one of these: all trains are open, or all but one that is not started."""
_ARMS: Final = Reach(RefusalReason.NO_OWN_TRAINS, RefusalReason.NO_OWN_TRAINS)


def own_trains(table: Table, seat: int) -> tuple[TrainId, ...]:
    """The trains that are a seat's own; for partners, both ends of the one they share. [§2.5]

    The seat's comes first. Empty where all play on the arms of the hub. [docs/rules.md §4.3]
    """
    rules, seats = table.spec.rules, table.spec.seats
    if rules.mexican.arms:
        return ()
    if not rules.partners.is_yes:
        return (TrainId(seat),)
    return TrainId(seat), TrainId((seat + seats // 2) % seats)


def played_trains(table: Table) -> tuple[Train, ...]:
    """The trains on which tiles are laid: the arms alone, where nobody has a train. [§4.3]"""
    return table.mexican_trains if table.rules.mexican.arms else table.trains


def has_started(table: Table, seat: int) -> bool:
    """Whether the seat's own train has a tile, whoever laid it; False where all play on arms."""
    return any(table.trains[own].lays for own in own_trains(table, seat))


def owes_start(table: Table) -> bool:
    """Whether any duty would skip the seat in turn, by the rules until it has started. [§3.4]"""
    return table.rules.own_train_first.passes_duty and not has_started(table, table.to_move)


def may_start_mexican(table: Table) -> bool:
    """Whether the rules let the seat in turn start a Mexican train now. [docs/rules.md §4.2]

    Whether there is one to start, or a double to be covered first, is not asked.
    """
    if table.rules.mexican_from.needs_own:
        return has_started(table, table.to_move) and not table.turn.started
    return table.turns >= table.spec.seats or opens_on_mexican(table)


def opens_on_mexican(table: Table) -> bool:
    """Whether the first turn of the seat in turn may go to a Mexican train. [§4.2]"""
    first_turns = min(table.rules.mexican_from.first_turns, table.spec.seats)
    return table.turns < first_turns and not table.turn.at_once


def chooses_elsewhere(table: Table) -> bool:
    """Whether in this first turn a seat that could start its train may play elsewhere instead.

    False in the very first turn of a round, after all first turns, and in an opening of all at
    once.
    """
    if not 0 < table.turns < table.spec.seats or table.turn.at_once:
        return False
    return table.rules.opening_elsewhere is not OpeningElsewhere.NO


def opens_elsewhere(table: Table) -> bool:
    """Whether the first turn of the seat in turn may go to a public train. [docs/rules.md §3.6]

    Not once it has drawn for want of a start: then it starts with that tile, or not at all.
    """
    return chooses_elsewhere(table) and (not table.drawn or table.turn.stage is not TurnStage.START)


def reach(table: Table) -> Reach:
    """The reasons that shut trains to the seat in turn, while no double matters."""
    spec = table.spec
    rules = spec.rules
    first = table.turns < spec.seats
    if rules.mexican.arms:
        return _ARMS
    # `reach` is asked for at every move, and most rules shut nothing for the own train's sake
    if not (first or (rules.own_train_first.shuts_others and _owes_own_first(table))):
        waits = rules.mexican_from.needs_own and not may_start_mexican(table)
        return _ALL_STARTED if waits else _ALL
    mexican = marked = _shut_in_first(table) if first else RefusalReason.OWN_TRAIN_FIRST
    if first and opens_on_mexican(table):
        mexican = None
    # a first turn that may go elsewhere is told of the marker that is missing, not of the turn
    open_to_some = marked is None or marked is RefusalReason.START_NOT_HELD
    others = RefusalReason.PRIVATE_TRAIN if open_to_some else marked
    waits = not may_start_mexican(table)
    return Reach(marked, others, mexican, RefusalReason.NOT_STARTED_YET if waits else mexican)


def _owes_own_first(table: Table) -> bool:
    """Whether other trains are shut to the seat in turn, as its own has no tile. [§3.4]"""
    rules = table.rules
    return rules.own_train_first.shuts_others and not has_started(table, table.to_move)


def _shut_in_first(table: Table) -> Shut:
    """Why others' marked trains are shut in a first turn; else None. [docs/rules.md §3.1, §3.6]"""
    if _owes_own_first(table):
        return RefusalReason.OWN_TRAIN_FIRST
    if opens_elsewhere(table):
        return None
    if chooses_elsewhere(table):
        return RefusalReason.START_NOT_HELD
    mexican = opens_on_mexican(table)
    return RefusalReason.FIRST_TURN_MEXICAN if mexican else RefusalReason.FIRST_TURN


def why_shut_off(table: Table, train: Train) -> Shut:
    """Why this train is shut to the seat in turn while no double matters; None if it is open."""
    return _shut(reach(table), own_trains(table, table.to_move), train)


def _shut(reached: Reach, own: tuple[TrainId, ...], train: Train) -> Shut:
    if train.id in own:
        return None
    if train.id < 0:
        return reached.mexican if train.lays else reached.unstarted
    return reached.marked if train.marker else reached.others


def usual_ends(table: Table) -> tuple[End, ...]:
    """The ends open to the seat in turn while no double matters. [docs/rules.md §2.2]

    Each once, in the order of the table's trains.
    """
    reached = reach(table)
    own = own_trains(table, table.to_move)
    found: list[End] = []
    # the trains of a table stand in that order, so nothing is to be sorted
    for train in table.trains:
        if _shut(reached, own, train) is None:
            found += open_ends_of(train)
    return tuple(found)


def in_order(ends: Iterable[End]) -> tuple[End, ...]:
    """These ends, each once, in the order of the table's trains."""
    # Mexican trains have the numbers below 0, and come last
    return tuple(sorted(set(ends), key=lambda end: (end.train < 0, abs(end.train), end.on)))


def own_ends(table: Table, seat: int) -> list[End]:
    """The ends of the seat's own trains, as they have them; empty where all play on arms."""
    return [end for own in own_trains(table, seat) for end in table.trains[own].ends]


def open_ends_of(train: Train) -> tuple[End, ...]:
    """Every end of a train once, in the order of its lays."""
    return train.ends if len(train.ends) == 1 else tuple(sorted(set(train.ends)))
