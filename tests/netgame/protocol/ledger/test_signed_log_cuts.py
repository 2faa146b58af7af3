"""A log read without the rules, where seats go and where polls let nobody go; and lies about it."""

import pytest

from netgame.protocol.ledger.signed_log import Unsigned
from netgame.protocol.ledger.verdict import all_departures
from netgame.protocol.log.entry import (
    GENESIS,
    read_entry,
    read_statement,
    sign_entry,
    sign_statement,
)
from netgame.protocol.log.fault import CheckCode
from netgame.wire import messages as wire
from netgame.wire.codec import decode, decode_any
from netgame.wire.statements import Accept, Ballot, Parting, Promise, Proposal, bit
from tests.netgame.games import played, played_without
from tests.netgame.protocol.happenings import numbers_of
from tests.netgame.protocol.ledger.signed import compare, opened, take


def test_who_went_is_told_as_the_fold_tells_it():
    """By whose word, in front of which step and in which round."""
    ann = played_without().host
    compare(ann.record)
    log = opened(ann.record)
    for payload in ann.record[1:]:
        take(log, payload)
    ledger = ann.ledger
    assert all_departures(log, log.decisions) == all_departures(ledger.state, ledger.decisions)


# ---- lies -------------------------------------------------------------------------------------


def _cut(table):
    """The log right behind the decision by which somebody goes, and the frames that follow."""
    frames = table.host.record
    log = opened(frames)
    for at, payload in enumerate(frames[1:], 1):
        take(log, payload)
        if log.company.now.gone:
            return log, frames[at + 1 :]
    raise AssertionError("nobody goes")


def _first(frames):
    entry = next(e for e in (decode_any(p, wire.RecordFrame) for p in frames) if not _is_said(e))
    return read_entry(entry.entry)


def _is_said(frame):
    return isinstance(frame, wire.RecordStatement)


def _signed(table, key, body):
    return sign_entry(table.by_key[key].signer, body)


@pytest.mark.parametrize(
    "changes",
    [
        lambda log, true: {"seat": min(log.company.now.gone)},
        lambda log, true: {"id": log.company.epochs[-2].id},
        lambda log, true: {"step": true.step + 1},
    ],
    ids=["by who has gone", "under an id that is over", "for a step that is not due"],
)
def test_behind_a_decision_an_entry_is_of_its_epoch_and_step(changes):
    """With the key of its seat and everything else as it should be."""
    table = played_without()
    log, following = _cut(table)
    true = _first(following)
    fields = {"seat": true.seat, "id": true.id, "step": true.step, **changes(log, true)}
    body = wire.Body(prev=true.prev, poll=true.poll, payload=true.payload, **fields)
    with pytest.raises(Unsigned, match="does not follow"):
        log.take(_signed(table, log.company.now.keys[body.seat], body))
    log.take(true.signed)


def test_a_fork_is_proved_by_both_entries():
    """Which convict their author in any log that knows its key."""
    table = played(3, 6, 1)
    frames = table.host.record
    log = opened(frames)
    for payload in frames[1:12]:
        take(log, payload)
    one = read_entry(decode(frames[11], wire.RecordEntry).entry)
    key = log.company.at(one.step).keys[one.seat]
    body = wire.Body(one.id, one.step, bytes(64), one.seat, one.poll, one.payload)
    other = _signed(table, key, body)
    with pytest.raises(Unsigned, match="two different entries") as found:
        log.take(other)
    fault = found.value.fault
    assert (fault.key, fault.finding.check) == (key, CheckCode.FORK)
    assert fault.entries == (one.signed, other)
    assert table.sitters[1].ledger.proved(fault.entries) is not None


def _read(frames, count):
    """The log of so many entries or statements."""
    log = opened(frames)
    for payload in frames[1 : count + 1]:
        take(log, payload)
    return log


def test_who_is_dismissed_from_the_lobby_has_no_seat_on_the_roster():
    """The others have theirs."""
    table = played(3, 6, 1)
    frames = table.host.record
    log = _read(frames, 4)
    ben = log.members[1]
    body = wire.Body(log.company.now.id, 4, log.head, wire.CHAIR, 0, wire.Dismiss(ben.key))
    log.take(_signed(table, log.host, body))
    closes = wire.Body(log.company.now.id, 5, log.head, wire.CHAIR, 0, wire.Close(b""))
    log.take(_signed(table, log.host, closes))
    assert log.names == ("Ann", "Cy")


def test_the_chair_has_no_say_once_the_lobby_is_closed():
    """Under the id of the table, at the due step and behind the head."""
    table = played(3, 6, 1)
    frames = table.host.record
    log = _read(frames, 5)
    true = read_entry(decode(frames[6], wire.RecordEntry).entry)
    assert isinstance(true.payload, wire.Roster)
    body = wire.Body(true.id, true.step, true.prev, wire.CHAIR, 0, true.payload)
    with pytest.raises(Unsigned, match="not there"):
        log.take(_signed(table, log.host, body))


def test_nobody_closes_the_lobby_a_second_time_while_others_decide():
    """Not even where the decision ends the step: who goes is read by the numbers of one roster."""
    table = played(3, 6, 1)
    log = _read(table.host.record, 5)
    log.close()
    now = log.company.now
    signer = table.by_key[now.keys[0]].signer
    for payload in (wire.Dismiss(now.keys[2]), wire.Dismiss(now.keys[1]), wire.Close(b"")):
        body = wire.Body(now.id, log.step + bool(log._due), log.head, 0, 0, payload)
        log.take(sign_entry(signer, body))
    for each in _agreed(table, log, log.step + 1, log.head):
        log.hear(each)
    (decision,) = log.decisions
    assert decision.goes == bit(2)
    assert [each.key for each in all_departures(log, log.decisions)] == [now.keys[2]]
    assert log.company.now.here == now.keys[:2]


def test_what_was_said_in_a_poll_that_is_over_changes_nothing():
    """Said again it is heard; with another signature nobody has said it."""
    frames = played(3, 6, 1).host.record
    log = _read(frames, len(frames) - 1)
    poll = log.poll
    said = [e for e in (decode_any(p, wire.RecordFrame) for p in frames) if _is_said(e)]
    for each in said:
        assert log.hear(read_statement(each.statement))
        forged = wire.SignedStatement(each.statement.body, bytes(64))
        assert not log.hear(read_statement(forged))
    assert log.poll is poll


def test_a_farewell_of_an_epoch_that_is_over_holds_in_this_one():
    """Said at the first roster, heard in the round: for the seat that its key has now."""
    table = played(3, 6, 1)
    frames = table.host.record
    log = _read(frames, len(frames) - 9)
    roster = next(each for each in log.company.epochs if each.keys)
    key = roster.keys[0]
    said = Parting(roster.id, 0, 0, Ballot(0, 0), roster.first, GENESIS, roster.first - 1, b"")
    assert log.poll.cut.parted() == 0
    assert log.hear(sign_statement(table.by_key[key].signer, said))
    assert log.poll.cut.parted() == bit(log.company.now.keys.index(key))


def _agreed(table, log, step, head):
    """What two of three sign who let the third go there: promises, proposal, accepts."""
    now, number, ballot = log.company.now, log.poll.number, Ballot(1, 0)
    place = (step, head, step - 1, bit(2), b"")
    promises = [Promise(now.id, number, seat, ballot, *place) for seat in (0, 1)]
    signers = [table.by_key[now.keys[seat]].signer for seat in (0, 1)]
    said = [sign_statement(*each) for each in zip(signers, promises, strict=True)]
    names = tuple(each.name for each in said)
    proposal = Proposal(now.id, number, ballot, bit(2), step, head, names)
    said.append(sign_statement(signers[0], proposal))
    accepts = (Accept(now.id, number, seat, said[2].name) for seat in (0, 1))
    return [*said, *(sign_statement(*each) for each in zip(signers, accepts, strict=True))]


@pytest.mark.parametrize("is_at_its_end", [True, False])
def test_a_majority_stops_a_log_at_its_end_and_behind_no_head_that_it_never_had(is_at_its_end):
    """Two of three agree; what they promise of another head counts for nobody who reads this."""
    table = played(3, 6, 1)
    frames = table.host.record
    log = _read(frames, len(frames) - 9)
    before, decided = log.head, len(log.decisions)
    last = read_entry(decode(frames[len(frames) - 9], wire.RecordEntry).entry)
    for each in _agreed(table, log, log.step, last.prev if is_at_its_end else bytes(64)):
        assert log.hear(each)
    assert len(log.decisions) - decided == is_at_its_end
    assert log.company.now.gone == ({2} if is_at_its_end else set())
    assert is_at_its_end or log.head == before


def test_a_majority_cannot_stop_a_step_that_went_on_while_they_agreed():
    """They stop behind a step that two have written; before the last of them says so, a third has.

    Had it been done with two, the third entry would be of nobody who was due.
    """
    table = played(3, 6, 1)
    frames = table.host.record
    at = numbers_of(frames, wire.KeyOpen)[0]
    log = _read(frames, at + 1)
    *first, last = _agreed(table, log, log.step + 1, log.head)
    for each in first:
        assert log.hear(each)
    decided = len(log.decisions)
    take(log, frames[at + 2])
    before = log.head
    assert log.hear(last)
    assert len(log.decisions) == decided
    assert log.head == before
