"""A pair in memory behaves like a connection: octets in order, an end, and a limit."""

import pytest
import trio
import trio.testing

from netgame.io.network.streams import HERE, PAIR_BYTES, pair


async def test_what_is_sent_comes_in_order_and_then_the_end():
    """Octets arrive in order, in pieces of any size, and then the end.

    The other direction goes on.
    """
    near, far = pair()
    assert near.source == far.source == HERE
    await near.send_all(b"one ")
    assert near.send_now(b"two") == 3
    await near.send_eof()
    assert await far.receive_some(2) == b"on"
    assert await far.receive_some() == b"e two"
    assert await far.receive_some() == b""
    await far.send_all(b"still here")
    assert await near.receive_some() == b"still here"


async def test_a_reader_waits_until_something_comes(autojump_clock):
    """A reader waits until octets arrive."""
    near, far = pair()
    heard = []

    async def hear():
        await far.wait_readable()
        heard.append((trio.current_time(), await far.receive_some()))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(hear)
        began = trio.current_time()
        await trio.sleep(3)
        await near.send_all(b"late")
    assert heard == [(began + 3, b"late")]


async def test_who_sends_more_than_is_read_waits():
    """A sender waits once `PAIR_BYTES` octets are unread."""
    near, far = pair()
    assert near.send_now(bytes(PAIR_BYTES + 10)) == PAIR_BYTES
    assert near.send_now(b"more") == 0
    async with trio.open_nursery() as nursery:
        nursery.start_soon(near.send_all, b"the rest")
        await trio.testing.wait_all_tasks_blocked()
        assert len(await far.receive_some(PAIR_BYTES)) == PAIR_BYTES
        assert await far.receive_some() == b"the rest"


async def test_closing_one_end_ends_the_other():
    """Closing one end ends the other, which can still read earlier octets but not send."""
    near, far = pair()
    await near.send_all(b"last words")
    near.close()
    assert await far.receive_some() == b"last words"
    assert await far.receive_some() == b""
    with pytest.raises(trio.BrokenResourceError):
        await far.send_all(b"hello?")
    assert far.send_now(b"hello?") == 0
    for use in (near.receive_some, lambda: near.send_all(b"x")):
        with pytest.raises(trio.ClosedResourceError):
            await use()


@pytest.mark.parametrize("which", [0, 1])
async def test_who_waits_is_woken_when_either_end_closes(which):
    """A waiting reader or writer wakes when either end closes.

    Each gets an error, except a reader whose other end closes: it reads the end of the stream.
    """
    ends = pair()
    ends[0].send_now(bytes(PAIR_BYTES))
    became = []

    async def note(use):
        try:
            became.append(await use())
        except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
            became.append(type(error))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(note, lambda: ends[0].send_all(b"more"))
        nursery.start_soon(note, ends[0].receive_some)
        await trio.testing.wait_all_tasks_blocked()
        ends[which].close()
    closed = trio.ClosedResourceError
    assert set(became) == ({closed} if which == 0 else {trio.BrokenResourceError, b""})
