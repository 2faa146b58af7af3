"""Checks 7.1 to 7.7 on an entry, where its place in the log matters [protocol.md §7].

The logs of the vectors show the outcome of single entries (`test_log_vectors`).
"""

from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import read_entry, sign_entry
from netgame.protocol.log.fault import Accepted, CheckCode, Stray
from netgame.protocol.notices import DealPhase
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.session import due
from netgame.wire import messages as wire
from tests.netgame.games import entries_of, ledger_until, played, signed_at
from tests.netgame.protocol.ledger.intake import (
    at_deal,
    at_phase,
    checked_by,
    core_at,
    honest_entry,
    stranger,
)


def test_before_the_first_entry_only_the_host_is_known():
    """Before the first entry only the host is known, because the table id is made from its key.

    Entries by anybody else are ignored.
    """
    entries = entries_of(played().host)
    table = read_entry(entries[0]).id
    fresh = Ledger(table)
    assert isinstance(fresh.judge(entries[0]), Accepted)
    opening = read_entry(entries[0]).payload
    for payload, seat in (
        (wire.OpenTable(stranger().public_bytes, opening.nonce, opening.settings), wire.CHAIR),
        (opening, 0),
        (wire.Close(), wire.CHAIR),
    ):
        forged = sign_entry(stranger(), wire.Body(table, 0, bytes(64), seat, 0, payload))
        assert isinstance(fresh.judge(forged), Stray)


def test_another_history_is_asked_about_once():
    """A frame of twenty entries that follow a different history leads to a single `Pull`."""
    one, ben = core_at(at_phase(Phase.ROSTER))
    ledger = one.ledger
    seat = ledger.state.company.now.keys.index(ben)
    unlinked = [
        signed_at(ledger, wire.Roster(bytes(63) + bytes([n])), seat, prev=bytes(64))
        for n in range(20)
    ]
    one.hear(ben, wire.Entries(tuple(unlinked)))
    assert one.core.fault is None
    assert one.said(wire.Pull) == [wire.Pull(max(0, ledger.state.step - 4), b"\x00" * 32, 0)]


def test_a_done_step_takes_nothing_more_whoever_is_due_now():
    """A past step takes no more entries, even from a seat that is due now."""
    ledger = ledger_until(at_deal(DealPhase.CHECKED))
    payload = read_entry(honest_entry(ledger)).payload
    step, seat = next(
        (number, seat)
        for number, entries in enumerate(ledger.steps)
        for seat in due(ledger.state).authors
        if ledger.state.author_key(number, seat) and seat not in {each.seat for each in entries}
    )
    company = ledger.state.company
    late = {"step": step, "prev": ledger.head_before(step), "id": company.at(step).id}
    author = company.now.seat_of(ledger.state.author_key(step, seat))
    signed = signed_at(ledger, payload, seat, by=author, **late)
    assert checked_by(ledger, signed) is CheckCode.TURN
