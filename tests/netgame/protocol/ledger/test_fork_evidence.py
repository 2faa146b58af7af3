"""Evidence of two entries for one slot: neither of them, one, or the first of them recorded."""

import pytest
from msgspec.structs import replace

from netgame.crypto.transcript import expand
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.fold.revision import offered
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.verdict import RecordVerdict, evidence_file, seat_name
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.log.entry import frame_payload, sign_entry
from netgame.protocol.log.fault import Accepted, CheckCode, Fault, Finding
from netgame.protocol.notices import DealPhase
from netgame.wire import messages as wire
from netgame.wire.codec import decode, encode
from tests.netgame.games import entries_of, ledger_until, played, signed_at

SEAT = 1


def at_commit(state) -> bool:
    """Where every seat commits to a key: any 64 octets are a good entry, so anybody can fork."""
    return state.deal is not None and state.deal.phase is DealPhase.KEY_COMMIT


def stories(ledger: Ledger) -> tuple[wire.SignedEntry, wire.SignedEntry]:
    """Two good entries of one seat for one slot."""
    first, second = (
        signed_at(ledger, wire.KeyCommit(0, bytes([n]) * 64, b""), SEAT) for n in (1, 2)
    )
    return first, second


def judged(ledger: Ledger, *entries: wire.SignedEntry) -> RecordVerdict:
    """What a third party makes of a record and these entries."""
    finding = Finding(CheckCode.FORK, "signed two different entries for one slot")
    fault = Fault(finding, ledger.state.seats[SEAT].key, ledger.state.step, entries)
    octets = evidence_file(ledger, fault, played().sitters[0].signer)
    return verify_record(octets, expand(bytes(32), "verify"))


def test_two_entries_that_both_stand_outside_the_record_convict() -> None:
    """A receiver of both need not have settled either, in whatever order they are named."""
    ledger = ledger_until(at_commit)
    for pair in (stories(ledger), stories(ledger)[::-1]):
        verdict = judged(ledger, *pair)
        assert verdict.ok, verdict.sentence
        assert verdict.check == "fork"
        assert verdict.culprit == seat_name(ledger.state, ledger.state.seats[SEAT].key)


def test_a_second_story_beside_a_recorded_one_convicts() -> None:
    """The first is in the record; the second alone, or both, are named."""
    ledger = ledger_until(at_commit)
    first, second = stories(ledger)
    accepted = ledger.judge(first)
    assert isinstance(accepted, Accepted)
    ledger.settle(accepted.entry)
    for named in ((first, second), (second, first), (second,)):
        verdict = judged(ledger, *named)
        assert verdict.ok, verdict.sentence
        assert verdict.check == "fork"


OF_ANOTHERS_HAND = ("of which another signed the second", "of which another signed the first")
OF_ONE_SEAT = ("one", "the same twice", "of two steps", *OF_ANOTHERS_HAND)
NO_FORKS = (*OF_ONE_SEAT, "of two seats", "of a seat that there is not")
OF_OTHER_TABLES = ("of another table", "of two tables")


@pytest.mark.parametrize("which", [*NO_FORKS, *OF_OTHER_TABLES])
def test_two_entries_that_are_no_fork_convict_nobody(which: str) -> None:
    """One, one twice, of two seats, steps or tables, of another table, or not by a seat's key.

    Who sits at two tables under one key signs an entry for the same slot of each.
    """
    ledger = ledger_until(at_commit)
    first, _ = stories(ledger)
    other = signed_at(ledger, wire.KeyCommit(0, bytes([2]) * 64, b""), 2)
    later = signed_at(ledger, wire.KeyCommit(0, bytes(64), b""), SEAT, step=ledger.state.step + 1)
    forged = signed_at(ledger, wire.KeyCommit(0, bytes([2]) * 64, b""), SEAT, by=2)
    elsewhere = [
        signed_at(ledger, wire.KeyCommit(0, bytes([n]) * 64, b""), SEAT, id=bytes(64))
        for n in (1, 2)
    ]
    of_nobody = [
        signed_at(ledger, wire.KeyCommit(0, bytes([n]) * 64, b""), 7, by=SEAT) for n in (1, 2)
    ]
    entries = {
        "of another table": tuple(elsewhere),
        "of a seat that there is not": tuple(of_nobody),
        "of two tables": (first, elsewhere[1]),
        "one": (first,),
        "the same twice": (first, first),
        "of two seats": (first, other),
        "of two steps": (first, later),
        "of which another signed the second": (first, forged),
        "of which another signed the first": (forged, first),
    }[which]
    assert ledger.proved(entries) is None
    verdict = judged(ledger, *entries)
    assert not verdict.ok
    assert not verdict.culprit


def judged_alone(*entries: wire.SignedEntry) -> RecordVerdict:
    """What a third party makes of these entries without any record."""
    frame = wire.EvidenceFrame("fork", entries, b"", b"", b"")
    header = encode(wire.RecordHeader(PROTOCOL_VERSION))
    file = b"".join(map(frame_payload, (header, encode(frame))))
    return verify_record(file, expand(bytes(32), "verify"))


def opened_again(**changes: object) -> tuple[wire.SignedEntry, wire.SignedEntry]:
    """The opening of a table, and another one that its host signs for the same slot."""
    opening = entries_of(played().sitters[0])[0]
    body = decode(opening.body, wire.Body)
    assert isinstance(body.payload, wire.OpenTable)
    host = played().by_key[body.payload.host]
    again = replace(body, payload=replace(body.payload, **changes))
    return opening, sign_entry(host.signer, again)


def test_a_fork_in_an_epoch_that_is_over_is_that_of_its_own_seats() -> None:
    """A place in the roster is another than the seat of that number, which came with the coin."""
    ledger = ledger_until(at_commit)
    company = ledger.state.company
    roster, seats = company.of_id(ledger.state.table_id).keys, company.now.keys
    place = next(number for number, key in enumerate(roster) if seats[number] != key)
    seat = seats.index(roster[place])
    one, other = (
        signed_at(ledger, wire.Roster(bytes([n]) * 64), place, by=seat, id=ledger.state.table_id)
        for n in (1, 2)
    )
    fault = ledger.proved((one, other))
    assert fault is not None
    assert fault.key == roster[place]


def test_two_openings_of_one_table_convict_the_host_without_any_record() -> None:
    """Both name key and nonce, so both give the table its id; nothing else is in the file."""
    other = offered(wire.Settings("standard", (), 9, 3, 2, 0))
    verdict = judged_alone(*opened_again(settings=other))
    assert verdict.ok, verdict.sentence
    assert verdict.check == "fork"


def test_without_any_record_only_who_opened_the_table_is_its_host() -> None:
    """Another nonce does not give the table its id, whichever of the two is named first."""
    opening, other = opened_again(nonce=bytes(32))
    for pair in ((opening, other), (other, opening)):
        assert not judged_alone(*pair).ok


def test_evidence_of_nothing_about_nothing_convicts_nobody() -> None:
    """A file with no entry in it, neither recorded nor named."""
    verdict = judged_alone()
    assert not verdict.ok
    assert not verdict.culprit


def test_a_record_with_octets_that_are_no_entry_is_refused_at_that_place() -> None:
    """In one sentence, which says which entry it is."""
    entries = entries_of(played().sitters[0])[:5]
    spoilt = (*entries[:4], wire.SignedEntry(b"\xc1", entries[4].signature))
    header = encode(wire.RecordHeader(PROTOCOL_VERSION))
    frames = [frame_payload(encode(wire.RecordEntry(each))) for each in spoilt]
    verdict = verify_record(b"".join((frame_payload(header), *frames)), expand(bytes(32), "verify"))
    assert not verdict.ok
    assert "it is " in verdict.sentence
