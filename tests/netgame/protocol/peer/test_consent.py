"""Newcomers who are let in but never sign delay the table only for a moment."""

import pytest

from netgame.crypto.signing import make_signing_key
from netgame.limits import NEWCOMER_S
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.state.phases import Phase
from tests.netgame.protocol.happenings import asks
from tests.netgame.small_games import end_whole, late_table, until_round

# ---- newcomers who never sign -----------------------------------------------------------------


def strangers(table, count):
    """Make the chair believe that `count` keys want a seat; they are never heard of again."""
    chair = table.host.core
    for number in range(count):
        signer = make_signing_key(bytes([100 + number]) * 32)
        ask = asks(signer, f"Eve{number}", chair.state.log_id, chair.state.step)
        chair.parts.applicants.waiting[PeerKey(signer.public_bytes)] = ask


@pytest.mark.parametrize("count", [1, 4])
def test_silent_newcomers_cost_a_moment_whoever_is_more(count):
    """Silent newcomers delay the table only once, even if they outnumber the players.

    At the end neither the seats nor the scores include them.
    """
    table = late_table(rounds=3, options=("patience=vote",))
    until_round(table)
    strangers(table, count)
    table.until(table.host, Phase.ROSTER)
    begun = table.now
    until_round(table, 1)
    assert table.now - begun < NEWCOMER_S + 2.0
    end_whole(table)
    state = table.host.state
    assert {member.name for member in state.seats} == {"Ann", "Ben"}
    assert len(state.seats) == len(state.table.past[-1]) == 2
    assert not state.gone
