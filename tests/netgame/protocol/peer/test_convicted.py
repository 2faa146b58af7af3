"""A fault convicts, but stops only a table that it can divide [protocol.md §7, peer.md §8.1].

Mal cheats at these tables, and in one test the newcomer Zoe does; all others are honest.
"""

from collections.abc import Callable, Iterator

import pytest

from lab.simulation.cheats.bent import Bent
from lab.simulation.cheats.words import parting, promise
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import Entry, sign_entry, sign_statement
from netgame.protocol.log.fault import FaultKind, Offence
from netgame.protocol.notices import AfterFault, PlaysOn
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from netgame.wire.statements import Accept, Ballot, Promise
from tests.netgame.games import driven, played
from tests.netgame.protocol.happenings import gone, leave_for_good, seated, verified
from tests.netgame.simtable import SimTable, Sitter, kill
from tests.netgame.small_games import is_its_turn, new_table

LONG_S = 3_000.0
SETTINGS = wire.Settings("standard", (), 6, 4, 2, 4, ())


def say(table: SimTable, sender: Sitter, receiver: Sitter, message: wire.LinkMessage) -> None:
    """Deliver one frame, as if it came over a link from the sender to the receiver."""
    frame = encode(message)
    table.do(receiver, receiver.core.frame(sender.key, frame, table.now))


def play_on(table: SimTable, honest: list[Sitter]) -> None:
    """Play to the end; each honest seat must have a good record of a whole game."""
    table.run(lambda: all(each.finished for each in honest), LONG_S)
    assert {each.state.phase for each in honest} == {Phase.OVER}
    assert len({each.state.head for each in honest}) == 1
    for each in honest:
        verdict = verified(each.record_octets)
        assert verdict.ok, verdict.sentence
        assert verdict.finished


def expect_convicted(mal: Sitter, honest: list[Sitter], kind: FaultKind) -> None:
    """Check that all honest seats have convicted Mal alone, of this kind, with evidence files."""
    for each in honest:
        assert {fault.key for fault in each.core.faults} == {mal.key}, each.name
        assert kind in {fault.kind for fault in each.core.faults}
        assert each.evidence
        for file in each.evidence.values():
            verdict = verified(file)
            assert verdict.ok, verdict.sentence
            assert verdict.culprit.startswith(mal.name)


def own(ledger: Ledger, key: bytes, kind: type = object) -> Iterator[Entry]:
    """Yield the entries of one kind by a key in a log, oldest first."""
    for step in ledger.steps:
        for entry in step:
            if ledger.key_of(entry) == key and isinstance(entry.payload, kind):
                yield entry


# ---- a seat that has gone -----------------------------------------------------------------------


def second_body(mal: Sitter, ledger: Ledger) -> wire.Entries:
    """Return a different body for a slot that Mal filled long ago."""
    entry = next(own(ledger, mal.key, wire.Checked))
    body = wire.Body(entry.id, entry.step, bytes(64), entry.seat, entry.poll, wire.Checked(5))
    return wire.Entries((sign_entry(mal.signer, body),))


def anothers_step(mal: Sitter, ledger: Ledger) -> wire.Entries:
    """Return a body by Mal for a past step in which another seat alone was due."""
    number, entry = next(
        (number, step[0])
        for number, step in enumerate(ledger.steps)
        if len(step) == 1
        and isinstance(step[0].payload, wire.Deck)
        and ledger.key_of(step[0]) != mal.key
    )
    seat = ledger.state.company.at(number).seat_of(mal.key)
    head = ledger.head_before(number)
    body = wire.Body(entry.id, number, head, seat, 0, wire.Checked(0))
    return wire.Entries((sign_entry(mal.signer, body),))


def two_promises(mal: Sitter, ledger: Ledger) -> wire.Statements:
    """Return two different promises in the poll by which Mal left."""
    decision = ledger.decisions[-1]
    poll, stop = decision.book, decision.proposal
    seat = ledger.state.company.of_id(poll.id).seat_of(mal.key)
    at = (poll.id, poll.number, seat, Ballot(9, seat), stop.step, stop.head)
    lies = (Promise(*at, last, 0, b"") for last in (stop.step, stop.step - 1))
    return wire.Statements(tuple(sign_statement(mal.signer, lie).signed for lie in lies))


def table_that_went_on(how: str) -> tuple[SimTable, Sitter, list[Sitter]]:
    """Return a table of four that has gone on without Mal, together with Mal and the others."""
    table = new_table(("patience=minute",), seed=5, seats=4, rounds=2)
    *_, mal = table.sitters
    if how == "host":
        mal = table.host
    table.run(lambda: is_its_turn(mal))
    if how == "farewell":
        table.act(mal, leave_for_good)
        table.pass_time(0.2)
    kill(table, mal)
    honest = [each for each in table.sitters if each is not mal]
    table.run(lambda: all(each.state.gone for each in honest))
    table.run(lambda: all(each.state.phase is Phase.PLAY for each in honest))
    return table, mal, honest


@pytest.mark.parametrize("how", ["farewell", "cut", "host"])
@pytest.mark.parametrize("lie", [second_body, anothers_step, two_promises])
def test_nobody_who_has_gone_ends_the_game_of_those_who_stay(
    how: str, lie: Callable[[Sitter, Ledger], wire.LinkMessage]
) -> None:
    """A liar that has gone is convicted by one frame, and stops nobody."""
    table, mal, honest = table_that_went_on(how)
    receiver = honest[-1]
    table.do(receiver, receiver.core.link_up(mal.key, table.now))
    say(table, mal, receiver, wire.Hello(receiver.context.table_id, b""))
    say(table, mal, receiver, lie(mal, receiver.ledger))
    assert [found.then for found in receiver.faults()] == [AfterFault.NOTHING]
    play_on(table, honest)
    kinds = {second_body: FaultKind.FORK, anothers_step: FaultKind.BAD_ENTRY}
    expect_convicted(mal, honest, kinds.get(lie, FaultKind.PAIR))


def test_it_fills_no_screen_and_no_disk_either() -> None:
    """A hundred bodies for an old slot are one fault, which each seat reports and keeps once."""
    table, mal, honest = table_that_went_on("farewell")
    receiver = honest[-1]
    table.do(receiver, receiver.core.link_up(mal.key, table.now))
    say(table, mal, receiver, wire.Hello(receiver.context.table_id, b""))
    entry = next(own(receiver.ledger, mal.key, wire.Checked))
    for number in range(100):
        payload = wire.Checked(number % 99)
        body = wire.Body(entry.id, entry.step, bytes([number] * 64), entry.seat, 0, payload)
        say(table, mal, receiver, wire.Entries((sign_entry(mal.signer, body),)))
    table.pass_time(1.0)
    assert all(len(each.faults()) == 1 for each in honest)
    assert all(len(each.evidence) == 1 for each in honest)
    play_on(table, honest)


# ---- a seat that is still there -----------------------------------------------------------------


def lies_at(table: SimTable, mal: Sitter, honest: list[Sitter], message: wire.LinkMessage) -> None:
    """Let Mal show a lie to all; check that nobody stops, and that the others go on without Mal."""
    for each in honest:
        say(table, mal, each, message)
    table.run(lambda: all(gone(each) == {mal.name} for each in honest), 30)
    assert all(each.core.fault is None for each in honest)
    assert all(each.faults()[0].then is AfterFault.LET_GO for each in honest)


def in_second_round() -> tuple[SimTable, Sitter, list[Sitter]]:
    """Return a table whose four seats play their second round, Mal, and the others."""
    table = new_table((), seed=5, seats=4, rounds=2)
    *honest, mal = table.sitters
    table.run(lambda: all(s.state.table and s.state.table.round_number == 1 for s in table.sitters))
    table.run(lambda: is_its_turn(honest[0]))
    return table, mal, honest


def test_a_second_body_for_a_slot_of_the_first_round_costs_a_seat_and_no_game() -> None:
    """A second body for a slot of the first round costs its author the seat; the game goes on."""
    table, mal, honest = in_second_round()
    lies_at(table, mal, honest, second_body(mal, honest[0].ledger))
    kill(table, mal)
    play_on(table, honest)
    expect_convicted(mal, honest, FaultKind.FORK)


def test_a_farewell_with_such_a_body_in_one_breath() -> None:
    """A liar that shows a second body and leaves at the same moment is convicted all the same."""
    table, mal, honest = in_second_round()
    body = second_body(mal, honest[0].ledger)
    for each in honest:
        say(table, mal, each, body)
    table.act(mal, leave_for_good)
    table.pass_time(0.1)
    kill(table, mal)
    play_on(table, honest)
    expect_convicted(mal, honest, FaultKind.FORK)
    assert gone(honest[0]) == {mal.name}


class SoreLoser(Bent):
    """A core that sends wrong last scores to all, or to `deceived` peers before the right ones."""

    deceived: int | None = None

    def write(self, payload: wire.Payload) -> None:
        """Write what is due, but in the last scores lie to the deceived peers."""
        state = self.context.state
        if isinstance(payload, wire.RoundOver) and state.table.round_number == 1:
            wrong = wire.RoundOver(tuple(1 + each for each in payload.scores), (), 0)
            poll = self.context.ledger.poll.number
            body = wire.Body(state.log_id, state.step, state.head, self.context.seat, poll, wrong)
            lie = sign_entry(self.context.signer, body)
            for key in list(self.context.links.peers)[: self.deceived]:
                self.send(key, wire.Entries((lie,)))
            if self.deceived is None:
                return
        super().write(payload)


class SplitScores(SoreLoser):
    """A core that sends wrong scores to one peer, and the right scores to all."""

    deceived = 1


@pytest.mark.parametrize("liar", [SoreLoser, SplitScores])
def test_a_sore_loser_takes_no_finished_game_from_the_winner(liar: type[Bent]) -> None:
    """A sore loser's wrong scores, alone or beside right ones, do not undo a finished game."""
    table = SimTable(SETTINGS, bytes([5]) * 32)
    *honest, mal = seated(table, "Ann", "Ben", "Cy", Mal=liar)
    play_on(table, honest)
    assert {fault.key for each in honest for fault in each.core.faults} == {mal.key}
    assert verified(honest[0].record_octets).winners
    for each in honest:
        shown = next(info for info in each.view.seats if info.key == mal.key)
        # A deceived peer has judged the wrong one, another has only seen that there are two.
        assert shown.offence in {Offence.SCORE, Offence.TWICE}
        assert shown.found_in == 1
        assert [info.offence for info in each.view.seats].count(None) == len(honest)


class WrongRoster(Bent):
    """A newcomer that signs a false roster."""

    def write(self, payload: wire.Payload) -> None:
        """Write what is due, except that the roster is false."""
        if isinstance(payload, wire.Roster):
            state, context = self.context.state, self.context
            poll, payload = context.ledger.poll.number, wire.Roster(bytes(64))
            body = wire.Body(state.log_id, state.step, state.head, context.seat, poll, payload)
            for key in context.links.peers:
                self.send(key, wire.Entries((sign_entry(context.signer, body),)))
            return
        super().write(payload)


def test_a_newcomer_that_lies_is_let_go_like_one_that_falls_silent() -> None:
    """A newcomer that lies is let go, like one that falls silent: it has no vote and no tiles."""
    table = new_table((), seed=4, seats=3, rounds=3)
    honest = list(table.sitters)
    table.run(lambda: honest[0].state.phase is Phase.PLAY and honest[0].state.table.past != ())
    zoe = table.seat("Zoe", core_class=WrongRoster)
    table.run(lambda: all(each.core.faults for each in honest), LONG_S)
    table.pass_time(5.0)
    assert not any(zoe.key in each.state.company.now.here for each in honest)
    play_on(table, honest)
    expect_convicted(zoe, honest, FaultKind.BAD_ENTRY)


# ---- faults that stop a table -------------------------------------------------------------------


class Forker(Bent):
    """A core that signs a second coin commitment, which it sends to one peer."""

    def write(self, payload: wire.Payload) -> None:
        """Write what is due; first send one peer a different coin commitment."""
        if isinstance(payload, wire.CoinCommit):
            state, context = self.context.state, self.context
            other = wire.CoinCommit(bytes(64))
            body = wire.Body(state.log_id, state.step, state.head, context.seat, 0, other)
            for key in list(context.links.peers)[:1]:
                self.send(key, wire.Entries((sign_entry(context.signer, body),)))
        super().write(payload)


def test_two_legal_bodies_for_a_fresh_slot_stop_the_table() -> None:
    """Two legal bodies for a fresh slot stop the table; all have evidence, and end 15 s later."""
    table = SimTable(SETTINGS, bytes([5]) * 32)
    *honest, mal = seated(table, "Ann", "Ben", "Cy", Mal=Forker)
    table.run(lambda: all(each.core.fault for each in honest), 60)
    since = table.now
    assert {each.faults()[0].then for each in honest} == {AfterFault.STOPS}
    table.run(lambda: all(each.finished for each in honest), 60)
    assert table.now - since == pytest.approx(15.0, abs=1.0)
    expect_convicted(mal, honest, FaultKind.FORK)


def test_a_fork_that_a_peer_hears_of_late_stops_it_only_until_it_has_read_on() -> None:
    """A peer that hears of a fork late stops only until it has read what all signed after it."""
    log = played().host.ledger
    one = driven(30)
    ben, cy = (each.key for each in played().sitters[1:3])
    one.link(ben)
    one.link(cy)
    step = one.state.step
    entry = next(e for e in log.steps[step] if log.key_of(e) == cy)
    other = sign_entry(
        played().by_key[cy].signer,
        wire.Body(entry.id, step, entry.prev, entry.seat, entry.poll, _otherwise(entry.payload)),
    )
    one.hear(ben, wire.Evidence((entry.signed, other)))
    assert one.core.fault is not None
    for signed in log.entries_from(step):
        one.hear(ben, wire.Entries((signed,)))
    assert one.core.fault is None
    assert any(isinstance(each, PlaysOn) for each in one.told)
    assert [fault.key for fault in one.core.faults] == [cy]
    assert one.state.step > step + 3


def _otherwise(payload: wire.Payload) -> wire.Payload:
    """Return a different payload of the same kind that passes checks 7.8 to 7.12."""
    assert isinstance(payload, wire.Proof | wire.KeyCommit), payload
    if isinstance(payload, wire.KeyCommit):
        return wire.KeyCommit(payload.round, bytes(64))
    return wire.Proof(payload.round, payload.proof[:-1] + bytes([payload.proof[-1] ^ 1]))


def test_at_a_table_of_two_a_bad_entry_stops_it() -> None:
    """At a table of two a bad entry stops the other seat, which cannot decide alone."""
    table = SimTable(wire.Settings("standard", (), 6, 2, 2, 4, ()), bytes([5]) * 32)
    ann, mal = seated(table, "Ann", Mal=SoreLoser)
    table.run(lambda: ann.finished, LONG_S)
    assert ann.faults()[0].then is AfterFault.STOPS
    assert ann.view.has_ended
    expect_convicted(mal, [ann], FaultKind.BAD_ENTRY)
    verdict = verified(ann.record_octets)
    assert verdict.ok
    assert not verdict.finished


class FalseProof(Bent):
    """A core whose first shuffle proof is false; `at` is its step."""

    at: int | None = None

    def write(self, payload: wire.Payload) -> None:
        """Write what is due, with a false first shuffle proof."""
        if isinstance(payload, wire.Proof) and self.at is None:
            self.at = self.state.step
            proof = bytearray(payload.proof)
            proof[-1] ^= 1
            payload = wire.Proof(payload.round, bytes(proof))
        super().write(payload)


def test_a_false_proof_that_a_promise_rules_out_is_evidence_of_both() -> None:
    """A false proof and a promise that rules out its entry together convict their author.

    All proofs are in, and nobody has checked them yet, when the promise comes.
    """
    table = SimTable(wire.Settings("standard", (), 6, 4, 1, 4, ()), bytes([1]) * 32)
    *honest, mal = seated(table, "Ann", "Ben", "Cy", Mal=FalseProof)
    table.slow = lambda who, work: work.checks is not None
    table.run(lambda: mal.core.at is not None and all(s.state.step > mal.core.at for s in honest))
    at = mal.core.at
    said = promise(mal.core, step=at, last=at - 1)
    for each in honest:
        say(table, mal, each, wire.Statements((said.signed,)))
    expect_convicted(mal, honest, FaultKind.BESIDE)


# ---- a check that ends late, and a peer that alone is shown a lie -------------------------------


class LateProof(Bent):
    """A core that keeps its first shuffle proof to itself, and is silent from then on."""

    kept: wire.Proof | None = None

    def decide(self) -> None:
        """Take part in polls until the shuffle proof is due."""
        if self.kept is None:
            super().decide()

    def write(self, payload: wire.Payload) -> None:
        """Write what is due before the shuffle proof."""
        if self.kept is None and isinstance(payload, wire.Proof):
            self.kept = payload
        elif self.kept is None:
            super().write(payload)


def false_proof_in_a_poll() -> tuple[SimTable, list[Sitter], Sitter]:
    """Let Mal part, and show a false proof to Ann alone once she has promised; her check is slow.

    Return the table, the honest sitters and Mal.
    """
    table = SimTable(wire.Settings("standard", (), 6, 4, 1, 4, ()), bytes([1]) * 32)
    *honest, mal = seated(table, "Ann", "Ben", "Cy", Mal=LateProof)
    ann = honest[0]
    table.run(lambda: mal.core.kept and all(len(s.ledger.slots) == 3 for s in honest))
    state, proof = mal.state, bytearray(mal.core.kept.proof)
    proof[-1] ^= 1
    payload = wire.Proof(mal.core.kept.round, bytes(proof))
    body = wire.Body(state.log_id, state.step, state.head, mal.seat, 0, payload)
    lie = wire.Entries((sign_entry(mal.signer, body),))
    farewell = parting(mal.core, step=state.step, last=state.step)
    table.slow = lambda who, work: who is ann and work.checks is not None
    shown_while(table, ann, mal, lie, lambda: _has_said(ann, Promise))
    for each in honest:
        say(table, mal, each, wire.Statements((farewell.signed,)))
    table.run(lambda: any(decision.goes for decision in ann.ledger.decisions), 60)
    assert gone(ann) == {"Mal"}
    assert table.unfinished, "the check ends behind the decision"
    return table, honest, mal


def shown_while(
    table: SimTable, ann: Sitter, mal: Sitter, lie: wire.Entries, is_so: Callable[[], bool]
) -> None:
    """Show Ann the lie as soon as `is_so` returns True."""
    shown, given = [], table.do

    def do(sitter: Sitter, effects: object) -> None:
        given(sitter, effects)
        if sitter is ann and not shown and is_so():
            shown.append(lie)
            given(ann, ann.core.frame(mal.key, encode(lie), table.now))

    table.do = do


def _has_said(who: Sitter, kind: type[Promise | Accept]) -> bool:
    """Return True if `who` has signed a statement of this kind in the open poll."""
    said = who.ledger.poll.cut.of(kind).values()
    return any(each.seat == who.seat for each in said)


def test_a_check_that_ends_behind_a_cut_convicts_nobody_and_crashes_nothing() -> None:
    """A check that ends after a cut convicts nobody, because its proof is no longer in the log."""
    table, honest, mal = false_proof_in_a_poll()
    ann = honest[0]
    table.finish(ann)
    assert not ann.core.faults
    table.slow = lambda who, work: False
    mal.alive = False
    play_on(table, honest)


def test_a_false_proof_that_a_decision_makes_void_leaves_a_good_record() -> None:
    """A false proof that a decision makes void leaves a good record.

    Ann's file has the false proof, before the certificate that makes it void [6.2].
    """
    table, honest, mal = false_proof_in_a_poll()
    mal.alive = False
    table.slow = lambda who, work: False
    table.finish(honest[0])
    play_on(table, honest)
    assert len(honest[0].record) == len(honest[1].record) + 1


class Quiet(Bent):
    """A core that is silent once it has to move; it is `off` then."""

    off = False

    def write(self, payload: wire.Payload) -> None:
        """Write what is due until this seat has to move."""
        self.off |= isinstance(payload, wire.Lay | wire.Draw | wire.Pass)
        if not self.off:
            super().write(payload)

    def decide(self) -> None:
        """Take part in polls until this seat has to move."""
        if not self.off:
            super().decide()


def test_who_is_shown_a_bad_entry_alone_is_not_left_behind_alone() -> None:
    """If only one peer is shown a bad entry, it follows the others' decision, and plays on.

    Ann sees the entry between her accept and the certificate; the others have not seen it.
    """
    settings = wire.Settings("standard", (), 9, 4, 1, 5, ("patience=minute",))
    table = SimTable(settings, bytes([5]) * 32)
    *honest, mal = seated(table, "Ann", "Ben", "Cy", Mal=Quiet)
    ann = honest[0]
    table.run(lambda: mal.core.off)
    table.pass_time(0.1)
    state = mal.state
    number = mal.ledger.poll.number
    body = wire.Body(state.log_id, state.step, state.head, mal.seat, number, wire.Checked(0))
    lie = wire.Entries((sign_entry(mal.signer, body),))
    farewell = parting(mal.core, step=state.step, last=state.step)
    shown_while(table, ann, mal, lie, lambda: _has_said(ann, Accept))
    for each in honest:
        say(table, mal, each, wire.Statements((farewell.signed,)))
    table.run(lambda: all(gone(each) == {"Mal"} for each in honest), 30)
    assert ann.core.fault is None
    mal.alive = False
    play_on(table, honest)
