"""A seat signs something new only if its journal allows it [peer.md §8.1]."""

import pytest
from msgspec.structs import replace

from netgame.limits import CLAIM_S
from netgame.protocol.log.entry import read_entry, read_statement
from netgame.protocol.peer.context import PeerContext
from netgame.protocol.peer.linked import Peer
from netgame.protocol.peer.status.journal import NOWHERE, Astray, Behind, Journal, UpToDate
from netgame.protocol.peer.status.recovery import Recovery
from netgame.wire import messages as wire
from netgame.wire.statements import bit
from tests.vectors.by_hand import PLAIN, ByHand

ANN, BEN, CY = range(3)


@pytest.fixture(scope="module")
def table():
    """A table of three whose seats must now commit to a round key."""
    return ByHand("journal guards", replace(PLAIN, seats=3)).sit().form()


@pytest.fixture
def journal(table):
    """The journal of Ben, who has signed nothing in this epoch."""
    place = PeerContext(table.signer(BEN), "Ben", (), wire.PlayedBy.TERMINAL)
    place.ledger = table.fork().ledger
    made = Journal(place)
    made.recall(())
    made.mark = NOWHERE
    made._slots.clear()
    return made


def commitment(table, number=1, **changes):
    """Return an entry of Ben's for the due step."""
    payload = wire.KeyCommit(0, bytes([number]) * 64)
    return read_entry(table.entry(BEN, payload, **changes))


def test_a_slot_is_filled_once(table, journal):
    """A slot is filled once: only the octets in the journal are sent again."""
    assert journal.may_sign()
    entry = commitment(table)
    journal.write(entry)
    assert not journal.may_sign()
    assert journal.has_filled()
    assert journal.to_be_said_again() == (entry,)
    assert journal.knows(entry)
    assert not journal.knows(commitment(table, 2)), "another body is not ours"


def test_what_was_signed_behind_another_head_is_not_said_again(table, journal):
    """An entry signed on top of a head that the log lacks is not sent again, and blocks its slot.

    Somebody has lied to the seat about the head.
    """
    journal.write(commitment(table, prev=bytes(64)))
    assert journal.to_be_said_again() == ()
    assert journal.state() == Astray()
    assert not journal.may_sign()


@pytest.mark.parametrize(("ahead", "is_behind"), [(0, False), (1, True), (5, True)])
def test_nothing_is_signed_before_the_mark(table, journal, ahead, is_behind):
    """A seat signs nothing before its mark: a record that ends earlier has lost its tail."""
    journal.write(commitment(table, step=table.state.step + ahead))
    assert isinstance(journal.state(), Behind) == is_behind
    assert not journal.may_sign() if is_behind else journal.has_filled()


@pytest.mark.parametrize("ahead", ["poll", "epoch"])
def test_nothing_is_said_before_the_poll_in_which_this_key_has_spoken(table, journal, ahead):
    """A journal is behind if its key has spoken in a later poll, or in an epoch not known here."""
    later = {"poll": table.ledger.poll.number + 1} if ahead == "poll" else {"id": bytes(64)}
    journal.keep_statement(read_statement(table.promise(BEN)))
    assert journal.state() == UpToDate(None)
    journal.keep_statement(read_statement(table.promise(BEN, **later)))
    assert journal.state() == Behind(None)


def test_a_statement_that_was_forgotten_binds_and_silences(table, journal):
    """A statement of Ben's that his journal lacks binds and silences him: it may lack others too.

    A statement that is in his journal does not silence him.
    """
    known = read_statement(table.promise(BEN))
    journal.write_statement(known)
    journal.meet(known)
    assert journal.may_say()
    forgotten = read_statement(table.promise(BEN, (7, BEN)))
    journal.meet(forgotten)
    assert not journal.may_say()
    assert journal.bound(BEN).promised == (7, BEN)


def test_a_parting_of_an_earlier_poll_holds_for_good(table, journal):
    """A parting in an earlier poll lasts: its seat remains parted in every later poll."""
    log = table.fork()
    journal.write_statement(read_statement(log.parting(BEN)))
    log.put(*log.decided())
    journal.context.ledger = log.ledger
    assert log.ledger.poll.number == 1
    assert journal.bound(BEN).left
    assert not journal.bound(CY).left


# ---- recovery -----------------------------------------------------------------------------------


@pytest.fixture
def recovery(table, journal):
    """Return Ben's recovery just after a start, linked to Ann and Cy, who have told no head."""
    made = Recovery(journal.context, journal)
    for seat in (ANN, CY):
        key = table.signer(seat).public_bytes
        journal.context.links.peers[key] = Peer(greeted=True)
    made.begin(has_journal=True)
    return made


def tell(recovery, table, seat, ahead=0):
    """Let the recovery hear, from `seat`, a head that is `ahead` steps ahead of Ben's."""
    context, key = recovery.context, table.signer(seat).public_bytes
    ours = context.head()
    head = replace(ours, step=ours.step + ahead)
    context.links.note_head(context.links.peers[key], head)
    recovery.hear(key)


def lasts(recovery):
    """Let Ben look; return True if he still has to hear more."""
    recovery.look()
    return recovery.lasts


def test_a_recovery_lasts_until_all_have_told_where_they_stand(table, recovery):
    """A recovery lasts until all linked seats have told their heads."""
    tell(recovery, table, ANN)
    assert lasts(recovery)
    tell(recovery, table, CY)
    assert not lasts(recovery)


def test_nobody_is_heard_for_whom_the_time_alone_has_passed(table, recovery):
    """An hour without any head does not end a recovery; the first head then does."""
    recovery.context.now = 3_600.0
    assert lasts(recovery)
    tell(recovery, table, ANN)
    assert not lasts(recovery)


def test_a_recovery_lasts_while_somebody_is_ahead(table, recovery):
    """A recovery lasts while somebody is ahead: their log may have entries that Ben forgot."""
    tell(recovery, table, ANN)
    tell(recovery, table, CY, ahead=2)
    assert lasts(recovery)


@pytest.mark.parametrize(
    ("has_journal", "is_in_doubt", "ends"),
    [(True, False, True), (False, False, False), (True, True, False)],
    ids=["whole", "lost", "damaged"],
)
def test_only_who_has_forgotten_nothing_passes_over_a_claim(
    table, recovery, has_journal, is_in_doubt, ends
):
    """Only a seat with a sound journal stops waiting for a peer that claims more and sends nothing.

    For any other seat the claim may be about an entry that it forgot.
    """
    recovery.begin(has_journal=has_journal)
    recovery.journal._is_in_doubt = is_in_doubt
    tell(recovery, table, ANN)
    tell(recovery, table, CY, ahead=2)
    recovery.context.now += CLAIM_S
    cy = table.signer(CY).public_bytes
    assert recovery.claimants() == (() if ends else (cy,))
    assert lasts(recovery) != ends


def test_nobody_waits_for_those_who_have_left_or_have_no_seat(table, recovery):
    """A recovery does not wait for seats that have parted, or for strangers."""
    log = table.fork()
    log.put(log.parting(CY))
    recovery.context.ledger = log.ledger
    stranger = bytes([7]) * 32
    recovery.context.links.peers[stranger] = peer = Peer(greeted=True)
    peer.head = replace(recovery.context.head(), step=99)
    recovery.hear(stranger)
    tell(recovery, table, ANN)
    assert log.ledger.poll.cut.parted() == bit(CY)
    assert not lasts(recovery)


def test_a_second_program_with_our_key_is_listened_for(table, recovery):
    """A recovery lasts longer if a second program may be signing with the same key."""
    recovery.journal.add(commitment(table, step=table.state.step - 1))
    recovery.met_rival(table.signer(ANN).public_bytes)
    tell(recovery, table, ANN)
    tell(recovery, table, CY)
    assert lasts(recovery)
    step = recovery.context.state.step
    assert recovery.has_been_level(step)
    assert not recovery.has_been_level(step - 1)
    recovery.context.now += 60.0
    assert not lasts(recovery)
