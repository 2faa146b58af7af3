"""The queue at the door: which callers wait, which have a turn, and which are sent away."""

import pytest
import trio
import trio.lowlevel
import trio.testing

from netgame.io.disk.identity import Identity
from netgame.io.door.acceptor import Acceptor, Unproved
from netgame.io.door.admission import Door
from netgame.io.door.channel import Channel
from netgame.io.door.codes import parse_code
from netgame.io.door.dial import race
from netgame.io.network.addresses import Address
from netgame.io.network.listen import LOOPBACK, Listen, listening, open_listeners
from netgame.io.network.streams import HERE, pair
from netgame.io.network.tcp import dial, source_of
from netgame.limits import (
    DOOR_SILENT_S,
    DOOR_TURNS_MAX,
    DOOR_TURNS_PER_ADDRESS,
    DOOR_WAIT_S,
    HANDSHAKE_TIMEOUT_S,
    UNAUTHENTICATED_GRACE_S,
    UNAUTHENTICATED_LINKS_MAX,
)

CODE = parse_code("7-otter-violin")


class Served(Channel):
    """A channel that notes the source of each turn; a turn lasts until it is cancelled."""

    def __init__(self):
        super().__init__(Identity.ephemeral())
        self.sources: list[str] = []

    async def serve(self, stream, door):
        """Note the source of a turn, and wait until cancelled."""
        self.sources.append(stream.source)
        return await trio.sleep_forever()


class Callers:
    """A door and its callers, whose addresses the test makes up."""

    def __init__(self, nursery):
        self.channel = Served()
        self.acceptor = Acceptor(self.channel, Door(anybody=True), self._keep)
        self._nursery = nursery

    async def _keep(self, proved):
        raise AssertionError(proved)

    async def call(self, source, said=b"x"):
        """Connect from `source` and send `said`; return the connection as the door sees it.

        None if there is no room for it.
        """
        if not self.acceptor.has_room(source):
            return None
        near, far = pair(source)
        one = Unproved(source, trio.current_time())
        self.acceptor.unproved.append(one)
        self._nursery.start_soon(self.acceptor._receive, near, one)
        if said:
            await far.send_all(said)
            while not one.spoke:
                await trio.lowlevel.checkpoint()
        await trio.testing.wait_all_tasks_blocked()
        return one


@pytest.fixture
async def callers(nursery):
    """Yield a door without callers, which closes when the test ends."""
    yield Callers(nursery)
    nursery.cancel_scope.cancel()


async def test_one_address_has_its_share_of_turns_and_no_more(callers, mock_clock):
    """Ten callers from one address take only its share of turns; another address is served."""
    for _ in range(10):
        await callers.call("10.0.0.6")
    assert callers.channel.sources == ["10.0.0.6"] * DOOR_TURNS_PER_ADDRESS
    await callers.call("10.0.0.7")
    assert callers.channel.sources[-1] == "10.0.0.7"


async def test_this_computer_may_have_all_turns_but_one_after_another(callers, mock_clock):
    """Callers on this computer may take all turns, but a network guest gets the next free one."""
    seated = [await callers.call(HERE) for _ in range(DOOR_TURNS_MAX + 5)]
    assert callers.channel.sources == [HERE] * DOOR_TURNS_MAX
    await callers.call("10.0.0.7")
    seated[0].scope.cancel()
    await trio.testing.wait_all_tasks_blocked()
    assert callers.channel.sources[-1] == "10.0.0.7"


async def test_the_silent_have_no_turn(callers, mock_clock):
    """Silent callers take no turn: one that speaks is served, though the door is nearly full."""
    for number in range(UNAUTHENTICATED_LINKS_MAX - 1):
        await callers.call(f"10.0.1.{number}", b"")
    assert (await callers.call("10.0.0.7")).turn.is_set()


async def test_whoever_has_been_silent_gives_way_first(callers, mock_clock):
    """A full door refuses a newcomer until one of its callers has been silent for too long.

    Then that caller is hung up on, and the newcomer gets a turn.
    """
    crowd = [await callers.call(f"10.0.1.{n}", b"") for n in range(UNAUTHENTICATED_LINKS_MAX)]
    assert await callers.call("10.0.0.7") is None
    crowd[0].since -= DOOR_SILENT_S + 0.1
    assert (await callers.call("10.0.0.7")).turn.is_set()
    assert crowd[0].scope.cancel_called
    assert not any(one.scope.cancel_called for one in crowd[1:])


async def test_the_address_with_most_at_the_door_makes_room(callers, mock_clock):
    """At a full door, a newcomer replaces the latest caller from the busiest address.

    Callers from that address who are already being served stay connected.
    """
    crowd = [await callers.call("10.0.0.6") for _ in range(UNAUTHENTICATED_LINKS_MAX)]
    assert await callers.call("10.0.0.6") is None
    others = [await callers.call(f"10.0.0.{n}") for n in range(7, 7 + DOOR_TURNS_MAX)]
    assert None not in others
    assert [one.scope.cancel_called for one in crowd[-DOOR_TURNS_MAX:]] == [True] * DOOR_TURNS_MAX
    assert not any(one.scope.cancel_called for one in crowd[:-DOOR_TURNS_MAX])
    assert len(callers.acceptor.unproved) == UNAUTHENTICATED_LINKS_MAX


async def test_a_turn_has_an_end_only_while_others_wait(callers, mock_clock):
    """Turns have a deadline only while another caller waits for a turn."""
    served = [await callers.call(f"10.0.1.{n}") for n in range(DOOR_TURNS_MAX)]
    assert not any(one.scope.deadline < float("inf") for one in served)
    waiting = await callers.call("10.0.0.7")
    ends = [one.since + UNAUTHENTICATED_GRACE_S for one in served]
    assert [one.scope.deadline for one in served] == ends
    waiting.scope.cancel()
    await trio.testing.wait_all_tasks_blocked()
    assert not any(one.scope.deadline < float("inf") for one in served)


async def test_whose_share_is_used_up_hurries_its_own_address(callers, mock_clock):
    """A caller from an address that has used up its share of turns has to wait.

    While it waits, the turns of its own address have a deadline, but not those of others.
    """
    other = await callers.call("10.0.0.7")
    own = [await callers.call("10.0.0.6") for _ in range(DOOR_TURNS_PER_ADDRESS + 1)]
    assert other.scope.deadline == float("inf")
    assert own[0].scope.deadline == own[0].since + UNAUTHENTICATED_GRACE_S


async def test_a_turn_that_has_begun_is_taken_from_nobody(callers, mock_clock):
    """A full door does not end a turn that has begun: it refuses the newcomer instead."""
    served = [await callers.call("10.0.0.6") for _ in range(DOOR_TURNS_PER_ADDRESS)]
    for number in range(UNAUTHENTICATED_LINKS_MAX - DOOR_TURNS_PER_ADDRESS):
        await callers.call(f"10.0.1.{number}", b"")
    assert await callers.call("10.0.0.7") is None
    assert not any(one.scope.cancel_called for one in served)


async def test_whoever_comes_is_sent_away_in_time_and_at_once_where_it_is_closed(
    nursery, mock_clock
):
    """A silent connection is closed after `DOOR_WAIT_S`; a closed acceptor hangs up at once."""
    acceptor = Callers(nursery).acceptor
    (listener,) = await open_listeners(Listen(LOOPBACK, 0))
    where = Address(LOOPBACK, listener.port)
    nursery.start_soon(acceptor.accept_all, listener)
    async with await dial(where) as silent:
        while not acceptor.unproved:
            await trio.lowlevel.checkpoint()
        (one,) = acceptor.unproved
        assert one.source == HERE
        assert one.scope.deadline == one.since + DOOR_WAIT_S
        acceptor.closed = True
        async with await dial(where) as late:
            assert await late.receive_some(1) == b""
        assert acceptor.unproved == [one]
        mock_clock.jump(DOOR_WAIT_S)
        assert await silent.receive_some(1) == b""
        assert not acceptor.unproved
    nursery.cancel_scope.cancel()
    listener.close()


@pytest.mark.parametrize(
    ("address", "source"),
    [
        ("127.0.0.1", HERE),
        ("127.8.0.1", HERE),
        ("::1", HERE),
        ("192.168.0.5", "192.168.0.5"),
        ("10.0.0.6", "10.0.0.6"),
        ("fd00::5", "fd00::5"),
        ("nobody", "unknown"),
    ],
)
def test_only_this_computer_is_counted_as_here(address, source):
    """Only a loopback address counts as this computer; an unreadable one counts as unknown."""
    assert source_of((address, 4747)) == source


@pytest.mark.parametrize("code", [CODE, None], ids=["code", "open"])
async def test_a_whole_party_comes_in_at_once(nursery, jumping_clock, code):
    """Fifty guests who connect at the same time over real sockets all get in, code or not."""
    came = []
    all_here = trio.Event()
    guests = [Channel(Identity.ephemeral()) for _ in range(50)]

    async def keep(proved):
        came.append(proved)
        if len(came) == len(guests):
            all_here.set()

    async def come(guest, at):
        proved = await race(guest, at, None, code)
        await all_here.wait()
        await proved.frames.close()

    door = Door(code) if code else Door(anybody=True)
    acceptor = Acceptor(Channel(Identity.ephemeral()), door, keep)
    async with listening(Listen(LOOPBACK, 0)) as listeners:
        nursery.start_soon(acceptor.accept_all, listeners[0])
        at = [Address(LOOPBACK, listeners[0].port)]
        async with trio.open_nursery() as party:
            for guest in guests:
                party.start_soon(come, guest, at)
            await all_here.wait()
        assert {proved.peer for proved in came} == {guest.identity.public for guest in guests}
        for proved in came:
            await proved.frames.close()
        nursery.cancel_scope.cancel()


def test_waiting_and_a_turn_fit_into_a_handshake():
    """A caller's longest wait and turn at the door fit within a handshake's time limit."""
    assert DOOR_WAIT_S + UNAUTHENTICATED_GRACE_S < HANDSHAKE_TIMEOUT_S
