"""The rule for dialling an address that others name.

A join request and an advertisement may name any address. If these were dialled unchecked, every
computer at the table could be made to knock at strangers' doors, or at its own. An address is
therefore dialled only in one of these cases:

- it is private or link-local, as on any LAN,
- one of this computer's interfaces is in its network,
- that peer has proved its key there: it connected from that address, or a person once typed the
  address, perhaps one in a VPN,
- it is loopback, and so are all addresses of this computer or this seat.

An address that a person types is always dialled, without asking `Neighbours`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable

from netgame.io.network.addresses import Address, Network, Number, number_of, parse_literal
from netgame.io.network.interfaces import dialled_as, interface_networks
from netgame.protocol.peer.effects import PeerKey


def is_near(host: str, networks: Callable[[], Iterable[Network]], *, at_home: bool = False) -> bool:
    """Return True if `host` is an address on a local network of this computer.

    Every address that is not global is near, such as a private or link-local one, and so is any in
    one of `networks`; a host name never is. Loopback is near only if this seat is `at_home`, which
    means that it listens on loopback only, or if this computer has no other address.
    """
    number = number_of(host)
    if number is None:
        return False
    if number.is_loopback:
        known = tuple(networks())  # none where the system does not tell them
        return at_home or (bool(known) and all(network.is_loopback for network in known))
    return not number.is_global or any(number in network for network in networks())


class Neighbours:
    """The addresses where one seat has met its peers, and the rule for which it may dial.

    It dials nothing itself. Its owner sets `at_home` for a seat that listens on loopback only.
    """

    def __init__(self, networks: Callable[[], Iterable[Network]] = interface_networks) -> None:
        self.at_home = False
        self._networks = networks
        self._met: defaultdict[PeerKey, set[Number]] = defaultdict(set)

    def meet(self, peer: PeerKey, host: str) -> None:
        """Note that this peer has proved its key at this address; ignore a host name."""
        number = number_of(host)
        if number is not None:
            self._met[peer].add(number)

    def forget(self, peer: PeerKey) -> None:
        """Forget all addresses where this peer was met, if any."""
        self._met.pop(peer, None)

    def dialled(self, peer: PeerKey, named: Iterable[str]) -> tuple[Address, ...]:
        """Return those of the addresses `named` for a peer that may be dialled, in order.

        Host names are left out. A link-local IPv6 address is returned once for each interface.
        """
        met = self._met.get(peer, set())
        return tuple(
            each
            for address in filter(None, map(parse_literal, named))
            if number_of(address.host) in met
            or is_near(address.host, self._networks, at_home=self.at_home)
            for each in dialled_as(address)
        )
