"""Bugs in how a peer checks the entries of others, and in whom it blames for a false one."""

from msgspec.structs import replace

from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import Entry
from netgame.protocol.log.fault import Repeat
from netgame.protocol.peer.entries.writer import DeckWork
from netgame.protocol.peer.status.faults import Faults
from netgame.protocol.peer.sync.intake import Intake
from tests.lab.simulation.planted.swaps import bug


@bug("a second entry in a slot is let be", Ledger, "_judge_signed")
def _forks_pass(true, self, entry, key):
    return true(self, entry, key) if self.slot(entry.step, entry.seat) is None else Repeat()


@bug("proofs are not looked at", Intake, "accept")
def _unproved(true, self, entry, judging, sender):
    return true(self, entry, None, sender)


@bug("shuffles are not checked", DeckWork, "checked")
def _unchecked(true, self, this, proofs, found):
    return true(self, this, proofs, None)


@bug("signatures are not checked", Entry, "is_by")
def _unsigned(self, key):
    return True


@bug("the wrong seat is blamed", Faults, "convict")
def _scapegoat(true, self, fault):
    seats = self.context.state.seats
    true(self, replace(fault, key=seats[0].key if seats else fault.key))


@bug("evidence is empty", Faults, "convict")
def _empty_evidence(true, self, fault):
    true(self, replace(fault, entries=()))


@bug("who passes on an entry is blamed for it", Faults, "blame")
def _messenger(true, self, fault, sender):
    true(self, replace(fault, key=sender) if sender is not None else fault, sender)
