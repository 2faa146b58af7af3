"""Callers from a blocked address cost the host no work, and members there keep their links."""

import pytest
import trio
import trio.lowlevel

from netgame.errors import HungUp, Refused
from netgame.io.disk.identity import Identity
from netgame.io.door.channel import Channel
from netgame.io.network import tcp
from netgame.io.network.listen import LOOPBACK
from netgame.protocol.peer.driver import LinkDown, LinkUp

NEAR, FAR = "127.0.0.1", "127.0.0.66"
"""Two addresses of this computer, which the door here takes for different computers."""


@pytest.fixture
async def come(monkeypatch):
    """Yield a function that connects to a peer's door from an address of this computer.

    It then proves the key of an identity, unless that is None. The door treats the address as one
    on a LAN. The streams are closed when the test ends.
    """
    opened = []

    def source_between(near, far):
        return far[0]

    monkeypatch.setattr(tcp, "source_between", source_between)

    async def come(peer, identity, at):
        found = (await trio.open_tcp_stream(LOOPBACK, peer.port, local_address=at)).socket
        stream = tcp.TcpStream(found, found.getsockname(), found.getpeername())
        opened.append(stream)
        return stream if identity is None else await Channel(identity).prove(stream)

    yield come
    for stream in opened:
        await stream.aclose()


async def test_links_from_a_blocked_address_end_but_those_of_members(pools, come):
    """Blocking an address ends the links from it, except those of members, who may also come back.

    Other keys are refused from that address, but may come from another one.
    """
    host = await pools.peer()
    member, stranger, other = (Identity.ephemeral() for _ in range(3))
    host.pool._door.sits = lambda peer: peer == member.public
    for identity, at in ((member, FAR), (stranger, FAR), (other, NEAR)):
        await come(host, identity, at)
    await host.has(LinkUp, 3)
    assert host.pool.block(FAR) == (member.public,)
    (down,) = await host.has(LinkDown)
    assert down.link.peer == stranger.public
    assert set(host.pool.links) == {member.public, other.public}
    with pytest.raises(Refused) as refused:
        await come(host, stranger, FAR)
    assert refused.value.code == "blocked"
    await come(host, stranger, NEAR)
    host.pool.links[member.public].end("a cable")
    await host.has(LinkDown, 2)
    await come(host, member, FAR)
    await host.has(LinkUp, 5)


async def test_where_no_member_is_nothing_is_heard(pools, come, monkeypatch):
    """If no member is at a blocked address, callers from it are hung up on without a handshake.

    So are callers that wait already. Once the address is unblocked, its callers are served again.
    """
    host = await pools.peer()
    served = []
    serve = host.pool._channel.serve

    async def counted(stream, door):
        served.append(stream.source)
        return await serve(stream, door)

    monkeypatch.setattr(host.pool._channel, "serve", counted)
    waiting = await come(host, None, FAR)
    with trio.fail_after(5):
        while not host.pool._acceptor.unproved:
            await trio.lowlevel.checkpoint()
    assert host.pool.block(FAR) == ()
    with trio.fail_after(5):
        assert await waiting.receive_some(1) == b""
    with pytest.raises(HungUp):
        await come(host, Identity.ephemeral(), FAR)
    assert served == []
    host.pool._door.blocked.clear()
    await come(host, Identity.ephemeral(), FAR)
    assert served == [FAR]


async def test_a_key_that_has_just_been_let_in_gets_no_link_from_a_blocked_address(pools, come):
    """If an address is blocked after a key's verdict and before its link, the key gets no link."""
    host = await pools.peer()
    keep, kept = host.pool._keep_link, trio.Event()

    async def late(proved):
        host.pool.block(FAR)
        await keep(proved)
        kept.set()

    host.pool._acceptor.keep = late
    await come(host, Identity.ephemeral(), FAR)
    with trio.fail_after(5):
        await kept.wait()
    assert not host.pool.links
