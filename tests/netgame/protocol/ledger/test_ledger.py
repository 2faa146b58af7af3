"""The ledger by itself: what is repeated costs nothing, what is given up accuses nobody."""

import pytest

from lab.judged_logs import same_log
from netgame.protocol.fold.phases import BetweenTurns, Phase
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.votes import Naming
from netgame.protocol.log.entry import Entry, filled_mask, read_entry
from netgame.protocol.log.fault import Accepted, CheckCode, Guilty, Repeat, Stray, Unlinked
from netgame.protocol.notices import DealPhase
from netgame.wire import messages as wire
from tests.netgame.games import entries_of, ledger_until, played, played_without, signed_at
from tests.netgame.protocol.ledger.receipt import honest_entry
from tests.netgame.simtable import SimTable


def in_play(state) -> bool:
    """Where a seat of four is in turn."""
    return state.phase is Phase.PLAY and not isinstance(state.now, BetweenTurns)


def given_up(ledger: Ledger) -> int:
    """The step that was closed without a seat."""
    return next(step for step in range(ledger.state.step) if ledger.given_up(step))


def missing(*seats: int) -> wire.Missing:
    """What a seat says of these."""
    return wire.Missing(filled_mask(seats), 0, (), whole=False, unplayed=False)


def test_what_stands_is_known_again_without_a_look_at_its_signature(monkeypatch) -> None:
    """A peer that sends the whole log once more costs a comparison for each entry."""
    ledger = ledger_until(in_play)

    def looked_at(_entry: Entry, _key: bytes) -> bool:
        raise AssertionError("a signature was verified again")

    monkeypatch.setattr(Entry, "is_by", looked_at)
    standing = list(ledger.entries_from(0))
    assert all(isinstance(ledger.judge(signed), Repeat) for signed in standing)


def test_an_entry_of_who_was_given_up_accuses_nobody() -> None:
    """It was waited for; whether it was late or never sent, the step stands without it."""
    ledger = ledger_until(lambda state: bool(state.gone), played_without())
    step = given_up(ledger)
    (gone,) = ledger.given_up(step)
    prev = ledger.head_before(step)
    late = signed_at(
        ledger, wire.Pass(bytes(98)), gone, game=played_without(), step=step, prev=prev
    )
    assert isinstance(ledger.judge(late), Stray)


def test_what_a_seat_that_was_given_up_says_of_others_is_no_late_entry() -> None:
    """Its vote is judged like any other: here it names itself, which nobody may."""
    ledger = ledger_until(lambda state: bool(state.gone), played_without())
    step = given_up(ledger)
    (gone,) = ledger.given_up(step)
    prev = ledger.head_before(step)
    more = {"game": played_without(), "step": step, "prev": prev, "stage": 1}
    judged = ledger.judge(signed_at(ledger, missing(gone), gone, **more))
    assert isinstance(judged, Guilty)
    assert judged.fault.finding.check is CheckCode.SHAPE


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


def test_a_step_that_all_have_written_was_closed_by_no_vote() -> None:
    """Which stands before the first ballot there can be."""
    ledger = ledger_until(in_play)
    assert ledger.closed_by(ledger.state.step - 1) == Naming(-1, frozenset())


@pytest.mark.parametrize("seats", [(), (0,), (1, 2), (0, 1, 2, 3), (7,)], ids=str)
def test_a_vote_that_must_not_be_said_convicts_who_says_it(seats: tuple[int, ...]) -> None:
    """Of nobody, of oneself, of half the table, of a seat that there is not."""
    ledger = ledger_until(in_play, played_without())
    signed = signed_at(ledger, missing(*seats), 0, game=played_without(), stage=1)
    judged = ledger.judge(signed)
    assert isinstance(judged, Guilty)
    assert judged.fault.finding.check is CheckCode.SHAPE
    assert judged.fault.key == ledger.state.seats[0].key
    assert judged.fault.step == ledger.state.step
    assert judged.fault.entries == (signed,)


def test_a_vote_stands_beside_the_slots_and_closes_the_step_with_all_others() -> None:
    """One of three is not enough, nor two; the third closes the step, and is told who left."""
    ledger = ledger_until(in_play, played_without())
    step, absent = ledger.state.step, ledger.state.table.to_move
    voters = [seat for seat in range(4) if seat != absent]
    for seat in voters:
        assert ledger.state.step == step
        signed = signed_at(ledger, missing(absent), seat, game=played_without(), stage=1)
        judged = ledger.judge(signed)
        assert isinstance(judged, Accepted)
        assert judged.judging is None
        again = wire.Missing(filled_mask((absent,)), 0, (), whole=False, unplayed=True)
        other = signed_at(ledger, again, seat, game=played_without(), stage=1)
        ledger.settle(judged.entry)
        assert isinstance(ledger.judge(signed), Repeat)
        assert isinstance(ledger.judge(other), Guilty)
    assert ledger.state.step == step + 1
    assert ledger.given_up(step) == {absent}
    assert ledger.present(step) == (0, 1, 2, 3)
    assert ledger.present(step + 1) == tuple(voters)
    assert ledger.state.gone == {absent}


def test_a_vote_after_another_history_is_not_judged_here() -> None:
    """It says what follows a head that is not ours."""
    ledger = ledger_until(in_play, played_without())
    signed = signed_at(ledger, missing(3), 0, game=played_without(), prev=bytes(64))
    assert isinstance(ledger.judge(signed), Unlinked)


def test_a_vote_about_a_done_step_changes_nothing() -> None:
    """It is known if it stands there, and else of no account; nobody is accused."""
    ledger = ledger_until(lambda state: bool(state.gone), played_without())
    step = given_up(ledger)
    stood = [each for each in ledger.steps[step] if isinstance(each.payload, wire.Missing)]
    assert all(isinstance(ledger.judge(each.signed), Repeat) for each in stood)
    prev = ledger.head_before(step - 1)
    late = signed_at(
        ledger, missing(2), 0, game=played_without(), step=step - 1, prev=prev, stage=1
    )
    judged = ledger.judge(late)
    assert isinstance(judged, Stray)
    assert judged.entry == read_entry(late)


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


def test_who_plays_and_says_that_it_left_its_slot_empty_has_told_two_stories() -> None:
    """Its entry and its vote convict it together, whoever else is still there."""
    ledger = ledger_until(
        lambda state: state.deal is not None and state.deal.phase is DealPhase.KEY_COMMIT
    )
    played_it = signed_at(ledger, wire.KeyCommit(0, bytes(64), b""), 1)
    judged = ledger.judge(played_it)
    assert isinstance(judged, Accepted)
    ledger.settle(judged.entry)
    vote = signed_at(
        ledger, wire.Missing(filled_mask((2,)), 0, (), whole=False, unplayed=True), 1, stage=1
    )
    second = ledger.judge(vote)
    assert isinstance(second, Guilty)
    assert second.fault.finding.check is CheckCode.FORK
    assert second.fault.key == ledger.state.seats[1].key
    assert second.fault.entries == (played_it, vote)


def test_a_bad_vote_on_another_log_convicts_nobody_here() -> None:
    """Whether it may be said hangs on the log that it follows."""
    ledger = ledger_until(in_play, played_without())
    signed = signed_at(ledger, missing(0), 0, game=played_without(), stage=1, prev=bytes(64))
    assert isinstance(ledger.judge(signed), Unlinked)


def test_votes_are_passed_on_with_the_step_that_is_due() -> None:
    """Who asks for entries from there gets them too."""
    ledger = ledger_until(in_play, played_without())
    absent = ledger.state.table.to_move
    voter = next(seat for seat in range(4) if seat != absent)
    vote = signed_at(ledger, missing(absent), voter, game=played_without(), stage=1)
    ledger.settle(ledger.judge(vote).entry)
    assert vote in tuple(ledger.entries_from(ledger.state.step))


# ---- a chain that this peer has to check ------------------------------------------------------


def being_checked(state) -> bool:
    """Where all sign that the chain of the first deal holds."""
    return state.deal is not None and state.deal.phase is DealPhase.CHECKED


def behind_the_first_deal(game: SimTable | None = None) -> Ledger:
    """A ledger that has all that came before those signatures, and has yet to check the chain."""
    first = ledger_until(being_checked, game)
    ledger = Ledger(first.state.table_id)
    for signed in first.entries_from(0):
        ledger.settle(ledger.judge(signed).entry)
    return ledger


def written(ledger: Ledger, game: SimTable) -> dict[int, wire.SignedEntry]:
    """What each seat wrote in the due step, if that was played to its end."""
    entries = ((read_entry(signed), signed) for signed in entries_of(game.sitters[0]))
    return {entry.seat: signed for entry, signed in entries if entry.step == ledger.state.step}


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
    assert ledger.state.deal is not None
    born = ledger.state.deal.born
    ledger.pass_chain((bytes(64), born))
    assert ledger.is_waiting()
    ledger.pass_chain((ledger.state.log_id, born))
    assert not ledger.is_waiting()


def test_while_a_chain_is_being_checked_a_vote_counts_until_all_have_signed() -> None:
    """A step that waits for an entry as well waits for somebody, who can be given up."""
    game = played_without()
    ledger = behind_the_first_deal(game)
    checks = written(ledger, game)
    vote = signed_at(ledger, missing(3), 0, game=game, stage=1)
    for seat in (0, 1, 2):
        ledger.settle(ledger.judge(checks[seat]).entry)
    assert ledger.is_waiting()
    assert isinstance(ledger.judge(vote), Accepted)
    ledger.settle(ledger.judge(checks[3]).entry)
    assert ledger.is_waiting()
    assert isinstance(ledger.judge(vote), Stray)


def test_while_a_chain_is_being_checked_who_was_given_up_can_write_no_more() -> None:
    """Whoever reads the record without waiting closes the step at the last vote."""
    game = played_without()
    ledger = behind_the_first_deal(game)
    checks = written(ledger, game)
    for seat in (0, 1, 2):
        assert isinstance(ledger.judge(checks[3]), Accepted)
        ledger.settle(ledger.judge(checks[seat]).entry)
        vote = signed_at(ledger, missing(3), seat, game=game, stage=1)
        ledger.settle(ledger.judge(vote).entry)
    assert ledger.is_waiting()
    assert isinstance(ledger.judge(checks[3]), Stray)
    more = wire.Missing(filled_mask((3,)), 1, (), whole=False, unplayed=False)
    assert isinstance(ledger.judge(signed_at(ledger, more, 0, game=game, stage=2)), Stray)
