"""A damaged journal: what may have been signed is not signed otherwise [peer.md §8.1]."""

import pytest

from netgame.protocol import notices
from netgame.protocol.fold.phases import Phase
from netgame.protocol.log.entry import frame_payload, read_frames
from netgame.protocol.log.salvage import salvage
from netgame.protocol.peer.parts import leave_for_good
from netgame.wire import messages as wire
from tests.netgame.games import NAMES, entries_in
from tests.netgame.protocol.happenings import go_on, numbers_of, until_in_play
from tests.netgame.simtable import full_table, kill, link_all, revive, standard
from tests.netgame.small_games import MINUTE, end_whole, offer

DOUBT = notices.TroubleKind.JOURNAL_DOUBT


def flip(sitter, number):
    """Flip a bit of this entry of a dead seat's journal, and open the file again."""
    frames = list(map(frame_payload, sitter.journal))
    frames[number] = frames[number][:-9] + bytes([frames[number][-9] ^ 4]) + frames[number][-8:]
    sitter.journal[:] = read_frames(salvage(b"".join(frames)))[0]


def entries_of(sitter):
    """The entries of a journal, as they stand there."""
    return [each for each in sitter.journal if entries_in((each,))]


def troubles(sitter):
    """What its person has been told of, in order."""
    return [each.kind for each in sitter.told if isinstance(each, notices.Trouble)]


def own_in_logs(table, sitter):
    """What this seat has signed, as anybody knows."""
    logs = (each.ledger for each in table.sitters)
    return {
        entry.signed.body
        for log in logs
        for step in (*log.steps, tuple(log.holding()))
        for entry in step
        if entry.is_by(sitter.key)
    }


def in_doubt(settings, seats):
    """A seat that comes back in mid-play, its last entry unreadable in both files."""
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


def test_who_may_have_signed_more_signs_nothing_until_its_person_takes_the_risk():
    """Told once what it risks; then the game goes on to its end, and nobody is accused."""
    table, victim = in_doubt(standard(6, 3, 1), 3)
    signed = own_in_logs(table, victim)
    table.pass_time(60.0)
    assert troubles(victim) == [DOUBT]
    assert own_in_logs(table, victim) == signed
    assert not any(each.state.phase is Phase.OVER for each in table.sitters)
    table.act(victim, lambda parts: parts.journal.trust())
    end_whole(table)
    assert troubles(victim) == [DOUBT]


@pytest.mark.parametrize("again", [False, True])
def test_the_others_can_go_on_without_who_is_in_doubt(again):
    """Then it is bound by nothing that it may have signed, and comes back; restarted or not."""
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


def test_damage_before_an_entry_keeps_nobody_out_of_a_later_poll():
    """Of two one leaves for good; the other, whose journal was damaged long ago, goes on alone."""
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
    table.run(lambda: victim.finished)
    assert victim.state.phase is Phase.OVER
    assert victim.state.present == (victim.place.seat,)
    assert not troubles(victim)
