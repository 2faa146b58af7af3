"""Links to all members: dialled at once, but after pauses if they are lost repeatedly."""

from itertools import pairwise

from netgame.limits import DIAL_BACKOFF_MAX_S, DIAL_BACKOFF_MIN_S, LINK_SETTLED_S
from netgame.protocol.peer.core import Core
from tests.netgame.games import driven, played
from tests.netgame.simtable import LATENCY_S, SimTable, standard

WATCHED_S = 20.0


def lower_and_higher():
    """Return the seat with the lowest key in mid-game, and the highest key, which it dials."""
    keys = [each.key for each in played(3, 6, 1).sitters]
    low, high = keys.index(min(keys)), max(keys)
    seat = driven(40, low, played(3, 6, 1))
    seat.dialled.clear()
    return seat, high


def test_a_link_that_is_lost_over_and_over_is_dialled_with_growing_pauses():
    """A link that is lost again and again is dialled after growing pauses.

    This happens if two programs run with the same key, from a copied folder: each takes over
    the other's links.
    """
    seat, peer = lower_and_higher()
    end, known = seat.now + WATCHED_S, -1
    while seat.now < end:
        if len(seat.dialled) > known:
            known = len(seat.dialled)
            seat.link(peer)
            seat.pass_time(LATENCY_S)
            seat.unlink(peer)
        seat.pass_time(LATENCY_S)
    pauses = [after - before for (_, before), (_, after) in pairwise(seat.dialled)]
    longest = next(at for at, pause in enumerate(pauses) if pause >= DIAL_BACKOFF_MAX_S)
    for at, pause in enumerate(pauses):
        due = min(DIAL_BACKOFF_MIN_S * 2**at, DIAL_BACKOFF_MAX_S)
        assert due <= pause < due + 3 * LATENCY_S, at
    assert 1 < longest < len(pauses) - 1


def test_a_link_that_has_held_is_dialled_again_at_once():
    """A link that was up for a while is dialled again at once when it is lost."""
    seat, peer = lower_and_higher()
    seat.link(peer)
    seat.pass_time(LINK_SETTLED_S + 1.0)
    seat.dialled.clear()
    seat.unlink(peer)
    assert seat.dialled == [(peer, seat.now)]


def test_a_member_without_addresses_is_wanted_as_others_are():
    """A member without addresses is dialled too, because the node can ask for a forwarded link."""
    table = SimTable(standard(6, 3, 1))
    for number, name in enumerate(("Ann", "Ben", "Cy")):
        start_at = None if number else 3
        table.seat(name, core_class=without_addresses, start_at=start_at)
    table.run_game()
    seat = driven(40, 0, table)
    members = {member.key: member.addresses for member in seat.state.members}
    assert set(members.values()) == {()}
    assert {peer for peer, _ in seat.dialled} == members.keys() - {seat.core.context.key}


def without_addresses(signer, name, entropy, secret, _addresses):
    """Return a core without addresses, like that of a program that does not listen."""
    return Core(signer, name, entropy, secret, ())
