"""Section 7 of protocol.md, check by check in its order, each on the ledger and on a live core."""

from __future__ import annotations

import msgpack
import pytest

from engine.play.legality import legal_moves
from engine.table.moves import LayTile
from netgame.crypto.entropy import expand
from netgame.crypto.signing import make_signing_key
from netgame.errors import Malformed
from netgame.limits import ENTRY_BYTES_MAX, HELD_ENTRIES_MAX, HELD_PER_PEER_MAX
from netgame.protocol.fold import turn as turns
from netgame.protocol.fold.session import due
from netgame.protocol.fold.state import DealPhase, Phase, State
from netgame.protocol.ledger.ledger import (
    Accepted,
    Garbage,
    Guilty,
    Judgement,
    Later,
    Ledger,
    Repeat,
    Stray,
    Unlinked,
)
from netgame.protocol.log.entry import ENTRY_DOMAIN, read_entry, sign_entry
from netgame.protocol.log.fault import RECEIPT_CHECKS, CheckCode
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.games import (
    Driven,
    driven,
    entries_of,
    holder,
    ledger_until,
    played,
    signed_at,
)
from tests.netgame.mallory import Mallory, when
from tests.netgame.simtable import SimTable, standard

STRANGER = make_signing_key(b"\x07" * 32)


def at_phase(phase: Phase):
    """Stops where a phase begins."""
    return lambda state: state.phase is phase and not state.interlude


def at_deal(phase: DealPhase):
    """Stops where a stage of the first deal begins."""
    return lambda state: state.deal is not None and state.deal.phase is phase


def checked_by(ledger: Ledger, signed: wire.SignedEntry) -> CheckCode:
    """The check that convicts the signer of an entry, its proof included."""
    judged = ledger.judge(signed)
    if isinstance(judged, Accepted):
        assert judged.judging is not None
        finding = judged.judging.run(expand(bytes(32), "judge"))
        assert finding is not None
        return finding.check
    assert isinstance(judged, Guilty), judged
    assert judged.fault.key == ledger.state.author_key(judged.fault.step, read_entry(signed).seat)
    assert signed in judged.fault.entries
    return judged.fault.finding.check


def honest_entry(ledger: Ledger) -> wire.SignedEntry:
    """The first entry of the due step as it was written in the game."""
    step = ledger.state.step
    return next(each for each in entries_of(played().sitters[0]) if read_entry(each).step == step)


def core_at(stop) -> tuple[Driven, bytes]:
    """Ann's core, restarted where `stop` holds, with a link to Ben."""
    entries = sum(1 for _ in ledger_until(stop).entries_from(0))
    one = driven(entries)
    ben = played().sitters[1].core.key
    one.link(ben)
    return one, ben


# ---- 7.1 to 7.5: what nobody, or nobody known, has signed ------------------------------------


def test_7_1_size_an_entry_over_the_bound_ends_the_link() -> None:
    """Nothing is decoded, nobody is blamed."""
    ledger = ledger_until(at_phase(Phase.ROSTER))
    large = wire.SignedEntry(bytes(ENTRY_BYTES_MAX + 1), bytes(64))
    assert isinstance(ledger.judge(large), Garbage)
    one, ben = core_at(at_phase(Phase.ROSTER))
    one.hear(ben, wire.Entries((large,)))
    assert one.dropped == [ben]
    assert one.core.fault is None


@pytest.mark.parametrize("spoil", ["long-int", "field-more", "field-less", "tail", "no-message"])
def test_7_2_canonical_another_encoding_ends_the_link(spoil: str) -> None:
    """Even if its signature is good: octets that mean the same must be the same."""
    ledger = ledger_until(at_phase(Phase.ROSTER))
    body = honest_entry(ledger).body
    value = msgpack.unpackb(body, use_list=True)
    octets = {
        "long-int": body.replace(value[0], value[0] + b"\xcc"),
        "field-more": msgpack.packb([*value, 0]),
        "field-less": msgpack.packb(value[:-1]),
        "tail": body + b"\x00",
        "no-message": b"\xc1",
    }[spoil]
    assert octets != body
    signer = holder(played(), ledger.state.roster[0]).signer
    spoiled = wire.SignedEntry(octets, signer.sign(ENTRY_DOMAIN, octets))
    assert isinstance(ledger.judge(spoiled), Garbage)
    one, ben = core_at(at_phase(Phase.ROSTER))
    one.hear(ben, wire.Entries((spoiled,)))
    assert one.dropped == [ben]
    assert one.core.fault is None


def test_7_3_table_an_entry_of_another_table_is_ignored() -> None:
    """Also the table id after the coin has fallen, and the session id before."""
    before, after = ledger_until(at_phase(Phase.ROSTER)), ledger_until(at_phase(Phase.SHARES))
    session = after.state.log_id
    strays = [
        (before, signed_at(before, wire.Roster(bytes(64)), 0, table=session)),
        (before, signed_at(before, wire.Roster(bytes(64)), 0, table=bytes(64))),
        (after, signed_at(after, wire.Checked(0), 0, table=after.state.table_id)),
    ]
    for ledger, signed in strays:
        assert isinstance(ledger.judge(signed), Stray)


@pytest.mark.parametrize("seat", [3, 254, wire.CHAIR])
def test_7_4_author_a_seat_that_is_not_there_is_ignored(seat: int) -> None:
    """Three sit here; the chair has nothing to say any more."""
    ledger = ledger_until(at_phase(Phase.SHARES))
    assert isinstance(ledger.judge(signed_at(ledger, wire.Checked(0), seat, by=0)), Stray)


def test_7_4_author_nobody_writes_after_the_end() -> None:
    """Who lost cannot undo a game that is over by breaking a rule behind it."""
    one, ben = core_at(at_phase(Phase.OVER))
    ledger = ledger_until(at_phase(Phase.OVER))
    late = sign_entry(
        holder(played(), ledger.state.seats[1].key).signer,
        wire.Body(ledger.state.log_id, ledger.state.step, ledger.state.head, 1, 0, wire.Pass(b"")),
    )
    assert isinstance(ledger.judge(late), Stray)
    one.hear(ben, wire.Entries((late,)))
    assert one.core.fault is None


@pytest.mark.parametrize(
    "stop", [at_phase(Phase.ROSTER), at_phase(Phase.PLAY), lambda s: s.step == 1]
)
def test_7_4_author_a_stranger_cannot_open_the_table_again(stop) -> None:
    """The table id is made of the host's key, so an opening by another key is nobody's."""
    one, ben = core_at(stop)
    state = one.core.state
    for seat in (wire.CHAIR, 0, 1):
        opening = wire.OpenTable(STRANGER.public_bytes, bytes(32), standard())
        body = wire.Body(state.table_id, 0, bytes(64), seat, 0, opening)
        forged = sign_entry(STRANGER, body)
        assert not isinstance(one.core.ledger.judge(forged), Accepted | Later)
        if seat != wire.CHAIR:
            assert isinstance(one.core.ledger.judge(forged), Stray)
        one.hear(ben, wire.Entries((forged,)))
    assert one.core.fault is None


def test_7_4_author_before_the_first_entry_only_the_host_is_known() -> None:
    """By its key and nonce, which the table id is made of; whatever else comes is ignored."""
    entries = entries_of(played().sitters[0])
    table = read_entry(entries[0]).table
    fresh = Ledger(table)
    assert isinstance(fresh.judge(entries[0]), Accepted)
    opening = read_entry(entries[0]).payload
    assert isinstance(opening, wire.OpenTable)
    for payload, seat in (
        (wire.OpenTable(STRANGER.public_bytes, opening.nonce, opening.settings), wire.CHAIR),
        (opening, 0),
        (wire.Close(), wire.CHAIR),
    ):
        forged = sign_entry(STRANGER, wire.Body(table, 0, bytes(64), seat, 0, payload))
        assert isinstance(fresh.judge(forged), Stray)


def test_7_5_signature_a_wrong_one_names_the_sender_and_stops_nothing() -> None:
    """Of another seat, of nobody, or cut off another entry: it binds nobody."""
    ledger = ledger_until(at_phase(Phase.ROSTER))
    good = signed_at(ledger, wire.Roster(bytes(64)), 1)
    for bad in (
        signed_at(ledger, wire.Roster(bytes(64)), 1, by=2),
        wire.SignedEntry(good.body, bytes(64)),
        wire.SignedEntry(good.body, honest_entry(ledger).signature),
    ):
        judged = ledger.judge(bad)
        assert isinstance(judged, Guilty)
        assert judged.fault.finding.check is CheckCode.SIGNATURE
        assert judged.fault.key == b""
        one, ben = core_at(at_phase(Phase.ROSTER))
        one.hear(ben, wire.Entries((bad, bad, bad)))
        assert one.dropped == [ben]
        assert one.core.fault is None
        (found,) = [each for each in one.told if type(each).__name__ == "FaultFound"]
        assert found.name.startswith("Ben (")
        assert len(one.evidence) == 1


# ---- 7.6, 7.7: where it stands in the log ----------------------------------------------------


def test_7_6_fork_a_second_story_convicts_its_author() -> None:
    """In the due step and in one that is done; both entries are the evidence."""
    ledger = ledger_until(at_phase(Phase.ROSTER))
    first = honest_entry(ledger)
    judged = ledger.judge(first)
    assert isinstance(judged, Accepted)
    ledger.pending[judged.entry.seat] = judged.entry
    other = signed_at(ledger, wire.Roster(bytes(64)), judged.entry.seat)
    assert checked_by(ledger, other) is CheckCode.FORK
    ledger.settle(judged.entry)
    assert checked_by(ledger, other) is CheckCode.FORK
    verdict = ledger.judge(other)
    assert isinstance(verdict, Guilty)
    assert verdict.fault.entries == (first, other)
    done = ledger_until(at_phase(Phase.PLAY))
    assert checked_by(done, other) is CheckCode.FORK


def test_7_6_fork_the_same_entry_again_is_ignored() -> None:
    """However often, and whether its step is due, done, or still being judged."""
    done = ledger_until(at_phase(Phase.PLAY))
    assert all(isinstance(done.judge(each), Repeat) for each in done.entries_from(0))
    one, ben = core_at(at_phase(Phase.PLAY))
    record = list(one.record)
    one.hear(ben, wire.Entries(tuple(done.entries_from(0))[:40]))
    assert one.record == record
    assert not one.dropped


def test_7_7_link_after_another_history_is_held_and_asked_about_once() -> None:
    """A frame full of such entries costs one question, not one each."""
    one, ben = core_at(at_phase(Phase.ROSTER))
    ledger = one.core.ledger
    seat = ledger.state.roster.index(ben)
    unlinked = [
        signed_at(ledger, wire.Roster(bytes(63) + bytes([n])), seat, prev=bytes(64))
        for n in range(20)
    ]
    assert all(isinstance(ledger.judge(each), Unlinked) for each in unlinked)
    one.hear(ben, wire.Entries(tuple(unlinked)))
    assert one.core.fault is None
    assert one.said(wire.Pull) == [wire.Pull(max(0, ledger.state.step - 4), b"\x00" * 32)]


def test_a_later_step_is_held_until_it_is_due() -> None:
    """Entries that overtake others are neither lost nor judged too early."""
    one, ben = core_at(at_phase(Phase.ROSTER))
    start = one.core.state.step
    rest = [e for e in entries_of(played().sitters[0]) if start <= read_entry(e).step < start + 4]
    one.hear(ben, wire.Entries(tuple(reversed(rest))))
    assert one.core.state.step == start + 4
    assert one.core.fault is None


def test_held_entries_are_bounded_and_the_nearest_have_precedence() -> None:
    """Made-up entries of far steps fill nothing for long."""
    one, ben = core_at(at_phase(Phase.ROSTER))
    ledger = one.core.ledger
    far = [
        wire.SignedEntry(
            encode(wire.Body(bytes(64), 1_000 + n, bytes(64), 0, 0, wire.Checked(0))), bytes(64)
        )
        for n in range(HELD_ENTRIES_MAX + 50)
    ]
    for n in range(0, len(far), 200):
        one.hear(ben, wire.Entries(tuple(far[n : n + 200])))
    assert one.core._held.count == HELD_PER_PEER_MAX
    start = ledger.state.step
    rest = [e for e in entries_of(played().sitters[0]) if start <= read_entry(e).step < start + 4]
    one.hear(ben, wire.Entries(tuple(reversed(rest))))
    assert one.core.state.step == start + 4
    assert one.core._held.count <= HELD_PER_PEER_MAX


# ---- 7.8 to 7.12: what it says ---------------------------------------------------------------


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


@pytest.mark.parametrize("position", [0, 5, 27, 28, 65_535])
@pytest.mark.parametrize("tile", [(0, 0), (6, 6), (3, 5), (18, 18)])
@pytest.mark.parametrize(("train", "on"), [(0, -1), (-16, 400), (14, 0), (-1, -1)])
def test_7_11_rules_a_lay_the_rules_forbid_convicts(position, tile, train, on) -> None:
    """Whatever position, tile, train and place it names; what could be right needs a proof."""
    ledger = ledger_until(at_phase(Phase.PLAY))
    assert ledger.state.table is not None
    lay = wire.Lay(position, tile, train, on, bytes([2]) + bytes(32), bytes(98))
    found = checked_by(ledger, signed_at(ledger, lay, ledger.state.table.to_move))
    assert found in (CheckCode.RULES, CheckCode.SHAPE)
    if position >= 28 or tile == (18, 18):
        assert found is CheckCode.RULES


def _moving(ledger: Ledger) -> tuple[Driven, int]:
    """The mover of the due turn, restarted there."""
    assert ledger.state.table is not None
    seat = ledger.state.table.to_move
    key = ledger.state.seats[seat].key
    who = next(n for n, s in enumerate(played().sitters) if s.core.key == key)
    mine = [e for e in entries_of(played().sitters[who]) if read_entry(e).step < ledger.state.step]
    return driven(len(mine), who), seat


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


def test_7_12_proof_of_a_share_holds_at_its_own_step_only() -> None:
    """The shares of one draw do not serve another."""
    drawn = at_phase(Phase.DRAWN)
    ledger = ledger_until(drawn)
    first = honest_entry(ledger)
    step = ledger.state.step
    again = ledger_until(lambda state: drawn(state) and state.step > step)
    seat = next(iter(play_due(again)))
    assert checked_by(again, signed_at(again, read_entry(first).payload, seat)) is CheckCode.PROOF


# ---- 7.13, 7.14: what only the whole shows ---------------------------------------------------


def test_7_14_audit_finds_a_false_draw_that_every_proof_let_through(monkeypatch) -> None:
    """If all hand proofs were broken, opened hands would still tell; the evidence says so."""
    monkeypatch.setattr(turns, "verify_hand", lambda statement, proof: True)
    table = SimTable(standard(6, 3, 1))
    table.seat("Ann", start_at=3)
    table.seat("Ben")
    mallory = table.seat("Mallory", core_class=Mallory)

    def bend(core: Mallory, payload: wire.Payload) -> wire.Payload | None:
        state, seat = core.state, core.author.seat(core.state)
        statement = turns.hand_statement(state, turns.DrawTile(seat), "draw")
        refused = turns.why_illegal(state.table, turns.DrawTile(seat))
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


# ---- the order -------------------------------------------------------------------------------


def _breaking(first: CheckCode, ledger: Ledger) -> wire.SignedEntry:
    """An entry that breaks `first` and every check after it that can be broken as well."""
    order = [check.code for check in RECEIPT_CHECKS]
    breaks = set(order[order.index(first) :])
    state = ledger.state
    mover = state.table.to_move
    seat = mover if CheckCode.TURN not in breaks else (mover + 1) % 3
    if CheckCode.AUTHOR in breaks:
        seat = 9
    if CheckCode.FORK in breaks:
        step, seat_of_fork = state.step - 1, ledger.steps[-1][0].seat
        seat = seat if CheckCode.AUTHOR in breaks else seat_of_fork
    else:
        step = state.step
    payload: wire.Payload = wire.Lay(65_535, (18, 18), -16, 400, bytes(33), bytes(98))
    if CheckCode.KIND in breaks:
        payload = wire.KeyOpen(99, bytes(130))
    signer = STRANGER
    if CheckCode.SIGNATURE not in breaks:
        signer = holder(played(), state.seats[seat].key).signer
    body = wire.Body(
        bytes(64) if CheckCode.TABLE in breaks else state.log_id,
        step,
        bytes(64) if CheckCode.LINK in breaks else ledger.head_before(step),
        seat,
        0,
        payload,
    )
    octets = encode(body)
    if CheckCode.CANONICAL in breaks:
        octets += b"\x00"
    if CheckCode.SIZE in breaks:
        octets += bytes(ENTRY_BYTES_MAX)
    return wire.SignedEntry(octets, signer.sign(ENTRY_DOMAIN, octets))


OUTCOMES: dict[CheckCode, type[Judgement]] = {
    CheckCode.SIZE: Garbage,
    CheckCode.CANONICAL: Garbage,
    CheckCode.TABLE: Stray,
    CheckCode.AUTHOR: Stray,
    CheckCode.LINK: Unlinked,
}


@pytest.mark.parametrize(
    "check",
    [
        check.code
        for check in RECEIPT_CHECKS
        if check.code not in (CheckCode.SHAPE, CheckCode.PROOF)
    ],
    ids=lambda code: code.value,
)
def test_the_first_check_that_fails_decides(check: CheckCode) -> None:
    """An entry that breaks everything from one check on is judged by that one."""
    ledger = ledger_until(lambda s: s.phase is Phase.PLAY and s.table.turns > 3 and not s.interlude)
    judged = ledger.judge(_breaking(check, ledger))
    assert isinstance(judged, OUTCOMES.get(check, Guilty)), judged
    if isinstance(judged, Guilty):
        assert judged.fault.finding.check is check
    if isinstance(judged, Garbage):
        assert ("octets" in judged.reason) == (check is CheckCode.SIZE)
    if isinstance(judged, Stray):
        assert ("table" in judged.reason.split("author")[0]) == (check is CheckCode.TABLE)


def test_judging_changes_nothing() -> None:
    """A ledger that has refused is the ledger it was."""
    ledger = ledger_until(at_phase(Phase.PLAY))
    before: State = ledger.state
    for check in RECEIPT_CHECKS:
        if check.code not in (CheckCode.SHAPE, CheckCode.PROOF):
            ledger.judge(_breaking(check.code, ledger))
    assert ledger.state is before
    assert not ledger.slots
    assert not ledger.pending


def test_a_record_that_is_no_log_is_not_taken_up() -> None:
    """Entries that do not follow each other are `Malformed`, not a wrong table."""
    sitter = played().sitters[0]
    bad = [*sitter.record[:6], *sitter.record[7:]]
    with pytest.raises(Malformed):
        type(sitter.core).restore(
            sitter.signer, "Ann", expand(bytes(32), "x"), sitter.secret, (), bad, 0.0
        )
