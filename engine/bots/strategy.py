"""The interface of a bot, and the check that every bot makes first."""

from collections.abc import Callable
from typing import TypeAlias

from engine.chance import Entropy
from engine.table.moves import LayChain, LayTile, Move, Tap, shows
from engine.view import SeatView

Strategy: TypeAlias = Callable[[SeatView, Entropy], Move]
"""A function from a seat's view, and octets, to a move."""


def forced(view: SeatView, moves: tuple[Move, ...]) -> Move | None:
    """Return the move that needs no thought, or None if there is a choice with a `LayTile`.

    It is a tap that is due, else the only move, else the first if no `LayTile` is among them.
    `moves` are the legal moves of the view's seat, even when it is not its turn. Raise IndexError
    if `moves` is empty.
    """
    taps = [move for move in moves if isinstance(move, Tap)]
    if taps and _has_to_tell(view, moves):
        return taps[0]
    if len(moves) == 1 or not any(isinstance(move, LayTile) for move in moves):
        return moves[0]
    return None


def _has_to_tell(view: SeatView, moves: tuple[Move, ...]) -> bool:
    """Return True if a legal tap is due: one of `moves` leaves one tile, or only one is left.

    With one left, a tap is due only if a seat may announce after the play. [docs/rules.md §7.7]
    """
    table = view.table
    held = len(table.hands[moves[0].seat])
    if held == 1:
        return table.rules.last_tile.is_told_after
    laid = [len(shows(move)) for move in moves if isinstance(move, LayTile | LayChain)]
    return held - 1 in laid
