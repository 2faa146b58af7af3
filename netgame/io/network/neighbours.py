"""Which of the addresses that others name are dialled: those of this network, and no others.

A join request and an advertisement name any address they like. Dialled unseen, they would have
every computer at the table knock at strangers' doors, or at its own. So an address is dialled if

- it is private or link-local, as on any LAN,
- one of this computer's interfaces is in its network,
- that peer has been met there: a link came from it, or a person typed it once, also over a VPN,
- it is loopback, and so is all that this computer or this seat has.

What a person types is always dialled; it does not come by here.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable

import trio

from netgame.io.network.addresses import Address, Number, number_of
from netgame.io.network.interfaces import Network, interface_networks, is_near
from netgame.protocol.peer.effects import PeerKey


class Neighbours:
    """What one seat knows of where its peers are."""

    def __init__(self, networks: Callable[[], Iterable[Network]] = interface_networks) -> None:
        self.at_home = False
        self._networks = networks
        self._met: defaultdict[PeerKey, set[Number]] = defaultdict(set)

    def meet(self, peer: PeerKey, host: str) -> None:
        """Note that this peer has proved its key at this address."""
        number = number_of(host)
        if number is not None:
            self._met[peer].add(number)

    def meet_at(self, peer: PeerKey, stream: trio.abc.Stream) -> None:
        """Note where the far end of a connection is, if it is one of the network."""
        inner = getattr(stream, "transport_stream", stream)
        if isinstance(inner, trio.SocketStream):
            try:
                self.meet(peer, str(inner.socket.getpeername()[0]))
            except OSError:
                return  # it is gone already

    def dialled(self, peer: PeerKey, addresses: Iterable[Address]) -> tuple[Address, ...]:
        """Return those of the addresses named for a peer at which it is dialled."""
        met = self._met.get(peer, set())
        return tuple(
            address
            for address in addresses
            if number_of(address.host) in met
            or is_near(address.host, self._networks, at_home=self.at_home)
        )
