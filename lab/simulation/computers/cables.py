"""Links between simulated processes: streams of octets that can stall, break and be cut up.

They must behave like `io.links` over a TCP connection. Octets arrive in order or not at all. A
stalled link keeps them, in the sender's queue and on the way; a broken link loses them. The two
ends learn of a break at different times.

An end gives up when it has heard nothing for `DROP_S`. With a seat at the other end it counts from
about the moment at which the link stalls; otherwise it counts from its next frame or ping.

`finish` tells the other end that this one has quit; `end` breaks the link without a word.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final, Protocol

from lab.simulation.computers.room import Room
from netgame.limits import DROP_S, FRAME_BYTES_MAX, PING_QUIET_S, PING_S, SEND_QUEUE_FRAMES_MAX
from netgame.protocol.notices import LinkEnd
from netgame.protocol.peer.driver import Event, FrameCame
from netgame.protocol.peer.effects import PeerKey

_LENGTH_BYTES: Final = 4


class Host(Protocol):
    """A computer on the network.

    It dials other hosts, can be dialled by them, and owns one end of each of its links.
    """

    key: PeerKey
    number: int
    is_awake: bool
    is_alive: bool
    is_paused: bool
    """True while it waits for somebody to mend the disk."""
    codes: set[int]
    """The numbers of the hosts whose join code it has."""

    def clock(self) -> float:
        """Return the time on this computer's own clock."""

    def hear(self, event: Event) -> None:
        """Queue one input for the core."""

    def may_come(self, key: PeerKey) -> bool:
        """Return True if the peer with this key needs no join code to link to this host."""

    def turns_away(self, key: PeerKey) -> bool:
        """Return True if this peer has flooded this host and is still banned for it."""

    def frame_left(self, body: bytes) -> None:
        """Note that this host has sent a frame into one of its links."""

    def link_came(self, end: CableEnd) -> None:
        """Take over this host's end of a new connection, whose peer has proved its key."""

    def link_ended(self, end: CableEnd) -> None:
        """Note that this end of a link is closed."""


class CableEnd:
    """One end of a link, as the process that owns it sees it."""

    def __init__(self, link: Cable, owner: Host, peer: PeerKey, *, dialled: bool) -> None:
        self.link = link
        self.owner = owner
        self.peer = peer
        self.dialled = dialled
        self.since = link.room.time.now
        self.is_open = True
        self.is_draining = self.flooded = False
        self.ending = LinkEnd.ENDED_HERE
        self.waiting: list[bytes] = []
        self.on_the_way: list[bytes] = []
        self.arrives_at = 0.0
        self._is_close = True
        self._is_hushed = False
        self._asked: float | None = None
        self._buffer = bytearray()

    @property
    def other(self) -> CableEnd:
        """The other end of the same link."""
        one, two = self.link.ends
        return two if one is self else one

    def send(self, body: bytes) -> None:
        """Send one frame; it is lost if this end is closed or about to close."""
        self.link.room.note(self.owner.number, 2, len(body))
        if self.is_open and not self.is_draining:
            self._expect()
            self.link.carry(self, len(body).to_bytes(_LENGTH_BYTES, "big") + body)
            self.owner.frame_left(body)

    # ---- silence --------------------------------------------------------------------------

    def look_after(self, *, closely: bool) -> None:
        """Set whether to watch this peer `closely` for silence, as a seat is watched.

        Silence then counts at once. Otherwise it counts only from the next frame or ping.
        """
        self._is_close = closely
        if closely:
            self._expect()

    def hush(self) -> None:
        """Note that no octets arrive from now on; this end gives up if that lasts too long."""
        if self._is_hushed:
            return
        time, chance = self.link.room.time, self.link.room.weather.chance
        self._is_hushed = True
        self._asked = None
        if self._is_close:
            self._expect(chance.between(0.0, PING_S))
        else:
            time.later(chance.between(0.0, PING_QUIET_S), self._expect)

    def hear_again(self) -> None:
        """Note that octets arrive again."""
        self._is_hushed = False

    def _expect(self, since_s: float = 0.0) -> None:
        """If no octets arrive, wait for `DROP_S` less `since_s`, and then give up.

        Do nothing if such a wait has already begun.
        """
        if self._is_hushed and self._asked is None:
            time = self.link.room.time
            self._asked = asked = time.now - since_s
            time.at(asked + DROP_S, lambda: self._give_up(asked))

    def _give_up(self, asked: float) -> None:
        """End the link if nothing has arrived since `asked`, unless the computer sleeps."""
        is_silent = self._is_hushed and self._asked == asked
        if is_silent and self.owner.is_awake and self.is_open:
            self.ending = LinkEnd.SILENT
            self.end()

    # ---- octets and ends ------------------------------------------------------------------

    def octets_came(self, octets: bytes) -> None:
        """Give the owner each frame that these octets complete, unless this end is closing."""
        if not self.is_draining:
            for body in self.frames(octets):
                self.owner.hear(FrameCame(self, body))

    def frames(self, octets: bytes) -> Iterator[bytes]:
        """Take arriving octets and yield the frames that they complete."""
        if not self._buffer and int.from_bytes(octets[:_LENGTH_BYTES], "big") == len(octets) - 4:
            yield octets[_LENGTH_BYTES:]
            return
        self._buffer += octets
        while len(self._buffer) >= _LENGTH_BYTES:
            size = _LENGTH_BYTES + int.from_bytes(self._buffer[:_LENGTH_BYTES], "big")
            assert size <= _LENGTH_BYTES + FRAME_BYTES_MAX, "no core sends more"
            if len(self._buffer) < size:
                return
            frame = bytes(self._buffer[_LENGTH_BYTES:size])
            del self._buffer[:size]
            yield frame

    def end(self) -> None:
        """End the link: this end knows at once, and the other end when it hears of it."""
        if self.is_open:
            self.shut()
            self.link.closed_by(self, LinkEnd.QUIT if self.is_draining else LinkEnd.BROKEN)

    def finish(self, _: str = "") -> None:
        """Send nothing more, and close the link when everything already sent has arrived."""
        if self.is_open and not self.is_draining:
            self.is_draining = True
            time = self.link.room.time
            time.at(max(time.now, self.arrives_at) + 0.001, self.end)

    def shut(self) -> None:
        """Close this end and tell its owner, but not the other end."""
        self.is_open = False
        self.owner.link_ended(self)


class Cable:
    """A connection between two hosts."""

    def __init__(self, room: Room, dialler: Host, accepter: Host) -> None:
        self.room = room
        self.pair = frozenset[bytes]((dialler.key, accepter.key))
        self.ends = (
            CableEnd(self, dialler, accepter.key, dialled=True),
            CableEnd(self, accepter, dialler.key, dialled=False),
        )
        self.is_stalled = False
        """True while nothing moves and neither end knows why."""
        self.is_broken = False

    # ---- octets ---------------------------------------------------------------------------

    def carry(self, end: CableEnd, octets: bytes) -> None:
        """Send octets from `end` towards the other end.

        A broken link loses them. A stalled one queues them, and closes `end` if the queue grows too
        long.
        """
        self.room.frames += 1
        if self.is_broken:
            return
        if self.is_stalled:
            end.waiting.append(octets)
            if len(end.waiting) > SEND_QUEUE_FRAMES_MAX:
                end.end()
            return
        for piece in self.room.weather.pieces(octets):
            self._fly(end, piece)
        if self.room.weather.repeats():
            pause = self.room.weather.chance.between(0.0, 0.3)
            self.room.time.later(pause, lambda: None if self.is_stalled else self._fly(end, octets))

    def _fly(self, end: CableEnd, octets: bytes) -> None:
        """Deliver octets after a delay, but never before those that this end has sent earlier."""
        delay = self.room.weather.delay(self.pair)
        end.arrives_at = max(end.arrives_at, self.room.time.now + delay)
        self.room.time.at(end.arrives_at, partial(self._land, end.other, octets))

    def _land(self, end: CableEnd, octets: bytes) -> None:
        if self.is_stalled:
            end.on_the_way.append(octets)
        elif end.is_open and not self.is_broken:
            end.octets_came(octets)

    # ---- what goes wrong ------------------------------------------------------------------

    def stall(self) -> None:
        """Stop all octets until `heal`; an end that hears nothing for too long gives up."""
        if self.is_stalled or self.is_broken:
            return
        self.is_stalled = True
        for end in self.ends:
            end.hush()

    def heal(self) -> None:
        """Undo `stall` and deliver everything held up, in order, unless an end has closed."""
        if not self.is_stalled or self.is_broken or not all(end.is_open for end in self.ends):
            return
        self.is_stalled = False
        for end in self.ends:
            end.hear_again()
            held, end.on_the_way = end.on_the_way, []
            for octets in held:
                self._land(end, octets)
            queued, end.waiting = end.waiting, []
            for octets in queued:
                self._fly(end, octets)

    def reset(self) -> None:
        """Break the connection: octets on the way are lost, and each end soon hears of it."""
        if not self.is_broken:
            self.is_broken = True
            for end in self.ends:
                told = partial(self._told, end, LinkEnd.BROKEN)
                self.room.time.later(self.room.weather.delay(self.pair), told)

    def closed_by(self, end: CableEnd, how: LinkEnd = LinkEnd.BROKEN) -> None:
        """Note that `end` has closed; the other end learns of it, and `how`, after a delay.

        On a stalled or broken link no news arrives: the other end has to notice the silence.
        """
        if self.is_stalled or self.is_broken:
            self.is_broken = True
            end.other.hush()
            return
        at = max(end.arrives_at, self.room.time.now + self.room.weather.delay(self.pair))
        self.room.time.at(at, lambda: self._told(end.other, how))

    def _told(self, end: CableEnd, how: LinkEnd) -> None:
        self.is_broken = True
        if end.is_open:
            end.ending = LinkEnd.ENDED_HERE if end.is_draining else how
            end.shut()
