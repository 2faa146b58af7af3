"""A forwarded stream behaves like a connection: octets in order, an end, and a limit."""

from functools import partial

import pytest
import trio
import trio.testing

from netgame.errors import Disconnected
from netgame.io.network.forwarded import Carrier, ForwardedStream, is_of_streams, pipe, source_by
from netgame.limits import STREAM_WINDOW_BYTES
from netgame.wire import messages as wire
from netgame.wire.codec import encode

NEAR, FAR, KEY = b"n" * 32, b"f" * 32, b"k" * 32


class Line:
    """The two ends of a link that carries only streams; the far end accepts every stream."""

    def __init__(self, nursery):
        self.woken = [trio.Event(), trio.Event()]
        self.ends = [Carrier(key, partial(self._wake, at)) for at, key in enumerate((FAR, NEAR))]
        self.accepted, self.came = trio.open_memory_channel[ForwardedStream](9)
        self.ends[1].offered = self._accept
        for at in (0, 1):
            nursery.start_soon(self._carry, at)

    def _wake(self, at):
        self.woken[at].set()

    def _accept(self, stream):
        stream.accept()
        self.accepted.send_nowait(stream)

    async def _carry(self, at):
        while True:
            with trio.CancelScope(deadline=self.ends[at].ready_at):
                await self.woken[at].wait()
            self.woken[at] = trio.Event()
            while (frame := self.ends[at].next_frame()) is not None:
                self.ends[1 - at].hear(frame)

    async def opened(self):
        """Open a stream; return its two ends."""
        near = await self.ends[0].open(KEY)
        return near, await self.came.receive()


@pytest.fixture
async def line(nursery):
    """Yield a link that carries only streams, until the test ends."""
    yield Line(nursery)
    nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("message", "is_one"),
    [
        (wire.StreamOpen(0, KEY), True),
        (wire.StreamOpened(0, 1), True),
        (wire.StreamRefused(0, "no"), True),
        (wire.StreamData(0, b"x"), True),
        (wire.StreamWindow(0, 1), True),
        (wire.StreamEnd(0), True),
        (wire.StreamClose(0), True),
        (wire.Chat(b"stream-open", bytes(32), bytes(64)), False),
        (wire.Ping(), False),
    ],
    ids=lambda each: type(each).__name__,
)
def test_frames_of_streams_are_known_by_their_tags(message, is_one):
    """A frame about streams is known by its tag; such a tag within a chat line does not count."""
    assert is_of_streams(encode(message)) == is_one


async def test_what_is_sent_comes_in_order_and_then_the_end(line):
    """Octets arrive in order, then the end; the other direction goes on.

    The source of a forwarded stream is its forwarder, and its host is empty.
    """
    near, far = await line.opened()
    assert (far.by, far.source, far.host, far.wanted) == (NEAR, source_by(NEAR), "", KEY)
    await near.send_all(b"one ")
    assert near.send_now(b"two") == 3
    await near.send_eof()
    await trio.testing.wait_all_tasks_blocked()
    assert await far.receive_some(2) == b"on"
    assert await far.receive_some() == b"e two"
    assert await far.receive_some() == b""
    await far.send_all(b"still here")
    assert await near.receive_some() == b"still here"


async def test_who_sends_more_than_is_read_waits(line):
    """A sender that outruns its reader waits, and all octets still come in order."""
    near, far = await line.opened()
    octets = bytes(range(251)) * 4_000
    got = bytearray()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(near.send_all, octets)
        await trio.testing.wait_all_tasks_blocked()
        assert near.send_now(b"x") == 0
        while len(got) < len(octets):
            got += await far.receive_some(STREAM_WINDOW_BYTES)
    assert got == octets


async def test_closing_one_end_breaks_the_other(line):
    """Closing one end breaks the other, which can still read what was sent before."""
    near, far = await line.opened()
    await near.send_all(b"last words")
    near.close()
    await trio.testing.wait_all_tasks_blocked()
    assert await far.receive_some() == b"last words"
    for use in (far.receive_some, partial(far.send_all, b"hello?"), far.send_eof):
        with pytest.raises(trio.BrokenResourceError):
            await use()
    assert far.send_now(b"hello?") == 0
    for use in (near.receive_some, partial(near.send_all, b"x"), near.send_eof):
        with pytest.raises(trio.ClosedResourceError):
            await use()


@pytest.mark.parametrize("how", ["near", "far", "link"])
async def test_who_waits_is_woken_when_the_stream_goes(line, how):
    """When either end or the link closes, a waiting reader and a waiting writer get an error."""
    near, far = await line.opened()
    error = trio.ClosedResourceError if how == "near" else trio.BrokenResourceError

    async def fails(use):
        with pytest.raises(error):
            await use()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(fails, near.receive_some)
        nursery.start_soon(fails, partial(near.send_all, bytes(3 * STREAM_WINDOW_BYTES)))
        await trio.testing.wait_all_tasks_blocked()
        match how:
            case "near":
                near.close()
            case "far":
                far.close()
            case _:
                line.ends[0].cut()
    if how == "link":
        with pytest.raises(Disconnected):
            await line.ends[0].open(KEY)


async def test_whoever_asks_where_nobody_accepts_is_refused(line):
    """A carrier to which no `offered` function has been given refuses every stream."""
    with pytest.raises(Disconnected):
        await line.ends[1].open(KEY)
    assert not line.ends[1].mux._streams


async def test_a_pipe_passes_on_octets_ends_and_closes(line, nursery):
    """A pipe passes on octets, the end of each direction, and a close."""
    near, middle = await line.opened()
    on, far = await Line(nursery).opened()
    nursery.start_soon(pipe, middle, on)
    await near.send_all(b"to")
    await near.send_eof()
    assert await far.receive_some() == b"to"
    assert await far.receive_some() == b""
    await far.send_all(b"fro")
    assert await near.receive_some() == b"fro"
    near.close()
    await trio.testing.wait_all_tasks_blocked()
    with pytest.raises(trio.BrokenResourceError):
        await far.send_all(b"x")
    assert not line.ends[0].mux._streams
