"""What a journal lets its seat sign: never half of a pair, nothing new before its mark.

[peer.md §8.1]
"""

import pytest

from netgame.protocol.fold.phases import Phase
from netgame.protocol.log.entry import read_statement, sign_statement
from netgame.protocol.peer.parts import leave_for_good
from netgame.protocol.peer.place import PeerContext
from netgame.protocol.peer.standing.journal import Journal
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any, encode
from netgame.wire.statements import NOTHING, Accept, Ballot, Promise, Proposal
from tests.netgame.games import holder, ledger_until, played, signed_at
from tests.netgame.protocol.happenings import gone, in_turn
from tests.netgame.protocol.peer.test_polls import table_of
from tests.netgame.simtable import kill, link_all, revive
from tests.netgame.small_games import end_whole

SEAT = 1
FIRST = Ballot(1, 0)


def at_shares():
    """A log in which all owe their shares."""
    return ledger_until(lambda state: state.phase is Phase.SHARES)


def key_of(ledger):
    """Whose journal is tried."""
    return ledger.state.seats[SEAT].key


def said(ledger, kind, *fields, seat=SEAT):
    """A statement of this seat in the open poll."""
    poll = ledger.poll
    statement = kind(poll.id, poll.number, seat, *fields)
    return sign_statement(holder(played(), ledger.state.seats[seat].key).signer, statement)


def promise(ledger, ballot, last, accepted=NOTHING):
    """A promise behind our head."""
    return said(ledger, Promise, ballot, ledger.state.step, ledger.state.head, last, 0, accepted)


def journal_of(ledger, *frames):
    """What a process makes of a file with these."""
    place = PeerContext(holder(played(), key_of(ledger)).signer, "Ben", (), bot=False)
    place.ledger = ledger
    journal = Journal(place)
    journal.recall(map(encode, frames))
    return journal


def test_a_mark_of_an_epoch_that_is_over_holds_nothing_up():
    """The same step is another slot under another id."""
    ledger = at_shares()
    step = ledger.state.step + 40
    old = signed_at(ledger, wire.Roster(bytes(64)), SEAT, id=ledger.state.table_id, step=step)
    journal = journal_of(ledger, wire.RecordEntry(old))
    assert not journal.is_behind()
    unknown = signed_at(ledger, wire.Roster(bytes(64)), SEAT, id=bytes(64), step=step)
    assert journal_of(ledger, wire.RecordEntry(unknown)).is_behind()


def test_what_was_accepted_is_kept_with_all_that_it_goes_back_to():
    """Without the proposal a seat that has accepted it says nothing more: it cannot name it."""
    ledger = at_shares()
    two = [promise(ledger, FIRST, ledger.state.step - 1)]
    other = said(
        ledger, Promise, FIRST, ledger.state.step, ledger.state.head, ledger.state.step - 1, 0,
        NOTHING, seat=0,
    )  # fmt: skip
    poll = ledger.poll
    names = tuple(sorted((two[0].name, other.name)))
    proposal = sign_statement(
        holder(played(), ledger.state.seats[0].key).signer,
        Proposal(poll.id, poll.number, FIRST, 0, ledger.state.step, ledger.state.head, names),
    )
    accept = said(ledger, Accept, proposal.name)
    whole = [wire.RecordStatement(each.signed) for each in (*two, other, proposal, accept)]
    journal = journal_of(ledger, *whole)
    for each in journal.statements.values():
        ledger.hear(each)
    assert journal.bound(SEAT).accepted == proposal.name
    lacking = at_shares()
    assert journal_of(lacking, whole[0], whole[-1]).bound(SEAT).left


def statements_in(sitter):
    """What a seat's journal holds of polls."""
    frames = (decode_any(payload, wire.JournalFrame) for payload in sitter.journal)
    return [read_statement(f.statement) for f in frames if isinstance(f, wire.RecordStatement)]


def has_promised(sitter):
    """Whether a seat has promised something since the coin has named its session."""
    own = (e.statement for e in statements_in(sitter) if e.is_by(sitter.key))
    return any(isinstance(e, Promise) and e.id == sitter.state.session for e in own)


@pytest.mark.parametrize("loses", ["record", "journal", "both"])
def test_a_seat_that_has_lost_a_file_in_a_poll_signs_no_second_story(loses):
    """Nobody is accused, and the table ends with one log, whichever file is gone."""
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
