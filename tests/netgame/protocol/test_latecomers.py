"""Seats between two rounds: a new roster, a new session, and the scores kept."""

from __future__ import annotations

from engine.scoring import totals
from netgame.protocol import notices
from netgame.protocol.state import Phase
from netgame.wire import messages as wire
from tests.netgame.protocol.test_leaving import MINUTE, expect_whole, kinds_of, mine, new_table
from tests.netgame.simtable import SimTable, Sitter, kill, link_all, revive


def asks(table: SimTable, who: Sitter) -> None:
    """Have a sitter's request for a seat reach everybody."""
    request, signature = who.core._request()
    for sitter in table.sitters:
        if sitter is not who and sitter.alive:
            sitter.core.applicants[who.core.key] = wire.JoinAsk(request, signature)


def test_who_had_left_has_its_seat_again_from_the_next_round_on() -> None:
    """A process that was given up comes back, asks, and plays; all records hold."""
    table = new_table(MINUTE, rounds=3)
    ann, victim = table.sitters[0], table.sitters[2]
    table.run(lambda: mine(victim.core.state, victim))
    kill(table, victim)
    table.run(lambda: bool(ann.core.state.gone))
    revive(table, victim)
    link_all(table)
    asks(table, victim)
    sid = ann.core.state.log_id
    seat = ann.core.state.seat_of(victim.core.key)
    table.run(lambda: ann.core.state.phase is Phase.ROSTER)
    before = totals(ann.core.state.table)
    table.run(lambda: ann.core.state.log_id != sid)
    assert not ann.core.state.gone
    assert ann.core.state.seat_of(victim.core.key) == seat
    assert before[seat] == max(before)
    assert notices.SeatsCame((victim.core.name,)) in ann.told
    table.run_game()
    expect_whole(table)
    assert sum(wire.CoinReveal in kinds for kinds in kinds_of(table)) == 2
