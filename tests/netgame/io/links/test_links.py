"""Links carry frames, notice dead peers, limit their queues, and do not end one another."""

import pytest
import trio
import trio.testing

from netgame.errors import Disconnected, Refused
from netgame.io.disk.identity import Identity
from netgame.io.door.channel import Channel
from netgame.io.links import PING, PONG, FramedStream, Link, Proved
from netgame.io.network.addresses import Address
from netgame.io.network.listen import LOOPBACK, Listen, PortTrouble, open_listeners
from netgame.io.network.tcp import dial
from netgame.io.sleep_gauge import Clocks
from netgame.limits import (
    CLOCK_CHECK_S,
    DROP_S,
    LINK_SETTLED_S,
    PING_QUIET_S,
    PING_S,
    SEND_QUEUE_BYTES_MAX,
    SEND_QUEUE_FRAMES_MAX,
)
from netgame.protocol.notices import ComputerSlept, LinkEnd, ProgramStopped
from netgame.protocol.peer.driver import FrameCame, LinkDown, LinkUp
from tests.netgame.io.links.pools import HIGH, LOW, linked, nowhere
from tests.netgame.io.network.test_neighbours import LAN


async def look_after(link):
    """Check the link regularly, as the pool does with each of its links."""
    while True:
        await trio.sleep(CLOCK_CHECK_S)
        link.beat()


# ---- one link -------------------------------------------------------------------------------


async def test_frames_go_both_ways_in_order_and_pings_stay_below(nursery):
    """Frames leave and arrive in order; pings are answered, and not delivered."""
    link, other = linked()
    got = []

    async def keep(body):
        got.append(body)

    nursery.start_soon(link.run, keep)
    for body in (b"1", b"2", b"3"):
        link.send(body)
    assert [await other.receive_frame() for _ in range(3)] == [b"1", b"2", b"3"]
    await other.send_frames((b"a", PING, PONG, b"b"))
    assert await other.receive_frame() == PONG
    await trio.testing.wait_all_tasks_blocked()
    assert got == [b"a", b"b"]
    link.end("done")


async def test_link_that_nobody_waits_for_is_pinged_seldom_or_once_something_was_sent(
    autojump_clock, nursery
):
    """A link that nobody waits for is pinged after a long silence, or soon after a frame is sent.

    The answer to a ping does not count as such a frame.
    """
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


async def test_silence_counts_from_when_somebody_waits(autojump_clock, nursery):
    """Silence counts only from the moment at which the link is looked after closely."""
    link, other = linked()
    nursery.start_soon(look_after, link)
    nursery.start_soon(link.run, nowhere)
    link.look_after(closely=False)
    await other.send_frame(PONG)
    await trio.sleep(2 * DROP_S)
    link.look_after(closely=True)
    await trio.sleep(DROP_S - CLOCK_CHECK_S)
    assert not link.reason
    await trio.sleep(2 * CLOCK_CHECK_S)
    assert link.reason
    nursery.cancel_scope.cancel()


async def test_peer_that_answers_stays(autojump_clock, nursery):
    """A peer that answers pings keeps its link."""
    link, other = linked()

    async def answer():
        while True:
            await other.receive_frame()
            await other.send_frame(PONG)

    for task in ((link.run, nowhere), (look_after, link), (answer,)):
        nursery.start_soon(*task)
    await trio.sleep(10 * DROP_S)
    assert not link.reason
    nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("count", "size"),
    [(SEND_QUEUE_FRAMES_MAX + 1, 1), (SEND_QUEUE_BYTES_MAX // 60_000 + 1, 60_000)],
    ids=["frames", "octets"],
)
async def test_peer_that_cannot_keep_up_loses_the_link(count, size):
    """A peer that lets too many frames or octets queue up loses its link."""
    link, _other = linked()
    for _ in range(count):
        link.send(bytes(size))
    await link.run(nowhere)
    assert "keep up" in link.reason


async def test_what_is_queued_leaves_before_the_link_is_finished(nursery):
    """A frame queued before a link is finished reaches the peer; a later frame is not sent."""
    listeners = await open_listeners(Listen(LOOPBACK, 0))
    client = await dial(Address(LOOPBACK, listeners[0].port))
    server = await listeners[0].accept()
    link = Link(Proved(HIGH.public, FramedStream(server), dialled=False))
    # If octets stay unread, a careless close would throw the answer away.
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
    listeners[0].close()


async def test_finishing_does_not_wait_for_a_peer_that_never_closes(autojump_clock):
    """A finished link closes after a time-out, even if its peer never closes."""
    link, _other = linked()
    link.finish("over")
    await link.run(nowhere)


# ---- the pool -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("leave", "end"),
    [
        (lambda pool: pool.close_all("good night"), LinkEnd.QUIT),
        (lambda pool: pool.drop_all("pulled out"), LinkEnd.BROKEN),
    ],
    ids=["quit", "stopped"],
)
async def test_a_link_carries_frames_until_one_end_leaves(pools, leave, end, jumping_clock):
    """A link carries frames until one end leaves.

    The other end knows whether the one that left said goodbye.
    """
    low, high = await pools.linked()
    link = high.pool.links[LOW.public]
    assert link.dialled
    assert not low.pool.links[HIGH.public].dialled
    link.send(b"hello")
    (came,) = await low.has(FrameCame)
    assert came.body == b"hello"
    leave(low.pool)
    await high.has(LinkDown)
    assert link.ending is end


async def test_who_ends_a_link_itself_or_hears_nothing_knows_that(pools, jumping_clock):
    """A link that this end finishes, or ends for silence, does not count as the peer's goodbye."""
    low, high = await pools.linked()
    link = high.pool.links[LOW.public]
    link._asked -= 2 * DROP_S
    link.beat()
    await high.has(LinkDown)
    assert link.ending is LinkEnd.SILENT
    await low.has(LinkDown)
    await pools.link(low, high)
    link = high.pool.links[LOW.public]
    link.finish("somebody else sits here")
    await high.has(LinkDown, 2)
    assert link.ending is LinkEnd.ENDED_HERE


async def test_new_link_takes_the_place_of_one_that_must_be_dead(pools, jumping_clock):
    """A new link to a peer replaces its old link, which must be dead."""
    low, high = await pools.linked()
    before = low.pool.links[HIGH.public]
    jumping_clock.jump(2 * LINK_SETTLED_S)
    await low.pool.connect([high.address])
    await high.has(LinkUp, 2)
    await low.has(LinkDown)
    assert low.pool.links.get(HIGH.public) not in (None, before)


async def test_dialling_goes_on_until_the_peer_is_there(pools, jumping_clock):
    """A peer that is not there is dialled until it is, without a further request."""
    low = await pools.peer(LOW)
    listeners = await open_listeners(Listen(LOOPBACK, 0))
    port = listeners[0].port
    low.pool.keep_dialling(HIGH.public, (f"{LOOPBACK}:{port}",))
    in_vain = await listeners[0].accept()
    listeners[0].close()
    await in_vain.aclose()
    await pools.peer(HIGH, port)
    await low.until(lambda _: HIGH.public in low.pool.links)


async def test_dialling_reaches_only_the_peer_that_was_meant(pools, jumping_clock):
    """Dialling a peer fails with `Refused` if a different player is at the address.

    Of the addresses that peers name, only IP addresses that can belong to a computer are dialled.
    """
    low, high = await pools.two()
    with pytest.raises(Refused, match="another player"):
        await low.pool.connect([high.address], Identity.ephemeral().public)
    assert not low.pool.links
    named = ("example.org:4747", "0.0.0.0:1", "10.0.0.4:4747")
    assert low.pool.neighbours.dialled(HIGH.public, named) == (Address("10.0.0.4", 4747),)


async def test_a_peer_is_dialled_again_where_we_have_reached_it_ourselves(pools, jumping_clock):
    """A peer is dialled again where this pool reached it, even if the named address is useless.

    Such a peer may be behind a forwarded port.
    """
    low, high = await pools.linked()
    high.pool.links[LOW.public].end("lost")
    await high.until(lambda _: LOW.public not in high.pool.links)
    high.pool.keep_dialling(LOW.public, ("10.0.0.4:1",))
    await high.has(LinkUp, 2)
    await low.until(lambda _: HIGH.public in low.pool.links)


async def test_addresses_are_raced(pools, monkeypatch, jumping_clock):
    """Addresses are dialled in a race, so one that never answers does not hold up the link."""
    low, high = await pools.two()
    connect = Channel.connect

    async def lost(channel, address, *more):
        if address != high.address:
            await trio.sleep_forever()
        return await connect(channel, address, *more)

    monkeypatch.setattr(Channel, "connect", lost)
    await low.pool.connect([Address("192.0.2.1", 9), high.address])


@pytest.mark.parametrize("sent", [b"\x00\x00\x00\x05crash", b"\xff" * 4], ids=["bug", "too long"])
async def test_what_one_peer_sends_costs_its_own_link_only(pools, sent, jumping_clock):
    """A frame that is too long, or that triggers a bug, ends only the link over which it came."""
    low, high = await pools.linked()
    eve = await Channel(Identity.ephemeral()).connect(low.address)
    await low.has(LinkUp, 2)
    await eve.frames.stream.send_all(sent)
    await low.has(LinkDown)
    await eve.frames.close()
    high.pool.links.get(LOW.public).send(b"fine")
    await low.has(FrameCame)


def falls_asleep(peer, seconds=60.0):
    """Make it look as if this peer's computer had slept for `seconds`.

    Of its two clocks, only the one that runs during sleep moves ahead.
    """
    runs_on, stands_still = peer.pool.gauge._clocks
    peer.pool.gauge._clocks = Clocks(lambda: runs_on() + seconds, stands_still)


async def test_links_are_dropped_when_the_computer_slept(pools, jumping_clock):
    """After a sleep all links are dropped as ended here.

    The sleep is reported once, before the links are reported as down.
    """
    low, high = await pools.linked()
    order = []
    low.pool._tell_gap = lambda gap: order.append((gap, len(low.of(LinkDown))))
    falls_asleep(low)
    (down,) = await low.has(LinkDown)
    assert down.link.ending is LinkEnd.ENDED_HERE
    await high.has(LinkDown)
    await pools.link(high, low)
    await trio.sleep(5)
    ((slept, downs_before),) = order
    assert isinstance(slept, ComputerSlept)
    assert slept.seconds == pytest.approx(60.0, abs=0.1)
    assert not downs_before


async def test_a_link_that_is_found_dead_in_waking_was_lost_in_the_sleep(pools, jumping_clock):
    """Links that peers end before this computer notices its sleep count as ended here.

    The sleep is reported once for all of them.
    """
    low, high = await pools.linked()
    eve = await pools.peer()
    await pools.link(eve, low)
    told = []
    low.pool._tell_gap = told.append
    falls_asleep(low)
    for other in (high, eve):
        for link in other.pool.links.values():
            link.end("it has given up")
    ends = [event.link.ending for event in await low.has(LinkDown, 2)]
    assert ends == [LinkEnd.ENDED_HERE] * 2
    assert len(told) == 1


async def test_a_program_that_was_stopped_was_gone_itself(pools, jumping_clock):
    """A program that was stopped, by Ctrl-Z for example, reports that it was.

    Its links count as ended here.
    """
    low, _ = await pools.linked()
    told = []
    low.pool._tell_gap = told.append
    jumping_clock.jump(2 * DROP_S)
    (down,) = await low.has(LinkDown)
    assert down.link.ending is LinkEnd.ENDED_HERE
    (stopped,) = told
    assert isinstance(stopped, ProgramStopped)
    assert stopped.seconds == pytest.approx(2 * DROP_S, abs=2 * CLOCK_CHECK_S)


async def test_a_link_that_comes_after_a_sleep_stays(pools, jumping_clock):
    """A link that a peer makes after the sleep stays when the older links are dropped."""
    low, high = await pools.two()
    eve = await pools.peer()
    await pools.link(eve, low)
    falls_asleep(low)
    await high.pool.connect([low.address], low.identity.public)
    await low.has(LinkUp, 2)
    fresh = low.pool.links[high.identity.public]
    await low.has(LinkDown)
    await trio.sleep(5)
    assert low.pool.links[high.identity.public] is fresh


async def test_frames_that_a_socket_does_not_take_at_once_leave_in_order(pools, jumping_clock):
    """Frames that a socket takes only in part still arrive whole and in order."""
    low, high = await pools.linked()
    bodies = [bytes([number]) * 60_000 for number in range(60)]
    for body in bodies:
        high.pool.links[LOW.public].send(body)
    assert [each.body for each in await low.has(FrameCame, len(bodies))] == bodies


# ---- ports ----------------------------------------------------------------------------------


async def test_next_free_port_is_taken(monkeypatch):
    """A second table takes the next free port.

    It is an error if a requested port, or every port that is tried, is in use.
    """
    first = await open_listeners(Listen(LOOPBACK, 0))
    taken = first[0].port
    monkeypatch.setattr("netgame.io.network.listen.PORT_DEFAULT", taken)
    second = await open_listeners(Listen(LOOPBACK))
    assert taken < second[0].port < taken + 32
    with pytest.raises(PortTrouble, match=f"port {taken} is in use"):
        await open_listeners(Listen(LOOPBACK, taken))
    monkeypatch.setattr("netgame.io.network.listen.PORTS_TRIED", 1)
    with pytest.raises(PortTrouble, match="all ports"):
        await open_listeners(Listen(LOOPBACK))
    for listener in (*first, *second):
        listener.close()


async def test_where_strangers_came_from_is_forgotten_when_they_go(pools, jumping_clock):
    """A pool forgets where a stranger came from when the stranger goes.

    Where a member came from is kept, and so is an address that the pool has dialled.
    """
    for is_ours in (False, True):
        low, high = await pools.linked()
        low.pool._door.sits = lambda _, is_ours=is_ours: is_ours
        for end in (low, high):
            end.pool.neighbours.at_home = False
            end.pool.neighbours._networks = lambda: LAN
        assert low.pool.neighbours.dialled(HIGH.public, (f"{LOOPBACK}:4747",))
        high.pool.drop_all("it goes")
        await low.has(LinkDown)
        kept = low.pool.neighbours.dialled(HIGH.public, (f"{LOOPBACK}:4747",))
        assert bool(kept) is is_ours
        assert high.pool.neighbours.dialled(LOW.public, (f"{LOOPBACK}:4747",))
