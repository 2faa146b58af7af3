"""A journal keeps its seat from contradicting itself and from signing before its mark.

[peer.md §8.1]
"""

import pytest
from msgspec.structs import replace

from netgame.protocol.log.entry import read_frames, read_statement
from netgame.protocol.peer.context import PeerContext
from netgame.protocol.peer.parts import leave_for_good
from netgame.protocol.peer.status.journal import Behind, Journal
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any
from netgame.wire.statements import Promise
from tests.netgame.protocol.happenings import gone, in_turn
from tests.netgame.protocol.peer.test_polls import table_of
from tests.netgame.simtable import kill, link_all, revive
from tests.netgame.small_games import end_whole
from tests.vectors.by_hand import PLAIN, ByHand
from tests.vectors.log_cases import record

SEAT = 1
FIRST = (1, 0)


def formed():
    """Return a table of three in its first deal."""
    return ByHand("journal", replace(PLAIN, seats=3)).sit().form()


def journal_of(table, *signed):
    """Return this seat's journal, in a process that has read these entries and statements."""
    place = PeerContext(table.signer(SEAT), "Ben", (), wire.PlayedBy.TERMINAL)
    place.ledger = table.fork().ledger
    journal = Journal(place)
    journal.recall(read_frames(record(signed))[0][1:])
    return journal


def test_a_mark_of_an_epoch_that_is_over_holds_nothing_up():
    """A mark in a past epoch does not hold a seat up; a mark in an unknown epoch does."""
    table = formed()
    for id_, is_behind in ((table.state.table_id, False), (bytes(64), True)):
        entry = table.entry(SEAT, wire.Roster(bytes(64)), id=id_, step=table.state.step + 40)
        assert isinstance(journal_of(table, entry).state(), Behind) == is_behind


def test_what_was_accepted_is_kept_with_all_that_it_goes_back_to():
    """A seat is bound by the proposal it accepted; if its journal lacks that, it counts as parted.

    Without the proposal, the seat could not name it in a promise.
    """
    table = formed()
    counted = [table.promise(seat, FIRST) for seat in (SEAT, 0)]
    proposal = table.proposal(FIRST, 0, counted)
    accept = table.accept(SEAT, proposal)
    journal = journal_of(table, *counted, proposal, accept)
    for each in journal.statements.values():
        journal.context.ledger.hear(each)
    assert journal.bound(SEAT).accepted == table.name_of(proposal)
    assert journal_of(table, counted[0], accept).bound(SEAT).left


def statements_in(sitter):
    """Return the statements in a seat's journal."""
    frames = (decode_any(payload, wire.JournalFrame) for payload in sitter.journal)
    return [read_statement(f.statement) for f in frames if isinstance(f, wire.RecordStatement)]


def has_promised(sitter):
    """Return True if a seat has made a promise in the present session."""
    own = (e.statement for e in statements_in(sitter) if e.is_by(sitter.key))
    return any(isinstance(e, Promise) and e.id == sitter.state.session for e in own)


@pytest.mark.parametrize("loses", ["record", "journal", "both"])
def test_a_seat_that_has_lost_a_file_in_a_poll_signs_no_second_story(loses):
    """A seat that loses files during a poll contradicts nothing that it had signed.

    Nobody is accused, and the table ends with one log, whichever files are gone.
    """
    table = table_of(5, rounds=2)
    leaves = in_turn(table)
    victim, *_ = (each for each in table.sitters if each is not leaves)
    table.act(leaves, leave_for_good)
    table.run(lambda: has_promised(victim))
    kill(table, victim)
    kill(table, leaves)
    if loses != "journal":
        del victim.record[len(victim.record) // 2 :]
    if loses != "record":
        victim.journal.clear()
    table.pass_time(2.0)
    revive(table, victim)
    link_all(table)
    end_whole(table)
    assert all(gone(each) == {leaves.name} for each in table.sitters if each.alive)
