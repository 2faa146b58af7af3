"""Seats of a written game that leave for good in the middle of a round. [docs/rules.md §7.11]

The table does what it does among peers: the boneyard is shuffled anew with the leavers' tiles and
the round goes on, or it is given up. What they forfeit counts either way.
"""

from dataclasses import replace

from engine.play.leavers import leave, void_round
from engine.refusals import Refusal, RefusalReason
from engine.table.table import RoundPhase
from engine.table.trains import Seat
from engine.table.turn import TurnStage
from engine.written.game import Action
from engine.written.position import WrittenPosition, with_reshuffled


def has_left(here: WrittenPosition, action: Action) -> Refusal | None:
    """Why a seat may do nothing any more, if it has left. [docs/rules.md §7.11]"""
    seat = here.names.index(action.seat)
    if not here.table.aside.gone >> seat & 1:
        return None
    return Refusal(RefusalReason.HAS_LEFT, (("seat", seat),))


def depart(here: WrittenPosition, action: Action) -> tuple[WrittenPosition, Refusal | None]:
    """The game without who leaves; unchanged, and why, where that is refused."""
    seats = [Seat(here.names.index(name)) for name in (action.seat, *action.together)]
    refusal = _why_not(here, seats, redeal=action.redeal)
    if refusal is not None:
        return here, refusal
    if action.redeal:
        table = void_round(here.table, seats)
        return replace(here, table=table, said={}, bullet=None), None
    after = replace(here, table=leave(here.table, seats))
    return (with_reshuffled(after) if after.table.reshuffle is not None else after), None


def _why_not(here: WrittenPosition, seats: list[Seat], *, redeal: bool) -> Refusal | None:
    table = here.table
    gone = [seat for seat in seats if seat not in table.present]
    if gone:
        return Refusal(RefusalReason.HAS_LEFT, (("seat", gone[0]),))
    if len(seats) == len(table.present):
        return Refusal(RefusalReason.ALL_LEAVE)
    if redeal:
        called_off = table.phase in (RoundPhase.SCORED, RoundPhase.FINISHED)
        return Refusal(RefusalReason.NOTHING_TO_REDEAL) if called_off else None
    if table.phase not in (RoundPhase.PLAY, RoundPhase.OVER, RoundPhase.SCORED):
        return Refusal(RefusalReason.LEFT_BEFORE_PLAY)
    if here.bullet is not None or table.turn.stage is TurnStage.HELD:
        return Refusal(RefusalReason.LEFT_AMID_PLAY)
    return None
