"""Entries that are, could be or were in a ledger's log: forks, void slots, statements."""

import pytest
from msgspec.structs import replace

from netgame.crypto.coin import coin_commitment
from netgame.crypto.signing import make_signing_key
from netgame.crypto.transcript import expand
from netgame.protocol.ledger.binding import is_since_seated
from netgame.protocol.ledger.poll import Reception
from netgame.protocol.log.entry import read_entry, read_statement, sign_entry, sign_statement
from netgame.protocol.log.fault import (
    CheckCode,
    Fault,
    FaultKind,
    Finding,
    Guilty,
    Repeat,
    Stray,
    fork,
)
from netgame.protocol.state.lobby import agreed_digest
from netgame.wire import messages as wire
from netgame.wire.statements import bit
from tests.vectors.by_hand import PLAIN, ByHand

ANN, BEN, CY = range(3)
LIAR = make_signing_key(bytes([9]) * 32)
WEIGHTS = expand(bytes(32), "weights")
LOW, HIGH = (1, ANN), (2, BEN)


@pytest.fixture(scope="module")
def table():
    """A table of three whose seats must now commit to a round key."""
    return ByHand("what could stand", replace(PLAIN, seats=3)).sit().form()


@pytest.fixture
def log(table):
    """A copy of that table, which a test may continue."""
    return table.fork()


def commitment(number):
    """Return a commitment to a key; any octets will do."""
    return wire.KeyCommit(0, bytes([number]) * 64)


def judged_by(log, signed):
    """Return the check that convicts the author of an entry."""
    judged = log.ledger.judge(signed)
    assert isinstance(judged, Guilty), judged
    return judged.fault.finding.check


# ---- two bodies for one slot --------------------------------------------------------------------


def test_two_bodies_are_a_fork_though_they_say_the_same(log):
    """Two bodies with the same payload are a fork if they name different heads (check 7.6).

    Each of them is good in one of two logs.
    """
    log.put(log.entry(BEN, commitment(1)))
    assert isinstance(log.ledger.judge(log.entry(BEN, commitment(1))), Repeat)
    assert judged_by(log, log.entry(BEN, commitment(1), prev=bytes(64))) is CheckCode.FORK


def without_cy(log):
    """Let Ann and Cy write, and the others go on without Cy; return Cy's entry, which is void."""
    void = log.entry(CY, commitment(1))
    log.put(log.entry(ANN, commitment(1)), void)
    log.put(*log.decided(bit(CY), last=log.state.step))
    assert log.state.company.now.gone == {CY}
    return void


def test_a_second_body_for_a_void_slot_convicts_by_its_signature_alone(log):
    """A second body for a void slot convicts if its own author has signed it.

    A repeat of the void entry is not a fork.
    """
    at, signer = log.body(CY, commitment(2)), log.signer(CY)
    void = without_cy(log)
    assert len(log.ledger.void) == 2, "what stood in the due step"
    assert isinstance(log.ledger.judge(void), Stray)
    assert isinstance(log.ledger.judge(sign_entry(LIAR, at)), Stray)
    assert judged_by(log, sign_entry(signer, at)) is CheckCode.FORK


def test_what_a_cut_has_made_void_is_remembered_of_done_steps_too(log):
    """A cut remembers the entries it makes void in past steps, and drops those yet to be judged."""
    head, step = log.state.head, log.state.step
    log.all_write(lambda _: commitment(1))
    log.ledger.unjudged.append((read_entry(log.entry(ANN, commitment(3))), None))
    log.put(*log.decided(bit(CY), step=step, head=head, last=step))
    assert {slot.step for slot in log.ledger.void} == {step}
    assert len(log.ledger.void) == 3
    assert log.ledger.unjudged == []
    assert not log.ledger.holds(step, head), "that cut is not made again"


def test_no_two_bodies_of_an_unknown_epoch_convict(log):
    """Two bodies of an unknown epoch convict nobody: the seat may belong to another key there."""
    one, other = (log.entry(BEN, commitment(n), id=bytes(64)) for n in (1, 2))
    assert log.ledger.proved((one, other)) is None
    one, other = (log.entry(BEN, commitment(n)) for n in (1, 2))
    assert log.ledger.proved((one, other)).key == log.signer(BEN).public_bytes
    assert log.ledger.proved((one, one)) is None


# ---- what would stand ---------------------------------------------------------------------------


def would(log, signed):
    """Return True if the ledger expects that this entry would count."""
    return log.ledger.would_stand(read_entry(signed), WEIGHTS)


def test_a_body_would_stand_where_it_is_due_and_follows(log):
    """An entry would count if it links to the log, its author is due, and it passes 7.9 to 7.12."""
    assert would(log, log.entry(BEN, commitment(1)))
    assert not would(log, log.entry(BEN, commitment(1), prev=bytes(64)))
    assert not would(log, log.entry(BEN, wire.Checked(0)))
    assert not would(log, log.entry(7, commitment(1), by=BEN))
    log.all_write(lambda _: commitment(1))
    assert not would(log, log.entry(BEN, wire.KeyOpen(0, bytes(130))))


def test_a_false_proof_would_not_stand_though_it_waits_to_be_judged(log):
    """An entry with a false proof would not count, even while it is pending.

    An entry with a good proof would, and so does one that is already in the log.
    """
    log.commit()
    good = log.opening(BEN)
    lie = wire.KeyOpen(0, good.opening[:-1] + bytes([good.opening[-1] ^ 1]))
    signed = log.entry(BEN, lie)
    assert not would(log, signed)
    log.ledger.pending[BEN] = read_entry(signed)
    assert not would(log, signed)
    del log.ledger.pending[BEN]
    assert would(log, log.entry(BEN, good))
    standing = log.ledger.steps[log.state.step - 1][0]
    assert log.ledger.would_stand(standing, WEIGHTS)


def test_a_fault_is_shown_by_the_step_that_stood_then(log):
    """The log shows a fault until a cut makes its step void; a new step of that number does not."""
    step, before = log.state.step, log.state.head
    log.all_write(lambda _: commitment(1))
    entry = log.ledger.steps[step][CY]
    fault = log.ledger.shown_by(step, entry, Finding(CheckCode.AUDIT, "lied"))
    assert log.ledger.shows(fault)
    assert fault.kind is FaultKind.SHOWN
    log.put(*log.decided(bit(CY), step=step, head=before, last=step))
    assert log.state.step > step
    assert not log.ledger.shows(fault)


# ---- hearing a poll -----------------------------------------------------------------------------


def hear(log, signed):
    """Let the ledger hear a statement; return its reception, or the fault that it proves."""
    return log.ledger.hear(read_statement(signed))


def test_only_the_authors_of_statements_are_heard(log):
    """A forged statement is not kept; a statement of a later poll or another epoch waits."""
    said = read_statement(log.promise(BEN)).statement
    assert log.ledger.hear(sign_statement(LIAR, said)) is Reception.FORGED
    assert not log.ledger.poll.said
    assert hear(log, log.promise(BEN, poll=1)) is Reception.LATER
    assert hear(log, log.promise(BEN, id=bytes(64))) is Reception.LATER
    assert hear(log, log.promise(BEN)) is Reception.NEWS


def test_neither_a_pair_nor_what_is_false_is_held(log):
    """A poll keeps the first half of a pair, but not the second, and no false statement."""
    first = log.promise(BEN)
    assert hear(log, first) is Reception.NEWS
    assert hear(log, log.promise(BEN, without=bit(CY))).kind is FaultKind.PAIR
    other = log.promise(ANN, (1, BEN), bit(CY))
    assert hear(log, other) is Reception.NEWS
    false = log.proposal((1, BEN), bit(CY), [first, other])
    assert hear(log, false).kind is FaultKind.FALSE_STATEMENT
    assert len(log.ledger.poll.said) == 2


def test_an_entry_behind_another_head_goes_against_a_promise_that_comes_later(log):
    """An entry convicts its author if a later promise of theirs has a different head there."""
    log.put(log.entry(BEN, commitment(1)))
    promise = log.promise(BEN, head=bytes([3]) * 64, last=log.state.step)
    fault = hear(log, promise)
    assert (fault.kind, fault.key) == (FaultKind.BESIDE, log.signer(BEN).public_bytes)
    assert read_statement(promise).name in log.ledger.poll.said, "others count it"
    assert hear(log, log.promise(ANN)) is Reception.NEWS


def test_each_entry_behind_the_last_that_was_promised_goes_against_it(log):
    """An entry after a promise's `last` convicts, even with no entry at the promise's `step`."""
    last = log.state.step - 1
    log.all_write(lambda _: commitment(1))
    assert hear(log, log.promise(BEN, last=last)).kind is FaultKind.BESIDE
    assert hear(log, log.promise(ANN)) is Reception.NEWS


def test_a_parting_of_somebody_who_has_gone_is_no_news(log):
    """The parting of a seat that has gone is known, so a repeat of it is not news.

    Signed by another seat, it is forged.
    """
    parting = log.parting(CY)
    log.put(*log.decided(bit(CY)))
    assert [hear(log, parting) for _ in range(3)][1:] == [Reception.KNOWN, Reception.KNOWN]
    other = log.fork()
    other.put(*other.decided())
    late = log.say(BEN, read_statement(parting).statement)
    assert hear(other, late) is Reception.FORGED
    assert other.ledger.poll.with_parting(other.state.company, read_statement(parting)) is None


def test_a_late_parting_goes_against_what_its_seat_has_signed_since(log):
    """A late parting and a promise in a later poll are a pair, and the poll drops the parting."""
    old = log.parting(BEN)
    log.put(*log.decided(voters=[ANN, CY]))
    assert log.ledger.poll.number == 1
    assert hear(log, log.promise(BEN)) is Reception.NEWS
    assert hear(log, old).kind is FaultKind.PAIR
    assert read_statement(old).name not in log.ledger.poll.said


def test_a_decision_about_a_step_that_has_not_come_here_waits(log):
    """A decision about a step that the log has not reached yet waits; no seat leaves until then."""
    behind = log.fork()
    log.all_write(lambda _: commitment(1))
    first = [log.promise(seat, LOW, bit(CY)) for seat in (ANN, BEN)]
    made = log.proposal(LOW, bit(CY), first)
    named = {"accepted": log.name_of(made)}
    again = [log.promise(seat, HIGH, bit(CY), **named) for seat in (ANN, BEN)]
    forced = log.proposal(HIGH, bit(CY), again)
    accepts = [log.accept(seat, forced) for seat in (ANN, BEN)]
    for each in (*first, made, *again, forced, *accepts):
        hear(behind, each)
    assert behind.ledger.decide() is None
    assert behind.state.company.now.gone == set()


def test_a_wall_is_a_step_that_all_have_signed(log):
    """No cut goes back beyond a step that all have signed; other steps set no such limit."""
    ends = [(log.state.step, log.state.head)]

    def goes_on():
        ends.append((log.state.step, log.state.head))
        return [log.ledger.holds(*end) for end in ends]

    log.commit()
    assert goes_on() == [True, True]
    openings = {seat: log.opening(seat) for seat in log.state.present}
    log.all_write(openings.get)
    assert goes_on() == [False, True, True]
    log.write(log.state.deal.authors[0], deck(log))
    assert goes_on() == [False, True, True, True]


def deck(log):
    """Return the first deck of a deal, as its author makes it."""
    fork = log.fork()
    fork.mixed()
    return fork.ledger.steps[log.state.step][0].payload


def test_a_poll_about_the_step_before_opens_no_session():
    """A poll about the step before the coin fell opens no session; the next poll does."""
    log = ByHand("an early poll", replace(PLAIN, seats=3)).sit()
    log.write(255, wire.Close(b""))
    coin, forming = log.draw(32), log.state
    log.all_write(lambda _: wire.Roster(agreed_digest(forming)))
    keys, id_ = log.state.company.now.keys, log.state.log_id
    log.all_write(lambda seat: wire.CoinCommit(coin_commitment(id_, keys[seat], coin)))
    step, head = log.state.step, log.state.head
    log.all_write(lambda _: wire.CoinReveal(coin))
    log.put(*log.decided(step=step, head=head, last=step))
    assert log.ledger.poll.number == 1
    assert log.state.log_id == id_
    assert not log.state.company.sessions
    log.put(*log.decided())
    assert log.state.company.sessions


def test_a_check_that_ends_late_convicts_nobody_of_another_proof(log):
    """A check that ends late convicts a seat only if the proof it judged is still in the log."""
    log.commit()
    openings = {seat: log.opening(seat) for seat in log.state.present}
    log.all_write(openings.get)
    proofs = log.mixed()
    for seat in log.state.deal.authors:
        log.write(seat, proofs[seat])
    deal = log.state.deal
    stands = log.ledger.proofs(deal)
    finding = Finding(CheckCode.SHUFFLE, "shuffled falsely")
    assert log.ledger.chain_fault(deal, stands, CY, finding).key == log.signer(CY).public_bytes
    others = (*stands[:-1], replace(stands[-1], proof=bytes(len(stands[-1].proof))))
    assert log.ledger.chain_fault(deal, others, CY, finding) is None


# ---- convictions and the seat they are of ------------------------------------------------------


def test_a_fault_counts_for_the_seat_that_its_author_had_then(log):
    """A fault counts only for the seat that its author had at the time, not for a later one."""
    key, step = log.signer(CY).public_bytes, log.state.step
    one, other = (read_entry(log.entry(CY, commitment(n))) for n in (1, 2))
    said = [log.promise(CY), log.promise(CY, without=bit(BEN))]
    forked = fork(one, other, key)
    pair = Fault(FaultKind.PAIR, _FORKED, key, step, (), statements=tuple(said))
    company = log.state.company
    assert is_since_seated(company, forked)
    assert is_since_seated(company, pair)
    gone = company.without(bit(CY), step, bytes(64))
    back = gone.with_guests(step + 5, (key,))
    for each in (forked, pair):
        assert not is_since_seated(gone, each)
        assert not is_since_seated(back, each)
    for changes, is_since in (
        ({"id": gone.now.id, "step": step + 1}, False),
        ({"id": company.now.id, "step": step + 9}, False),
        ({"id": gone.now.id, "step": step + 9}, True),
    ):
        again = (read_entry(log.entry(CY, commitment(n), **changes)) for n in (1, 2))
        assert is_since_seated(back, fork(*again, key)) == is_since


_FORKED = Finding(CheckCode.CUT, "signed two promises")
