"""Guests whom the network keeps apart play on through a peer that reaches them both."""

from contextlib import AsyncExitStack

import pytest

from netgame.errors import Disconnected
from netgame.io.abilities import ABILITIES, Abilities
from netgame.io.door.channel import Channel
from netgame.io.node import opening
from netgame.protocol.notices import AnswerAwaited, ChatHeard, LinkChanged, LinkEnd
from tests.netgame.io.tables.test_tables import agree, finish, hosts, joins, until


@pytest.fixture
def wired(monkeypatch):
    """A set of keys; once it has any, a link can be opened only if one end has one of them."""
    keys = set()
    connect = Channel.connect

    async def connected(self, address, expected=None, code=None):
        if keys and not keys & {self.identity.public, expected}:
            raise Disconnected("no way there")
        return await connect(self, address, expected, code)

    monkeypatch.setattr(Channel, "connect", connected)
    return keys


def told_to(node):
    """Return the notices that a node has queued, and remove them."""
    waiting = node.notices.statistics().current_buffer_used
    return [node.notices.receive_nowait() for _ in range(waiting)]


def forwarder(one, other):
    """Return the key of the peer that forwards the link between two nodes.

    It is empty if the link is direct, and None if there is no link.
    """
    link = one.pool.links.get(other.key)
    return None if link is None else link.by


async def linked_by(by, one, other):
    """Wait until `by` forwards a link between the two nodes."""
    await until(one, lambda _: forwarder(one, other) == by.key)
    await until(other, lambda _: forwarder(other, one) == by.key)


async def test_guests_apart_have_a_link_by_the_host_and_play_to_the_end(
    tmp_path, wired, jumping_clock
):
    """Guests that cannot reach each other get a link through the host, and play to the end.

    No link is reported as lost.
    """
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(hosts(tmp_path, 3, start_at=None))
        wired.add(host.key)
        ben, cy = [
            await stack.enter_async_context(joins(tmp_path, name, host)) for name in ("Ben", "Cy")
        ]
        await linked_by(host, ben, cy)
        await ben.chat("hello")
        await host.begin()
        await finish(host, ben, cy)
        told = told_to(cy)
        agree([host, ben, cy])
        assert forwarder(ben, cy) == host.key
    assert ChatHeard("Ben", "hello", ben.key) in told
    assert all(each.up for each in told if isinstance(each, LinkChanged))


async def test_guests_without_an_address_have_a_link_by_the_host(
    tmp_path, monkeypatch, jumping_clock
):
    """Guests without an address, as in a browser, get a link through the host."""
    monkeypatch.setattr(opening, "addresses_to_tell", lambda *_, **__: ())
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(hosts(tmp_path, 3, start_at=None))
        ben, cy = [
            await stack.enter_async_context(joins(tmp_path, name, host)) for name in ("Ben", "Cy")
        ]
        await linked_by(host, ben, cy)
        await host.begin()
        await finish(host, ben, cy)
        agree([host, ben, cy])


async def test_guests_apart_play_on_by_another_when_the_host_goes(tmp_path, wired, jumping_clock):
    """When the host leaves in mid-game, a seat that reaches both guests forwards their link."""
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(hosts(tmp_path, 4, start_at=None, auto=False))
        wired.add(host.key)
        dee, ben, cy = [
            await stack.enter_async_context(joins(tmp_path, name, host))
            for name in ("Dee", "Ben", "Cy")
        ]
        wired.add(dee.key)
        await linked_by(host, ben, cy)
        await until(dee, lambda _: {ben.key, cy.key} <= set(dee.pool.links))
        await host.begin()
        await until(host, lambda view: view.can_move)
        await host.farewell()
        await host.say_goodbye()
        await linked_by(dee, ben, cy)
        await finish(dee, ben, cy)
        agree([dee, ben, cy])


def falls_asleep(node):
    """Make a node send nothing more over its links, like the tab of a sleeping phone."""
    for link in node.pool.links.values():
        link.send = lambda _body: None


async def test_a_tab_asleep_is_named_by_its_host_and_by_those_whom_the_host_links_to_it(
    tmp_path, wired, jumping_clock
):
    """A sleeping tab is reported to the host's player, and to a guest linked through the host."""
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(hosts(tmp_path, 3, start_at=None))
        wired.add(host.key)
        ben = await stack.enter_async_context(joins(tmp_path, "Ben", host))
        before = ABILITIES.set(Abilities(listens=False, is_tab=True))
        cy = await stack.enter_async_context(joins(tmp_path, "Cy", host, auto=False))
        ABILITIES.reset(before)
        await until(ben, lambda _: forwarder(ben, cy) == host.key)
        await host.begin()
        await until(cy, lambda view: view.can_move)
        falls_asleep(cy)
        wired.clear()
        wired.add(b"nobody")
        await until(host, lambda view: not view.seats[cy.view().seat].connected)
        await until(ben, lambda view: view.seats[cy.view().seat].unanswered)
        (gone,) = [each for each in told_to(host) if isinstance(each, LinkChanged) and not each.up]
        assert (gone.name, gone.end) == ("Cy", LinkEnd.SILENT)
        (missed,) = [each for each in told_to(ben) if isinstance(each, AnswerAwaited)]
        assert missed == AnswerAwaited("Cy", came=False)
