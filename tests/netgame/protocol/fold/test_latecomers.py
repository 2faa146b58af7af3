"""Seats between two rounds: a new roster, a new session, and the scores kept."""

import pytest

from engine.scoring import totals
from netgame.crypto.signing import make_signing_key
from netgame.crypto.transcript import expand
from netgame.protocol import notices
from netgame.protocol.fold.phases import Phase
from netgame.protocol.log.entry import read_mask
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.sync import pulled
from netgame.wire import messages as wire
from tests.netgame.games import Driven, played
from tests.netgame.simtable import kill, link_all, revive
from tests.netgame.small_games import (
    MINUTE,
    come_late,
    expect_whole,
    given_up_and_back,
    kinds_of,
    late_table,
    new_table,
    playing,
)


def test_who_had_left_has_its_seat_again_from_the_next_round_on() -> None:
    """A process that was given up comes back, asks, and plays; all records hold."""
    table, ann, victim = given_up_and_back()
    sid = ann.core.state.log_id
    seat = ann.core.state.seat_of(victim.core.key)
    table.run(lambda: ann.core.state.phase is Phase.ROSTER)
    before = totals(ann.core.state.table)
    table.run(lambda: ann.core.state.log_id != sid)
    assert not ann.core.state.gone
    assert ann.core.state.seat_of(victim.core.key) == seat
    assert before[seat] == max(before)
    names = (victim.core.place.name,)
    assert notices.SeatsCame(names, back=names) in ann.told
    table.run_game()
    expect_whole(table)
    assert sum(wire.CoinReveal in kinds for kinds in kinds_of(table)) == 2


def test_who_has_missed_a_round_has_the_points_of_last_place_and_is_told_so() -> None:
    """Whoever is gone scores nothing, and would gain by it with few tiles left in the hand."""
    table = new_table(MINUTE, seed=4, rounds=4)
    ann, cy = table.sitters[0], table.sitters[2]
    table.run(lambda: playing(table))
    seat = ann.core.state.seat_of(cy.core.key)
    table.run(lambda: len(ann.core.state.table.hands[seat]) < 3)
    kill(table, cy)
    table.run(lambda: playing(table, 2))
    before = totals(ann.core.state.table)
    revive(table, cy)
    link_all(table)
    table.run(lambda: bool(cy.told_of(notices.SeatsCame)))
    assert cy.told_of(notices.SeatsCame) == [notices.SeatsCame(("Cy",), ("Cy",), ("Cy",))]
    assert totals(ann.core.state.table)[seat] > before[seat]
    assert {each.returns for each in cy.told_of(notices.SeatLater)} == {True}


# ---- who comes late -------------------------------------------------------------------------


OPTIONS = {
    "plain": ("patience=minute",),
    "keys": ("audit=keys",),
    "seeds, hidden draws": ("audit=seeds", "draws=hidden"),
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_who_comes_late_plays_from_the_next_round_on(options: tuple[str, ...]) -> None:
    """Zoe watches the first round, sits last, and has as many points as the last."""
    table = late_table(options=options)
    zoe = come_late(table)
    table.run(lambda: playing(table, 1))
    state = table.sitters[0].core.state
    assert [member.name for member in state.seats] == [*(m.name for m in state.seats[:2]), "Zoe"]
    sums = totals(state.table)
    assert sums[2] == max(sums[:2])
    assert len(state.table.hands[2]) >= 4
    table.run_game()
    expect_whole(table)
    assert zoe.core.state.table.past[1][2] >= 0
    assert len(zoe.core.state.table.past[1]) == 3


FORMING = (Phase.ROSTER, Phase.COIN_COMMIT, Phase.COIN_REVEAL)


@pytest.mark.parametrize("phase", [*FORMING, Phase.DEAL, Phase.PLAY], ids=lambda p: p.value)
def test_who_came_late_comes_back_like_anybody(phase: Phase) -> None:
    """A newcomer's process dies after it sat down, and finds its secrets again."""
    table = late_table()
    zoe = come_late(table)
    table.run(lambda: zoe.core.state.seat_of(zoe.core.key) is not None)
    table.run(lambda: zoe.core.state.phase is phase)
    kill(table, zoe)
    table.pass_time(5)
    revive(table, zoe)
    link_all(table)
    table.run_game()
    expect_whole(table)
    assert not table.sitters[0].core.state.gone


def test_who_comes_when_the_game_is_over_is_told_so_by_the_log() -> None:
    """The members may have left before they answer: nobody waits for a seat for ever."""
    game = played(2, 6, 1)
    ann, stranger = game.sitters[0].core, make_signing_key(bytes([5]) * 32)
    zoe = Driven(Core(stranger, "Zoe", expand(bytes(32), "late"), bytes(32), ()).look_for_table())
    zoe.link(ann.key)
    zoe.hear(ann.key, wire.Hello(ann.state.table_id))
    decisions = ann.ledger.decisions
    zoe.hear(ann.key, wire.Head(ann.state.step, ann.state.head, b"", len(decisions)))
    for _ in range(len(ann.ledger.steps)):
        if zoe.core.state.phase is Phase.OVER:
            break
        question = zoe.said(wire.Pull)[-1]
        entries = ann.ledger.entries_from(question.step, read_mask(question.filled))
        zoe.hear(ann.key, pulled(entries))
        for decision in decisions[question.polls :]:
            zoe.hear(ann.key, wire.Statements(tuple(each.signed for each in decision.said)))
    zoe.pass_time(10.0)
    told = zoe.told_of(notices.SeatLater)
    assert [(each.granted, each.sentence) for each in told] == [
        (False, "The game at this table is over, so there is no seat any more.")
    ]
    zoe.hear(ann.key, wire.JoinAnswer("watch", told[0].sentence))
    assert zoe.told_of(notices.SeatLater) == told
