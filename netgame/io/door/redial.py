"""Peers that are dialled again and again, with growing pauses, until there is a link."""

import math
import random
from collections.abc import Awaitable, Callable

import trio

from netgame.io.network.addresses import Address, parse_literal
from netgame.limits import DIAL_BACKOFF_MAX_S, DIAL_BACKOFF_MIN_S
from netgame.protocol.peer.effects import PeerKey


class Wanted:
    """A peer that is dialled: where, and how to hurry."""

    def __init__(self, peer: PeerKey, addresses: tuple[Address, ...]) -> None:
        self.peer = peer
        self.addresses = addresses
        self.hurry = trio.Event()
        self.scope = trio.CancelScope()


class Redialler:
    """Awaits `attempt` for each peer wanted until it says that nothing more is to be done."""

    def __init__(self, attempt: Callable[[PeerKey, tuple[Address, ...]], Awaitable[bool]]) -> None:
        self.wanted: dict[PeerKey, Wanted] = {}
        self._attempt = attempt
        self._given, self._taken = trio.open_memory_channel[Wanted](math.inf)

    def want(self, peer: PeerKey, addresses: tuple[str, ...]) -> None:
        """Dial `peer`, which has named these addresses, or hurry if it is dialled already."""
        literal = tuple(filter(None, map(parse_literal, addresses)))
        current = self.wanted.get(peer)
        if current is not None:
            current.addresses = literal
            current.hurry.set()
        elif literal:
            self.wanted[peer] = wanted = Wanted(peer, literal)
            self._given.send_nowait(wanted)

    def hurry(self) -> None:
        """Dial everybody without a pause."""
        for wanted in self.wanted.values():
            wanted.hurry.set()

    def stop(self) -> None:
        """Dial nobody any more."""
        for wanted in self.wanted.values():
            wanted.scope.cancel()

    async def run(self) -> None:
        """Dial until cancelled."""
        async with trio.open_nursery() as nursery:
            async for wanted in self._taken:
                nursery.start_soon(self._keep_dialling, wanted)

    async def _keep_dialling(self, wanted: Wanted) -> None:
        pause = DIAL_BACKOFF_MIN_S
        with wanted.scope:
            while not await self._attempt(wanted.peer, wanted.addresses):
                with trio.move_on_after(pause * random.uniform(0.5, 1.0)):
                    await wanted.hurry.wait()
                    pause = DIAL_BACKOFF_MIN_S
                wanted.hurry = trio.Event()
                pause = min(pause * 2, DIAL_BACKOFF_MAX_S)
        if self.wanted.get(wanted.peer) is wanted:
            del self.wanted[wanted.peer]
