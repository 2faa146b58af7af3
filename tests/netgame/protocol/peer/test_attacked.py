"""Attacks on what follows a fault [protocol.md §7, peer.md §8.1], each tried with real cores.

Mal cheats at each of these tables; all others are honest.
"""

from lab.simulation.cheats.bent import Bent
from netgame.protocol.log.entry import sign_entry, sign_statement
from netgame.protocol.log.fault import FaultKind
from netgame.wire import messages as wire
from netgame.wire.statements import NO_BALLOT, Accept, Parting, Statement
from tests.netgame.protocol.happenings import gone, seated
from tests.netgame.protocol.peer.test_convicted import expect_convicted, play_on, say
from tests.netgame.simtable import SimTable, Sitter


def farewells(mal: Sitter, honest: Sitter) -> tuple[wire.Statements, wire.Statements]:
    """Two partings of Mal that rule each other out, at the step that is due."""
    state, poll = honest.state, honest.ledger.poll
    seat = state.seat_of(mal.key)
    at = poll.id, poll.number, seat, NO_BALLOT, state.step, state.head
    said = (Parting(*at, last, b"") for last in (state.step - 1, state.step))
    one, other = (wire.Statements((sign_statement(mal.signer, e).signed,)) for e in said)
    return one, other


def has_said(sitter: Sitter, kind: type[Statement]) -> bool:
    """Whether this seat has signed such a statement in the open poll."""
    said = sitter.ledger.poll.cut.of(kind).values()
    return any(each.seat == sitter.seat for each in said)


# ---- what the log shows -------------------------------------------------------------------------


class FalseProof(Bent):
    """Signs a false shuffle proof, and nothing behind it."""

    off = False

    def write(self, payload: wire.Payload) -> None:
        """Write what is due until then."""
        if self.off:
            return
        if isinstance(payload, wire.Proof):
            self.off = True
            proof = payload.proof[:-1] + bytes([payload.proof[-1] ^ 1])
            payload = wire.Proof(payload.round, proof)
        super().write(payload)

    def decide(self) -> None:
        """Take part in polls until then."""
        if not self.off:
            super().decide()


def test_a_second_fault_of_its_author_hides_no_false_proof() -> None:
    """The checks end while a pair of partings stops all; by the decision that pair binds no more.

    The false proof stands before the cut: a verifier refuses whatever goes on behind it.
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
    """Signs a false opening of its key and a true one, in one breath, and nothing behind them."""

    off = False

    def write(self, payload: wire.Payload) -> None:
        """Write what is due until then."""
        if isinstance(payload, wire.KeyOpen) and not self.off:
            self.off = True
            state, place = self.place.state, self.place
            at = state.log_id, state.step, state.head, place.seat, 0
            false = payload.opening[:-1] + bytes([payload.opening[-1] ^ 1])
            bodies = (wire.KeyOpen(payload.round, each) for each in (false, payload.opening))
            both = tuple(sign_entry(place.signer, wire.Body(*at, each)) for each in bodies)
            for key in place.links.peers:
                self.send(key, wire.Entries(both))
        elif not self.off:
            super().write(payload)

    def decide(self) -> None:
        """Take part in polls until then."""
        if not self.off:
            super().decide()


def test_a_bad_body_that_is_still_being_judged_stands_for_nothing() -> None:
    """A bad entry beside a good one stops nobody [7]: also while the bad one waits for its check."""
    settings = wire.Settings("standard", (), 6, 4, 1, 4, ())
    table = SimTable(settings, bytes([5]) * 32)
    *honest, mal = seated(table, "Ann", "Ben", "Cy", Mal=TwoOpenings)
    table.run(lambda: mal.core.off)
    table.run(lambda: all(gone(each) == {"Mal"} for each in honest), 30)
    assert all(each.core.fault is None for each in honest)
    mal.alive = False
    play_on(table, honest)
    expect_convicted(mal, honest, FaultKind.BAD_ENTRY)
