"""What hosts, joiners and those who come back do alike at their seat."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from engine.bots import choose
from netgame.crypto.group import Entropy
from netgame.errors import DiskTrouble
from netgame.io.disk.identity import default_data_dir
from netgame.io.disk.known_peers import KnownPeers
from netgame.io.disk.store import DataFolder, TableFolder, check_writable
from netgame.io.network.interfaces import lan_addresses
from netgame.io.network.listen import LOOPBACK, Listen
from netgame.io.node.node import Node
from netgame.io.tables.announce import announce_when_due, is_hidden
from netgame.io.tables.keep_notes import keep_notes
from netgame.io.tables.meet import meet_guests
from netgame.io.tables.options import SeatOptions
from netgame.io.tables.strategy import play_seat
from netgame.protocol.notices import Trouble, TroubleKind


def data_folder(options: SeatOptions) -> DataFolder:
    """Return where this seat keeps its tables. Raises `DiskTrouble` if no record can be copied."""
    if options.record is not None:
        check_writable(options.record)
    return DataFolder(options.data_dir or default_data_dir())


def listen_of(options: SeatOptions) -> Listen:
    """Where this seat listens."""
    if options.loopback_only:
        return Listen(LOOPBACK, options.port or 0)
    return Listen(None, options.port)


def addresses_of(port: int, *, loopback_only: bool) -> tuple[str, ...]:
    """Where the others at the table are told to dial this seat."""
    near = (f"{LOOPBACK}:{port}",)
    return near if loopback_only else lan_addresses(port) or near


def notes_of(options: SeatOptions) -> dict[str, object]:
    """Say what no log will: what was chosen for this seat."""
    record = "" if options.record is None else str(options.record.absolute())
    return {"loopback_only": options.loopback_only, "record": record}


@asynccontextmanager
async def at_table(
    node: Node, options: SeatOptions, notes: Mapping[str, object], entropy: Entropy
) -> AsyncIterator[trio.Nursery]:
    """Sit there within the block: notes are kept, and the strategy plays the seat if `auto`.

    The nursery is for what else is to go on until then; at the end the record is copied where the
    player wants it.
    """
    async with keep_notes(node, notes), trio.open_nursery() as nursery:
        if options.auto:
            nursery.start_soon(play_seat, node, choose, entropy, options.pause_s)
        try:
            yield nursery
            nursery.cancel_scope.cancel()
        finally:
            if options.record is not None and node.folder is not None:
                with trio.CancelScope(shield=True):
                    await _copy_record(node, node.folder, options.record)


async def _copy_record(node: Node, folder: TableFolder, path: Path) -> None:
    try:
        await trio.to_thread.run_sync(folder.record.copy_to, path)
    except DiskTrouble as trouble:
        facts = (str(trouble), str(folder.record.path))
        node.tell(Trouble(TroubleKind.NOT_COPIED, facts))


def stand_ready(nursery: trio.Nursery, node: Node, options: SeatOptions, known: KnownPeers) -> None:
    """Have this computer announce the table when that falls to it, and note who comes then."""
    if options.loopback_only or is_hidden(node.addresses_of(node.key)):
        return
    tell_new_codes(node)
    nursery.start_soon(announce_when_due, node, options.name, known)
    nursery.start_soon(meet_guests, node, known)


def tell_new_codes(node: Node) -> None:
    """Tell the person whenever wrong tries have changed the join code."""

    def tell(source: str) -> None:
        node.tell(Trouble(TroubleKind.CODE_CHANGED, (source, str(node.door.code))))

    node.door.on_new_code = tell
