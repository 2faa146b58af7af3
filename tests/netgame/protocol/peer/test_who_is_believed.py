"""Messages beyond their sender's rights: a link proves a key, but the key may say anything."""

import math

import pytest
from msgspec.structs import replace

from lab.simulation.cheats.words import promise
from netgame.crypto.signing import make_signing_key
from netgame.crypto.transcript import expand
from netgame.limits import CLAIM_S, WATCHERS_MAX
from netgame.protocol.log.entry import read_entry, sign_entry, sign_statement
from netgame.protocol.log.fault import Accepted, CheckCode, Finding, bad_entry
from netgame.protocol.peer.context import PeerContext
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.linked import Peer
from netgame.protocol.seating import WhyNoSeat
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from netgame.wire.statements import Ballot
from tests.netgame.games import Driven, driven, due_body, played
from tests.netgame.protocol.happenings import asks
from tests.netgame.protocol.peer.test_lost_tail import back
from tests.netgame.protocol.peer.test_watching import Guest, guest_at, in_play
from tests.netgame.simtable import SimTable, standard

FRIEND = bytes([7]) * 32
LIAR = make_signing_key(bytes([9]) * 32)


def say(table, sender, receiver, message):
    """Deliver one frame, as if it came over a link from the sender to the receiver."""
    table.do(receiver, receiver.core.frame(sender.key, encode(message), table.now))


# ---- admission ----------------------------------------------------------------------------------


def test_only_members_let_others_in_without_the_code():
    """Only members can vouch for others; a watching stranger would vouch for all its friends."""
    table = in_play(bots=False)
    ann, ben, *_ = table.sitters
    guest_at(table).say(wire.Guests((FRIEND,)))
    assert not ann.parts.watchers.may_come(FRIEND)
    say(table, ben, ann, wire.Guests((FRIEND,)))
    assert ann.parts.watchers.may_come(FRIEND)


def test_nobody_vouches_for_others_before_it_is_a_member():
    """A stranger's list of guests does not count, even after the stranger becomes a member."""
    table = SimTable(standard(6, 4, 1))
    ann = table.seat("Ann")
    guest = Guest(table, ann)
    guest.say(wire.Guests((FRIEND,)))
    guest.ask()
    assert ann.context.belongs(guest.key)
    assert not ann.parts.watchers.may_come(FRIEND)


def test_a_member_that_was_sent_away_vouches_for_nobody_any_more():
    """A member that was sent away no longer vouches for anybody.

    Otherwise its friends could come in without the code, even a code drawn after it left.
    """
    table = SimTable(standard(6, 4, 1))
    ann, ben = table.seat("Ann"), table.seat("Ben")
    table.run(lambda: ann.context.belongs(ben.key))
    say(table, ben, ann, wire.Guests((FRIEND,)))
    assert ann.parts.watchers.may_come(FRIEND)
    table.disconnect(ann, ben)
    table.run(lambda: not ann.context.belongs(ben.key))
    assert not ann.parts.watchers.may_come(FRIEND)


def test_so_many_watch_and_no_more():
    """A watcher over the limit is told so, and is sent no head of the log."""
    table = in_play(bots=False)
    guests = [Guest(table, table.host, number) for number in range(WATCHERS_MAX + 2)]
    assert len(table.host.context.links.guests()) == WATCHERS_MAX
    codes = [[answer.code for answer in guest.of(wire.JoinAnswer)] for guest in guests]
    assert codes == [[]] * WATCHERS_MAX + [[WhyNoSeat.WATCHERS.value]] * 2
    assert [bool(guest.of(wire.Head)) for guest in guests] == [True] * WATCHERS_MAX + [False] * 2


def test_members_alone_are_told_who_watches():
    """Only members are told who watches; a member's request for a seat is ignored."""
    table = in_play(bots=False)
    ann, ben, *_ = table.sitters
    guests = [Guest(table, ann, number) for number in range(2)]
    table.pass_time(1.0)
    assert not any(guest.of(wire.Guests) for guest in guests)
    assert all(ben.parts.watchers.may_come(guest.key) for guest in guests)
    say(table, ben, ann, asks(ben.signer, "Ben", ann.state.log_id, ann.state.step))
    assert not ann.parts.applicants.waiting


def test_who_looks_for_a_host_takes_no_table_from_anybody_else():
    """A peer that looks for a host takes the table only from that host."""
    ann = played().host
    core = Core(LIAR, "Cy", expand(bytes(32), "x"), bytes(32), ())
    one = Driven(core.look_for_table(host=ann.key))
    one.meet(FRIEND, bytes([5]) * 64)
    assert one.state.table_id == b""
    one.meet(ann.key, ann.state.table_id)
    assert one.state.table_id == ann.state.table_id


def test_who_comes_is_shown_the_faults_of_those_who_sit():
    """A peer that comes is sent evidence of seated players' faults, so it can vote as others do."""
    one = driven(30)
    ben, cy = (each.key for each in played().sitters[1:3])
    entry = next(e for step in one.ledger.steps for e in step if one.ledger.key_of(e) == ben)
    finding = Finding(CheckCode.TURN, "wrote out of turn")
    one.parts.faults.convict(bad_entry(entry, ben, finding))
    assert ben in one.context.convicted
    one.link(cy)
    assert one.said(wire.Evidence) == [wire.Evidence((entry.signed,), ())]


def test_who_asks_in_anothers_name_gets_no_seat():
    """A request for a seat that another key has signed gets no seat."""
    table = in_play(bots=False, rounds=2)
    guest, other = guest_at(table), Guest(table, table.host, 1)
    state = table.host.state
    guest.say(asks(other.signer, "Zoe", state.log_id, state.step))
    assert [answer.code for answer in guest.of(wire.JoinAnswer)] == ["key"]
    assert not table.host.parts.applicants.waiting


# ---- hearing a watcher --------------------------------------------------------------------------


def later_entry(table, by, **changes):
    """Return an entry of the player to move for a future step.

    It is signed by `by`, or by that player if `by` is None.
    """
    state = table.host.state
    body = due_body(table.host.ledger, state.table.to_move, wire.Checked(0), step=state.step + 2)
    return sign_entry(by or author(table).signer, replace(body, **changes))


def author(table):
    """Return the sitter who is to move."""
    key = table.host.state.seats[table.host.state.table.to_move].key
    return table.by_key[key]


@pytest.mark.parametrize(
    "message", [wire.Entries, wire.Pulled, lambda each: wire.Evidence(each, ())]
)
def test_a_watchers_entries_of_steps_to_come_are_held_only_if_signed(message):
    """A watcher's entries of future steps are kept only if they are signed correctly.

    A forged entry ends the link, and nothing after it is accepted.
    """
    table = in_play(bots=False)
    guest, ann = guest_at(table), table.host
    guest.say(message((later_entry(table, None),)))
    assert sum(map(len, ann.parts.early.by_step.values())) == 1
    other_epoch = later_entry(table, None, id=bytes(64), step=ann.state.step + 3)
    guest.say(message((other_epoch,)))
    assert sum(map(len, ann.parts.early.by_step.values())) == 1
    forged, good = later_entry(table, LIAR), later_entry(table, None, step=ann.state.step + 4)
    guest.say(message((forged, good)))
    assert ann.context.links.peers[guest.key].dropped
    assert sum(map(len, ann.parts.early.by_step.values())) == 1


@pytest.mark.parametrize(
    "message", [wire.Statements, lambda each: wire.Evidence((), each)], ids=["said", "evidence"]
)
def test_seats_hear_no_statement_from_a_watcher(message):
    """Seats ignore statements from a watcher, even good ones: members will bring those too."""
    table = in_play(bots=False)
    guest, (ann, ben, *_) = guest_at(table), table.sitters
    said = promise(ben.core, Ballot(1, ben.seat), last=ben.state.step - 1)
    guest.say(message((said.signed,)))
    assert not ann.ledger.poll.said
    say(table, ben, ann, wire.Statements((said.signed,)))
    assert said.name in ann.ledger.poll.said


def test_no_seat_reads_on_where_a_watcher_says_that_its_log_is_another():
    """A watcher with another head or a higher step is asked for nothing."""
    table = in_play(bots=False)
    guest, ann = guest_at(table), table.host
    state = ann.state
    for head in (wire.Head(state.step, bytes(64), b"", 0), wire.Head(state.step + 9, b"", b"", 0)):
        guest.say(head)
    assert not guest.of(wire.Pull)


def test_nothing_is_heard_before_a_greeting_and_nothing_after_the_end():
    """A peer is heard only between its greeting and the end of its link."""
    table = in_play(bots=False)
    ann = table.host
    guest = Guest(table, ann, 3)
    guest._note(ann.core.link_down(guest.key, table.now))
    guest._note(ann.core.link_up(guest.key, table.now))
    guest.say(wire.Pull(0, b"", 0))
    assert not guest.of(wire.Pulled)
    guest.say(wire.Hello(ann.state.table_id))
    guest.say(wire.Pull(0, b"", 0))
    assert len(guest.of(wire.Pulled)) == 1
    ann.context.links.peers[guest.key].dropped = True
    guest.say(wire.Pull(0, b"", 0))
    assert len(guest.of(wire.Pulled)) == 1


# ---- claims to have more ------------------------------------------------------------------------


def place_at(step):
    """Return the context of a peer whose log has this length, its links, and one linked peer."""
    place = PeerContext(LIAR, "Ann", (), wire.PlayedBy.TERMINAL)
    place.ledger.state = replace(place.state, step=step)
    place.links.peers[FRIEND] = peer = Peer(greeted=True)
    return place, place.links, peer


def head_at(step):
    """Return the head of a log of this length."""
    return wire.Head(step, bytes(64), b"", 0)


def test_a_claim_is_believed_for_a_while_however_often_it_is_made():
    """Repeating a claim to be ahead does not prolong the time for which it is believed."""
    place, links, peer = place_at(3)
    links.note_head(peer, head_at(9))
    assert not links.claims_more(FRIEND)
    for _ in range(8):
        place.now += CLAIM_S / 8
        links.note_head(peer, head_at(9))
    assert links.claims_more(FRIEND)


def test_a_claim_is_refuted_only_while_our_log_stands_still():
    """A claim is refuted only while this peer's own log does not grow.

    While the log grows, the claimed steps may be on the way from a slow peer.
    """
    place, links, peer = place_at(3)
    links.note_head(peer, head_at(9))
    for step in (4, 5):
        place.now += CLAIM_S
        place.ledger.state = replace(place.state, step=step)
        assert not links.claims_more(FRIEND)
    place.now += CLAIM_S
    assert links.claims_more(FRIEND)


def test_a_claim_ends_when_our_log_has_come_there():
    """A claim ends when this peer's log reaches the claimed step, whoever sent the steps."""
    place, links, peer = place_at(3)
    links.note_head(peer, head_at(9))
    assert not links.claims_more(FRIEND)
    place.now += CLAIM_S
    assert links.claims_more(FRIEND)
    place.ledger.state = replace(place.state, step=9)
    for _ in range(2):
        assert not links.claims_more(FRIEND)
        place.now += CLAIM_S
    links.note_head(peer, head_at(9))
    assert peer.ahead_at == math.inf


# ---- statements in our name ---------------------------------------------------------------------


@pytest.mark.parametrize("is_forged", [False, True])
def test_a_statement_that_we_may_have_forgotten_silences_us_by_our_own_signature_alone(is_forged):
    """A statement that a seat may have forgotten silences it only if its own key has signed it.

    Otherwise anybody could silence a restarted seat for all polls to come.
    """
    one, ben, _ = back()
    one.link(ben)
    said = promise(one.core, Ballot(1, one.seat), last=one.state.step - 1).statement
    signer = LIAR if is_forged else played(3, 6, 1).host.signer
    later = sign_statement(signer, replace(said, poll=said.poll + 1))
    one.hear(ben, wire.Statements((later.signed,)))
    assert one.parts.journal.may_say() == is_forged
    assert (later.name in one.parts.journal.statements) != is_forged


def test_a_seating_that_we_have_not_asked_for_shows_not_what_we_have_signed():
    """Only a seating on a peer's own request shows that the peer has forgotten nothing."""
    one, *_ = back()
    recovery, context = one.parts.recovery, one.context
    recovery._has_journal = False
    recovery.meet_seating(wire.Admit(b"of somebody else", bytes(64)))
    recovery.meet_seating(wire.RoundOver((1, 2, 3), (wire.Admit(b"of others", bytes(64)),), 0))
    assert not recovery._has_journal
    context.asked = (b"ours",)
    recovery.meet_seating(wire.RoundOver((1, 2, 3), (wire.Admit(b"ours", bytes(64)),), 0))
    assert recovery._has_journal


def test_who_passes_on_forged_statements_loses_its_link():
    """A peer that passes on a forged statement loses its link, because honest peers check them."""
    one = driven(60)
    ben = played().sitters[1].key
    one.link(ben)
    said = promise(one.core, Ballot(1, one.seat), last=one.state.step - 1).statement
    one.hear(ben, wire.Statements((sign_statement(LIAR, said).signed,)))
    assert one.dropped == [ben]


def test_entries_that_others_hold_of_ours_are_judged_like_theirs():
    """A seat's own entry that others send is judged like theirs; a false proof stops the seat.

    Somebody else may have signed it with the seat's key, or an earlier process of the seat.
    """
    one, ben, _ = back()
    one.link(ben)
    game = played(3, 6, 1)
    (own,) = [e for e in game.host.ledger.steps[one.state.step] if e.seat == one.seat]
    assert isinstance(own.payload, wire.Shares), own.payload
    proof = own.payload.proof
    lie = replace(own.payload, proof=proof[:-1] + bytes([proof[-1] ^ 1]))
    signed = sign_entry(game.host.signer, due_body(one.ledger, one.seat, lie))
    assert isinstance(one.ledger.judge(signed), Accepted)
    one.hear(ben, wire.Entries((signed,)))
    assert read_entry(signed) not in one.ledger.slots.values()
    assert one.parts.lifetime.is_elsewhere


def test_evidence_of_a_step_to_come_convicts_at_once():
    """Evidence of a fork in a future step convicts at once, before this peer's log reaches it."""
    one = driven(60)
    ben, cy = (each.key for each in played().sitters[1:3])
    one.link(ben)
    bodies = (
        due_body(one.ledger, one.state.seat_of(cy), wire.Checked(n), step=one.state.step + 5)
        for n in (0, 1)
    )
    signer = played().by_key[cy].signer
    one.hear(ben, wire.Evidence(tuple(sign_entry(signer, body) for body in bodies), ()))
    assert [fault.key for fault in one.core.faults] == [cy]
