"""Seats that never come back: more than half vote them out, and the game goes on."""

from itertools import product

import pytest

from engine.play.judge import unseen_tiles
from netgame.protocol import notices
from netgame.protocol.peer.parts import leave_for_good
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from tests.netgame.protocol.happenings import say_farewell, watching
from tests.netgame.simtable import kill, link_all, revive
from tests.netgame.small_games import MINUTE, end_whole, is_its_turn, kinds_of, new_table, playing
from tests.sliced import sliced

REDEAL = ("patience=minute", "leaver=redeal")


@sliced(("rounds", "phase"), product([1, 2], [Phase.OPEN, Phase.SCORE, Phase.AUDIT]), 2)
def test_the_end_of_a_round_asks_for_no_key_of_who_has_left(phase, rounds):
    """If a seat leaves at the end of a round, the round is not audited: nobody shows keys.

    The game goes on to its end, even if that round is the last.
    """
    table = new_table((*MINUTE, "audit=keys"), rounds=rounds)
    victim = table.sitters[2]
    table.until(victim, phase)
    kill(table, victim)
    end_whole(table)
    assert len([each for each in table.host.ledger.decisions if each.goes]) == 1
    audits = [kinds for kinds in kinds_of(table) if wire.Keys in kinds]
    assert len(audits) == rounds - 1, "only the round after it is audited"


def test_whose_tiles_go_back_is_told_and_to_nobody_who_comes_after_that():
    """Players read whose tiles go back to the boneyard, but a watcher who comes later does not.

    Nor does such a watcher read which seats have left.
    """
    table = new_table(MINUTE, rounds=1)
    victim, ann = table.sitters[2], table.host
    table.run(lambda: is_its_turn(victim))
    kill(table, victim)
    table.run(lambda: bool(ann.told_of(notices.Reshuffled)))
    assert ann.told_of(notices.Reshuffled) == [notices.Reshuffled(None, ("Cy",))]
    table.until(ann, Phase.PLAY)
    zoe = watching(table)
    assert not zoe.told_of(notices.Reshuffled | notices.SeatsLeft)


def test_a_rebuilt_deck_leaves_hands_as_they_were():
    """A rebuilt deck leaves the other hands as they were, and the leaver's tiles go back."""
    table = new_table(MINUTE, rounds=1)
    victim, ann = table.sitters[2], table.host
    table.run(lambda: is_its_turn(victim) and victim.state.table.turns > 3)
    kill(table, victim)
    table.until(ann, Phase.REBUILD)
    before = {s.name: s.view.hand for s in table.sitters if s.alive}
    table.until(ann, Phase.UNBLIND)
    table.run(lambda: ann.state.phase is not Phase.UNBLIND)
    state = ann.state
    held = sum(len(hand) for hand in state.table.hands)
    assert state.table.hands[state.seat_of(victim.key)] == ()
    assert len(state.table.boneyard) == len(unseen_tiles(state.table)) - held
    for sitter in table.sitters:
        if sitter.alive and sitter.state.step == state.step:
            assert sitter.view.hand == before[sitter.name]
    end_whole(table)
    assert {wire.Rebuild} in kinds_of(table)
    assert len(ann.told_of(notices.Reshuffled)) == 1


def test_a_round_dealt_again_keeps_the_scores():
    """A round dealt again keeps the scores of the rounds before it."""
    table = new_table(REDEAL)
    victim, ann = table.sitters[2], table.host
    table.run(lambda: playing(table, 1) and is_its_turn(victim))
    past = ann.state.table.past
    kill(table, victim)
    end_whole(table)
    assert ann.state.table.past[: len(past)] == past
    assert {wire.Rebuild} not in kinds_of(table)


# ---- farewell -------------------------------------------------------------------------------

VOTE = ("patience=vote",)


def test_a_farewell_is_for_good():
    """A farewell is final, even if the seat links again a moment later."""
    table = new_table((*VOTE, "latecomers=watch"))
    victim = table.sitters[2]
    table.run(lambda: victim.state.phase is Phase.PLAY and not is_its_turn(victim))
    table.act(victim, leave_for_good)
    table.later(0.01, lambda: kill(table, victim))
    table.later(0.02, lambda: [revive(table, victim), link_all(table)])
    end_whole(table)
    state = table.host.state
    assert state.gone == {state.seat_of(victim.key)}


def test_a_farewell_from_who_has_no_seat_or_when_all_is_over_means_nothing():
    """A farewell has no effect if a watcher sends it, or if the game is over."""
    table = new_table(VOTE, rounds=1)
    table.until(table.host, Phase.PLAY)
    zoe = table.seat("Zoe", watches=True)
    table.until(zoe, Phase.PLAY)
    say_farewell(table, zoe)
    table.run_game()
    table.act(table.host, leave_for_good)
    assert not table.host.state.gone
    assert not tuple(table.host.ledger.poll.partings())


@pytest.mark.parametrize(
    ("phase", "told"), [(Phase.DEAL, False), (Phase.SHARES, True), (Phase.PLAY, True)]
)
def test_who_is_left_alone_is_told_of_no_round_again(phase, told):
    """A player left alone reads the result of each round once.

    If the others leave before the next round is played, the end of the game brings no further
    result; if they leave during that round, it brings the round's result.
    """
    table = new_table(VOTE, rounds=3)
    ann, ben, *others = table.sitters

    def go(*leavers):
        for each in leavers:
            table.act(each, leave_for_good)
        table.later(0.01, lambda: [kill(table, each) for each in leavers])

    if phase is Phase.DEAL:  # a seat that goes before the scores takes the next deal with it
        table.until(ann, Phase.OPEN)
        go(ben)
    table.run(lambda: bool(ann.told_of(notices.RoundOver)) and ann.state.phase is phase)
    go(*(each for each in (ben, *others) if each.alive))
    table.until(ann, Phase.OVER)
    (scored,), (over,) = ann.told_of(notices.RoundOver), ann.told_of(notices.GameOver)
    assert scored.end is not None
    assert (over.end is not None) == told
    assert scored.end != over.end
