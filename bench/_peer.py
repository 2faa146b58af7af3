"""Peers at a table on loopback sockets: in one process, or each in its own.

    python -m bench._peer NUMBER FOLDER PLACE PAUSE SEATS PIPS ROUNDS HAND

This command prints its port, and then its costs at each notice that is measured. It plays by
itself, with PAUSE seconds before each move; with a PAUSE of 0 it never moves, however long the
others wait.
"""

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from pathlib import Path

import trio
from msgspec.structs import replace

from bench._machine import deaf_to_ctrl_c
from engine.table.events import Event, TileDrawn, TileLaid
from netgame.io.node.node import Node
from netgame.io.tables.host import host_table
from netgame.io.tables.join import join_table
from netgame.io.tables.options import HostOptions, JoinOptions, ReachedBy
from netgame.protocol.notices import Dealt, GameOver, GameStarted, Played, RoundOver
from netgame.wire.messages import Settings


def table_of(
    number: int,
    folder: Path,
    settings: Settings,
    place: str,
    pause_s: float = 0.0,
    *,
    is_far: bool = False,
) -> AbstractAsyncContextManager[Node]:
    """Open a table on loopback that begins once it is full, or join the one at `place`, if given.

    With a pause, the seat plays by itself. With `is_far`, the table is on the network instead of
    loopback, and the host must begin the game.
    """
    name, auto = f"seat{number}", pause_s > 0
    reach = ReachedBy.NETWORK if is_far else ReachedBy.COMPUTER
    if place:
        guest = JoinOptions(name=name, data_dir=folder, reach=reach, auto=auto, pause_s=pause_s)
        return join_table(guest, place)
    host = HostOptions(
        name=name,
        data_dir=folder,
        reach=reach,
        auto=auto,
        pause_s=pause_s,
        settings=replace(settings, options=("newcomers=open",)),
        start_at=None if is_far else settings.seats,
        announce=False,
    )
    return host_table(host)


@contextmanager
def processes(settings: Settings, pause_s: float = 0.0) -> Iterator[list[subprocess.Popen[str]]]:
    """Start a process for each seat of a table, and kill them all at the end of the block.

    When the block begins, each has printed its port, and nothing after that line has been read.
    """
    with tempfile.TemporaryDirectory(prefix="boneyard-") as name:
        running, place = list[subprocess.Popen[str]](), ""
        table = settings.seats, settings.pip_max, settings.rounds, settings.hand
        try:
            for number in range(settings.seats):
                words = number, Path(name) / str(number), place, pause_s, *table
                command = [sys.executable, "-m", "bench._peer", *map(str, words)]
                with deaf_to_ctrl_c():
                    running.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
                port = said(running[-1])
                place = place or f"127.0.0.1:{port}"
            yield running
        finally:
            for process in running:
                process.kill()
                process.wait()


def said(process: subprocess.Popen[str]) -> str:
    """Return the next line that a process prints, or "" if it has ended."""
    assert process.stdout is not None, "it is a pipe"
    return process.stdout.readline().strip()


# ---- in such a process ------------------------------------------------------------------------


def _tell(word: str, at: float) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    held = pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    print(word, used.ru_utime + used.ru_stime, at, held, flush=True)


def kind_of(events: tuple[Event, ...]) -> str:
    """Return "lay", "draw" or "pass" for a move, by its first event."""
    match events[0]:
        case TileLaid():
            return "lay"
        case TileDrawn():
            return "draw"
        case _:
            return "pass"


async def _watch(node: Node, pause_s: float) -> None:
    """Print the costs so far after the start, each deal, each move, each round, and the end."""
    async for notice in node.notices:
        if isinstance(notice, GameStarted | Dealt | RoundOver | GameOver):
            _tell(type(notice).__name__, trio.current_time())
        if isinstance(notice, Played):
            # half a pause later all work on this move is done, and the next has not begun
            await trio.sleep(pause_s / 2)
            whose = "own" if notice.seat == node.view().seat else "other"
            _tell(f"{whose}-{kind_of(notice.events)}", trio.current_time())
        if isinstance(notice, GameOver):
            return


async def _sit(number: int, folder: str, place: str, pause_s: float, *table: int) -> None:
    seats, pips, rounds, hand = table
    settings = Settings("standard", (), pips, seats, rounds, hand)
    async with table_of(number, Path(folder), settings, place, pause_s) as node:
        print(node.port, flush=True)
        await _watch(node, pause_s)
        await node.finished.wait()


if __name__ == "__main__":
    number, folder, place, pause_s, *table = sys.argv[1:]
    trio.run(_sit, int(number), folder, place, float(pause_s), *map(int, table))
