"""The ledger by itself: what is repeated costs nothing, what is late accuses nobody."""

from netgame.protocol.fold.phases import BetweenTurns, Phase
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.poll import Heard
from netgame.protocol.log.entry import Entry, ReceivedStatement, read_statement, sign_statement
from netgame.protocol.log.fault import CheckCode, Fault, Repeat, Stray
from netgame.protocol.notices import DealPhase
from netgame.wire import messages as wire
from netgame.wire.statements import NOTHING, Ballot, Promise
from tests.netgame.games import (
    holder,
    ledger_until,
    ledgers_in,
    played,
    played_without,
    read_until,
    signed_at,
)
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
    more = {"id": ledger.state.company.at(cut.step - 1).id, "step": cut.step}
    prev = ledger.head_before(cut.step)
    late = signed_at(ledger, wire.Pass(bytes(98)), gone, game=played_without(), prev=prev, **more)
    assert isinstance(ledger.judge(late), Stray)


# ---- a chain that this peer has to check ------------------------------------------------------


def being_checked(state) -> bool:
    """Where all sign that the chain of the first deal holds."""
    return state.deal is not None and state.deal.phase is DealPhase.CHECKED


def behind_the_first_deal(game: SimTable | None = None) -> Ledger:
    """A ledger that has all that came before those signatures, and has yet to check the chain."""
    _, frames = read_until(being_checked, game)
    *_, ledger = ledgers_in((game or played()).host.record[: frames + 1], Ledger)
    return ledger


def test_a_chain_that_was_found_good_is_that_of_one_session() -> None:
    """In another one a deal may have begun at the same step."""
    ledger = behind_the_first_deal()
    born = ledger.state.deal.born
    ledger.pass_chain((bytes(64), born))
    assert ledger.is_waiting()
    ledger.pass_chain((ledger.state.log_id, born))
    assert not ledger.is_waiting()


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
