"""A log read without the rules, where seats go and where polls let nobody go; and lies about it."""

import dataclasses

import pytest
from msgspec.structs import replace

from netgame.protocol.ledger.signed_log import Unsigned
from netgame.protocol.ledger.verdict import all_departures
from netgame.protocol.log.entry import read_frames, read_statement, sign_entry
from netgame.protocol.log.fault import CheckCode
from netgame.wire import messages as wire
from netgame.wire.statements import bit
from tests.netgame.games import played_without
from tests.netgame.protocol.ledger.signed import compare, opened, take
from tests.vectors.by_hand import PLAIN, ByHand
from tests.vectors.log_cases import record

COMMIT = wire.KeyCommit(0, bytes(64), b"")


def _table():
    """Three in a lobby."""
    return ByHand("signed", replace(PLAIN, seats=3)).sit()


def _read(frames):
    """The log of these frames of a record."""
    log = opened(frames)
    for payload in frames[1:]:
        take(log, payload)
    return log


def _read_of(table):
    """The log of a table that is written by hand, as far as it has come."""
    return _read(read_frames(record(table.signed))[0])


def _agreed(table, **place):
    """The statements of two of three who let the third go: promises, proposal, accepts."""
    return map(read_statement, table.decided(bit(2), voters=(0, 1), **place))


def test_who_went_is_told_as_the_fold_tells_it():
    """By whose word, in front of which step and in which round; the rules alone know the phase."""
    ann = played_without().host
    compare(ann.record)
    log, ledger = _read(ann.record), ann.ledger
    (read,), (folded,) = (
        all_departures(*of) for of in ((log, log.decisions), (ledger.state, ledger.decisions))
    )
    assert (read.phase, read.owing) == (None, False)
    assert dataclasses.replace(folded, phase=None, owing=False) == read


# ---- lies -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        lambda log: {"seat": 2},
        lambda log: {"id": log.company.epochs[-2].id},
        lambda log: {"step": log.step + 1},
    ],
    ids=["by who has gone", "under an id that is over", "for a step that is not due"],
)
def test_behind_a_decision_an_entry_is_of_its_epoch_and_step(changes):
    """With the key of its seat and everything else as it should be."""
    table = _table().form()
    table.put(*table.decided(bit(2)))
    log = _read_of(table)
    body = replace(table.body(0, COMMIT), **changes(log))
    key = log.company.now.keys[body.seat]
    signer = next(each for each in table.people if each.public_bytes == key)
    with pytest.raises(Unsigned, match="does not follow"):
        log.take(sign_entry(signer, body))
    log.take(table.entry(0, COMMIT))


def test_a_fork_is_proved_by_both_entries():
    """Which convict their author in any log that knows its key."""
    table = _table().form()
    one, other = table.entry(0, COMMIT), table.entry(0, COMMIT, prev=bytes(64))
    table.put(one)
    with pytest.raises(Unsigned, match="two different entries") as found:
        _read_of(table).take(other)
    fault = found.value.fault
    assert (fault.key, fault.finding.check) == (table.state.seats[0].key, CheckCode.FORK)
    assert fault.entries == (one, other)
    assert table.ledger.proved(fault.entries) is not None


def test_who_is_dismissed_from_the_lobby_has_no_seat_on_the_roster():
    """The others have theirs."""
    table = _table()
    _, dismissed, cy = table.state.members
    for payload in (wire.Dismiss(dismissed.key), wire.Close(b"")):
        table.write(wire.CHAIR, payload)
    assert _read_of(table).names == ("Ann", cy.name)


def test_the_chair_has_no_say_once_the_lobby_is_closed_and_nobody_else_before():
    """Under the id of the table, at the due step and behind the head."""
    table = _table()
    with pytest.raises(Unsigned, match="not there"):
        _read_of(table).take(table.entry(0, wire.Close(b""), by=wire.CHAIR))
    table.write(wire.CHAIR, wire.Close(b""))
    with pytest.raises(Unsigned, match="not there"):
        _read_of(table).take(table.entry(wire.CHAIR, wire.Roster(bytes(64))))


def test_nobody_closes_the_lobby_a_second_time_while_others_decide():
    """Not even where the decision ends the step: who goes is read by the numbers of one roster."""
    table = _table()
    table.write(wire.CHAIR, wire.Close(b""))
    log = _read_of(table)
    log.close()
    now = log.company.now
    for payload in (wire.Dismiss(now.keys[2]), wire.Dismiss(now.keys[1]), wire.Close(b"")):
        place = {"step": log.step + bool(log._due), "prev": log.head}
        log.take(table.entry(0, payload, **place))
    for each in _agreed(table, step=log.step + 1, head=log.head, last=log.step):
        log.hear(each)
    (decision,) = log.decisions
    assert decision.goes == bit(2)
    assert [each.key for each in all_departures(log, log.decisions)] == [now.keys[2]]
    assert log.company.now.here == now.keys[:2]
    assert len(log.members) == 3


def test_what_was_said_in_a_poll_that_is_over_changes_nothing():
    """Said again it is heard; with another signature nobody has said it."""
    table = _table().form()
    log = _read_of(table)
    poll = log.poll
    for each in table.signed:
        if isinstance(each, wire.SignedStatement):
            assert log.hear(read_statement(each))
            assert not log.hear(read_statement(wire.SignedStatement(each.body, bytes(64))))
    assert log.poll is poll


def test_a_farewell_of_an_epoch_that_is_over_holds_in_this_one():
    """Said at the first roster, heard in the round: for the seat that its key has now."""
    table = _table()
    early = table.fork()
    early.write(wire.CHAIR, wire.Close(b""))
    key, said = early.state.company.now.keys[0], early.parting(0)
    log = _read_of(table.form())
    assert log.poll.cut.parted() == 0
    assert log.hear(read_statement(said))
    assert log.poll.cut.parted() == bit(log.company.now.keys.index(key))


@pytest.mark.parametrize("is_at_its_end", [True, False])
def test_a_majority_stops_a_log_at_its_end_and_behind_no_head_that_it_never_had(is_at_its_end):
    """Two of three agree; what they promise of another head counts for nobody who reads this."""
    for table in (_table().form(), _table().form().commit()):
        log = _read_of(table)
        before, decided = log.head, len(log.decisions)
        for each in _agreed(table, **({} if is_at_its_end else {"head": bytes(64)})):
            assert log.hear(each)
        assert len(log.decisions) - decided == is_at_its_end
        assert log.company.now.gone == ({2} if is_at_its_end else set())
        assert is_at_its_end or log.head == before


def test_a_majority_cannot_stop_a_step_that_went_on_while_they_agreed():
    """They stop behind a step that two have written; before the last of them says so, a third has.

    Had it been done with two, the third entry would be of nobody who was due.
    """
    table = _table().form()
    table.put(*(table.entry(seat, COMMIT) for seat in (0, 1)))
    log = _read_of(table)
    *first, last = _agreed(table, step=log.step + 1, head=log.head, last=log.step)
    for each in first:
        assert log.hear(each)
    decided = len(log.decisions)
    log.take(table.entry(2, COMMIT))
    before = log.head
    assert log.hear(last)
    assert len(log.decisions) == decided
    assert log.head == before
