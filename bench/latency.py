"""The time from a typed move to the tables of all players, over loopback sockets.

All peers run in this one process, so each move also pays for the verifications and the records of
all the others, which would normally run on their computers. Their processor time is a separate
figure.
"""

import statistics
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from time import perf_counter, process_time
from typing import Final

import trio

from bench._peer import table_of
from bench.figure import Figure, slowest
from engine.bots.house import choose
from engine.view import SeatView
from netgame.crypto.transcript import expand
from netgame.io.node.node import Node
from netgame.io.node.question import Granted
from netgame.protocol.notices import Played
from netgame.protocol.peer.view import TableStage
from netgame.wire.messages import Settings

TABLES: Final = ((8, 12, 8.0), (14, 18, 15.0))
"""Seats, pips of the set, and the goal for the median in ms; for 95 in 100 moves it is twice that.
"""
_QUIET_S: Final = 0.08
"""The wait before each move, in which the peers come to rest, as they do while a person thinks."""
_LIMIT_S: Final = 240.0


def measure(moves: int = 60) -> list[Figure]:
    """Time the first `moves` moves at each of the tables."""
    figures = []
    for seats, pips, goal_ms in TABLES:
        times = trio.run(_play, seats, pips, moves)
        walls, spent = [wall for wall, _ in times], [cpu for _, cpu in times]
        name = f"typed move on all tables, {seats} seats"
        figures += [
            Figure(f"{name}: median", statistics.median(walls), "ms", goal_ms),
            Figure(f"{name}: 95 %", slowest(walls, 20), "ms", 2 * goal_ms),
            Figure(f"{name}: processor time of all", statistics.median(spent), "ms"),
        ]
    return figures


async def _play(seats: int, pips: int, moves: int) -> list[tuple[float, float]]:
    settings = Settings("standard", (), pips, seats, 1, 0)
    with trio.fail_after(_LIMIT_S), tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        async with AsyncExitStack() as stack:
            nodes = await sit_down(stack, Path(folder), settings)
            return await some_moves(nodes, moves)


async def sit_down(stack: AsyncExitStack, folder: Path, settings: Settings) -> list[Node]:
    """Open a table on loopback, fill its seats, and return the nodes, the host's first."""
    nodes, place = list[Node](), ""
    for number in range(settings.seats):
        table = table_of(number, folder / str(number), settings, place)
        nodes.append(await stack.enter_async_context(table))
        place = f"127.0.0.1:{nodes[0].port}"
    return nodes


def _over(node: Node) -> bool:
    return node.view().stage in (TableStage.OVER, TableStage.HALTED)


async def some_moves(nodes: list[Node], moves: int) -> list[tuple[float, float]]:
    """Make `moves` moves, or fewer if the game ends first.

    Return the wall time and the processor time of each, in ms.
    """
    times: list[tuple[float, float]] = []
    while len(times) < moves and (mover := await _mover(nodes)) is not None:
        times.append(await _one_move(nodes, mover))
    return times


async def _one_move(nodes: list[Node], mover: Node) -> tuple[float, float]:
    """Make the next move; return the wall ms until all peers know of it, and their processor ms."""
    await trio.sleep(_QUIET_S)
    for node in nodes:
        _drain(node)
    view = mover.view()
    assert view.table is not None
    seat_view = SeatView(view.table, view.seat, view.hand)
    move = choose(seat_view, expand(bytes(32), "bench", view.step))
    start, spent = perf_counter(), process_time()
    assert isinstance(await mover.propose(move), Granted)
    for node in nodes:
        while not isinstance(await node.notices.receive(), Played):
            pass
    return (perf_counter() - start) * 1000, (process_time() - spent) * 1000


async def _mover(nodes: list[Node]) -> Node | None:
    """Wait until somebody can move, and return their node; None if the game is over first."""
    while not any(_over(node) for node in nodes):
        events = [node.when_changed() for node in nodes]
        mover = next((node for node in nodes if node.view().can_move), None)
        if mover is not None:
            return mover
        async with trio.open_nursery() as nursery:
            for event in events:
                nursery.start_soon(_first, event, nursery.cancel_scope)
    return None


async def _first(event: trio.Event, scope: trio.CancelScope) -> None:
    await event.wait()
    scope.cancel()


def _drain(node: Node) -> None:
    try:
        while True:
            node.notices.receive_nowait()
    except trio.WouldBlock:
        return
