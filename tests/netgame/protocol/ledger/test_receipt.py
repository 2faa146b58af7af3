"""Checks 7.1 to 7.7: which entries count at all, on the ledger and on a live core."""

import msgpack
import pytest

from netgame.crypto.transcript import expand
from netgame.errors import Malformed
from netgame.limits import ENTRY_BYTES_MAX, HELD_ENTRIES_MAX, HELD_PER_PEER_MAX
from netgame.protocol.fold.phases import Phase
from netgame.protocol.fold.revision import offered
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import ENTRY_DOMAIN, read_entry, sign_entry
from netgame.protocol.log.fault import (
    Accepted,
    CheckCode,
    Garbage,
    Guilty,
    Later,
    Repeat,
    Stray,
    Unlinked,
)
from netgame.protocol.peer.core import Core
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.games import entries_of, holder, ledger_until, played, signed_at
from tests.netgame.protocol.ledger.receipt import (
    at_phase,
    checked_by,
    core_at,
    honest_entry,
    stranger,
)
from tests.netgame.simtable import standard


def test_7_1_size_an_entry_over_the_bound_ends_the_link() -> None:
    """Nothing is decoded, nobody is blamed."""
    ledger = ledger_until(at_phase(Phase.ROSTER))
    large = wire.SignedEntry(bytes(ENTRY_BYTES_MAX + 1), bytes(64))
    assert isinstance(ledger.judge(large), Garbage)
    one, ben = core_at(at_phase(Phase.ROSTER))
    one.hear(ben, wire.Entries((large,)))
    assert one.dropped == [ben]
    assert one.core.fault is None


@pytest.mark.parametrize("spoil", ["long-int", "field-more", "field-less", "tail", "no-message"])
def test_7_2_canonical_another_encoding_ends_the_link(spoil: str) -> None:
    """Even if its signature is good: octets that mean the same must be the same."""
    ledger = ledger_until(at_phase(Phase.ROSTER))
    body = honest_entry(ledger).body
    value = msgpack.unpackb(body, use_list=True)
    octets = {
        "long-int": body.replace(value[0], value[0] + b"\xcc"),
        "field-more": msgpack.packb([*value, 0]),
        "field-less": msgpack.packb(value[:-1]),
        "tail": body + b"\x00",
        "no-message": b"\xc1",
    }[spoil]
    assert octets != body
    signer = holder(played(), ledger.state.company.now.keys[0]).signer
    spoiled = wire.SignedEntry(octets, signer.sign(ENTRY_DOMAIN, octets))
    assert isinstance(ledger.judge(spoiled), Garbage)
    one, ben = core_at(at_phase(Phase.ROSTER))
    one.hear(ben, wire.Entries((spoiled,)))
    assert one.dropped == [ben]
    assert one.core.fault is None


def test_7_3_table_an_entry_of_another_table_is_ignored() -> None:
    """Also the table id after the coin has fallen, and any that a done step does not have."""
    ledger = ledger_until(at_phase(Phase.SHARES))
    roster = next(entry for step in ledger.steps for entry in step if entry.seat == 0)
    done = {"step": roster.step, "prev": roster.prev}
    for signed in (
        signed_at(ledger, wire.Checked(0), 0, id=ledger.state.table_id),
        signed_at(ledger, roster.payload, 0, id=bytes(64), **done),
        signed_at(ledger, roster.payload, 0, **done),
    ):
        assert isinstance(ledger.judge(signed), Stray)


def test_7_3_table_an_entry_of_an_epoch_to_come_is_held() -> None:
    """Whoever has decided first writes under an id that is not known here yet."""
    ledger = ledger_until(at_phase(Phase.ROSTER))
    for unknown in (ledger_until(at_phase(Phase.SHARES)).state.log_id, bytes(64)):
        assert isinstance(ledger.judge(signed_at(ledger, wire.Checked(0), 0, id=unknown)), Later)


@pytest.mark.parametrize("seat", [3, 254, wire.CHAIR])
def test_7_4_author_a_seat_that_is_not_there_is_ignored(seat: int) -> None:
    """Three sit here; the chair has nothing to say any more."""
    ledger = ledger_until(at_phase(Phase.SHARES))
    assert isinstance(ledger.judge(signed_at(ledger, wire.Checked(0), seat, by=0)), Stray)


def test_7_4_author_nobody_writes_after_the_end() -> None:
    """Who lost cannot undo a game that is over by breaking a rule behind it."""
    one, ben = core_at(at_phase(Phase.OVER))
    ledger = ledger_until(at_phase(Phase.OVER))
    late = sign_entry(
        holder(played(), ledger.state.seats[1].key).signer,
        wire.Body(ledger.state.log_id, ledger.state.step, ledger.state.head, 1, 0, wire.Pass(b"")),
    )
    assert isinstance(ledger.judge(late), Stray)
    one.hear(ben, wire.Entries((late,)))
    assert one.core.fault is None


@pytest.mark.parametrize(
    "stop", [at_phase(Phase.ROSTER), at_phase(Phase.PLAY), lambda s: s.step == 1]
)
def test_7_4_author_a_stranger_cannot_open_the_table_again(stop) -> None:
    """The table id is made of the host's key, so an opening by another key is nobody's."""
    one, ben = core_at(stop)
    state = one.core.state
    for seat in (wire.CHAIR, 0, 1):
        opening = wire.OpenTable(stranger().public_bytes, bytes(32), offered(standard()))
        body = wire.Body(state.table_id, 0, bytes(64), seat, 0, opening)
        forged = sign_entry(stranger(), body)
        assert not isinstance(one.core.ledger.judge(forged), Accepted | Later)
        if seat != wire.CHAIR:
            assert isinstance(one.core.ledger.judge(forged), Stray)
        one.hear(ben, wire.Entries((forged,)))
    assert one.core.fault is None


def test_7_4_author_before_the_first_entry_only_the_host_is_known() -> None:
    """By its key and nonce, which the table id is made of; whatever else comes is ignored."""
    entries = entries_of(played().sitters[0])
    table = read_entry(entries[0]).id
    fresh = Ledger(table)
    assert isinstance(fresh.judge(entries[0]), Accepted)
    opening = read_entry(entries[0]).payload
    assert isinstance(opening, wire.OpenTable)
    for payload, seat in (
        (wire.OpenTable(stranger().public_bytes, opening.nonce, opening.settings), wire.CHAIR),
        (opening, 0),
        (wire.Close(), wire.CHAIR),
    ):
        forged = sign_entry(stranger(), wire.Body(table, 0, bytes(64), seat, 0, payload))
        assert isinstance(fresh.judge(forged), Stray)


def test_7_5_signature_a_wrong_one_names_the_sender_and_stops_nothing() -> None:
    """Of another seat, of nobody, or cut off another entry: it binds nobody."""
    ledger = ledger_until(at_phase(Phase.ROSTER))
    good = signed_at(ledger, wire.Roster(bytes(64)), 1)
    for bad in (
        signed_at(ledger, wire.Roster(bytes(64)), 1, by=2),
        wire.SignedEntry(good.body, bytes(64)),
        wire.SignedEntry(good.body, honest_entry(ledger).signature),
    ):
        judged = ledger.judge(bad)
        assert isinstance(judged, Guilty)
        assert judged.fault.finding.check is CheckCode.SIGNATURE
        assert judged.fault.key == b""
        one, ben = core_at(at_phase(Phase.ROSTER))
        one.hear(ben, wire.Entries((bad, bad, bad)))
        assert one.dropped == [ben]
        assert one.core.fault is None
        (found,) = [each for each in one.told if type(each).__name__ == "FaultFound"]
        assert found.name.startswith("Ben (")
        assert len(one.evidence) == 1


def test_7_6_fork_a_second_story_convicts_its_author() -> None:
    """In the due step and in one that is done; both entries are the evidence."""
    ledger = ledger_until(at_phase(Phase.ROSTER))
    first = honest_entry(ledger)
    judged = ledger.judge(first)
    assert isinstance(judged, Accepted)
    ledger.await_proof(judged.entry)
    other = signed_at(ledger, wire.Roster(bytes(64)), judged.entry.seat)
    assert checked_by(ledger, other) is CheckCode.FORK
    ledger.settle(judged.entry)
    assert checked_by(ledger, other) is CheckCode.FORK
    verdict = ledger.judge(other)
    assert isinstance(verdict, Guilty)
    assert verdict.fault.entries == (first, other)
    done = ledger_until(at_phase(Phase.PLAY))
    assert checked_by(done, other) is CheckCode.FORK


def test_7_6_fork_the_same_entry_again_is_ignored() -> None:
    """However often, and whether its step is due, done, or still being judged."""
    done = ledger_until(at_phase(Phase.PLAY))
    assert all(isinstance(done.judge(each), Repeat) for each in done.entries_from(0))
    one, ben = core_at(at_phase(Phase.PLAY))
    record = list(one.record)
    one.hear(ben, wire.Entries(tuple(done.entries_from(0))[:40]))
    assert one.record == record
    assert not one.dropped


def test_7_7_link_after_another_history_is_held_and_asked_about_once() -> None:
    """A frame full of such entries costs one question, not one each."""
    one, ben = core_at(at_phase(Phase.ROSTER))
    ledger = one.core.ledger
    seat = ledger.state.company.now.keys.index(ben)
    unlinked = [
        signed_at(ledger, wire.Roster(bytes(63) + bytes([n])), seat, prev=bytes(64))
        for n in range(20)
    ]
    assert all(isinstance(ledger.judge(each), Unlinked) for each in unlinked)
    one.hear(ben, wire.Entries(tuple(unlinked)))
    assert one.core.fault is None
    assert one.said(wire.Pull) == [wire.Pull(max(0, ledger.state.step - 4), b"\x00" * 32, 0)]


def test_a_later_step_is_held_until_it_is_due() -> None:
    """Entries that overtake others are neither lost nor judged too early."""
    one, ben = core_at(at_phase(Phase.ROSTER))
    start = one.core.state.step
    rest = [e for e in entries_of(played().sitters[0]) if start <= read_entry(e).step < start + 3]
    one.hear(ben, wire.Entries(tuple(reversed(rest))))
    assert one.core.state.step == start + 3
    assert one.core.fault is None


def test_held_entries_are_bounded_and_the_nearest_have_precedence() -> None:
    """Made-up entries of far steps fill nothing for long."""
    one, ben = core_at(at_phase(Phase.ROSTER))
    ledger = one.core.ledger
    far = [
        wire.SignedEntry(
            encode(wire.Body(bytes(64), 1_000 + n, bytes(64), 0, 0, wire.Checked(0))), bytes(64)
        )
        for n in range(HELD_ENTRIES_MAX + 50)
    ]
    for n in range(0, len(far), 200):
        one.hear(ben, wire.Entries(tuple(far[n : n + 200])))
    assert len(one.core.parts.held.senders) == HELD_PER_PEER_MAX
    start = ledger.state.step
    rest = [e for e in entries_of(played().sitters[0]) if start <= read_entry(e).step < start + 3]
    one.hear(ben, wire.Entries(tuple(reversed(rest))))
    assert one.core.state.step == start + 3
    assert len(one.core.parts.held.senders) <= HELD_PER_PEER_MAX


def test_a_record_that_is_no_log_is_not_taken_up() -> None:
    """Entries that do not follow each other are `Malformed`, not a wrong table."""
    sitter = played().sitters[0]
    bad = [*sitter.record[:6], *sitter.record[7:]]
    with pytest.raises(Malformed):
        Core(sitter.signer, "Ann", expand(bytes(32), "x"), sitter.secret, ()).restore(bad, 0.0)
