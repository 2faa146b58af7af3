"""One poll: the value a ballot allows, which statements count, and what a seat may still sign."""

import pytest
from msgspec.structs import replace

from netgame.protocol.epochs.cut import Cut, Validity, Value, is_quorum
from netgame.protocol.epochs.voter import LogEnd, Voter, may_accept, may_promise, takes_back, voter
from netgame.wire.statements import NOTHING, Accept, Ballot, Parting, Promise, Proposal, bit
from tests.netgame.protocol.epochs.small import Chain, Table, head

ID, ANN, BEN, CY, DEE, EVE = bytes(64), 0, 1, 2, 3, 4
LOW, HIGH = Ballot(1, ANN), Ballot(2, BEN)
EVERYBODY = 0b11111


def name(text):
    """Return a statement's name of 64 octets: the text and spaces."""
    return text.encode().ljust(64)


def promise(seat, ballot=HIGH, accepted=NOTHING, step=1, without=0):
    """Return a promise by a seat whose log ends at this step."""
    return Promise(ID, 0, seat, ballot, step, head(step), step - 1, without, accepted)


def parting(seat, promised=HIGH, accepted=NOTHING, step=1):
    """Return a parting by a seat that had promised this ballot."""
    return Parting(ID, 0, seat, promised, step, head(step), step - 1, accepted)


def cut_of(final=(), **said):
    """Return a poll of five that holds these statements by name.

    Nobody can go at the steps `final`.
    """
    cut = Cut(EVERYBODY, Chain(Table(5, (LOW, HIGH), steps=(1, 1), final=frozenset(final))))
    for each, statement in said.items():
        cut.add(name(each), statement)
    return cut


def fresh(goes, ballot=LOW, step=1, counted=("a", "b", "c")):
    """Return a proposal that lets the seats `goes` go and stops the log at this step."""
    return Proposal(ID, 0, ballot, goes, step, head(step), tuple(map(name, counted)))


def test_two_values_of_the_highest_ballot_allow_none():
    """If two values are named for the highest ballot, none is allowed.

    Either may be decided, because the owner of that ballot lied.
    """
    one, other = fresh(bit(DEE)), fresh(bit(EVE))
    cut = cut_of(one=one, other=other)
    both = [promise(ANN, accepted=name("one")), promise(BEN, accepted=name("other")), promise(CY)]
    assert cut.value(HIGH, both) is None
    assert cut.value(HIGH, both[::-1]) is None
    both[1] = promise(BEN, accepted=name("one"))
    assert cut.value(HIGH, both) == Value(bit(DEE), 1, head(1))


def test_the_value_of_the_highest_ballot_binds_and_no_lower_one():
    """The value of the highest ballot binds, because its owner knew the lower ones."""
    cut = cut_of(low=fresh(bit(DEE)), high=fresh(bit(EVE), HIGH))
    third = Ballot(3, CY)
    said = [promise(ANN, third, name("low")), promise(BEN, third, name("high")), promise(CY, third)]
    assert cut.value(third, said) == Value(bit(EVE), 1, head(1))


@pytest.mark.parametrize(
    "said",
    [
        [promise(ANN), promise(BEN)],
        [promise(ANN), promise(ANN, step=2), promise(BEN), promise(CY)],
        [promise(ANN), promise(BEN), promise(CY, LOW)],
        [promise(ANN), promise(BEN), parting(BEN), parting(CY), parting(DEE)],
        [promise(ANN), promise(BEN), parting(CY), parting(DEE, Ballot(3, CY))],
    ],
    ids=["two of five", "one twice", "another ballot", "in both", "promised more"],
)
def test_what_is_no_quorum_allows_nothing(said):
    """Too few promises allow no value; each counts for one seat, in this ballot only.

    A quorum is more than half of the seats that have not parted.
    """
    assert cut_of().value(HIGH, said) is None


def test_a_fresh_value_is_the_furthest_log_and_whom_all_name():
    """A fresh value has the longest log, and drops each seat that parted or that all promises name.

    Nobody is dropped at a step where a coin has fallen.
    """
    said = [
        promise(ANN, without=bit(DEE) | bit(EVE)),
        promise(BEN, without=bit(DEE), step=2),
        promise(CY, without=bit(DEE) | bit(EVE)),
    ]
    assert cut_of().value(HIGH, said) == Value(bit(DEE), 2, head(2))
    said = [*said, parting(EVE, step=3)]
    assert cut_of().value(HIGH, said) == Value(bit(DEE) | bit(EVE), 3, head(3))
    assert cut_of(final=(3,)).value(HIGH, said) == Value(0, 3, head(3))


def test_a_quorum_is_of_the_company_and_counts_nobody_twice():
    """A quorum is more than half of the seats of the company that have not parted.

    It includes no seat that has parted or is outside the company.
    """
    assert is_quorum(0b1111, 0b0111, 0)
    assert not is_quorum(0b1111, 0b0011, 0)
    assert is_quorum(0b1111, 0b0011, 0b1000)
    assert not is_quorum(0b1111, 0b0111, 0b0100)
    assert not is_quorum(0b1111, 0b110011, 0)
    assert not is_quorum(0b1111, 0b0011, 0b110000)


COUNTED = {"a": promise(ANN, LOW), "b": promise(BEN, LOW), "c": promise(CY, LOW)}


@pytest.mark.parametrize(
    ("proposal", "worth"),
    [
        (fresh(0), Validity.COUNTS),
        (fresh(bit(DEE)), Validity.FALSE),
        (fresh(0, step=2), Validity.FALSE),
        (replace(fresh(0), head=head(2)), Validity.FALSE),
        (fresh(0, counted=("a", "b", "b")), Validity.FALSE),
        (fresh(0, counted=("a", "b", "c", "c")), Validity.FALSE),
        (fresh(0, counted=("a", "b", "b", "not at hand")), Validity.FALSE),
        (fresh(0, counted=("a", "b", "c", "of another kind")), Validity.FALSE),
        (fresh(0, counted=("a", "b", "c", "not at hand")), Validity.WAITS),
        (fresh(0, counted=("a", "b", "d", "nobody's log")), Validity.WAITS),
        (fresh(0, counted=("a", "b", "c", "names a stranger")), Validity.WAITS),
        (fresh(0, counted=("a", "b", "c", "ends too late")), Validity.FALSE),
        (fresh(0, counted=("a", "b", "c", "names itself")), Validity.FALSE),
        (fresh(0, counted=("a", "b", "c", "stranger")), Validity.FALSE),
    ],
)
def test_a_proposal_is_worth_what_it_counts(proposal, worth):
    """A proposal counts only if each statement it counts does, and its value follows from them.

    If one of those statements is not at hand or has to wait, the proposal waits.
    """
    more = {
        "of another kind": Accept(ID, 0, DEE, name("p")),
        "d": promise(DEE, LOW),
        "nobody's log": replace(promise(CY, LOW), head=bytes([7]) * 64),
        "names a stranger": promise(EVE, LOW, without=bit(9)),
        "ends too late": replace(promise(EVE, LOW), last=2),
        "names itself": promise(EVE, LOW, without=bit(EVE)),
        "stranger": promise(6, LOW),
    }
    assert cut_of(**COUNTED, **more).judge(proposal) is worth


def test_a_ballot_has_an_owner_who_votes():
    """A ballot's owner must have a vote, and its counter must be above 0.

    A guest could not be convicted of two proposals.
    """
    cut = cut_of()
    assert cut.judge(promise(ANN, Ballot(1, EVE))) is Validity.COUNTS
    assert cut.judge(promise(ANN, Ballot(1, 5))) is Validity.FALSE
    assert cut.judge(promise(ANN, Ballot(0, 0))) is Validity.FALSE


def test_what_had_been_accepted_was_accepted_before():
    """A promise may name only a proposal of a lower ballot.

    A parting may also name one of the ballot that its author had promised.
    """
    cut = cut_of(**COUNTED, p=fresh(0))
    assert cut.judge(promise(DEE, HIGH, name("p"))) is Validity.COUNTS
    assert cut.judge(promise(DEE, LOW, name("p"))) is Validity.FALSE
    assert cut.judge(parting(DEE, LOW, name("p"))) is Validity.COUNTS


def test_only_what_counts_is_decided_and_by_those_who_vote():
    """Only a proposal that counts is decided, by accepts of more than half of the voters.

    A seat that has parted is not among those voters, unless it had accepted the proposal or
    promised a higher ballot.
    """
    accepts = {f"{seat} accepts": Accept(ID, 0, seat, name("p")) for seat in (ANN, BEN, CY)}
    assert cut_of(**COUNTED, p=fresh(0), **accepts).decided() == fresh(0)
    assert cut_of(**COUNTED, p=fresh(bit(DEE)), **accepts).decided() is None
    cut, made = cut_of(**COUNTED, p=fresh(0)), fresh(0)
    assert not cut.is_decided_by(made, bit(ANN) | bit(BEN), ())
    assert not cut.is_decided_by(made, bit(ANN) | bit(BEN) | bit(7), ())
    assert cut.is_decided_by(made, 0b111 | bit(7), ()), "a guest's accept takes nothing away"
    assert cut.is_decided_by(made, bit(ANN) | bit(BEN), [parting(CY, LOW), parting(DEE, LOW)])
    assert not cut.is_decided_by(made, bit(ANN) | bit(BEN), [parting(CY), parting(DEE)])
    assert cut.is_decided_by(made, 0b111, [parting(CY, LOW)]), "who accepted, and then parted"


def test_a_parting_counts_where_its_log_is_known_here():
    """A parting counts in a ballot if its log is known and its author promised no higher ballot.

    A seat has parted if the log of its parting is known, whatever ballot it promised.
    """
    known, far = parting(CY, LOW), parting(DEE, LOW, step=9)
    cut = cut_of(known=known, far=far, later=parting(EVE, HIGH))
    assert cut.partings(LOW) == {name("known"): known}
    assert cut.parted() == bit(CY) | bit(EVE)


def test_a_seat_accepts_once_in_the_ballot_that_it_promised_last():
    """A seat accepts one proposal that counts, in the ballot it promised last.

    If it has left, it accepts none.
    """
    cut = cut_of(**COUNTED, p=fresh(0), false=fresh(bit(DEE)))
    bound = Voter(CY, promised=LOW)
    assert may_accept(cut, bound, name("p"))
    assert not may_accept(cut, bound, name("false"))
    for changes in ({"promised": HIGH}, {"promised": Ballot(0, 0)}, {"left": True}):
        assert not may_accept(cut, replace(bound, **changes), name("p"))
    assert not may_accept(cut, replace(bound, accepted=name("q"), accepted_in=LOW), name("p"))


def test_a_seat_promises_higher_ballots_only_and_none_that_uses_up_the_numbers():
    """A seat promises only a higher ballot, and none so high that the numbers would run out.

    A liar's promise of a very high ballot does not change that.
    """
    cut, bound = cut_of(liar=promise(EVE, Ballot(9_000, EVE))), Voter(CY, promised=HIGH)
    assert may_promise(cut, bound, Ballot(3, ANN))
    for ballot in (HIGH, LOW, Ballot(9_001, EVE)):
        assert not may_promise(cut, bound, ballot)
    assert not may_promise(cut, replace(bound, left=True), Ballot(3, ANN))


def test_what_a_seat_has_signed_binds_it():
    """A seat is bound by the highest ballots it signed for, in any order, and by its parting.

    If a proposal that it had accepted is lost, it counts as having left.
    """
    kept = {name("p"): fresh(0), name("q"): fresh(0, HIGH)}
    said = [Accept(ID, 0, CY, name("q")), promise(CY, HIGH), Accept(ID, 0, CY, name("p"))]
    for own in (said, said[::-1]):
        bound = voter(CY, own, kept)
        assert (bound.promised, bound.accepted, bound.accepted_in) == (HIGH, name("q"), HIGH)
        assert bound.may_write(0)
        assert not bound.may_write(1)
    assert voter(CY, said[:1], {}).left, "what it accepted is lost"
    left = voter(CY, [parting(CY)], kept)
    assert left.left
    assert not left.may_write(0)


def test_a_seat_says_the_same_last_step_all_through_a_poll():
    """A seat gives the same last step all through a poll.

    At first that is the due step if the seat has signed there, and otherwise the step before.
    """
    assert LogEnd(4, head(4), has_signed=True).of(Voter(CY))[2] == 4
    assert LogEnd(4, head(4), has_signed=False).of(Voter(CY))[2] == 3
    assert LogEnd(9, head(9), has_signed=True).of(Voter(CY, last=3))[2] == 3


def test_a_minority_cannot_use_up_the_ballots():
    """Two liars of five cannot use up the numbers of ballots; with a third seat they can."""
    liars = {f"liar {seat}": promise(seat, Ballot(9_000, seat)) for seat in (DEE, EVE)}
    bound = Voter(CY, promised=LOW)
    assert not may_promise(cut_of(**liars, a=promise(ANN, LOW)), bound, Ballot(9_001, EVE))
    assert may_promise(
        cut_of(**liars, a=promise(ANN, Ballot(9_000, ANN))), bound, Ballot(9_001, EVE)
    )


def test_no_seat_accepts_a_fresh_value_that_takes_back_its_own_steps():
    """A seat accepts no fresh value that takes back its own steps.

    It accepts a value that an earlier one forces, and a value by which nobody goes.
    """
    cut = cut_of(**COUNTED, p=fresh(bit(DEE)), forced=promise(ANN, HIGH, name("p")))
    end = LogEnd(2, head(2), has_signed=False)
    assert takes_back(cut, fresh(bit(DEE)), end)
    assert not takes_back(cut, fresh(bit(DEE), step=2), end)
    assert not takes_back(cut, fresh(0), end)
    assert not takes_back(cut, fresh(bit(DEE), HIGH, counted=("forced",)), end)
