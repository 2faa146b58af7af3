"""Checks 7.8 to 7.14 of an entry's content, in cases that no log of the vectors contains.

[protocol.md §7]
"""

import pytest

from engine.table.moves import DrawTile
from netgame.protocol.log.entry import read_entry
from netgame.protocol.log.fault import Accepted, CheckCode
from netgame.protocol.state import turn as turns
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from tests.netgame.games import ledger_until, signed_at
from tests.netgame.protocol.happenings import asks
from tests.netgame.protocol.ledger.intake import at_phase, checked_by, honest_entry, stranger


@pytest.mark.parametrize("octets", [0, 97, 98])
def test_7_12_proof_no_claim_holds_where_every_tile_could_be_laid(monkeypatch, octets):
    """A draw fails check 7.12 if every unseen tile could be laid, however long its proof is."""
    ledger = ledger_until(at_phase(Phase.PLAY))
    monkeypatch.setattr(turns, "hidden_claim", lambda table, _: turns.unseen_tiles(table))
    state = ledger.state
    seat = state.table.to_move
    assert turns.why_illegal(state.table, DrawTile(seat)) is None
    draw = wire.Draw(bytes(octets))
    assert checked_by(ledger, signed_at(ledger, draw, seat)) is CheckCode.PROOF


def test_nobody_is_let_in_by_the_scores_of_the_last_round():
    """The scores of a round may admit a newcomer, unless it is the last round."""
    for is_last in (False, True):
        ledger = ledger_until(
            lambda state, last=is_last: (
                state.phase is Phase.SCORE and (state.table.round_number == 1) is last
            )
        )
        state, zoe = ledger.state, stranger()
        ask = asks(zoe, "Zoe", state.log_id, state.step)
        coming = (wire.Admit(ask.request, ask.signature),)
        scores = read_entry(honest_entry(ledger)).payload.scores
        signed = signed_at(ledger, wire.RoundOver(scores, coming, 0), state.chair)
        if is_last:
            assert checked_by(ledger, signed) is CheckCode.SHAPE
        else:
            assert isinstance(ledger.judge(signed), Accepted)


def test_who_names_for_a_vote_what_is_no_guest_is_convicted():
    """Scores that give a vote to a seat that is not a guest convict their author."""
    ledger = ledger_until(at_phase(Phase.SCORE))
    entry = read_entry(honest_entry(ledger))
    state = ledger.state
    for named in (1 << entry.seat, 1 << len(state.seats), 1 << 31):
        said = wire.RoundOver(entry.payload.scores, (), named)
        assert checked_by(ledger, signed_at(ledger, said, entry.seat)) is CheckCode.SHAPE
