"""Frames are received whole, however the stream cuts or joins their octets."""

import pytest
import trio
import trio.testing

from netgame.errors import Disconnected, Malformed, TimedOut
from netgame.io.links import FramedStream, frame_octets
from netgame.limits import FRAME_BYTES_MAX, FRAME_BYTES_MAX_UNAUTHENTICATED, FRAME_TIMEOUT_S


def pair():
    """Return one end of a stream, and the framed stream at the other end."""
    near, far = trio.testing.memory_stream_pair()
    return near, FramedStream(far)


async def test_frames_arrive_byte_by_byte():
    """Octets that arrive one by one still make whole frames."""
    raw, frames = pair()
    bodies = [b"", b"x", b"hello" * 20]

    async def trickle():
        for octet in b"".join(map(frame_octets, bodies)):
            await raw.send_all(bytes([octet]))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(trickle)
        assert [await frames.receive_frame() for _ in bodies] == bodies


async def test_frames_in_one_segment_are_kept_apart():
    """Octets that arrive together with the end of a frame begin the next frame."""
    raw, frames = pair()
    await raw.send_all(frame_octets(b"one") + frame_octets(b"two") + frame_octets(b"three")[:5])
    assert await frames.receive_frame() == b"one"
    assert await frames.receive_frame() == b"two"
    await raw.send_all(frame_octets(b"three")[5:])
    assert await frames.receive_frame() == b"three"


@pytest.mark.parametrize("trusted", [False, True])
async def test_frame_over_the_limit_is_refused_by_its_length(trusted):
    """A frame over the limit is refused as soon as its length has been read.

    The limit is higher once the stream is trusted.
    """
    raw, frames = pair()
    limit = FRAME_BYTES_MAX if trusted else FRAME_BYTES_MAX_UNAUTHENTICATED
    if trusted:
        frames.trust()
    await raw.send_all((limit + 1).to_bytes(4, "big"))
    with pytest.raises(Malformed):
        await frames.receive_frame()


async def test_frame_of_exactly_the_limit_is_taken():
    """A frame of exactly the limit is accepted."""
    raw, frames = pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(raw.send_all, frame_octets(bytes(FRAME_BYTES_MAX_UNAUTHENTICATED)))
        assert len(await frames.receive_frame()) == FRAME_BYTES_MAX_UNAUTHENTICATED


async def test_frame_that_never_ends_times_out(autojump_clock):
    """A frame that has begun and does not end times out."""
    raw, frames = pair()
    await raw.send_all(frame_octets(b"slow")[:-1])
    with pytest.raises(TimedOut):
        await frames.receive_frame()


async def test_waiting_for_a_frame_to_begin_takes_as_long_as_it_takes(autojump_clock):
    """Waiting for a frame to begin may take longer than `FRAME_TIMEOUT_S` without a time-out.

    A silent peer is noticed by pings.
    """
    raw, frames = pair()

    async def later():
        await trio.sleep(10 * FRAME_TIMEOUT_S)
        await raw.send_all(frame_octets(b"late"))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(later)
        assert await frames.receive_frame() == b"late"


@pytest.mark.parametrize("cut", range(1, 8))
async def test_stream_that_ends_inside_a_frame_is_disconnected(cut):
    """If a stream ends anywhere inside a frame, receiving and sending raise Disconnected."""
    raw, frames = pair()
    await raw.send_all(frame_octets(b"body")[:cut])
    await raw.aclose()
    with pytest.raises(Disconnected):
        await frames.receive_frame()
    with pytest.raises(Disconnected):
        await frames.send_frame(b"x")
