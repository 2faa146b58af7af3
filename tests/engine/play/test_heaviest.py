"""The holder of the heaviest tile begins, and everybody learns where it is. [docs/rules.md §1.5]"""

import pytest
from msgspec.structs import replace

from engine.bots.deals import DealSource, HiddenTiles
from engine.knowledge import NOTHING_KNOWN
from engine.play.apply import apply
from engine.play.due import due_seats, due_together, in_step_order
from engine.play.judge import hidden_claim, why_illegal, why_illegal_holding
from engine.play.leavers import void_round
from engine.play.legal_moves import legal_moves
from engine.refusals import RefusalReason
from engine.rules.switches import First
from engine.table.events import TileDenied, TileShown, TurnBegan
from engine.table.moves import LayTile, NoDouble, Show
from engine.table.rounds import begin_round, next_round, start_game
from engine.table.table import Ending, Hand, Outcome, RoundPhase, Scored
from engine.table.trains import HUB, Position, Seat, TrainId
from engine.table.turn import SeekStep
from engine.tiles import TILE_BITS, Tile, full_set
from lab.rounds.any_move import choose_any
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import deal, hand_of
from tests.engine.deals import played, spec_of
from tests.engine.play.small_tables import ANN, BOB, CY, table_of

KINDS = ("heaviest-held", "heaviest-once")
HEAVIEST = Tile(5, 6)


def asked(*sizes, first="heaviest-held", **switches):
    """Return a table at which the heaviest tile is asked for."""
    table = table_of(*sizes, first_=first, **switches)
    assert table.now.step is SeekStep.HEAVIEST
    return table


def shown_by(table, seat, tile=HEAVIEST, at=0):
    """Return the table after the others have denied the tile and this seat has shown it."""
    for other in table.present:
        if other != seat:
            table, _ = apply(table, NoDouble(other))
    return apply(table, Show(seat, table.hands[seat][at], tile))[0]


def test_tiles_are_asked_for_by_their_pips_and_then_by_the_higher_half():
    """All dealt tiles are asked for, heaviest first; a double that is set aside is not."""
    order = [(tile.pips, tile.high) for tile in asked(2, 2).now.asked]
    assert order == sorted(order, reverse=True)
    assert len(order) == 27
    assert asked(2, 2).now.asked[:3] == (Tile(5, 6), Tile(4, 6), Tile(5, 5))
    dealt_double = asked(2, 2, engine="holder").now.asked
    assert set(dealt_double) == set(full_set(6))
    assert dealt_double[0] == Tile(6, 6)


def test_all_answer_together_and_who_shows_comes_last():
    """All seats answer at once, and the seat that shows the tile comes last.

    A denial claims that the hand lacks the tile; a showing claims nothing about hidden tiles.
    """
    table = asked(2, 2, 2)
    assert due_together(table)
    assert due_seats(table) == (ANN, BOB, CY)
    answers = in_step_order([Show(ANN, Position(0), HEAVIEST), NoDouble(BOB), NoDouble(CY)])
    assert [move.seat for move in answers] == [BOB, CY, ANN]
    assert hidden_claim(table, answers[0]) == (HEAVIEST,)
    assert hidden_claim(table, answers[2]) is None
    told = []
    for move in answers:
        table, events = apply(table, move)
        told += events
    assert told == [
        TileDenied(BOB, HEAVIEST),
        TileDenied(CY, HEAVIEST),
        TileShown(ANN, Position(0), HEAVIEST),
        TurnBegan(ANN),
    ]
    assert (table.phase, table.first, table.to_move) == (RoundPhase.PLAY, ANN, ANN)
    assert table.hub == Tile(6, 6)
    assert Position(0) in table.hands[ANN]


def test_nobody_has_it_so_the_next_one_is_asked_for():
    """After all seats have denied one tile, they are asked for the next."""
    table = asked(2, 2)
    for seat in (ANN, BOB):
        table, _ = apply(table, NoDouble(seat))
    assert table.now.asked_now == (Tile(4, 6),)
    assert due_seats(table) == (ANN, BOB)
    refusal = why_illegal(table, Show(BOB, table.hands[BOB][0], HEAVIEST))
    assert refusal.reason is RefusalReason.TILE_NOT_ASKED


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("engine", ["set-aside", "holder", "highest-held", "first-seat"])
def test_list_and_judge_agree_on_every_answer(first, engine):
    """Each seat has exactly one legal answer, to show the tile or to deny it, and it is listed.

    The seat with the heaviest tile then leads.
    """
    spec = spec_of(6, 3, first=first, engine=engine)
    for seed in range(6):
        table = start_game(spec, CY)
        tiles = deal(table, seeded(bytes([seed])))
        while table.phase is RoundPhase.ENGINE and table.now.step is SeekStep.HEAVIEST:
            answers = []
            for seat in due_seats(table):
                hand = hand_of(table, tiles, seat)
                tried = [
                    NoDouble(seat),
                    *(Show(seat, at, tile) for at in table.hands[seat] for tile in full_set(6)),
                ]
                good = [move for move in tried if why_illegal_holding(table, hand, move) is None]
                assert len(good) == 1
                assert tuple(good) == legal_moves(table, hand)
                answers += good
            for move in in_step_order(answers):
                table, _ = apply(table, move)
        held = {tiles[at]: seat for seat in range(3) for at in table.hands[seat]}
        best = max(held, key=lambda tile: (tile.pips, tile.high))
        assert (table.game.lead, table.to_move) == (held[best], held[best])


def test_who_keeps_the_tile_back_is_refused_by_the_hand():
    """Denying a tile in hand is refused when the hand is known, as in the audit."""
    table = asked(1, 1)
    hand = Hand(ANN, ((table.hands[ANN][0], HEAVIEST),))
    refusal = why_illegal_holding(table, hand, NoDouble(ANN))
    assert refusal.reason is RefusalReason.HEAVIEST_KEPT
    other = Hand(ANN, ((table.hands[ANN][0], Tile(1, 2)),))
    assert why_illegal_holding(table, other, NoDouble(ANN)) is None


def test_no_turn_begins_before():
    """No turn begins while the tile is asked for; once it is shown, nobody shows again."""
    table = asked(2, 2)
    lay = LayTile(ANN, table.hands[ANN][0], Tile(1, 6), TrainId(ANN), HUB, 6)
    assert why_illegal(table, lay).reason is RefusalReason.TURN_BEFORE_LEAD
    table = shown_by(table, BOB)
    again = why_illegal(table, Show(BOB, table.hands[BOB][0], HEAVIEST))
    assert again.reason is RefusalReason.NO_SHOWING


# ---- who leads ------------------------------------------------------------------------------


def test_each_round_asks_or_only_the_first():
    """Under `heaviest-once` only the first round asks; then the lead passes to the next seat."""
    for first, asks in (("heaviest-held", True), ("heaviest-once", False)):
        table = shown_by(asked(2, 2, 2, first=first), BOB)
        assert First(first).asks_heaviest(1) is asks
        over = replace(table, now=Scored(Outcome(Ending.OUT, ANN)), past=((0, 0, 0),))
        following = next_round(over)
        assert (following.phase is RoundPhase.ENGINE) is asks
        if not asks:
            assert (following.first, following.to_move) == (CY, CY)


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("is_shown", [False, True])
def test_a_first_round_that_is_dealt_again_is_asked_for_again(first, is_shown):
    """If Cy leaves during or after the question, the others are asked again after a new deal."""
    table = asked(2, 2, 2, first=first)
    table = shown_by(table, CY) if is_shown else apply(table, NoDouble(CY))[0]
    void = void_round(table, [CY])
    assert void.game.forfeits == ((CY, 11 + 10),)
    again = next_round(void)
    assert (again.round_number, again.now.step) == (0, SeekStep.HEAVIEST)
    assert due_seats(again) == (ANN, BOB)


def test_a_written_lead_asks_nobody():
    """If a written game names the seat that leads, nobody is asked for the heaviest tile."""
    spec = spec_of(6, 3, first="heaviest-held")
    table = begin_round(spec, 0, BOB, Tile(6, 6), past=(), led=True)
    assert (table.phase, table.to_move) == (RoundPhase.PLAY, BOB)


def test_hands_that_nobody_knows_may_deny_everything():
    """Unknown hands of a written game may deny every tile; then the round is called off."""
    table = asked(1, 1)
    for _ in range(27):
        for seat in (ANN, BOB):
            table, _ = apply(table, NoDouble(seat))
    assert table.is_called_off


# ---- what is known of the tile --------------------------------------------------------------


def test_it_is_laid_like_any_other_tile():
    """The shown tile is laid from its place in the hand like any other."""
    table = shown_by(asked(2, 2), ANN)
    at = table.hands[ANN][0]
    lay = LayTile(ANN, at, HEAVIEST, TrainId(ANN), HUB, 6)
    assert why_illegal(table, lay) is None
    assert at not in apply(table, lay)[0].hands[ANN]


def test_bots_deal_the_tile_to_its_place():
    """Every deal that a bot draws puts the shown tile at its known position."""
    table = asked(4, 4, 4)
    known = NOTHING_KNOWN
    for move in (NoDouble(ANN), NoDouble(CY), Show(BOB, table.hands[BOB][1], HEAVIEST)):
        known = known.after(table, move)
        table, _ = apply(table, move)
    own = Hand(ANN, tuple(zip(table.hands[ANN], full_set(6), strict=False)))
    hidden = HiddenTiles(table, own, known)
    source = DealSource(hidden, seeded(b"deals"))
    for _ in range(20):
        drawn = dict(zip(hidden.owners, source.draw(), strict=True))
        assert drawn[table.hands[BOB][1]] == HEAVIEST
    assert hidden.chance_at(table.hands[BOB], TILE_BITS[HEAVIEST]) == 1.0
    assert hidden.chance_at(table.hands[BOB][:1], TILE_BITS[HEAVIEST]) == 0.0


@pytest.mark.parametrize("first", KINDS)
def test_what_is_proved_and_shown_agrees_with_the_true_hands(first):
    """Nothing that is proved or shown in a whole round contradicts the true hands."""
    history, end = played(spec_of(6, 3, 1, first=first), b"true", choose_any, informed=True)
    known = NOTHING_KNOWN
    for table, move in history:
        if table.phase is RoundPhase.PLAY:
            for seat in range(3):
                own = hand_of(table, end.tiles, Seat(seat))
                hidden = HiddenTiles(table, own, known)
                for at, lacks in zip(hidden.owners, hidden.lacks, strict=True):
                    assert not lacks & TILE_BITS[end.tiles[at]]
        known = known.after(table, move)
