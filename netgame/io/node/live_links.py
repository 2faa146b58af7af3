"""The links that a core knows of."""

from collections.abc import Mapping
from typing import TypeAlias, assert_never

from netgame.io.door.link_pool import LinkPool
from netgame.io.links.link import Link
from netgame.protocol.peer.effects import Dial, Drop, PeerKey, Send

LinkEffect: TypeAlias = Send | Dial | Drop


class LiveLinks:
    """One link to each peer; `aliases` says where to dial when a peer names an address in it."""

    def __init__(self, pool: LinkPool, aliases: Mapping[str, str]) -> None:
        self._pool = pool
        self._aliases = aliases
        self._live: dict[PeerKey, Link] = {}

    def add(self, link: Link) -> None:
        """Take a link that has come up; it may take another's place."""
        self._live[link.peer] = link

    def has(self, link: Link) -> bool:
        """Whether this is the link to its peer, and not one that was replaced."""
        return self._live.get(link.peer) is link

    def remove(self, link: Link) -> None:
        """Forget the link to a peer."""
        del self._live[link.peer]

    def do(self, effect: LinkEffect) -> None:
        """Do what the core wants of a link; nothing where there is none."""
        match effect:
            case Send(peer, frame):
                if peer in self._live:
                    self._live[peer].send(frame)
            case Dial(peer, addresses):
                real = tuple(self._aliases.get(address, address) for address in addresses)
                self._pool.keep_dialling(peer, real)
            case Drop(peer, reason):
                if peer in self._live:
                    self._live[peer].finish(reason)
            case _:
                assert_never(effect)
