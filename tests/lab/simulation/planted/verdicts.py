"""What others send: checked, and blamed on the one who signed it."""

from msgspec.structs import replace

from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import Entry
from netgame.protocol.log.fault import Repeat
from netgame.protocol.peer.entries.writer import DeckWork
from netgame.protocol.peer.receipt.receipt import Receipt
from netgame.protocol.peer.standing.stay import Faults
from tests.lab.simulation.planted.swaps import Bug, Swap, into

BUGS: dict[str, Bug] = {}
bug = into(BUGS)


@bug("a second entry in a slot is let be")
def _forks_pass() -> list[Swap]:
    true = Ledger._judge_signed

    def wrong(self, entry, key):
        return true(self, entry, key) if self.slot(entry.step, entry.seat) is None else Repeat()

    return [(Ledger, "_judge_signed", wrong)]


@bug("proofs are not looked at")
def _unproved() -> list[Swap]:
    true = Receipt.accept
    return [
        (Receipt, "accept", lambda self, entry, judging, sender: true(self, entry, None, sender))
    ]


@bug("shuffles are not checked")
def _unchecked() -> list[Swap]:
    true = DeckWork.checked
    return [(DeckWork, "checked", lambda self, this, found: true(self, this, None))]


@bug("signatures are not checked")
def _unsigned() -> list[Swap]:
    return [(Entry, "is_by", lambda self, key: True)]


@bug("the wrong seat is blamed")
def _scapegoat() -> list[Swap]:
    true = Faults.convict

    def wrong(self, fault):
        seats = self.place.state.seats
        true(self, replace(fault, key=seats[0].key if seats else fault.key))

    return [(Faults, "convict", wrong)]


@bug("evidence is empty")
def _empty_evidence() -> list[Swap]:
    true = Faults.convict

    def wrong(self, fault):
        true(self, replace(fault, entries=()))

    return [(Faults, "convict", wrong)]


@bug("who passes on an entry is blamed for it")
def _messenger() -> list[Swap]:
    true = Faults.blame

    def wrong(self, fault, sender):
        true(self, replace(fault, key=sender) if sender is not None else fault, sender)

    return [(Faults, "blame", wrong)]
