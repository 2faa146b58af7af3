"""What a log makes of statements: who is convicted by two of them, and what decides a poll."""

from collections.abc import Callable
from itertools import permutations

import pytest
from msgspec.structs import replace

from lab.judged_logs import same_log
from netgame.crypto.transcript import expand
from netgame.protocol.epochs.cut import Value
from netgame.protocol.fold.phases import BetweenTurns, Phase
from netgame.protocol.fold.session import due
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.poll import Heard
from netgame.protocol.ledger.verdict import evidence_file
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.log.entry import Said, read_entry, read_statement, sign_statement
from netgame.protocol.log.fault import Accepted, CheckCode, Fault, Guilty, Stray
from netgame.wire import messages as wire
from netgame.wire.statements import (
    NO_BALLOT,
    NOTHING,
    Accept,
    Ballot,
    Parting,
    Promise,
    Proposal,
    Statement,
    author,
    bit,
)
from tests.netgame.games import (
    entries_of,
    holder,
    ledger_until,
    played,
    played_without,
    signed_at,
    statements_of,
)

ONE, TWO, THREE = Ballot(1, 0), Ballot(2, 1), Ballot(3, 2)


class Table:
    """A log of three seats in play, and statements that any of them signs."""

    def __init__(self) -> None:
        self.ledger = same_log(_in_play())

    def said(self, statement: Statement, by: int | None = None) -> Said:
        """A statement with the signature of its author, or of another seat."""
        seat = author(statement) if by is None else by
        return sign_statement(holder(played(), self.key(seat)).signer, statement)

    def key(self, seat: int) -> bytes:
        """The key of a seat."""
        return self.ledger.state.seats[seat].key

    def _place(self, seat: int) -> dict[str, object]:
        state, poll = self.ledger.state, self.ledger.poll
        return {
            "id": poll.id, "poll": poll.number, "seat": seat,
            "step": state.step, "head": state.head, "last": state.step - 1, "accepted": NOTHING,
        }  # fmt: skip

    def promise(self, seat: int, ballot: Ballot, **changes: object) -> Said:
        """What a seat promises whose log is ours."""
        fields = {**self._place(seat), "ballot": ballot, "without": 0, **changes}
        return self.said(Promise(**fields))  # type: ignore[arg-type]

    def parting(self, seat: int, **changes: object) -> Said:
        """A farewell of a seat that has promised nothing."""
        fields = {**self._place(seat), "promised": NO_BALLOT, **changes}
        return self.said(Parting(**fields))  # type: ignore[arg-type]

    def proposal(self, ballot: Ballot, *counted: Said, **changes: object) -> Said:
        """What these allow, or are said to."""
        cut = self.ledger.poll.cut
        for each in counted:
            cut.add(each.name, each.statement)
        allowed = cut.value(ballot, [each.statement for each in counted])
        value = allowed or Value(0, self.ledger.state.step, self.ledger.state.head)
        names = tuple(sorted(each.name for each in counted))
        poll = self.ledger.poll
        proposal = Proposal(poll.id, poll.number, ballot, *value, names)
        return self.said(replace(proposal, **changes))

    def accept(self, seat: int, proposal: Said) -> Said:
        """A seat agrees."""
        poll = self.ledger.poll
        return self.said(Accept(poll.id, poll.number, seat, proposal.name))

    def entry(self, seat: int, **changes: object) -> wire.SignedEntry:
        """An entry of a seat in the step that is due."""
        return signed_at(self.ledger, wire.Checked(0), seat, **changes)

    def hear(self, *said: Said) -> Heard | Fault:
        """What comes of the last of these."""
        heard: Heard | Fault = Heard.STRAY
        for each in said:
            heard = self.ledger.hear(each)
        return heard

    def decide(self, goes: int) -> None:
        """Have seats 0 and 1 decide that these go behind our head; nobody, if 0."""
        two = self.promise(0, ONE, without=goes), self.promise(1, ONE, without=goes)
        proposal = self.proposal(ONE, *two)
        accepts = self.accept(0, proposal), self.accept(1, proposal)
        assert self.hear(*two, proposal, *accepts) is Heard.NEWS
        decided = self.ledger.decide()
        assert decided is not None
        assert decided[0].goes == goes


def _in_play() -> Ledger:
    def stop(state) -> bool:
        is_turn = state.phase is Phase.PLAY and not isinstance(state.now, BetweenTurns)
        return is_turn and state.table.turns > 1

    return ledger_until(stop)


# ---- pairs that convict ------------------------------------------------------------------------

Pair = Callable[[Table], tuple[Said, ...]]


def _promised(table: Table, proposal: Said | None = None, **changes: object) -> tuple[Said, Said]:
    """A proposal of seat 0's ballot by two promises, and seat 1's accept of it."""
    made = proposal or table.proposal(ONE, table.promise(0, ONE), table.promise(1, ONE), **changes)
    return made, table.accept(1, made)


def _forgets(later: Callable[[Table], Said]) -> Pair:
    return lambda table: (*_promised(table), later(table))


def _earlier(table: Table) -> dict[str, object]:
    step = table.ledger.state.step - 1
    return {"step": step, "head": table.ledger.head_before(step), "last": step - 1}


PAIRS: dict[str, Pair] = {
    "two promises of one ballot": lambda t: (t.promise(1, ONE), t.promise(1, ONE, without=4)),
    "two proposals of one ballot": lambda t: (
        t.promise(0, ONE), t.promise(1, ONE, without=4), t.promise(2, ONE),
        t.proposal(ONE, t.promise(0, ONE), t.promise(1, ONE, without=4)),
        t.proposal(ONE, t.promise(0, ONE), t.promise(2, ONE)),
    ),
    "two farewells": lambda t: (t.parting(1), t.parting(1, promised=ONE)),
    "an accept, and a promise that has accepted nothing": _forgets(lambda t: t.promise(1, TWO)),
    "an accept, and a farewell that has accepted nothing": _forgets(
        lambda t: t.parting(1, promised=ONE)
    ),
    "a promise of a lower step": lambda t: (
        t.promise(1, ONE, last=t.ledger.state.step - 2), t.promise(1, TWO, **_earlier(t))
    ),
    "a promise with another last step": lambda t: (
        t.promise(1, ONE), t.promise(1, TWO, last=t.ledger.state.step)
    ),
    "a farewell of a lower step": lambda t: (
        t.promise(1, ONE, last=t.ledger.state.step - 2),
        t.parting(1, promised=ONE, **_earlier(t)),
    ),
    "a farewell, and a promise above it": lambda t: (t.parting(1), t.promise(1, ONE)),
}  # fmt: skip
"""Statements, the last of which cannot stand beside an earlier one of seat 1, or of seat 0."""


def expect_convicted(table: Table, fault: Fault | None, seat: int) -> None:
    """This seat is convicted by what it has signed in polls, for everybody who reads the file."""
    assert fault is not None
    assert fault.finding.check is CheckCode.CUT
    assert fault.key == table.key(seat)
    fresh = same_log(_in_play())
    signer = holder(played(), table.key(2)).signer
    verdict = verify_record(evidence_file(fresh, fault, signer), expand(bytes(32), "verify"))
    assert verdict.ok, verdict.sentence
    assert verdict.check == "cut"
    assert verdict.accused.startswith(table.ledger.state.name_of(seat))


@pytest.mark.parametrize("which", PAIRS)
@pytest.mark.parametrize("swapped", [False, True])
def test_a_pair_convicts_whoever_signed_it(which: str, swapped: bool) -> None:
    """Whichever of the two comes first, and by an evidence file."""
    table = Table()
    *before, one, other = PAIRS[which](table)
    said = (*before, other, one) if swapped else (*before, one, other)
    heard = table.hear(*said)
    expect_convicted(table, heard if isinstance(heard, Fault) else None, author(other.statement))
    assert isinstance(heard, Fault)
    if not heard.entries:  # else the step is that of the entry beside which it stands
        assert heard.step == getattr(said[-1].statement, "step", 0), "the one that came last"


def test_two_accepts_of_one_ballot_convict() -> None:
    """With the two proposals that they name; their owner is convicted by these alone."""
    table = Table()
    one = table.proposal(ONE, table.promise(0, ONE), table.promise(1, ONE))
    other = table.proposal(ONE, table.promise(0, ONE), table.promise(2, ONE))
    pair = (table.accept(1, one), table.accept(1, other))
    said = tuple(each.signed for each in (*pair, one, other))
    expect_convicted(table, Table().ledger.proved((), said), 1)
    assert Table().ledger.proved((), said[:2]) is None, "nobody knows of which ballots they are"


def test_two_accepts_of_different_ballots_are_signed_by_honest_seats() -> None:
    """They say nothing against anybody."""
    table = Table()
    one = table.proposal(ONE, table.promise(0, ONE), table.promise(1, ONE))
    other = table.proposal(THREE, table.promise(0, THREE), table.promise(2, THREE))
    pair = (table.accept(0, one), table.accept(0, other))
    for said in permutations((*pair, one, other)):
        fault = Table().ledger.proved((), tuple(each.signed for each in said))
        assert fault is None


@pytest.mark.parametrize("says", ["promise", "parting"])
@pytest.mark.parametrize("entry_first", [False, True])
def test_an_entry_that_a_promise_rules_out_convicts_beside_it(says: str, entry_first: bool) -> None:
    """It said that it signs nothing for the step that is due, and has signed or signs."""
    table = Table()
    ledger = table.ledger
    (seat,) = due(ledger.state).authors
    entries = entries_of(played().sitters[0])
    (signed,) = (each for each in entries if wire_step(each) == (ledger.state.step, seat))
    said = table.parting(seat) if says == "parting" else table.promise(seat, ONE)
    if entry_first:
        judged = ledger.judge(signed)
        assert isinstance(judged, Accepted)
        ledger.await_proof(judged.entry)
        heard = ledger.hear(said)
        expect_convicted(table, heard if isinstance(heard, Fault) else None, seat)
    else:
        assert ledger.hear(said) is Heard.NEWS
        judged = ledger.judge(signed)
        assert isinstance(judged, Guilty)
        expect_convicted(table, judged.fault, seat)


def wire_step(signed: wire.SignedEntry) -> tuple[int, int]:
    """Step and seat of an entry."""
    entry = read_entry(signed)
    return entry.step, entry.seat


# ---- what does not follow ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes", [{"goes": 4}, {"goes": 1}, {"head": bytes(64)}, {"step": 3}], ids=str
)
def test_a_proposal_that_does_not_follow_convicts_its_owner(changes: dict[str, object]) -> None:
    """Who goes, where, and behind what is what those that it counts allow."""
    table = Table()
    counted = table.promise(0, ONE), table.promise(1, ONE)
    false = table.proposal(ONE, *counted, **changes)
    heard = Table().hear(*counted, false)
    expect_convicted(table, heard if isinstance(heard, Fault) else None, 0)


@pytest.mark.parametrize("count", [0, 1])
def test_a_proposal_of_too_few_convicts_its_owner(count: int) -> None:
    """One of three is no quorum; one twice neither."""
    table = Table()
    one = table.promise(0, ONE)
    names = (one.name,) * (count + 1)
    false = table.proposal(ONE, one, counted=names)
    heard = Table().hear(one, false)
    expect_convicted(table, heard if isinstance(heard, Fault) else None, 0)


def test_an_accept_of_what_is_no_proposal_convicts() -> None:
    """It names a promise."""
    table = Table()
    one = table.promise(0, ONE)
    false = table.accept(1, one)
    heard = Table().hear(one, false)
    expect_convicted(table, heard if isinstance(heard, Fault) else None, 1)


def test_a_proposal_that_names_what_nobody_has_waits() -> None:
    """It may be there elsewhere: nobody is convicted, and nothing decided by it."""
    table = Table()
    counted = table.promise(0, ONE), table.promise(1, ONE)
    proposal = table.proposal(ONE, *counted)
    accepts = table.accept(0, proposal), table.accept(1, proposal)
    late = Table()
    assert late.hear(counted[0], proposal, *accepts) is Heard.NEWS
    assert late.ledger.decide() is None
    assert late.hear(counted[1]) is Heard.NEWS
    assert late.ledger.decide() is not None


def test_one_accept_of_three_decides_nothing_and_two_do() -> None:
    """A certificate of too few is none."""
    table = Table()
    counted = table.promise(0, ONE), table.promise(1, ONE)
    proposal = table.proposal(ONE, *counted)
    table = Table()
    assert table.hear(*counted, proposal, table.accept(0, proposal)) is Heard.NEWS
    assert table.ledger.decide() is None
    assert table.hear(table.accept(0, proposal)) is Heard.KNOWN
    assert table.ledger.decide() is None
    assert table.hear(table.accept(2, proposal)) is Heard.NEWS
    decided = table.ledger.decide()
    assert decided is not None
    assert (decided[0].goes, table.ledger.poll.number) == (0, 1)


def test_statements_of_nobody_are_told_apart() -> None:
    """Of a seat that there is not, of another table, and with a wrong signature."""
    table = Table()
    state = table.ledger.state
    nobody = table.said(replace(table.promise(1, ONE).statement, seat=7), by=1)
    elsewhere = table.promise(1, ONE, id=bytes(64))
    forged = table.said(table.promise(1, ONE).statement, by=2)
    later = table.promise(1, ONE, poll=1)
    assert [table.hear(each) for each in (nobody, elsewhere, forged, later)] == [
        Heard.STRAY,
        Heard.LATER,
        Heard.FORGED,
        Heard.LATER,
    ]
    assert table.ledger.state is state
    assert not table.ledger.poll.said


# ---- what a decision leaves behind -------------------------------------------------------------


def test_a_slot_is_one_slot_in_all_polls_of_its_epoch() -> None:
    """What was signed before nobody went stands; another entry in the next poll is a fork."""
    table = Table()
    (seat,) = due(table.ledger.state).authors
    signed = next(
        each
        for each in entries_of(played().sitters[0])
        if wire_step(each) == (table.ledger.state.step, seat)
    )
    table.decide(0)
    assert table.ledger.poll.number == 1
    judged = table.ledger.judge(signed)
    assert isinstance(judged, Accepted), "it was signed in poll 0, and is still good"
    table.ledger.await_proof(judged.entry)
    again = table.ledger.judge(table.entry(seat, poll=1))
    assert isinstance(again, Guilty)
    assert again.fault.finding.check is CheckCode.FORK


def test_what_a_cut_has_made_void_may_not_be_signed_otherwise() -> None:
    """The void entry and another one for its slot are a fork, under the old id."""
    table = Table()
    ledger = table.ledger
    (seat,) = due(ledger.state).authors
    old, step, prev = ledger.state.log_id, ledger.state.step, ledger.state.head
    signed = next(
        each for each in entries_of(played().sitters[0]) if wire_step(each) == (step, seat)
    )
    judged = ledger.judge(signed)
    assert isinstance(judged, Accepted)
    ledger.await_proof(judged.entry)
    goes = ({0, 1, 2} - {seat}).pop() if seat == 2 else 2
    two = [each for each in range(3) if each != goes]
    first = Ballot(1, two[0])
    last = {seat: {"last": step}} | {each: {} for each in two if each != seat}
    counted = [table.promise(each, first, without=bit(goes), **last[each]) for each in two]
    proposal = table.proposal(first, *counted)
    table.hear(*counted, proposal, *(table.accept(each, proposal) for each in two))
    assert ledger.decide() is not None
    assert ledger.state.log_id != old
    assert isinstance(ledger.judge(signed), Stray)
    other = signed_at(ledger, wire.Pass(b""), seat, id=old, step=step, prev=prev, poll=0)
    again = ledger.judge(other)
    assert isinstance(again, Guilty)
    assert again.fault.finding.check is CheckCode.FORK


@pytest.mark.parametrize("late", [False, True])
def test_who_has_said_farewell_convicts_itself_by_a_word_in_a_later_poll(late: bool) -> None:
    """Whether the farewell or the promise behind it comes first."""
    table = Table()
    farewell = table.parting(2)
    table.decide(0)
    promise = table.promise(2, ONE)
    assert promise.statement.poll == 1
    heard = table.hear(*((promise, farewell) if late else (farewell, promise)))
    assert isinstance(heard, Fault)
    assert heard.finding.check is CheckCode.CUT
    assert heard.key == table.key(2)


def test_a_farewell_of_an_earlier_poll_counts_in_the_next() -> None:
    """Of the two who are left both must agree; then its seat goes."""
    table = Table()
    farewell = table.parting(2)
    table.decide(0)
    assert table.hear(farewell) is Heard.NEWS
    assert table.ledger.poll.parted() == bit(2)
    two = table.promise(0, ONE), table.promise(1, ONE)
    proposal = table.proposal(ONE, *two, farewell)
    assert proposal.statement.goes == bit(2)
    table.hear(*two, proposal, table.accept(0, proposal))
    assert table.ledger.decide() is None
    table.hear(table.accept(1, proposal))
    assert table.ledger.decide() is not None
    assert table.ledger.state.gone == {2}


# ---- honest seats ------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [played, played_without])
def test_no_two_statements_that_honest_seats_have_signed_convict(game) -> None:
    """Alone, in pairs, with all that they name, and beside every entry."""
    table = game()
    ledger = ledger_until(lambda state: state.phase is Phase.OVER, table)
    signed = statements_of(table.sitters[0])
    said = [read_statement(each) for each in signed]
    proposals = [each.signed for each in said if isinstance(each.statement, Proposal)]
    assert len(said) > 5
    for one in said:
        assert ledger.proved((), (one.signed,)) is None
        for other in said:
            assert ledger.proved((), (one.signed, other.signed, *proposals)) is None
        for entry in entries_of(table.sitters[0])[::5]:
            assert ledger.proved((entry,), (one.signed,)) is None
