"""A core gets its inputs one after another, even during a sync, and a bug in it ends the node."""

import threading

import pytest
import trio

from netgame.io.disk import appended
from netgame.protocol.peer import effects as fx
from tests.netgame.io.node.test_node import FakeCore, linked, until


async def test_a_frame_that_comes_while_the_disk_is_awaited_waits_its_turn(
    tmp_path, monkeypatch, jumping_clock
):
    """A frame that arrives during a sync waits for it, so the answers leave in order."""
    may_sync, asked, real = threading.Event(), threading.Event(), appended.sync_file

    def sync(descriptor):
        asked.set()
        may_sync.wait()
        real(descriptor)

    def answer(peer, body):
        kept = (fx.Journalled(body),) if body == b"1" else ()
        return (*kept, fx.Send(peer, body))

    ann, ben = FakeCore(on_frame=answer), FakeCore()
    async with linked(tmp_path, ann, ben) as (one, two):
        monkeypatch.setattr(appended, "sync_file", sync)
        ben.moves = {body: (fx.Send(one.key, body),) for body in (b"1", b"2")}
        await two.propose(b"1")
        await trio.to_thread.run_sync(asked.wait)
        await two.propose(b"2")
        assert [kind for kind, *_ in ben.heard] == ["up"]
        may_sync.set()
        await until(two, lambda: len(ben.heard) == 3)
        assert [body for _, _, body in ben.heard[1:]] == [b"1", b"2"]


async def test_a_bug_of_the_core_ends_the_node_and_not_the_link_that_met_it(
    tmp_path, jumping_clock
):
    """A bug in the core ends the whole node, and not only one link, so that it is noticed."""

    def broken(_peer, _body):
        raise ZeroDivisionError

    async def play():
        ann, ben = FakeCore(on_frame=broken), FakeCore()
        async with linked(tmp_path, ann, ben) as (one, two):
            ben.moves["go"] = (fx.Send(one.key, b"x"),)
            await two.propose("go")
            await trio.sleep_forever()

    with pytest.raises(ZeroDivisionError):
        await play()
