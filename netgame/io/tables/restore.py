"""A seat as it stood where its record ends, and where the others look for it."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from netgame.errors import DiskTrouble, Malformed
from netgame.io.disk.identity import Identity
from netgame.io.disk.notes import read_notes
from netgame.io.disk.store import TableFolder
from netgame.io.door.admission import Door
from netgame.io.network.addresses import parse_literal
from netgame.io.network.listen import Listen, PortTrouble, listening
from netgame.io.node.node import Node
from netgame.io.node.open_node import open_node
from netgame.io.tables.options import SeatOptions
from netgame.io.tables.seat import addresses_of, listen_of
from netgame.protocol.notices import Trouble, TroubleKind
from netgame.protocol.peer.beginnings import restore
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import PeerKey


def restore_core(folder: TableFolder, identity: Identity, name: str) -> Core:
    """Make the core that stood where the record ends. Raises `DiskTrouble` if that is no log."""
    try:
        core = Core(identity, name, secrets.token_bytes, folder.secret, ())
        record, journal = folder.record.payloads, folder.journal.payloads
        return restore(core, record, trio.current_time(), journal)
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
        core.place.addresses = addresses_of(port, loopback_only=options.loopback_only)
        return core

    async with open_node(with_addresses, identity, folder, listen, door=door) as node:
        damage = folder.record.damage
        if damage is not None:
            facts = (str(damage.offset), damage.reason)
            node.tell(Trouble(TroubleKind.RECORD_DAMAGED, facts))
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
    former = Listen(usual.host, port)
    try:
        async with listening(former):
            return former
    except PortTrouble:
        return usual
