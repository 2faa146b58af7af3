"""Connections that come in, until they have proved a key: few, bounded for each address."""

import errno
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

import trio

from netgame import limits
from netgame.errors import NetgameError
from netgame.io.door.admission import Door
from netgame.io.door.channel import Channel
from netgame.io.links import Proved
from netgame.io.network.addresses import number_of

log = logging.getLogger("netgame.io")

_ACCEPT_RETRY: Final = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS}


@dataclass(frozen=True, slots=True, eq=False)
class Unproved:
    """A connection that has not proved its key yet: whence, since when, and how to end it."""

    source: str
    since: float
    scope: trio.CancelScope


@dataclass(slots=True, eq=False)
class Acceptor:
    """Has those who connect prove their keys to `door`; each that has is awaited in `keep`."""

    channel: Channel
    door: Door
    keep: Callable[[Proved], Awaitable[None]]
    closed: bool = False
    unproved: list[Unproved] = field(default_factory=list)

    async def accept_all(self, listener: trio.SocketListener) -> None:
        """Accept until cancelled."""
        async with trio.open_nursery() as nursery:
            while True:
                try:
                    # Not `listener.accept`: most of a crowd is sent away, and shall cost little.
                    socket, far = await listener.socket.accept()
                except OSError as error:
                    if error.errno not in _ACCEPT_RETRY:
                        raise
                    await trio.sleep(limits.ACCEPT_PAUSE_S)
                    continue
                source = source_of(far)
                if self.closed or not self.has_room(source):
                    socket.close()
                    continue
                unproved = Unproved(source, trio.current_time(), trio.CancelScope())
                self.unproved.append(unproved)
                nursery.start_soon(self._serve, trio.SocketStream(socket), unproved)

    def has_room(self, source: str) -> bool:
        """Whether one more may try to prove its key; who has dawdled long enough gives way."""
        same = [each for each in self.unproved if each.source == source]
        if source != "loopback" and len(same) >= limits.UNAUTHENTICATED_LINKS_PER_ADDRESS:
            return self._gives_way(same[0])
        if len(self.unproved) < limits.UNAUTHENTICATED_LINKS_MAX:
            return True
        return self._gives_way(self.unproved[0])

    def _gives_way(self, oldest: Unproved) -> bool:
        if trio.current_time() - oldest.since <= limits.UNAUTHENTICATED_GRACE_S:
            return False
        oldest.scope.cancel()
        self.unproved.remove(oldest)
        return True

    async def _serve(self, stream: trio.SocketStream, unproved: Unproved) -> None:
        proved: Proved | None = None
        try:
            with unproved.scope:
                proved = await self.channel.serve(stream, self.door, unproved.source)
        except NetgameError as error:
            log.debug("a connection from %s: %r", unproved.source, error)
        except Exception:
            log.exception("a connection from %s failed in a way it must not", unproved.source)
        finally:
            if unproved in self.unproved:
                self.unproved.remove(unproved)
        if proved is not None:
            await self.keep(proved)


def source_of(far: tuple[str, int]) -> str:
    """Return what connections from a far address are counted by: its host, or "loopback"."""
    number = number_of(far[0]) if far else None
    if number is None:
        return "unknown"
    return "loopback" if number.is_loopback else str(number)
