"""The forwarded streams of one link, as one of its ends keeps them: numbers, credit, phases.

If two members cannot link to each other, a third one forwards a stream between its links to them.
A link carries such streams as SSH carries its channels (RFC 4254 §5): each end has a number of its
own for a stream, and sends octets only within the credit that the other end has given. No octets
arrive without credit, so a stream that nobody reads holds up nothing else [peer.md §2].

    ours       ASKED ---opened---> OPEN        theirs   OFFERED --accept--> OPEN
                  '----refused---> GONE                    '-----refuse---> GONE

    OPEN --we close--> CLOSING --their close--> GONE, and OPEN --their close--> GONE

If we close an ASKED stream it is GIVEN_UP, because we cannot name it before it has been answered. A
stream frees its numbers only once it is GONE at both ends. A link keeps its frames in order, so by
then no frame on the way could be taken for another stream's.

Nothing here waits, and nothing reads a clock: callers pass the time.
"""

from collections import deque
from collections.abc import Callable
from enum import Enum
from itertools import count
from typing import Final

from netgame import limits
from netgame.errors import Malformed
from netgame.rates import TokenBucket
from netgame.wire.messages import (
    StreamClose,
    StreamData,
    StreamEnd,
    StreamMessage,
    StreamOpen,
    StreamOpened,
    StreamRefused,
    StreamWindow,
)

FULL: Final = "full"
"""Refuses a stream because there are as many as there may be."""
BUSY: Final = "busy"
"""Refuses one of too many streams in a short time, or one that was closed while it was offered."""


class StreamPhase(Enum):
    """The phases of a stream, as seen at this end."""

    ASKED = "asked"
    GIVEN_UP = "given up"
    OFFERED = "offered"
    OPEN = "open"
    CLOSING = "closing"
    GONE = "gone"


HEARD: Final[dict[tuple[StreamPhase, type], StreamPhase]] = {
    (StreamPhase.ASKED, StreamOpened): StreamPhase.OPEN,
    (StreamPhase.ASKED, StreamRefused): StreamPhase.GONE,
    (StreamPhase.GIVEN_UP, StreamOpened): StreamPhase.CLOSING,
    (StreamPhase.GIVEN_UP, StreamRefused): StreamPhase.GONE,
    (StreamPhase.OPEN, StreamData): StreamPhase.OPEN,
    (StreamPhase.OPEN, StreamWindow): StreamPhase.OPEN,
    (StreamPhase.OPEN, StreamEnd): StreamPhase.OPEN,
    (StreamPhase.OPEN, StreamClose): StreamPhase.GONE,
    (StreamPhase.CLOSING, StreamData): StreamPhase.CLOSING,
    (StreamPhase.CLOSING, StreamWindow): StreamPhase.CLOSING,
    (StreamPhase.CLOSING, StreamEnd): StreamPhase.CLOSING,
    (StreamPhase.CLOSING, StreamClose): StreamPhase.GONE,
}
"""Messages that the other end may send in a phase, and the next phase. All others end the link."""


class Forwarded:
    """One end of a forwarded stream; only `Mux` changes it.

    While it is OPEN, `credit` is `STREAM_WINDOW_BYTES` less the octets sent that the other end has
    not yet reported as read.
    """

    def __init__(self, number: int, key: bytes, phase: StreamPhase) -> None:
        self.number = number
        """Our number for this stream."""
        self.key = key
        """The key of the wanted peer; empty for a stream that one end offers the other."""
        self.phase = phase
        self.theirs = -1
        """Their number; -1 before they have named one."""
        self.refusal = ""
        """The code with which the other end refused it."""
        self.came = bytearray()
        """Octets that have come and were not read."""
        self.has_ended = False
        """They have said that they send no more."""
        self.unsent = bytearray()
        self.ends = False
        """We send no more than the unsent octets."""
        self.credit = limits.STREAM_WINDOW_BYTES
        """Octets that we may still send."""
        self.allowed = limits.STREAM_WINDOW_BYTES
        """Octets that they may still send."""
        self.taken = 0
        """Octets read here of which they have yet to be told."""
        self.end_sent = self.close_sent = False
        self.stir: Callable[[], object] = lambda: None
        """Called after each change by the other end, when there is room to send, and if the link is
        cut."""

    @property
    def is_over(self) -> bool:
        """True if `send` takes no more octets, and any that still arrive are thrown away."""
        return self.phase in (StreamPhase.GIVEN_UP, StreamPhase.CLOSING, StreamPhase.GONE)

    @property
    def is_due(self) -> bool:
        """True if this stream has octets, an end or a close that may be sent now."""
        if self.unsent:
            return self.credit > 0
        has_end = self.ends and not self.end_sent
        return has_end or (self.phase is StreamPhase.CLOSING and not self.close_sent)


class Mux:
    """All streams over one link, at one end; each `now` is a monotonic time in seconds."""

    def __init__(self, now: float) -> None:
        self._streams: dict[int, Forwarded] = {}
        """The streams, by our numbers."""
        self._named: set[int] = set()
        """The numbers of the other end that are in use."""
        self._turns: deque[Forwarded] = deque()
        """All streams; the first one sends next."""
        self._replies: deque[StreamMessage] = deque()
        """Messages that leave before the octets of any stream."""
        self._opens = TokenBucket(limits.STREAM_OPENS_PER_S, limits.STREAM_OPENS_BURST, now)

    # ---- this end -----------------------------------------------------------------------------

    def ask(self, key: bytes = b"") -> Forwarded | None:
        """Ask for a stream to peer `key` or, without a key, to the other end itself; return it.

        If there are too many streams, ask for none and return None.
        """
        if len(self._streams) >= limits.STREAMS_PER_LINK_MAX:
            return None
        stream = self._begin(key, StreamPhase.ASKED)
        self._replies.append(StreamOpen(stream.number, key))
        return stream

    def accept(self, stream: Forwarded) -> None:
        """Open an offered stream; do nothing if it is gone."""
        if stream.phase is StreamPhase.OFFERED:
            stream.phase = StreamPhase.OPEN
            self._replies.append(StreamOpened(stream.theirs, stream.number))

    def refuse(self, stream: Forwarded, code: str) -> None:
        """Refuse an offered stream; do nothing if it is gone."""
        if stream.phase is StreamPhase.OFFERED:
            self._replies.append(StreamRefused(stream.theirs, code))
            self._forget(stream)

    def send(self, stream: Forwarded, octets: bytes) -> int:
        """Queue octets to send, as far as there is room; return how many were taken."""
        if stream.phase is not StreamPhase.OPEN or stream.ends:
            return 0
        taken = octets[: limits.STREAM_WINDOW_BYTES - len(stream.unsent)]
        stream.unsent += taken
        return len(taken)

    def read(self, stream: Forwarded, most: int) -> bytes:
        """Take at most `most` of the octets that have come, and return them.

        Each time half a window has been read, the other end is told that it may send as much more.
        """
        read = bytes(stream.came[:most])
        del stream.came[: len(read)]
        stream.taken += len(read)
        is_fed = stream.phase is StreamPhase.OPEN and not stream.has_ended
        if is_fed and stream.taken >= limits.STREAM_WINDOW_BYTES // 2:
            self._replies.append(StreamWindow(stream.theirs, stream.taken))
            stream.allowed += stream.taken
            stream.taken = 0
        return read

    def end(self, stream: Forwarded) -> None:
        """Send no more than the unsent octets; do nothing unless the stream is open."""
        stream.ends |= stream.phase is StreamPhase.OPEN

    def close(self, stream: Forwarded) -> None:
        """Close a stream from this end: refuse it if it is offered, give it up if it is asked for.

        If it is open, read no more, and send no more than the other end already has room for.
        """
        match stream.phase:
            case StreamPhase.ASKED:
                stream.phase = StreamPhase.GIVEN_UP
            case StreamPhase.OFFERED:
                self.refuse(stream, BUSY)
            case StreamPhase.OPEN:
                self._begin_to_close(stream)

    def _begin_to_close(self, stream: Forwarded) -> None:
        stream.phase = StreamPhase.CLOSING
        stream.came.clear()
        del stream.unsent[stream.credit :]  # the rest might have to wait for ever

    def cut(self) -> None:
        """Mark all streams as gone, and call the `stir` of each: the link has ended."""
        for stream in tuple(self._streams.values()):
            self._forget(stream)
            stream.stir()
        self._replies.clear()

    # ---- sending ------------------------------------------------------------------------------

    @property
    def is_due(self) -> bool:
        """True if `next_message` has a message to send."""
        return bool(self._replies) or any(stream.is_due for stream in self._turns)

    def next_message(self) -> StreamMessage | None:
        """Return the next message to send, or None: replies first, then the streams in rotation."""
        if self._replies:
            return self._replies.popleft()
        for stream in tuple(self._turns):
            self._turns.rotate(-1)
            if stream.is_due:
                return _next_of(stream)
        return None

    # ---- the other end ------------------------------------------------------------------------

    def hear(self, message: StreamMessage, now: float) -> Forwarded | None:
        """Take a message from the other end; return the stream that it asks for, or None.

        The caller must then `accept` or `refuse` that stream; if there are too many, it is refused
        here. Raises `Malformed` for a message that no honest peer sends.
        """
        if isinstance(message, StreamOpen):
            offered = self._offered(message, now)
        else:
            offered = None
            self._heard(message)
        if len(self._replies) > limits.STREAM_REPLIES_MAX:
            raise Malformed("it asks for streams, and takes no answers")
        return offered

    def _offered(self, message: StreamOpen, now: float) -> Forwarded | None:
        is_full = len(self._streams) >= limits.STREAMS_PER_LINK_MAX
        if is_full or not self._opens.take_all(1, now):
            self._replies.append(StreamRefused(message.number, FULL if is_full else BUSY))
            return None
        stream = self._begin(message.key, StreamPhase.OFFERED)
        self._name(stream, message.number)
        return stream

    def _heard(
        self,
        message: StreamOpened | StreamRefused | StreamData | StreamWindow | StreamEnd | StreamClose,
    ) -> None:
        stream = self._streams.get(message.number)
        phase = None if stream is None else HEARD.get((stream.phase, type(message)))
        if stream is None or phase is None:
            raise Malformed("it speaks of a stream that is not there, or not open")
        match message:
            case StreamOpened(_, own):
                self._name(stream, own)
            case StreamRefused(_, code):
                stream.refusal = code
            case StreamData(_, octets):
                _take(stream, octets)
            case StreamWindow(_, more):
                _give_credit(stream, more)
            case StreamEnd():
                _take_end(stream)
            case StreamClose():
                if not stream.close_sent:
                    self._replies.append(StreamClose(stream.theirs))
        stream.phase = phase
        if phase is StreamPhase.GONE:
            self._forget(stream)
        stream.stir()

    # ---- numbers ----------------------------------------------------------------------------

    def _begin(self, key: bytes, phase: StreamPhase) -> Forwarded:
        number = next(each for each in count() if each not in self._streams)
        stream = self._streams[number] = Forwarded(number, key, phase)
        self._turns.append(stream)
        return stream

    def _name(self, stream: Forwarded, theirs: int) -> None:
        if theirs in self._named:
            raise Malformed("a stream has the number of another")
        stream.theirs = theirs
        self._named.add(theirs)

    def _forget(self, stream: Forwarded) -> None:
        """Free the numbers of a stream; octets that have come may still be read."""
        self._named.discard(stream.theirs)
        stream.phase = StreamPhase.GONE
        stream.unsent.clear()
        self._streams.pop(stream.number, None)
        self._turns.remove(stream)


def _take(stream: Forwarded, octets: bytes) -> None:
    """Take octets that have come; raises `Malformed` if they come after the end or are too many."""
    if stream.has_ended:
        raise Malformed("octets came behind the end of a stream")
    stream.allowed -= len(octets)
    if stream.allowed < 0:
        raise Malformed("a stream sends more than its receiver has room for")
    if stream.phase is StreamPhase.OPEN:
        stream.came += octets


def _give_credit(stream: Forwarded, more: int) -> None:
    """Let `more` further octets be sent; raises `Malformed` if the other end has no such room."""
    stream.credit += more
    if stream.credit > limits.STREAM_WINDOW_BYTES:
        raise Malformed("a stream may send more than its receiver has room for")


def _take_end(stream: Forwarded) -> None:
    """Note that the other end sends no more; raises `Malformed` if it has already said so."""
    if stream.has_ended:
        raise Malformed("a stream ends twice")
    stream.has_ended = True


def _next_of(stream: Forwarded) -> StreamMessage:
    """Return the next message of a stream that is due."""
    piece = bytes(stream.unsent[: min(stream.credit, limits.STREAM_PIECE_BYTES_MAX)])
    if piece:
        del stream.unsent[: len(piece)]
        stream.credit -= len(piece)
        stream.stir()
        return StreamData(stream.theirs, piece)
    if stream.ends and not stream.end_sent:
        stream.end_sent = True
        return StreamEnd(stream.theirs)
    stream.close_sent = True
    return StreamClose(stream.theirs)
