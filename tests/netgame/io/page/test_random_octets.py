"""The page's port stays open, and nothing fails, whatever octets arrive."""

import random
from contextlib import suppress

import pytest
import trio

from tests.netgame.io.page.browsers import (
    ask,
    both_ends,
    connect,
    open_tab,
    request,
    served,
    upgrade,
)

TRIES = 60


def changed(chance, octets):
    """Return these octets with a few of them changed, dropped, inserted or repeated."""
    changing = bytearray(octets)
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(changing) + 1)
        match chance.randrange(4):
            case 0:
                changing[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del changing[at : at + chance.randrange(8)]
            case 2:
                changing[at:at] = chance.choice((b"\r\n", b"\0", b" ", b":", b"\n", b",", b"\xff"))
            case _:
                changing[at:at] = changing[at : at + chance.randrange(40)]
    return bytes(changing)


@pytest.mark.parametrize("seed", range(3))
async def test_the_port_outlives_octets_of_any_kind(tmp_path, caplog, seed):
    """The port survives random octets and altered requests without a logged failure."""
    chance = random.Random(seed)
    async with served(tmp_path) as door:
        whole = [request(door), request(door, method="HEAD"), upgrade(door)]

        async def send(octets):
            with suppress(OSError, trio.BrokenResourceError):
                async with await connect(door) as stream:
                    await stream.send_all(octets)
                    await stream.send_eof()
                    while await stream.receive_some():
                        pass

        async def hang_up():
            while True:
                (await door.listener.accept()).close()

        with trio.fail_after(60):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(hang_up)
                for _ in range(TRIES):
                    octets = chance.randbytes(chance.randrange(300))
                    if chance.random() < 0.8:
                        octets = changed(chance, chance.choice(whole))
                    await send(octets)
                nursery.cancel_scope.cancel()
        assert (await ask(door)).status == 200
        (await open_tab(door)).close()
    assert "must not" not in caplog.text


@pytest.mark.parametrize("seed", range(20))
async def test_a_stream_outlives_or_ends_by_octets_of_any_kind(tmp_path, seed):
    """A stream survives random frames, or ends with an error that a stream may raise."""
    chance = random.Random(seed)
    async with both_ends(tmp_path) as (tab, stream):
        for _ in range(20):
            frame = bytearray(chance.randbytes(chance.randrange(2, 400)))
            if chance.random() < 0.7:
                frame[0] = chance.choice((0x82, 0x02, 0x80, 0x89, 0x8A, 0x81, 0x88))
                frame[1] = 0x80 | chance.randrange(0x7F)
            with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                await tab.below.send_all(frame)
        with suppress(trio.BrokenResourceError, OSError):
            await tab.below.send_eof()
        with trio.fail_after(30), suppress(trio.BrokenResourceError, OSError):
            while await stream.receive_some():
                stream.send_now(b"an answer")
