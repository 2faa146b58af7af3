"""Pipes from a guest's page to the host: what they carry, how many may run, and how they end."""

import pytest
import trio
import trio.testing

from netgame import limits
from netgame.errors import Disconnected
from netgame.io.network.addresses import Address
from netgame.io.network.dialling import DIAL
from netgame.io.network.streams import pair
from netgame.io.page.pipes import Pipes, pipe
from netgame.io.page.serving import TabListener

HOST = Address("192.168.1.20", 4747)


class Host:
    """A host that can be dialled while it is `there`; it keeps its ends of the streams."""

    def __init__(self):
        self.there, self.ends, self.dialled = True, [], []

    async def dial(self, address):
        """Open a stream to the host, or raise Disconnected if it is not there."""
        self.dialled.append(address)
        await trio.lowlevel.checkpoint()
        if not self.there:
            raise Disconnected("nobody listens there")
        near, far = pair()
        self.ends.append(far)
        return near


@pytest.fixture
def host():
    """A host that answers at every address."""
    one = Host()
    token = DIAL.set(one.dial)
    yield one
    DIAL.reset(token)


def opened(listener, source="192.168.1.66"):
    """Offer a browser's stream to the listener; return the browser's end."""
    tab, near = pair(source)
    listener.offer(near)
    return tab


async def has_ended(stream):
    """Return True if the other side ends the stream within 0.01 s; discard what it sent before."""
    with trio.move_on_after(0.01):
        while await stream.receive_some():
            pass
        return True
    return False


async def start(nursery, way=lambda: [HOST]):
    """Start pipes that dial the addresses from `way`; return them and the listener feeding them."""
    pipes, listener = Pipes(way), TabListener(at_home=False)
    nursery.start_soon(pipes.carry_all, listener)
    await trio.testing.wait_all_tasks_blocked()
    return pipes, listener


async def test_octets_pass_both_ways_unaltered(host, nursery):
    """More octets than any buffer holds pass both ways unaltered."""
    _, listener = await start(nursery)
    tab = opened(listener)
    await trio.testing.wait_all_tasks_blocked()
    (far,) = host.ends
    octets = bytes(range(256)) * 4_000
    for one, other in ((tab, far), (far, tab)):
        came = bytearray()
        nursery.start_soon(one.send_all, octets)
        while len(came) < len(octets):
            came += await other.receive_some()
        assert came == octets
    assert host.dialled == [HOST]


@pytest.mark.parametrize("tab_ends", [True, False])
async def test_the_end_of_one_side_ends_the_other_behind_what_was_said(
    host, nursery, jumping_clock, tab_ends
):
    """When one side ends, the other reads everything up to the end, and can still answer.

    Soon afterwards the pipe is closed.
    """
    pipes, listener = await start(nursery)
    tab = opened(listener)
    await trio.testing.wait_all_tasks_blocked()
    first, second = (tab, host.ends[0]) if tab_ends else (host.ends[0], tab)
    await first.send_all(b"goodbye")
    await first.send_eof()
    assert await second.receive_some() == b"goodbye"
    assert await second.receive_some() == b""
    await second.send_all(b"and you")
    assert await first.receive_some() == b"and you"
    await trio.sleep(2 * limits.DRAIN_TIMEOUT_S)
    with pytest.raises(trio.BrokenResourceError):
        await second.send_all(b"anybody?")
    assert pipes._at_work.total() == 0


async def test_a_side_that_vanishes_leaves_nothing_behind(host, nursery, jumping_clock):
    """When a browser vanishes, the host's stream ends, and no pipe is left."""
    pipes, listener = await start(nursery)
    tab = opened(listener)
    await trio.testing.wait_all_tasks_blocked()
    tab.close()
    assert await has_ended(host.ends[0])
    await trio.sleep(2 * limits.DRAIN_TIMEOUT_S)
    assert pipes._at_work.total() == 0


async def test_a_pipe_in_which_nothing_comes_is_closed(jumping_clock):
    """A pipe that carries nothing for too long is closed; an octet in time keeps it open.

    Its two ends may have lost power, and so could not close it.
    """
    (tab, near), (far, host_end) = pair(), pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(pipe, near, far)
        for end in (tab, host_end, tab):
            await trio.sleep(limits.PIPE_QUIET_S - 1)
            await end.send_all(b".")
        assert not await has_ended(tab)
        await trio.sleep(limits.PIPE_QUIET_S + 1)
        assert await has_ended(tab)


async def test_a_host_that_does_not_answer_ends_the_stream(host, nursery):
    """If the host does not answer, the browser's stream ends, and its place is free again."""
    pipes, listener = await start(nursery)
    host.there = False
    tab = opened(listener)
    assert await has_ended(tab)
    assert pipes._at_work.total() == 0


async def test_nothing_is_carried_where_no_way_leads_to_the_host(host, nursery):
    """While no address of the host is known, streams are closed and nothing is dialled.

    Each later stream leads to the address that the host has by then.
    """
    way = []
    pipes, listener = await start(nursery, lambda: way)
    assert not pipes.takes("192.168.1.66")
    assert await has_ended(opened(listener))
    assert host.dialled == []
    for address in (HOST, Address("192.168.1.21", 4748)):
        way[:] = [address]
        assert pipes.takes("192.168.1.66")
        opened(listener)
        await trio.testing.wait_all_tasks_blocked()
    assert host.dialled == [HOST, Address("192.168.1.21", 4748)]


async def test_the_second_address_is_dialled_where_the_first_leads_nowhere(nursery):
    """The second address of a host is dialled if the first leads nowhere."""
    other, far = pair()

    async def dial(address):
        await trio.lowlevel.checkpoint()
        if address == HOST:
            raise Disconnected("nobody listens there")
        return other

    token = DIAL.set(dial)
    _, listener = await start(nursery, lambda: [HOST, Address("192.168.1.21", 4747)])
    DIAL.reset(token)
    tab = opened(listener)
    await tab.send_all(b"hello")
    assert await far.receive_some() == b"hello"


async def test_few_are_carried_at_once(host, nursery, jumping_clock):
    """Only a few pipes run at once, and fewer from one address; one that ends frees its place."""
    pipes, listener = await start(nursery)
    tabs = [opened(listener) for _ in range(limits.PIPES_PER_ADDRESS_MAX)]
    await trio.testing.wait_all_tasks_blocked()
    assert not pipes.takes("192.168.1.66")
    assert await has_ended(opened(listener))
    assert pipes.takes("192.168.1.67")
    others = limits.PIPES_MAX - limits.PIPES_PER_ADDRESS_MAX
    for number in range(others):
        opened(listener, f"192.168.1.{100 + number}")
    await trio.testing.wait_all_tasks_blocked()
    assert len(host.ends) == limits.PIPES_MAX
    assert not pipes.takes("192.168.1.67")
    tabs[0].close()
    await trio.sleep(2 * limits.DRAIN_TIMEOUT_S)
    assert pipes.takes("192.168.1.67")


async def test_few_begin_in_a_time(host, nursery, jumping_clock):
    """Only a few pipes begin in a given time, however soon they end; later ones wait.

    The limit protects the guest, because the host counts each pipe as a connection of the guest.
    """
    pipes, listener = await start(nursery)
    host.there = False
    for number in range(limits.PIPES_BURST + 4):
        opened(listener, f"192.168.1.{number}")
        await trio.testing.wait_all_tasks_blocked()
    assert len(host.dialled) == limits.PIPES_BURST
    assert pipes.takes("192.168.1.66")
    await trio.sleep(4.1 / limits.PIPES_PER_S)
    assert len(host.dialled) == limits.PIPES_BURST + 4
