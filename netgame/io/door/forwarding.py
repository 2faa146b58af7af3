"""Forwarding of streams: this peer's requests to others, and its service to them.

    asker --stream-open(key)--> forwarder --stream-open--> wanted peer
      '---------------------- Noise, and a link -----------------'

A forwarder connects two direct links to members, so a stream passes one forwarder and there are no
loops. A request names a key, never an address, so it cannot reach other computers in the
forwarder's network. At the wanted peer's door, a forwarded stream counts as the forwarder's own
until the asker has proved a key there [peer.md §2].
"""

import logging
from collections.abc import Callable, Mapping
from typing import Final

import trio

from netgame import limits
from netgame.errors import NetgameError
from netgame.io.door.acceptor import Acceptor
from netgame.io.door.admission import Door
from netgame.io.links import Link
from netgame.io.network.forwarded import Carrier, ForwardedStream, pipe
from netgame.protocol.forwarding import BUSY
from netgame.protocol.peer.effects import PeerKey
from netgame.rates import TokenBucket

log = logging.getLogger("netgame.io")

STRANGER: Final = "stranger"
"""The refusal of a stream from or to a peer that is not a member."""
UNLINKED: Final = "unlinked"
"""The refusal of a stream to a member to which there is no direct link."""


class Forwarding:
    """Forwarding for one pool: answers requests for streams, and finds members to ask for one."""

    nursery: trio.Nursery
    """Set by the pool before the first link."""

    def __init__(
        self, key: PeerKey, links: Mapping[PeerKey, Link], door: Door, acceptor: Acceptor
    ) -> None:
        self.host: Callable[[], bytes] = bytes
        """Returns the key of the table's host, which is asked first for streams."""
        self._key, self._links, self._door, self._acceptor = key, links, door, acceptor
        self._failures: dict[tuple[PeerKey, PeerKey], TokenBucket] = {}
        """The number of further links that may fail, by forwarder and peer. A pair that is missing
        has had no failure.
        """

    def reaches(self, peer: PeerKey) -> bool:
        """Return True if there is a direct link to this peer."""
        return peer in self._links and not self._links[peer].by

    # ---- for ourselves ----------------------------------------------------------------------

    def forwarders(self, peer: PeerKey) -> tuple[Carrier, ...]:
        """Return the members to ask for a stream to this peer, the host first.

        Empty unless this player and the peer are members. A forwarder is left out if too many links
        to the peer through it have failed lately. Failures are forgotten in time, because an
        unsteady Wi-Fi looks the same as a forwarder that cuts its streams.
        """
        sits, host = self._door.sits, self.host()
        if not (sits(self._key) and sits(peer)):
            return ()
        return tuple(
            carrier
            for by in sorted(self._links, key=lambda key: (key != host, key))
            if by != peer and sits(by) and (carrier := self._links[by].streams) is not None
            if not self._fails(by, peer)
        )

    def _fails(self, by: PeerKey, peer: PeerKey) -> bool:
        """Return True if too many links to a peer through this forwarder have failed lately."""
        left = self._failures.get((by, peer))
        return left is not None and left.would_wait(trio.current_time())

    def note_end(self, link: Link) -> None:
        """If a link that has ended was forwarded and failed, count that against its forwarder."""
        if link.by and link.failed:
            now = trio.current_time()
            full = TokenBucket(limits.FORWARDER_ENDS_PER_S, limits.FORWARDER_ENDS_MAX, now)
            self._failures.setdefault((link.by, link.peer), full).take_all(1, now)

    # ---- for others -------------------------------------------------------------------------

    def answer(self, link: Link, stream: ForwardedStream) -> None:
        """Forward a stream that the peer of `link` asks for, or take one that it offers.

        Refuse it if either end is not a member, if the wanted peer has no direct link, or if too
        many streams from this forwarder have not proved a key yet.
        """
        if stream.wanted:
            self._forward(link, stream)
        elif not (self._door.sits(link.peer) and self._door.sits(self._key)):
            stream.refuse(STRANGER)
        elif self._acceptor.count(stream.source) >= limits.UNPROVED_PER_FORWARDER_MAX:
            stream.refuse(BUSY)
        else:
            stream.accept()
            self._acceptor.take(stream, self.nursery)

    def _forward(self, link: Link, stream: ForwardedStream) -> None:
        wanted = self._links.get(stream.wanted)
        if not (self._door.sits(link.peer) and self._door.sits(stream.wanted)):
            stream.refuse(STRANGER)
        elif wanted is None or wanted is link or wanted.streams is None:
            stream.refuse(UNLINKED)
        else:
            self.nursery.start_soon(self._pipe, stream, wanted.streams)

    async def _pipe(self, near: ForwardedStream, carrier: Carrier) -> None:
        """Forward a stream over the link to the wanted peer until it ends.

        Refuse it if the peer takes no stream.
        """
        try:
            far = await carrier.open()
        except NetgameError as error:
            log.debug("%s takes no stream: %r", carrier.peer.hex()[:8], error)
            near.refuse(BUSY)
            return
        near.accept()
        await pipe(near, far)
