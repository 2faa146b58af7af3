"""Guards of a seat: it signs nothing that could convict it, and bounds what it judges."""

import pytest
from msgspec.structs import replace

from netgame.crypto.signing import make_signing_key
from netgame.limits import (
    BALLOT_PAUSE_MIN_S,
    BODIES_PER_SLOT_MAX,
    EVIDENCE_BURST,
    HELD_ENTRIES_MAX,
    PARTINGS_AHEAD_MAX,
)
from netgame.protocol.epochs.voter import best_proposal
from netgame.protocol.log.entry import Slot, read_entry, read_statement, sign_entry, sign_statement
from netgame.protocol.log.fault import CheckCode, Fault, FaultKind, Finding
from netgame.protocol.notices import FaultFound
from netgame.protocol.peer.effects import Journalled, Persist, Send
from netgame.protocol.peer.parts import leave_for_good
from netgame.protocol.peer.status.journal import InDoubt, SlotMark
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any, encode
from netgame.wire.statements import Accept, Ballot, Parting, Promise, Proposal, Statement, bit
from tests.netgame.games import Driven, driven, due_body, played
from tests.netgame.protocol.peer.test_lost_tail import back

LIAR = make_signing_key(bytes([9]) * 32)
AUDIT = Finding(CheckCode.AUDIT, "said that nothing fits, and had a tile that does")
FRAMES = 30
"""The number of frames in a log that ends when Ann alone has proved her part of the chain."""


def at_table() -> tuple[Driven, bytes, bytes]:
    """Return Ann, restarted where nothing is due from her, and the keys of Ben and Cy."""
    one = driven(FRAMES)
    ben, cy = (each.key for each in played().sitters[1:3])
    one.level(ben, cy)
    return one, ben, cy


def sign(one: Driven, key: bytes, statement: Statement) -> wire.SignedStatement:
    """Return a statement signed by the player whose key is `key`."""
    return sign_statement(played().by_key[key].signer, statement).signed


def promise(one: Driven, key: bytes, counter: int = 1, **changes: object) -> Promise:
    """Return a promise by the seat of `key` that opens one of its own ballots."""
    state, seat = one.state, one.state.seat_of(key)
    at = (state.log_id, one.ledger.poll.number, seat, Ballot(counter, seat), state.step, state.head)
    return replace(Promise(*at, state.step - 1, 0, b""), **changes)


def opens(one: Driven, key: bytes, counter: int = 1, **changes: object) -> None:
    """Let the seat of `key` open a ballot."""
    one.hear(key, wire.Statements((sign(one, key, promise(one, key, counter, **changes)),)))


def said_by(one: Driven, kind: type = object) -> list[Statement]:
    """Return Ann's statements of this kind in the open poll."""
    said = one.ledger.poll.said.values()
    return [e.statement for e in said if e.is_by(one.key) and isinstance(e.statement, kind)]


def leave(one: Driven) -> None:
    """Let Ann's player leave for good."""
    effects = one.core.act(lambda: leave_for_good(one.parts), one.now)
    assert isinstance(effects, tuple)
    one.do(effects)


def has_written(one: Driven, key: bytes) -> bool:
    """Return True if an entry of this seat is settled or pending in the due step."""
    return one.state.seat_of(key) in one.ledger.written()


def fault_of(one: Driven, key: bytes, shown: int | None = None) -> Fault:
    """Return a fault in an entry by `key`; with `shown`, one that the log up to that step shows."""
    entry = next(e for step in one.ledger.steps for e in step if one.ledger.key_of(e) == key)
    if shown is None:
        return one.ledger.fault_in(entry, AUDIT)
    return one.ledger.shown_by(shown, entry, AUDIT)


# ---- signing in a poll --------------------------------------------------------------------------


def test_a_seat_that_is_free_promises_at_once() -> None:
    """A seat that may vote promises as soon as another seat opens a ballot."""
    one, ben, _ = at_table()
    opens(one, ben)
    assert len(said_by(one, Promise)) == 1


def stopped(one: Driven) -> None:
    """Let a fault stop Ann."""
    one.context.fault = fault_of(one, played().sitters[2].key)


def forgetful(one: Driven) -> None:
    """Make Ann doubt that her journal has all that she said."""
    one.parts.journal._is_in_doubt = True


def silent(one: Driven) -> None:
    """Restart Ann's recovery, with Cy out of reach."""
    one.parts.recovery._heard.clear()
    one.parts.recovery.begin(has_journal=True)
    one.unlink(played().sitters[2].key)


def behind(one: Driven) -> None:
    """Put Ann's log behind her journal: she has signed for a step that the log lacks."""
    one.parts.journal.mark = SlotMark(one.state.log_id, one.state.step + 2)


@pytest.mark.parametrize("why", [stopped, forgetful, silent, behind])
def test_a_seat_that_may_not_vote_signs_nothing_in_a_poll(why) -> None:
    """A seat promises nothing while stopped, in doubt, behind its mark, or yet to hear others.

    A seat that is stopped, in doubt or behind its mark does not sign a parting either.
    """
    one, ben, _ = at_table()
    why(one)
    opens(one, ben)
    assert not said_by(one)
    leave(one)
    assert [type(each) for each in said_by(one)] == ([Parting] if why is silent else [])


def test_a_liar_that_outbids_itself_waits() -> None:
    """A ballot's owner gets a promise at once, but the next only after a pause."""
    one, ben, _ = at_table()
    for counter in range(1, 6):
        opens(one, ben, counter)
    assert len(said_by(one, Promise)) == 1
    one.pass_time(BALLOT_PAUSE_MIN_S * 1.01)
    assert len(said_by(one, Promise)) == 2


def accepting() -> tuple[Driven, bytes]:
    """Let Ann alone accept a proposal of Ben's; return her and the proposal's name."""
    one, ben, _ = at_table()
    opens(one, ben)
    cut, ballot = one.ledger.poll.cut, Ballot(1, one.state.seat_of(ben))
    value, counted = best_proposal(cut, ballot)
    made = Proposal(one.state.log_id, one.ledger.poll.number, ballot, *value, counted)
    signed = sign(one, ben, made)
    one.hear(ben, wire.Statements((signed,)))
    assert [each.proposal for each in said_by(one, Accept)] == [read_statement(signed).name]
    return one, read_statement(signed).name


def test_what_a_seat_accepts_is_in_its_journal_with_all_behind_it() -> None:
    """An accept is in the journal, after all the statements that it depends on."""
    one, name = accepting()
    kept = [decode_any(payload, wire.JournalFrame) for payload in one.journal]
    said = [read_statement(f.statement) for f in kept if isinstance(f, wire.RecordStatement)]
    assert [type(each.statement) for each in said] == [Promise, Promise, Proposal, Accept]
    assert name in {each.name for each in said}


def test_a_parting_names_what_its_seat_has_accepted_and_is_signed_once() -> None:
    """A parting names the proposal that its seat has accepted, and is signed only once.

    Without that name others could not count it, and a second parting would convict the seat.
    """
    one, name = accepting()
    for _ in range(2):
        leave(one)
        one.pass_time(1.0)
    (parting,) = said_by(one, Parting)
    assert parting.accepted == name
    assert parting.promised == Ballot(1, one.state.seat_of(played().sitters[1].key))


def emitted(one: Driven) -> list[object]:
    """Return a list that collects Ann's effects from now on, in order."""
    effects = list[object]()
    emit = one.context.outbox.emit
    one.context.outbox.emit = lambda effect: (effects.append(effect), emit(effect))[1]
    return effects


def test_what_a_seat_writes_is_in_its_journal_and_on_its_disk_before_it_is_sent() -> None:
    """An entry is in the journal and on the disk before it is sent, so a slot is filled once."""
    one, *others = back()
    effects = emitted(one)
    one.level(*others)
    (signed,) = {signed for message in one.said(wire.Entries) for signed in message.entries}
    assert read_entry(signed).seat == one.seat
    frame = encode(wire.RecordEntry(signed))
    places = [effects.index(each) for each in (Journalled(frame), Persist(frame, sync=True))]
    first = next(n for n, each in enumerate(effects) if carries(each, signed))
    assert max(places) < first


def carries(effect: object, signed: wire.SignedEntry) -> bool:
    """Return True if this effect sends an entry."""
    if not isinstance(effect, Send):
        return False
    message = decode_any(effect.frame, wire.LinkMessage)
    return isinstance(message, wire.Entries) and signed in message.entries


def test_a_certificate_is_on_the_disk_before_anything_follows_from_it() -> None:
    """The statements of a certificate are first written to the disk, and synced with the last."""
    one, name = accepting()
    effects, cy = emitted(one), played().sitters[2].key
    before = len(one.ledger.decisions)
    state, number = one.state, one.ledger.poll.number
    accept = Accept(state.log_id, number, state.seat_of(cy), name)
    one.hear(cy, wire.Statements((sign(one, cy, accept),)))
    (decision,) = one.ledger.decisions[before:]
    frames = [encode(wire.RecordStatement(each.signed)) for each in decision.said]
    written = [Persist(frame, sync=frame == frames[-1]) for frame in frames]
    assert effects[: len(frames)] == written


def test_a_statement_of_ours_that_the_journal_lacks_silences_us() -> None:
    """A statement of Ann's that her journal lacks binds and silences her: it may lack others."""
    one, ben, _ = at_table()
    state, seat = one.state, one.seat
    at = (state.log_id, one.ledger.poll.number, seat, Ballot(1, seat), state.step, state.head)
    own = sign_statement(played().host.signer, Promise(*at, state.step, 0, b""))
    one.hear(ben, wire.Statements((own.signed,)))
    assert own.name in one.parts.journal.statements
    assert one.parts.journal.state() == InDoubt()


# ---- judging ------------------------------------------------------------------------------------


def of_due_step(one: Driven, key: bytes) -> wire.SignedEntry:
    """Return the entry by `key` in the due step, as the game had it."""
    log = played().host.ledger
    return next(e.signed for e in log.steps[one.state.step] if log.key_of(e) == key)


def bodies(one: Driven, key: bytes, number: int) -> list[wire.SignedEntry]:
    """Return `number` bodies by `key` for its due slot, each with a false proof."""
    entry = read_entry(of_due_step(one, key))
    signer, seat = played().by_key[key].signer, one.state.seat_of(key)
    proof = entry.payload.proof
    return [
        sign_entry(
            signer,
            due_body(one.ledger, seat, wire.Proof(entry.payload.round, bytes([n]) + proof[1:])),
        )
        for n in range(number)
    ]


def test_a_seat_judges_so_many_bodies_of_a_slot_from_each_peer() -> None:
    """A seat judges a bounded number of bodies for a slot from each peer.

    A liar can sign any number, and each may cost a check of its proof.
    """
    one, ben, cy = at_table()
    judged = []
    true = one.parts.intake.accept
    one.parts.intake.accept = lambda *what: (judged.append(what), true(*what))[1]
    blamed = []
    blame = one.parts.faults.blame
    one.parts.faults.blame = lambda *what: (blamed.append(what), blame(*what))[1]
    for signed in bodies(one, cy, BODIES_PER_SLOT_MAX + 5):
        one.hear(ben, wire.Entries((signed,)))
    assert len(judged) + len(blamed) == BODIES_PER_SLOT_MAX
    assert len(judged) >= 1


def test_what_peers_have_sent_is_counted_within_bounds() -> None:
    """The counts of bodies from peers are bounded: when they are full, counting starts afresh."""
    one, ben, cy = at_table()
    counted = one.parts.intake._bodies
    for number in range(HELD_ENTRIES_MAX):
        counted[ben, Slot(bytes(64), number, 0)] = 1
    one.hear(ben, wire.Entries((bodies(one, cy, 1)[0],)))
    assert len(one.parts.intake._bodies) == 1


def test_nothing_is_taken_into_a_log_that_shows_a_fault() -> None:
    """A log that shows a fault takes no more entries, not even from a check that ends later."""
    one, ben, cy = at_table()
    signed, entry = of_due_step(one, cy), read_entry(of_due_step(one, cy))
    one.context.fault = fault_of(one, ben, shown=one.state.step - 1)
    one.hear(cy, wire.Entries((signed,)))
    assert not has_written(one, cy)
    one.ledger.pending[entry.seat] = entry
    one.parts.intake.judged(entry, None)
    assert entry.seat not in one.ledger.slots
    one.context.fault = fault_of(one, ben)
    one.parts.intake.judged(entry, None)
    assert entry.seat in one.ledger.slots, "a bad entry closes no log"


def test_a_check_that_ends_after_a_cut_settles_nothing() -> None:
    """A check that ends after a cut settles nothing: the slot may have a new entry by then."""
    one, _, cy = at_table()
    entry = read_entry(of_due_step(one, cy))
    one.parts.intake.judged(entry, None)
    assert entry.seat not in one.ledger.slots
    one.ledger.pending[entry.seat] = read_entry(bodies(one, cy, 1)[0])
    one.parts.intake.judged(entry, None)
    assert entry.seat not in one.ledger.slots


def test_who_plays_elsewhere_takes_nothing_more() -> None:
    """A process whose seat is played elsewhere takes nothing more into its record."""
    one, ben, cy = at_table()
    one.parts.lifetime.stop_here()
    one.hear(cy, wire.Entries((of_due_step(one, cy),)))
    opens(one, ben)
    assert not has_written(one, cy)
    assert not one.ledger.poll.said


def test_an_entry_that_its_author_has_promised_not_to_write_convicts_it() -> None:
    """An entry that a promise of its author rules out is accepted, and convicts the author."""
    one, _ben, cy = at_table()
    opens(one, cy)
    one.hear(cy, wire.Entries((of_due_step(one, cy),)))
    assert [(f.kind, f.key) for f in one.core.faults] == [(FaultKind.BESIDE, cy)]
    assert has_written(one, cy)


def test_partings_of_unknown_epochs_are_kept_within_bounds_and_nothing_else_is() -> None:
    """Of statements from unknown epochs, which may be made up, only a few partings are kept."""
    one, ben, _ = at_table()
    early = one.parts.decisions._early
    for number in range(2 * PARTINGS_AHEAD_MAX):
        opens(one, ben, id=bytes([number]) * 64)
    assert not early
    at, last = (one.state.step, one.state.head), one.state.step - 1
    for number in range(2 * PARTINGS_AHEAD_MAX):
        parting = Parting(bytes([number]) * 64, 0, 1, Ballot(0, 0), *at, last, b"")
        one.hear(ben, wire.Statements((sign(one, ben, parting),)))
    assert len(early[ben]) == PARTINGS_AHEAD_MAX


# ---- convicting ---------------------------------------------------------------------------------


def test_a_fault_of_our_own_key_stops_this_process_and_convicts_nobody() -> None:
    """A fault of a process's own key stops it and convicts nobody: the key has a second user."""
    one, *_ = at_table()
    one.parts.faults.convict(fault_of(one, one.key))
    assert one.parts.lifetime.is_elsewhere
    assert not one.core.faults


def test_faults_of_one_kind_are_told_once_and_of_another_again() -> None:
    """A second fault of one kind is not reported again; a fault of another kind is."""
    one, ben, _ = at_table()
    for _ in range(3):
        one.parts.faults.convict(fault_of(one, ben))
    one.pass_time(0.1)
    assert len(one.told_of(FaultFound)) == 1
    assert len(one.core.faults) == 1
    assert len(one.said(wire.Evidence)) == 2, "both others have it"
    halves = (promise(one, ben), promise(one, ben, without=bit(0)))
    for half in halves:
        one.hear(ben, wire.Statements((sign(one, ben, half),)))
    assert [fault.kind for fault in one.core.faults] == [FaultKind.BAD_ENTRY, FaultKind.PAIR]
    assert one.core.fault is one.core.faults[1], "a harmless first fault shields nothing"


def test_a_harmless_first_fault_shields_no_other_of_its_kind() -> None:
    """A harmless first fault does not hide a second one of its kind that stops the seat."""
    one, ben, _ = at_table()
    company = one.state.company
    place = company.of_id(one.state.table_id).keys.index(ben)
    old = tuple(
        sign(one, ben, promise(one, ben, id=one.state.table_id, seat=place, without=without))
        for without in (0, bit(place ^ 1))
    )
    finding = Finding(CheckCode.CUT, "signed both")
    one.parts.faults.convict(Fault(FaultKind.PAIR, finding, ben, 5, (), statements=old))
    assert [fault.kind for fault in one.core.faults] == [FaultKind.PAIR]
    assert one.core.fault is None
    for without in (0, bit(one.seat)):
        half = promise(one, ben, without=without)
        one.hear(ben, wire.Statements((sign(one, ben, half),)))
    assert [fault.kind for fault in one.core.faults] == [FaultKind.PAIR] * 2
    assert one.core.fault is one.core.faults[1]


def test_who_has_stopped_us_is_told_of_once_however_much_more_it_signs() -> None:
    """A culprit that has stopped a seat is reported once, however much more it signs."""
    one, ben, _ = at_table()
    for without in (0, bit(one.seat), bit(one.seat) | bit(3), bit(4)):
        half = promise(one, ben, without=without)
        one.hear(ben, wire.Statements((sign(one, ben, half),)))
    assert one.core.fault is not None
    assert len(one.told_of(FaultFound)) == len(one.evidence) == len(one.core.faults) == 1


def test_a_peer_that_passes_on_wrong_signatures_is_named_once() -> None:
    """A peer that passes on wrong signatures is named once, however often it comes back."""
    one, ben, cy = at_table()
    forged = wire.SignedEntry(of_due_step(one, cy).body, bytes(64))
    for _ in range(3):
        one.hear(ben, wire.Entries((forged,)))
        one.unlink(ben)
        one.link(ben)
    (told,) = one.told_of(FaultFound)
    assert (told.check, told.evidence) == ("signature", "")
    assert not one.evidence
    assert one.dropped == [ben] * 3
    assert not one.core.faults


def test_who_comes_is_shown_no_more_faults_than_it_may_tell() -> None:
    """A peer that has just linked is shown only as many faults as the allowance covers."""
    one, ben, _ = at_table()
    faults = one.parts.faults
    faults.kept = [fault_of(one, ben)] * (3 * EVIDENCE_BURST)
    one.context.convicted = frozenset({ben})
    assert len(faults.to_show()) == EVIDENCE_BURST


# ---- a peer that comes --------------------------------------------------------------------------


def test_a_peer_is_shown_what_it_has_signed_and_no_forgery() -> None:
    """A peer that links again is first sent what it has signed, without forgeries, and then a head.

    If it has forgotten that, it must not sign for the same slots again.
    """
    one, ben, cy = at_table()
    opens(one, ben)
    own = of_due_step(one, ben)
    entry = read_entry(own)
    one.ledger.pending[entry.seat] = entry
    later = due_body(one.ledger, entry.seat, wire.Checked(0), step=one.state.step + 1)
    forged = read_entry(sign_entry(LIAR, later))
    one.parts.early.keep(forged, cy)
    one.unlink(ben)
    one.sent.clear()
    one.link(ben)
    told = [message for peer, message in one.sent if peer == ben]
    kinds = [type(message) for message in told]
    assert kinds.index(wire.Entries) < kinds.index(wire.Head)
    assert kinds.index(wire.Statements) < kinds.index(wire.Head)
    shown = [signed for each in told if isinstance(each, wire.Entries) for signed in each.entries]
    assert own in shown
    assert forged.signed not in shown


def test_an_entry_of_ours_that_is_still_judged_is_dropped_by_a_parting() -> None:
    """A parting drops an entry of its own seat that is still being judged.

    Others may have sent the entry. Settled after the parting, it would convict the seat.
    """
    one, *_ = at_table()
    entry = one.ledger.slots.pop(one.seat)
    one.ledger.pending[one.seat] = entry
    leave(one)
    assert said_by(one, Parting)
    one.parts.intake.judged(entry, None)
    assert one.seat not in one.ledger.slots


def test_evidence_of_a_step_to_come_convicts_once_it_is_due() -> None:
    """Evidence of a future step convicts when that step is due, even if early entries are lost."""
    one, ben, cy = at_table()
    log, step = played().host.ledger, one.state.step + 1
    payload = wire.KeyCommit(0, bytes(64))
    at = {"step": step, "prev": log.head_before(step)}
    body = due_body(one.ledger, one.state.seat_of(cy), payload, **at)
    signed = sign_entry(played().by_key[cy].signer, body)
    one.hear(ben, wire.Evidence((signed,)))
    one.parts.early.by_step.clear()
    assert not one.core.faults
    for entry in log.steps[one.state.step]:
        one.hear(ben, wire.Entries((entry.signed,)))
    assert one.state.step == step
    assert [fault.key for fault in one.core.faults] == [cy]


def test_who_has_gone_is_convicted_no_more_and_anew_once_it_is_back() -> None:
    """A seat that has gone no longer counts as convicted, even after coming back.

    The old fault can be found again after the return, but does not convict the seat.
    """
    one, ben, _ = at_table()
    faults, state = one.parts.faults, one.state
    fault = fault_of(one, ben)
    faults.convict(fault)
    assert one.context.convicted == {ben}
    gone = state.company.without(bit(state.seat_of(ben)), state.step, state.head)
    one.ledger.state = replace(state, company=gone, step=state.step + 1)
    faults.weigh()
    assert one.context.convicted == frozenset()
    back_again = gone.with_guests(state.step + 2, (ben,))
    one.ledger.state = replace(state, company=back_again, step=state.step + 2)
    faults.convict(fault)
    assert len(one.core.faults) == 2
    assert one.context.convicted == frozenset()
