"""Coming back to the latest table that is neither over nor left for good, or to a named one.

A table's notes say whether it has ended. A table of an earlier version has no notes, so its record
is read, which takes a second or two; if the game is over, that is noted.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from netgame.errors import DiskTrouble, Malformed, Refused
from netgame.io.disk.identity import Identity, load_or_create
from netgame.io.disk.known_peers import KnownPeers
from netgame.io.disk.store import DataFolder, TableFolder
from netgame.io.door.admission import Door
from netgame.io.door.codes import parse_code
from netgame.io.entropy import fresh_octets
from netgame.io.network.addresses import parse_address
from netgame.io.network.tcp import numbers_of
from netgame.io.node.node import Node
from netgame.io.page.place import noted_place
from netgame.io.tables.arrival import recall
from netgame.io.tables.host import bot_folders, forget_bots, resume_bot
from netgame.io.tables.kept import short_name
from netgame.io.tables.notes import Ended, TableNotes, note, read_notes
from netgame.io.tables.options import JoinOptions
from netgame.io.tables.page import page_beside, serve_as_guest
from netgame.io.tables.seat import (
    as_noted,
    at_table,
    data_folder,
    reopen_node,
    restore_core,
    stand_ready,
)
from netgame.io.tasks import unwrapped
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.view import TableStage

_WHY_NOT: Final[dict[Ended, str]] = {
    "over": "the game at table {table} is over; its record is kept, to be replayed and verified",
    "left": "you left table {table} for good; join it again for a seat at its next round",
    "demonstration": "table {table} was dealt from a seed; such a game cannot be resumed",
}


@asynccontextmanager
async def resume_table(options: JoinOptions, table: str = "") -> AsyncIterator[Node]:
    """Resume a table from its record and notes: the latest unfinished one, or the one named.

    `table` is the beginning of its folder's name. A host brings its bots along, and its door is as
    it was. Raises on entry `Refused` (code `no-table`) if there is none, `DiskTrouble`,
    `PortTrouble`.
    """
    data = data_folder(options)
    identity = load_or_create(data.path)
    folder, core, notes = _choose_table(data, identity, options.name, table)
    options = as_noted(options, notes)
    known = KnownPeers(data.path)
    view, joiner = core.view(), core.parts.joiner
    joiner.host = PeerKey(view.host_key)
    joiner.host_addresses = await _met_at(known, view.host_key)
    door = _door_as_before(notes, anybody=view.is_open) if view.is_host else None
    if view.is_host:
        core.parts.chair.kicked = _kicked_before(notes)
    place = noted_place(notes.page_port, notes.page_path)
    wanted = place is not None and view.is_host
    with unwrapped():
        async with (
            page_beside(options.reach, wanted=wanted, place=place) as page,
            reopen_node(core, identity, folder, options, door, listeners=page.listeners) as node,
            at_table(node, options, {}, fresh_octets) as nursery,
        ):
            page.show(node)
            recall(node, known)
            for bot in bot_folders(folder.path):
                await nursery.start(resume_bot, DataFolder(bot), node, options.pause_s)
            stand_ready(nursery, node, known)
            if not view.is_host:
                as_before = replace(options, page=place is not None, page_place=place)
                await serve_as_guest(nursery, node, as_before)
            yield node
    await forget_bots(node)


async def _met_at(known: KnownPeers, host: bytes) -> tuple[str, ...]:
    """Return the addresses, `host:port`, at which this host was last met.

    They are needed because the log has no address for a host without a seat. Empty if it was never
    met, or the file of known peers cannot be read.
    """
    try:
        return await numbers_of(parse_address(known.address_of(host)))
    except (DiskTrouble, Malformed):
        return ()


def _door_as_before(notes: TableNotes, *, anybody: bool) -> Door:
    """Return the door of a table that its host resumes, with the code, bans and keys noted.

    With `anybody` no code is needed. Without a readable code in the notes, newcomers are let in
    only if their keys are noted as allowed.
    """
    code = None
    if not anybody:
        with suppress(Malformed):
            code = parse_code(notes.code)
    blocked, allowed = set(notes.blocked), set(notes.allowed)
    return Door(code, anybody=anybody, blocked=blocked, allowed=allowed)


def _kicked_before(notes: TableNotes) -> dict[PeerKey, str]:
    """Return the keys that this host has kicked, with their names; none if any is unreadable."""
    with suppress(ValueError):
        return {PeerKey(bytes.fromhex(key)): name for key, name in notes.kicked.items()}
    return {}


def _choose_table(
    data: DataFolder, identity: Identity, name: str, wanted: str
) -> tuple[TableFolder, Core, TableNotes]:
    """Open the latest unfinished table, or the latest whose folder's name begins with `wanted`.

    If the wanted one cannot be opened, raise the reason. If none can be, raise the `DiskTrouble` of
    the latest that has any, otherwise `Refused` (code `no-table`).
    """
    trouble: DiskTrouble | Refused | None = None
    for path in data.tables():
        if not path.name.startswith(wanted):
            continue
        try:
            return _opened(path, identity, name)
        except DiskTrouble as problem:
            trouble = trouble if isinstance(trouble, DiskTrouble) else problem
        except Refused as problem:
            trouble = trouble or problem
        if wanted:
            break
    if isinstance(trouble, DiskTrouble) or (trouble is not None and wanted):
        raise trouble
    raise Refused("no-table", "there is no table to come back to in {path}", path=data.path)


def _opened(path: Path, identity: Identity, name: str) -> tuple[TableFolder, Core, TableNotes]:
    """Open one table; raises `DiskTrouble`, or `Refused` if it is not one to come back to.

    Any error closes the folder. A game found to be over is noted as such.
    """
    notes = read_notes(path)
    if notes.ended:
        raise _ended(path, notes.ended)
    folder = TableFolder(path)
    try:
        core = restore_core(folder, identity, notes.name or name)
        match core.view().stage:
            case TableStage.LOBBY if notes.begun:
                raise DiskTrouble(
                    "the record in {path} breaks off before the game in it began, so nobody can "
                    "go on from it; if the others still play, join that table again",
                    path=path,
                )
            case TableStage.LOBBY:
                raise Refused("no-table", "that table never began; join or open one instead")
            case TableStage.OVER | TableStage.HALTED:
                with suppress(DiskTrouble):
                    note(path, ended="over")
                raise _ended(path, "over")
            case _:
                return folder, core, notes
    except BaseException:
        folder.close()
        raise


def _ended(path: Path, ended: Ended) -> Refused:
    return Refused("no-table", _WHY_NOT[ended], table=short_name(path))
