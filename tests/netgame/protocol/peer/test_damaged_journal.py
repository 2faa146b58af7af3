"""A damaged journal: its seat signs nothing that may contradict lost entries [peer.md §8.1]."""

import pytest

from netgame.protocol import notices
from netgame.protocol.log.entry import frame_payload, read_frames
from netgame.protocol.log.mending import mend_journal
from netgame.protocol.peer.parts import leave_for_good
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from tests.netgame.games import NAMES, entries_in
from tests.netgame.protocol.happenings import go_on, gone, numbers_of, until_in_play
from tests.netgame.simtable import full_table, kill, link_all, revive, standard
from tests.netgame.small_games import MINUTE, end_whole, offer

DOUBT = notices.TroubleKind.JOURNAL_DOUBT
NO_WAY_ON = notices.TroubleKind.NO_WAY_ON


def flip(sitter, number):
    """Flip a bit in frame `number` of a dead seat's journal, then read the file back."""
    frames = list(map(frame_payload, sitter.journal))
    frames[number] = frames[number][:-9] + bytes([frames[number][-9] ^ 4]) + frames[number][-8:]
    sitter.journal[:] = read_frames(mend_journal(b"".join(frames)))[0]


def entries_of(sitter):
    """Return the frames of a sitter's journal that contain entries."""
    return [each for each in sitter.journal if entries_in((each,))]


def troubles(sitter):
    """Return the kinds of trouble that the sitter's person has read, in order."""
    return [each.kind for each in sitter.told if isinstance(each, notices.Trouble)]


def own_in_logs(table, sitter):
    """Return the bodies that this seat has signed, in anybody's log."""
    logs = (each.ledger for each in table.sitters)
    return {
        entry.signed.body
        for log in logs
        for step in (*log.steps, tuple(log.holding()))
        for entry in step
        if entry.is_by(sitter.key)
    }


def in_doubt(settings, seats):
    """Return a table in play and a seat that is back with its last entry unreadable."""
    table = full_table(NAMES[:seats], settings)
    until_in_play(table)
    victim = table.sitters[1]
    kill(table, victim)
    last = entries_of(victim)[-1]
    del victim.record[victim.record.index(last) :]
    flip(victim, len(victim.journal) - 1)
    revive(table, victim)
    table.later(0.5, lambda: link_all(table))
    table.run(lambda: bool(troubles(victim)))
    return table, victim


@pytest.mark.parametrize(("seats", "told"), [(3, (DOUBT, "2")), (2, (NO_WAY_ON,))])
def test_who_may_have_signed_more_signs_nothing_and_hears_who_can_go_on(seats, told):
    """A seat that may have signed more signs nothing; nobody is accused.

    The player reads once how many others can go on without the seat, or that too few are left.
    """
    table, victim = in_doubt(standard(6, seats, 1), seats)
    signed = own_in_logs(table, victim)
    table.pass_time(600.0)
    kind, *facts = told
    assert victim.told_of(notices.Trouble) == [notices.Trouble(kind, tuple(facts))]
    assert own_in_logs(table, victim) == signed
    assert not any(each.state.phase is Phase.OVER or each.faults() for each in table.sitters)


@pytest.mark.parametrize("again", [False, True])
def test_the_others_can_go_on_without_who_is_in_doubt(again):
    """The others can go on without a seat in doubt. That ends the doubt, and the seat comes back.

    This works after another restart too.
    """
    table, victim = in_doubt(offer((*MINUTE, "leaver=redeal"), rounds=3), 4)
    if again:
        kill(table, victim)
        revive(table, victim, "third life")
        link_all(table)
        table.pass_time(10.0)
        assert troubles(victim) == [DOUBT, DOUBT]
    for sitter in table.sitters:
        if sitter is not victim:
            go_on(table, [sitter], victim)
    end_whole(table)
    last = victim.ledger.steps[-1]
    assert victim.seat in {entry.seat for entry in last}


def test_a_doubt_that_began_with_three_is_told_anew_once_too_few_are_left():
    """A seat in doubt is told again when too few others are left to go on without it."""
    table, victim = in_doubt(standard(6, 3, 1), 3)
    left = table.sitters[2]
    table.act(left, leave_for_good)
    table.pass_time(1.0)
    kill(table, left)
    table.pass_time(60.0)
    assert troubles(victim) == [DOUBT, NO_WAY_ON]
    assert not any(each.state.phase is Phase.OVER for each in table.sitters)


def test_an_epoch_that_opened_while_it_was_away_ends_no_doubt():
    """An epoch that opened while a seat was away does not end its doubt.

    The epoch opened because the others went on without a fourth seat; the seat in doubt may have
    signed something in it. It signs again only after they go on without it too.
    """
    table = full_table(NAMES[:4], offer((*MINUTE, "leaver=redeal"), rounds=3))
    until_in_play(table)
    victim, left = table.sitters[1], table.sitters[3]
    kill(table, victim)
    flip(victim, len(victim.journal) - 1)
    table.act(left, leave_for_good)
    table.pass_time(1.0)
    kill(table, left)
    table.run(lambda: gone(table.host) == {left.name}, 60.0)
    revive(table, victim)
    link_all(table)
    table.run(lambda: bool(troubles(victim)))
    assert gone(victim) == {left.name}
    assert victim.parts.journal.is_in_doubt()
    for sitter in (table.host, table.sitters[2]):
        go_on(table, [sitter], victim)
    table.run(lambda: not victim.parts.journal.is_in_doubt(), 60.0)
    end_whole(table)


def test_damage_anywhere_in_a_journal_silences_its_seat_in_entries_and_polls():
    """Damage in the middle of a journal keeps its seat from signing entries and statements.

    Here one of two players leaves for good. The other may have promised something, so it cannot
    go on alone.
    """
    table = full_table(NAMES[:2], standard(6, 3, 1))
    until_in_play(table)
    left, victim = table.sitters
    kill(table, victim)
    flip(victim, numbers_of(victim.journal, wire.Deck)[0])
    revive(table, victim)
    link_all(table)
    table.act(left, leave_for_good)
    table.pass_time(0.1)
    kill(table, left)
    table.pass_time(600.0)
    assert troubles(victim) == [NO_WAY_ON]
    assert victim.state.phase is not Phase.OVER
