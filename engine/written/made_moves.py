"""Moves of a written game, judged and made; what is refused changes nothing. [docs/rules.md §11]"""

from collections.abc import Set
from dataclasses import replace
from typing import Final

from engine.play.apply import apply
from engine.play.judge import why_illegal_written
from engine.refusals import Refusal, RefusalCode
from engine.rules.switches import StrategicError
from engine.table.moves import DrawTile, Move, Pass, shows
from engine.table.table import Hand, RoundPhase, Table
from engine.table.trains import Position, Seat
from engine.tiles import Tile
from engine.written.position import WrittenPosition, known_hand, with_reshuffled

Tried = tuple[WrittenPosition, Refusal | None]
"""The game after an action; unchanged, and why, where it is refused."""

NOWHERE: Final = Position(-1)
"""A position that is in no hand: what is laid from there is refused."""


def make_move(here: WrittenPosition, move: Move) -> Tried:
    """Judge a move with what is known of the hand, and make it."""
    table = here.table
    hand = known_hand(here, move.seat) if 0 <= move.seat < table.spec.seats else None
    assert hand is not None
    refusal = why_illegal_written(table, hand, move)
    errors = here.errors
    if refusal is not None:
        if not _may_err(table, move, refusal):
            return here, refusal
        if here.erred != table.turns:
            errors = tuple(count + (seat == move.seat) for seat, count in enumerate(errors))
        here = replace(here, erred=table.turns)
    known = {**here.known, **dict(shows(move))}
    after = replace(here, table=apply(table, move)[0], known=known, errors=errors)
    if after.table.phase is RoundPhase.RESHUFFLE:
        after = with_reshuffled(after)
    return after, None


def _may_err(table: Table, move: Move, refusal: Refusal) -> bool:
    """Whether rules let a proven error stand and count it. [docs/rules.md §7.9]"""
    return (
        table.rules.strategic_error is StrategicError.YES
        and refusal.code is RefusalCode.PLAYABLE_TILE
        and isinstance(move, (DrawTile, Pass))
        and bool(refusal.facts)
        and why_illegal_written(table, Hand(move.seat, ()), move) is None
    )


def position_of(
    here: WrittenPosition, seat: Seat, tile: Tile, taken: Set[Position] = frozenset()
) -> Position:
    """Where in the hand the tile is or may be."""
    held = here.table.hands[seat]
    for position in held:
        if here.known.get(position) == tile:
            return position
    if tile in here.known.values():
        return NOWHERE
    unknown = (at for at in held if at not in here.known and at not in taken)
    return next(unknown, NOWHERE)
