"""A record that was tampered with in any way is refused; a good one tells the game again."""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from engine.table.moves import DrawTile
from netgame.crypto.batch import Batch
from netgame.crypto.signing import make_signing_key
from netgame.crypto.transcript import expand
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol import notices
from netgame.protocol.fold import turn as turns
from netgame.protocol.fold.phases import Phase
from netgame.protocol.ledger.record import BadRecord, walk
from netgame.protocol.ledger.verdict import VerdictKind, witness_octets
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.log.entry import (
    ENTRY_DOMAIN,
    WITNESS_DOMAIN,
    frame_payload,
    read_entry,
    read_frames,
    sign_entry,
)
from netgame.wire import messages as wire
from netgame.wire.codec import decode, decode_any, encode
from tests.netgame.games import entries_in, entries_of, played
from tests.netgame.mallory import Mallory, when
from tests.netgame.simtable import SimTable, standard


def entropy():
    """For the weights of batched checks."""
    return expand(bytes(32), "verify")


def file_of(payloads: list[bytes]) -> bytes:
    """A record file of these frames, checksums and all."""
    return b"".join(frame_payload(payload) for payload in payloads)


def frames() -> list[bytes]:
    """The frames of a good record of a whole game."""
    return list(played(3, 6, 1).sitters[0].record)


def steps_in(record: list[bytes]) -> dict[int, int]:
    """The step of each entry of a record, by the number of its frame."""
    found = ((n, each) for n, payload in enumerate(record) for each in entries_in((payload,)))
    return {n: read_entry(each).step for n, each in found}


def is_statement(payload: bytes) -> bool:
    """Whether a frame of a record holds what somebody has said in a poll."""
    return isinstance(decode_any(payload, wire.RecordFrame), wire.RecordStatement)


def refused(payloads: list[bytes]) -> str:
    """The sentence that refuses a file of these frames, which names the place."""
    verdict = verify_record(file_of(payloads), entropy())
    assert not verdict.ok, verdict.sentence
    assert not verdict.finished
    with pytest.raises(BadRecord):
        list(walk(file_of(payloads), entropy()))
    return verdict.sentence


def resigned(frame: bytes, key: int, **changes: object) -> bytes:
    """An entry with fields changed, signed anew by sitter `key`."""
    body = decode(decode(frame, wire.RecordEntry).entry.body, wire.Body)
    fields = {name: getattr(body, name) for name in body.__struct_fields__}
    signer = played(3, 6, 1).sitters[key].signer
    return encode(wire.RecordEntry(sign_entry(signer, wire.Body(**{**fields, **changes}))))


def owner(payload: bytes) -> int:
    """Who signed an entry of the record."""
    signed = decode(payload, wire.RecordEntry).entry
    entry = read_entry(signed)
    return next(n for n, s in enumerate(played(3, 6, 1).sitters) if entry.is_by(s.core.key))


# ---- a good record ---------------------------------------------------------------------------


def test_walking_a_record_gives_every_state_of_the_game() -> None:
    """Each step's state before and after, and what there was to tell; ending with the scores."""
    game = played(3, 6, 1).sitters[0]
    steps = list(walk(game.record_octets, entropy()))
    entries = [each.entry.signed for each in steps if each.entry is not None]
    assert entries == list(entries_of(game))
    (coin,) = (each for each in steps if each.decided is not None)
    assert coin.entry is None
    assert (coin.decided.goes, coin.decided.step) == (0, coin.before.step)
    assert coin.before.phase is Phase.COIN_FALLEN
    assert steps[0].before.step == 0
    for one, following in pairwise(steps):
        assert following.before is one.after
        assert one.after.step - one.before.step in (0, 1)
        assert (one.after.step == one.before.step) or one.after.head != one.before.head
        if one.after.step == one.before.step and one.decided is None:
            assert not one.notices
    assert steps[-1].after == game.core.state
    told = [type(notice) for each in steps for notice in each.notices]
    assert told.count(notices.GameStarted) == told.count(notices.GameOver) == 1
    assert told.count(notices.Played) == sum(
        isinstance(read_entry(each).payload, wire.Lay | wire.Draw | wire.Pass) for each in entries
    )


def test_every_beginning_of_a_record_is_good_and_unfinished() -> None:
    """Play may have stopped anywhere; what is there holds, and says what comes next."""
    record = frames()
    for length in (1, 2, 5, 9, 20, 33, len(record) - 1):
        verdict = verify_record(file_of(record[:length]), entropy())
        assert verdict.ok, verdict.sentence
        assert not verdict.finished
        assert verdict.entries == len(entries_in(record[:length]))
        assert ("never opened" in verdict.sentence) == (length == 1)
    whole = verify_record(file_of(record), entropy())
    assert whole.finished
    assert whole.head == played(3, 6, 1).sitters[1].core.state.head.hex()
    assert set(whole.winners) <= set(whole.names)
    assert len(whole.scores) == 1


def test_a_verdict_reads_as_a_person_would_say_it() -> None:
    """One of a thing, names as prose, and who has to write next."""
    record = frames()

    def said(length: int) -> str:
        return verify_record(file_of(record[:length]), entropy()).sentence

    assert said(1) == "A good record: a table that was never opened."
    assert said(2).startswith(
        "A good record: a game that is not finished and waits for the host. "
        "Checked: 1 entry up to step 1, with every signature, move and proof. Final digest "
    )
    told = [said(length).split(". ")[0].partition(" waits for ")[2] for length in range(9, 32)]
    assert 0 < told.count("") < 12, "while they decide on their coin"
    waits = {each for each in told if each}
    assert {each.count(",") + each.count(" and ") for each in waits} == {0, 1, 2}
    assert not waits & {"", "the host"}
    assert " a whole game of 1 round between " in said(len(record))
    longer = played(3, 6, 2).sitters[0].record_octets
    assert " a whole game of 2 rounds between " in verify_record(longer, entropy()).sentence
    assert f" Checked: {len(entries_in(record))} entries up to step " in said(len(record))
    assert " and " in said(len(record)).split(". ")[0]


def test_all_sitters_keep_different_files_with_one_head() -> None:
    """Entries of a step stand in the order in which each took them."""
    verdicts = [verify_record(s.record_octets, entropy()) for s in played(3, 6, 1).sitters]
    assert len({verdict.head for verdict in verdicts}) == 1
    assert len({s.record_octets for s in played(3, 6, 1).sitters}) > 1


# ---- tampering -------------------------------------------------------------------------------


def test_the_last_entry_of_any_step_cannot_be_left_out() -> None:
    """What follows does not follow any more."""
    record = frames()
    steps = steps_in(record)
    lasts = [n for n in steps if n + 1 in steps and steps[n] != steps[n + 1]]
    for n in lasts[::3]:
        sentence = refused([*record[:n], *record[n + 1 :]])
        assert f"frame {n} " in sentence
        assert f"(step {steps[n]})" in sentence


def test_no_statement_that_has_decided_something_can_be_left_out() -> None:
    """Without it nothing is decided, and the next step does not follow."""
    record = frames()
    said = [n for n, payload in enumerate(record) if is_statement(payload)]
    assert len(said) > 3
    assert "does not follow" in refused([each for n, each in enumerate(record) if n not in said])
    for n in said:
        rest = [*record[:n], *record[n + 1 :]]
        verdict = verify_record(file_of(rest), entropy())
        is_spare = verdict.ok
        assert is_spare or f"frame {said[-1]} " in verdict.sentence or "nobody" in verdict.sentence


def test_steps_cannot_be_swapped_and_entries_not_repeated() -> None:
    """Order between steps is fixed; within a step it is free."""
    record = frames()
    steps = steps_in(record)
    for n in [n for n in steps if n + 1 in steps][::4]:
        swapped = [*record]
        swapped[n], swapped[n + 1] = swapped[n + 1], swapped[n]
        if steps[n] != steps[n + 1]:
            assert "does not follow" in refused(swapped)
        else:
            assert verify_record(file_of(swapped), entropy()).ok
    assert "there already" in refused([*record[:9], record[8], *record[9:]])


def test_nothing_may_stand_behind_the_end() -> None:
    """A finished record has no padding: octets, frames, headers, entries."""
    record = frames()
    octets = file_of(record)
    for tail in (b"\x00", b"\x00" * 8, b"more"):
        verdict = verify_record(octets + tail, entropy())
        assert not verdict.ok
        assert f"octet {len(octets)}" in verdict.sentence
    assert "end of the game" in refused([*record, record[-1]])
    assert "second header" in refused([*record, record[0]])
    assert "header" in refused([record[0], record[0], *record[1:]])


def test_a_file_that_is_no_record_is_told_apart() -> None:
    """Empty, without a header, of another version, or of something else."""
    record = frames()
    assert "empty" in refused([])
    assert "not a record of this program" in refused(record[1:])
    assert "not a record of this program" in refused([b"hello"])
    other = encode(wire.RecordHeader(PROTOCOL_VERSION + 1))
    assert f"version {PROTOCOL_VERSION + 1}" in refused([other, *record[1:]])
    assert "not a message" in refused([*record[:5], b"junk", *record[5:]])


def test_an_entry_signed_by_another_key_is_refused() -> None:
    """Of another seat or of a stranger; a signature of another entry does no better."""
    record = frames()
    stranger = make_signing_key(bytes(32))
    for n in (5, 14, 30, 50):
        entry = decode(record[n], wire.RecordEntry).entry
        other = decode(record[n - 1], wire.RecordEntry).entry
        forgeries = [
            wire.SignedEntry(entry.body, stranger.sign(ENTRY_DOMAIN, entry.body)),
            wire.SignedEntry(entry.body, other.signature),
            wire.SignedEntry(entry.body, bytes([entry.signature[0] ^ 1]) + entry.signature[1:]),
        ]
        for forged in forgeries:
            sentence = refused([*record[:n], encode(wire.RecordEntry(forged)), *record[n + 1 :]])
            assert "signature" in sentence
        assert "signature" in refused(
            [*record[:n], resigned(record[n], (owner(record[n]) + 1) % 3), *record[n + 1 :]]
        )


NOT_IN_STANDARD = (
    wire.Dismiss,
    wire.Act,
    wire.OpeningCommit,
    wire.OpeningReveal,
    wire.HandOver,
    wire.MixHand,
    wire.Rebuild,
    wire.Blind,
    wire.Unblind,
    wire.Keys,
)
"""Kinds that a game of the `standard` rules, in which nobody leaves, does not have."""


@pytest.mark.parametrize("kind", [each for each in wire.PAYLOADS if each not in NOT_IN_STANDARD])
def test_an_entry_its_author_changed_later_breaks_the_chain(kind) -> None:
    """The author may sign something else afterwards; the digest of the step gives it away."""
    record = list(played(2, 6, 7).sitters[0].record)
    at = next(
        n
        for n, payload in enumerate(record)
        if any(isinstance(read_entry(each).payload, kind) for each in entries_in((payload,)))
    )
    signed = decode(record[at], wire.RecordEntry).entry
    entry = read_entry(signed)
    signer = next(s.signer for s in played(2, 6, 7).sitters if entry.is_by(s.core.key))
    body = decode(signed.body, wire.Body)
    changed = wire.Body(body.id, body.step, body.prev, body.seat, 0, _other(body.payload))
    forged = encode(wire.RecordEntry(sign_entry(signer, changed)))
    sentence = refused([*record[:at], forged, *record[at + 1 :]])
    assert "frame" in sentence


def _other(payload: wire.Payload) -> wire.Payload:
    """The same kind of entry with something changed, as little as possible."""
    match payload:
        case wire.Close():
            return wire.Dismiss(bytes(32))
        case wire.Checked(number):
            return wire.Checked(number + 1)
        case wire.Open(()):
            return wire.Open(((0, 0),), b"", b"")
        case wire.RoundOver(scores, _):
            return wire.RoundOver((scores[0] + 1, *scores[1:]), ())
        case wire.OpenTable(host, nonce, settings):
            return wire.OpenTable(host, bytes(32) if nonce != bytes(32) else b"\x01" * 32, settings)
    name, value = next(
        (name, getattr(payload, name))
        for name in reversed(payload.__struct_fields__)
        if isinstance(getattr(payload, name), bytes) and getattr(payload, name)
    )
    fields = {each: getattr(payload, each) for each in payload.__struct_fields__}
    return type(payload)(**{**fields, name: value[:-1] + bytes([value[-1] ^ 1])})


def test_a_false_ending_is_refused() -> None:
    """Other scores at the end, signed by all, contradict the open hands."""
    record = frames()
    changed = [*record]
    for n in (-3, -2, -1):
        changed[n] = resigned(record[n], owner(record[n]), payload=wire.RoundOver((0, 0, 0), ()))
    assert "check shape" in refused(changed)


def test_a_conspiracy_cannot_go_on_after_what_the_open_hands_show(monkeypatch) -> None:
    """All seats together may sign on after a false draw; the record is refused, and quietly."""
    real = turns.verify_hand
    monkeypatch.setattr(turns, "verify_hand", lambda *_: True)
    monkeypatch.setattr(Mallory, "convict", lambda self, fault: None)
    table = SimTable(standard(6, 3, 2))
    for name in ("Ann", "Ben", "Mallory"):
        table.seat(name, core_class=Mallory, start_at=3 if name == "Ann" else None)

    def false_draw(core: Mallory, payload: wire.Payload) -> wire.Payload | None:
        state, seat = core.state, core.state.seat_of(core.key)
        statement = turns.hand_statement(state, state.round, DrawTile(seat), "draw")
        if statement is None or turns.why_illegal(state.table, DrawTile(seat)) is not None:
            return None
        one = bytes(31) + b"\x01"
        g = bytes.fromhex("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
        return wire.Draw(g + g + one + one * len(statement.tiles))

    cheat = table.sitters[2].core
    cheat.bend = when(wire.Lay, false_draw)
    cheat.slip = lambda payload, seat=None: (  # type: ignore[method-assign]
        setattr(cheat, "cheated_at", cheat.state.step),
        super(Mallory, cheat).write(payload),
    )
    table.run(
        lambda: (
            table.sitters[0].core.state.table is not None
            and table.sitters[0].core.state.table.round_number == 1
            and table.sitters[0].core.state.table.turns > 2
        )
    )
    assert cheat.cheated_at is not None
    verdict = verify_record(table.sitters[0].record_octets, entropy())
    assert not verdict.ok
    assert "check audit" in verdict.sentence
    monkeypatch.setattr(turns, "verify_hand", real)
    verdict = verify_record(table.sitters[0].record_octets, entropy())
    assert not verdict.ok
    assert "check proof" in verdict.sentence


def test_a_bug_where_proofs_are_added_up_is_shown_and_no_good_record_read_in_silence(monkeypatch):
    """What it raises comes out once each proof by itself holds: no octets can be to blame.

    Where a proof does not hold, what was folded behind it may come to anything: the record is
    refused for that proof.
    """
    good, bad = frames(), frames()
    read = ((n, read_entry(each)) for n, frame in enumerate(good) for each in entries_in((frame,)))
    at, lay = next((n, entry.payload) for n, entry in read if type(entry.payload) is wire.Lay)
    spoilt = lay.proof[:-1] + bytes([lay.proof[-1] ^ 1])
    bad[at] = resigned(bad[at], owner(bad[at]), payload=replace(lay, proof=spoilt))

    def adds(self, *equations):
        raise ZeroDivisionError("a slip of ours")

    monkeypatch.setattr(Batch, "add", adds)
    with pytest.raises(ZeroDivisionError, match="a slip of ours"):
        verify_record(file_of(good), entropy())
    assert "check proof" in refused(bad)


# ---- evidence --------------------------------------------------------------------------------


def caught() -> bytes:
    """Ann's evidence file against Mallory for a second story."""
    table = SimTable(standard(6, 3, 1))
    table.seat("Ann", start_at=3)
    table.seat("Ben")
    mallory = table.seat("Mallory", core_class=Mallory)
    mallory.core.bend = when(wire.RoundOver, lambda _, p: wire.RoundOver((0,) * len(p.scores), ()))
    ann = table.sitters[0]
    table.run(lambda: bool(ann.faults()))
    return ann.evidence[ann.faults()[0].evidence]


@pytest.fixture(scope="module")
def evidence() -> list[bytes]:
    """The frames of an evidence file."""
    payloads, damage = read_frames(caught())
    assert damage is None
    return list(payloads)


def bad_evidence(payloads: list[bytes]) -> str:
    """The sentence that refuses an evidence file."""
    verdict = verify_record(file_of(payloads), entropy())
    assert verdict.kind is VerdictKind.REFUSED, verdict.sentence
    assert not verdict.accused
    return verdict.sentence


def closing(evidence: list[bytes]) -> wire.EvidenceFrame:
    """The last frame."""
    frame = decode_any(evidence[-1], wire.RecordFrame)
    assert isinstance(frame, wire.EvidenceFrame)
    return frame


def test_evidence_convinces_a_third_party(evidence) -> None:
    """Name, fingerprint, step and check; walking it tells the game up to the fault."""
    verdict = verify_record(file_of(evidence), entropy())
    assert verdict.ok
    assert verdict.check == "shape"
    assert verdict.culprit.startswith("Mallory (")
    assert "signed scores that the open hands do not give" in verdict.sentence
    assert list(walk(file_of(evidence), entropy()))[-1].after.phase is Phase.SCORE


def test_altered_evidence_is_refused(evidence) -> None:
    """Another check, other entries, none, more after it, a log that lacks an entry."""
    frame = closing(evidence)
    entry = frame.entries[0]
    spoiled = wire.SignedEntry(entry.body, entry.signature[:63] + b"\x00")
    blame = read_entry(decode(evidence[-2], wire.RecordEntry).entry).signed
    changes = [
        {"check": "rules"},
        {"check": "fork"},
        {"check": ""},
        {"entries": ()},
        {"entries": (spoiled,)},
        {"entries": (blame,)},
        {"entries": (blame, blame)},
        {"entries": (spoiled,), "check": "signature"},
    ]
    for change in changes:
        fields = {name: getattr(frame, name) for name in frame.__struct_fields__}
        altered = encode(wire.EvidenceFrame(**{**fields, **change}))
        assert "does not prove" in bad_evidence([*evidence[:-1], altered])
    assert "more after the evidence" in bad_evidence([*evidence, evidence[-1]])
    assert "more after the evidence" in bad_evidence([*evidence, evidence[3]])
    bad_evidence([*evidence[:-2], evidence[-1]][:6] + evidence[8:])
    bad_evidence([evidence[0], evidence[-1]])


def test_a_witness_cannot_turn_a_fault_against_another(evidence) -> None:
    """A member may say who sent a wrong signature, and nothing else."""
    frame = closing(evidence)
    ann, ben = played(3, 6, 1).sitters[:2]
    entry = frame.entries[0]
    signature = ann.signer.sign(WITNESS_DOMAIN, witness_octets(entry, ben.core.key))
    for check in ("shape", "signature"):
        framed = wire.EvidenceFrame(check, (entry,), ben.core.key, ann.core.key, signature)
        bad_evidence([*evidence[:-1], encode(framed)])


def test_a_witness_must_sit_at_the_table_and_sign(evidence) -> None:
    """Testimony is by a member, over sender, signature and body."""
    ann, ben = played(3, 6, 1).sitters[:2]
    stranger = make_signing_key(b"\x09" * 32)
    entry = closing(evidence).entries[0]
    wrong = wire.SignedEntry(entry.body, bytes(64))

    def file(witness, says: bytes, sender: bytes) -> list[bytes]:
        signature = witness.sign(WITNESS_DOMAIN, says)
        closing_frame = wire.EvidenceFrame(
            "signature", (wrong,), sender, witness.public_bytes, signature
        )
        return [*evidence[:-1], encode(closing_frame)]

    says = witness_octets(wrong, ben.core.key)
    good = verify_record(file_of(file(ann.signer, says, ben.core.key)), entropy())
    assert good.kind is VerdictKind.HEARSAY, good.sentence
    assert good.accused.startswith("Ben (")
    assert not good.culprit
    assert "So says Ann (" in good.sentence
    bad_evidence(file(stranger, says, ben.core.key))
    bad_evidence(file(ann.signer, says, ann.core.key))
    bad_evidence(file(ann.signer, witness_octets(entry, ben.core.key), ben.core.key))
    bare = wire.EvidenceFrame("signature", (wrong,), b"", b"", b"")
    assert not verify_record(file_of([*evidence[:-1], encode(bare)]), entropy()).culprit


def test_a_fork_of_two_large_entries_fits_its_evidence() -> None:
    """Whatever a forger writes into the second one: one frame holds both."""
    from netgame.limits import ENTRY_BYTES_MAX, FRAME_BYTES_MAX

    large = wire.SignedEntry(bytes(ENTRY_BYTES_MAX), bytes(64))
    frame = wire.EvidenceFrame("x" * 32, (large, large), bytes(32), bytes(32), bytes(64))
    assert len(encode(frame)) <= FRAME_BYTES_MAX
    assert len(encode(wire.Evidence((large, large)))) <= FRAME_BYTES_MAX
    proof = wire.Proof(99, bytes(163 * 190 + 293))
    body = wire.Body(bytes(64), 200_000, bytes(64), 13, 0, proof)
    assert len(encode(body)) <= ENTRY_BYTES_MAX
