"""Sitting down at somebody's table, or coming back to a seat there."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial

from netgame.io.discovery.advert import TableAd
from netgame.io.disk.identity import Identity, load_or_create
from netgame.io.disk.known_peers import How, KnownPeers
from netgame.io.disk.storage import seen_at
from netgame.io.disk.store import DataFolder, TableFolder
from netgame.io.door.codes import parse_code
from netgame.io.entropy import fresh_octets
from netgame.io.network.tcp import numbers_of
from netgame.io.node.node import Node
from netgame.io.node.opening import open_node
from netgame.io.tables import seat
from netgame.io.tables.arrival import Arrival, arrive, let_in, meet_host, recall, tell_damage
from netgame.io.tables.options import JoinOptions
from netgame.io.tables.page import serve_as_guest
from netgame.io.tables.shown_code import show_code
from netgame.io.tasks import unwrapped
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.people.seeking import LooksOn, SaysItWatches
from netgame.protocol.peer.view import TableStage


@asynccontextmanager
async def join_table(options: JoinOptions, where: str | TableAd) -> AsyncIterator[Node]:
    """Ask for a seat at `HOST:PORT` or at an advertised table, and be there within the block.

    A player who already has a seat at that table comes back to it; notices say whether there is a
    seat. Raises on entry `Malformed` (not an address, or not a join code), `Disconnected`,
    `TimedOut`, `Refused` (by the peer there, or by us if it is the wrong one), `DiskTrouble`,
    `PortTrouble`; within the block `Refused` if the host has the name of a known peer, but another
    key.
    """
    data = seat.data_folder(options)
    identity = load_or_create(data.path)
    arrival = await arrive(where, KnownPeers(data.path), options)
    with unwrapped():
        async with (
            await _seat_at(options, data, identity, arrival) as node,
            seat.at_table(node, options, seat.notes_of(options), fresh_octets) as nursery,
        ):
            recall(node, arrival.known)
            tell_damage(node, arrival.known)
            how = await let_in(node, arrival, options)
            nursery.start_soon(_sit_down, node, arrival, how, options)
            seat.stand_ready(nursery, node, arrival.known)
            if options.shown_code:
                nursery.start_soon(show_code, node, parse_code(options.shown_code))
            await serve_as_guest(nursery, node, options)
            yield node


async def _sit_down(node: Node, arrival: Arrival, how: How, options: JoinOptions) -> None:
    """Ask for a seat once the host is known to be the right one, unless the player only looks on.

    Waits for the log first, and for room on the disk. Raises `Refused` as `meet_host` does.
    """
    await meet_host(node, arrival, how)
    while node.waiting is not None:
        await node.when_changed().wait()
    if not (options.looks_first or options.watches):
        await node.take_seat()


async def _seat_at(
    options: JoinOptions, data: DataFolder, identity: Identity, arrival: Arrival
) -> AbstractAsyncContextManager[Node]:
    """Return the context manager of a node, for a table kept here or for a new one.

    The folder of a table kept here is opened at once, which may raise `DiskTrouble`.
    """
    key = arrival.seen.key
    found_at = await numbers_of(arrival.seen.address)
    path = data.table_path(arrival.seen.table)
    if any(seen_at(path / name) is not None for name in ("record", "journal")):
        folder = TableFolder(path)
        core = _kept_core(folder, identity, options.name)
        seat_there = seat.reopen_node(core, identity, folder, options)
    else:
        secret = fresh_octets(32)
        core = Core(identity, options.name, fresh_octets, secret, (), played_by=seat.played_here())
        opened = partial(data.open_table, secret=secret)
        seat_there = open_node(core, identity, opened, seat.listen_of(options))
    view = core.view()
    if view.stage is TableStage.LOBBY or view.seat is None:
        says_it_watches = options.looks_first or options.watches
        core.look_for_table(purpose=SaysItWatches() if says_it_watches else LooksOn())
    core.parts.joiner.host = key
    core.parts.joiner.host_addresses = found_at
    return seat_there


def _kept_core(folder: TableFolder, identity: Identity, name: str) -> Core:
    """Return a core restored from the folder; a record without a table's first entry is emptied.

    Raises `DiskTrouble`; any error closes the folder.
    """
    try:
        core = seat.restore_core(folder, identity, name)
        if not core.ledger.state.host:
            folder.record.empty()
    except BaseException:
        folder.close()
        raise
    return core
