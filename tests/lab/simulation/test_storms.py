"""How many polls without result count as a storm depends on how long they took."""

import pytest

from lab.simulation.storms import promises_within
from netgame.limits import BALLOT_PAUSE_MAX_S, BALLOT_PAUSE_MIN_S

PAUSES = [min(BALLOT_PAUSE_MIN_S * 2**number, BALLOT_PAUSE_MAX_S) for number in range(9)]
"""How long a seat makes an owner no further promise after the first, the second, and so on."""


@pytest.mark.parametrize("promises", range(4, 10))
def test_a_seat_has_time_for_as_many_promises_as_there_are_pauses_between(promises: int) -> None:
    """A seat can make n promises in the time that their pauses take, leaving out the first two.

    The first two pauses do not count: only the time since the first decision is known.
    """
    needed_s = sum(PAUSES[2 : promises - 1])
    assert promises_within(needed_s) == promises
    assert promises_within(needed_s - 0.1) == promises - 1
