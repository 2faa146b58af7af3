"""Thinking gives the same result in one go and in pieces."""

from engine.bots.advice import advise
from engine.bots.effort import Effort
from engine.bots.levels import BotLevel
from engine.bots.odds import table_odds
from engine.bots.pieces import in_pieces, run_out
from engine.bots.search import Foresight, foresee, search
from engine.table.table import Hand
from engine.view import SeatView
from lab.rounds.seeds import seeded
from tests.engine.bots.test_search import first_view
from tests.engine.deals import dealt, spec_of


@in_pieces
def three(first):
    """Three pieces."""
    for number in range(3):
        yield
        first += number
    return first


def pieces_of(work):
    """Return how often a generator yields, and its result."""
    count = 0
    while True:
        try:
            next(work)
        except StopIteration as end:
            return count, end.value
        count += 1


def test_a_function_in_pieces_is_called_like_any_other():
    """A function in pieces can be called directly or stepped through, and keeps its docstring."""
    assert three(4) == 7
    assert pieces_of(three.pieces(4)) == (3, 7)
    assert run_out(three.pieces(4)) == 7
    assert three.__doc__ == "Three pieces."


def test_a_thought_stops_before_each_deal_and_comes_to_the_same():
    """Thinking in pieces pauses more than once, and gives the same result as in one go.

    This holds for a search, the choice of a move, advice and odds.
    """
    view = first_view()
    expert = BotLevel.EXPERT
    thoughts = (
        (search.pieces(view, seeded(b"a"), 40), search(view, seeded(b"a"), 40)),
        (expert.choosing(view, seeded(b"b")), expert.choose(view, seeded(b"b"))),
        (advise.pieces(view, seeded(b"c")), advise(view, seeded(b"c"))),
        (table_odds.pieces(view, seeded(b"d")), table_odds(view, seeded(b"d"))),
    )
    for pieces, result in thoughts:
        count, found = pieces_of(pieces)
        assert found == result
        assert count > 1


def test_what_others_do_meanwhile_is_foreseen_in_pieces():
    """Foresight pauses for each deal, and for each move tried in it.

    So it pauses more often than it tries moves.
    """
    table, tiles = dealt(spec_of(12, 4), b"view")
    other = next(seat for seat in table.present if seat != table.to_move)
    view = SeatView(table, other, Hand(other, tuple((at, tiles[at]) for at in table.hands[other])))
    foresight, effort = Foresight(), Effort(50)
    count, _ = pieces_of(foresee.pieces(view, seeded(b"e"), effort, foresight))
    assert 0 < effort.spent == foresight.tried < count
