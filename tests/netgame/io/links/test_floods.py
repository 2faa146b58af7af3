"""Floods are slowed down and dropped, and those who only sit there give way."""

from contextlib import AsyncExitStack, suppress

import pytest
import trio
import trio.lowlevel

from bench import hostile
from bench.latency import sit_down, some_moves
from netgame import limits
from netgame.errors import Disconnected, Refused
from netgame.io.disk.identity import Identity
from netgame.io.door.channel import Channel
from netgame.io.door.link_pool import FrameCame, LinkDown, LinkUp
from netgame.io.network.listen import LOOPBACK
from netgame.limits import LINK_FRAMES_BURST, LINK_FRAMES_PER_S, UNAUTHENTICATED_LINKS_MAX
from netgame.wire.messages import Settings
from tests.netgame.io.links.test_links import HIGH, LOW, Peer, has, linked, two


async def has_unproved(pool, count):
    """Wait until so many connections are about to prove a key."""
    with trio.fail_after(10):
        while len(pool._acceptor.unproved) != count:  # noqa: ASYNC110 - nothing tells of it
            await trio.sleep(0.01)


async def closes(stream):
    """Wait until the other side has closed a stream."""
    with trio.fail_after(10), suppress(trio.BrokenResourceError):
        assert not await stream.receive_some(1)


async def test_flood_of_silent_connections_is_bounded(nursery):
    """Only so many may be about to prove a key; the rest is closed at once, links go on."""
    low, high = await two(nursery)
    await high.pool.connect([low.address])
    await high.until(has(LinkUp))
    await low.until(has(LinkUp))
    idle = [await trio.open_tcp_stream(*low.address) for _ in range(4 * UNAUTHENTICATED_LINKS_MAX)]
    await has_unproved(low.pool, UNAUTHENTICATED_LINKS_MAX)
    async with trio.open_nursery() as turned_away:
        for stream in idle[UNAUTHENTICATED_LINKS_MAX:]:
            turned_away.start_soon(closes, stream)
    high.pool.links.get(LOW.public).send(b"unharmed")
    await low.until(has(FrameCame))
    for stream in idle:
        await stream.aclose()
    await has_unproved(low.pool, 0)
    nursery.cancel_scope.cancel()


async def test_peer_gets_in_however_many_sit_there_silent(nursery):
    """All places are taken by connections that never prove a key, and that come again."""
    low = await Peer(LOW).start(nursery)

    async def dawdle():
        while True:
            async with await trio.open_tcp_stream(*low.address) as stream:
                with suppress(trio.BrokenResourceError):
                    await stream.receive_some(1)
            await trio.sleep(1.5)

    for _ in range(3 * UNAUTHENTICATED_LINKS_MAX):
        nursery.start_soon(dawdle)
    await has_unproved(low.pool, UNAUTHENTICATED_LINKS_MAX)
    honest = await Peer(HIGH).start(nursery)
    honest.pool.keep_dialling(LOW.public, (f"{LOOPBACK}:{low.port}",))
    await low.until(has(LinkUp), 60)
    nursery.cancel_scope.cancel()


async def test_flooder_is_slowed_down_dropped_and_kept_out(nursery, monkeypatch):
    """A link that never stops is a flood; the peer gets no other one for a while."""
    monkeypatch.setattr(limits, "FLOOD_S", 0.3)
    monkeypatch.setattr(limits, "LINK_FRAMES_BURST", 50)
    low = await Peer(LOW).start(nursery)
    proved = await Channel(HIGH).connect(low.address)
    with trio.fail_after(10), suppress(Disconnected):
        while True:
            await proved.frames.send_frames([b"x"] * 100)
    await proved.frames.close()
    await low.until(has(LinkDown))
    assert low.pool.links.get(HIGH.public) is None
    taken = sum(isinstance(event, FrameCame) for event in low.events)
    assert taken <= 50 + 2 * 0.3 * LINK_FRAMES_PER_S
    with pytest.raises(Refused, match="too much"):
        await Channel(HIGH).connect(low.address)
    low.pool.banned.clear()
    again = await Channel(HIGH).connect(low.address)
    await again.frames.close()
    nursery.cancel_scope.cancel()


async def test_busy_peer_is_no_flooder(autojump_clock, nursery):
    """A burst, and then as much as is allowed for a long time, is slowed down at most."""
    link, other = linked()
    taken = []

    async def keep(body):
        taken.append(body)

    nursery.start_soon(link.run, keep)
    await other.send_frames([b"x"] * LINK_FRAMES_BURST)
    for _ in range(100):
        await trio.sleep(0.1)
        await other.send_frames([b"x"] * (LINK_FRAMES_PER_S // 12))
    await trio.sleep(1)
    assert not link.flooded
    assert len(taken) == LINK_FRAMES_BURST + 100 * (LINK_FRAMES_PER_S // 12)
    nursery.cancel_scope.cancel()


async def test_flood_is_seen_by_a_computer_that_is_slow_to_read(autojump_clock, nursery):
    """What waits to be read counts, however long a busy computer takes to come to it."""
    link, other = linked()
    stream = link._frames.stream
    receive_some = stream.receive_some

    async def read_late(most):
        await trio.sleep(0.2)
        return await receive_some(most)

    async def keep(body):
        pass

    stream.receive_some = read_late
    nursery.start_soon(link.run, keep)
    await other.send_frames([b"x" * 160] * (LINK_FRAMES_BURST + 60 * LINK_FRAMES_PER_S))
    with trio.move_on_after(30):
        while not link.flooded:  # noqa: ASYNC110 - nothing tells of it
            await trio.sleep(0.1)
    assert link.flooded
    nursery.cancel_scope.cancel()


@pytest.mark.slow
@pytest.mark.campaign
def test_bench_of_a_table_under_attack_measures_what_it_says():
    """A small crowd and a flood, both real: the crowd is held, and every move is flooded."""
    figures = {figure.name: figure for figure in hostile.measure(sockets=30, moves=5)}
    assert len(figures) == 11
    assert figures["silent connections that are held"].value == 30
    assert figures["moves with a flood going on"].ok
    assert figures["flooders dropped"].ok
    assert all(figure.value > 0 for name, figure in figures.items() if name.startswith("turn"))


async def test_bench_ends_with_the_game(tmp_path):
    """Whoever asks for more moves than a game has gets those it has."""
    async with AsyncExitStack() as stack:
        nodes = await sit_down(stack, tmp_path, Settings("standard", (), 6, 2, 1, 0), 2)
        with trio.fail_after(60):
            times = await some_moves(nodes, 999)
    assert 0 < len(times) < 999


async def test_strangers_leave_room_for_members_and_friends(nursery, monkeypatch):
    """Whoever fills an open table with links shuts out the like of them alone."""
    monkeypatch.setattr(limits, "LINKS_MAX", 3)
    monkeypatch.setattr(limits, "LINKS_KEPT", 2)
    low, high = await two(nursery)
    member, friend, stranger = (Identity.ephemeral() for _ in range(3))
    low.pool._door.sits = lambda peer: peer == member.public
    low.pool._door.known = frozenset({friend.public})
    await high.pool.connect([low.address])
    await low.until(has(LinkUp))
    with pytest.raises(Refused, match="too many"):
        await (await Peer(stranger).start(nursery)).pool.connect([low.address])
    for ours in (member, friend):
        await (await Peer(ours).start(nursery)).pool.connect([low.address])
    await low.until(has(LinkUp, 3))
    nursery.cancel_scope.cancel()


async def test_links_are_bounded_when_many_prove_their_keys_at_once(nursery, monkeypatch):
    """Each of them was told that there is room; the places kept for members stay free all the same.

    They are held up between the door and the pool, as by a busy computer.
    """
    monkeypatch.setattr(limits, "LINKS_MAX", 3)
    monkeypatch.setattr(limits, "LINKS_KEPT", 2)
    low, _ = await two(nursery)
    keep, proved, all_proved = low.pool._keep_link, [], trio.Event()

    async def keep_later(one):
        proved.append(one)
        if len(proved) == 3:
            all_proved.set()
        await all_proved.wait()
        await keep(one)

    low.pool._acceptor.keep = keep_later
    for _ in range(3):
        guest = await Peer(Identity.ephemeral()).start(nursery)
        await guest.pool.connect([low.address])
    await low.until(has(LinkUp))
    await trio.testing.wait_all_tasks_blocked()
    assert len(low.pool.links) == 1
    nursery.cancel_scope.cancel()
