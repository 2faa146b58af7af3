"""The parts that hosting, joining and resuming a table have in common."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import assert_never

import trio
from msgspec.structs import replace

from engine.bots.levels import BotLevel
from netgame.crypto.group import Entropy
from netgame.errors import DiskTrouble, Malformed
from netgame.io.abilities import ABILITIES
from netgame.io.disk.identity import Identity, default_data_dir
from netgame.io.disk.known_peers import KnownPeers
from netgame.io.disk.storage import check_writable
from netgame.io.disk.store import DataFolder, TableFolder
from netgame.io.door.admission import Door
from netgame.io.entropy import fresh_octets
from netgame.io.network.addresses import parse_literal
from netgame.io.network.beside import Switchboard
from netgame.io.network.listen import LOOPBACK, Listen
from netgame.io.network.streams import Listener
from netgame.io.node.node import Node
from netgame.io.node.opening import open_node
from netgame.io.tables.announce import announce_when_due
from netgame.io.tables.arrival import meet_guests
from netgame.io.tables.bot import play_seat
from netgame.io.tables.notes import TableNotes, keep_notes, read_notes
from netgame.io.tables.options import HostOptions, JoinOptions, ReachedBy, SeatOptions
from netgame.io.tables.own_network import watch_network
from netgame.io.work import apart
from netgame.protocol.ledger.record import check_header
from netgame.protocol.notices import Trouble, TroubleKind
from netgame.protocol.peer.core import Core
from netgame.saying import saying
from netgame.wire.messages import PlayedBy


def data_folder(options: SeatOptions) -> DataFolder:
    """Return the folder where this seat keeps its tables; it need not exist, and is not made.

    Raises `DiskTrouble` if the options want a copy of the record where none can be written.
    """
    if options.record is not None:
        check_writable(options.record)
    return DataFolder(options.data_dir or default_data_dir())


def listen_of(options: SeatOptions, former: int = 0) -> Listen | None:
    """Return the interface and port that this seat listens on, or None if it listens nowhere.

    `former` is its former port, which is tried first unless the options name one. If that fails on
    loopback, any free port will do. In a place where no program can listen, such as a browser, a
    guest does without: others reach it through a forwarder.
    """
    guest = not isinstance(options, HostOptions)
    if guest and not ABILITIES.get().listens:
        return None
    match options.reach:
        case ReachedBy.PROGRAM:
            return None
        case ReachedBy.COMPUTER:
            return Listen(LOOPBACK, options.port or 0, former)
        case ReachedBy.NETWORK:
            return Listen(None, options.port, former)
        case _:
            assert_never(options.reach)


def notes_of(options: SeatOptions) -> dict[str, object]:
    """Return the notes on this seat's options that are needed when the player comes back."""
    record = "" if options.record is None else str(options.record.absolute())
    notes: dict[str, object] = {
        "reach": options.reach,
        "record": record,
        "on_wall": options.on_wall,
    }
    if isinstance(options, HostOptions):
        notes["starts_itself"] = options.start_at is not None
    return notes


def as_noted(options: JoinOptions, notes: TableNotes) -> JoinOptions:
    """Return these options completed from the notes, for a return to the table.

    The notes' record path is used if the options have none, and the notes' reach if that of the
    options is the network, which is the default.
    """
    record = options.record or (Path(notes.record) if notes.record else None)
    reach = notes.reach if options.reach is ReachedBy.NETWORK else options.reach
    return replace(options, record=record, reach=reach)


@asynccontextmanager
async def at_table(
    node: Node, options: SeatOptions, notes: Mapping[str, object], entropy: Entropy
) -> AsyncIterator[trio.Nursery]:
    """Keep the notes of `node` up to date within the block; if `auto`, have a bot play its seat.

    If the table is on a network, the core is told when this computer loses it. Yields a nursery for
    further tasks, which is cancelled at the end of the block. Then the record is copied to the path
    `options.record`, if it is given. Trouble with the copy is a notice.
    """
    async with keep_notes(node, notes), trio.open_nursery() as nursery:
        if options.auto:
            nursery.start_soon(play_seat, node, BotLevel.NORMAL, entropy, options.pause_s)
        if options.reach is ReachedBy.NETWORK:
            nursery.start_soon(watch_network, node)
        try:
            yield nursery
            nursery.cancel_scope.cancel()
        finally:
            if options.record is not None and node.folder is not None:
                with trio.CancelScope(shield=True):
                    await _copy_record(node, node.folder, options.record)


async def _copy_record(node: Node, folder: TableFolder, path: Path) -> None:
    try:
        await apart(partial(folder.record.copy_to, path))
    except DiskTrouble as trouble:
        facts = (trouble.said, str(folder.record.path))
        node.tell(Trouble(TroubleKind.NOT_COPIED, facts))


def stand_ready(nursery: trio.Nursery, node: Node, known: KnownPeers) -> None:
    """Start the tasks `announce_when_due` and `meet_guests` in `nursery`.

    Does nothing for a hidden seat.
    """
    if node.is_hidden:
        return
    nursery.start_soon(announce_when_due, node, known)
    nursery.start_soon(meet_guests, node, known)


def played_here() -> PlayedBy:
    """Return whether the player at this seat uses a browser's tab or a terminal."""
    return PlayedBy.TAB if ABILITIES.get().is_tab else PlayedBy.TERMINAL


def restore_core(
    folder: TableFolder, identity: Identity, name: str, played_by: PlayedBy | None = None
) -> Core:
    """Return a core that has read the record and the journal in `folder`, which stays open.

    Raises `DiskTrouble` if the record is not a valid log, or is of another version of the protocol
    or the rules. `played_by` says who plays the seat; by default this program's own player.
    """
    try:
        player = played_here() if played_by is None else played_by
        core = Core(identity, name, fresh_octets, folder.secret, (), played_by=player)
        record, journal = folder.record.payloads, folder.journal.payloads
        for header in record[:1]:
            check_header(header)
        return core.restore(record, trio.current_time(), journal)
    except Malformed as error:
        text = "cannot go on from {path}: {problem}"
        raise DiskTrouble(text, path=folder.record.path, problem=error) from None


@asynccontextmanager
async def reopen_node(
    core: Core,
    identity: Identity,
    folder: TableFolder,
    options: SeatOptions,
    door: Door | None = None,
    beside: Switchboard | None = None,
    listeners: Sequence[Listener] = (),
) -> AsyncIterator[Node]:
    """Run a node with a restored core within the block; `folder` is closed at its end.

    The player is told which parts of the record and the journal could not be read. Errors are as
    for `open_node`.
    """
    port = _former_port(core) or read_notes(folder.path).port
    damaged = (
        (TroubleKind.RECORD_DAMAGED, folder.record.damage),
        (TroubleKind.JOURNAL_DAMAGED, folder.journal.damage),
    )
    listen = listen_of(options, port)
    async with open_node(
        core, identity, folder, listen, door=door, beside=beside, listeners=listeners
    ) as node:
        for kind, damage in damaged:
            if damage is not None:
                node.tell(Trouble(kind, (str(damage.offset), saying(damage.reason))))
        yield node


def _former_port(core: Core) -> int:
    """Return the port in this seat's addresses in the log; 0 if it has none there."""
    member = core.state.member(core.key)
    found = map(parse_literal, member.addresses if member else ())
    return next((address.port for address in found if address is not None), 0)
