"""Opening a node: its listeners, its core, its tasks; and closing them all again."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager
from types import MappingProxyType

import trio

from netgame.io.disk.identity import Identity
from netgame.io.disk.store import TableFolder
from netgame.io.door.admission import Door
from netgame.io.door.channel import Channel
from netgame.io.network.listen import LOOPBACK, Listen, listening, port_of
from netgame.io.node.node import Node
from netgame.io.tasks import unwrapped
from netgame.protocol.peer.core import Core


@asynccontextmanager
async def open_node(
    make_core: Callable[[int], Core],
    identity: Identity,
    folder: TableFolder | Callable[[bytes], TableFolder],
    listen: Listen,
    aliases: Mapping[str, str] = MappingProxyType({}),
    door: Door | None = None,
) -> AsyncIterator[Node]:
    """Listen, make the core (it is told the port), and sit at the table within the block.

    `folder` is the table's, or opens it once the table's id is known. `aliases` maps addresses
    named by peers to those to dial: a demonstration has fixed addresses in its log. Without a
    `door` only members of the table may come in. Raises `PortTrouble`, `DiskTrouble` on entry;
    leaving the block closes links and folder.
    """
    with ExitStack() as stack, unwrapped():
        if isinstance(folder, TableFolder):
            stack.callback(folder.close)
        async with listening(listen) as listeners, trio.open_nursery() as nursery:
            port = port_of(listeners)
            node = Node(make_core(port), Channel(identity), folder, port, aliases, door or Door())
            node.is_hidden = listen.host == LOOPBACK
            stack.callback(node.close)
            await nursery.start(node.run, listeners)
            if node.trouble is not None:
                raise node.trouble
            yield node
            await node.say_goodbye()
            nursery.cancel_scope.cancel()
