"""Old steps are read from the record again; memory drops only entries that the record has."""

import pytest

from netgame.errors import DiskTrouble
from netgame.limits import ENTRIES_AT_HAND
from netgame.protocol.log.entry import read_entry
from netgame.protocol.log.steps import Steps
from netgame.wire.codec import decode_any
from netgame.wire.messages import RecordEntry, RecordStatement
from tests.netgame.games import entries_in
from tests.netgame.small_games import late_table


@pytest.fixture(scope="module", name="sitter")
def _sitter():
    table = late_table(rounds=4)
    table.run_game()
    return table.sitters[1]


def shelf_of(record):
    """Return a function that takes an index: it returns that payload, or None beyond the last."""
    return lambda number: record[number] if number < len(record) else None


def replayed(sitter, record):
    """Return the steps of a sitter's log, built up entry by entry; `record` reads old payloads."""
    log, steps = sitter.ledger.steps, Steps(record)
    for payload in sitter.record[1:]:
        frame = decode_any(payload, RecordEntry | RecordStatement)
        if isinstance(frame, RecordStatement):
            steps.note()
            continue
        entry = read_entry(frame.entry)
        if entry.step > len(steps):
            steps.close(log[len(steps)])
        steps.write(entry)
    steps.close(log[-1])
    return steps


def test_old_entries_are_read_again_where_they_stand(sitter):
    """Old entries are read from the record in any order, and only a few stay in memory."""
    log = list(sitter.ledger.steps)
    asked = set[int]()
    shelf = shelf_of(sitter.record)

    def counted(number):
        asked.add(number)
        return shelf(number)

    steps = replayed(sitter, counted)
    entries = sum(map(len, log))
    assert entries > 2 * ENTRIES_AT_HAND
    numbers = [n for n, payload in enumerate(sitter.record) if entries_in((payload,))]
    assert asked == set(numbers[:-ENTRIES_AT_HAND])
    assert list(steps) == log
    assert list(reversed(steps)) == log[::-1]
    assert steps[2:5] == log[2:5]
    assert steps[-1] == log[-1]
    with pytest.raises(IndexError):
        _ = steps[len(log)]


def test_what_is_not_on_the_disk_yet_is_kept(sitter):
    """Entries that the disk does not have yet, or has with other octets, stay in memory."""
    log, written = list(sitter.ledger.steps), list[bytes]()
    assert list(replayed(sitter, shelf_of(written))) == log
    other = [payload[:-1] + bytes([payload[-1] ^ 1]) for payload in sitter.record]
    assert list(replayed(sitter, shelf_of(other))) == log


def test_a_file_that_was_changed_behind_us_is_trouble(sitter):
    """Reading an old step that the file has lost raises DiskTrouble; recent steps can be read."""
    log, record = list(sitter.ledger.steps), list(sitter.record)
    steps = replayed(sitter, shelf_of(record))
    record.clear()
    assert steps[-1] == log[-1]
    with pytest.raises(DiskTrouble, match="cannot be read any more"):
        _ = steps[0]


def test_a_peer_with_a_disk_holds_few_entries_of_a_long_game():
    """A peer with a disk keeps few entries of a long game in memory, but can read all of them."""
    table = late_table(rounds=4)
    ann, ben = table.sitters
    for sitter in table.sitters:
        sitter.context.record = shelf_of(sitter.record)
    table.run_game()
    entries = list(ann.ledger.entries_from(0))
    assert len(entries) > 3 * ENTRIES_AT_HAND
    assert len(ann.ledger.steps._at_hand) <= ENTRIES_AT_HAND
    assert len(ann.parts.journal._slots) < len(entries) / 2
    assert entries == list(ben.ledger.entries_from(0))
