"""Nodes of one process reach each other without a port, until they close."""

import pytest
import trio

from netgame.errors import Disconnected
from netgame.io.network.beside import Switchboard
from netgame.io.network.streams import HERE


async def test_a_node_is_reached_by_its_key_and_no_other():
    """A node is reached only by its own key, and both ends of the stream count as this computer."""
    board = Switchboard()
    answers = board.extension(b"ann")
    assert b"ann" in board
    assert b"ben" not in board
    near = board.call(b"ann")
    far = await answers.accept()
    assert near.source == far.source == HERE
    await near.send_all(b"hello")
    assert await far.receive_some() == b"hello"
    with pytest.raises(Disconnected):
        board.call(b"ben")


async def test_whoever_closes_is_reached_no_more_until_it_comes_back():
    """A node that has closed is not reached until it opens again.

    Closing its old extension once more does not close the new one.
    """
    board = Switchboard()
    first = board.extension(b"ann")
    first.close()
    with pytest.raises(Disconnected):
        board.call(b"ann")
    second = board.extension(b"ann")
    first.close()
    board.call(b"ann")
    with trio.fail_after(5):
        await second.accept()


async def test_more_calls_than_there_is_room_for_are_not_kept():
    """Up to 64 calls wait to be accepted, and the next one is refused."""
    board = Switchboard()
    extension = board.extension(b"ann")
    for _ in range(64):
        board.call(b"ann")
    with pytest.raises(Disconnected):
        board.call(b"ann")
    extension.close()
