"""Sitting down at somebody's table, or coming back to a seat there."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from netgame.io.discovery.advert import TableAd
from netgame.io.disk.identity import Identity, load_or_create
from netgame.io.disk.known_peers import How, KnownPeers
from netgame.io.disk.store import DataFolder, TableFolder
from netgame.io.door.dial import numbers_of
from netgame.io.node.node import Node
from netgame.io.node.opening import open_node
from netgame.io.tables import seat
from netgame.io.tables.arrival import Arrival, arrive, let_in, meet_host, recall, tell_damage
from netgame.io.tables.options import JoinOptions
from netgame.io.tasks import unwrapped
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.view import TableStage


@asynccontextmanager
async def join_table(options: JoinOptions, where: str | TableAd) -> AsyncIterator[Node]:
    """Ask for a seat at `HOST:PORT` or at a found table, and sit there within the block.

    A player who already has a seat at that table comes back to it. Raises on entry `Malformed` (not
    an address, or not a join code), `Disconnected`, `TimedOut`, `Refused` (by the peer there, or by
    us if it is the wrong one), `DiskTrouble`, `PortTrouble`; within the block `Refused` if the host
    turns out to be a known peer with another key. Notices say whether there is a seat.
    """
    data = seat.data_folder(options)
    identity = load_or_create(data.path)
    arrival = await arrive(where, KnownPeers(data.path), options)
    with unwrapped():
        async with (
            _seat_at(options, data, identity, arrival) as node,
            seat.at_table(node, options, seat.notes_of(options), secrets.token_bytes) as nursery,
        ):
            recall(node, arrival.known)
            tell_damage(node, arrival.known)
            how = await let_in(node, arrival, options)
            nursery.start_soon(_sit_down, node, arrival, how, options)
            seat.stand_ready(nursery, node, options.name, arrival.known)
            yield node


async def _sit_down(node: Node, arrival: Arrival, how: How, options: JoinOptions) -> None:
    """Ask for a seat once the host is known to be the right one, unless the player just looks."""
    await meet_host(node, arrival, how)
    while node.waiting is not None:
        await node.when_changed().wait()
    if not (options.looks_first or options.watches):
        await node.take_seat()


@asynccontextmanager
async def _seat_at(
    options: JoinOptions, data: DataFolder, identity: Identity, arrival: Arrival
) -> AsyncIterator[Node]:
    """Come back to a table begun before, or look for a seat at a new one."""
    found_at = await numbers_of(arrival.address)

    def look(core: Core) -> Core:
        return core.look_for_table(
            host=arrival.seen.key,
            host_addresses=found_at,
            looks_first=True,
            watches=options.looks_first or options.watches,
        )

    path = data.table_path(arrival.seen.table)
    was_there = any((path / name).is_file() for name in ("record", "journal"))
    folder = TableFolder(path) if was_there else None
    kept = None if folder is None else _kept_core(folder, identity, options.name)
    if folder is not None and kept is not None:
        core = kept if _sits(kept) else look(kept)
        core.parts.joiner.host, core.parts.joiner.host_addresses = arrival.seen.key, found_at
        async with seat.reopen_node(core, identity, folder, options) as node:
            yield node
        return
    secret = folder.secret if folder is not None else secrets.token_bytes(32)

    def make_core(port: int) -> Core:
        addresses = seat.addresses_of(port, loopback_only=options.loopback_only)
        core = look(Core(identity, options.name, secrets.token_bytes, secret, addresses))
        if folder is not None:
            core.parts.journal.recall(folder.journal.payloads)
        return core

    opened = folder or partial(data.open_table, secret=secret)
    async with open_node(make_core, identity, opened, seat.listen_of(options)) as node:
        if folder is not None:
            seat.tell_damaged_files(node, folder)
        yield node


def _kept_core(folder: TableFolder, identity: Identity, name: str) -> Core | None:
    """A core restored from the folder; None if the record holds no more than a header.

    Raises `DiskTrouble`, and closes the folder then.
    """
    try:
        core = seat.restore_core(folder, identity, name)
        if core.ledger.state.host:
            return core
        folder.record.empty()
    except BaseException:
        folder.close()
        raise
    return None


def _sits(core: Core) -> bool:
    """Whether this key has, or had, a seat in a game that has begun."""
    view = core.view()
    return view.stage is not TableStage.LOBBY and view.seat is not None
