"""The places for links in a pool, and which peers get them."""

import trio

from netgame.io.disk.identity import Identity
from netgame.io.door.admission import FLOODED, FULL, Door
from netgame.io.door.channel import Channel
from netgame.io.door.link_pool import LinkPool
from netgame.limits import FLOOD_BAN_S, LINKS_KEPT, LINKS_MAX

STRANGER, MEMBER = b"s" * 32, b"m" * 32


def make_pool(links):
    """Return a pool with `links` links, and its door, which knows one member."""
    door = Door(anybody=True, sits=lambda peer: peer == MEMBER)
    pool = LinkPool(Channel(Identity(bytes(32))), trio.sleep, door)
    pool.links = {number.to_bytes(32): None for number in range(links)}
    return pool, door


async def test_strangers_take_no_place_that_is_kept_for_members(mock_clock):
    """Strangers at an open table get no place that is kept for members.

    A full pool still accepts a linked member, whose new link replaces the old one.
    """
    pool, door = make_pool(LINKS_MAX - LINKS_KEPT - 1)
    assert door.turned_away(STRANGER) is None
    pool.links[b"one more"] = None
    assert door.turned_away(STRANGER) == FULL
    assert door.turned_away(MEMBER) is None
    for number in range(LINKS_KEPT):
        pool.links[b"kept %d" % number] = None
    assert door.turned_away(MEMBER) == FULL
    pool.links[MEMBER] = pool.links.pop(b"kept 0")
    assert door.turned_away(MEMBER) is None, "its new link takes the place of the old"


async def test_who_has_flooded_us_stays_out_for_a_while(mock_clock):
    """A member that is banned for a flood is turned away until `FLOOD_BAN_S` has passed."""
    pool, door = make_pool(0)
    pool.banned[MEMBER] = trio.current_time() + FLOOD_BAN_S
    assert door.turned_away(MEMBER) == FLOODED
    assert door.turned_away(STRANGER) is None
    mock_clock.jump(FLOOD_BAN_S)
    assert door.turned_away(MEMBER) is None
