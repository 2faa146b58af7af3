"""A review finds blunders from what was known at the time; bad luck is not a blunder."""

import pytest
from msgspec.structs import replace

from engine.bots.advice import advise
from engine.bots.effort import Effort
from engine.bots.house import choose
from engine.bots.margin import Gain, Margin, margin_over
from engine.bots.review import MoveReview, OwnMove, RoundReview, own_moves, review_move
from engine.bots.search import is_weighable, weigh
from engine.table.moves import LayTile
from engine.table.trains import Seat
from lab.rounds.seeds import seeded
from tests.engine.deals import played, spec_of


class Blunderer:
    """The house bot's strategy, except for one costly blunder: once, it plays its worst lay."""

    def __init__(self):
        self.made = None

    def __call__(self, view, entropy):
        """Return the usual move, or the worst lay the first time it is over 18 points worse."""
        usual = choose(view, entropy)
        lays = [move for move in view.legal if isinstance(move, LayTile)]
        if self.made is None and len(lays) > 2 and usual in lays:
            weighed = weigh(view, lays, seeded(b"worst"), 60)
            worths = [sum(end.worth for end in each) / 60 for each in weighed]
            worst = min(range(len(lays)), key=worths.__getitem__)
            if worths[lays.index(usual)] - worths[worst] > 18:
                self.made = lays[worst]
                return self.made
        return usual


def reviewable(seed, strategy):
    """Return the history and the true tiles of a round in which the first seat plays `strategy`."""
    history, end = played(spec_of(9, 3, 1), seed, strategy, choose, informed=True)
    return history, end.tiles


def reviewed(history, tiles):
    """Return the review of the first seat's moves."""
    moves = [*own_moves(history, tiles, Seat(0))]
    found = [review_move(own, seeded(bytes([at]))) for at, own in enumerate(moves)]
    return RoundReview(1, Seat(0), tuple(found), 0)


@pytest.mark.campaign
def test_a_planted_blunder_is_found():
    """A planted blunder is the costliest move of its round, and one of its moments."""
    for number in range(20):
        blunderer = Blunderer()
        history, tiles = reviewable(bytes([number]), blunderer)
        if blunderer.made is not None:
            break
    review = reviewed(history, tiles)
    dearest = max(review.choices, key=lambda each: each.cost)
    assert dearest.own.played == blunderer.made
    assert dearest.best != blunderer.made
    assert dearest.cost > 5
    assert dearest in review.moments
    assert review.cost >= dearest.cost


def test_only_what_was_known_then_counts():
    """Swapping tiles that the seat never held does not change its first `OwnMove`."""
    history, tiles = reviewable(b"known", choose)
    own = next(each for each in own_moves(history, tiles, Seat(0)) if each is not None)
    ever = {at for table, _ in history for at in table.hands[0]}
    others = [at for at in tiles if at not in ever][:2]
    swapped = {**tiles, others[0]: tiles[others[1]], others[1]: tiles[others[0]]}
    again = next(each for each in own_moves(history, swapped, Seat(0)) if each is not None)
    assert again == own


def test_a_hand_that_was_never_shown_is_not_made_up():
    """`own_moves` yields None for a move made while the hand had a tile that was never shown."""
    history, tiles = reviewable(b"unknown", choose)
    first = history[0][0].hands[0][-1]
    shown = {at: tile for at, tile in tiles.items() if at != first}
    found = [*own_moves(history, shown, Seat(0))]
    assert None in found
    assert len([each for each in found if each]) < len([*own_moves(history, tiles, Seat(0))])


def margin(points, noise=2.0):
    """Return a margin of `points` over an arbitrary move."""
    return Margin(LayTile(Seat(0), 0, (0, 0), 0, 0, 0), points, noise, Gain.HOLDS_LESS)


@pytest.mark.parametrize(
    ("points", "noise", "clear"), [(5, 2, True), (2, 5, False), (0.6, 0.1, False), (-5, 1, False)]
)
def test_what_luck_explains_costs_nothing(points, noise, clear):
    """A margin that is negative, within the noise or too small to notice costs nothing.

    The best move costs nothing either.
    """
    each = margin(points, noise)
    assert each.is_clear == clear
    own = OwnMove(1, None, "played")
    assert MoveReview(own, "better", each).cost == (points if clear else 0)
    assert MoveReview(own, "played", each).cost == 0


def test_three_moments_are_remembered_mistakes_first_in_their_order():
    """A review picks three moments: the costliest mistakes first, then the best moves found.

    They are listed in order of play.
    """
    own = [OwnMove(turn, None, "played") for turn in range(1, 7)]
    best = ["played", "played", "better", "played", "better", "played"]
    points = [9, 3, 4, 30, 8, 0]
    choices = tuple(
        MoveReview(each, move, margin(lead))
        for each, move, lead in zip(own, best, points, strict=True)
    )
    review = RoundReview(1, Seat(0), choices, 0)
    assert [each.own.turn for each in review.moments] == [3, 4, 5]
    assert review.cost == 12


def test_what_is_advised_or_called_as_good_costs_nothing():
    """The advised move costs nothing, and neither does its rival if the margin is not clear."""
    history, tiles = reviewable(b"advised", choose)
    costs = []
    for number, own in enumerate(each for each in own_moves(history, tiles, Seat(0)) if each):
        advice = advise(own.view, seeded(bytes([number])))
        free = [advice.move, *([] if advice.margin.is_clear else [advice.margin.rival])]
        for move in own.view.legal:
            if not is_weighable(own.view, move):
                continue
            weighed = review_move(replace(own, played=move), seeded(bytes([number])))
            if move in free:
                assert weighed.cost == 0
            else:
                costs.append(weighed.cost)
    assert max(costs) > 3


def test_there_is_no_margin_without_time():
    """Without time `margin_over` returns None; with time it returns the margin over the rival."""
    history, tiles = reviewable(b"margin", choose)
    own = next(each for each in own_moves(history, tiles, Seat(0)) if each is not None)
    rival = next(each for each in own.view.legal if each != own.played)
    assert margin_over(own.view, own.played, rival, seeded(b""), 30, Effort(0)) is None
    found = margin_over(own.view, own.played, rival, seeded(b""), 30)
    assert found.rival == rival
    assert found.noise > 0
