"""The stream in a channel delivers octets whole and in order, and its end cannot be forged."""

import pytest
import trio

from netgame.crypto.noise import MESSAGE_BYTES_MAX, Cipher, Ciphers
from netgame.errors import Malformed
from netgame.io.door.sealed import PIECE_BYTES_MAX, Messages, SealedStream, message_octets
from netgame.io.network.streams import pair

KEYS = bytes(32), bytes(range(32))


def sealed_pair():
    """Return the two ends of a channel, and the raw stream under the first."""
    near, far = pair()
    one, other = KEYS
    ends = []
    for stream, outward, inward in ((near, one, other), (far, other, one)):
        ciphers = Ciphers(Cipher(outward), Cipher(inward), b"")
        ends.append(SealedStream(Messages(stream, MESSAGE_BYTES_MAX), ciphers))
    return *ends, near


@pytest.mark.parametrize("length", [1, 300, PIECE_BYTES_MAX, PIECE_BYTES_MAX + 1, 200_000])
async def test_whatever_its_length_it_comes_whole(length):
    """Octets of any length arrive whole, whether sent with `send_all` or `send_now`."""
    near, far, _ = sealed_pair()
    body = bytes(at % 251 for at in range(length))
    for send in (near.send_all, lambda octets: _now(near, octets)):
        got = b""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(send, body)
            while len(got) < length:
                got += await far.receive_some()
        assert got == body


async def _now(stream, octets):
    if not stream.send_now(octets):
        await stream.send_all(b"")


async def test_an_end_is_announced_and_ends_one_direction_alone():
    """An announced end is read as the end of that direction, each time it is read.

    The other direction goes on.
    """
    near, far, _ = sealed_pair()
    await near.send_all(b"bye")
    await near.send_eof()
    assert await far.receive_some() == b"bye"
    for _ in range(2):
        assert await far.receive_some() == b""
    await far.send_all(b"one moment")
    assert await near.receive_some() == b"one moment"


async def test_a_stream_that_is_cut_off_has_not_ended():
    """Reading a stream that is cut off raises an error, so nobody can forge an end."""
    near, far, raw = sealed_pair()
    await near.send_all(b"hello")
    await raw.send_eof()
    assert await far.receive_some() == b"hello"
    with pytest.raises(trio.BrokenResourceError):
        await far.receive_some()


def content(said):
    """Return a message with this content, sealed as the near end seals its first one."""
    return message_octets(Cipher(KEYS[0]).seal(said))


@pytest.mark.parametrize(
    "octets",
    [
        content(b""),
        content(b"\0"),
        content(b"\2x"),
        content(b"\1") + b"x",
        content(b"\0hello")[:-1] + b"x",
        message_octets(b""),
        message_octets(b"short"),
    ],
    ids=["nothing", "an empty piece", "no kind", "behind the end", "altered", "empty", "short"],
)
async def test_what_is_no_piece_is_refused(octets):
    """An altered or unsealed message, or a sealed one whose content is malformed, is refused."""
    _, far, raw = sealed_pair()
    await raw.send_all(octets)
    with pytest.raises(Malformed):
        await far.receive_some()


async def test_messages_are_opened_in_their_order_and_once():
    """If a message is left out, repeated or out of order, reading it is an error."""
    cipher = Cipher(KEYS[0])
    one, two = (message_octets(cipher.seal(b"\0" + body)) for body in (b"one", b"two"))
    for order in ((two,), (one, one), (two, one)):
        _, far, raw = sealed_pair()
        await raw.send_all(b"".join(order))
        for _ in order[1:]:
            if order[0] is one:
                assert await far.receive_some() == b"one"
        with pytest.raises(Malformed):
            await far.receive_some()


async def test_before_a_key_is_proved_messages_are_short():
    """Before a key is proved, a message over the low limit is refused, to save memory.

    Once the stream is trusted, the same message is read.
    """
    near, far = pair()
    sealed = SealedStream(Messages(far, 1_040), Ciphers(Cipher(KEYS[1]), Cipher(KEYS[0]), b""))
    cipher = Cipher(KEYS[0])
    await near.send_all(message_octets(cipher.seal(b"\0" + bytes(1_023))))
    assert len(await sealed.receive_some()) == 1_023
    await near.send_all(message_octets(cipher.seal(b"\0" + bytes(1_024))))
    with pytest.raises(Malformed):
        await sealed.receive_some()
    sealed.trust()
    assert len(await sealed.receive_some()) == 1_024
