"""One peer of a table whose peers are in different network namespaces; it plays by itself.

    python -m bench._far NUMBER FOLDER PLACE SEATS PIPS

It prints its port. Once it is linked to all others, it prints how many of its links are forwarded,
and again whenever that number changes. It prints the start of the game, each deal and each move,
with its time on the system's monotonic clock, which is the same in all namespaces. With an empty
PLACE it opens the table, and begins the game when it reads a line.
"""

import sys
import time
from pathlib import Path
from typing import Final

import trio

from bench._peer import kind_of, table_of
from engine.bots.house import choose
from engine.view import SeatView
from netgame.crypto.transcript import expand
from netgame.io.node.node import Node
from netgame.protocol.notices import Dealt, GameStarted, Played
from netgame.wire.messages import Settings

_LIMIT_S: Final = 120.0
"""The peer ends after this time, longer than any run, so that no reader of its output hangs."""
_LOOKS_S: Final = 0.05


def _say(*words: object) -> None:
    print(*words, flush=True)


async def _tell_links(node: Node, others: int) -> None:
    """Print how many links are forwarded, once all peers are linked, and at each change."""
    told = -1
    while True:
        links = node.pool.links.values()
        forwarded = sum(bool(link.by) for link in links)
        if len(links) == others and forwarded != told:
            told = forwarded
            _say("linked", forwarded)
        await trio.sleep(_LOOKS_S)


async def _tell(node: Node) -> None:
    """Print the notices that the measurement needs, with their times."""
    async for notice in node.notices:
        match notice:
            case GameStarted() | Dealt():
                _say(type(notice).__name__, time.monotonic())
            case Played():
                _say(kind_of(notice.events), time.monotonic())


async def _play(node: Node) -> None:
    """Choose a move and propose it whenever this seat can move."""
    while True:
        moved, view = node.when_moved(), node.view()
        if view.can_move and view.table is not None:
            seat_view = SeatView(view.table, view.seat, view.hand)
            await node.propose(choose(seat_view, expand(bytes(32), "bench", view.step)))
        await moved.wait()


async def _begin(node: Node) -> None:
    """Begin the game after reading a line."""
    await trio.to_thread.run_sync(sys.stdin.readline)
    await node.begin()


async def _sit(number: int, folder: Path, place: str, seats: int, pips: int) -> None:
    """Play at the table until this process is killed, but for at most `_LIMIT_S`."""
    settings = Settings("standard", (), pips, seats, 1, 0)
    async with (
        table_of(number, folder, settings, place, is_far=True) as node,
        trio.open_nursery() as nursery,
    ):
        _say(node.port)
        if not place:
            nursery.start_soon(_begin, node)
        nursery.start_soon(_tell_links, node, seats - 1)
        nursery.start_soon(_tell, node)
        nursery.start_soon(_play, node)
        await trio.sleep(_LIMIT_S)
        nursery.cancel_scope.cancel()


if __name__ == "__main__":
    number, folder, place, seats, pips = sys.argv[1:]
    trio.run(_sit, int(number), Path(folder), place, int(seats), int(pips))
