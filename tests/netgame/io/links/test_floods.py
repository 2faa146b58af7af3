"""Floods are slowed down, cut off or refused, and places are kept for members."""

from contextlib import suppress

import pytest
import trio
import trio.testing

from bench import hostile
from netgame import limits
from netgame.errors import Disconnected, Refused
from netgame.io.disk.identity import Identity
from netgame.io.door.channel import Channel
from netgame.limits import LINK_FRAMES_BURST, LINK_FRAMES_PER_S, UNAUTHENTICATED_LINKS_MAX
from netgame.protocol.peer.driver import FrameCame, LinkDown, LinkUp
from tests.netgame.io.links.pools import HIGH, LOW, linked, nowhere


async def closes(stream):
    """Wait until the other side has closed a stream; fail if it sends anything."""
    with suppress(trio.BrokenResourceError):
        assert not await stream.receive_some(1)


async def test_flood_of_silent_connections_is_bounded(pools, mock_clock):
    """Of a flood of silent connections, those above the limit are closed; existing links go on."""
    low, high = await pools.linked()
    idle = [await trio.open_tcp_stream(*low.address) for _ in range(4 * UNAUTHENTICATED_LINKS_MAX)]
    async with trio.open_nursery() as turned_away:
        for stream in idle[UNAUTHENTICATED_LINKS_MAX:]:
            turned_away.start_soon(closes, stream)
    high.pool.links.get(LOW.public).send(b"unharmed")
    await low.has(FrameCame)
    for stream in idle:
        await stream.aclose()


async def test_flooder_is_slowed_down_dropped_and_kept_out(pools, monkeypatch, jumping_clock):
    """A peer that never stops sending loses its link, and gets no other while it is banned."""
    monkeypatch.setattr(limits, "FLOOD_S", 0.3)
    monkeypatch.setattr(limits, "LINK_FRAMES_BURST", 50)
    low = await pools.peer(LOW)
    proved = await Channel(HIGH).connect(low.address)
    with suppress(Disconnected):
        while True:
            await proved.frames.send_frames([b"x"] * 100)
    await proved.frames.close()
    await low.has(LinkDown)
    assert low.pool.links.get(HIGH.public) is None
    with pytest.raises(Refused, match="too much"):
        await Channel(HIGH).connect(low.address)
    low.pool.banned.clear()
    again = await Channel(HIGH).connect(low.address)
    await again.frames.close()


async def test_busy_peer_is_no_flooder(autojump_clock, nursery):
    """A burst, and then less than the allowed rate, is not a flood, and no frame is lost."""
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


async def test_flood_is_seen_by_a_computer_that_is_slow_to_read(autojump_clock, monkeypatch):
    """A computer that reads slowly still notices a flood, because unread octets count."""
    link, other = linked()
    receive_some = trio.StapledStream.receive_some

    async def read_late(stream, most):
        await trio.sleep(0.2)
        return await receive_some(stream, most)

    monkeypatch.setattr(trio.StapledStream, "receive_some", read_late)
    await other.send_frames([b"x" * 160] * (LINK_FRAMES_BURST + 60 * LINK_FRAMES_PER_S))
    with trio.move_on_after(30):
        await link.run(nowhere)
    assert link.flooded


@pytest.mark.slow
@pytest.mark.campaign
def test_bench_of_a_table_under_attack_measures_what_it_says():
    """The benchmark of a table under attack measures a real crowd and a real flood.

    Whether the flooder is dropped is not checked: a busy computer may be too slow to send enough.
    """
    figures = {figure.name: figure for figure in hostile.measure(sockets=30, moves=5)}
    assert len(figures) == 11
    assert figures["silent connections that are held"].value == 30
    assert figures["moves with a flood going on"].ok
    assert all(figure.value > 0 for name, figure in figures.items() if name.startswith("turn"))


@pytest.fixture
def three_links(monkeypatch):
    """Limit each pool to three links, two of which are kept for members and friends."""
    monkeypatch.setattr(limits, "LINKS_MAX", 3)
    monkeypatch.setattr(limits, "LINKS_KEPT", 2)


@pytest.mark.usefixtures("three_links")
async def test_strangers_leave_room_for_members_and_friends(pools, jumping_clock):
    """When no stranger gets a link any more, members and friends still do.

    A linked peer may link again even if all links are in use.
    """
    low, high = await pools.linked()
    member, friend = (Identity.ephemeral() for _ in range(2))
    low.pool._door.sits = lambda peer: peer == member.public
    low.pool._door.known = frozenset({friend.public})
    with pytest.raises(Refused, match="too many"):
        await (await pools.peer()).pool.connect([low.address])
    for ours in (member, friend):
        await (await pools.peer(ours)).pool.connect([low.address])
    await low.has(LinkUp, 3)
    await high.pool.connect([low.address])


@pytest.mark.usefixtures("three_links")
async def test_links_are_bounded_when_many_prove_their_keys_at_once(pools, mock_clock):
    """If three strangers prove their keys at once, only one of them gets a link.

    The other places are kept for members. The test delays the links between the door and the pool,
    as on a busy computer.
    """
    low = await pools.peer(LOW)
    keep, proved, all_proved = low.pool._keep_link, [], trio.Event()

    async def keep_later(one):
        proved.append(one)
        if len(proved) == 3:
            all_proved.set()
        await all_proved.wait()
        await keep(one)

    low.pool._acceptor.keep = keep_later
    for _ in range(3):
        await (await pools.peer()).pool.connect([low.address])
    await low.has(LinkUp)
    await trio.testing.wait_all_tasks_blocked()
    assert len(low.pool.links) == 1
