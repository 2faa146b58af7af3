"""Seats that never come back: missed by more than half, and the game goes on without them."""

from itertools import product

from engine.play.judge import unseen_tiles
from netgame.protocol import notices
from netgame.protocol.fold.phases import Phase
from netgame.protocol.peer.parts import leave_for_good
from netgame.wire import messages as wire
from tests.netgame.protocol.happenings import apart, go_on, say_farewell, until_turn
from tests.netgame.simtable import kill, link_all, revive
from tests.netgame.small_games import MINUTE, expect_whole, kinds_of, mine, new_table, playing
from tests.sliced import sliced

REDEAL = ("patience=minute", "leaver=redeal")


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
    held = sum(len(hand) for hand in state.table.hands)
    assert state.table.hands[state.seat_of(victim.core.key)] == ()
    assert len(state.table.boneyard) == len(unseen_tiles(state.table)) - held
    for sitter in table.sitters:
        if sitter.alive and sitter.core.state.step == state.step:
            assert sitter.core.view().hand == before[sitter.core.place.name]
    table.run_game()
    expect_whole(table)
    assert {wire.Rebuild} in kinds_of(table)
    assert len(ann.told_of(notices.Reshuffled)) == 1


def test_a_round_dealt_again_keeps_the_scores() -> None:
    """The second round is thrown away, the first one stands."""
    table = new_table(REDEAL)
    victim, ann = table.sitters[2], table.sitters[0]
    table.run(lambda: playing(table, 1) and mine(victim.core.state, victim))
    past = ann.core.state.table.past
    kill(table, victim)
    table.run_game()
    expect_whole(table)
    assert ann.core.state.table.past[: len(past)] == past
    assert {wire.Rebuild} not in kinds_of(table)


def test_a_wish_lapses_for_who_is_back_before_the_table_waits() -> None:
    """A player whose link was down in others' turns has time to think when it is their turn."""
    table = new_table(("patience=vote",), seed=4)
    victim, asks = table.sitters[2], table.sitters[0]
    until_turn(table, asks)
    apart(table, [victim], [asks])
    go_on(table, [asks], victim)
    assert asks.core.parts.polls.wishes.wanted
    table.cut.clear()
    link_all(table)
    until_turn(table, victim)
    assert not asks.core.parts.polls.wishes.wanted
    table.run_game()
    assert not any(sitter.core.state.gone for sitter in table.sitters)
    expect_whole(table)


# ---- cheats ----------------------------------------------------------------------------------


# ---- farewell -------------------------------------------------------------------------------

VOTE = ("patience=vote",)


def test_who_did_not_hear_the_farewell_follows() -> None:
    """A seat without a link to the leaver is shown the farewell by the others."""
    table = new_table(VOTE, rounds=1)
    victim, ann = table.sitters[2], table.sitters[0]
    until_turn(table, victim)
    apart(table, [victim], [ann])
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


def test_a_farewell_from_who_has_no_seat_means_nothing() -> None:
    """A watcher's goodbye takes no seat away."""
    table = new_table(VOTE, rounds=1)
    table.run(lambda: table.sitters[0].core.state.phase is Phase.PLAY)
    zoe = table.seat("Zoe", watches=True)
    table.run(lambda: zoe.core.state.phase is Phase.PLAY)
    say_farewell(table, zoe)
    table.run_game()
    assert not table.sitters[0].core.state.gone
