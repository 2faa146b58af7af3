"""Incoming connections until they have proved a key: few at a time, shared fairly by address.

    silent --first octet--> waiting --its turn--> served --key proved--> a link

The next turn goes to the address that has the fewest, and among these to the first that came; a
client speaks first in TLS. While somebody waits, a turn ends after `UNAUTHENTICATED_GRACE_S`
[peer.md §3.2].
"""

import errno
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from math import inf
from typing import Final

import trio
import trio.lowlevel
from msgspec import Struct, field

from netgame import limits
from netgame.errors import NetgameError
from netgame.io.door.admission import HERE, Door
from netgame.io.door.channel import Channel
from netgame.io.links import Proved
from netgame.io.network.addresses import number_of

log = logging.getLogger("netgame.io")

_ACCEPT_RETRY: Final = {errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS}


class Unproved(Struct, eq=False):
    """A connection that has not proved its key yet."""

    source: str
    since: float
    """When its state last changed."""
    spoke: bool = False
    """It has said something, and waits for its turn."""
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    turn: trio.Event = field(default_factory=trio.Event)
    """Set while it is served."""


class Acceptor(Struct, eq=False):
    """Lets clients prove their keys to a door."""

    channel: Channel
    door: Door
    keep: Callable[[Proved], Awaitable[None]]
    """Awaited with each proved connection."""
    closed: bool = False
    """It hangs up on all new ones."""
    unproved: list[Unproved] = []

    async def accept_all(self, listener: trio.SocketListener) -> None:
        """Accept until cancelled; hangs up on those without room, or a turn within `DOOR_WAIT_S`.

        Nothing is heard of those whom the door turns back.

        A listener that fails raises `OSError`, unless descriptors or memory have run out.
        """
        async with trio.open_nursery() as nursery:
            while True:
                try:
                    # Not `listener.accept`: most of a crowd is sent away, which must be cheap.
                    socket, far = await listener.socket.accept()
                except OSError as error:
                    if error.errno not in _ACCEPT_RETRY:
                        raise
                    await trio.sleep(limits.ACCEPT_PAUSE_S)
                    continue
                source = source_between(socket.getsockname(), far)
                if self.closed or self.door.turns_back(source) or not self.has_room(source):
                    socket.close()
                    continue
                one = Unproved(source, trio.current_time())
                one.scope.deadline = one.since + limits.DOOR_WAIT_S
                self.unproved.append(one)
                nursery.start_soon(self._receive, socket, one)

    def has_room(self, source: str) -> bool:
        """Whether one more may wait; another is sent away for it if need be.

        One that has long been silent gives way, else the latest of the address with most, if that
        has more than this one would. Those that are being served stay.
        """
        if len(self.unproved) < limits.UNAUTHENTICATED_LINKS_MAX:
            return True
        at_door = Counter(each.source for each in self.unproved)
        too_long = trio.current_time() - limits.DOOR_SILENT_S

        def in_the_way(one: Unproved) -> tuple[bool, int]:
            return not one.spoke and one.since < too_long, at_door[one.source]

        idle = [each for each in reversed(self.unproved) if not each.turn.is_set()]
        goes = max(idle, key=in_the_way, default=None)
        if goes is None or in_the_way(goes) <= (False, at_door[source] + 1):
            return False
        goes.scope.cancel()
        self.unproved.remove(goes)
        return True

    def turn_back(self, source: str) -> None:
        """Hang up on those from there who have not proved a key yet; turns go to the others."""
        for one in self.unproved:
            if one.source == source:
                one.scope.cancel()

    def _give_turns(self) -> None:
        """Serve as many as may be; a turn has a deadline only while it keeps somebody waiting."""
        served = [each for each in self.unproved if each.turn.is_set()]
        turns = Counter(each.source for each in served)
        waiting = [each for each in self.unproved if each.spoke and not each.turn.is_set()]
        share = limits.DOOR_TURNS_PER_ADDRESS
        fair = [each for each in waiting if each.source == HERE or turns[each.source] < share]
        if fair and len(served) < limits.DOOR_TURNS_MAX:
            one = min(fair, key=lambda each: turns[each.source])
            one.since = trio.current_time()
            one.turn.set()
            self._give_turns()
            return
        kept = {each.source for each in waiting}
        for one in served:
            presses = bool(fair) or one.source in kept
            one.scope.deadline = one.since + limits.UNAUTHENTICATED_GRACE_S if presses else inf

    async def _receive(self, socket: trio.socket.SocketType, one: Unproved) -> None:
        proved: Proved | None = None
        try:
            with one.scope:
                await trio.lowlevel.wait_readable(socket)
                one.spoke = True
                self._give_turns()
                await one.turn.wait()
                proved = await self.channel.serve(trio.SocketStream(socket), self.door, one.source)
        except NetgameError as error:
            log.debug("a connection from %s: %r", one.source, error)
        except Exception:
            log.exception("a connection from %s failed in a way it must not", one.source)
        finally:
            if proved is None:
                socket.close()
            if one in self.unproved:
                self.unproved.remove(one)
            self._give_turns()
        if proved is not None:
            await self.keep(proved)


def source_between(near: tuple[str, int], far: tuple[str, int]) -> str:
    """The name under which a connection between these addresses is counted, as `source_of`.

    One from an address of this computer to the same address is its own.
    """
    return HERE if far[0] == near[0] else source_of(far)


def source_of(far: tuple[str, int]) -> str:
    """The name under which connections from a far address are counted: its IP, or "loopback".

    It is "unknown" for what is no IP address.
    """
    number = number_of(far[0]) if far else None
    if number is None:
        return "unknown"
    return HERE if number.is_loopback else str(number)
