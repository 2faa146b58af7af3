"""Votes on steps that are done, and words of leaving taken back: nobody loses a table by them."""

from collections.abc import Iterable

import pytest

from netgame.crypto.transcript import expand
from netgame.protocol import notices
from netgame.protocol.fold.phases import Phase
from netgame.protocol.ledger.record import verify_record
from netgame.protocol.log.entry import GENESIS, filled_mask, frame_payload, sign_entry, sign_leave
from netgame.protocol.log.fault import Accepted, Guilty
from netgame.protocol.peer.core import Core
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.simtable import SimTable, Sitter, full_table, kill, link_all, revive, standard
from tests.netgame.small_games import MINUTE, come_late, expect_whole, late_table, mine, new_table

NAMES = tuple(f"P{number}" for number in range(8))


def vote_on(one: Sitter, step: int, without: Iterable[Sitter], **changes: object) -> wire.Entries:
    """What this seat says of a done step, whatever its program thinks of it."""
    ledger = one.core.ledger
    seats = (ledger.seat_at(step, each.core.key) for each in without)
    mask = filled_mask(tuple(seat for seat in seats if seat is not None))
    body = {
        "table": ledger.state.log_id_at(step),
        "step": step,
        "prev": ledger.head_before(step),
        "seat": ledger.seat_at(step, one.core.key),
        "stage": 9,
        "payload": wire.Missing(mask, 0, (), whole=False, unplayed=False),
        **changes,
    }
    return wire.Entries((sign_entry(one.signer, wire.Body(**body)),))


def hear(table: SimTable, who: Sitter, sender: Sitter, message: wire.LinkMessage) -> None:
    """Somebody says something to one peer."""
    table.do(who, who.core.frame(sender.core.key, encode(message), table.now))


def verdict_of(payloads: list[bytes]) -> object:
    """What anybody says of a record."""
    octets = b"".join(frame_payload(payload) for payload in payloads)
    return verify_record(octets, expand(bytes(32), "verify"))


# ---- one liar ---------------------------------------------------------------------------------


def last_written(one: Sitter) -> int:
    """The last done step that has an entry of this seat: its voice would count for it."""
    steps, key = one.core.ledger.steps, one.core.key
    own = (n for n, done in enumerate(steps) if any(each.is_by(key) for each in done))
    return max(own)


def expect_unmoved(table: SimTable, liar: Sitter, honest: list[Sitter], step: int) -> None:
    """The liar says that all others are missing in a step, behind nothing; they play on."""
    votes = [vote_on(liar, step, honest, prev=GENESIS, stage=stage) for stage in (1, 9)]
    for vote in votes:
        for each in honest:
            hear(table, each, liar, vote)
    assert not [notice for each in honest for notice in each.told_of(notices.TableClosed)]
    table.run_game()
    expect_whole(table)


@pytest.mark.parametrize("seats", [2, 5, 8])
def test_one_vote_behind_another_log_closes_nobodys_program(seats: int) -> None:
    """Nobody has to have said so with it: it names them all."""
    table = full_table(NAMES[:seats], standard(6, seats, 1, 2), seed=bytes(32))
    *honest, liar = table.sitters
    table.run(lambda: all(each.core.state.phase is Phase.PLAY for each in table.sitters))
    expect_unmoved(table, liar, honest, last_written(liar))


def test_nor_does_that_of_a_seat_that_was_given_up_long_ago() -> None:
    """For the steps in which it was there, its key still signs."""
    table = new_table((*MINUTE, "latecomers=watch"), rounds=3)
    *honest, liar = table.sitters
    table.run(lambda: mine(liar.core.state, liar))
    step = last_written(liar)
    kill(table, liar)
    table.run(lambda: bool(honest[0].core.state.gone), 600)
    revive(table, liar)
    link_all(table)
    table.run(lambda: liar.core.state.phase is Phase.PLAY and bool(liar.core.state.gone), 600)
    assert liar.core.key in honest[0].core.place.links.greeted()
    expect_unmoved(table, liar, honest, step)


# ---- a majority -------------------------------------------------------------------------------


def undo(table: SimTable, victim: Sitter, liars: list[Sitter], step: int) -> None:
    """Tell one peer that all others have said, as good votes do, that the first was missing."""
    missed = next(each for each in table.sitters if all(each is not liar for liar in liars))
    for liar in liars:
        hear(table, victim, liar, vote_on(liar, step, [missed]))


@pytest.mark.parametrize("when", ["over", "in play"])
def test_a_majority_undoes_no_game(when: str) -> None:
    """Two of three vote the third missing where they have written since: its record stands."""
    table = full_table(NAMES[:3], standard(6, 3, 1, 4), seed=bytes(32))
    victim, *liars = table.sitters
    phase = Phase.OVER if when == "over" else Phase.PLAY
    table.run(lambda: all(each.core.state.phase is phase for each in table.sitters))
    step, before = victim.core.state.company.seats_step + 1, list(victim.record)
    undo(table, victim, liars, step)
    assert victim.record == before
    assert not victim.aside
    table.run_game()
    expect_whole(table)


def test_a_majority_empties_no_record_of_who_looks_on() -> None:
    """A watcher has nobody's interest, and keeps what it has read."""
    table = late_table(seats=3, rounds=2)
    zoe, (ann, *liars) = come_late(table), table.sitters[:3]
    table.act(zoe, lambda parts: parts.joiner.look_on())
    table.run(
        lambda: zoe.core.state.step == ann.core.state.step > ann.core.state.company.seats_step + 20
    )
    before = list(zoe.record)
    undo(table, zoe, liars, ann.core.state.company.seats_step + 1)
    assert zoe.record[: len(before)] == before
    table.run_game()
    expect_whole(table)


def test_after_the_end_nothing_is_taken_that_contradicts_it() -> None:
    """The last step is the one behind which nobody has written: it stands all the same."""
    table = full_table(NAMES[:3], standard(6, 3, 1, 4), seed=bytes(32))
    victim, *liars = table.sitters
    table.run_game()
    before = list(victim.record)
    undo(table, victim, liars, victim.core.state.step - 1)
    assert victim.record == before
    expect_whole(table)


def tail_undone() -> tuple[SimTable, Sitter, list[Sitter], list[bytes]]:
    """A table whose victim has made a move that the others say they have not got; its record.

    They have not written since: so honest seats vote, too.
    """
    table = full_table(NAMES[:3], standard(6, 3, 1, 4), seed=bytes([3]) * 32, bots=False)
    players = table.sitters
    table.run(lambda: all(each.core.state.phase is Phase.PLAY for each in players))
    table.run(lambda: any(mine(each.core.state, each) for each in players))
    victim = next(each for each in players if mine(each.core.state, each))
    liars = [each for each in players if each is not victim]
    step = victim.core.state.step
    for liar in liars:
        table.disconnect(victim, liar)
        table.cut.add(frozenset((victim.core.key, liar.core.key)))
    table.move(victim)
    table.run(lambda: victim.core.state.step > step)
    before = list(victim.record)
    table.cut.clear()
    for liar in liars:
        table.connect(victim, liar)
        hear(table, victim, liar, wire.Hello(victim.core.state.table_id))
    table.links.clear()  # from here on the victim hears what it is told below
    undo(table, victim, liars, step)
    return table, victim, liars, before


def test_a_record_is_set_aside_and_not_thrown_away() -> None:
    """What is read anew goes to a new file; the old one still is what it was."""
    _, victim, _, before = tail_undone()
    assert victim.core.state.step == 0
    assert victim.record == []
    assert victim.aside == [before]
    assert verdict_of(before).ok


@pytest.mark.parametrize("lives", [1, 2])
def test_what_is_read_anew_convicts_whoever_has_signed_otherwise_before(lives: int) -> None:
    """Also after a restart in the midst of it: each slot is held to that of the record before."""
    table, victim, (liar, other), _ = tail_undone()
    if lives > 1:
        core = Core(victim.signer, "victim", expand(bytes(32), "again"), victim.secret, ())
        victim.core = core.restore(victim.record, table.now, victim.journal, victim.aside)
        table.do(victim, victim.core.start(table.now))
        for each in (liar, other):
            table.do(victim, victim.core.link_up(each.core.key, table.now))
            hear(table, victim, each, wire.Hello(liar.core.state.table_id))
    ledger = liar.core.ledger
    at = next(
        step
        for step in range(ledger.state.company.seats_step, ledger.state.step)
        if any(each.seat == ledger.seat_at(step, liar.core.key) for each in ledger.steps[step])
    )
    true = next(e for e in ledger.steps[at] if e.seat == ledger.seat_at(at, liar.core.key))
    lie = wire.KeyCommit(0, bytes([1]) * 64, b"")
    body = wire.Body(true.table, at, true.prev, true.seat, 0, lie)
    hear(table, victim, liar, wire.Entries(tuple(ledger.entries_from(0, last=at - 1))))
    hear(table, victim, liar, wire.Entries((sign_entry(liar.signer, body),)))
    assert [fault.check for fault in victim.faults()] == ["fork"]
    (fault,) = victim.faults()
    verdict = verify_record(victim.evidence[fault.evidence], expand(bytes(32), "verify"))
    assert verdict.ok, verdict.sentence
    assert verdict.culprit.startswith(f"{liar.core.place.name} (")


# ---- words of leaving -------------------------------------------------------------------------


def two_of_whom_one_is_back() -> tuple[SimTable, Sitter, Sitter, wire.Leave]:
    """Ben leaves a table of two for good, is back at once, and has written since; his word."""
    settings = wire.Settings("standard", (), 6, 2, 2, 4, ("patience=vote",))
    table = full_table(("Ann", "Ben"), settings, seed=bytes([7]) * 32)
    ann, ben = table.sitters
    table.run(lambda: mine(ann.core.state, ann) and ann.core.state.table.turns > 1)
    word = sign_leave(ben.signer, ben.core.state.table_id, ben.core.state.step)
    table.act(ben, lambda parts: parts.joiner.farewell())
    kill(table, ben)
    revive(table, ben)
    link_all(table)
    step = ben.core.state.step

    def has_written() -> bool:
        ledger, seat = ann.core.ledger, ann.core.state.seat_of(ben.core.key)
        return any(each.seat == seat for done in ledger.steps[step:] for each in done)

    table.run(lambda: has_written() and mine(ben.core.state, ben))
    return table, ann, ben, word


def vote_with(word: wire.Leave, by: Sitter, against: Sitter) -> wire.SignedEntry:
    """A vote for the due step with this word."""
    state = by.core.state
    mask = filled_mask((state.seat_of(against.core.key),))
    vote = wire.Missing(mask, 0, (word,), whole=False, unplayed=False)
    own = state.seat_of(by.core.key)
    body = wire.Body(state.log_id, state.step, state.head, own, 1, vote)
    return sign_entry(by.signer, body)


def test_a_word_of_leaving_counts_until_its_seat_has_written_again() -> None:
    """Whoever uses the old word is convicted of it, by who was there and by any verifier."""
    table, ann, ben, word = two_of_whom_one_is_back()
    signed = vote_with(word, ann, ben)
    for judge in (ann, ben):
        judged = judge.core.ledger.judge(signed)
        assert isinstance(judged, Guilty)
        assert judged.fault.finding.check.value == "shape"
    hear(table, ben, ann, wire.Entries((signed,)))
    (fault,) = ben.faults()
    verdict = verify_record(ben.evidence[fault.evidence], expand(bytes(32), "verify"))
    assert verdict.ok, verdict.sentence
    assert verdict.culprit.startswith("Ann (")


def test_a_new_word_counts_again() -> None:
    """Of the step that is due to who has come back and now leaves after all."""
    _, ann, ben, _ = two_of_whom_one_is_back()
    state = ben.core.state
    word = sign_leave(ben.signer, state.table_id, state.step)
    assert isinstance(ann.core.ledger.judge(vote_with(word, ann, ben)), Accepted)


def test_a_vote_with_a_word_is_judged_alike_once_its_step_is_done() -> None:
    """By what stood before that step, whatever its seat has written since."""
    table, ann, ben, old = two_of_whom_one_is_back()
    state = ben.core.state
    new = sign_leave(ben.signer, state.table_id, state.step)
    votes = [vote_with(word, ann, ben) for word in (old, new)]
    table.run(lambda: ann.core.state.step > state.step + 3)
    late = [ann.core.ledger.judge(each) for each in votes]
    assert isinstance(late[0], Guilty)
    assert not isinstance(late[1], Guilty)


@pytest.mark.parametrize("doing", ["made", "judged"])
def test_what_is_not_out_when_its_seat_leaves_never_is(doing: str) -> None:
    """Ben's entry is still in the making when he gives his word: it would break that word."""
    settings = wire.Settings("standard", (), 6, 2, 2, 4, ("patience=vote",))
    table = full_table(("Ann", "Ben"), settings, seed=bytes([7]) * 32)
    ann, ben = table.sitters
    table.slow = lambda sitter, _: sitter is ben and ben.core.state.phase is Phase.SHARES
    table.run(lambda: bool(table.unfinished))
    step, seat = ben.core.state.step, ben.core.state.seat_of(ben.core.key)
    if doing == "judged":
        table.finish(ben)
    assert (seat in ben.core.ledger.pending) == (doing == "judged")
    table.act(ben, lambda parts: parts.joiner.farewell())
    while any(sitter is ben for sitter, _ in table.unfinished):
        table.finish(ben)
    table.later(0.1, lambda: kill(table, ben))
    table.run(lambda: ann.core.state.phase is Phase.OVER, 30)
    assert ann.core.ledger.given_up(step)


def test_who_has_written_and_leaves_gives_a_word_for_the_next_step() -> None:
    """Its entry of the due step is out, so the word is not of that one."""
    settings = wire.Settings("standard", (), 6, 2, 2, 4, ("patience=vote",))
    table = full_table(("Ann", "Ben"), settings, seed=bytes([7]) * 32)
    ann, ben = table.sitters

    def has_written() -> bool:
        state = ben.core.state
        slots = ben.core.ledger.slots
        return state.phase is Phase.DEAL and state.seat_of(ben.core.key) in slots and len(slots) < 2

    table.run(has_written)
    step = ben.core.state.step
    table.act(ben, lambda parts: parts.joiner.farewell())
    table.later(0.1, lambda: kill(table, ben))
    table.run(lambda: ann.core.state.phase is Phase.OVER, 30)
    assert ann.core.ledger.given_up(step + 1)
    verdict = verify_record(ann.record_octets, expand(bytes(32), "verify"))
    assert verdict.ok, verdict.sentence
    assert verdict.finished
