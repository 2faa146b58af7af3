"""Dialling a table at whose door many stand."""

import pytest

from netgame.errors import HungUp
from netgame.io.door.dial import look
from netgame.io.network.addresses import parse_address
from netgame.limits import HUNG_UP_TRIES

WHERE = parse_address("10.0.0.1:4747")


class Crowded:
    """A table that has no room for the first few connections."""

    def __init__(self, crowd: int) -> None:
        self.crowd = crowd
        self.tries = 0

    async def look(self, address: object) -> str:
        """Hang up on the first ones."""
        self.tries += 1
        if self.tries <= self.crowd:
            raise HungUp("the other side hung up")
        return f"seen at {address}"


async def test_who_is_hung_up_on_tries_again(autojump_clock: object) -> None:
    """A busy table has room a moment later."""
    table = Crowded(HUNG_UP_TRIES - 1)
    assert await look(table, [WHERE]) == (WHERE, "seen at 10.0.0.1:4747")
    assert table.tries == HUNG_UP_TRIES


async def test_who_is_always_hung_up_on_is_told_so(autojump_clock: object) -> None:
    """The tries are counted."""
    table = Crowded(99)
    with pytest.raises(HungUp):
        await look(table, [WHERE])
    assert table.tries == HUNG_UP_TRIES
