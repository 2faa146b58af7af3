"""How a link has ended, as far as this end of it can know."""

import pytest

from netgame.io.door.link_pool import LinkDown, LinkUp
from netgame.limits import DROP_S
from netgame.protocol.notices import LinkEnd
from tests.netgame.io.links.test_links import HIGH, LOW, has, two


@pytest.mark.parametrize(
    ("leave", "end"),
    [
        (lambda peer: peer.pool.close_all("good night"), LinkEnd.QUIT),
        (lambda peer: peer.pool.drop_all("pulled out"), LinkEnd.BROKEN),
    ],
    ids=["quit", "stopped"],
)
async def test_a_goodbye_is_told_from_a_link_that_breaks(nursery, leave, end):
    """Who quits says so within the encryption; a process that is killed cannot."""
    low, high = await two(nursery)
    await low.pool.connect([high.address], HIGH.public)
    await low.until(has(LinkUp))
    await high.until(has(LinkUp))
    link = high.pool.links[LOW.public]
    leave(low)
    await high.until(has(LinkDown))
    assert link.ending is end
    nursery.cancel_scope.cancel()


async def test_who_ends_a_link_itself_or_hears_nothing_knows_that(nursery):
    """Neither is laid at the other's door as a goodbye."""
    low, high = await two(nursery)
    await low.pool.connect([high.address], HIGH.public)
    await low.until(has(LinkUp))
    await high.until(has(LinkUp))
    link = high.pool.links[LOW.public]
    link._asked -= 2 * DROP_S
    link.beat()
    await high.until(has(LinkDown))
    assert link.ending is LinkEnd.SILENT
    await low.until(has(LinkDown))
    await low.pool.connect([high.address], HIGH.public)
    await high.until(has(LinkUp, 2))
    link = high.pool.links[LOW.public]
    link.finish("somebody else sits here")
    await high.until(has(LinkDown, 2))
    assert link.ending is LinkEnd.ENDED_HERE
    nursery.cancel_scope.cancel()
