"""Checks 7.8 to 7.14: what an entry says. [protocol.md §7]"""

import pytest

from engine.table.moves import DrawTile
from netgame.protocol.log.entry import read_entry
from netgame.protocol.log.fault import Accepted, CheckCode, Guilty
from netgame.protocol.notices import DealPhase
from netgame.protocol.state import turn as turns
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.session import due
from netgame.wire import messages as wire
from tests.netgame.games import ledger_until, signed_at
from tests.netgame.protocol.happenings import asks
from tests.netgame.protocol.ledger.intake import (
    at_deal,
    at_phase,
    checked_by,
    honest_entry,
    stranger,
)


def _shapeless():
    off_curve, g = (
        b"\x02" + b"\xff" * 32,
        bytes.fromhex("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"),
    )
    return [
        (at_phase(Phase.ROSTER), wire.Roster(bytes(64))),
        (at_deal(DealPhase.KEY_OPEN), wire.KeyOpen(0, off_curve + g + bytes(64))),
        (at_deal(DealPhase.DECK), wire.Deck(0, g * 55)),
        (at_deal(DealPhase.PROOF), wire.Proof(0, bytes(163 * 28 + 293))),
        (at_phase(Phase.SHARES), wire.Shares(g, g + g + bytes(32))),
        (at_phase(Phase.DRAWN), wire.Shares(off_curve, g + g + bytes(32))),
        (at_phase(Phase.OPEN), wire.Open((), b"", b"")),
        (at_phase(Phase.SCORE), wire.RoundOver((), ())),
        (at_phase(Phase.SCORE), wire.RoundOver((0, 0, 0), ())),
    ]


@pytest.mark.parametrize(("stop", "payload"), _shapeless())
def test_7_10_shape_what_does_not_decode_convicts(stop, payload):
    """Points off the curve, lists too short: signed, so it is evidence."""
    ledger = ledger_until(stop)
    seat = due(ledger.state).authors[0]
    if isinstance(payload, wire.Open):
        seat = next(seat for seat in range(3) if ledger.state.table.hands[seat])
    assert checked_by(ledger, signed_at(ledger, payload, seat)) is CheckCode.SHAPE


@pytest.mark.parametrize("octets", [0, 97, 98])
def test_7_12_proof_no_claim_holds_where_every_tile_could_be_laid(monkeypatch, octets):
    """No proof can exist then, so its length does not matter. [protocol.md §7]"""
    monkeypatch.setattr(turns, "hidden_claim", lambda table, _: turns.unseen_tiles(table))
    ledger = ledger_until(at_phase(Phase.PLAY))
    state = ledger.state
    seat = state.table.to_move
    assert turns.why_illegal(state.table, DrawTile(seat)) is None
    draw = wire.Draw(bytes(octets))
    assert checked_by(ledger, signed_at(ledger, draw, seat)) is CheckCode.PROOF


def test_nobody_is_let_in_by_the_scores_of_the_last_round():
    """By those of the one before it, who has asked for a seat may be."""
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
        signed = signed_at(ledger, wire.RoundOver(scores, coming), state.chair)
        assert isinstance(ledger.judge(signed), Guilty if is_last else Accepted)
