"""Somebody without a seat asks for one a second time."""

import pytest

from netgame.protocol import notices
from tests.netgame.protocol.peer.test_watching import in_play


@pytest.mark.parametrize("rounds", [1, 2])
def test_who_asks_for_a_seat_again_is_answered_again(rounds: int) -> None:
    """Whether there will be one or not: silence would leave the person to guess."""
    table = in_play(bots=False, rounds=rounds)
    zoe = table.seat("Zoe")
    table.pass_time(3.0)
    (answer,) = zoe.told_of(notices.SeatLater)
    table.act(zoe, lambda parts: parts.joiner.take_seat())
    table.pass_time(3.0)
    assert zoe.told_of(notices.SeatLater) == [answer, answer]
