"""What hosts, joiners and those who come back do alike: listen, play by bot, keep the record."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import trio

from netgame.crypto.group import Entropy
from netgame.errors import DiskTrouble, Malformed
from netgame.io.addresses import parse_literal
from netgame.io.bot import play_seat
from netgame.io.door import Door
from netgame.io.identity import Identity, load_or_create
from netgame.io.interfaces import lan_addresses
from netgame.io.listen import LOOPBACK, Listen, PortTrouble, open_listeners
from netgame.io.node import Node, open_node
from netgame.io.options import Randomness, SeatOptions
from netgame.io.store import DataFolder, TableFolder
from netgame.io.notes import read_notes
from netgame.protocol.notices import Trouble
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.view import TableStage

BOT_NAMES: Final = (
    "Ada", "Bix", "Cleo", "Dot", "Edo", "Fay", "Gus", "Hal", "Ivy", "Jo", "Kit", "Lou", "Max",
)  # fmt: skip
"""Enough for every other seat of the largest table; the lobby numbers a name that is taken."""


def listen_of(options: SeatOptions) -> Listen:
    """Where this seat listens."""
    if options.loopback_only:
        return Listen(LOOPBACK, options.port or 0)
    return Listen(None, options.port)


def addresses_of(port: int, *, loopback_only: bool) -> tuple[str, ...]:
    """Where the others at the table are told to dial this seat."""
    near = (f"{LOOPBACK}:{port}",)
    return near if loopback_only else lan_addresses(port) or near


def opener(data: DataFolder, secret: bytes, *, new: bool = False) -> Callable[[bytes], TableFolder]:
    """Return what opens the folder of a table once its id is known."""
    opens = data.open_new_table if new else data.open_table
    return lambda table_id: opens(table_id, secret)


async def play(node: Node, entropy: Entropy, pause_s: float) -> None:
    """Have the strategy play the seat of `node`."""
    from engine.bots import choose

    await play_seat(node, choose, entropy, pause_s)


@asynccontextmanager
async def at_seat(node: Node, options: SeatOptions, entropy: Entropy) -> AsyncIterator[None]:
    """Play the seat if `auto`, and copy the record where the player wants it at the end."""
    try:
        async with trio.open_nursery() as nursery:
            if options.auto:
                nursery.start_soon(play, node, entropy, options.pause_s)
            yield
            nursery.cancel_scope.cancel()
    finally:
        if options.record is not None and node.folder is not None:
            with trio.CancelScope(shield=True):
                await _copy_record(node, node.folder, options.record)


async def _copy_record(node: Node, folder: TableFolder, path: Path) -> None:
    try:
        await trio.to_thread.run_sync(folder.record.copy_to, path)
    except DiskTrouble as trouble:
        node.tell_trouble(f"{trouble}; the record is still in {folder.record.path}.")


# ---- bots -----------------------------------------------------------------------------------


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
        return Core.join(
            identity,
            BOT_NAMES[number % len(BOT_NAMES)],
            randomness.source("bot", number),
            secret,
            randomness.addresses(addresses_of(port, loopback_only=True)),
            bot=True,
            host=host.key,
        )

    folder, listen = opener(data, secret), Listen(LOOPBACK, 0)
    async with open_node(make_core, identity, folder, listen, randomness.aliases) as node:
        await node.dial(f"{LOOPBACK}:{host.port}", host.key)
        await _wait_for_seat(node)
        task_status.started()
        await _play_on(node, host, randomness.source("bot choices", number))


async def _wait_for_seat(node: Node) -> None:
    """Return when this node sits, or the table has begun without it."""
    while True:
        changed = node.when_changed()
        view = node.view()
        if view.stage is not TableStage.LOBBY or any(seat.key == node.key for seat in view.seats):
            return
        await changed.wait()


async def _play_on(node: Node, host: Node, entropy: Entropy) -> None:
    """Play, and then stay for those who have not seen the end yet; bots leave with their host.

    Nobody reads what a bot is told, so its troubles are told to the person beside it.
    """
    host.bots.append(node)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(play, node, entropy, 0.0)
        async for notice in node.notices:
            if isinstance(notice, Trouble):
                host.tell_trouble(f"A bot of yours: {notice.sentence}")


# ---- coming back ----------------------------------------------------------------------------


def restore_core(folder: TableFolder, identity: Identity, name: str, entropy: Entropy) -> Core:
    """Make the core that stood where the record ends. Raises `DiskTrouble` if that is no log."""
    try:
        return Core.restore(
            *(identity, name, entropy, folder.secret, (), folder.payloads, trio.current_time()),
            folder.signed,
        )
    except Malformed as error:
        raise DiskTrouble(f"cannot go on from {folder.record.path}: {error}") from None


@asynccontextmanager
async def reopen_node(
    core: Core,
    identity: Identity,
    folder: TableFolder,
    options: SeatOptions,
    door: Door | None = None,
) -> AsyncIterator[Node]:
    """Sit down again with a restored core; `folder` is closed with the node."""
    port = _former_port(core, identity.public) or read_notes(folder.path).port or None
    listen = await _listen_again(options, port)

    def with_addresses(port: int) -> Core:
        core.addresses = addresses_of(port, loopback_only=options.loopback_only)
        return core

    async with open_node(with_addresses, identity, folder, listen, door=door) as node:
        damage = folder.record.damage
        if damage is not None:
            node.tell_trouble(
                f"The record was damaged at octet {damage.offset} ({damage.reason}); "
                "what stood there is asked of the others again."
            )
        yield node


def _former_port(core: Core, key: PeerKey) -> int | None:
    """Return the port the others at the table know this seat by."""
    member = core.state.member(key)
    found = (parse_literal(address) for address in (member.addresses if member else ()))
    return next((address.port for address in found if address is not None), None)


async def _listen_again(options: SeatOptions, port: int | None) -> Listen:
    """Where to listen after coming back: where the others look, if that port is still free."""
    usual = listen_of(options)
    if options.port is not None or port is None:
        return usual
    try:
        for listener in await open_listeners(Listen(usual.host, port)):
            await listener.aclose()
    except PortTrouble:
        return usual
    return Listen(usual.host, port)


def bots_of(folder: TableFolder) -> tuple[DataFolder, ...]:
    """Return the data folders of the bots that sat at a host's table."""
    path = folder.path / "bots"
    if not path.is_dir():
        return ()
    return tuple(DataFolder(each) for each in sorted(path.iterdir()))


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
    core = restore_core(folder, identity, options.name, secrets.token_bytes)
    async with reopen_node(core, identity, folder, options) as node:
        task_status.started()
        await _play_on(node, host, secrets.token_bytes)
