"""The past of a log, and how far a cut can go back in it."""

import pytest
from msgspec.structs import replace

from netgame.protocol.ledger.past import Past
from netgame.protocol.log.steps import NO_RECORD
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.state import State
from netgame.wire.messages import Settings
from tests.netgame.simtable import full_table


def _at(step):
    return replace(State(table_id=bytes(64)), step=step, head=bytes([step]) * 64)


def _held(past):
    return [step for step in range(4) if past.holds(step, bytes([step]) * 64)]


def test_a_log_holds_only_what_a_cut_can_go_back_to():
    """A cut can go back neither beyond the last wall nor beyond the beginning of the epoch.

    A quorum of liars may say that their logs end earlier, but that cuts nothing.
    """
    past = Past(NO_RECORD, _at(0))
    for step in (1, 2):
        past.close((), _at(step), is_wall=False)
    assert _held(past) == [0, 1, 2]
    past.close((), _at(3), is_wall=True)
    assert _held(past) == [2, 3]
    past.begin_epoch(_at(3))
    assert _held(past) == [3]


def test_a_log_holds_no_step_behind_another_head():
    """`holds` is False if the log has a different head at that step."""
    past = Past(NO_RECORD, _at(0))
    past.close((), _at(1), is_wall=False)
    assert past.holds(1, _at(1).head)
    assert not past.holds(1, _at(0).head)
    assert not past.holds(1, bytes([9]) * 64)


def test_a_cut_behind_a_wall_is_refused_and_leaves_all_as_it_was():
    """A cut to a step before a wall is refused, and changes nothing."""
    past = Past(NO_RECORD, _at(0))
    for step in (1, 2):
        past.close((), _at(step), is_wall=step == 2)
    with pytest.raises(KeyError):
        past.cut(0, ())
    assert (len(past.steps), _held(past)) == (2, [1, 2])


def test_no_cut_goes_back_into_the_lobby():
    """Once the lobby is closed, a cut cannot go back into it."""
    settings = Settings("standard", (), 6, 3, 1, 2, ())
    table = full_table(("Ann", "Ben", "Cy"), settings)
    ledger = table.host.ledger
    table.until(ledger, Phase.ROSTER)
    due = ledger.state.step
    assert ledger.holds(due, ledger.state.head)
    assert not any(ledger.holds(step, ledger.head_before(step)) for step in range(due))
