"""Opening a node with its listeners and tasks, and closing all of them again."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing

import trio

from netgame.io.disk.identity import Identity
from netgame.io.disk.store import TableFolder
from netgame.io.door.admission import Door
from netgame.io.door.channel import Channel
from netgame.io.network.addresses import Address
from netgame.io.network.beside import Switchboard
from netgame.io.network.interfaces import lan_hosts
from netgame.io.network.listen import LOOPBACK, Listen, listening
from netgame.io.network.streams import Listener
from netgame.io.node.node import Node
from netgame.io.tasks import unwrapped
from netgame.protocol.peer.core import Core


@asynccontextmanager
async def open_node(
    core: Core,
    identity: Identity,
    folder: TableFolder | Callable[[bytes], TableFolder],
    listen: Listen | None,
    aliases: dict[str, str] | None = None,
    door: Door | None = None,
    beside: Switchboard | None = None,
    listeners: Sequence[Listener] = (),
) -> AsyncIterator[Node]:
    """Listen, tell the core its addresses, and run a node within the block.

    Without `listen` no port is opened. Nodes of this process that share the switchboard `beside`
    reach this one in any case. `listeners` are further ones, which the caller closes after the
    block; nobody is told their addresses. `folder` is the table's, or a function that
    opens it once the table's id is known. Only a demonstration has `aliases`: see
    `addresses_to_tell`. Without a `door` only members of the table, and guests they vouch for, may
    come in. Raises `PortTrouble` or `DiskTrouble` on entry. Leaving the block closes links and
    folder; leaving it by an error skips the goodbye.
    """
    channel = Channel(identity)
    beside = Switchboard() if beside is None else beside
    node = Node(core, channel, folder, aliases, door or Door(), beside)
    extension = beside.extension(node.key)
    with closing(node), closing(extension), unwrapped():
        async with listening(listen) as ports, trio.open_nursery() as nursery:
            node.port = ports[0].port if ports else 0
            node.is_hidden = listen is None or listen.host == LOOPBACK
            core.context.addresses = addresses_to_tell(node.port, aliases, is_hidden=node.is_hidden)
            await nursery.start(node.run, [*ports, *listeners, extension])
            yield node
            await node.say_goodbye()
            nursery.cancel_scope.cancel()


def addresses_to_tell(
    port: int, aliases: dict[str, str] | None = None, *, is_hidden: bool = False
) -> tuple[str, ...]:
    """Return the addresses, `host:port`, at which others should dial a seat that listens on `port`.

    They are this computer's addresses on the local network, the best first. If it has none, or the
    seat `is_hidden`, loopback is the only one. `port` is 0 for a seat that does not listen.

    The addresses are signed into the log. The log of a demonstration must always be the same, but
    the system chooses its ports, so its nodes name made-up addresses and share `aliases`. If
    `aliases` is given, a new made-up address is added, mapped to the first real one, and returned
    alone.
    """
    hosts = () if is_hidden else lan_hosts()
    real = tuple(str(Address(host, port)) for host in hosts or (LOOPBACK,))
    if aliases is None:
        return real
    alias = f"{LOOPBACK}:{len(aliases) + 1}"
    aliases[alias] = real[0]
    return (alias,)
