"""Calls about the last tile: announcing it, and catching a seat that did not. [docs/rules.md §7.7]

Calls change hands, the boneyard and flags, never the seat to move.
"""

from collections.abc import Sequence
from operator import attrgetter
from typing import assert_never

from msgspec.structs import replace

from engine.play.places import closes_at_once
from engine.refusals import Refusal, RefusalReason
from engine.rules.switches import LastTile
from engine.table.events import Caught, Event, Tapped, TileDrawn
from engine.table.moves import Call, Catch, Quiet, Tap
from engine.table.table import Table, seat_after
from engine.table.trains import Seat, put
from engine.table.turn import InChain, InPlay, TurnStage


def calls_due(table: Table) -> tuple[Seat, ...]:
    """Return the seats that must make a call now, in seat order.

    They are all present seats if, in play, some seat may be caught. Otherwise return (), although a
    tap may still be allowed.
    """
    if not isinstance(table.now, InPlay) or not table.memory.silent:
        return ()
    return table.present


def offenders(table: Table) -> tuple[Seat, ...]:
    """Return the seats that may be caught with an unannounced last tile, in seat order.

    The phase does not matter.
    """
    return tuple(Seat(at) for at in range(table.spec.seats) if table.memory.silent >> at & 1)


def why_not_called(table: Table, move: Call) -> Refusal | None:
    """Return the refusal of a call, or None if it is allowed now.

    All calls are refused outside play, and from a seat that has left.
    """
    playing = isinstance(table.now, InPlay) and move.seat in table.present
    match move:
        case Quiet():
            may = playing
            reason = RefusalReason.NOTHING_TO_CALL
        case Catch(seat, offender):
            may = playing and offender in offenders(table) and offender != seat
            reason = RefusalReason.NOBODY_TO_CATCH
        case Tap(seat):
            may = playing and may_tap(table, seat)
            reason = RefusalReason.NO_TAP
        case _:
            assert_never(move)
    return None if may else Refusal(reason)


def may_tap(table: Table, seat: Seat) -> bool:
    """Return True if the seat may announce its last tile now; the phase is not checked.

    Return False if the rules have no such call. Depending on `last-tile`, a seat taps with one tile
    left, or in its turn before a lay that can leave one. In its own turn it taps at most once.
    """
    rules, held = table.rules, len(table.hands[seat])
    if seat == table.to_move and table.turn.tapped:
        return False
    match rules.last_tile:
        case LastTile.NONE:
            return False
        case LastTile.COURTESY:
            return held == 1 or (seat == table.to_move and held == 2)
        case LastTile.TAP:
            return held == 1 and not table.memory.tapped >> seat & 1
        case LastTile.BEFORE_PLAY:
            return seat == table.to_move and _may_leave_one(table)
        case _:
            assert_never(rules.last_tile)


def _may_leave_one(table: Table) -> bool:
    """Return True if the next play of the seat to move can leave it with one tile.

    This looks at the rules and at the number of tiles in the hand, not at the tiles.
    """
    rules = table.rules
    stage = table.turn.stage
    held = len(table.hands[table.to_move])
    chain = rules.opening.is_chain and (stage is TurnStage.START or isinstance(stage, InChain))
    # in the last plays a double and its cover are one move
    several = chain or rules.bullet.is_yes or closes_at_once(table)
    return held == 2 or (several and held > 2)


def call_step(table: Table, move: Call) -> tuple[Table, list[Event]]:
    """Return the table after a legal call, and the events.

    `Quiet` changes nothing and has no event. A tap with one tile left protects the seat from being
    caught; a tap by the seat to move is also noted in `Turn.tapped`. A caught seat draws its
    penalty, or as much of it as the boneyard has.
    """
    memory, bit = table.memory, 1 << move.seat
    match move:
        case Quiet():
            return table, []
        case Tap():
            if len(table.hands[move.seat]) == 1:
                memory = replace(memory, tapped=memory.tapped | bit, silent=memory.silent & ~bit)
            turn = table.turn
            turn = replace(turn, tapped=turn.tapped or move.seat == table.to_move)
            return replace(table, memory=memory, turn=turn), [Tapped(move.seat)]
        case Catch():
            return _caught(table, move)
        case _:
            assert_never(move)


def _caught(table: Table, move: Catch) -> tuple[Table, list[Event]]:
    seat = move.offender
    bit = 1 << seat
    count = min(int(table.rules.tap_penalty.value), len(table.boneyard))
    drawn = table.boneyard[:count]
    memory = replace(table.memory, silent=table.memory.silent & ~bit)
    if not count:
        # the seat still has only one tile, and now everybody knows
        memory = replace(memory, tapped=memory.tapped | bit)
    held = (*table.hands[seat], *drawn)
    events: list[Event] = [Caught(seat, move.seat, count)]
    events += [TileDrawn(seat, position) for position in drawn]
    after = replace(
        table,
        hands=put(table.hands, seat, held),
        boneyard=table.boneyard[count:],
        # its earlier pass says nothing about the tiles that it has drawn since [§7.2]
        passed=table.passed & ~bit if count else table.passed,
        memory=memory,
    )
    return after, events


def apply_calls(table: Table, calls: Sequence[Call]) -> tuple[Table, tuple[Event, ...]]:
    """Return the table after simultaneous calls, and the events.

    Each call must be legal on the table before all of them. If a seat taps while another catches
    it, the tap counts if the seat has just played, else the catch. If several seats catch the same
    one, the catch of the lowest seat counts. Taps apply first, then catches, each in seat order.
    The events are in the same order; a call without effect has none.
    """
    events: list[Event] = []
    by_seat = sorted(calls, key=attrgetter("seat"))
    caught = [call for call in by_seat if isinstance(call, Catch)]
    too_late = {catch.offender for catch in caught if not has_just_played(table, catch.offender)}
    told = [call for call in by_seat if isinstance(call, Tap) and call.seat not in too_late]
    in_time: list[Tap | Catch] = [*told, *caught]
    for call in in_time:
        if isinstance(call, Tap) or call.offender in offenders(table):
            table, said = call_step(table, call)
            events += said
    return table, tuple(events)


def call_by_itself(table: Table, seat: Seat) -> Call:
    """Return the call that the program makes for an unattended seat.

    It is a tap if the seat may be caught and may still tap. Otherwise the seat catches the first
    other seat that may be caught and has not just played. If there is none, the call is `Quiet`.
    """
    if seat in offenders(table) and may_tap(table, seat):
        return Tap(seat)
    for other in offenders(table):
        if other != seat and not has_just_played(table, other):
            return Catch(seat, other)
    return Quiet(seat)


def has_just_played(table: Table, seat: Seat) -> bool:
    """Return True if no turn has been played since that seat's own.

    That is so while it is the turn of the next present seat. Right after a simultaneous opening it
    is so for every seat.
    """
    seats = table.spec.seats
    together = table.rules.opening.is_at_once and table.turns == seats
    return together or seat_after(table, seat) == table.to_move
