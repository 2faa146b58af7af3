"""People who come, go and come back at awkward moments: what they are told, how they get in."""

from engine.table.table import RoundPhase
from netgame.protocol import notices
from netgame.protocol.fold.phases import Phase
from netgame.protocol.log.entry import read_entry
from netgame.protocol.notices import DealPhase
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any
from tests.netgame.games import entries_in
from tests.netgame.protocol.happenings import apart, in_turn
from tests.netgame.simtable import (
    LATENCY_S,
    SimTable,
    Sitter,
    full_table,
    kill,
    link_all,
    revive,
    standard,
)
from tests.netgame.small_games import (
    MINUTE,
    come_late,
    expect_whole,
    late_table,
    mine,
    new_table,
    playing,
)


def told_of_seat(who: Sitter) -> list[bool]:
    """What this one was told of its wish for a seat, in order."""
    return [each.granted for each in who.told if isinstance(each, notices.SeatLater)]


def test_who_asks_while_the_last_round_is_dealt_is_promised_nothing() -> None:
    """The scores that let people in to it are signed; no other round follows."""
    table = late_table()
    come_late(table)
    ann = table.sitters[0]
    table.run(lambda: ann.core.state.phase is Phase.COIN_COMMIT and ann.core.state.step > 20)
    assert ann.core.state.table.phase is RoundPhase.SCORED
    yan = table.seat("Yan")
    table.run_game()
    expect_whole(table)
    assert told_of_seat(yan) == [False]


def test_a_watcher_catches_up_by_a_seat_that_its_record_does_not_know() -> None:
    """It came back from a record of the first round to nobody but the newcomer of the second."""
    table = late_table(rounds=2)
    zoe = come_late(table)
    yan = table.seat("Yan", watches=True)
    table.run(lambda: yan.core.state.phase is Phase.PLAY)
    kill(table, yan)
    table.run(lambda: playing(table, 1))
    revive(table, yan)
    assert not yan.core.place.belongs(zoe.core.key)
    apart(table, [yan], [*table.sitters[:2]])
    table.connect(yan, zoe)
    table.run_game()
    expect_whole(table)
    assert not yan.told_of(notices.Trouble)


def given_up_with_an_entry_of_its_own(rounds: int) -> tuple[SimTable, Sitter, int]:
    """A seat that did a step with its own entry, which reached nobody; it dies at that step."""
    table = new_table(MINUTE, rounds=rounds)
    victim = table.sitters[2]

    def is_deaf(sitter: Sitter) -> bool:
        deal = sitter.core.state.deal
        return sitter is victim and deal is not None and deal.phase is DealPhase.KEY_COMMIT

    table.delays = lambda sitter, _: () if is_deaf(sitter) else (LATENCY_S,)
    table.run(lambda: victim.core.state.phase is Phase.DEAL)
    before = victim.core.state.step
    victim.core.place.links.tell_all = lambda message: None
    table.run(lambda: victim.core.state.step > before)
    kill(table, victim)
    del table.delays  # it hears and is heard again when it comes back
    return table, victim, before


def lost_entries(victim: Sitter, before: int) -> set[wire.SignedEntry]:
    """What it has signed from this step on, as its journal says."""
    return {each for each in entries_in(victim.journal) if read_entry(each).step >= before}


def test_a_seat_that_was_given_up_reads_what_the_others_did_without_it() -> None:
    """Its entry is in its journal alone; the game is over when it comes back."""
    table, victim, before = given_up_with_an_entry_of_its_own(2)
    lost = lost_entries(victim, before)
    assert lost
    table.run(lambda: all(s.finished for s in table.sitters if s.alive))
    (given_up,) = [each.step for each in table.sitters[0].core.ledger.decisions if each.goes]
    assert given_up == before
    revive(table, victim)
    link_all(table)
    table.run(lambda: victim.finished)
    assert lost_entries(victim, before) == lost
    expect_whole(table)


def test_a_seat_that_was_given_up_beside_its_entry_sits_down_again() -> None:
    """Nothing is signed a second time: from the next round on it plays."""
    table, victim, before = given_up_with_an_entry_of_its_own(3)
    lost = lost_entries(victim, before)
    table.run(lambda: table.sitters[0].core.state.phase is Phase.PLAY)
    revive(table, victim)
    link_all(table)
    table.run_game()
    expect_whole(table)
    assert lost <= lost_entries(victim, before)
    slots = [read_entry(each).slot for each in lost_entries(victim, before)]
    assert len(slots) == len(set(slots))
    state = victim.core.state
    assert state.seat_of(victim.core.key) in {entry.seat for entry in victim.core.ledger.steps[-1]}


def test_a_watcher_that_alone_had_an_entry_takes_it_back() -> None:
    """The members cut the log off before that entry; the watcher's log and record are theirs."""
    table = new_table(MINUTE)
    victim = table.sitters[2]
    table.run(lambda: playing(table))
    zoe = table.seat("Zoe", watches=True)
    table.run(lambda: mine(victim.core.state, victim) and zoe.core.state == victim.core.state)
    step, links = victim.core.state.step, set(table.links)
    assert frozenset((zoe.core.key, victim.core.key)) in links
    table.delays = lambda sitter, other: (
        (LATENCY_S,) if sitter is not victim or other is zoe else ()
    )
    table.cut |= {frozenset((zoe.core.key, each.core.key)) for each in table.sitters[:-1]}
    for each in table.sitters[:-1]:
        if each is not victim:
            table.disconnect(zoe, each)
    table.run(lambda: zoe.core.state.step > step)
    assert all(
        sitter.core.state.step == step for sitter in table.sitters if sitter not in (zoe, victim)
    )
    kill(table, victim)
    table.run(lambda: bool(table.sitters[0].core.state.gone))
    table.cut.clear()
    link_all(table)
    table.run_game()
    expect_whole(table)
    assert zoe.core.ledger.void
    assert len(zoe.told_of(notices.MovesUndone)) == 1
    assert not zoe.faults()


def test_who_has_a_seat_hears_an_entry_before_who_looks_on() -> None:
    """Else a computer that dies between two sends leaves it where its author never asks."""
    table = full_table(("Ann", "Ben", "Cy"), standard(6, 4), bots=False)
    table.run(lambda: table.sitters[0].core.state.phase is Phase.PLAY)
    zoe = table.seat("Zoe", watches=True)
    table.run(lambda: bool(zoe.told_of(notices.CaughtUp)))
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
        if sender == mover.core.key
        and isinstance(decode_any(frame, wire.LinkMessage), wire.Entries)
    ]
    assert told.index(zoe.core.key) == 2
