"""A log that is read without the rules, beside the fold of the same frames."""

from collections.abc import Sequence
from dataclasses import replace

from netgame.crypto.transcript import expand
from netgame.protocol.ledger.record import Reading
from netgame.protocol.ledger.signed_log import SignedLog
from netgame.protocol.ledger.verdict import all_departures
from netgame.protocol.log.entry import frame_payload, read_entry, read_statement
from netgame.protocol.text import fingerprint
from netgame.wire.codec import decode, decode_any
from netgame.wire.messages import RecordEntry, RecordFrame


def opened(payloads: Sequence[bytes]) -> SignedLog:
    """The log of the table whose offer stands first, without an entry."""
    offer = read_entry(decode(payloads[1], RecordEntry).entry).payload
    return SignedLog(offer)


def take(log: SignedLog, payload: bytes) -> None:
    """Read one frame."""
    frame: RecordFrame = decode_any(payload, RecordFrame)
    if isinstance(frame, RecordEntry):
        log.take(frame.entry)
    else:
        assert log.hear(read_statement(frame.statement))


def compare(payloads: Sequence[bytes]) -> None:
    """After every frame: who decides, by which keys, under which id, how many polls are over.

    What scores give is read a step earlier where keys are laid open before anybody sits. Between
    two rounds the fold still counts the one that is over, and has no name for a guest that is lost.
    """
    reading, log = Reading(expand(bytes(32), "verify")), opened(payloads)
    for number, payload in enumerate(payloads):
        for _ in reading.read_on(frame_payload(payload)):
            pass
        if not number:
            continue
        take(log, payload)
        state = reading.ledger.state
        due = {**log._due}
        if len(reading.ledger.slots) == 0 and due:
            assert log.head == state.head, number
            assert log.step + 1 == state.step
        assert len(log.decisions) == len(reading.ledger.decisions), number
        assert log.poll.number == reading.ledger.poll.number, number
        assert log.company.now.id == state.company.now.id, number
        if not due:
            assert log.head == state.head
            now, theirs = log.company.now, state.company.now
            assert (now.keys, now.gone, now.guests) == (theirs.keys, theirs.gone, theirs.guests)
            assert log.poll.cut.guests == reading.ledger.poll.cut.guests
    names = {each.key: each.name for each in log.members}
    ledger = reading.ledger
    members = {each.key: each.name for each in ledger.state.members}
    assert {**names, **members} == names
    assert log.entries == reading.entries
    assert log.host == ledger.state.host
    folded = all_departures(ledger.state, ledger.decisions)
    for one, other in zip(all_departures(log, log.decisions), folded, strict=True):
        assert other.name in (one.name, fingerprint(one.key))
        told = {name: getattr(other, name) for name in ("round_number", "name", "phase", "owing")}
        assert replace(one, **told) == other
        assert one.round_number - other.round_number in (0, 1)
