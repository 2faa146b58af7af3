"""A log read without the rules comes to the same company, polls and head as the fold."""

from pathlib import Path

import pytest

from netgame.crypto.transcript import expand
from netgame.protocol.ledger.record import Reading
from netgame.protocol.ledger.signed_log import SignedLog
from netgame.protocol.log.entry import frame_payload, read_frames, read_statement
from netgame.wire.codec import decode_any
from netgame.wire.messages import RecordEntry, RecordFrame
from tests.tree import ROOT

pytestmark = pytest.mark.real_group

LOGS = ROOT / "tests" / "vectors" / "logs"
WHOLE = sorted(path.with_suffix(".bin") for path in LOGS.glob("*.json"))
WHOLE = [path for path in WHOLE if path.exists()]


def test_there_are_logs() -> None:
    """Else what follows shows nothing."""
    assert len(WHOLE) > 15


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_it_comes_to_what_the_fold_comes_to(path: Path) -> None:
    """After every frame: who decides, by which keys, under which id, how many polls are over.

    What scores give is read a step earlier where keys are laid open before anybody sits.
    """
    reading, log = Reading(expand(bytes(32), "verify")), SignedLog()
    for number, payload in enumerate(read_frames(path.read_bytes())[0]):
        for _ in reading.read_on(frame_payload(payload)):
            pass
        if not number:
            continue
        frame: RecordFrame = decode_any(payload, RecordFrame)
        if isinstance(frame, RecordEntry):
            log.take(frame.entry)
        else:
            assert log.hear(read_statement(frame.statement))
        state = reading.ledger.state
        due = {**log._due}
        if len(reading.ledger.slots) == 0 and due:
            assert log.head == state.head, number
            assert log.step + 1 == state.step
        assert len(log.decisions) == len(reading.ledger.decisions), number
        assert log.company.now.id == state.company.now.id, number
        if not due:
            assert log.head == state.head
            now, theirs = log.company.now, state.company.now
            assert (now.keys, now.gone, now.guests) == (theirs.keys, theirs.gone, theirs.guests)
    names = {each.key: each.name for each in log.members}
    members = {each.key: each.name for each in reading.ledger.state.members}
    assert {**names, **members} == names
    assert log.entries == reading.entries
    assert log.host == reading.ledger.state.host
