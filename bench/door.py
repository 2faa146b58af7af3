"""A whole party at one door at once: how many come in, and how long the last one waits.

The host is this process. Each guest sees who answers and then proves its key, with the join code or
at an open table, as `boneyard join` does; a few processes, started before, share the guests, since
fifty starts of an interpreter would measure nothing but themselves. All over loopback sockets.
"""

import argparse
import multiprocessing
import statistics
from collections.abc import Sequence
from itertools import product
from multiprocessing.connection import Connection
from typing import Final

import trio
from msgspec import Struct

from bench._machine import deaf_to_ctrl_c
from bench.figure import Figure, format_figures
from netgame.errors import NetgameError
from netgame.io.disk.identity import Identity
from netgame.io.door.admission import Door
from netgame.io.door.channel import Channel
from netgame.io.door.codes import JoinCode, parse_code
from netgame.io.door.dial import insist, look, race
from netgame.io.door.link_pool import LinkPool
from netgame.io.network.addresses import Address
from netgame.io.network.listen import LOOPBACK, Listen, listening
from netgame.protocol.peer.driver import LinkEvent

PARTIES: Final = (13, 50)
LAST_GOAL_S: Final = 3.0
_PROCESSES: Final = 4
_CODE: Final = "7-otter-violin"
_LIMIT_S: Final = 60.0


class Answer(Struct, frozen=True):
    """The seconds until a guest was let in or refused, and the reason for a refusal, else ""."""

    seconds: float
    trouble: str


def measure(parties: Sequence[int] = PARTIES) -> list[Figure]:
    """Send each party of guests, all at once, to a table with a code and then to an open one.

    Return how many were let in, and the median and the longest wait.
    """
    figures = []
    for guests, (name, code) in product(parties, (("with a code", _CODE), ("open", ""))):
        answers = answers_at_the_door(guests, code)
        times = [answer.seconds for answer in answers]
        came_in = sum(not answer.trouble for answer in answers)
        door = f"{guests} at the door, {name}"
        figures += [
            Figure(f"{door}: let in", came_in, "", guests, "", more_is_better=True),
            Figure(f"{door}: median", statistics.median(times), "s"),
            Figure(f"{door}: the last", max(times), "s", LAST_GOAL_S),
        ]
    return figures


def answers_at_the_door(guests: int, code: str) -> list[Answer]:
    """Open a door, send the guests there at the same moment, and return their answers."""
    context = multiprocessing.get_context("spawn")
    ends, groups = [], []
    for group in range(_PROCESSES):
        ours, theirs = context.Pipe()
        crowd = len(range(group, guests, _PROCESSES))
        groups.append(context.Process(target=_crowd, args=(theirs, crowd, code), daemon=True))
        with deaf_to_ctrl_c():
            groups[-1].start()
        ends.append(ours)
    try:
        for end in ends:
            end.recv()
        return trio.run(_hosted, ends, code)
    finally:
        for process in groups:
            process.kill()
            process.join()


async def _hosted(ends: list[Connection], code: str) -> list[Answer]:
    """Be the host until every process has sent its guests' answers; return all of them."""

    async def ignore(_event: LinkEvent) -> None:
        return

    door = Door(parse_code(code)) if code else Door(anybody=True)
    channel = Channel(Identity.ephemeral())
    pool = LinkPool(channel, ignore, door)
    answers: list[Answer] = []

    async def hear(end: Connection) -> None:
        answers.extend(await trio.to_thread.run_sync(end.recv, abandon_on_cancel=True))

    async with trio.open_nursery() as nursery, listening(Listen(LOOPBACK, None)) as listeners:
        await nursery.start(pool.run, listeners)
        port = listeners[0].port
        with trio.fail_after(_LIMIT_S):
            async with trio.open_nursery() as hearing:
                for end in ends:
                    end.send(port)
                    hearing.start_soon(hear, end)
        nursery.cancel_scope.cancel()
    return answers


def _crowd(end: Connection, guests: int, code: str) -> None:
    """Act as some of the guests in a separate process: receive the port, send back the answers."""
    channels = [Channel(Identity.ephemeral()) for _ in range(guests)]
    end.send("ready")
    end.send(trio.run(_all_at_once, Address(LOOPBACK, end.recv()), channels, code))


async def _all_at_once(at: Address, channels: list[Channel], code: str) -> list[Answer]:
    shown = parse_code(code) if code else None
    answers: list[Answer] = []

    async def come(channel: Channel) -> None:
        began = trio.current_time()
        trouble = await _come_in(channel, at, shown)
        answers.append(Answer(trio.current_time() - began, trouble))

    async with trio.open_nursery() as nursery:
        for channel in channels:
            nursery.start_soon(come, channel)
    return answers


def _say_nothing(_seconds: float) -> None:
    return


async def _come_in(channel: Channel, at: Address, code: JoinCode | None) -> str:
    """Look at the table and come in, as a guest does, without closing the link.

    Return the reason if the guest is refused, else "".
    """
    try:
        seen = await insist(lambda: look([at]), _say_nothing)
        await insist(lambda: race(channel, [at], seen.key, code), _say_nothing)
    except NetgameError as trouble:
        return str(trouble)
    return ""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--guests", type=int, nargs="+", default=PARTIES)
    print(format_figures(measure(parser.parse_args().guests)))
