"""Who chairs a table, as everybody reads it in the log."""

import pytest

from netgame.protocol.epochs.company import Company
from netgame.protocol.fold.phases import Member
from netgame.protocol.fold.state import State


def key(number: int) -> bytes:
    """A key, or what looks like one."""
    return bytes([number]) * 32


SEATS = tuple(Member(key(each), f"seat{each}", (), False) for each in range(4))
LOBBY = Company.of_table(bytes(64))


def seated(gone: set[int], host: int) -> State:
    """Four seats, of which some have left."""
    keys = tuple(seat.key for seat in SEATS)
    company = LOBBY.then(5, keys=keys, gone=frozenset(gone), seated=True)
    return State(host=key(host), company=company, seats=SEATS)


@pytest.mark.parametrize(
    ("gone", "host", "chair"),
    [
        (set(), 1, 1),
        ({0}, 1, 1),
        ({1}, 1, 0),
        ({0, 1}, 1, 2),
        (set(), 9, 0),
        ({0}, 9, 1),
        ({0, 1, 2, 3}, 1, None),
    ],
)
def test_the_chair_is_the_hosts_seat_or_the_first_that_is_there(gone, host, chair) -> None:
    """A host that has left for good, or has no seat, leaves the chair to the lowest seat."""
    assert seated(gone, host).chair == chair


def test_a_table_that_is_still_forming_has_no_chair() -> None:
    """Before there is a roster the host alone writes; then places of the roster are seats."""
    assert State(host=key(1)).chair is None
    company = LOBBY.then(3, keys=(key(0), key(1)))
    assert State(host=key(1), company=company).chair == 1
