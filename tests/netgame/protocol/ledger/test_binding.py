"""The faults that stop an honest peer, case by case [protocol.md §7].

Unless a test says otherwise, Cy has signed the fault, and Ann is the peer that it may stop. Whole
games with such faults are in tests/netgame/protocol/peer.
"""

import pytest
from msgspec.structs import replace

from netgame.crypto.transcript import expand
from netgame.protocol.ledger.binding import binds
from netgame.protocol.log.entry import read_entry, read_statement
from netgame.protocol.log.fault import CheckCode, Fault, FaultKind, Finding, bad_entry, fork
from netgame.wire import messages as wire
from netgame.wire.statements import bit
from tests.netgame.games import played
from tests.vectors.by_hand import PLAIN, ByHand

ANN, BEN, CY, DEE = range(4)
WEIGHTS = expand(bytes(32), "weights")
BAD = Finding(CheckCode.TURN, "wrote out of turn")


def table_of(seats):
    """Return a table whose seats must now commit to a round key."""
    return ByHand("binding", replace(PLAIN, seats=seats)).sit().form()


@pytest.fixture(scope="module")
def three():
    """A table of three, which no test may change."""
    return table_of(3)


@pytest.fixture
def log(three):
    """A copy of the table of three, which a test may continue."""
    return three.fork()


def commitment(number):
    """Return a commitment to a key; any octets will do."""
    return wire.KeyCommit(0, bytes([number]) * 64)


def key(log, seat):
    """Return the key of a seat."""
    return log.state.company.now.keys[seat]


def stops(log, fault, *, convicted=(), own=ANN):
    """Return True if a fault stops the peer at seat `own`; `convicted` are further culprits."""
    keys = frozenset((fault.key, *(key(log, seat) for seat in convicted)))
    return binds(log.ledger, fault, keys, key(log, own), WEIGHTS)


def wrong_entry(log, seat=CY):
    """Return the fault of an entry that fails a check."""
    entry = read_entry(log.entry(seat, wire.Checked(0)))
    return bad_entry(entry, key(log, seat), BAD)


def forked(log, seat=CY, **changes):
    """Return the fault of a seat that signed two bodies for the due slot, both of them legal."""
    one, other = (read_entry(log.entry(seat, commitment(n), **changes)) for n in (1, 2))
    return fork(one, other, key(log, seat))


def pair(log, first, second, seat=CY):
    """Return the fault of a seat that signed both of these statements."""
    finding = Finding(CheckCode.CUT, "signed both")
    step, said = log.state.step, (first, second)
    return Fault(FaultKind.PAIR, finding, key(log, seat), step, (), statements=said)


# ---- going on without somebody ------------------------------------------------------------------


def test_a_bad_entry_stops_nobody_who_can_go_on_without_its_author(log):
    """A bad entry stops only a peer that cannot go on without its author.

    Two of three can go on. One alone cannot, if both others are convicted, or one is and the other
    has parted.
    """
    assert not stops(log, wrong_entry(log))
    assert stops(log, wrong_entry(log), convicted=[BEN])
    fault = wrong_entry(log, BEN)
    assert not stops(log, fault)
    log.put(log.parting(CY))
    assert stops(log, fault), "one of two is no quorum"


def test_at_a_table_of_two_each_fault_stops_the_other():
    """At a table of two each fault stops the other seat, until the game is over."""
    log = table_of(2)
    assert stops(log, wrong_entry(log, BEN))
    ledger = played(2, 6, 1).host.ledger
    seat, entry = next((e.seat, e) for e in ledger.steps[ledger.state.step - 1])
    culprit = ledger.state.company.now.keys[seat]
    fault = bad_entry(entry, culprit, BAD)
    own = ledger.state.company.now.keys[1 - seat]
    assert not binds(ledger, fault, frozenset({culprit}), own, WEIGHTS)


def test_who_has_gone_stops_nobody_whoever_else_is_convicted(log):
    """A fault of a seat that has gone stops nobody: its new entries are in no log."""
    fault = wrong_entry(log)
    log.put(*log.decided(bit(CY)))
    assert not stops(log, fault, convicted=[BEN])


def test_a_hosts_fault_in_the_lobby_stops_all_until_the_first_session():
    """A host's fault in the lobby stops all until the first session.

    The host alone writes the lobby, and no poll can take it back.
    """
    lobby = ByHand("binding", replace(PLAIN, seats=3)).sit()
    one, other = (read_entry(lobby.entry(255, wire.Close(octets))) for octets in (b"", b"x"))
    fault = fork(one, other, lobby.host.public_bytes)
    own = lobby.people[1].public_bytes
    keys = frozenset({fault.key})
    assert binds(lobby.ledger, fault, keys, own, WEIGHTS)
    assert not binds(lobby.fork().form().ledger, fault, keys, own, WEIGHTS)


def test_what_the_log_shows_stops_all_for_as_long_as_it_stands_there(log):
    """A fault that the log shows stops all seats until a decision makes its step void."""
    step, before = log.state.step, log.state.head
    log.all_write(lambda _: commitment(1))
    fault = log.ledger.shown_by(step, log.ledger.steps[step][CY], BAD)
    assert stops(log, fault)
    log.put(*log.decided(bit(CY), step=step, head=before, last=step))
    assert not stops(log, fault)


# ---- two bodies for a slot ----------------------------------------------------------------------


def test_two_legal_bodies_stop_all_until_the_others_have_signed_behind_them(log):
    """Two legal bodies for a slot stop a peer until the other seats have signed after that slot.

    A signature names the whole log before it. Signatures of the culprit and of the peer itself do
    not count.
    """
    fault = forked(log)
    assert stops(log, fault)
    log.commit()
    assert stops(log, fault), "they have signed beside it, not behind it"
    log.write(BEN, log.opening(BEN))
    assert not stops(log, fault)
    assert stops(log, fault, own=BEN), "Ann has not signed behind it"


def test_a_promise_behind_a_later_head_of_ours_tells_which_body_its_seat_holds(log):
    """A promise that names a later head of the peer's log shows which body its seat has.

    Ben promises and writes no entry. A promise at the slot, or on another log, shows nothing.
    """
    fault, early = forked(log), log.fork()
    early.put(early.promise(BEN))
    assert stops(early, fault), "he stands where the slot is due"
    log.commit()
    log.put(log.promise(BEN, (2, BEN), head=bytes(64)))
    assert stops(log, fault), "he holds another log"
    log.put(log.promise(BEN, (3, BEN)))
    assert not stops(log, fault)
    assert stops(log, fault, own=BEN), "Ann has not said it"


def test_two_bodies_of_which_one_is_illegal_stop_nobody(log):
    """Two bodies stop nobody if one is illegal: every seat can follow only the legal one."""
    one, other = (read_entry(log.entry(CY, p)) for p in (commitment(1), wire.Checked(0)))
    assert not stops(log, fork(one, other, key(log, CY)))
    assert not stops(log, fork(other, one, key(log, CY)))


def test_two_bodies_under_the_id_of_an_epoch_that_is_over_stop_nobody(log):
    """Two bodies under the id of a past epoch stop nobody, even for the due step and its head."""
    company = log.state.company
    place = company.of_id(log.state.table_id).keys.index(key(log, CY))
    one, other = (
        read_entry(log.entry(place, commitment(n), by=CY, id=log.state.table_id)) for n in (1, 2)
    )
    assert not stops(log, fork(one, other, key(log, CY)))


# ---- two statements -----------------------------------------------------------------------------


def test_two_statements_stop_all_until_the_others_have_signed_in_a_later_poll(log):
    """Two statements stop a peer until the other seats have signed an entry in a later poll.

    An entry of the same poll does not show which decision its author has followed.
    """
    fault = pair(log, log.promise(CY), log.promise(CY, without=bit(BEN)))
    assert stops(log, fault)
    log.write(BEN, commitment(1))
    assert stops(log, fault)
    log.put(*log.decided(last=log.state.step))
    assert stops(log, fault)
    log.write(ANN, commitment(1))
    assert stops(log, fault), "that is our own"
    assert not stops(log, fault, own=BEN)


def test_the_later_of_two_statements_tells_the_poll_that_they_can_part(log):
    """A parting and a later promise stop a peer even after an entry of the promise's poll.

    The two can divide the seats in that poll, so an entry of it does not show which one its author
    has followed.
    """
    parting = log.parting(CY)
    log.put(*log.decided())
    fault = pair(log, parting, log.promise(CY))
    log.write(BEN, commitment(1))
    assert read_entry(log.signed[-1]).poll == 1
    assert read_statement(parting).statement.poll == 0
    assert stops(log, fault)


def test_two_statements_of_an_epoch_that_all_have_left_stop_nobody():
    """Two statements of a past epoch stop a peer until the others have signed in the next epoch.

    That shows that all have followed one decision.
    """
    log = table_of(4)
    fault = pair(log, log.promise(CY), log.promise(CY, without=bit(BEN)))
    log.put(*log.decided(bit(DEE), voters=[ANN, BEN, CY]))
    assert stops(log, fault)
    log.write(ANN, commitment(1))
    assert stops(log, fault), "that is our own"
    log.write(BEN, commitment(1))
    assert not stops(log, fault)


@pytest.mark.parametrize("is_whole", [True, False])
def test_two_values_of_a_poll_stop_all_while_somebody_may_have_followed_the_other(is_whole):
    """Two decided values of a poll stop a peer, because others may have followed the second one.

    If the second is not yet decided, the peer goes on. Two honest seats of five accept each value,
    and so does the liar. The seats that go by the value in the peer's log never sign in it again.
    """
    log, eve = table_of(5), 4
    other = log.fork()
    ours = log.decided(bit(CY) | bit(DEE), voters=[ANN, BEN, eve])
    theirs = other.decided(bit(ANN) | bit(BEN), voters=[CY, DEE, eve])
    log.put(*ours)
    log.commit()
    heard = [log.ledger.hear(read_statement(each)) for each in theirs[: None if is_whole else -1]]
    fault = next(each for each in heard if isinstance(each, Fault))
    assert fault.key == key(log, eve)
    assert stops(log, fault) is is_whole
