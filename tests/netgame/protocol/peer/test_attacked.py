"""Attacks on the consequences of a fault [protocol.md §7, peer.md §8.1], on real cores.

Mal cheats at each of these tables, and all others are honest.
"""

import pytest

from lab.simulation.cheats.bent import Bent
from netgame.crypto.transcript import expand
from netgame.protocol.ledger.binding import is_since_seated
from netgame.protocol.log.entry import read_entry, sign_entry, sign_statement
from netgame.protocol.log.fault import CheckCode, FaultKind, Finding, bad_entry
from netgame.protocol.peer.core import Core
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.state import State
from netgame.wire import messages as wire
from netgame.wire.codec import decode, encode
from netgame.wire.statements import NO_BALLOT, Accept, Parting, Statement
from tests.netgame.games import Driven, entries_in, in_turn, played
from tests.netgame.protocol.happenings import gone, leave_for_good, seated, verified
from tests.netgame.protocol.peer.test_convicted import Quiet, expect_convicted, play_on, say
from tests.netgame.simtable import SimTable, Sitter, kill
from tests.netgame.small_games import is_its_turn, new_table


def farewells(mal: Sitter, honest: Sitter) -> tuple[wire.Statements, wire.Statements]:
    """Return two messages, each with a parting by Mal; the partings rule each other out."""
    state, poll = honest.state, honest.ledger.poll
    seat = state.seat_of(mal.key)
    at = poll.id, poll.number, seat, NO_BALLOT, state.step, state.head
    said = (Parting(*at, last, b"") for last in (state.step - 1, state.step))
    one, other = (wire.Statements((sign_statement(mal.signer, e).signed,)) for e in said)
    return one, other


def has_said(sitter: Sitter, kind: type[Statement]) -> bool:
    """Return True if this seat has signed a statement of this kind in the open poll."""
    said = sitter.ledger.poll.cut.of(kind).values()
    return any(each.seat == sitter.seat for each in said)


# ---- faults that the log shows ------------------------------------------------------------------


class FalseProof(Bent):
    """A core that signs a false shuffle proof, and nothing after it."""

    off = False

    def write(self, payload: wire.Payload) -> None:
        """Write what is due up to the first shuffle proof; make that false, and write no more."""
        if self.off:
            return
        if isinstance(payload, wire.Proof):
            self.off = True
            proof = payload.proof[:-1] + bytes([payload.proof[-1] ^ 1])
            payload = wire.Proof(payload.round, proof)
        super().write(payload)

    def decide(self) -> None:
        """Take part in polls until the false proof has been sent."""
        if not self.off:
            super().decide()


def test_a_second_fault_of_its_author_hides_no_false_proof() -> None:
    """A pair of partings that stops all peers does not hide a false shuffle proof of its author.

    The peers find the proof false while the pair stops them, and then a decision ends that stop.
    The proof still convicts, and stops them again: it is before the cut, so a verifier would
    refuse any log that goes on after it.
    """
    settings = wire.Settings("standard", (), 6, 6, 1, 3, ())
    table = SimTable(settings, bytes([5]) * 32)
    *honest, mal = seated(table, "Ann", "Ben", "Cy", "Dee", "Eve", Mal=FalseProof)
    table.slow = lambda who, work: work.checks is not None
    table.run(lambda: mal.core.off and all(each.ledger.chain for each in honest))
    one, other = farewells(mal, honest[0])
    table.delays = lambda sitter, receiver: (0.05,)
    take, shown = table._input, set()

    def show(sitter: Sitter, act: object) -> None:
        take(sitter, act)
        if sitter in honest and sitter.key not in shown and has_said(sitter, Accept):
            shown.add(sitter.key)
            say(table, mal, sitter, other)
            assert sitter.core.fault.kind is FaultKind.PAIR
            table.finish(sitter)

    table._input = show
    for each in honest:
        say(table, mal, each, one)
    table.pass_time(5.0)
    for each in honest:
        assert gone(each) == {"Mal"}
        assert each.core.fault.kind is FaultKind.SHOWN
    step = honest[0].state.step
    table.pass_time(5.0)
    assert {each.state.step for each in honest} == {step}


# ---- a body that is being judged ----------------------------------------------------------------


class TwoOpenings(Bent):
    """A core that signs a false and a true opening of its key at once, and nothing after them."""

    off = False

    def write(self, payload: wire.Payload) -> None:
        """Write what is due until the two openings have been sent."""
        if isinstance(payload, wire.KeyOpen) and not self.off:
            self.off = True
            state, context = self.context.state, self.context
            at = state.log_id, state.step, state.head, context.seat, 0
            false = payload.opening[:-1] + bytes([payload.opening[-1] ^ 1])
            bodies = (wire.KeyOpen(payload.round, each) for each in (false, payload.opening))
            both = tuple(sign_entry(context.signer, wire.Body(*at, each)) for each in bodies)
            for key in context.links.peers:
                self.send(key, wire.Entries(both))
        elif not self.off:
            super().write(payload)

    def decide(self) -> None:
        """Take part in polls until the two openings have been sent."""
        if not self.off:
            super().decide()


def test_a_bad_body_that_is_still_being_judged_stands_for_nothing() -> None:
    """A bad entry beside a good one stops nobody, even while the bad entry is being checked [7]."""
    settings = wire.Settings("standard", (), 6, 4, 1, 4, ())
    table = SimTable(settings, bytes([5]) * 32)
    *honest, mal = seated(table, "Ann", "Ben", "Cy", Mal=TwoOpenings)
    table.run(lambda: mal.core.off)
    table.run(lambda: all(gone(each) == {"Mal"} for each in honest), 30)
    assert all(each.core.fault is None for each in honest)
    mal.alive = False
    play_on(table, honest)
    expect_convicted(mal, honest, FaultKind.BAD_ENTRY)


# ---- claims -------------------------------------------------------------------------------------


def made_up(state: State, number: int) -> dict[str, wire.LinkMessage]:
    """Return a liar's messages by name, none of which its receiver needs."""
    later = wire.Body(state.log_id, state.step + 9, bytes(64), 1, 0, wire.Checked(number))
    return {
        "entries": wire.Entries((wire.SignedEntry(encode(later), bytes(64)),)),
        "nothing": wire.Entries(()),
    }


@pytest.mark.parametrize("news", ["entries", "nothing"])
def test_made_up_entries_keep_no_claim_alive(news: str) -> None:
    """Made-up entries do not make a false claim to be ahead last longer.

    The claim is believed for 8 s after the log last grew.
    """
    game = played(3, 6, 1)
    one = in_turn(game)
    mal, cy = (each.key for each in game.sitters[1:])
    one.link(mal)
    one.link(cy)
    one.hear_head(cy)
    one.hear(mal, wire.Head(one.state.step + 7, bytes(64), b"", 0))
    for number in range(14):
        one.pass_time(1.0)
        if number % 4 == 0:
            one.hear(mal, made_up(one.state, number)[news])
    assert one.view.can_move


def test_no_old_admission_makes_a_seat_that_lost_its_files_sign_twice() -> None:
    """An old admission does not make a seat that lost its files sign a slot twice.

    Mal hosts, and shows a log up to the victim's old request, so that the victim asks in the
    same octets. The rest of the log would seat the victim on its own request. But Ben's log is
    ahead, and the victim waits for his entries.
    """
    game = played(3, 6, 1)
    mal, ben, cy = game.sitters
    log = mal.ledger
    admits = [
        (number, decode(entry.payload.request, wire.JoinRequest))
        for number, step in enumerate(log.steps)
        for entry in step
        if isinstance(entry.payload, wire.Admit)
    ]
    old = next(request for _, request in admits if request.key == cy.key)
    core = Core(cy.signer, cy.name, expand(bytes(32), "anew"), bytes(32), old.addresses)
    one = Driven(core.look_for_table(host=mal.key))
    one.meet(mal.key, mal.state.table_id)
    one.hear(mal.key, wire.Head(old.step, log.head_before(old.step), b"", 0))
    for step in log.steps[: old.step]:
        one.hear(mal.key, wire.Pulled(tuple(entry.signed for entry in step)))
    assert [decode(each.request, wire.JoinRequest) for each in one.said(wire.JoinAsk)] == [old]
    one.link(ben.key)
    one.hear(ben.key, wire.Head(log.state.step, log.state.head, b"", len(log.decisions)))
    for step in log.steps[old.step :]:
        others = (entry.signed for entry in step if log.key_of(entry) != cy.key)
        one.pass_time(0.1)
        one.hear(mal.key, wire.Pulled(tuple(others)))
    assert one.state.member(cy.key) is not None
    assert not one.said(wire.Entries)
    for signed in log.entries_from(one.state.step):
        one.hear(ben.key, wire.Pulled((signed,)))
    assert {log.key_of(read_entry(e)) for e in entries_in(one.journal)} == {cy.key}
    sent = {each for message in one.said(wire.Entries) for each in message.entries}
    assert sent <= set(log.entries_from(0))


# ---- two statements, and two decisions ----------------------------------------------------------


@pytest.mark.parametrize("left_out", [0, 2])
def test_who_heard_another_half_of_a_pair_follows_the_decision_all_the_same(left_out: int) -> None:
    """A peer that heard a different half of a pair of partings still follows the decision.

    Mal parts twice. One honest seat has heard the half that the certificate does not name.
    """
    table = SimTable(wire.Settings("standard", (), 6, 4, 1, 4, ()), bytes([0]) * 32)
    *honest, mal = seated(table, "Ann", "Ben", "Cy", Mal=Quiet)
    table.run(lambda: all(is_its_turn(each) == (each is mal) for each in table.sitters))
    mal.core.off = True
    one, other = farewells(mal, honest[0])
    for number, each in enumerate(honest):
        say(table, mal, each, one if number == left_out else other)
    table.run(lambda: all(gone(each) == {"Mal"} for each in honest), 30)
    assert {each.core.fault for each in honest} == {None}
    mal.alive = False
    play_on(table, honest)
    expect_convicted(mal, honest, FaultKind.PAIR)


def two_of_mal(table: SimTable, ann: Sitter, ben: Sitter, mal: Sitter) -> None:
    """Cut Ann and Ben apart; each plays with one of two processes that Mal runs from one folder."""
    table.cut |= {frozenset((ann.key, ben.key)), frozenset((mal.key, ben.key))}
    table.disconnect(ann, ben)
    table.disconnect(mal, ben)
    entropy = expand(bytes(32), "a copy")
    core = Core(mal.signer, mal.name, entropy, mal.secret, ()).restore(
        mal.record, table.now, mal.journal
    )
    copy = Sitter(core, mal.secret, mal.signer, list(mal.record), list(mal.journal))
    table.cut.discard(frozenset((mal.key, ben.key)))
    table.do(copy, core.start(table.now))
    table.connect(copy, ben)


def test_two_decisions_of_one_poll_stop_those_who_have_followed_them() -> None:
    """Two decisions of one poll stop the peers that have followed them, once these peers meet.

    The one liar of three is in both quorums. Ann and Ben have each gone on without the other, so
    neither of them waits for the other to sign after the poll.
    """
    table = new_table(("patience=minute",), seed=3, seats=3, rounds=6)
    ann, ben, mal = table.sitters
    table.run(lambda: is_its_turn(mal) and len({each.state.step for each in table.sitters}) == 1)
    two_of_mal(table, ann, ben, mal)
    table.run(lambda: ann.state.gone or ben.state.gone, 400)
    table.bots = False  # nobody moves before they have compared notes
    table.run(lambda: ann.state.gone and ben.state.gone, 400)
    assert ann.state.log_id != ben.state.log_id
    table.cut.discard(frozenset((ann.key, ben.key)))
    table.connect(ann, ben)
    table.run(lambda: all(each.finished for each in (ann, ben)), 60)
    for each in (ann, ben):
        assert each.core.fault is not None
        assert each.state.phase is not Phase.OVER
        assert each.evidence
        for file in each.evidence.values():
            verdict = verified(file)
            assert verdict.culprit.startswith(mal.name), verdict.sentence


def test_partings_of_a_poll_that_is_over_fill_no_memory() -> None:
    """Partings of a past poll take only bounded memory, even if a seat that has gone signs many.

    Another member passes them on, but only their author is accused.
    """
    table = new_table(("patience=minute",), seed=3, seats=4, rounds=2)
    ann, _, mal, friend = table.sitters
    table.run(lambda: is_its_turn(mal))
    table.act(mal, leave_for_good)
    table.run(lambda: gone(ann) == {mal.name}, 5)
    decision = ann.ledger.decisions[-1]
    seat = ann.state.company.of_id(decision.book.id).seat_of(mal.key)
    at = decision.book.id, decision.book.number, seat, NO_BALLOT, decision.step, bytes(64), 0
    for number in range(200):
        lie = Parting(*at, bytes([number]) * 32)
        say(table, friend, ann, wire.Statements((sign_statement(mal.signer, lie).signed,)))
    assert len(decision.book.said) < 100
    assert [fault.key for fault in ann.core.faults] == [mal.key]


def test_a_guest_does_not_shed_a_fault_as_another_guest_goes() -> None:
    """A guest keeps its fault when another guest leaves and a new epoch begins [4.8].

    Only a new seat for a convicted key clears a fault.
    """
    table = new_table((), seed=4, seats=3, rounds=4)
    ann = table.host
    table.run(lambda: ann.state.phase is Phase.PLAY)
    mal, friend = table.seat("Mal"), table.seat("Friend")
    table.run(lambda: {mal.key, friend.key} <= set(ann.state.company.now.here))
    state, since = ann.state, ann.state.company.seated_at(mal.key)
    seat, wrong = state.seat_of(mal.key), wire.Roster(bytes(64))
    body = wire.Body(state.log_id, state.step, state.head, seat, 0, wrong)
    kill(table, friend)
    table.run(lambda: friend.key not in ann.state.company.now.here, 200)
    assert mal.key in ann.state.company.now.here
    assert ann.state.company.seated_at(mal.key) == since
    signed = sign_entry(mal.signer, body)
    finding = Finding(CheckCode.SHAPE, "signed another roster")
    fault = bad_entry(read_entry(signed), mal.key, finding)
    assert is_since_seated(ann.state.company, fault)
