"""Bugs about convictions, and about which programs they stop."""

from netgame.protocol.ledger import binding
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import read_entry
from netgame.protocol.log.fault import FaultKind
from netgame.protocol.peer.entries.writer import EntrySigner
from netgame.protocol.peer.status import faults
from netgame.protocol.peer.status.faults import Faults
from netgame.protocol.state import phases
from tests.lab.simulation.planted.swaps import Swap, bug


@bug("a bad entry binds", faults, "binds")
def _bad_entry(true, ledger, fault, convicted, own, by):
    sits = ledger.state.company.now.has(fault.key) and not isinstance(ledger.state.now, phases.Over)
    is_bad = fault.kind is FaultKind.BAD_ENTRY and sits
    return is_bad or true(ledger, fault, convicted, own, by)


@bug("a fault of who has gone binds", faults, "binds")
def _gone_binds(true, ledger, fault, convicted, own, by):
    company = ledger.state.company
    has_gone = bool(company.sessions) and not company.now.has(fault.key)
    is_fork = fault.kind is FaultKind.FORK and not isinstance(ledger.state.now, phases.Over)
    return (is_fork and has_gone) or true(ledger, fault, convicted, own, by)


@bug("a fork of an old epoch binds", binding, "_is_open_fork")
def _old_fork(true, ledger, fault, own, by):
    one = read_entry(fault.entries[0])
    return one.id != ledger.state.company.now.id or true(ledger, fault, own, by)


@bug("a second body is taken for good unjudged", Ledger, "would_stand")
def _unjudged(self, entry, by):
    return True


@bug("a fork binds nobody", binding, "_is_open_fork")
def _harmless(ledger, fault, own, by):
    return False


@bug("two statements bind for ever", binding, "_is_followed_by_too_few")
def _for_ever(ledger, fault, epoch, own):
    return True


@bug("a convicted key is not missed", Faults, "_weigh")
def _forgiven(true, self, told=None):
    true(self, told)
    self.context.convicted = frozenset()


@bug("a program that a fault stops signs on")
def _signs_on() -> list[Swap]:
    may_write = EntrySigner.may_write

    def wrong(self):
        fault, self.context.fault = self.context.fault, None
        may = may_write(self)
        self.context.fault = fault
        return may

    return [(EntrySigner, "may_write", wrong)]
