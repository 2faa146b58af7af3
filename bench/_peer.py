"""One seat of `bench.peers`, in a process of its own: plays by itself, and prints what it spent."""

import os
import resource
import sys
from pathlib import Path
from typing import Final

import trio

from engine.table.events import Event, TileDrawn, TileLaid
from netgame.io.node.node import Node
from netgame.io.tables.host import host_table
from netgame.io.tables.join import join_table
from netgame.io.tables.options import HostOptions, JoinOptions
from netgame.protocol.notices import Dealt, GameOver, GameStarted, Played, RoundOver
from netgame.wire.messages import Settings

_PAUSE_S: Final = 0.1
"""Before each move, so that the peers come to rest."""


def _tell(word: str, at: float) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    held = pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    print(word, used.ru_utime + used.ru_stime, at, held, flush=True)


def _kind(events: tuple[Event, ...]) -> str:
    """Say whether a move was a lay, a draw or a pass, by what happened first."""
    match events[0]:
        case TileLaid():
            return "lay"
        case TileDrawn():
            return "draw"
        case _:
            return "pass"


async def _watch(node: Node) -> None:
    """Print what has been spent whenever a deal or a round is over, until the game is."""
    async for notice in node.notices:
        if isinstance(notice, GameStarted | Dealt | RoundOver | GameOver):
            _tell(type(notice).__name__, trio.current_time())
        if isinstance(notice, Played):
            # half a pause later, when all that the move asks for is done and the next is not begun
            await trio.sleep(_PAUSE_S / 2)
            whose = "own" if notice.seat == node.view().seat else "other"
            _tell(f"{whose}-{_kind(notice.events)}", trio.current_time())
        if isinstance(notice, GameOver):
            return


async def _play(number: int, folder: Path, seats: int, pips: int, rounds: int, place: str) -> None:
    name = f"seat{number}"
    if number == 0:
        settings = Settings("standard", (), pips, seats, rounds, 0, ("newcomers=open",))
        host = HostOptions(
            name=name, data_dir=folder, loopback_only=True, auto=True, pause_s=_PAUSE_S,
            settings=settings, start_at=seats, announce=False,
        )  # fmt: skip
        table = host_table(host)
    else:
        guest = JoinOptions(
            name=name, data_dir=folder, loopback_only=True, auto=True, pause_s=_PAUSE_S
        )
        table = join_table(guest, place)
    async with table as node:
        print(node.port, flush=True)
        await _watch(node)
        await node.finished.wait()


if __name__ == "__main__":
    number, folder, seats, pips, rounds, place = sys.argv[1:]
    trio.run(_play, int(number), Path(folder), int(seats), int(pips), int(rounds), place)
