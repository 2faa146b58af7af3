"""Checks 7.8 to 7.14: what an entry says. [protocol.md §7]"""

import pytest

from engine.play.legal_moves import legal_moves
from engine.table.moves import DrawTile, LayTile
from netgame.crypto.transcript import expand
from netgame.protocol.fold import turn as turns
from netgame.protocol.fold.phases import Phase
from netgame.protocol.fold.session import due
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import read_entry
from netgame.protocol.log.fault import Accepted, CheckCode
from netgame.protocol.notices import DealPhase
from netgame.wire import messages as wire
from tests.netgame.games import Driven, driven, entries_in, ledger_until, played, signed_at
from tests.netgame.mallory import Mallory, when
from tests.netgame.protocol.ledger.receipt import at_deal, at_phase, checked_by, honest_entry
from tests.netgame.simtable import SimTable, standard


def test_7_8_turn_a_slot_that_is_not_due_convicts() -> None:
    """A seat that is not in turn; a seat that had no slot in a step that is done."""
    ledger = ledger_until(at_phase(Phase.PLAY))
    assert ledger.state.table is not None
    other = (ledger.state.table.to_move + 1) % 3
    assert checked_by(ledger, signed_at(ledger, wire.Pass(b""), other)) is CheckCode.TURN
    mover, head, step = ledger.state.table.to_move, ledger.state.head, ledger.state.step
    later = ledger_until(lambda state: state.step > step)
    assert mover != other
    old = signed_at(later, wire.Pass(b""), other, step=step, prev=head)
    assert checked_by(later, old) is CheckCode.TURN


def test_7_9_kind_an_entry_of_another_kind_or_round_convicts() -> None:
    """Where keys are committed nobody opens them, and the next round's keys are not these."""
    ledger = ledger_until(at_deal(DealPhase.KEY_COMMIT))
    for payload in (
        wire.Checked(0),
        wire.Roster(bytes(64)),
        wire.Pass(b""),
        wire.Close(),
        wire.KeyOpen(0, bytes(130)),
        wire.KeyCommit(1, bytes(64), b""),
    ):
        assert checked_by(ledger, signed_at(ledger, payload, 0)) is CheckCode.KIND


def _shapeless() -> list[tuple[object, wire.Payload]]:
    off_curve, g = (
        b"\x02" + b"\xff" * 32,
        bytes.fromhex("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"),
    )
    return [
        (at_phase(Phase.ROSTER), wire.Roster(bytes(64))),
        (at_deal(DealPhase.KEY_OPEN), wire.KeyOpen(0, off_curve + g + bytes(64))),
        (at_deal(DealPhase.KEY_OPEN), wire.KeyOpen(0, g + g + bytes(32) + b"\xff" * 32)),
        (at_deal(DealPhase.DECK), wire.Deck(0, b"")),
        (at_deal(DealPhase.DECK), wire.Deck(0, off_curve * 56)),
        (at_deal(DealPhase.DECK), wire.Deck(0, bytes(33) * 56)),
        (at_deal(DealPhase.DECK), wire.Deck(0, g * 55)),
        (at_deal(DealPhase.PROOF), wire.Proof(0, b"")),
        (at_deal(DealPhase.PROOF), wire.Proof(0, bytes(163 * 28 + 293))),
        (at_phase(Phase.SHARES), wire.Shares(g, g + g + bytes(32))),
        (at_phase(Phase.SHARES), wire.Shares(b"", bytes(98))),
        (at_phase(Phase.DRAWN), wire.Shares(off_curve, g + g + bytes(32))),
        (at_phase(Phase.OPEN), wire.Open((), b"", b"")),
        (at_phase(Phase.SCORE), wire.RoundOver((), ())),
        (at_phase(Phase.SCORE), wire.RoundOver((0, 0, 0), ())),
    ]


@pytest.mark.parametrize(("stop", "payload"), _shapeless())
def test_7_10_shape_what_does_not_decode_convicts(stop, payload: wire.Payload) -> None:
    """Points off the curve, scalars out of range, lists too short: signed, so it is evidence."""
    ledger = ledger_until(stop)
    if isinstance(payload, wire.Open):
        table = ledger.state.table
        seat = next(seat for seat in range(3) if table.hands[seat])
    else:
        seat = next(iter(play_due(ledger)))
    assert checked_by(ledger, signed_at(ledger, payload, seat)) is CheckCode.SHAPE


def play_due(ledger: Ledger) -> tuple[int, ...]:
    """Who is due."""
    return due(ledger.state).authors


@pytest.mark.parametrize("tile", [(0, 0), (6, 6), (3, 5), (18, 18)])
@pytest.mark.parametrize(("train", "on"), [(0, -1), (-16, 400), (14, 0), (-1, -1)])
def test_7_11_rules_a_lay_the_rules_forbid_convicts(tile, train, on) -> None:
    """Whatever position, tile, train and place it names; what could be right needs a proof."""
    for position in (0, 5, 27, 28, 65_535):
        ledger = ledger_until(at_phase(Phase.PLAY))
        assert ledger.state.table is not None
        lay = wire.Lay(position, tile, train, on, bytes([2]) + bytes(32), bytes(98))
        found = checked_by(ledger, signed_at(ledger, lay, ledger.state.table.to_move))
        assert found in (CheckCode.RULES, CheckCode.SHAPE), position
        if position >= 28 or tile == (18, 18):
            assert found is CheckCode.RULES, position


def _moving(ledger: Ledger) -> tuple[Driven, int]:
    """The mover of the due turn, restarted there."""
    assert ledger.state.table is not None
    seat = ledger.state.table.to_move
    key = ledger.state.seats[seat].key
    who = next(n for n, s in enumerate(played().sitters) if s.core.key == key)
    record = played().sitters[who].record
    before = [n for n, e in enumerate(record) if any(map(_is_before(ledger), entries_in((e,))))]
    return driven(before[-1], who), seat


def _is_before(ledger: Ledger):
    """Whether an entry stands in a step that is done there."""
    return lambda signed: read_entry(signed).step < ledger.state.step


def test_7_12_proof_a_lay_with_a_token_of_another_position_convicts() -> None:
    """Own key, own proof, wrong place: the proof names its position, step and head."""
    ledger = ledger_until(at_phase(Phase.PLAY))
    mover, seat = _moving(ledger)
    state = mover.core.state
    hand = mover.core.author.hand(state)
    assert hand is not None
    move = next(m for m in legal_moves(state.table, hand) if isinstance(m, LayTile))
    good = mover.core.author.turn(state, move).run()
    assert isinstance(good, wire.Lay)
    judged = ledger.judge(signed_at(ledger, good, seat))
    assert isinstance(judged, Accepted)
    assert judged.judging is not None
    assert judged.judging.run(expand(bytes(32), "judge")) is None
    other = next(position for position, _ in hand.tiles if position != move.position)
    moved = wire.Lay(other, good.tile, good.train, good.on, good.token, good.proof)
    assert checked_by(ledger, signed_at(ledger, moved, seat)) is CheckCode.PROOF
    for at in (0, 40, 97):
        spoiled = bytearray(good.proof)
        spoiled[at] ^= 1
        bad = wire.Lay(good.position, good.tile, good.train, good.on, good.token, bytes(spoiled))
        found = checked_by(ledger, signed_at(ledger, bad, seat))
        assert found in (CheckCode.PROOF, CheckCode.SHAPE)


@pytest.mark.parametrize("octets", [0, 97, 98])
def test_7_12_proof_no_claim_holds_where_every_tile_could_be_laid(monkeypatch, octets: int) -> None:
    """No proof can exist then, so its length does not matter. [protocol.md §7]"""
    monkeypatch.setattr(turns, "hidden_claim", lambda table, _: turns.unseen_tiles(table))
    ledger = ledger_until(at_phase(Phase.PLAY))
    state = ledger.state
    assert state.table is not None
    seat = state.table.to_move
    assert turns.why_illegal(state.table, DrawTile(seat)) is None
    draw = wire.Draw(bytes(octets))
    assert checked_by(ledger, signed_at(ledger, draw, seat)) is CheckCode.PROOF


def test_7_12_proof_of_a_share_holds_at_its_own_step_only() -> None:
    """The shares of one draw do not serve another."""
    drawn = at_phase(Phase.DRAWN)
    ledger = ledger_until(drawn)
    first = honest_entry(ledger)
    step = ledger.state.step
    again = ledger_until(lambda state: drawn(state) and state.step > step)
    seat = next(iter(play_due(again)))
    assert checked_by(again, signed_at(again, read_entry(first).payload, seat)) is CheckCode.PROOF


def test_7_14_audit_finds_a_false_draw_that_every_proof_let_through(monkeypatch) -> None:
    """If all hand proofs were broken, opened hands would still tell; the evidence says so."""
    monkeypatch.setattr(turns, "verify_hand", lambda *_: True)
    table = SimTable(standard(6, 3, 1))
    table.seat("Ann", start_at=3)
    table.seat("Ben")
    mallory = table.seat("Mallory", core_class=Mallory)

    def bend(core: Mallory, payload: wire.Payload) -> wire.Payload | None:
        state, seat = core.state, core.state.seat_of(core.key)
        statement = turns.hand_statement(state, state.round, DrawTile(seat), "draw")
        refused = turns.why_illegal(state.table, DrawTile(seat))
        if statement is None or refused is not None:
            return None
        one = bytes(31) + b"\x01"
        g = bytes.fromhex("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
        return wire.Draw(g + g + one + one * len(statement.tiles))

    mallory.core.bend = when(wire.Lay, bend)
    honest = table.sitters[:2]
    table.run(lambda: all(sitter.faults() for sitter in honest), 600)
    assert mallory.core.cheated_at is not None
    for sitter in honest:
        (fault,) = sitter.faults()
        assert fault.check == "audit"
        assert fault.name.startswith("Mallory (")
