"""Tables as the shell opens them, each behind one `Node`: host one, join one, come back to one.

A bot is a peer like any other: its own key, its own secrets, its own record, a seat asked for and
granted over a loopback socket. `play` is a host with bots that listens on loopback only; there is
no way past the protocol.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import trio

from netgame.errors import DiskTrouble, Malformed, Refused
from netgame.io.addresses import parse_address
from netgame.io.advert import TableAd
from netgame.io.announce import announce, announce_when_due, is_hidden
from netgame.io.browse import browse
from netgame.io.dial import numbers_of
from netgame.io.entrance import (
    Arrival,
    arrive,
    host_door,
    let_in,
    meet_guests,
    meet_host,
    reopened_door,
)
from netgame.io.identity import Identity, default_data_dir, load_or_create
from netgame.io.known_peers import How, KnownPeers
from netgame.io.node import Node, open_node
from netgame.io.options import HostOptions, JoinOptions, Randomness
from netgame.io.sitting import (
    addresses_of,
    at_seat,
    bots_of,
    listen_of,
    opener,
    reopen_node,
    restore_core,
    resume_bot,
    sit_bot,
)
from netgame.io.store import DataFolder, TableFolder, check_writable
from netgame.io.note_keeping import keep_notes
from netgame.io.notes import TableNotes
from netgame.io.tasks import unwrapped
from netgame.io.unfinished import choose_table, unfinished_tables
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.view import TableStage

__all__ = [
    "HostOptions",
    "JoinOptions",
    "find_tables",
    "host_table",
    "join_table",
    "resume_table",
    "unfinished_tables",
]

FOUND_GRACE_S: Final = 0.3
"""After the first table was found, others get this long to show up beside it."""


# ---- hosting --------------------------------------------------------------------------------


@asynccontextmanager
async def host_table(options: HostOptions) -> AsyncIterator[Node]:
    """Open a table with its bots and sit at it within the block.

    Raises `DiskTrouble` and `PortTrouble` on entry. Whatever goes wrong later is a notice.
    """
    randomness = Randomness(options.seed)
    data = _data_folder(options)
    # A demonstration has a key of its own, so that it comes out the same on every computer.
    identity = (
        Identity(randomness.secret("identity"))
        if randomness.is_fixed
        else load_or_create(data.path)
    )
    secret = randomness.secret("host")
    folder = opener(data, secret, new=randomness.is_fixed)

    def make_core(port: int) -> Core:
        return Core.host(
            identity,
            options.name,
            options.settings,
            randomness.source("host"),
            secret,
            randomness.addresses(addresses_of(port, loopback_only=options.loopback_only)),
            seated=options.seated,
            start_at=options.start_at,
            lead=options.lead,
        )

    known = KnownPeers(data.path)
    door = host_door(options, known)
    listen = listen_of(options)
    with unwrapped():
        async with (
            open_node(make_core, identity, folder, listen, randomness.aliases, door) as node,
            keep_notes(node, _notes_of(options)),
            trio.open_nursery() as nursery,
        ):
            door.on_new_code = partial(_tell_new_code, node)
            _tell_damage(node, known)
            nursery.start_soon(meet_guests, node, known)
            for number in range(options.bots):
                await nursery.start(sit_bot, node, randomness, number)
            if options.announce and not options.loopback_only:
                nursery.start_soon(announce, node, options.name)
            async with at_seat(node, options, randomness.source("choices")):
                yield node
            nursery.cancel_scope.cancel()


def _stand_ready(
    nursery: trio.Nursery, node: Node, options: JoinOptions, known: KnownPeers
) -> None:
    """Have this computer announce the table when that falls to it, and note who comes then."""
    if options.loopback_only or is_hidden(node.addresses_of(node.key)):
        return
    node.door.on_new_code = partial(_tell_new_code, node)
    nursery.start_soon(announce_when_due, node, options.name, known)
    nursery.start_soon(meet_guests, node, known)


def _notes_of(options: HostOptions | JoinOptions) -> dict[str, object]:
    """Say what no log will: what was chosen for this seat and this door."""
    record = "" if options.record is None else str(options.record.absolute())
    notes: dict[str, object] = {"loopback_only": options.loopback_only, "record": record}
    if isinstance(options, HostOptions):
        notes["open"] = options.open
        if options.seed is not None:
            notes["ended"] = "demonstration"
    return notes


def _tell_new_code(node: Node, source: str) -> None:
    node.tell_trouble(
        f"Wrong join codes came from {source}. The join code of this table is now {node.door.code}."
    )


def _recall(node: Node, known: KnownPeers) -> None:
    """Dial peers where they were met before, though that be no address of this network."""
    with suppress(DiskTrouble):
        for peer in known.read():
            with suppress(Malformed, ValueError):
                key = PeerKey(bytes.fromhex(peer.key))
                node.neighbours.meet(key, parse_address(peer.address).host)


def _tell_damage(node: Node, known: KnownPeers) -> None:
    """Say why nobody is known, if the file could not be read."""
    if known.trouble is not None:
        node.tell_trouble(known.trouble)


def _data_folder(options: HostOptions | JoinOptions) -> DataFolder:
    if options.record is not None:
        check_writable(options.record)
    return DataFolder(options.data_dir or default_data_dir())


# ---- joining --------------------------------------------------------------------------------


@asynccontextmanager
async def join_table(options: JoinOptions, where: str | TableAd) -> AsyncIterator[Node]:
    """Ask for a seat at `HOST:PORT` or at a table found, and sit there within the block.

    Who already has a seat at that table comes back to it. Raises on entry `Malformed` (not an
    address, or no join code), `Disconnected`, `TimedOut`, `Refused` (by the peer there, or by us if
    it is not who it should be), `DiskTrouble`, `PortTrouble`; within the block `Refused` if the
    host turns out to be a known peer with another key. Whether there is a seat, notices say.
    """
    data = _data_folder(options)
    identity = load_or_create(data.path)
    arrival = await arrive(where, KnownPeers(data.path))
    with unwrapped():
        async with (
            _seat_at(options, data, identity, arrival) as node,
            keep_notes(node, _notes_of(options)),
            trio.open_nursery() as nursery,
        ):
            _recall(node, arrival.known)
            _tell_damage(node, arrival.known)
            how = await let_in(node, arrival, options)
            nursery.start_soon(_sit_down, node, arrival, how, options)
            _stand_ready(nursery, node, options, arrival.known)
            async with at_seat(node, options, secrets.token_bytes):
                yield node
            nursery.cancel_scope.cancel()


async def _sit_down(node: Node, arrival: Arrival, how: How, options: JoinOptions) -> None:
    """Ask for a seat, unless the person is to look first, at a table whose host is who it was."""
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
    folder = _former_folder(data, arrival.seen.table)
    if folder is not None:
        try:
            core = restore_core(folder, identity, options.name, secrets.token_bytes)
            view = core.view()
            sits = view.stage is not TableStage.LOBBY and view.seat is not None
            if not sits:
                # Nothing is signed here, so one may sit down or look on as if for the first time.
                folder.record.restart()
        except BaseException:
            folder.close()
            raise
        if sits:
            async with reopen_node(core, identity, folder, options) as node:
                yield node
            return
    secret = folder.secret if folder is not None else secrets.token_bytes(32)

    def make_core(port: int) -> Core:
        addresses = addresses_of(port, loopback_only=options.loopback_only)
        core = Core.join(
            *(identity, options.name, secrets.token_bytes, secret, addresses),
            host=arrival.seen.key,
            host_addresses=found_at,
            looks_first=True,
            watches=options.watches,
        )
        core.remember(() if folder is None else folder.signed)
        return core

    opened = folder or opener(data, secret)
    async with open_node(make_core, identity, opened, listen_of(options)) as node:
        yield node


def _former_folder(data: DataFolder, table_id: bytes) -> TableFolder | None:
    path = data.table_path(table_id)
    is_there = any((path / name).is_file() for name in ("record", "journal"))
    return TableFolder(path) if is_there else None


# ---- coming back ----------------------------------------------------------------------------


@asynccontextmanager
async def resume_table(options: JoinOptions, table: str = "") -> AsyncIterator[Node]:
    """Come back to a table from its record and notes: the latest unfinished, or the one named.

    A host brings its bots along, and its door is as it was. Raises `Refused` (code `no-table`) if
    there is none, `DiskTrouble`, `PortTrouble`.
    """
    data = _data_folder(options)
    identity = load_or_create(data.path)
    folder, core, notes = choose_table(data, identity, options.name, table)
    options = _as_before(options, notes)
    known = KnownPeers(data.path)
    door = reopened_door(notes) if core.view().is_host else None
    with unwrapped():
        async with (
            reopen_node(core, identity, folder, options, door) as node,
            keep_notes(node, {}),
            trio.open_nursery() as nursery,
        ):
            _recall(node, known)
            for bot in bots_of(folder):
                await nursery.start(resume_bot, bot, node)
            _stand_ready(nursery, node, options, known)
            async with at_seat(node, options, secrets.token_bytes):
                yield node
            nursery.cancel_scope.cancel()


def _as_before(options: JoinOptions, notes: TableNotes) -> JoinOptions:
    """Add what was chosen when the seat was taken, unless something else is chosen now."""
    record = options.record or (Path(notes.record) if notes.record else None)
    hidden = options.loopback_only or notes.loopback_only
    return replace(options, record=record, loopback_only=hidden)


# ---- finding --------------------------------------------------------------------------------


async def find_tables(
    timeout_s: float = 2.0, *, at_least: int = 0, begun: bool = False
) -> tuple[TableAd, ...]:
    """Look for tables for `timeout_s`, or until `at_least` open ones (if not 0) are found.

    With `begun` those count as well at which one may look on.
    Raises `Refused` (code `discovery`) with a sentence if looking is not possible.
    """
    async with browse() as browser:
        with trio.move_on_after(timeout_s):
            while browser.trouble is None:
                changed = browser.when_changed()
                wanted = [ad for ad in browser.tables if ad.is_open or (begun and ad.can_watch)]
                if at_least and len(wanted) >= at_least:
                    await trio.sleep(FOUND_GRACE_S)
                    break
                await changed.wait()
        if browser.trouble is not None:
            raise Refused("discovery", browser.trouble)
        return browser.tables
