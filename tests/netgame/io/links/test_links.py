"""Links carry frames, notice dead peers, stay bounded, and never take each other down."""

import pytest
import trio
import trio.testing

from netgame.errors import Disconnected, Refused
from netgame.io.disk.identity import Identity
from netgame.io.door import link_pool as linkpool
from netgame.io.door.channel import Channel
from netgame.io.door.link_pool import FrameCame, LinkDown, LinkPool, LinkUp
from netgame.io.links import PING, PONG, FramedStream, Link, Proved
from netgame.io.network.addresses import Address
from netgame.io.network.listen import LOOPBACK, Listen, PortTrouble, open_listeners, port_of
from netgame.limits import (
    CLOCK_CHECK_S,
    DROP_S,
    LINK_FRAMES_BURST,
    LINK_FRAMES_PER_S,
    LINK_SETTLED_S,
    PING_QUIET_S,
    PING_S,
    SEND_QUEUE_BYTES_MAX,
    SEND_QUEUE_FRAMES_MAX,
)
from netgame.rates import TokenBucket

LOW, HIGH = sorted((Identity(bytes([n]) * 32) for n in (1, 2)), key=lambda i: i.public)


def linked(peer=HIGH.public, *, dialled=True):
    """Return a link over memory streams, and frames at its far end."""
    near, far = trio.testing.memory_stream_pair()
    frames, other = FramedStream(near), FramedStream(far)
    frames.trust()
    other.trust()
    return Link(Proved(peer, frames, dialled)), other


async def nowhere(_body):
    """Deliver frames to nobody."""


async def look_after(link):
    """What the pool does with each of its links."""
    while True:
        await trio.sleep(CLOCK_CHECK_S)
        link.beat()


# ---- one link -------------------------------------------------------------------------------


async def test_frames_go_both_ways_in_order(nursery):
    """What is queued leaves in order; what comes is delivered in order."""
    link, other = linked()
    got = []

    async def keep(body):
        got.append(body)

    nursery.start_soon(link.run, keep)
    for body in (b"1", b"2", b"3"):
        link.send(body)
    assert [await other.receive_frame() for _ in range(3)] == [b"1", b"2", b"3"]
    await other.send_frames((b"a", b"b"))
    await trio.testing.wait_all_tasks_blocked()
    assert got == [b"a", b"b"]
    link.end("done")


async def test_ping_is_answered_and_not_delivered(nursery):
    """The heartbeat stays below the core."""
    link, other = linked()
    got = []

    async def keep(body):
        got.append(body)

    nursery.start_soon(link.run, keep)
    await other.send_frame(PING)
    assert await other.receive_frame() == PONG
    await other.send_frame(PONG)
    await trio.testing.wait_all_tasks_blocked()
    assert not got
    link.end("done")


async def test_silent_peer_is_dropped(autojump_clock):
    """Pings go out every six seconds; no answer for fifteen ends the link."""
    link, other = linked()
    start = trio.current_time()

    async def swallow():
        while True:
            try:
                assert await other.receive_frame() == PING
            except Disconnected:
                return

    async with trio.open_nursery() as nursery:
        nursery.start_soon(swallow)
        nursery.start_soon(look_after, link)
        await link.run(nowhere)
        nursery.cancel_scope.cancel()
    assert DROP_S <= trio.current_time() - start <= DROP_S + CLOCK_CHECK_S
    assert "silent" in link.reason


async def test_link_that_nobody_waits_for_is_pinged_seldom_or_once_something_was_sent(
    autojump_clock, nursery
):
    """An answer is no question: only what asks for something is followed by pings."""
    link, other = linked()
    nursery.start_soon(link.run, nowhere)
    nursery.start_soon(look_after, link)
    await other.send_frame(PING)
    assert await other.receive_frame() == PONG
    link.look_after(closely=False)
    await other.send_frame(PONG)
    start = trio.current_time()
    assert await other.receive_frame() == PING
    assert PING_QUIET_S <= trio.current_time() - start <= PING_QUIET_S + CLOCK_CHECK_S
    await other.send_frame(PONG)
    await trio.sleep(2 * DROP_S)
    link.send(b"a move")
    assert await other.receive_frame() == b"a move"
    start = trio.current_time()
    assert await other.receive_frame() == PING
    assert PING_S <= trio.current_time() - start <= PING_S + CLOCK_CHECK_S
    link.end("done")


async def test_silence_counts_from_when_somebody_waits(autojump_clock):
    """Nothing had to come before; from then on it is as if the peer had just been heard."""
    link, other = linked()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(look_after, link)
        nursery.start_soon(link.run, nowhere)
        await other.send_frame(PONG)
        await trio.testing.wait_all_tasks_blocked()
        link.look_after(closely=False)
        await other.send_frame(PONG)
        await trio.sleep(2 * DROP_S)
        assert not link.reason
        link.look_after(closely=True)
        await trio.sleep(DROP_S - CLOCK_CHECK_S)
        assert not link.reason
        await trio.sleep(2 * CLOCK_CHECK_S)
        assert link.reason
        nursery.cancel_scope.cancel()


async def test_peer_that_answers_stays(autojump_clock):
    """Any frame counts as a sign of life."""
    link, other = linked()

    async def answer():
        while True:
            await other.receive_frame()
            await other.send_frame(PONG)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run, nowhere)
        nursery.start_soon(look_after, link)
        nursery.start_soon(answer)
        await trio.sleep(10 * DROP_S)
        assert not link.reason
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("count", "size"),
    [(SEND_QUEUE_FRAMES_MAX + 1, 1), (SEND_QUEUE_BYTES_MAX // 60_000 + 1, 60_000)],
    ids=["frames", "octets"],
)
async def test_peer_that_cannot_keep_up_loses_the_link(count, size):
    """The queue is bounded in frames and in octets."""
    link, _other = linked()
    for _ in range(count):
        link.send(bytes(size))
    with trio.fail_after(1):
        await link.run(nowhere)
    assert "keep up" in link.reason


async def test_what_is_queued_leaves_before_the_link_is_finished(nursery):
    """A refusal reaches the peer before the connection goes."""
    listeners = await open_listeners(Listen(LOOPBACK, 0))
    client = await trio.open_tcp_stream(LOOPBACK, port_of(listeners))
    server = await listeners[0].accept()
    link = Link(Proved(HIGH.public, FramedStream(server), dialled=False))
    # Octets that nobody reads would make a careless close throw the answer away.
    await client.send_all(b"\x00\x00\x00\x05hello" * 10)
    link.send(b"no seat")
    link.finish("refused")
    link.send(b"too late")
    nursery.start_soon(link.run, nowhere)
    other = FramedStream(client)
    assert await other.receive_frame() == b"no seat"
    with pytest.raises(Disconnected):
        await other.receive_frame()
    await other.close()
    await listeners[0].aclose()


async def test_finishing_does_not_wait_for_a_peer_that_never_closes(autojump_clock):
    """One second, then the link is gone."""
    link, _other = linked()
    link.finish("over")
    with trio.fail_after(2):
        await link.run(nowhere)


async def test_slow_delivery_slows_the_reader(nursery):
    """Frames wait in the network, not in our memory."""
    link, other = linked()
    gate = trio.Event()

    async def wait(_body):
        await gate.wait()

    nursery.start_soon(link.run, wait)
    with trio.move_on_after(0.1) as scope:
        for _ in range(1_000):
            await other.send_frame(bytes(60_000))
    gate.set()
    link.end("done")
    assert scope.cancelled_caught or link.reason


async def test_flooder_is_read_at_a_bounded_rate(autojump_clock):
    """After a burst, frames are taken no faster than the rate, and the rest waits."""
    link, other = linked()
    taken = 0

    async def count(_body):
        nonlocal taken
        taken += 1

    await other.send_frames([b"x"] * (LINK_FRAMES_BURST + 10 * LINK_FRAMES_PER_S))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run, count)
        await trio.sleep(2)
        nursery.cancel_scope.cancel()
    assert LINK_FRAMES_BURST < taken <= LINK_FRAMES_BURST + 2 * LINK_FRAMES_PER_S + 1


def test_token_bucket_allows_bursts_and_a_rate():
    """Ten at once, then two a second."""
    bucket = TokenBucket(2, 10, 0.0)
    assert [bucket.take(1, 0.0) for _ in range(10)] == [0.0] * 10
    assert bucket.take(1, 0.0) == 0.5
    assert bucket.take(1, 1.0) == 0.0
    assert bucket.take(10, 100.0) == 0.0


# ---- the pool -------------------------------------------------------------------------------


class Peer:
    """A pool that notes its events."""

    def __init__(self, identity):
        self.identity = identity
        self.events = []
        self.pool = LinkPool(Channel(identity), self.take)
        self.port = 0
        self.news = trio.Event()

    async def take(self, event):
        """Note an event."""
        self.events.append(event)
        news, self.news = self.news, trio.Event()
        news.set()

    async def start(self, nursery):
        """Listen and run."""
        listeners = await open_listeners(Listen(LOOPBACK, 0))
        self.port = port_of(listeners)
        await nursery.start(self.pool.run, listeners)
        return self

    @property
    def address(self):
        """Where it listens."""
        return Address(LOOPBACK, self.port)

    async def until(self, condition, limit_s=5):
        """Wait until the events fulfil a condition."""
        with trio.fail_after(limit_s):
            while not condition(self.events):
                await self.news.wait()

    def count(self, kind):
        """Return how many events of a kind there were."""
        return sum(isinstance(event, kind) for event in self.events)


async def two(nursery):
    """Return two pools, not linked."""
    return await Peer(LOW).start(nursery), await Peer(HIGH).start(nursery)


def has(kind, count=1):
    """Return a condition: so many events of a kind."""
    return lambda events: sum(isinstance(event, kind) for event in events) >= count


async def test_pool_links_and_carries_frames(nursery):
    """Dialling makes a link at both ends, which know each other's keys."""
    low, high = await two(nursery)
    assert await low.pool.connect([high.address], HIGH.public) == HIGH.public
    await low.until(has(LinkUp))
    await high.until(has(LinkUp))
    assert low.pool.links.get(HIGH.public).dialled
    low.pool.links.get(HIGH.public).send(b"hello")
    await high.until(has(FrameCame))
    assert high.events[-1].body == b"hello"
    low.pool.drop_all("cut")
    await low.until(has(LinkDown))
    await high.until(has(LinkDown))
    nursery.cancel_scope.cancel()


async def test_of_two_links_made_at_once_the_lower_keys_stays(nursery):
    """Both ends dial at the same moment; both keep the same one."""
    low, high = await two(nursery)
    async with trio.open_nursery() as both:
        both.start_soon(low.pool.connect, [high.address])
        both.start_soon(high.pool.connect, [low.address])
    await low.until(lambda _: (link := low.pool.links.get(HIGH.public)) and link.dialled)
    await high.until(lambda _: (link := high.pool.links.get(LOW.public)) and not link.dialled)
    low.pool.links.get(HIGH.public).send(b"still here")
    await high.until(has(FrameCame))
    nursery.cancel_scope.cancel()


async def test_new_link_takes_the_place_of_one_that_must_be_dead(nursery, monkeypatch):
    """A peer that dials has no link, so a settled link to it leads nowhere."""
    low, high = await two(nursery)
    await low.pool.connect([high.address])
    await high.until(has(LinkUp))
    await low.until(has(LinkUp))
    low.pool.links.get(HIGH.public).since -= 2 * LINK_SETTLED_S
    high.pool.links.get(LOW.public).since -= 2 * LINK_SETTLED_S
    before = low.pool.links.get(HIGH.public)
    await high.pool.connect([low.address])
    await low.until(has(LinkUp, 2))
    assert low.pool.links.get(HIGH.public) is not before
    await low.until(has(LinkDown))
    assert low.pool.links.get(HIGH.public) is not None
    nursery.cancel_scope.cancel()


async def test_dialling_goes_on_until_the_peer_is_there(nursery):
    """A peer that comes up later is reached without being asked again."""
    low = await Peer(LOW).start(nursery)
    listeners = await open_listeners(Listen(LOOPBACK, 0))
    port = port_of(listeners)
    low.pool.keep_dialling(HIGH.public, (f"{LOOPBACK}:{port}",))
    in_vain = await listeners[0].accept()
    await listeners[0].aclose()
    await in_vain.aclose()
    high = Peer(HIGH)
    await nursery.start(high.pool.run, await open_listeners(Listen(LOOPBACK, port)))
    await low.until(has(LinkUp))
    assert low.pool.links.get(HIGH.public) is not None
    nursery.cancel_scope.cancel()


async def test_dialling_reaches_only_the_peer_that_was_meant(nursery):
    """Another player at that address is no substitute."""
    low, high = await two(nursery)
    with pytest.raises(Refused, match="another player"):
        await low.pool.connect([high.address], Identity.ephemeral().public)
    assert low.pool.links.get(HIGH.public) is None
    nursery.cancel_scope.cancel()


async def test_addresses_are_raced(nursery):
    """One that leads nowhere costs a quarter of a second, not its whole time-out."""
    low, high = await two(nursery)
    # TEST-NET-1 (RFC 5737) is nobody's; it is refused at once or never answered.
    nowhere_at = Address("192.0.2.1", 9)
    with trio.fail_after(2):
        await low.pool.connect([nowhere_at, high.address])
    nursery.cancel_scope.cancel()


async def test_nameless_addresses_are_not_dialled(nursery):
    """A peer cannot make us ask a name server."""
    low = await Peer(LOW).start(nursery)
    low.pool.keep_dialling(HIGH.public, ("example.org:4747", "0.0.0.0:1"))
    assert not low.pool.wanted
    nursery.cancel_scope.cancel()


async def test_links_are_bounded_in_number(nursery, monkeypatch):
    """The next peer is told that there are too many; one that comes again is not."""
    monkeypatch.setattr(linkpool.limits, "LINKS_MAX", 1)
    monkeypatch.setattr(linkpool.limits, "LINKS_KEPT", 0)
    low, high = await two(nursery)
    await high.pool.connect([low.address])
    await low.until(has(LinkUp))
    third = await Peer(Identity.ephemeral()).start(nursery)
    with pytest.raises(Refused, match="too many"):
        await third.pool.connect([low.address])
    await high.pool.connect([low.address])
    nursery.cancel_scope.cancel()


async def test_crash_on_one_link_leaves_the_others(nursery, caplog):
    """A bug met by one peer's frame costs that link only."""
    low, high = await two(nursery)
    third = await Peer(Identity.ephemeral()).start(nursery)
    await high.pool.connect([low.address])
    await third.pool.connect([low.address])
    await high.until(has(LinkUp))
    await third.until(has(LinkUp))
    await low.until(has(LinkUp, 2))
    honest = low.take

    async def crash(event):
        if isinstance(event, FrameCame) and event.body == b"crash":
            raise ZeroDivisionError
        await honest(event)

    low.pool._deliver = crash
    high.pool.links.get(LOW.public).send(b"crash")
    await low.until(has(LinkDown))
    third.pool.links.get(LOW.public).send(b"fine")
    await low.until(has(FrameCame))
    assert "a way it must not" in caplog.text
    nursery.cancel_scope.cancel()


async def test_malformed_frame_ends_only_its_link(nursery):
    """A length over the limit closes the link at both ends, politely reported."""
    low, high = await two(nursery)
    await high.pool.connect([low.address])
    await high.until(has(LinkUp))
    await low.until(has(LinkUp))
    await high.pool.links.get(LOW.public)._frames.stream.send_all(b"\xff\xff\xff\xff")
    await low.until(has(LinkDown))
    await high.until(has(LinkDown))
    nursery.cancel_scope.cancel()


async def test_links_are_dropped_when_the_computer_slept(nursery, monkeypatch):
    """The wall clock went on while the monotonic one stood still."""
    low, high = await two(nursery)
    await high.pool.connect([low.address])
    await high.until(has(LinkUp))
    await low.until(has(LinkUp))
    wall = linkpool.time.time
    monkeypatch.setattr(linkpool.time, "time", lambda: wall() + 60)
    await low.until(has(LinkDown))
    nursery.cancel_scope.cancel()


async def test_closing_all_links_lets_their_queues_leave(nursery):
    """Whoever leaves still says what it had to say."""
    low, high = await two(nursery)
    await high.pool.connect([low.address])
    await high.until(has(LinkUp))
    high.pool.links.get(LOW.public).send(b"last words")
    high.pool.close_all("leaving")
    await high.pool.wait_empty()
    await low.until(has(LinkDown))
    assert has(FrameCame)(low.events)
    with pytest.raises((Disconnected, Refused)):
        await low.pool.connect([high.address])
    nursery.cancel_scope.cancel()


# ---- ports ----------------------------------------------------------------------------------


async def test_next_free_port_is_taken(monkeypatch):
    """Two tables on one computer do not quarrel; a port asked for is that port or a sentence."""
    first = await open_listeners(Listen(LOOPBACK, 0))
    taken = port_of(first)
    monkeypatch.setattr("netgame.io.network.listen.PORT_DEFAULT", taken)
    second = await open_listeners(Listen(LOOPBACK))
    assert taken < port_of(second) < taken + 32
    with pytest.raises(PortTrouble, match=f"port {taken} is in use"):
        await open_listeners(Listen(LOOPBACK, taken))
    monkeypatch.setattr("netgame.io.network.listen.PORTS_TRIED", 1)
    with pytest.raises(PortTrouble, match="all ports"):
        await open_listeners(Listen(LOOPBACK))
    for listener in (*first, *second):
        await listener.aclose()
