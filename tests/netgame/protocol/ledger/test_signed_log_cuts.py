"""A log read without the rules, where seats go and where polls let nobody go; and lies about it."""

from collections.abc import Sequence

import pytest

from netgame.protocol.ledger.signed_log import SignedLog, Unsigned
from netgame.protocol.ledger.verdict import all_departures
from netgame.protocol.log.entry import Entry, read_entry, sign_entry
from netgame.protocol.log.fault import CheckCode
from netgame.wire import messages as wire
from netgame.wire.codec import decode, decode_any
from tests.netgame.games import played, played_without
from tests.netgame.protocol.ledger.signed import compare, opened, take
from tests.netgame.protocol.peer.test_stalling import open_for_nothing
from tests.netgame.simtable import SimTable, full_table, standard


def test_polls_in_which_nobody_goes_change_nothing_but_their_number() -> None:
    """Two in one epoch, in the middle of a round that goes on behind them."""
    table = full_table(("Ann", "Ben", "Cy"), standard(9, 3, 1))
    ann, _, cy = table.sitters
    table.run(lambda: ann.core.view().table is not None)
    for _ in range(2):
        open_for_nothing(table, cy)
    table.run_game()
    assert [each.book.number for each in ann.core.ledger.decisions] == [0, 0, 1]
    compare(ann.record)


def test_who_went_is_told_as_the_fold_tells_it() -> None:
    """By whose word, in front of which step and in which round."""
    ann = played_without().sitters[0]
    compare(ann.record)
    log = opened(ann.record)
    for payload in ann.record[1:]:
        take(log, payload)
    ledger = ann.core.ledger
    assert all_departures(log, log.decisions) == all_departures(ledger.state, ledger.decisions)


# ---- lies -------------------------------------------------------------------------------------


def _cut(table: SimTable) -> tuple[SignedLog, Sequence[bytes]]:
    """The log right behind the decision by which somebody goes, and the frames that follow."""
    frames = table.sitters[0].record
    log = opened(frames)
    for at, payload in enumerate(frames[1:], 1):
        take(log, payload)
        if log.company.now.gone:
            return log, frames[at + 1 :]
    raise AssertionError("nobody goes")


def _first(frames: Sequence[bytes]) -> Entry:
    entry = next(e for e in (decode_any(p, wire.RecordFrame) for p in frames) if not _is_said(e))
    return read_entry(entry.entry)


def _is_said(frame: wire.RecordFrame) -> bool:
    return isinstance(frame, wire.RecordStatement)


def _signed(table: SimTable, key: bytes, body: wire.Body) -> wire.SignedEntry:
    return sign_entry(table.by_key[key].signer, body)


def test_who_has_gone_writes_nothing_more() -> None:
    """Under the new id in its old seat, with its own key and everything else as it should be."""
    table = played_without()
    log, following = _cut(table)
    true = _first(following)
    (gone,) = log.company.now.gone
    key = log.company.now.keys[gone]
    body = wire.Body(true.id, true.step, true.prev, gone, true.poll, true.payload)
    with pytest.raises(Unsigned, match="does not follow"):
        log.take(_signed(table, key, body))
    log.take(true.signed)


def test_nobody_writes_under_an_id_that_is_over() -> None:
    """At the due step, behind the head, with a key that has a seat under both ids."""
    table = played_without()
    log, following = _cut(table)
    true = _first(following)
    old = log.company.epochs[-2].id
    assert old != true.id
    key = log.company.now.keys[true.seat]
    body = wire.Body(old, true.step, true.prev, true.seat, true.poll, true.payload)
    with pytest.raises(Unsigned, match="does not follow"):
        log.take(_signed(table, key, body))


def test_a_step_without_an_entry_is_not_done() -> None:
    """Right behind a decision no entry may skip the due step, though it names the head."""
    table = played_without()
    log, following = _cut(table)
    true = _first(following)
    key = log.company.now.keys[true.seat]
    body = wire.Body(true.id, true.step + 1, true.prev, true.seat, true.poll, true.payload)
    with pytest.raises(Unsigned, match="does not follow"):
        log.take(_signed(table, key, body))


def test_a_fork_is_proved_by_both_entries() -> None:
    """Which convict their author in any log that knows its key."""
    table = played(3, 6, 1)
    frames = table.sitters[0].record
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
    assert fault is not None
    assert (fault.key, fault.finding.check) == (key, CheckCode.FORK)
    assert fault.entries == (one.signed, other)
    assert table.sitters[1].core.ledger.proved(fault.entries) is not None
