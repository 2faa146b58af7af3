"""The ledger by itself: what is repeated costs nothing, what is late accuses nobody."""

from lab.judged_logs import same_log
from netgame.protocol.fold.phases import BetweenTurns, Phase
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.poll import Heard
from netgame.protocol.log.entry import Entry, ReceivedStatement, read_statement, sign_statement
from netgame.protocol.log.fault import Accepted, CheckCode, Fault, Repeat, Stray
from netgame.protocol.notices import DealPhase
from netgame.wire import messages as wire
from netgame.wire.statements import NOTHING, Ballot, Promise
from tests.netgame.games import (
    entries_of,
    holder,
    ledger_until,
    ledgers_in,
    played,
    played_without,
    read_until,
    signed_at,
    statements_of,
)
from tests.netgame.protocol.ledger.receipt import honest_entry
from tests.netgame.simtable import SimTable


def in_play(state) -> bool:
    """Where a seat of four is in turn."""
    return state.phase is Phase.PLAY and not isinstance(state.now, BetweenTurns)


def test_what_stands_is_known_again_without_a_look_at_its_signature(monkeypatch) -> None:
    """A peer that sends the whole log once more costs a comparison for each entry."""
    ledger = ledger_until(in_play)

    def looked_at(_entry: Entry, _key: bytes) -> bool:
        raise AssertionError("a signature was verified again")

    monkeypatch.setattr(Entry, "is_by", looked_at)
    standing = list(ledger.entries_from(0))
    assert all(isinstance(ledger.judge(signed), Repeat) for signed in standing)


def test_a_late_entry_of_who_went_accuses_nobody() -> None:
    """It was waited for; whether it was late or never sent, the log goes on without it."""
    ledger = ledger_until(lambda state: bool(state.gone), played_without())
    (cut,) = (each for each in ledger.decisions if each.goes)
    (gone,) = ledger.state.gone
    more = {"id": ledger.state.log_id_at(cut.step - 1), "step": cut.step}
    prev = ledger.head_before(cut.step)
    late = signed_at(ledger, wire.Pass(bytes(98)), gone, game=played_without(), prev=prev, **more)
    assert isinstance(ledger.judge(late), Stray)


def test_an_entry_whose_proof_holds_stands_once_and_awaits_nothing() -> None:
    """From the moment that it is settled, while others of its step are still to come."""
    ledger = ledger_until(lambda state: state.phase is Phase.ROSTER)
    judged = ledger.judge(honest_entry(ledger))
    assert isinstance(judged, Accepted)
    ledger.await_proof(judged.entry)
    assert ledger.awaits_proof(judged.entry)
    ledger.settle(judged.entry)
    assert not ledger.awaits_proof(judged.entry)
    assert [*ledger.holding()] == [judged.entry]


def test_entries_are_told_from_a_step_on_without_those_that_are_there() -> None:
    """What a pull asks for: of its first step the slots it names are left out, later ones not."""
    ledger = ledger_until(in_play)
    whole = list(ledger.entries_from(0))
    assert {*whole} == {*entries_of(played().sitters[0])[: len(whole)]}
    step = next(n for n, entries in enumerate(ledger.steps) if len(entries) == 3)
    left = [each.signed for each in ledger.steps[step] if each.seat != 1]
    assert list(ledger.entries_from(step, frozenset({1})))[:2] == left
    rest = list(ledger.entries_from(step, frozenset({1})))
    assert rest[2:] == list(ledger.entries_from(step + 1))


# ---- a chain that this peer has to check ------------------------------------------------------


def being_checked(state) -> bool:
    """Where all sign that the chain of the first deal holds."""
    return state.deal is not None and state.deal.phase is DealPhase.CHECKED


def behind_the_first_deal(game: SimTable | None = None) -> Ledger:
    """A ledger that has all that came before those signatures, and has yet to check the chain."""
    _, frames = read_until(being_checked, game)
    *_, ledger = ledgers_in((game or played()).sitters[0].record[: frames + 1], Ledger)
    return ledger


def test_a_copy_waits_for_a_chain_as_its_ledger_does_unless_it_is_to_trust() -> None:
    """What was judged before waits for nothing, and no copy of it does."""
    trusting = ledger_until(being_checked)
    assert not trusting.is_waiting()
    assert not same_log(trusting).is_waiting()
    waiting = behind_the_first_deal()
    assert being_checked(waiting.state)
    assert waiting.is_waiting()
    assert same_log(waiting).is_waiting()
    assert not same_log(waiting, trusting=True).is_waiting()


def test_a_chain_that_was_found_good_is_that_of_one_session() -> None:
    """In another one a deal may have begun at the same step."""
    ledger = behind_the_first_deal()
    born = ledger.state.deal.born
    ledger.pass_chain((bytes(64), born))
    assert ledger.is_waiting()
    ledger.pass_chain((ledger.state.log_id, born))
    assert not ledger.is_waiting()


def test_no_two_statements_that_honest_seats_have_signed_convict() -> None:
    """Nor one alone, in whatever polls of a game in which a seat has gone."""
    table = played_without()
    ledger = ledger_until(lambda state: state.phase is Phase.OVER, table)
    said = statements_of(table.sitters[0])
    assert len(said) > 5
    for one in said:
        assert all(ledger.proved((), (one, other)) is None for other in said)


def promised(ledger: Ledger, last: int) -> ReceivedStatement:
    """Who has written in the last step says that it signs nothing behind this one."""
    state, poll, seat = ledger.state, ledger.poll, ledger.steps[-1][0].seat
    place = (state.step, state.head, last, 0, NOTHING)
    promise = Promise(poll.id, poll.number, seat, Ballot(1, seat), *place)
    return sign_statement(holder(played(), state.seats[seat].key).signer, promise)


def test_a_promise_that_denies_the_last_entry_of_its_seat_convicts() -> None:
    """Entry and promise are the evidence."""
    ledger = ledger_until(in_play)
    fault = ledger.hear(promised(ledger, ledger.state.step - 2))
    assert isinstance(fault, Fault)
    assert fault.finding.check is CheckCode.CUT
    assert fault.entries == (ledger.steps[-1][0].signed,)


def test_a_statement_that_is_here_is_known_by_its_own_signature_alone() -> None:
    """Else a record would be found good that holds a signature of nobody."""
    ledger = ledger_until(in_play)
    said = promised(ledger, ledger.state.step - 1)
    forged = read_statement(wire.SignedStatement(said.signed.body, bytes(64)))
    heard = [ledger.hear(each) for each in (said, said, forged)]
    assert heard == [Heard.NEWS, Heard.KNOWN, Heard.FORGED]
