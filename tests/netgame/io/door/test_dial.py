"""Dialling a table that has a crowd at its door."""

from functools import partial

import pytest

from netgame.errors import HungUp, TimedOut
from netgame.io.door.channel import GuessSpent
from netgame.io.door.dial import insist, look
from netgame.io.network.addresses import parse_address
from netgame.limits import (
    CODE_TRIES_PER_ADDRESS,
    HUNG_UP_PAUSE_MAX_S,
    HUNG_UP_PAUSE_MIN_S,
    HUNG_UP_TRIES,
)

WHERE = parse_address("10.0.0.1:4747")


class Crowded:
    """A table that has no room for the first `crowd` connections."""

    def __init__(self, crowd, trouble=HungUp):
        self.crowd = crowd
        self.trouble = trouble
        self.tries = 0
        self.pauses: list[float] = []

    async def look(self, address):
        """Raise `trouble` for the first `crowd` connections, and then return what was seen."""
        self.tries += 1
        if self.tries <= self.crowd:
            raise self.trouble("the other side hung up")
        return f"seen at {address}"

    async def insisted(self):
        """Look, and try again as often as `insist` does; note the pauses."""
        return await insist(partial(look, [WHERE], self), self.pauses.append)


@pytest.mark.parametrize(
    ("trouble", "tries"), [(HungUp, HUNG_UP_TRIES), (GuessSpent, CODE_TRIES_PER_ADDRESS)]
)
async def test_who_is_hung_up_on_tries_again_so_often(autojump_clock, trouble, tries):
    """A guest that is hung up on tries again, and gives up after `HUNG_UP_TRIES` tries.

    If each try may have spent a guess at the code, it gives up after `CODE_TRIES_PER_ADDRESS`.
    """
    table = Crowded(tries - 1, trouble)
    assert await table.insisted() == "seen at 10.0.0.1:4747"
    table = Crowded(99, trouble)
    with pytest.raises(trouble):
        await table.insisted()
    assert table.tries == tries


async def test_guests_sent_away_together_come_back_one_by_one(autojump_clock):
    """The pauses between a guest's tries grow up to a limit, and differ from guest to guest."""
    tables = [Crowded(HUNG_UP_TRIES - 1) for _ in range(5)]
    for table in tables:
        await table.insisted()
        full = HUNG_UP_PAUSE_MIN_S
        for pause in table.pauses:
            assert full / 2 <= pause <= full
            full = min(2 * full, HUNG_UP_PAUSE_MAX_S)
    assert len({tuple(table.pauses) for table in tables}) == len(tables)


async def test_a_busy_door_counts_more_than_an_address_that_leads_nowhere(autojump_clock):
    """If one address of a table is dead and another is busy, the busy one is reported."""

    class Half(Crowded):
        async def look(self, address):
            if address != WHERE:
                raise TimedOut("nobody there")
            return await super().look(address)

    with pytest.raises(HungUp):
        await look([parse_address("10.0.0.2:4747"), WHERE], Half(99))
