"""People who come, go and come back at awkward moments: what they read and how they get in."""

import pytest

from engine.table.table import RoundPhase
from netgame.protocol import notices
from netgame.protocol.log.entry import read_entry
from netgame.protocol.notices import DealPhase
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any
from tests.netgame.games import entries_in
from tests.netgame.protocol.happenings import apart, in_turn, watching
from tests.netgame.simtable import LATENCY_S, full_table, kill, link_all, revive, standard
from tests.netgame.small_games import (
    MINUTE,
    come_late,
    end_whole,
    late_table,
    new_table,
    until_round,
)


def told_of_seat(who):
    """Return the answers to this player's requests for a seat, in order: True for a promise."""
    return [each.granted for each in who.told if isinstance(each, notices.SeatLater)]


def test_who_asks_while_the_last_round_is_dealt_is_promised_nothing():
    """A player who asks while the last round is dealt is promised nothing."""
    table = late_table()
    come_late(table)
    ann = table.host
    table.run(lambda: ann.state.phase is Phase.COIN_COMMIT and ann.state.step > 20)
    assert ann.state.table.phase is RoundPhase.SCORED
    yan = table.seat("Yan")
    end_whole(table)
    assert told_of_seat(yan) == [False]


def test_a_watcher_catches_up_by_a_seat_that_its_record_does_not_know():
    """A watcher catches up through a seat that its old record does not know.

    It comes back with a record of the first round, and is linked only to a player who sat down
    in the second.
    """
    table = late_table(rounds=2)
    zoe = come_late(table)
    yan = table.seat("Yan", watches=True)
    table.until(yan, Phase.PLAY)
    kill(table, yan)
    until_round(table, 1)
    revive(table, yan)
    assert not yan.context.belongs(zoe.key)
    apart(table, [yan], [*table.sitters[:2]])
    table.connect(yan, zoe)
    end_whole(table)
    assert not yan.told_of(notices.Trouble)


def given_up_with_an_entry_of_its_own(rounds):
    """Return a table, a seat that died when its own entry had completed a step, and that step.

    The entry reached nobody.
    """
    table = new_table(MINUTE, rounds=rounds)
    victim = table.sitters[2]

    def is_deaf(sitter):
        deal = sitter.state.deal
        return sitter is victim and deal is not None and deal.phase is DealPhase.KEY_COMMIT

    table.delays = lambda sitter, _: () if is_deaf(sitter) else (LATENCY_S,)
    table.until(victim, Phase.DEAL)
    before = victim.state.step
    victim.context.links.tell_all = lambda message: None
    table.run(lambda: victim.state.step > before)
    kill(table, victim)
    del table.delays  # it hears and is heard again when it comes back
    return table, victim, before


@pytest.mark.parametrize("is_over", [True, False])
def test_a_seat_that_was_given_up_beside_its_entry_signs_nothing_a_second_time(is_over):
    """A seat given up before anybody saw its last entry signs nothing else for that entry's slot.

    It reads what the others did without it, and sits down again if a round follows.
    """
    table, victim, before = given_up_with_an_entry_of_its_own(3 - is_over)
    ann, lost = table.host, entries_in(victim.journal)
    table.run(lambda: ann.finished if is_over else ann.state.phase is Phase.PLAY)
    assert [each.step for each in ann.ledger.decisions if each.goes] == [before]
    revive(table, victim)
    link_all(table)
    end_whole(table)
    signed = entries_in(victim.journal)
    assert signed[: len(lost)] == lost
    assert (signed == lost) == is_over
    slots = [read_entry(each).slot for each in signed]
    assert len(slots) == len(set(slots))
    assert (victim.seat in {entry.seat for entry in victim.ledger.steps[-1]}) != is_over


def test_who_has_a_seat_hears_an_entry_before_who_looks_on():
    """Seats get an entry before watchers do.

    Otherwise a computer that dies between two sends may leave its entry with a watcher, and
    the author never asks a watcher for it.
    """
    table = full_table(("Ann", "Ben", "Cy"), standard(6, 4), bots=False)
    table.until(table.host, Phase.PLAY)
    zoe = watching(table)
    mover = in_turn(table, table.sitters[:3])
    for other in table.sitters[:3]:
        if other is not mover:  # its link comes last now
            table.disconnect(mover, other)
            table.connect(mover, other)
    table.pass_time(10.0)
    table.sent = []
    table.move(mover)
    table.pass_time()
    told = [
        peer
        for sender, peer, frame in table.sent
        if sender == mover.key and isinstance(decode_any(frame, wire.LinkMessage), wire.Entries)
    ]
    assert told.index(zoe.key) == 2
