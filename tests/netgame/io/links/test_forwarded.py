"""A member links two others that cannot reach each other, and can only pass octets on."""

from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing

from netgame import limits
from netgame.errors import Disconnected, Malformed, Refused, TimedOut
from netgame.io.disk.identity import Identity
from netgame.io.door.channel import Channel
from netgame.io.door.codes import parse_code
from netgame.io.network.forwarded import source_by
from netgame.io.network.streams import HERE
from netgame.protocol.notices import LinkEnd
from netgame.protocol.peer.driver import FrameCame, LinkDown
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any, encode
from tests.netgame.io.links.pools import HIGH, LOW, linked, nowhere

MIDDLE, OTHER, STRANGER = (Identity(bytes([number]) * 32) for number in (3, 4, 5))
MEMBERS = {each.public for each in (LOW, HIGH, MIDDLE, OTHER)}


@pytest.fixture(autouse=True)
def hurried(monkeypatch):
    """Make pools ask forwarders at once, and dial again after very short pauses."""
    monkeypatch.setattr(limits, "FORWARD_AFTER_S", 0.0)
    monkeypatch.setattr(limits, "FORWARD_AGAIN_S", 0.05)
    monkeypatch.setattr(limits, "DIRECT_AGAIN_S", 0.05)
    monkeypatch.setattr(limits, "DIAL_BACKOFF_MAX_S", 0.1)


class Apart:
    """Members of one table, some of whom cannot dial one another."""

    def __init__(self, pools):
        self._pools = pools
        self.cut = set()

    async def member(self, identity):
        """Return one more member, which listens; the host of the table is `MIDDLE`."""
        peer = await self._pools.peer(identity)
        peer.pool._door.sits = MEMBERS.__contains__
        peer.pool.forwarding.host = lambda: MIDDLE.public
        connect = peer.pool._channel.connect

        async def dialled(address, expected=None, code=None):
            if frozenset((identity.public, expected)) in self.cut:
                raise Disconnected("no way there")
            return await connect(address, expected, code)

        peer.pool._channel.connect = dialled
        return peer

    async def three(self):
        """Return two members that cannot dial each other, and a third that is linked to both."""
        low, high, middle = [await self.member(each) for each in (LOW, HIGH, MIDDLE)]
        self.cut.add(frozenset((LOW.public, HIGH.public)))
        await self._pools.link(low, middle)
        await self._pools.link(high, middle)
        return low, high, middle


@pytest.fixture
def apart(pools):
    """Return a maker of members of one table; `cut` says which of them cannot dial each other."""
    return Apart(pools)


def wants(one, other):
    """Make `one` dial `other` until there is a direct link, without waiting for that link."""
    one.pool.keep_dialling(other.identity.public, (str(other.address),))


def link_of(one, other):
    """Return the link that `one` has to `other`, or None."""
    return one.pool.links.get(other.identity.public)


async def until(condition, limit_s=5):
    """Wait until a condition is true; fail after `limit_s` seconds."""
    with trio.fail_after(limit_s):
        while not condition():
            await trio.testing.wait_all_tasks_blocked(0.01)


async def by_middle(apart):
    """Return three members: two that are linked by forwarding, and the third, which forwards.

    The first, with the lower key, has asked for that link.
    """
    low, high, middle = await apart.three()
    wants(low, high)
    await until(lambda: link_of(low, high) and link_of(high, low))
    return low, high, middle


# ---- how members are linked --------------------------------------------------------------------


async def test_members_apart_are_linked_by_one_who_reaches_both(apart):
    """A member links two others that are apart, and passes on their frames without reading them.

    The frames arrive in order. The source of the new link is the forwarder, not this computer.
    """
    low, high, middle = await by_middle(apart)
    assert link_of(low, high).by == link_of(high, low).by == MIDDLE.public
    source = high.pool._sources[LOW.public]
    assert source == source_by(MIDDLE.public) != HERE
    assert high.pool.members_at(HERE) == (MIDDLE.public,)
    for number in range(20):
        link_of(low, high).send(bytes([number]) * 60_000)
    link_of(high, low).send(b"back")
    got = await high.has(FrameCame, 20)
    assert [each.body for each in got] == [bytes([number]) * 60_000 for number in range(20)]
    (back,) = await low.has(FrameCame)
    assert back.link is link_of(low, high)
    assert not middle.of(FrameCame)
    assert not middle.of(LinkDown)


async def test_who_has_no_address_is_linked_by_another(apart):
    """A member without an address, such as a browser, gets a link through another member."""
    low, high, _ = await apart.three()
    low.pool.keep_dialling(HIGH.public, ())
    await until(lambda: link_of(low, high) and link_of(high, low))
    assert link_of(low, high).by == MIDDLE.public


@pytest.mark.parametrize("first", ["low", "high", "neither"])
async def test_both_may_ask_and_the_stream_of_the_lower_key_stays(apart, first):
    """If two members both ask for a link, the lower key's stream stays, whoever asked first."""
    low, high, middle = await apart.three()
    asks = {"low": (low.pool._ask_others, HIGH.public), "high": (high.pool._ask_others, LOW.public)}
    if first in asks:
        ask, peer = asks.pop(first)
        await ask(peer)
        await until(lambda: link_of(low, high) and link_of(high, low))
    async with trio.open_nursery() as nursery:
        for ask, peer in asks.values():
            nursery.start_soon(ask, peer)
    await until(lambda: link_of(low, high) and link_of(low, high).dialled)
    await until(lambda: link_of(high, low) and not link_of(high, low).dialled)
    await until(lambda: len(link_of(middle, low).streams.mux._streams) == 1)
    link_of(low, high).send(b"here")
    await high.until(lambda _: any(e.body == b"here" for e in high.of(FrameCame)))


@pytest.mark.parametrize("who", ["low", "high"])
async def test_a_direct_link_stands_over_a_forwarded_one(apart, who):
    """A direct link replaces a forwarded one, whose end is not counted against its forwarder."""
    low, high, middle = await by_middle(apart)
    apart.cut.clear()
    if who == "high":
        for wanted in low.pool.wanted.values():
            wanted.scope.cancel()
        wants(high, low)
    await until(lambda: not link_of(low, high).by and not link_of(high, low).by)
    await until(lambda: not middle.pool.links[LOW.public].streams.mux._streams)
    assert not low.of(LinkDown)[1:]
    assert low.pool.forwarding._failures == {}
    link_of(low, high).send(b"direct")
    await high.until(lambda _: any(e.body == b"direct" for e in high.of(FrameCame)))
    await until(lambda: not low.pool.wanted)


async def test_a_direct_link_keeps_a_forwarded_one_out(apart, pools):
    """A forwarded link to a peer is refused if there is a direct one."""
    low, high, middle = await apart.three()
    apart.cut.clear()
    await pools.link(high, low)
    stream = await link_of(low, middle).streams.open(HIGH.public)
    with pytest.raises(Refused) as refused:
        await Channel(LOW).prove(stream, HIGH.public)
    assert refused.value.code == "linked"
    assert not link_of(high, low).by


async def test_a_link_goes_with_its_forwarder_and_comes_back_by_another(apart, pools):
    """If a forwarder leaves, the forwarded link ends, and another member forwards a new one."""
    low, high, middle = await apart.three()
    other = await apart.member(OTHER)
    await pools.link(low, other)
    await pools.link(high, other)
    wants(low, high)
    await until(lambda: link_of(low, high) and link_of(high, low))
    assert link_of(low, high).by == MIDDLE.public
    middle.pool.close_all("it leaves")
    await until(lambda: link_of(low, high) and link_of(low, high).by == OTHER.public)
    downs = [each.link for each in low.of(LinkDown) if each.link.peer == HIGH.public]
    assert [(each.by, each.ending) for each in downs] == [(MIDDLE.public, LinkEnd.FORWARDER)]


async def test_members_with_a_direct_link_are_asked_and_the_host_first(apart, pools):
    """Only members with a direct link are asked to forward, the host first.

    No stream to a stranger is asked for, and a peer that is not a member itself asks nobody.
    """
    low, _, middle = await apart.three()
    await pools.link(low, await apart.member(OTHER))
    await pools.link(low, await pools.peer(STRANGER))
    forwarding = low.pool.forwarding

    def whom(peer):
        return [carrier.peer for carrier in forwarding.forwarders(peer)]

    for host in (MIDDLE, OTHER):
        forwarding.host = lambda host=host: host.public
        assert whom(HIGH.public)[0] == host.public
    forwarding.host = bytes
    assert whom(HIGH.public) == sorted((MIDDLE.public, OTHER.public))
    assert whom(MIDDLE.public) == [OTHER.public]
    assert whom(STRANGER.public) == []
    low.pool._door.sits = (MEMBERS - {LOW.public}).__contains__
    assert whom(HIGH.public) == []
    link_of(low, middle).failed = True
    forwarding.note_end(link_of(low, middle))
    assert not forwarding._failures


async def test_who_is_no_member_takes_no_stream(apart):
    """A peer that is not a member itself refuses a member's request for a stream."""
    low, _, middle = await apart.three()
    low.pool._door.sits = (MEMBERS - {LOW.public}).__contains__
    assert await asked(link_of(middle, low), None) == "stranger"


async def cut_by_middle(low, high, middle, times):
    """Let the forwarder cut the link of two members each time that it is up, `times` times."""
    for count in range(1, times + 1):
        await until(lambda: link_of(low, high) and link_of(high, low))
        carrier = link_of(middle, low).streams
        for stream in tuple(carrier.mux._streams.values()):
            carrier.mux.close(stream)
            carrier.wake()
        await until(lambda count=count: len(low.of(LinkDown)) == count)


async def test_who_has_let_three_links_fail_is_not_asked_again(apart):
    """A forwarder through which three links to a peer have failed is not asked for that peer again.

    It is still asked for other peers.
    """
    low, high, middle = await by_middle(apart)
    await cut_by_middle(low, high, middle, limits.FORWARDER_ENDS_MAX)
    forwarding = low.pool.forwarding
    assert forwarding.forwarders(HIGH.public) == ()
    assert forwarding.forwarders(OTHER.public) != ()
    assert not link_of(low, high)


async def test_a_forwarder_is_forgiven_the_links_that_have_failed(apart, monkeypatch):
    """A forwarder's failures are forgiven in time, because bad Wi-Fi may be the cause."""
    monkeypatch.setattr(limits, "FORWARDER_ENDS_PER_S", 5.0)
    low, high, middle = await by_middle(apart)
    await cut_by_middle(low, high, middle, 2 * limits.FORWARDER_ENDS_MAX)
    await until(lambda: link_of(low, high) and link_of(high, low))


async def test_a_peer_that_says_goodbye_is_not_held_against_who_forwarded_it(apart):
    """A forwarded link that ends with the peer's goodbye does not count against the forwarder."""
    low, high, _ = await by_middle(apart)
    link_of(high, low).finish("done")
    await until(lambda: any(e.link.peer == HIGH.public for e in low.of(LinkDown)))
    (down,) = [each.link for each in low.of(LinkDown) if each.link.peer == HIGH.public]
    assert down.ending is LinkEnd.QUIT
    assert not low.pool.forwarding._failures


# ---- refusals -----------------------------------------------------------------------------------


async def asked(link, key):
    """Ask for a stream to `key` over a link, which must be refused; return the refusal's code."""
    with pytest.raises(Disconnected) as refused:
        await link.streams.open(key)
    return refused.value.said.facts["why"]


async def test_streams_are_for_members_and_to_members_with_a_direct_link(apart, pools):
    """A forwarder opens streams only for members, and only to members with a direct link to it.

    A member gets no stream to itself, or to the forwarder.
    """
    low, high, middle = await by_middle(apart)
    stranger = await pools.peer(STRANGER)
    await pools.link(stranger, middle)
    assert await asked(link_of(stranger, middle), LOW.public) == "stranger"
    assert await asked(link_of(low, middle), STRANGER.public) == "stranger"
    assert await asked(link_of(low, middle), OTHER.public) == "unlinked"
    assert await asked(link_of(low, middle), LOW.public) == "unlinked"
    assert await asked(link_of(low, middle), MIDDLE.public) == "unlinked"
    other = await apart.member(OTHER)
    await pools.link(other, low)
    assert await asked(link_of(other, low), HIGH.public) == "unlinked", "that would be two hops"
    assert await asked(link_of(stranger, middle), None) == "stranger"
    assert stranger.pool.forwarding.forwarders(LOW.public) == ()
    assert len(link_of(high, middle).streams.mux._streams) == 1


async def test_goodbyes_over_forwarded_links_leave_before_the_links_that_carry_them(apart):
    """When a member leaves, its goodbyes arrive over direct links and over forwarded ones."""
    low, high, middle = await by_middle(apart)
    low.pool.close_all("it leaves")
    with trio.fail_after(limits.DRAIN_TIMEOUT_S / 2):
        await low.pool.wait_empty()
    for peer in (high, middle):
        await until(lambda peer=peer: any(e.link.peer == LOW.public for e in peer.of(LinkDown)))
        (down,) = [each.link for each in peer.of(LinkDown) if each.link.peer == LOW.public]
        assert down.ending is LinkEnd.QUIT


async def test_a_forwarded_link_carries_no_streams(apart):
    """A forwarded link has no streams: a request for one is not a valid message there."""
    low, high, _ = await by_middle(apart)
    assert link_of(low, high).streams is None
    link_of(low, high).send(encode(wire.StreamOpen(0, OTHER.public)))
    got = await high.has(FrameCame)
    with pytest.raises(Malformed):
        decode_any(got[0].body, wire.LinkMessage)


async def test_no_join_code_passes_over_a_forwarded_stream(apart):
    """A join code is not accepted over a forwarded stream, and the try is not counted.

    Otherwise wrong guesses by a forwarder would count against other members.
    """
    low, high, middle = await apart.three()
    door = high.pool._door
    door.anybody, door.code = False, parse_code("7-otter-violin")
    stream = await link_of(low, middle).streams.open(HIGH.public)
    with pytest.raises(Refused) as refused:
        await Channel(STRANGER).prove(stream, HIGH.public, door.code)
    assert refused.value.code == "forwarded"
    assert door.wrong_tries() == {}
    assert not door.by_code


async def test_a_stranger_does_not_come_in_by_a_forwarder_even_where_anybody_may(apart):
    """A stranger cannot come in through a forwarder, even at an open table."""
    low, high, middle = await apart.three()
    stream = await link_of(low, middle).streams.open(HIGH.public)
    with pytest.raises(Refused) as refused:
        await Channel(STRANGER).prove(stream, HIGH.public)
    assert refused.value.code == "forwarded"
    assert not link_of(high, low)


async def test_streams_that_prove_no_key_use_up_their_forwarders_share_alone(apart, pools):
    """Streams that prove no key use up only their forwarder's share, so other members get in.

    Once those streams are closed, the forwarder can open others.
    """
    low, high, middle = await apart.three()
    acceptor = high.pool._acceptor
    most = limits.UNPROVED_PER_FORWARDER_MAX
    halves = [await link_of(low, middle).streams.open(HIGH.public) for _ in range(most)]
    assert await asked(link_of(low, middle), HIGH.public) == "busy"
    assert {each.source for each in acceptor.unproved} == {source_by(MIDDLE.public)}
    await pools.link(await apart.member(OTHER), high)
    for each in halves:
        each.close()
    await until(lambda: not acceptor.unproved)
    wants(low, high)
    await until(lambda: link_of(high, low))


async def test_streams_end_with_the_link_that_carries_them(apart):
    """Streams end with the link that carries them, and leave no stream number in use."""
    low, high, middle = await by_middle(apart)
    link_of(low, middle).end("a cable")
    await until(lambda: not link_of(high, low))
    assert not link_of(middle, high).streams.mux._streams


# ---- one link ---------------------------------------------------------------------------------


@asynccontextmanager
async def running(link):
    """Run a link within the block, and end it after the block."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run, nowhere)
        yield
        link.end("done")


async def opened(link, other, key=HIGH.public):
    """Ask for a stream over a link, and return it; the far end opens it with its number 9."""
    async with trio.open_nursery() as nursery:
        streams = []

        async def ask():
            streams.append(await link.streams.open(key))

        nursery.start_soon(ask)
        asked_for = decode_any(await other.receive_frame(), wire.StreamMessage)
        await other.send_frame(encode(wire.StreamOpened(asked_for.number, 9)))
    return streams[0]


async def test_frames_of_the_link_leave_before_octets_of_streams(autojump_clock):
    """A link's own frames overtake the octets of its streams.

    The frames wait for at most one piece of those octets.
    """
    link, other = linked()
    async with running(link):
        stream = await opened(link, other)
        stream.send_now(bytes(limits.STREAM_WINDOW_BYTES))
        link.send(b"a move")
        link.send(b"another")
        got = [await other.receive_frame() for _ in range(6)]
    assert {b"a move", b"another"} <= set(got[:3])


async def test_octets_of_streams_are_paced(autojump_clock):
    """Octets of streams are sent at a limited rate, so a forwarder never looks like a flooder.

    Octets that wait at the same time leave in one frame.
    """
    link, other = linked()
    link.streams._rate = type(link.streams._rate)(10.0, 2, trio.current_time())
    async with running(link):
        stream = await opened(link, other)
        came = []
        start = trio.current_time()
        for _ in range(5):
            stream.send_now(b"x")
            came.append(await other.receive_frame())
        assert trio.current_time() - start >= 0.2
        stream.send_now(b"y")
        stream.send_now(b"z")
        last = decode_any(await other.receive_frame(), wire.StreamMessage)
        assert last.octets == b"yz", "what waits together leaves together"


async def test_who_is_asked_and_does_not_answer_is_given_up(autojump_clock):
    """A request for a stream times out, and if the answer comes late, the stream is closed.

    A link that has ended opens no stream.
    """
    link, other = linked()
    async with running(link):
        with pytest.raises(TimedOut):
            await link.streams.open(HIGH.public)
        asked_for = decode_any(await other.receive_frame(), wire.StreamMessage)
        await other.send_frame(encode(wire.StreamOpened(asked_for.number, 9)))
        assert decode_any(await other.receive_frame(), wire.StreamMessage) == wire.StreamClose(9)
    with pytest.raises(Disconnected):
        await link.streams.open(HIGH.public)


@pytest.mark.parametrize(
    "said",
    [
        encode(wire.StreamData(0, b"x")),
        encode(wire.StreamOpen(0, b"")) + b"x",
        b"\x92\xabstream-what\x00",
    ],
    ids=["unknown", "more octets", "no message"],
)
async def test_what_no_honest_peer_says_of_streams_ends_the_link(said):
    """A malformed stream message, or one for an unknown stream, ends the link as failed."""
    link, other = linked()
    await other.send_frame(said)
    with trio.fail_after(5):
        await link.run(nowhere)
    assert link.reason
    assert link.failed
