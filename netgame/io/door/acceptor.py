"""Incoming connections that have not proved a key yet; a few at a time are served, in turns.

    silent --first octet--> waiting --its turn--> served --key proved--> a link

The client must send the first octet. The next turn goes to the address that has the fewest turns,
and among equals to the connection that came first. A turn that keeps somebody waiting ends after
`UNAUTHENTICATED_GRACE_S` [peer.md §1].
"""

import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from math import inf

import trio
from msgspec import Struct, field

from netgame import limits
from netgame.errors import NetgameError
from netgame.io.door.admission import Door
from netgame.io.door.channel import Channel
from netgame.io.links import Proved
from netgame.io.network.streams import HERE, ByteStream, Listener

log = logging.getLogger("netgame.io")


class Unproved(Struct, eq=False):
    """A connection that has not proved its key yet."""

    source: str
    since: float
    """The time when it came or, once it is served, when its turn began."""
    spoke: bool = False
    """True once it has sent something: since then it waits for its turn, or is served."""
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    turn: trio.Event = field(default_factory=trio.Event)
    """Set while it is served."""


class Acceptor(Struct, eq=False):
    """Accepts connections, and has each client prove its key to the door."""

    channel: Channel
    door: Door
    keep: Callable[[Proved], Awaitable[None]]
    """Awaited with each proved connection."""
    closed: bool = False
    """True if it hangs up on all new connections."""
    unproved: list[Unproved] = []

    async def accept_all(self, listener: Listener) -> None:
        """Accept connections until cancelled; hang up on those for which there is no room.

        It also hangs up on those that get no turn within `DOOR_WAIT_S`, and at once on those that
        the door turns back. A listener that fails raises `OSError`.
        """
        async with trio.open_nursery() as nursery:
            while True:
                self.take(await listener.accept(), nursery)

    def take(self, stream: ByteStream, nursery: trio.Nursery) -> None:
        """Let a connection wait for a turn, in `nursery`, or hang up on it."""
        source = stream.source
        if self.closed or self.door.turns_back(source) or not self.has_room(source):
            stream.close()
            return
        one = Unproved(source, trio.current_time())
        one.scope.deadline = one.since + limits.DOOR_WAIT_S
        self.unproved.append(one)
        nursery.start_soon(self._receive, stream, one)

    def count(self, source: str) -> int:
        """Return the number of connections from `source` that have not proved a key yet."""
        return sum(each.source == source for each in self.unproved)

    def has_room(self, source: str) -> bool:
        """Return True if one more connection may wait; hang up on another to make room if need be.

        A connection that has long been silent is ended first. If there is none, the address with
        the most connections loses its latest one, if it has more than `source` would have.
        Connections that are being served are never ended.
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
        """Hang up on the unproved connections from `source`; their turns go to others."""
        for one in self.unproved:
            if one.source == source:
                one.scope.cancel()

    def _give_turns(self) -> None:
        """Give all free turns, then set the deadlines of all connections that have a turn.

        A turn has a deadline only while it keeps somebody waiting.
        """
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

    async def _receive(self, stream: ByteStream, one: Unproved) -> None:
        proved: Proved | None = None
        try:
            with one.scope:
                await stream.wait_readable()
                one.spoke = True
                self._give_turns()
                await one.turn.wait()
                proved = await self.channel.serve(stream, self.door)
        except NetgameError as error:
            log.debug("a connection from %s: %r", one.source, error)
        except Exception:
            log.exception("a connection from %s failed in a way it must not", one.source)
        finally:
            if proved is None:
                stream.close()
            if one in self.unproved:
                self.unproved.remove(one)
            self._give_turns()
        if proved is not None:
            await self.keep(proved)
