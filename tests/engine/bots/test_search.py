"""Searching bots move legally under all rules, and choose the same move for the same entropy."""

from engine.bots import search as searching
from engine.bots.effort import Effort
from engine.bots.levels import BotLevel
from engine.bots.search import OPTIONS_MAX, is_weighable, search, weigh
from engine.rules.choose import RULE_SETS
from engine.rules.spec import make_spec
from engine.table.moves import LayTile
from engine.table.table import Hand
from engine.view import SeatView
from lab.rounds.seeds import seeded
from tests.engine.deals import dealt, played, spec_of
from tests.sliced import sliced


def briefly(view, entropy):
    """Return the move that a search of only ten trials chooses."""
    return search(view, entropy, 10).move


@sliced("preset", RULE_SETS, 5)
def test_search_plays_every_preset_to_the_end(preset):
    """Four searching seats finish a round; `apply` asserts that each move is legal."""
    spec = make_spec(RULE_SETS[preset], None, 4, 1)
    assert played(spec, b"search", briefly, informed=True)[1].table.outcome is not None


def first_view(seed=b"view"):
    """Return the view of the seat that moves first in a fresh round."""
    table, tiles = dealt(spec_of(12, 4), seed)
    hand = Hand(table.to_move, tuple((at, tiles[at]) for at in table.hands[table.to_move]))
    return SeatView(table, table.to_move, hand)


def test_equal_octets_give_equal_moves():
    """The same entropy gives the same search result."""
    view = first_view()
    assert len(view.legal) > 1
    assert search(view, seeded(b"a"), 40) == search(view, seeded(b"a"), 40)


def test_who_may_not_think_plays_at_once():
    """A bot without time draws no deal, and still makes a legal move."""
    view, asked = first_view(), []
    move = BotLevel.EXPERT.choose(view, None, Effort(is_stopped=lambda: not asked.append(1)))
    assert move in view.legal
    assert asked


def test_thinking_ends_when_it_is_told_to():
    """A search ends when its effort is stopped from outside."""
    view, left = first_view(), iter([False] * 5)
    effort = Effort(is_stopped=lambda: next(left, True))
    assert isinstance(BotLevel.EXPERT.choose(view, seeded(b"stop"), effort), LayTile)
    assert effort.was_stopped
    assert 0 < effort.spent <= 5 * OPTIONS_MAX


def test_moves_are_weighed_over_the_same_deals():
    """A move weighed twice has the same worth in each deal."""
    view = first_view()
    first, second, *_ = view.legal
    assert all(is_weighable(view, move) for move in (first, second))
    weighed = weigh(view, (first, second, first), seeded(b"weigh"), 9)
    assert weighed[0] == weighed[2]
    assert [len(worths) for worths in weighed] == [9, 9, 9]
    assert weighed[0] != weighed[1]
    assert weigh(view, (first, second), seeded(b"weigh"), 9, Effort(0)) == ((), ())


def test_a_round_that_is_broken_off_counts_the_hands_as_they_are(monkeypatch):
    """If no further turns are played, only the pips that a move sheds count."""
    monkeypatch.setattr(searching, "FURTHER_TURNS", 0)
    view = first_view()
    found = search(view, seeded(b"at once"), 400)
    heaviest = sorted(
        {move.tile.pips for move in view.legal if isinstance(move, LayTile)}, reverse=True
    )
    assert found.move.tile.pips == heaviest[0]
    assert found.runner_up.tile.pips == heaviest[1]
