"""Opening a table: the chair's seat, its bots, its door."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from netgame.io.disk.identity import Identity, load_or_create
from netgame.io.disk.known_peers import KnownPeers
from netgame.io.disk.store import TableFolder
from netgame.io.door.admission import Door
from netgame.io.door.codes import draw_code
from netgame.io.node.node import Node
from netgame.io.node.open_node import open_node
from netgame.io.tables.announce import announce
from netgame.io.tables.bots import sit_bot
from netgame.io.tables.meet import meet_guests, tell_damage
from netgame.io.tables.options import HostOptions, Randomness
from netgame.io.tables.seat import (
    addresses_of,
    at_table,
    data_folder,
    listen_of,
    notes_of,
    tell_new_codes,
)
from netgame.io.tasks import unwrapped
from netgame.protocol.peer.beginnings import open_table
from netgame.protocol.peer.core import Core


@asynccontextmanager
async def host_table(options: HostOptions) -> AsyncIterator[Node]:
    """Open a table with its bots and sit at it within the block.

    Raises `DiskTrouble` and `PortTrouble` on entry. Whatever goes wrong later is a notice.
    """
    randomness = Randomness(options.seed)
    data = data_folder(options)
    secret = randomness.secret("host")
    notes = {**notes_of(options), "open": options.open}
    if randomness.is_fixed:
        # A demonstration comes out the same on every computer: its key is the seed's, and its
        # table, which has one id each time, gets a folder of its own.
        identity = Identity(randomness.secret("identity"))
        notes["ended"] = "demonstration"
    else:
        identity = load_or_create(data.path)

    def open_folder(table_id: bytes) -> TableFolder:
        path = data.new_table_path(table_id) if randomness.is_fixed else data.table_path(table_id)
        return TableFolder(path, secret)

    def make_core(port: int) -> Core:
        found = addresses_of(port, loopback_only=options.loopback_only)
        entropy, addresses = randomness.source("host"), randomness.addresses(found)
        return open_table(
            Core(identity, options.name, entropy, secret, addresses),
            entropy(32),
            options.settings,
            seated=options.seated,
            start_at=options.start_at,
            lead=options.lead,
        )

    known = KnownPeers(data.path)
    door = Door.open() if options.open else Door(draw_code(), known=known.trusted())
    listen = listen_of(options)
    with unwrapped():
        async with (
            open_node(make_core, identity, open_folder, listen, randomness.aliases, door) as node,
            at_table(node, options, notes, randomness.source("choices")) as nursery,
        ):
            tell_new_codes(node)
            tell_damage(node, known)
            nursery.start_soon(meet_guests, node, known)
            for number in range(options.bots):
                await nursery.start(sit_bot, node, randomness, number)
            if options.announce and not options.loopback_only:
                nursery.start_soon(announce, node, options.name)
            yield node
