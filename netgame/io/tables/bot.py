"""A program that plays a seat: its moves, and its time to think about them.

A bot thinks in a thread. It plays out a limited number of possible rounds. A clock may end its
thinking earlier, except in a game that must be repeatable, such as one from a seed. To make up for
that on a slow computer, the bot also thinks while others move.
"""

from collections.abc import Awaitable, Callable
from typing import Final

import trio

from engine.bots.effort import Effort, never
from engine.bots.levels import BotLevel
from engine.bots.pieces import Pieces
from engine.bots.search import FORESEEN_MAX, Foresight, foresee
from engine.knowledge import known_after
from engine.refusals import Refusal, RefusalCode
from engine.table.moves import Move
from engine.table.table import RoundPhase, Table
from engine.view import SeatView
from netgame.crypto.group import Entropy
from netgame.io import clock
from netgame.io.battery import on_battery
from netgame.io.node.node import Node
from netgame.io.tables.options import at_once
from netgame.io.work import breathing, check_wanted
from netgame.protocol.notices import Trouble, TroubleKind
from netgame.protocol.peer.view import TableView

THOUGHT_S: Final = 0.9
"""The most seconds that a bot thinks about a move; then its best move so far counts."""

_ONE_THREAD: Final = trio.CapacityLimiter(1)
"""All bots of a process think ahead in one thread, one after the other."""


async def play_seat(
    node: Node,
    level: BotLevel,
    entropy: Entropy,
    pause_s: float = 0.0,
    *,
    may_move: Callable[[], Awaitable[None]] = at_once,
    repeats: bool = False,
) -> Refusal | None:
    """Play the seat of `node` until the game is over or halted, or the seat paused; return None.

    If the rules refuse a move on the table it was chosen for, the player is told, the refusal is
    returned, and nothing more is played. Before each move of a turn, `pause_s` seconds pass so that
    people can follow, and then `may_move` is awaited. Answers in the search for the engine, the
    double that opens the round, are not delayed. With `repeats` no clock limits the bot's thinking,
    so that the game comes out the same on every computer.
    """
    thinks_on = level.thinks and not repeats
    chosen_at: tuple[bytes, Table | None] | None = None
    move, foresight = None, Foresight()
    while node.paused is None:
        changed = node.when_changed()
        view = node.view()
        if view.has_ended:
            return None
        if view.can_move and view.table is not None and node.waiting is None:
            in_turn = view.table.phase is RoundPhase.PLAY
            await trio.sleep(pause_s if in_turn else 0.0)
            if in_turn:
                await may_move()
            if move is None or chosen_at != view.position:  # else a seed would run ahead
                effort = effort_for_move(repeats=repeats)
                pieces = _chosen(view, view.table, level, entropy, effort, foresight)
                chosen_at = view.position
                move = await breathing(pieces)
                foresight = Foresight()
            if node.view().position != chosen_at:
                continue  # a person at this seat was quicker
            answer = await node.propose(move)
            if not isinstance(answer, Refusal) or node.view().position != chosen_at:
                continue
            if answer.code is not RefusalCode.NOT_YOUR_TURN:
                node.tell(Trouble(TroubleKind.MOVE_REFUSED, (answer.code.value,)))
                return answer
            # The seat has just come back, and still asks others for entries that it missed.
        await _others_move(changed, view, entropy, foresight if thinks_on else None)
    return None


def informed(view: TableView, table: Table) -> SeatView:
    """Return what the seat knows of `table`, including what the round's moves have proved."""
    return SeatView(table, view.seat, view.hand, known_after(view.history))


def effort_for_move(*, repeats: bool, is_stopped: Callable[[], bool] = never) -> Effort:
    """Return the effort allowed for one move; unless `repeats`, it ends `THOUGHT_S` from now.

    It ends in any case when `is_stopped` returns True.
    """
    if repeats:
        return Effort(is_stopped=is_stopped)
    end_at = clock.seconds() + THOUGHT_S
    return Effort(is_stopped=lambda: clock.seconds() >= end_at or is_stopped())


def _chosen(
    view: TableView,
    table: Table,
    level: BotLevel,
    entropy: Entropy,
    effort: Effort,
    foresight: Foresight,
) -> Pieces[Move]:
    """Choose a move piece by piece, within `effort`; the move is the generator's return value.

    Only a level that thinks uses what the round's moves have proved.
    """
    known = informed(view, table) if level.thinks else SeatView(table, view.seat, view.hand)
    move: Move = yield from level.choosing(known, entropy, effort, foresight)
    return move


async def _others_move(
    changed: trio.Event, view: TableView, entropy: Entropy, foresight: Foresight | None
) -> None:
    """Wait until `changed` is set, and think about the next turn until then.

    Results are put into `foresight`. Without it, on battery, or if this seat is to move, only wait.
    """
    table = view.table

    def is_stopped() -> bool:
        check_wanted()
        return changed.is_set()

    def think_on(table: Table, foresight: Foresight) -> Pieces[None]:
        if not on_battery():
            effort = Effort(FORESEEN_MAX - foresight.tried, is_stopped)
            yield from foresee.pieces(informed(view, table), entropy, effort, foresight)

    if foresight and table and table.to_move != view.seat and foresight.tried < FORESEEN_MAX:
        await breathing(think_on(table, foresight), limiter=_ONE_THREAD)
    await changed.wait()
