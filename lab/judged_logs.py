"""Logs that somebody has judged before: read again without waiting, and gone on from twice."""

from copy import copy

from netgame.protocol.epochs.cut import Cut
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.poll import Poll
from netgame.protocol.log.steps import NO_SHELF, Steps


class TrustingLedger(Ledger):
    """A log that waits for no chain to be checked."""

    def is_waiting(self) -> bool:
        """Never."""
        return False


def same_log(ledger: Ledger, *, trusting: bool = False) -> Ledger:
    """The same log, to go on in another way; a `trusting` one waits for no chain."""
    kind = TrustingLedger if trusting else type(ledger)
    other = kind.__new__(kind)
    for name, value in vars(ledger).items():
        # What is frozen may be shared.
        setattr(other, name, copy(value) if isinstance(value, (list, dict)) else value)
    other.steps = Steps(NO_SHELF)
    for step in ledger.steps:
        for entry in step:
            other.steps.write(entry)
        other.steps.close(step)
    for entry in ledger.slots.values():
        other.steps.write(entry)
    other.poll = _same_poll(ledger.poll, other)
    return other


def _same_poll(poll: Poll, ledger: Ledger) -> Poll:
    cut = Cut(poll.cut.company, ledger, dict(poll.cut.carried), poll.cut.guests)
    other = Poll(poll.id, poll.number, cut)
    for each in poll.said.values():
        other.add(each)
    return other
