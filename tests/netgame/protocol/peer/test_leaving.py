"""Seats that never come back: missed by more than half, and the game goes on without them."""

from collections.abc import Iterator
from itertools import product

import pytest

from engine.play.judge import unseen_tiles
from netgame.crypto.transcript import expand
from netgame.protocol import notices
from netgame.protocol.fold.phases import BetweenTurns, Phase
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.notices import DealPhase
from netgame.protocol.peer.parts import leave_for_good
from netgame.wire import messages as wire
from tests.netgame.mallory import Mallory, when
from tests.netgame.simtable import SimTable, Sitter, full_table, kill, link_all, revive
from tests.netgame.small_games import MINUTE, NAMES, expect_whole, kinds_of, mine, new_table, offer
from tests.sliced import sliced

REDEAL = ("patience=minute", "leaver=redeal")


PLACES = {
    "roster": lambda state, _: state.phase is Phase.ROSTER,
    "coin": lambda state, _: state.phase is Phase.COIN_COMMIT,
    "coin shown": lambda state, _: state.phase is Phase.COIN_REVEAL,
    "deal": lambda state, _: state.phase is Phase.DEAL,
    "deck": lambda state, _: state.deal is not None and state.deal.phase is DealPhase.DECK,
    "shares": lambda state, _: state.phase is Phase.SHARES,
    "its turn": mine,
    "later turn": lambda state, who: mine(state, who) and state.table.turns > 5,
    "between turns": lambda state, _: isinstance(state.now, BetweenTurns),
    "a draw": lambda state, _: state.phase is Phase.DRAWN,
    "open": lambda state, _: state.phase is Phase.OPEN,
    "score": lambda state, _: state.phase is Phase.SCORE,
    "second round": lambda state, who: mine(state, who) and state.table.round_number == 1,
}
IN_PLAY = ("its turn", "later turn", "between turns", "a draw", "second round")
"""Where the round goes on with a new boneyard, if the table has chosen so."""


def places() -> Iterator[object]:
    """Every place, with a new boneyard or a new deal in turn, and with the other as a campaign."""
    for number, place in enumerate(PLACES):
        for turn, (word, options) in enumerate((("rebuild", MINUTE), ("redeal", REDEAL))):
            marks = () if number % 2 == turn else pytest.mark.campaign
            yield pytest.param(place, options, id=f"{place}-{word}", marks=marks)


@pytest.mark.parametrize(("place", "options"), list(places()))
def test_the_game_goes_on_without_who_never_comes_back(
    place: str, options: tuple[str, ...]
) -> None:
    """Wherever a process dies for good, the others finish with one log."""
    table = new_table(options)
    victim = table.sitters[2]
    table.run(lambda: PLACES[place](victim.core.state, victim))
    kill(table, victim)
    table.run_game()
    expect_whole(table)
    told = [n for n in table.sitters[0].told if isinstance(n, notices.SeatsLeft)]
    assert told == [notices.SeatsLeft(("Cy",))]
    shuffles = [n for n in table.sitters[0].told if isinstance(n, notices.Reshuffled)]
    assert len(shuffles) == (options == MINUTE and place in IN_PLAY)


@sliced("preset", ["wolf-lake", "roundhouse", "galt-1994", "walnut"], 2)
def test_every_kind_of_search_and_opening_goes_on_too(preset: str) -> None:
    """The leaver is asked for nothing any more."""
    table = new_table(MINUTE, preset=preset)
    victim = table.sitters[1]
    table.run(lambda: victim.core.state.phase is Phase.PLAY)
    kill(table, victim)
    table.run_game()
    expect_whole(table)


@sliced(("rounds", "phase"), product([1, 2], [Phase.OPEN, Phase.SCORE, Phase.AUDIT]), 2)
def test_the_end_of_a_round_asks_for_no_key_of_who_has_left(phase: Phase, rounds: int) -> None:
    """Without all keys nothing opens: the round counts, the last one too, and is not audited."""
    table = new_table((*MINUTE, "audit=keys"), rounds=rounds)
    victim = table.sitters[2]
    table.run(lambda: victim.core.state.phase is phase)
    kill(table, victim)
    table.run_game()
    expect_whole(table)
    ledger = table.sitters[0].core.ledger
    (at,) = [each.step for each in ledger.decisions if each.goes]
    following = {type(e.payload) for step in ledger.steps[at + 1 : at + 3] for e in step}
    assert wire.Keys not in following


def test_whose_tiles_go_back_is_told_and_to_nobody_who_comes_after_that() -> None:
    """A latecomer reads of tiles that go back no more than of who has left."""
    table = new_table(MINUTE, rounds=1)
    victim, ann = table.sitters[2], table.sitters[0]
    table.run(lambda: mine(victim.core.state, victim))
    kill(table, victim)
    table.run(lambda: bool(ann.told_of(notices.Reshuffled)))
    assert ann.told_of(notices.Reshuffled) == [notices.Reshuffled(None, ("Cy",))]
    table.run(lambda: ann.core.state.phase is Phase.PLAY)
    zoe = table.seat("Zoe", watches=True)
    table.run(lambda: bool(zoe.told_of(notices.CaughtUp)))
    assert not zoe.told_of(notices.Reshuffled | notices.SeatsLeft)


def test_a_rebuilt_deck_leaves_hands_as_they_were() -> None:
    """Those who stay keep their tiles; all others, the leaver's too, lie in the boneyard."""
    table = new_table(MINUTE, rounds=1)
    victim, ann = table.sitters[2], table.sitters[0]
    table.run(lambda: mine(victim.core.state, victim) and victim.core.state.table.turns > 3)
    kill(table, victim)
    table.run(lambda: ann.core.state.phase is Phase.REBUILD)
    before = {s.core.place.name: s.core.view().hand for s in table.sitters if s.alive}
    table.run(lambda: ann.core.state.phase is Phase.UNBLIND)
    table.run(lambda: ann.core.state.phase is not Phase.UNBLIND)
    state = ann.core.state
    assert state.table is not None
    held = sum(len(hand) for hand in state.table.hands)
    assert state.table.hands[state.seat_of(victim.core.key)] == ()
    assert len(state.table.boneyard) == len(unseen_tiles(state.table)) - held
    for sitter in table.sitters:
        if sitter.alive and sitter.core.state.step == state.step:
            assert sitter.core.view().hand == before[sitter.core.place.name]
    table.run_game()
    expect_whole(table)
    assert {wire.Rebuild} in kinds_of(table)


def test_a_round_dealt_again_keeps_the_scores() -> None:
    """The second round is thrown away, the first one stands."""
    table = new_table(REDEAL)
    victim, ann = table.sitters[2], table.sitters[0]
    table.run(lambda: PLACES["second round"](victim.core.state, victim))
    past = ann.core.state.table.past
    kill(table, victim)
    table.run_game()
    expect_whole(table)
    assert ann.core.state.table.past[: len(past)] == past
    assert {wire.Rebuild} not in kinds_of(table)


def test_who_comes_back_too_late_may_watch() -> None:
    """It finds itself given up, follows to the end, and is accused of nothing.

    Where who comes late watches: elsewhere it would ask for its seat again.
    """
    table = new_table((*MINUTE, "latecomers=watch"))
    victim = table.sitters[2]
    table.run(lambda: mine(victim.core.state, victim))
    kill(table, victim)
    table.run(lambda: bool(table.sitters[0].core.state.gone), 600)
    revive(table, victim)
    link_all(table)
    table.run_game()
    expect_whole(table)
    assert victim.core.state.seat_of(victim.core.key) in victim.core.state.gone


def test_who_comes_back_in_time_plays_on() -> None:
    """Half a minute is nothing."""
    table = new_table(MINUTE, rounds=1)
    victim = table.sitters[2]
    table.run(lambda: mine(victim.core.state, victim))
    kill(table, victim)
    until = table.now + 30.0
    table.run(lambda: table.now >= until)
    revive(table, victim)
    link_all(table)
    table.run_game()
    expect_whole(table)
    assert not table.sitters[0].core.state.gone


def test_half_a_table_gives_nobody_up() -> None:
    """Two and two: both halves wait, and go on when the cable is back."""
    table = new_table(MINUTE, rounds=1)
    halves = table.sitters[:2], table.sitters[2:]
    table.run(lambda: table.sitters[0].core.state.phase is Phase.PLAY)
    for one in halves[0]:
        for other in halves[1]:
            table.cut.add(frozenset((one.core.key, other.core.key)))
            table.disconnect(one, other)
    until = table.now + 400.0
    table.run(lambda: table.now >= until, 500)
    assert not any(sitter.core.state.gone for sitter in table.sitters)
    table.cut.clear()
    link_all(table)
    table.run_game()
    expect_whole(table)


def test_people_name_somebody_and_programs_follow() -> None:
    """Nobody has to wait for the time to pass once somebody has asked."""
    table = new_table(("patience=vote",), rounds=1)
    victim, ann = table.sitters[2], table.sitters[0]
    table.run(lambda: mine(victim.core.state, victim))
    kill(table, victim)
    until = table.now + 1000.0
    table.run(lambda: table.now >= until, 1100)
    assert not ann.core.state.gone
    began = table.now
    table.act(ann, lambda parts: parts.wishes.give_up([victim.core.key]))
    table.run(lambda: bool(ann.core.state.gone), 60)
    assert table.now - began < 10
    table.run_game()
    expect_whole(table)


def test_a_wish_lapses_for_who_is_back_before_the_table_waits() -> None:
    """A player whose link was down in others' turns has time to think when it is their turn."""
    table = new_table(("patience=vote",), seed=4)
    victim, asks = table.sitters[2], table.sitters[0]
    table.run(lambda: mine(asks.core.state, asks))
    table.cut.add(frozenset((victim.core.key, asks.core.key)))
    table.disconnect(victim, asks)
    table.act(asks, lambda parts: parts.wishes.give_up([victim.core.key]))
    assert asks.core.parts.polls.wishes.wanted
    table.cut.clear()
    link_all(table)
    table.run(lambda: mine(victim.core.state, victim))
    assert not asks.core.parts.polls.wishes.wanted
    table.run_game()
    assert not any(sitter.core.state.gone for sitter in table.sitters)
    expect_whole(table)


def test_two_leave_one_after_the_other() -> None:
    """Five are left of seven hands, then three; the second while the deck is being rebuilt."""
    names = ("Ann", "Ben", "Cy", "Dee", "Eve")
    table = full_table(names, wire.Settings("standard", (), 6, 5, 1, 4, MINUTE), seed=bytes(32))
    first, second = table.sitters[2], table.sitters[4]
    table.run(lambda: mine(first.core.state, first))
    kill(table, first)
    table.run(lambda: table.sitters[0].core.state.phase is Phase.REBUILD, 300)
    kill(table, second)
    table.run_game()
    expect_whole(table)
    assert len(table.sitters[0].core.state.gone) == 2


# ---- cheats ----------------------------------------------------------------------------------


def _spoiled(octets: bytes) -> bytes:
    return octets[:-1] + bytes([octets[-1] ^ 1])


@sliced(
    ("kind", "change", "check"),
    [
        (wire.Rebuild, lambda _, p: wire.Rebuild(_spoiled(p.contribution)), "proof"),
        (wire.Rebuild, lambda _, p: wire.Rebuild(p.contribution[1:]), "shape"),
        (wire.Blind, lambda _, p: wire.Blind(_spoiled(p.blinding)), "proof"),
        (wire.Blind, lambda _, p: wire.Blind(p.blinding[1:]), "shape"),
        (wire.Unblind, lambda _, p: wire.Unblind(p.tokens, _spoiled(p.proof)), "proof"),
        (wire.Unblind, lambda _, p: wire.Unblind(p.tokens[33:], p.proof), "shape"),
    ],
    2,
)
def test_cheats_at_the_rebuilding_are_found(kind, change, check: str) -> None:
    """A part that keeps or doubles a tile, a factor that is two, a wrong share."""
    table = SimTable(offer(MINUTE, 1), bytes([1]) * 32)
    for number, name in enumerate(NAMES):
        sitter = table.seat(name, core_class=Mallory, start_at=4 if number == 0 else None)
        sitter.core.bend = when(kind, change) if name == "Dee" else None
    victim = table.sitters[2]
    table.run(lambda: mine(victim.core.state, victim))
    kill(table, victim)
    honest = table.sitters[:2]
    table.run(lambda: all(sitter.faults() for sitter in honest), 600)
    for sitter in honest:
        (fault,) = sitter.faults()
        assert fault.check == check, fault.sentence
        assert fault.name.startswith("Dee (")
        verdict = verify_record(sitter.evidence[fault.evidence], expand(bytes(32), "verify"))
        assert verdict.ok, verdict.sentence


# ---- farewell -------------------------------------------------------------------------------

VOTE = ("patience=vote",)


def say_farewell(table: SimTable, who: Sitter) -> None:
    """Somebody leaves for good, and their process ends once the word is out."""
    table.act(who, leave_for_good)
    table.later(0.1, lambda: kill(table, who))


def test_who_says_farewell_is_waited_for_by_nobody() -> None:
    """Where only votes give anybody up, a farewell is as good as everybody's."""
    table = new_table(VOTE, rounds=1)
    victim = table.sitters[2]
    table.run(lambda: mine(victim.core.state, victim))
    begun = table.now
    say_farewell(table, victim)
    ann = table.sitters[0].core
    table.run(lambda: bool(ann.state.gone))
    assert table.now - begun < 5
    table.run_game()
    expect_whole(table)
    assert notices.SaidFarewell("Cy") in table.sitters[0].told


def test_who_did_not_hear_the_farewell_follows() -> None:
    """A seat without a link to the leaver is shown the farewell by the others."""
    table = new_table(VOTE, rounds=1)
    victim, ann = table.sitters[2], table.sitters[0]
    table.run(lambda: mine(victim.core.state, victim))
    table.cut.add(frozenset((victim.core.key, ann.core.key)))
    table.disconnect(victim, ann)
    say_farewell(table, victim)
    table.run_game()
    expect_whole(table)
    assert ann.told.count(notices.SaidFarewell("Cy")) == 1


def test_a_farewell_is_for_good() -> None:
    """Who links again a moment later has left; nothing it says takes that back."""
    table = new_table((*VOTE, "latecomers=watch"))
    victim = table.sitters[2]
    table.run(lambda: victim.core.state.phase is Phase.PLAY and not mine(victim.core.state, victim))
    table.act(victim, leave_for_good)
    table.later(0.01, lambda: kill(table, victim))
    table.later(0.02, lambda: [revive(table, victim), link_all(table)])
    table.run_game()
    expect_whole(table)
    state = table.sitters[0].core.state
    assert state.gone == {state.seat_of(victim.core.key)}


def test_who_has_left_gets_its_seat_back_with_the_next_round() -> None:
    """By asking for it, as anybody who comes late."""
    table = new_table(VOTE, rounds=3)
    victim, ann = table.sitters[2], table.sitters[0]
    table.run(lambda: mine(victim.core.state, victim))
    say_farewell(table, victim)
    table.run(lambda: bool(ann.core.state.gone) and not victim.alive)
    revive(table, victim)
    link_all(table)
    table.run_game()
    expect_whole(table)
    assert not ann.core.state.gone
    last = ann.core.ledger.steps[-1]
    assert ann.core.state.seat_of(victim.core.key) in {entry.seat for entry in last}


def test_a_farewell_from_who_has_no_seat_means_nothing() -> None:
    """A watcher's goodbye takes no seat away."""
    table = new_table(VOTE, rounds=1)
    table.run(lambda: table.sitters[0].core.state.phase is Phase.PLAY)
    zoe = table.seat("Zoe", watches=True)
    table.run(lambda: zoe.core.state.phase is Phase.PLAY)
    say_farewell(table, zoe)
    table.run_game()
    assert not table.sitters[0].core.state.gone
