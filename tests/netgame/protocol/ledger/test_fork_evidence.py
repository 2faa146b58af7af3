"""Two entries for one slot: when they convict nobody, and whom a fork of a past epoch convicts."""

import pytest

from netgame.protocol.ledger.verdict import evidence_file
from netgame.protocol.log.fault import CheckCode, Fault, FaultKind, Finding
from netgame.protocol.notices import DealPhase
from netgame.wire import messages as wire
from tests.netgame.games import ledger_until, played, signed_at
from tests.netgame.protocol.happenings import verified
from tests.netgame.protocol.ledger.intake import at_deal

SEAT, SEATS = 1, 3


AT_COMMIT = at_deal(DealPhase.KEY_COMMIT)
"""All seats commit to a key at this point. Any 64 octets will do, so any seat can fork."""


def judged(ledger, *entries):
    """Return a third party's verdict on a record with these entries as evidence."""
    finding = Finding(CheckCode.FORK, "signed two different entries for one slot")
    key = ledger.state.seats[SEAT].key
    fault = Fault(FaultKind.FORK, finding, key, ledger.state.step, entries)
    octets = evidence_file(ledger, fault)
    return verified(octets)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({}, {"seat": 2}),
        ({}, {"step": 999}),
        ({}, {"by": 2}),
        ({"by": 2}, {}),
        ({"seat": 7, "by": SEAT}, {"seat": 7, "by": SEAT}),
        ({"seat": SEATS, "by": SEAT}, {"seat": SEATS, "by": SEAT}),
    ],
    ids=["two seats", "two steps", "the second forged", "the first forged", "no seat", "one more"],
)
def test_two_entries_that_are_no_fork_convict_nobody(one, other):
    """Two entries convict nobody if their seats or steps differ, or if one has a forged signature.

    They also convict nobody if their seat does not exist.
    """
    ledger = ledger_until(AT_COMMIT)
    assert len(ledger.state.seats) == SEATS
    entries = tuple(
        signed_at(ledger, wire.KeyCommit(0, bytes([number]) * 64), **{"seat": SEAT, **changes})
        for number, changes in enumerate((one, other))
    )
    assert ledger.proved(entries) is None
    verdict = judged(ledger, *entries)
    assert not verdict.ok
    assert not verdict.culprit


def test_a_fork_in_an_epoch_that_is_over_is_that_of_its_own_seats():
    """A fork in a past epoch convicts the seat's holder in that epoch, not its present holder."""
    game = played(4)
    ledger = ledger_until(AT_COMMIT, game)
    company = ledger.state.company
    roster, seats = company.of_id(ledger.state.table_id).keys, company.now.keys
    place = next(number for number, key in enumerate(roster) if seats[number] != key)
    seat = seats.index(roster[place])
    one, other = (
        signed_at(
            ledger,
            wire.Roster(bytes([n]) * 64),
            place,
            by=seat,
            id=ledger.state.table_id,
            game=game,
        )
        for n in (1, 2)
    )
    fault = ledger.proved((one, other))
    assert fault.key == roster[place]


def test_a_fork_is_proved_without_proofs_that_nobody_has_checked():
    """Evidence of a fork leaves out shuffle proofs not checked yet, so the file is good."""
    ledger = ledger_until(at_deal(DealPhase.CHECKED))
    assert ledger.chain is not None
    assert not ledger.has_passed()
    entries = tuple(
        signed_at(ledger, wire.KeyCommit(0, bytes([number]) * 64), seat=SEAT) for number in (1, 2)
    )
    verdict = judged(ledger, *entries)
    assert verdict.ok
    assert verdict.culprit
    assert verdict.steps == ledger.state.deal.proof_step
