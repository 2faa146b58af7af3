"""What a seat that leaves scores, and what comes of its round. [docs/rules.md §7.11]"""

from engine.play.apply import score_round
from engine.play.judge import why_illegal
from engine.play.leavers import leave, void_round
from engine.rules.choose import RuleSet
from engine.rules.switches import BlockedWinner
from engine.scoring import round_scores, winners
from engine.struct import replace
from engine.table.moves import LayTile
from engine.table.rounds import next_round, round_winner
from engine.table.table import Ending, Outcome, PlayOver, RoundPhase
from engine.table.trains import TrainId
from engine.table.turn import GameMemory
from engine.tiles import Tile
from lab.rounds.breaches import status
from tests.engine.play.small_tables import ANN, BOB, CY, lay, mixed, opened, table_of


def test_when_one_seat_is_left_the_round_and_the_game_are_over():
    """Nobody plays alone: the round is scored, and who stayed has won whatever it holds."""
    table = lay(table_of(5, 5, 5, boneyard=0), 1, 6)
    over = leave(table, [BOB, CY])
    assert over.phase is RoundPhase.OVER
    assert over.outcome.ending is Ending.LEFT
    scored, events = score_round(over, [[Tile(5, 5)] * 4, [], []])
    assert scored.phase is RoundPhase.FINISHED
    assert events[-1].winners == (ANN,)


def test_who_leaves_forfeits_the_heaviest_unseen_tiles():
    """Of what nobody has seen, Bob's five are 5-5, 6-4, 5-4, 6-3, 4-4 at their worst."""
    table = leave(lay(table_of(5, 5, 5, boneyard=0), 5, 6), [BOB])
    assert table.game.forfeits == ((BOB, 10 + 10 + 9 + 9 + 8),)


def test_a_round_that_is_given_up_is_dealt_again():
    """Nobody scores; the double and the lead are the same, and who left gets no tiles."""
    table = lay(table_of(5, 5, 5, boneyard=7, first=BOB), 1, 6)
    void = void_round(table, [CY])
    assert void.phase is RoundPhase.SCORED
    assert void.outcome.ending is Ending.VOID
    assert void.past == ()
    again = next_round(void)
    assert (again.round_number, again.hub, again.to_move) == (0, Tile(6, 6), BOB)
    hand = again.spec.hand
    assert [len(held) for held in again.hands] == [hand, hand, 0]
    assert len(again.boneyard) == 27 - 2 * hand
    assert again.game.forfeits[0][0] == CY
    assert status(void) == status(again) == ()


def test_in_the_next_round_who_left_has_no_train():
    """Nobody begins the train of a seat that was gone before the deal, marker or no marker."""
    table, _ = mixed(leave(opened(2, 5, 5, boneyard=4), [BOB]))
    table, _ = score_round(lay(table, 0, 5), [[], [], [Tile(1, 1)] * 4])
    table = next_round(table)
    assert (table.round_number, table.hub, table.to_move) == (1, Tile(5, 5), CY)
    table = lay(lay(table, 1, 5), 2, 5)
    refusal = why_illegal(table, LayTile(CY, table.hands[CY][0], Tile(3, 5), TrainId(BOB), -1, 5))
    assert refusal.code.value == "train-closed"


def test_who_leaves_scores_the_forfeit_once_and_then_nothing():
    """Bob scores the four heaviest tiles in the round he left, then 0, and never wins."""
    table, _ = mixed(leave(opened(2, 5, 5, boneyard=4), [BOB]))
    table, _ = score_round(lay(table, 0, 5), [[], [], [Tile(1, 1)] * 4])
    assert table.past == ((0, 11 + 10 + 10 + 9, 8),)
    table = next_round(table)
    assert table.game.forfeits == ()
    table = leave_all_hands(table)
    table, events = score_round(table, [[Tile(4, 4)], [], [Tile(4, 4)]])
    assert table.past[1] == (8, 0, 8)
    assert round_winner(table) == ANN
    assert events[-1].winners == (ANN,)


def leave_all_hands(table):
    """The round blocked, with one tile in each hand that there is."""
    outcome = Outcome(Ending.BLOCKED, None)
    hands = tuple(held[:1] for held in table.hands)
    return replace(table, now=PlayOver(outcome), hands=hands)


def test_what_is_forfeited_in_a_round_given_up_is_scored_when_it_is_dealt_again():
    """A round that is dealt again is the same round: leaving it costs the same."""
    table = next_round(void_round(opened(5, 5, 5), [BOB]))
    ((seat, points),) = table.game.forfeits
    table, _ = score_round(leave_all_hands(table), [[Tile(0, 1)], [], [Tile(0, 2)]])
    assert seat == BOB
    assert table.past == ((1, points, 2),)


def test_a_blocked_round_gives_nothing_for_having_left():
    """§7.3: the lowest hand of those who are left scores 0 under `blocked-winner=zero`."""
    zero = RuleSet(blocked_winner=BlockedWinner.ZERO)
    hands = [[Tile(1, 2)], [], [Tile(4, 4)]]
    assert round_scores(zero, Outcome(Ending.BLOCKED, None), hands, GameMemory(gone=0b010)) == (
        0,
        0,
        8,
    )


def test_between_rounds_a_seat_leaves_without_a_forfeit():
    """A scored round stays scored, and a finished game stays as it is."""
    over = leave_all_hands(opened(5, 5, 5))
    scored, _ = score_round(over, [[Tile(1, 1)], [Tile(2, 2)], [Tile(3, 3)]])
    after = leave(scored, [ANN])
    assert (after.phase, after.past) == (RoundPhase.SCORED, scored.past)
    assert next_round(after).game.forfeits == ()
    assert winners(after) == (BOB,)
    finished = leave(after, [BOB])
    assert (finished.phase, winners(finished)) == (RoundPhase.FINISHED, (CY,))
    assert leave(finished, [CY]) == finished


def test_who_leaves_before_its_hand_is_opened_forfeits():
    """The round is over and Cy will not show: it scores as if it had left before the end."""
    over = leave(leave_all_hands(opened(5, 5, 5)), [CY])
    assert over.phase is RoundPhase.OVER
    scored, _ = score_round(over, [[Tile(1, 1)], [Tile(2, 2)], []])
    assert scored.past == ((2, 4, 11),)
