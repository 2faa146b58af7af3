"""What protocol.md 6.2 says of a file is what the program says: a file or two for each row."""

import json
from functools import cache

import pytest

from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.log.entry import frame_payload, read_frames
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.wire.pages import table_under
from tests.tree import VECTORS
from tests.vectors.log_cases import entropy

pytestmark = pytest.mark.real_group

LOGS = VECTORS / "logs"
WHOLE = [row[0] for row in table_under("6.2", "the file holds, or lacks")]
HEADER = encode(wire.RecordHeader(PROTOCOL_VERSION))


@cache
def frames(log):
    """The frames of a log of the vectors."""
    payloads, damage = read_frames((LOGS / log).read_bytes())
    assert damage is None
    return payloads


def file_of(payloads, behind=b""):
    """A file of these frames, and what stands behind them."""
    return b"".join(map(frame_payload, payloads)) + behind


def offered(name, *, upto=None):
    """The case of the vectors that is called so: the frames before, and what is offered."""
    cases = [
        each
        for of in ("checks", "cheats")
        for each in json.loads((LOGS / f"{of}.json").read_text())
    ]
    (case,) = [each for each in cases if each["name"] == name]
    signed = [
        (each["kind"], bytes.fromhex(each["body"]), bytes.fromhex(each["signature"]))
        for each in case["offer"][:upto]
    ]
    return case, [*frames(case["log"])[: case["frames"] + 1]], signed


def frame(kind, body, signature):
    """A frame of a record that holds this."""
    if kind == "entry":
        return encode(wire.RecordEntry(wire.SignedEntry(body, signature)))
    return encode(wire.RecordStatement(wire.SignedStatement(body, signature)))


def ending_in(name, *, upto=None):
    """The file that a case makes if all that is offered stands in it."""
    _, before, signed = offered(name, upto=upto)
    return file_of([*before, *(frame(*each) for each in signed)])


def evidence(name, check, *, witnessed=False):
    """The evidence file of a case: what is offered last is what it shows."""
    case, before, signed = offered(name)
    *more, (_, body, signature) = signed
    words = ("sender", "witness", "testimony") if witnessed else ()
    by = [bytes.fromhex(case[word]) for word in words] or [b"", b"", b""]
    shown = wire.EvidenceFrame(check, (wire.SignedEntry(body, signature),), *by)
    return file_of([*before, *(frame(*each) for each in more), encode(shown)])


def two_seats(upto=None):
    """The frames of a whole game."""
    return frames("two-seats.bin")[:upto]


AGAIN = encode(wire.EvidenceFrame("turn", (), b"", b"", b""))
ROWS = {
    "nothing, no whole first frame": [
        (b"", "refused", "empty"),
        (b"no record", "refused", "not a Boneyard record"),
        (file_of(two_seats()[1:]), "refused", "not a record"),
    ],
    "a header of another version": [
        (file_of([encode(wire.RecordHeader(2)), *two_seats()[1:]]), "refused", "version 2"),
    ],
    "a frame that breaks off": [
        (file_of(two_seats(20), file_of(two_seats()[20:21])[:-1]), "refused", "at octet"),
        (file_of(two_seats(20), b"\0\0\0\1\0\0\0\0\0"), "refused", "at octet"),
    ],
    "a frame that is no message": [
        (file_of([*two_seats(20), b"\xc0"]), "refused", "frame 20"),
        (file_of([*two_seats(20), HEADER]), "refused", "frame 20"),
        (file_of([*two_seats(20), AGAIN, *two_seats()[20:]]), "refused", "frame 21"),
        (file_of([*two_seats(), two_seats()[-1]]), "refused", "after the end"),
    ],
    "an entry that stands there already": [
        (file_of([*two_seats(21), two_seats()[20]]), "refused", "frame 21"),
        (file_of([*two_seats(20), two_seats()[30]]), "refused", "frame 20"),
        (ending_in("7.7 link"), "refused", "does not follow"),
    ],
    "a statement of a poll that is not open yet": [
        (ending_in("a statement of a poll that has not begun"), "refused", "nobody can have"),
        (ending_in("a statement of an epoch that nobody knows"), "refused", "nobody can have"),
        (ending_in("a statement of a seat that is not there"), "refused", "nobody can have"),
    ],
    "a wrong signature": [
        (ending_in("7.5 signature"), "refused", "signature"),
        (ending_in("a statement with a wrong signature"), "refused", "nobody can have"),
    ],
    "an entry or statement that is a fault": [
        (ending_in("7.8 turn"), "refused", "check turn"),
        (ending_in("7.12 proof: another proof"), "refused", "check proof"),
        (ending_in("7.15 cut 1: two promises of one ballot"), "refused", "check cut"),
    ],
    "a fault in what stands in the record": [
        (ending_in("a false shuffle proof"), "refused", "check shuffle"),
    ],
    "`evidence-of`, and": [(evidence("7.8 turn", "turn"), "evidence", "Good evidence")],
    "`evidence-of` of a wrong signature": [
        (evidence("a wrong signature", "signature", witnessed=True), "hearsay", "proves nothing"),
    ],
    "any other `evidence-of`": [
        (evidence("7.8 turn", "kind"), "refused", "Not good evidence"),
        (evidence("a wrong signature", "signature"), "refused", "Not good evidence"),
    ],
    "the header alone": [(file_of([HEADER]), "record", "never opened")],
    "entries up to the last": [(file_of(two_seats()), "record", "a whole game")],
    "fewer": [(file_of(two_seats(30)), "record", "not finished")],
    "beside those, certificates": [(file_of(frames("rebuilt.bin")), "record", "a whole game")],
    "beside those, statements": [
        (ending_in("a statement that is here already"), "record", "not finished"),
    ],
}  # fmt: skip


def test_every_row_is_tried() -> None:
    """In the order of the page."""
    assert len(WHOLE) == len(ROWS)
    for row, begins in zip(WHOLE, ROWS, strict=True):
        assert row.startswith(begins)


@pytest.mark.parametrize("row", ROWS)
def test_the_program_says_what_the_page_says(row) -> None:
    """Its kind, and something of its sentence; only good evidence has a culprit."""
    for octets, kind, says in ROWS[row]:
        verdict = verify_record(octets, entropy())
        assert (verdict.kind.value, says in verdict.sentence) == (kind, True), verdict.sentence
        assert (verdict.culprit != "") == (kind == "evidence")
        assert bool(verdict.departures) == (row == "beside those, certificates")
