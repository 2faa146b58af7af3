"""A record by another revision of the rules: who signed what holds, and no move convicts anybody.

Games are played by the revision of this program and read by one that plays the next, or the other
way round. How the later one reads a rule otherwise, each test says by a patch.
"""

from dataclasses import replace

import pytest
from msgspec import structs

from engine.refusals import Refusal, RefusalReason
from engine.rules.revision import RULES_REVISION
from netgame.protocol.fold import turn
from netgame.protocol.fold.phases import Phase
from netgame.protocol.ledger import ledger
from netgame.protocol.ledger.record import BadRecord, OtherRevision
from netgame.protocol.ledger.verdict import Difference, VerdictKind, evidence_file
from netgame.protocol.log.entry import read_entry
from netgame.protocol.log.fault import CheckCode, Fault, Finding
from netgame.protocol.text import fingerprint
from netgame.wire import messages as wire
from netgame.wire.codec import decode, encode
from tests.netgame.games import (
    entries_in,
    ledger_until,
    played,
    played_widely,
    played_without,
    signed_at,
)
from tests.netgame.protocol.happenings import file_of, numbers_of, verified, walked
from tests.netgame.protocol.ledger.receipt import at_phase, resigned, signer_of
from tests.netgame.revisions import playing
from tests.netgame.shared_checks import once_a_group
from tests.netgame.simtable import full_table, standard

LATER = RULES_REVISION + 1
MADE = f"Made under revision {RULES_REVISION} of the rules; this program plays revision {LATER}. "


def judged(octets):
    """What a program of the next revision says of a file."""
    with playing(LATER):
        return verified(octets)


def step_of(payload):
    """The step of an entry, as it stands in a record."""
    return read_entry(decode(payload, wire.RecordEntry).entry).step


@pytest.fixture
def record():
    """The frames of a good record of a whole game, by the revision of this program."""
    return list(played(3, 6, 1).host.record)


@pytest.fixture
def lays_refused(record, monkeypatch):
    """The later program forbids whatever is laid once three tiles lie, in the game of `record`."""
    assert record
    true = turn.why_illegal

    def otherwise(table, move):
        if type(move).__name__ == "LayTile" and sum(len(t.lays) for t in table.trains) >= 3:
            return Refusal(RefusalReason.ANOTHERS_TURN, ())
        return true(table, move)

    monkeypatch.setattr(turn, "why_illegal", otherwise)


def test_a_game_that_both_read_alike_is_judged_to_its_end(record):
    """It says so, and is good as nothing: what the other revision forbids nobody knows here."""
    plain = verified(file_of(record))
    assert (plain.kind, plain.differs) == (VerdictKind.RECORD, Difference.NONE)
    verdict = judged(file_of(record))
    assert verdict.kind is VerdictKind.OTHER_REVISION
    assert verdict.differs is Difference.OTHER_REVISION
    assert (verdict.revision, verdict.judged_to) == (RULES_REVISION, None)
    assert verdict.sentence.startswith(
        f"{MADE}All signatures hold, and by revision {LATER} all moves, too: a whole game of"
    )
    assert not verdict.ok
    same = replace(verdict, kind=plain.kind, says=plain.says, differs=plain.differs)
    assert same == plain
    with playing(LATER):
        list(walked(file_of(record)))


@pytest.mark.usefixtures("lays_refused")
def test_a_corrected_reading_convicts_nobody_of_an_old_move(record):
    """By the same revision it is a fault with a name; by another, where the judging ends."""
    step = step_of(record[numbers_of(record, wire.Lay)[3]])
    same = verified(file_of(record))
    assert same.kind is VerdictKind.REFUSED
    assert f"made an illegal lay (step {step}, check rules" in same.sentence
    verdict = judged(file_of(record))
    assert verdict.kind is VerdictKind.OTHER_REVISION
    assert verdict.judged_to == step
    assert verdict.sentence == (
        f"{MADE}All signatures hold; moves from step {step} on are not judged."
    )
    assert not verdict.culprit
    assert not verdict.accused
    assert not verdict.finished
    whole = verified(file_of(record[: numbers_of(record, wire.Lay)[3]]))
    assert whole.ok
    with playing(LATER), pytest.raises(OtherRevision, match=f"revision {RULES_REVISION} of the"):
        list(walked(file_of(record)))


WAYS = {
    "turn": ("due", lambda due: due._replace(authors=(99,))),
    "more writers": ("due", lambda due: due._replace(authors=(*due.authors, 99))),
    **{
        check.value: ("check_payload", lambda _, check=check: Finding(check, "did it"))
        for check in (CheckCode.KIND, CheckCode.SHAPE, CheckCode.RULES, CheckCode.PROOF)
    },
}
"""What the later rules see otherwise in a step: whose turn it is, how many write, or an entry."""


@once_a_group
def names_in(game):
    """Who plays, as the same revision reads it."""
    return verified(game().host.record_octets).names


def read_otherwise(patch, way, step):
    """Have the ledger see one step so."""
    name, change = WAYS[way]
    true = getattr(ledger, name)

    def otherwise(state, *more):
        found = true(state, *more)
        return change(found) if state.step == step else found

    patch.setattr(ledger, name, otherwise)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", [played_widely, played_without], ids=["wide", "cut"])
def test_wherever_and_however_they_part_nobody_is_blamed(game, way):
    """Every eleventh step, in games with cuts, re-shuffles and openings at once."""
    record = list(game().host.record)
    entries = entries_in(record[1:])
    last = max(read_entry(each).step for each in entries)
    for step in range(1, last - 1, 11):
        with pytest.MonkeyPatch.context() as patch:
            read_otherwise(patch, way, step)
            verdict = judged(file_of(record))
        assert verdict.kind is VerdictKind.OTHER_REVISION, (step, verdict.sentence)
        # A step that a decision fills has nothing that could be refused.
        assert verdict.judged_to is None or verdict.judged_to in (step, step + 1), step
        assert not verdict.culprit
        assert verdict.entries == len(entries)
        assert verdict.names == names_in(game)


def test_rules_that_this_program_does_not_know_are_no_fault_of_the_host():
    """A preset of a later revision: from `close` on nothing is judged, and all is signed."""
    offer = structs.replace(standard(6, 3, 1), preset="of-the-moon")
    with pytest.MonkeyPatch.context() as patch, playing(LATER):
        true = ledger_rules()
        patch.setattr("netgame.protocol.fold.lobby.parse_rules", true)
        table = full_table(("Ann", "Ben", "Cy"), offer)
        table.run_game()
    record = list(table.host.record)
    verdict = verified(file_of(record))
    assert verdict.kind is VerdictKind.OTHER_REVISION
    assert verdict.judged_to == step_of(record[numbers_of(record, wire.Close)[0]])
    assert {"Ann", "Ben", "Cy"} == set(verdict.names)


def ledger_rules():
    """How a program reads rules that knows that preset."""
    from netgame.protocol.fold import lobby

    true = lobby.parse_rules
    return lambda preset, switches: true(
        "standard" if preset == "of-the-moon" else preset, switches
    )


# ---- what is wrong under any rules --------------------------------------------------------------


def spoiled(record, at):
    """A record with one thing wrong in frame `at`, and what is said of it."""
    frame = decode(record[at], wire.RecordEntry)
    flipped = bytes([frame.entry.signature[0] ^ 1]) + frame.entry.signature[1:]
    forged = encode(wire.RecordEntry(wire.SignedEntry(frame.entry.body, flipped)))
    yield "does not fit", [*record[:at], forged, *record[at + 1 :]]
    other = resigned(record[at], signer_of(record[at]), prev=bytes(64))
    yield "does not follow", [*record[:at], other, *record[at + 1 :]]
    yield "signed two different entries for one slot", [*record[: at + 1], other, *record[at + 1 :]]
    yield "there already", [*record[: at + 1], record[at], *record[at + 1 :]]
    yield "does not follow", [*record[:at], *record[at + 1 :]]
    unknown = resigned(record[at], signer_of(record[at]), id=bytes([7]) * 64)
    yield "not there", [*record[:at], unknown, *record[at + 1 :]]


@pytest.mark.usefixtures("lays_refused")
def test_what_needs_no_rules_is_refused_behind_the_parting(record):
    """Signatures, forks, links, ids and encodings: each is named, as in any record."""
    at = numbers_of(record, wire.Lay)[5]
    for says, payloads in spoiled(record, at):
        verdict = judged(file_of(payloads))
        assert verdict.kind is VerdictKind.REFUSED, says
        assert says in verdict.sentence, verdict.sentence
        assert not verdict.culprit
        if "one slot" in says:
            name = ("Ann", "Ben", "Cy")[signer_of(record[at])]
            assert f": {name} (" in verdict.sentence


def test_who_contradicts_itself_is_named_under_any_rules():
    """A coin that was not committed to: no rule says what it is held to."""
    ledger = ledger_until(at_phase(Phase.COIN_REVEAL))
    entry = signed_at(ledger, wire.CoinReveal(b"\x07" * 32), 1)
    key = ledger.state.author_key(ledger.state.step, 1)
    finding = Finding(CheckCode.PROOF, "showed another coin")
    fault = Fault(finding, key, ledger.state.step, (entry,))
    octets = evidence_file(ledger, fault, played().host.signer)
    verdict = judged(octets)
    assert verdict.kind is VerdictKind.EVIDENCE
    assert fingerprint(key) in verdict.culprit


# ---- evidence -----------------------------------------------------------------------------------


def test_evidence_of_a_move_is_not_judged(record, monkeypatch):
    """The other revision may have allowed it, or forbid what is allowed here."""
    at = numbers_of(record, wire.Lay)[3]
    entry = decode(record[at], wire.RecordEntry).entry
    step = step_of(record[at])
    frame = wire.EvidenceFrame("rules", (entry,), b"", b"", b"")
    octets = file_of([*record[:at], encode(frame)])
    read_otherwise(monkeypatch, "rules", step)
    assert verified(octets).culprit
    verdict = judged(octets)
    assert (verdict.kind, verdict.culprit) == (VerdictKind.OTHER_REVISION, "")
    assert verdict.sentence == f"{MADE}What this evidence says of a move is not judged."
    assert verdict.judged_to == step


# ---- files that end early -----------------------------------------------------------------------


def test_each_way_to_be_cut_off_is_told_apart(record):
    """Inside a frame, between two, inside the first, and before the first octet."""
    whole = file_of(record)
    border = len(file_of(record[:-2]))
    for octets, differs, says in (
        (whole[: border + 9], Difference.CUT_OFF, "breaks off inside the frame at octet"),
        (whole[: border + 3], Difference.CUT_OFF, "what stands before it holds, up to step"),
        (whole[:border], Difference.UNFINISHED, "a game that is not finished and waits for"),
        (whole[:12], Difference.CUT_OFF, "breaks off inside its first frame"),
        (b"", Difference.EMPTY, "the file is empty"),
        (b"\xff" * 12, Difference.NONE, "not a Boneyard record"),
        (whole[: border - 1] + b"\x00" + whole[border:], Difference.NONE, "checksum"),
        (file_of([encode(wire.RecordHeader(9))]), Difference.OTHER_VERSION, "protocol version 9"),
    ):
        verdict = verified(octets)
        assert says in verdict.sentence, verdict.sentence
        assert verdict.differs is differs, verdict.sentence
        assert verdict.ok == (differs is Difference.UNFINISHED)


@pytest.mark.usefixtures("lays_refused")
def test_a_game_of_other_rules_that_is_cut_off_says_where(record):
    """Up to which step all that can be checked holds."""
    whole, cut = file_of(record), len(file_of(record[:-2])) + 5
    verdict = judged(whole[:cut])
    last = step_of(record[-3])
    assert verdict.differs is Difference.CUT_OFF
    assert verdict.sentence.endswith(f"what stands before it holds, up to step {last}")
    with playing(LATER), pytest.raises(BadRecord, match="breaks off"):
        list(walked(whole[:cut]))
