"""Notices of steps that became void tell a player only of what they can have seen."""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from engine.table.moves import Catch, Tap
from engine.table.table import AllScored, Ending, Outcome
from netgame.protocol import notices
from netgame.protocol.state import leavers
from netgame.protocol.state.leavers import told_of_undone
from netgame.protocol.state.phases import Phase
from tests.engine.play.small_tables import ANN, BOB, table_of
from tests.netgame.games import played, states_of
from tests.netgame.protocol.peer.test_calling import after_the_calls, at_the_first_call, call


def test_only_what_was_played_can_be_taken_back():
    """Only moves that were played are reported as taken back; draws alone have their own notice.

    The steps of a coin are not reported.
    """
    seen = [*states_of(played())]
    told = {(each.phase, told_of_undone(after, each)) for each, after in pairwise(seen)}
    assert {each for phase, each in told if phase is Phase.COIN_REVEAL} == {()}
    assert (Phase.PLAY, (notices.MovesUndone(),)) in told
    assert (Phase.PLAY, (notices.MovesUndone(only_draws=True),)) in told
    seen = [each for each in seen if each.phase is Phase.PLAY]
    last = max(n for n, each in enumerate(seen) if each.table and not each.table.past)
    assert told_of_undone(seen[-1], seen[last]) == (notices.MovesUndone(),)


@pytest.mark.parametrize("word", ["quiet", "tap", "catch"])
def test_a_call_that_all_answered_is_taken_back_if_anybody_said_a_word(word):
    """A step of calls is reported as taken back only if it has a tap or a catch.

    The round's history shows neither.
    """
    table, silent, other = at_the_first_call()
    back = other.state
    if word == "tap":
        call(table, silent, Tap(silent.seat))
    elif word == "catch":
        call(table, other, Catch(other.seat, silent.seat))
    after_the_calls(table)
    assert other.state.history == back.history
    told = () if word == "quiet" else (notices.MovesUndone(),)
    assert told_of_undone(other.state, back) == told


def test_who_goes_when_the_game_is_scored_keeps_its_result():
    """A seat that leaves once all have scored does not change the result."""
    table = table_of(1, 3, 3, boneyard=0)
    over = replace(table, now=AllScored(Outcome(Ending.OUT, ANN)))
    assert leavers.leave(over, [BOB]) is over
