"""Bots play legally under all rules, announce their last tile, and score better than chance."""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from engine.bots.house import choose
from engine.bots.levels import LEVELS, BotLevel
from engine.rules.choose import RULE_SETS
from engine.rules.spec import make_spec
from engine.table.moves import Catch, DrawTile, LayTile, Tap
from engine.table.table import Hand
from engine.table.trains import MEXICAN, Seat, TrainId
from engine.tiles import Tile
from engine.view import SeatView
from lab.rounds.any_move import choose_any
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import play_open
from tests.engine.deals import dealt, spec_of
from tests.engine.play.small_tables import ANN, BOB, CY, holding, lay, marked, table_of


def share_of(strategy, other, games=10):
    """Return a seat's points, in so many games, divided by the mean points of three other seats.

    The three have another strategy.
    """
    seats = [strategy, *[other] * 3]
    games = [play_open(spec_of(9, 4, 2), bytes([at]), seats) for at in range(games)]
    rounds = [scores for table in games for scores in table.past]
    return 3 * sum(own for own, *_ in rounds) / sum(sum(others) for _, *others in rounds)


def test_the_house_bot_beats_chance():
    """The house bot has far fewer points than random seats."""
    assert share_of(choose, choose_any) < 0.75


def test_a_forced_move_needs_no_choice():
    """A draw or a lay that is the only legal move is chosen without any entropy."""
    table, _ = dealt(spec_of(12, 4))
    empty = SeatView(table, table.to_move, Hand(table.to_move, ()))
    one = SeatView(table, table.to_move, Hand(table.to_move, ((0, Tile(3, 12)),)))
    for strategy in (choose, choose_any):
        assert strategy(empty, None) == empty.legal[0]
        assert strategy(one, None) == one.legal[0]


def telling(*tiles, **switches):
    """Return the house bot's first move with this hand, at a double-six table."""
    table = table_of(len(tiles), 5, 5, **switches)
    return choose(SeatView(table, Seat(0), holding(table, *tiles)), seeded(b""))


@pytest.mark.parametrize(
    "switches", [{"last_tile": "before-play", "tap_penalty": "1"}, {"last_tile": "courtesy"}]
)
def test_a_bot_tells_of_its_last_tile_only_before_a_play_that_leaves_it(switches):
    """The bot announces only before a lay that leaves it one tile."""
    assert telling(Tile(1, 6), Tile(2, 3), **switches) == Tap(Seat(0))
    assert telling(Tile(1, 1), Tile(2, 3), **switches) == DrawTile(Seat(0))
    assert isinstance(telling(Tile(1, 6), Tile(2, 3), Tile(4, 4), **switches), LayTile)


def test_a_bot_tells_in_the_middle_of_its_first_train():
    """While it lays a whole train, the bot announces only before the tile that leaves it one."""
    switches = {"last_tile": "before-play", "tap_penalty": "1", "opening": "whole-train"}
    assert isinstance(telling(Tile(1, 6), Tile(1, 3), Tile(4, 4), **switches), LayTile)
    assert telling(Tile(1, 6), Tile(4, 4), **switches) == Tap(Seat(0))


def test_a_bot_with_one_tile_that_was_told_says_no_more():
    """Under `courtesy` a bot with one tile lays it; under `tap` it announces first."""
    assert isinstance(telling(Tile(1, 6), last_tile="courtesy"), LayTile)
    assert telling(Tile(1, 6), last_tile="tap", tap_penalty="1") == Tap(Seat(0))


def test_a_bot_out_of_turn_tells_of_its_own_tile_before_it_catches_another():
    """A bot out of turn announces its own last tile before it catches another."""
    table = table_of(5, 1, 1, last_tile="tap", tap_penalty="1")
    table = replace(table, memory=replace(table.memory, silent=1 << BOB | 1 << CY))
    view = SeatView(table, BOB, Hand(BOB, ((table.hands[BOB][0], Tile(1, 6)),)))
    assert isinstance(view.legal[0], Catch)
    assert choose(view, seeded(b"")) == Tap(BOB)


def laid(table, *tiles, train=None):
    """Return the tile and the train of the house bot's lay with these tiles.

    Each seat has begun its train, and Bob's train is marked.
    """
    for low in range(len(table.hands)):
        table = lay(table, low, 6, train)
    table = marked(table, BOB)
    move = choose(SeatView(table, ANN, holding(table, *tiles)), seeded(b""))
    return move.tile, move.train


def test_partners_plan_both_ends_of_their_train():
    """The bot lays 1-2 at its partner's end, where 1-5 can follow, not on Bob's open train."""
    table = table_of(3, 3, 3, 3, partners="yes")
    tiles = (Tile(1, 2), Tile(1, 5))
    assert laid(table, *tiles) == (Tile(1, 2), TrainId(CY))


def test_where_all_play_on_arms_no_train_is_planned():
    """With arms the bot lays the heaviest tile that fits, whatever could follow."""
    table = table_of(4, 4, 4, 4, mexican="4-arms")
    tiles = Tile(5, 6), Tile(1, 4), Tile(2, 5)
    assert laid(table, *tiles, train=MEXICAN) == (Tile(2, 5), MEXICAN)


@pytest.mark.parametrize(("other", "first"), [((0, 3), (4, 4)), ((2, 3), (2, 3))])
def test_a_wild_blank_covers_any_double(other, first):
    """A double that the hand can cover is laid first; otherwise the other tile is."""
    table = table_of(3, 3, 3, wild_blanks="yes")
    assert laid(table, Tile(4, 4), Tile(*other))[0] == first


def test_every_level_plays_every_preset():
    """`easy` and `normal` finish a round of each preset; `apply` asserts that moves are legal."""
    for preset in RULE_SETS:
        for level in [BotLevel.EASY, BotLevel.NORMAL]:
            spec = make_spec(RULE_SETS[preset], None, 4, 1)
            assert len(play_open(spec, b"levels", [level.choose] * 4).past) == 1


QUICK = ["easy", "casual", "steady", "normal"]


def test_levels_are_in_order():
    """The level names are in order. The arena measures `hard` and `expert`, which take long."""
    assert list(LEVELS) == [*QUICK, "hard", "expert"]
    assert [level for level in LEVELS if not LEVELS[level].thinks] == QUICK


@pytest.mark.parametrize(("worse", "better"), list(pairwise(QUICK)))
def test_each_quick_level_beats_the_one_below_it(worse, better):
    """A bot has fewer points than three bots of the level below its own."""
    assert share_of(LEVELS[better].choose, LEVELS[worse].choose, games=80) < 0.9
