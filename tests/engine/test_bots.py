"""Bots: honest, quick, and legal whatever the rules."""

import pytest

from engine.bots.house import choose
from engine.bots.levels import LEVELS, BotLevel
from engine.play.judge import why_illegal_holding
from engine.rules.choose import RULE_SETS
from engine.rules.spec import make_spec
from engine.table.moves import DrawTile, LayTile, Tap
from engine.table.table import Hand
from engine.table.trains import Seat
from engine.tiles import Tile
from engine.view import SeatView
from lab.rounds.any_move import choose_any
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import play_open, play_round
from tests.engine.deals import dealt, spec_of
from tests.engine.play.small_tables import holding, table_of


def test_a_bot_never_makes_an_illegal_move():
    """Whole rounds, every move judged with the bot's own hand."""
    for strategy in [choose, choose_any]:
        for seed in map(bytes, zip(range(12))):
            spec = spec_of(9, 4, marker_down="own-covered", branching="chicken-foot")
            table, tiles = dealt(spec, seed)
            history = []
            play_round(table, tiles, [strategy] * 4, seeded(seed), history)
            for before, move in history:
                held = tuple((at, tiles[at]) for at in before.hands[move.seat])
                assert why_illegal_holding(before, Hand(move.seat, held), move) is None


def test_the_house_bot_beats_chance():
    """Ten short games against three seats that play anything."""
    spec = spec_of(9, 4, 2)
    games = [
        play_open(spec, bytes([game]), [choose, choose_any, choose_any, choose_any])
        for game in range(10)
    ]
    own = sum(scores[0] for table in games for scores in table.past)
    others = sum(sum(scores[1:]) for table in games for scores in table.past) / 3
    assert own < 0.75 * others


def test_a_bot_depends_on_what_it_sees_and_its_octets_only():
    """Equal views and equal octets give equal choices."""
    table, tiles = dealt(spec_of(12, 4))
    hand = Hand(table.to_move, tuple((at, tiles[at]) for at in table.hands[0]))
    view = SeatView(table, table.to_move, hand)
    assert choose(view, seeded(b"a")) == choose(view, seeded(b"a"))


def test_a_forced_move_needs_no_choice():
    """Draw or pass, and the only lay."""
    table, _ = dealt(spec_of(12, 4))
    empty = SeatView(table, table.to_move, Hand(table.to_move, ()))
    one = SeatView(table, table.to_move, Hand(table.to_move, ((0, Tile(3, 12)),)))
    for strategy in (choose, choose_any):
        assert strategy(empty, None) == empty.legal[0]
        assert strategy(one, None) == one.legal[0]


def telling(*tiles, **switches):
    """What the house bot chooses first with this hand, on a double-six table."""
    table = table_of(len(tiles), 5, 5, **switches)
    return choose(SeatView(table, Seat(0), holding(table, *tiles)), seeded(b""))


@pytest.mark.parametrize(
    "switches", [{"last_tile": "before-play", "tap_penalty": "1"}, {"last_tile": "courtesy"}]
)
def test_a_bot_tells_of_its_last_tile_only_before_a_play_that_leaves_it(switches):
    """Of two tiles one can be laid; a draw leaves more, and so does a lay of one of three."""
    assert telling(Tile(1, 6), Tile(2, 3), **switches) == Tap(Seat(0))
    assert telling(Tile(1, 1), Tile(2, 3), **switches) == DrawTile(Seat(0))
    assert isinstance(telling(Tile(1, 6), Tile(2, 3), Tile(4, 4), **switches), LayTile)


def test_a_bot_tells_in_the_middle_of_its_first_train():
    """Of a whole train the tile that leaves one is known only when it is next."""
    switches = {"last_tile": "before-play", "tap_penalty": "1", "opening": "whole-train"}
    assert isinstance(telling(Tile(1, 6), Tile(1, 3), Tile(4, 4), **switches), LayTile)
    assert telling(Tile(1, 6), Tile(4, 4), **switches) == Tap(Seat(0))


def test_a_bot_with_one_tile_that_was_told_says_no_more():
    """By courtesy the tap came before; with a penalty it comes right after the lay."""
    assert isinstance(telling(Tile(1, 6), last_tile="courtesy"), LayTile)
    assert telling(Tile(1, 6), last_tile="tap", tap_penalty="1") == Tap(Seat(0))


def test_every_level_plays_every_preset():
    """A round to its end; `apply` asserts that each move was legal."""
    for preset in RULE_SETS:
        for level in [BotLevel.EASY, BotLevel.NORMAL]:
            spec = make_spec(RULE_SETS[preset], 12, 4, 1)
            assert len(play_open(spec, b"levels", [level.choose] * 4).past) == 1


def test_levels_are_in_order():
    """Ten short games of the house bot against three beginners; the words are in that order too."""
    spec = spec_of(9, 4, 2)
    easy, normal = BotLevel.EASY.choose, BotLevel.NORMAL.choose
    games = [play_open(spec, bytes([game]), [normal, easy, easy, easy]) for game in range(10)]
    own = sum(scores[0] for table in games for scores in table.past)
    others = sum(sum(scores[1:]) for table in games for scores in table.past) / 3
    assert own < 0.9 * others
    assert list(LEVELS) == ["easy", "casual", "steady", "normal", "hard", "expert"]
