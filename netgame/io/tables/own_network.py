"""Noticing when this computer loses its network, such as by a pulled cable or lost Wi-Fi."""

from typing import Final

import trio

from netgame.io.network.interfaces import HAS_NETWORK
from netgame.io.node.node import Node
from netgame.limits import RESCAN_S

_SETTLES_S: Final = 6.0
"""Within this time a computer that wakes, or changes from one Wi-Fi to another, has a network
again. Other computers take longer to find that it is gone.
"""


async def watch_network(node: Node) -> None:
    """Tell the core when this computer has lost its network, and when the network is back.

    Runs until cancelled. A computer that has no network at first is not said to have lost it.
    """
    has_network = HAS_NETWORK.get()
    had = has_network()
    while True:
        await trio.sleep(RESCAN_S)
        has = has_network()
        if had and not has:
            await trio.sleep(_SETTLES_S)
            has = has_network()
        if has != had:
            await node.ask(node.parts.own_network.note, has_network=has)
        had = has
