"""How many polls for nothing are a storm: that depends on how long they took."""

import pytest

from lab.simulation.storms import promises_within
from netgame.limits import BALLOT_PAUSE_MAX_S, BALLOT_PAUSE_MIN_S

PAUSES = [min(BALLOT_PAUSE_MIN_S * 2**number, BALLOT_PAUSE_MAX_S) for number in range(9)]
"""For so long a seat leaves an owner alone behind its first promise to it, its second, and on."""


@pytest.mark.parametrize("promises", range(4, 10))
def test_a_seat_has_time_for_as_many_promises_as_there_are_pauses_between(promises: int) -> None:
    """All but the first two, as only the time since somebody saw the first decision is known."""
    needed_s = sum(PAUSES[2 : promises - 1])
    assert promises_within(needed_s) == promises
    assert promises_within(needed_s - 0.1) == promises - 1
