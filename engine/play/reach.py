"""The trains open to the seat to move while no double matters, and the reasons that shut others.

The rest of the engine relies on this module and `places`. A train is open, or shut for one reason;
the list of moves, the judge's refusals, the proofs' claims and the odds all derive from that. This
module reads only the public table. [docs/rules.md §2.2, §3.1-§3.6, §4.2]
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
"""The reason why a train is shut; None if it is open."""


class Reach(Struct, frozen=True, gc=False):
    """For each kind of train, the reason why it is shut to the seat to move; None if it is open.

    The seat's own trains have no field, because only a double shuts them.
    """

    marked: Shut = None
    """The trains of other seats whose marker is up."""
    others: Shut = RefusalReason.PRIVATE_TRAIN
    """All other trains of other seats."""
    mexican: Shut = None
    """Mexican trains that have a tile."""
    unstarted: Shut = None
    """The Mexican train that has no tile."""


_ALL: Final = Reach()
_ALL_STARTED: Final = Reach(unstarted=RefusalReason.NOT_STARTED_YET)
"""Most turns have one of these two: only private trains are shut, or also the unstarted one."""
_ARMS: Final = Reach(RefusalReason.NO_OWN_TRAINS, RefusalReason.NO_OWN_TRAINS)


def own_trains(table: Table, seat: int) -> tuple[TrainId, ...]:
    """Return a seat's own trains; for partners, both ends of the train they share. [§2.5]

    The seat's own end comes first. Return () if all play on the arms of the hub. [§4.3]
    """
    rules, seats = table.spec.rules, table.spec.seats
    if rules.mexican.arms:
        return ()
    if not rules.partners.is_yes:
        return (TrainId(seat),)
    return TrainId(seat), TrainId((seat + seats // 2) % seats)


def played_trains(table: Table) -> tuple[Train, ...]:
    """Return the trains that take tiles: only the arms, if nobody has their own train. [§4.3]"""
    return table.mexican_trains if table.rules.mexican.arms else table.trains


def has_started(table: Table, seat: int) -> bool:
    """Return True if the seat's own train has a tile, whoever laid it; False with arms."""
    return any(table.trains[own].lays for own in own_trains(table, seat))


def owes_start(table: Table) -> bool:
    """Return True if the seat to move must start its own train before it may cover owed doubles.

    That is so under `own-train-first=always` while its train has no tile. [docs/rules.md §3.4]
    """
    return table.rules.own_train_first.passes_duty and not has_started(table, table.to_move)


def may_start_mexican(table: Table) -> bool:
    """Return True if the rules let the seat to move start a Mexican train now. [rules.md §4.2]

    This does not check whether there is one to start, or a double to cover first.
    """
    if table.rules.mexican_from.needs_own:
        return has_started(table, table.to_move) and not table.turn.started
    return table.turns >= table.spec.seats or opens_on_mexican(table)


def opens_on_mexican(table: Table) -> bool:
    """Return True if this is a first turn that may go to a Mexican train. [§4.2]"""
    first_turns = min(table.rules.mexican_from.first_turns, table.spec.seats)
    return table.turns < first_turns and not table.turn.at_once


def chooses_elsewhere(table: Table) -> bool:
    """Return True if a seat that can start its train may play elsewhere in this first turn.

    Return False in the very first turn of a round, after all first turns, and in a simultaneous
    opening.
    """
    if not 0 < table.turns < table.spec.seats or table.turn.at_once:
        return False
    return table.rules.opening_elsewhere is not OpeningElsewhere.NO


def opens_elsewhere(table: Table) -> bool:
    """Return True if this is a first turn that may go to a public train. [docs/rules.md §3.6]

    Return False once the seat has drawn because it could not start: then it must start with the
    drawn tile or not at all.
    """
    return chooses_elsewhere(table) and (not table.drawn or table.turn.stage is not TurnStage.START)


def reach(table: Table) -> Reach:
    """Return, for each kind of train, the reason that shuts it to the seat to move.

    Reasons that concern a double are not considered.
    """
    spec = table.spec
    rules = spec.rules
    first = table.turns < spec.seats
    if rules.mexican.arms:
        return _ARMS
    # a shortcut for speed: every move calls this, and after first turns most rules shut nothing
    if not (first or (rules.own_train_first.shuts_others and _owes_own_first(table))):
        waits = rules.mexican_from.needs_own and not may_start_mexican(table)
        return _ALL_STARTED if waits else _ALL
    mexican = marked = _shut_in_first(table) if first else RefusalReason.OWN_TRAIN_FIRST
    if first and opens_on_mexican(table):
        mexican = None
    # in a first turn that may go elsewhere, the reason is the missing marker, not the first turn
    open_to_some = marked is None or marked is RefusalReason.START_NOT_HELD
    others = RefusalReason.PRIVATE_TRAIN if open_to_some else marked
    waits = not may_start_mexican(table)
    return Reach(marked, others, mexican, RefusalReason.NOT_STARTED_YET if waits else mexican)


def _owes_own_first(table: Table) -> bool:
    """Return True if other trains are shut to the seat to move until it starts its own. [§3.4]"""
    rules = table.rules
    return rules.own_train_first.shuts_others and not has_started(table, table.to_move)


def _shut_in_first(table: Table) -> Shut:
    """Return why others' marked trains are shut in a first turn; None if open. [§3.1, §3.6]"""
    if _owes_own_first(table):
        return RefusalReason.OWN_TRAIN_FIRST
    if opens_elsewhere(table):
        return None
    if chooses_elsewhere(table):
        return RefusalReason.START_NOT_HELD
    mexican = opens_on_mexican(table)
    return RefusalReason.FIRST_TURN_MEXICAN if mexican else RefusalReason.FIRST_TURN


def why_shut_off(table: Table, train: Train) -> Shut:
    """Return why this train is shut to the seat to move while no double matters; None if open."""
    return _shut(reach(table), own_trains(table, table.to_move), train)


def _shut(reached: Reach, own: tuple[TrainId, ...], train: Train) -> Shut:
    if train.id in own:
        return None
    if train.id < 0:
        return reached.mexican if train.lays else reached.unstarted
    return reached.marked if train.marker else reached.others


def usual_ends(table: Table) -> tuple[End, ...]:
    """Return the ends open to the seat to move while no double matters. [docs/rules.md §2.2]

    Each is listed once, in the order of the table's trains.
    """
    reached = reach(table)
    own = own_trains(table, table.to_move)
    found: list[End] = []
    # `table.trains` has that order, so no sort is needed
    for train in table.trains:
        if _shut(reached, own, train) is None:
            found += open_ends_of(train)
    return tuple(found)


def in_order(ends: Iterable[End]) -> tuple[End, ...]:
    """Return these ends, each once, in the order of the table's trains."""
    # Mexican trains have ids below 0, and come last
    return tuple(sorted(set(ends), key=lambda end: (end.train < 0, abs(end.train), end.on)))


def own_ends(table: Table, seat: int) -> list[End]:
    """Return the ends of the seat's own trains, with repeats for branches; [] with arms."""
    return [end for own in own_trains(table, seat) for end in table.trains[own].ends]


def open_ends_of(train: Train) -> tuple[End, ...]:
    """Return every end of a train once, in the order of its lays."""
    return train.ends if len(train.ends) == 1 else tuple(sorted(set(train.ends)))
