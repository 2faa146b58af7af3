"""Faults proved by a few statements, to readers who have not seen their poll [§4.7, §6.2].

Evidence contains all that is needed to prove its fault, and each reader judges it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from netgame.errors import Malformed
from netgame.protocol.epochs.company import Company
from netgame.protocol.epochs.cut import Cut
from netgame.protocol.epochs.pairs import Written, went_on
from netgame.protocol.ledger.poll import Poll, key_at, key_of
from netgame.protocol.log.entry import Entry, ReceivedStatement, read_statement
from netgame.protocol.log.fault import CheckCode, Fault, FaultKind, Finding
from netgame.wire.messages import SignedStatement
from netgame.wire.statements import Parting, Promise, Proposal


def against_entry(said: Iterable[ReceivedStatement], entry: Entry, key: bytes) -> Fault | None:
    """Return the fault that an entry and one of its seat's statements show, or None."""
    written = Written(entry.seat, entry.poll, entry.step, entry.prev)
    for each in said:
        statement = each.statement
        if not isinstance(statement, Promise | Parting) or statement.id != entry.id:
            continue
        pair = went_on(statement, written)
        if pair is not None:
            finding = Finding(CheckCode.CUT, f"signed {pair.value}")
            entries, shown = (entry.signed,), (each.signed,)
            return Fault(FaultKind.BESIDE, finding, key, entry.step, entries, statements=shown)
    return None


def evidence_of(
    company: Company, poll: Poll, signed: tuple[SignedStatement, ...], entries: tuple[Entry, ...]
) -> Fault | None:
    """Return the fault that statements prove; None if they prove none or are not validly signed.

    There are three forms: one statement and one entry of the same seat; two statements that rule
    each other out, followed by the proposals they name; or a false statement of `poll`, which comes
    last, after all that it goes back to. All may be hostile. Only the first of `entries` counts.
    """
    try:
        said = [read_statement(each) for each in signed]
    except Malformed:
        return None
    keys = [key_of(company, each.statement) for each in said]
    if not said or not all(each.is_by(key) for key, each in zip(keys, said, strict=True)):
        return None
    if entries:
        entry, key = entries[0], keys[0]
        is_of_seat = key_at(company, entry.id, entry.seat) == key
        if len(said) > 1 or not is_of_seat or not entry.is_by(key):
            return None
        return against_entry(said, entry, key)
    if len(said) > 1:
        # Statements of different seats or epochs, whose keys may differ, are never a pair.
        pair = _pair(poll, said, keys[0])
        if pair is not None:
            return pair
    return _alone(company, poll, said, keys[-1])


def _pair(poll: Poll, said: Sequence[ReceivedStatement], key: bytes) -> Fault | None:
    """Return the fault that the first two statements of `said` prove together.

    The others are the proposals that they name. None if an honest seat may sign both, or if they
    are of different seats.
    """
    # A poll of nobody, to look the named proposals up: a pair convicts no matter what else was
    # said.
    named = Poll(b"", 0, Cut(0, poll.cut.log))
    for each in said[2:]:
        if isinstance(each.statement, Proposal):
            named.add(each)
    return named.against(said[1], key, said[:1])


def _alone(
    company: Company, poll: Poll, said: Sequence[ReceivedStatement], key: bytes
) -> Fault | None:
    """Return the fault of the last statement if those before it prove it false, otherwise None.

    None, too, if it is not of this poll.
    """
    if not poll.is_of(said[-1].statement):
        return None
    old = [e for e in said if isinstance(e.statement, Parting) and not poll.is_of(e.statement)]
    alone = Poll.begin(company, poll.number, poll.cut.log, old)
    for each in said[:-1]:
        alone.add(each)
    return alone.why_false(said[-1], key)
