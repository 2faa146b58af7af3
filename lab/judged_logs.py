"""Replay logs that have been judged already, and copy them to continue in a different way."""

from collections.abc import Iterable, Iterator
from copy import copy
from typing import TypeVar

from msgspec.structs import replace

from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.poll import Poll
from netgame.protocol.log.entry import read_statement
from netgame.protocol.log.fault import Accepted
from netgame.protocol.log.steps import NO_RECORD, Steps
from netgame.wire.messages import RecordEntry, RecordStatement

T = TypeVar("T")


class TrustingLedger(Ledger):
    """A log that never waits for the check of a chain."""

    def is_waiting(self) -> bool:
        """Return False: this log never waits for a chain."""
        return False


def growing(ledger: Ledger, frames: Iterable[RecordEntry | RecordStatement]) -> Iterator[Ledger]:
    """Add these frames to the log; yield it before each of them and after the last.

    It is the same object each time. Raise AssertionError if the log does not accept an entry.
    """
    for frame in frames:
        yield ledger
        if isinstance(frame, RecordStatement):
            ledger.hear(read_statement(frame.statement))
            ledger.decide()
            continue
        judged = ledger.judge(frame.entry)
        assert isinstance(judged, Accepted), judged
        ledger.settle(judged.entry)
        if ledger.chain is not None:
            ledger.pass_chain(ledger.chain)
    yield ledger


def same_log(ledger: Ledger, *, trusting: bool = False) -> Ledger:
    """Return a copy of the log that can be continued in a different way.

    A `trusting` copy never waits for the check of a chain.
    """
    kind = TrustingLedger if trusting else type(ledger)
    other = _same(ledger, kind)
    other.past = _same(ledger.past, type(ledger.past))
    other.past.steps = Steps(NO_RECORD)
    for step in ledger.steps:
        for entry in step:
            other.steps.write(entry)
        other.steps.close(step)
    for entry in ledger.slots.values():
        other.steps.write(entry)
    other.poll = _same_poll(ledger.poll, other)
    decisions = ledger.decisions
    other.decisions = [each._replace(book=_same_poll(each.book, other)) for each in decisions]
    return other


def _same(one: T, kind: type[T]) -> T:
    """Return a `kind` with the same attributes: lists and dicts copied, other values shared."""
    other = kind.__new__(kind)
    for name, value in vars(one).items():
        setattr(other, name, copy(value) if isinstance(value, (list, dict)) else value)
    return other


def _same_poll(poll: Poll, ground: Ledger) -> Poll:
    """Return a copy of a poll with the same statements, over another log."""
    cut = replace(
        poll.cut,
        log=ground,
        statements={**poll.cut.statements},
        _validity={**poll.cut._validity},
        _waiting={},
    )
    return Poll(poll.id, poll.number, cut, {**poll.said})
