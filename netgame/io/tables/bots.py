"""The bots of a host's table: peers like any other, on loopback, in the process of the host."""

import secrets
from dataclasses import replace
from functools import partial
from typing import Final

import trio

from engine.bots import choose
from netgame.crypto.group import Entropy
from netgame.io.disk.identity import load_or_create
from netgame.io.disk.store import DataFolder, TableFolder
from netgame.io.network.listen import LOOPBACK, Listen
from netgame.io.node.node import Node
from netgame.io.node.open_node import open_node
from netgame.io.tables.options import Randomness, SeatOptions
from netgame.io.tables.restore import reopen_node, restore_core
from netgame.io.tables.seat import addresses_of
from netgame.io.tables.strategy import play_seat
from netgame.protocol.notices import Trouble
from netgame.protocol.peer.beginnings import look_for_table
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.view import TableStage

BOT_NAMES: Final = (
    "Ada", "Bix", "Cleo", "Dot", "Edo", "Fay", "Gus", "Hal", "Ivy", "Jo", "Kit", "Lou", "Max",
)  # fmt: skip
"""Enough for every other seat of the largest table; the lobby numbers a name that is taken."""


async def sit_bot(
    host: Node,
    randomness: Randomness,
    number: int,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Run one bot at the host's table; started once it sits."""
    assert host.folder is not None, "a host opens its folder when it opens its table"
    data = DataFolder(host.folder.path / "bots" / str(number))
    identity = load_or_create(data.path, randomness.secret("bot identity", number))
    secret = randomness.secret("bot", number)
    host.door.expect(identity.public)

    def make_core(port: int) -> Core:
        addresses = randomness.addresses(addresses_of(port, loopback_only=True))
        name, entropy = BOT_NAMES[number % len(BOT_NAMES)], randomness.source("bot", number)
        core = Core(identity, name, entropy, secret, addresses, bot=True)
        return look_for_table(core, host=host.key)

    folder, listen = partial(data.open_table, secret=secret), Listen(LOOPBACK, 0)
    async with open_node(make_core, identity, folder, listen, randomness.aliases) as node:
        await node.dial(f"{LOOPBACK}:{host.port}", host.key)
        await node.until(
            lambda view: (
                view.stage is not TableStage.LOBBY
                or any(seat.key == node.key for seat in view.seats)
            )
        )
        task_status.started()
        await _play_on(node, host, randomness.source("bot choices", number))


async def resume_bot(
    data: DataFolder, host: Node, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
) -> None:
    """Run again a bot of a table that its host has come back to."""
    identity = load_or_create(data.path)
    options = SeatOptions(name="bot", loopback_only=True)
    tables = data.tables()
    if not tables:
        task_status.started()
        return
    folder = TableFolder(tables[0])
    core = restore_core(folder, identity, options.name)
    async with reopen_node(core, identity, folder, options) as node:
        task_status.started()
        await _play_on(node, host, secrets.token_bytes)


async def _play_on(node: Node, host: Node, entropy: Entropy) -> None:
    """Play, and then stay for those who have not seen the end yet; bots leave with their host.

    Nobody reads what a bot is told, so its troubles are told to the person beside it.
    """
    host.bots.append(node)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(play_seat, node, choose, entropy)
        async for notice in node.notices:
            if isinstance(notice, Trouble):
                host.tell(replace(notice, of_bot=True))
