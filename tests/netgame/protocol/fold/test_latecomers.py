"""Seats between two rounds: a new roster, a new session, and the scores kept."""

import pytest

from engine.scoring import totals
from netgame.crypto.signing import make_signing_key
from netgame.crypto.transcript import expand
from netgame.protocol import notices
from netgame.protocol.fold.latecomers import why_not_seated_later
from netgame.protocol.fold.phases import Phase
from netgame.protocol.log.entry import REQUEST_DOMAIN, read_mask
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.sync import pulled
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.games import Driven, played
from tests.netgame.mallory import Mallory, when
from tests.netgame.simtable import SimTable, Sitter, full_table, kill, link_all, revive
from tests.netgame.small_games import (
    MINUTE,
    come_late,
    expect_caught,
    expect_whole,
    given_up_and_back,
    kinds_of,
    late_table,
    new_table,
    playing,
)


def asks(table: SimTable, who: Sitter) -> None:
    """Have a sitter's request for a seat reach everybody."""
    request, signature = who.core.place.signed_request()
    for sitter in table.sitters:
        if sitter is not who and sitter.alive:
            sitter.core.parts.applicants.waiting[who.core.key] = wire.JoinAsk(request, signature)


def test_who_had_left_has_its_seat_again_from_the_next_round_on() -> None:
    """A process that was given up comes back, asks, and plays; all records hold."""
    table, ann, victim = given_up_and_back()
    asks(table, victim)
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


def test_two_come_late_at_once() -> None:
    """Both have seats, in an order that neither chose."""
    table = late_table()
    come_late(table)
    come_late(table, "Yan")
    table.run_game()
    expect_whole(table)
    names = [member.name for member in table.sitters[0].core.state.seats[2:]]
    assert sorted(names) == ["Yan", "Zoe"]


def test_a_session_has_an_id_of_its_own() -> None:
    """Entries carry the old id to the end of the coin, and the new one after it."""
    table = late_table()
    come_late(table)
    table.run_game()
    core = table.sitters[0].core
    ids = [step[0].id for step in core.ledger.steps]
    assert len(set(ids)) == 3, "the table's, and two sessions'"
    kinds = kinds_of(table)
    changes = [n for n in range(1, len(ids)) if ids[n] != ids[n - 1]]
    assert all(wire.CoinReveal in kinds[n - 1] for n in changes)


def test_who_may_not_sit_is_told_why() -> None:
    """Before there are seats; by option, by the rules' pairs, by size, and in the last round."""
    lobby = late_table()
    assert code_for_stranger(lobby) == "started"
    assert code_at(late_table(options=("latecomers=watch",))) == "watch"
    assert code_at(late_table(rounds=1)) == "last-round"
    assert code_at(late_table(seats=3)) == ""
    pairs = wire.Settings("standard", ("partners=yes",), 9, 4, 2, 4)
    assert code_at(full_table(("Ann", "Ben", "Cy", "Dee"), pairs)) == "pairs"
    full = wire.Settings("standard", (), 6, 2, 2, 13)
    assert code_at(full_table(("Ann", "Ben"), full)) == "full"


def code_at(table: SimTable) -> str:
    """The code with which this table keeps a stranger from sitting down; empty if it does not."""
    table.run(lambda: playing(table))
    return code_for_stranger(table)


def code_for_stranger(table: SimTable) -> str:
    """The same, where the table stands."""
    state = table.sitters[0].core.state
    request = wire.JoinRequest(state.log_id, state.step, bytes([9]) * 32, "Zoe", (), False)
    refusal = why_not_seated_later(state, request)
    return refusal.why.value if refusal else ""


def test_a_table_that_says_watch_seats_nobody() -> None:
    """The late one looks on to the end, and the table is never in its way."""
    table = late_table(options=("latecomers=watch",))
    zoe = come_late(table)
    table.run(lambda: all(each.finished for each in table.sitters if each is not zoe))
    assert [member.name for member in table.sitters[0].core.state.seats].count("Zoe") == 0
    table.run(lambda: zoe.core.state.phase is Phase.OVER)


# ---- somebody dies while the new roster is signed -------------------------------------------

FORMING = (Phase.ROSTER, Phase.COIN_COMMIT, Phase.COIN_REVEAL)


@pytest.mark.parametrize(
    ("who", "phase"),
    [
        pytest.param(who, phase, marks=() if number % 2 == turn else pytest.mark.campaign)
        for number, phase in enumerate(FORMING)
        for turn, who in enumerate(("Ben", "Zoe"))
    ],
)
def test_a_seat_may_be_lost_while_the_table_forms_again(who: str, phase: Phase) -> None:
    """Who dies for good then, old or new, is given up, and the next round is dealt."""
    table = late_table(seats=3)
    come_late(table)
    victim = next(each for each in table.sitters if each.core.place.name == who)
    table.run(lambda: playing(table))
    table.run(lambda: victim.core.state.phase is phase)
    kill(table, victim)
    table.run_game()
    expect_whole(table)
    state = table.sitters[0].core.state
    seat = state.seat_of(victim.core.key)
    assert state.gone == (set() if who == "Zoe" else {seat})
    assert (seat is None) == (who == "Zoe"), "who never threw the coin never had a seat"


@pytest.mark.parametrize("phase", [*FORMING, Phase.DEAL, Phase.PLAY], ids=lambda p: p.value)
def test_who_came_late_comes_back_like_anybody(phase: Phase) -> None:
    """A newcomer's process dies after it sat down, and finds its secrets again."""
    table = late_table()
    zoe = come_late(table)
    table.run(lambda: zoe.core.state.seat_of(zoe.core.key) is not None)
    table.run(lambda: zoe.core.state.phase is phase)
    kill(table, zoe)
    until = table.now + 5
    table.later(5.0, lambda: None)
    table.run(lambda: table.now >= until)
    revive(table, zoe)
    link_all(table)
    table.run_game()
    expect_whole(table)
    assert not table.sitters[0].core.state.gone


# ---- cheats ---------------------------------------------------------------------------------


def admission(core: Mallory, *, signed: bool = True) -> wire.Admit:
    """A stranger's request for a seat at this table."""
    stranger = make_signing_key(bytes([5]) * 32)
    state = core.state
    request = wire.JoinRequest(state.log_id, state.step, stranger.public_bytes, "Eve", (), False)
    octets = encode(request)
    signature = stranger.sign(REQUEST_DOMAIN, octets) if signed else bytes(64)
    return wire.Admit(octets, signature)


def bent_table(bend: object, *, chair: bool, rounds: int = 2) -> tuple[SimTable, Sitter]:
    """Mallory is the chair of a table of three, or another seat."""
    table = SimTable(wire.Settings("standard", (), 6, 3, rounds, 4), bytes([8]) * 32)
    for number, name in enumerate(("Mallory", "Ben", "Cy") if chair else ("Ann", "Mallory", "Cy")):
        start_at = None if number else 3
        table.seat(name, core_class=Mallory, start_at=start_at)
    mallory = table.sitters[0 if chair else 1]
    mallory.core.bend = when(wire.RoundOver, bend)
    return table, mallory


def seats(*kinds: dict[str, bool]) -> object:
    """A `round-over` that brings strangers along."""

    def bend(core: Mallory, payload: wire.RoundOver) -> wire.RoundOver:
        asked = tuple(admission(core, **each) for each in kinds)
        return wire.RoundOver(payload.scores, asked)

    return bend


CHEATS = {
    "seats without being the chair": (seats({}), False, 2),
    "seats somebody who has not signed": (seats({"signed": False}), True, 2),
    "seats somebody twice": (seats({}, {}), True, 2),
    "seats somebody after the last round": (seats({}), True, 1),
}


@pytest.mark.parametrize("name", CHEATS)
def test_who_seats_somebody_wrongly_is_convicted(name: str) -> None:
    """At the entry itself, by everybody, with evidence that holds."""
    bend, chair, rounds = CHEATS[name]
    table, mallory = bent_table(bend, chair=chair, rounds=rounds)
    expect_caught(table, mallory, "shape")


def test_a_chair_that_seats_a_stranger_who_never_speaks() -> None:
    """Whom the chair lets in without being there never had a seat, and the game goes on."""
    table, mallory = bent_table(seats({}), chair=True)
    mallory.core.bend = when(wire.RoundOver, lambda _, p: None)
    chair = mallory.core
    table.run(lambda: playing(table))
    ask = admission(chair)
    chair.parts.applicants.waiting[bytes([1]) * 32] = wire.JoinAsk(ask.request, ask.signature)
    table.run_game()
    state = table.sitters[1].core.state
    assert "Eve" not in [member.name for member in state.seats]
    assert not state.gone
    assert state.phase is Phase.OVER
    expect_whole(table)


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
