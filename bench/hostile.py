"""The effect of a thousand silent connections, and of floods: memory, and time for a turn.

The crowd and the flooders are separate processes; the table is four peers in this one. They use
loopback sockets, to which the limit on connections from one address does not apply. Flooders who
are thrown out come back at once under a new key, so that there is a flood during every move. The
memory for silent connections is divided by the connections that the table keeps, not by all that
knock.
"""

import multiprocessing
import statistics
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Final

import trio
from msgspec import Struct, field

from bench._machine import deaf_to_ctrl_c
from bench.figure import Figure, slowest
from bench.latency import sit_down, some_moves
from netgame.errors import NetgameError
from netgame.io.disk.identity import Identity
from netgame.io.door.channel import Channel
from netgame.io.network.addresses import Address
from netgame.limits import FLOOD_S
from netgame.wire.codec import encode
from netgame.wire.messages import Chat, Settings

SOCKETS: Final = 1_000
TURN_GOAL_MS: Final = 100.0
SOCKET_GOAL_KIB: Final = 8.0
FLOOD_TURN_GOAL_MS: Final = 500.0
FLOOD_GOAL_MIB: Final = 32.0
_FLOODERS: Final = 3
"""The number of flooders that take turns: one floods while another proves its next key."""
_SEATS: Final = 4
_ROUNDS: Final = 6
_MOVES: Final = 200
"""Of only 100 moves, the slowest 1 % would be a single one, which any chance event may delay."""
_SETTLE_S: Final = 3.0
_DROPPED_S: Final = 60.0
"""The time within which a flooder must have been dropped."""
_AGAIN_S: Final = 0.05
_LIMIT_S: Final = 240.0


class _Seen(Struct):
    """The effect of an attack on the table, and how much of the attack reached it."""

    times: list[float] = field(default_factory=list)
    """Milliseconds of each turn."""
    grown_kib: float = 0.0
    silent: int = 0
    """Silent connections that the table kept."""
    flooded: int = 0
    """Turns during which a flooder had a link."""
    dropped: int = 0
    """Flooders that were dropped for good."""


def measure(sockets: int = SOCKETS, moves: int = _MOVES) -> list[Figure]:
    """Time turns alone, among silent connections, and under a flood; measure the memory."""
    alone = trio.run(_attacked, None, moves)
    crowd = trio.run(_attacked, lambda port: _crowd(port, sockets), moves)
    flood = trio.run(_attacked, _flood, moves)
    among = f"among {sockets:,} silent connections"
    held = max(1, crowd.silent)
    return [
        *_turns("alone", alone, None),
        *_turns(among, crowd, TURN_GOAL_MS),
        Figure("silent connections that are held", crowd.silent, ""),
        Figure("memory for each of them", crowd.grown_kib / held, "KiB", SOCKET_GOAL_KIB),
        *_turns("under a flood", flood, FLOOD_TURN_GOAL_MS),
        Figure(
            "moves with a flood going on", flood.flooded, "", len(flood.times), more_is_better=True
        ),
        Figure("memory under the flood", flood.grown_kib / 1024, "MiB", FLOOD_GOAL_MIB),
        Figure("flooders dropped", flood.dropped, "", 1, more_is_better=True),
    ]


def _turns(name: str, seen: _Seen, goal_ms: float | None) -> list[Figure]:
    return [
        Figure(f"turn, {name}, median", statistics.median(seen.times), "ms"),
        Figure(f"turn, {name}, 99 %", slowest(seen.times, 100), "ms", goal_ms),
    ]


async def _attacked(attack: Callable[[int], SpawnProcess] | None, moves: int) -> _Seen:
    """Play `moves` moves during an attack on the host, if any, and record its effect."""
    settings = Settings("standard", (), 12, _SEATS, _ROUNDS, 0)
    with trio.fail_after(_LIMIT_S), tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        async with AsyncExitStack() as stack:
            nodes = await sit_down(stack, Path(folder), settings)
            await some_moves(nodes, 1)
            pool, seen = nodes[0].pool, _Seen()
            members = {node.key for node in nodes}
            with _running(attack, nodes[0].port):
                if attack is not None:
                    seen.grown_kib = await _grown_kib()
                seen.silent = sum(not one.spoke for one in pool._acceptor.unproved)
                for _ in range(moves):
                    before = pool.links.keys() - members
                    seen.times += [wall for wall, _ in await some_moves(nodes, 1)]
                    seen.flooded += bool(before | (pool.links.keys() - members))
                with trio.move_on_after(_DROPPED_S if attack is _flood else 0):
                    while not pool.banned:  # noqa: ASYNC110 - nothing tells of it
                        await trio.sleep(0.1)
            seen.dropped = len(pool.banned)
            return seen


@contextmanager
def _running(attack: Callable[[int], SpawnProcess] | None, port: int) -> Iterator[None]:
    process = attack(port) if attack else None
    try:
        yield
    finally:
        if process is not None:
            process.kill()
            process.join()


async def _grown_kib() -> float:
    """Wait `_SETTLE_S`; return the KiB that this process allocated meanwhile and has not freed.

    The memory that the system reports would say little, because it includes what an earlier table
    used.
    """
    tracemalloc.start()
    try:
        await trio.sleep(_SETTLE_S)
        return tracemalloc.get_traced_memory()[0] / 1024
    finally:
        tracemalloc.stop()


# ---- the attackers, each in its own process ------------------------------------------------


def _start(work: Callable[..., None], *arguments: int) -> SpawnProcess:
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=work, args=arguments, daemon=True)
    with deaf_to_ctrl_c():
        process.start()
    return process


def _crowd(port: int, sockets: int) -> SpawnProcess:
    return _start(_sit_silent, port, sockets)


def _sit_silent(port: int, sockets: int) -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    trio.run(_be_a_crowd, port, sockets)


async def _be_a_crowd(port: int, sockets: int) -> None:
    async with trio.open_nursery() as nursery:
        for _ in range(sockets):
            nursery.start_soon(_dawdle, port)


async def _dawdle(port: int) -> None:
    """Connect, say nothing, and connect again a second after being thrown out."""
    while True:
        with suppress(OSError, trio.BrokenResourceError):
            async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
                await stream.receive_some(1)
        await trio.sleep(1)


def _flood(port: int) -> SpawnProcess:
    return _start(_send_without_end, port)


def _send_without_end(port: int) -> None:
    trio.run(_be_a_flood, port)


async def _be_a_flood(port: int) -> None:
    async with trio.open_nursery() as nursery:
        for number in range(_FLOODERS):
            nursery.start_soon(_flood_again, port, number * FLOOD_S / _FLOODERS)


async def _flood_again(port: int, first_s: float) -> None:
    """Link to the open table under a new key, and send frames until dropped; repeat for ever."""
    frames = [encode(Chat(b"flood" * 40, bytes(32), bytes(64)))] * 200
    await trio.sleep(first_s)
    while True:
        with suppress(NetgameError):
            proved = await Channel(Identity.ephemeral()).connect(Address("127.0.0.1", port))
            try:
                while True:
                    await proved.frames.send_frames(frames)
            finally:
                await proved.frames.close()
        await trio.sleep(_AGAIN_S)
