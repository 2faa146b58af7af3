"""Search under branches, partners and every switch, after a seat has left, and with foresight."""

from itertools import count

import pytest
from msgspec.structs import replace

from engine.bots.effort import Effort
from engine.bots.house import choose
from engine.bots.search import OPTIONS_MAX, Foresight, foresee, is_weighable, search, weigh
from engine.play.apply import apply
from engine.play.leavers import leave, rebuilt
from engine.rules.choose import RULE_SETS, parse_rules
from engine.rules.ruleset import SWITCHES, RuleSet
from engine.rules.spec import TableSpec, make_spec
from engine.table.moves import LayTile
from engine.table.rounds import start_game
from engine.table.table import Hand
from engine.table.trains import HUB, End, Laid, Position, Seat, TrainId
from engine.table.turn import InPlay, OpeningAll
from engine.tiles import SET_BITS, Tile, tile_bits
from engine.view import SeatView
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import deal, hand_of
from tests.engine.deals import COMPANIONS, played

RULES = {
    "wolf-lake": RULE_SETS["wolf-lake"],
    "masters-of-games": RULE_SETS["masters-of-games"],
    "partners": parse_rules("standard", {"partners": "yes"}),
}
ROLLOUTS = 160

OWN = (Tile(0, 9), Tile(0, 1), Tile(9, 11))
OTHERS = (Tile(5, 7), Tile(5, 8), Tile(5, 10))


def last_turn(rules):
    """Return the view of a seat with three tiles; whatever it plays, the next seat goes out.

    The seat's own train ends in 9 and the other seats' trains in 5. Each tile of the others shows
    a 5.
    """
    spec = make_spec(rules, 12, 4, 1)
    table = start_game(spec, Seat(0))
    inner = (Tile(9, 12), Tile(3, 12), Tile(4, 12), Tile(6, 12))
    outer = (None, Tile(3, 5), Tile(4, 5), Tile(5, 6))
    trains = list(table.trains)
    positions = map(Position, count(40))
    for seat in range(4):
        lays = [Laid(inner[seat], 12, HUB, Seat(seat), next(positions))]
        if outer[seat] is not None:
            lays.append(Laid(outer[seat], lays[0].end, 0, Seat(seat), next(positions)))
        ends = (End(TrainId(seat), len(lays) - 1, lays[-1].end),)
        trains[seat] = replace(trains[seat], lays=tuple(lays), ends=ends)
    trains[4] = replace(trains[4], ends=(End(TrainId(-1), HUB, 12),))
    hands = tuple(tuple(map(Position, held)) for held in ((0, 1, 2), (4,), (5,), (6,)))
    table = replace(
        table,
        hub=Tile(12, 12),
        trains=tuple(trains),
        hands=hands,
        boneyard=(),
        to_move=Seat(0),
        now=InPlay(),
        turns=4,
        seen=SET_BITS[12] & ~tile_bits(OWN + OTHERS),
    )
    return SeatView(table, Seat(0), Hand(Seat(0), tuple(zip(hands[0], OWN, strict=True))))


@pytest.mark.parametrize("rules", RULES)
def test_search_sheds_the_heavy_tile_when_the_next_seat_is_out(rules):
    """Search lays its tile of 20 pips; the house bot would keep it and lay two lighter tiles."""
    view = last_turn(RULES[rules])
    assert choose(view, seeded(b"house")).tile == Tile(0, 9)
    assert search(view, seeded(b"heavy"), ROLLOUTS).move.tile == Tile(9, 11)
    heavy, light = (
        next(move for move in view.legal if move.tile == tile) for tile in (Tile(9, 11), Tile(0, 9))
    )
    weighed = weigh(view, (heavy, light), seeded(b"weigh"), 5)
    assert min(end.worth for end in weighed[0]) > max(end.worth for end in weighed[1])


def before_last_turn():
    """Return the views of one seat before and after the move that leads to `last_turn`."""
    view = last_turn(RULE_SETS["standard"])
    hands = (*view.table.hands[:3], (Position(6), Position(7)))
    seen = view.table.seen & ~tile_bits((Tile(5, 11),))
    table = replace(view.table, to_move=Seat(3), turns=7, hands=hands, seen=seen)
    lay = LayTile(Seat(3), Position(6), Tile(5, 10), TrainId(3), 1, 5)
    after, _ = apply(table, lay)
    return replace(view, table=table), replace(view, table=after)


def test_what_was_foreseen_decides_where_there_is_no_time():
    """Without time, foresight of the position finds the move that the policy misses."""
    before, now = before_last_turn()
    foresight, effort = Foresight(), Effort(ROLLOUTS)
    foresee(before, seeded(b"foresee"), effort, foresight)
    assert ROLLOUTS <= foresight.tried == effort.spent < ROLLOUTS + OPTIONS_MAX
    assert search(now, seeded(b"late"), ROLLOUTS, Effort(0)).move.tile == Tile(0, 9)
    assert search(now, seeded(b"late"), ROLLOUTS, Effort(0), foresight).move.tile == Tile(9, 11)
    assert search(now, seeded(b"late"), ROLLOUTS, Effort(), Foresight()).move.tile == Tile(9, 11)


def test_nothing_is_foreseen_without_time_or_a_hand():
    """Foresight does nothing if it is stopped, if there is no hand, or while all open at once."""
    before, _ = before_last_turn()
    foresight = Foresight()
    sharing = replace(before.table, now=OpeningAll())
    foresee(before, None, Effort(is_stopped=lambda: True), foresight)
    foresee(replace(before, hand=None), None, Effort(), foresight)
    foresee(replace(before, table=sharing), None, Effort(), foresight)
    assert foresight.tried == 0
    foresee(before, seeded(b"foresee"), Effort(1), foresight)
    assert foresight.tried


def test_search_goes_on_when_a_seat_has_left():
    """Search still works after a seat has left and its tiles are back in the boneyard."""
    spec = make_spec(RULE_SETS["standard"], 9, 3, 1)
    table = start_game(spec, Seat(0))
    tiles = deal(table, seeded(b"left"))
    table = leave(table, [Seat(2)])
    fresh = [Position(100 + at) for at in range(table.reshuffle.size)]
    table, _ = rebuilt(table, fresh)
    view = SeatView(table, table.to_move, hand_of(table, tiles, table.to_move))
    move = search(view, seeded(b"a"), 20).move
    assert move in view.legal
    assert is_weighable(view, move)


SINGLE = [
    (key, value)
    for key, switch in SWITCHES.items()
    for value in (each.value for each in switch)
    if key != "deal"
]


@pytest.mark.campaign
@pytest.mark.parametrize(("key", "value"), SINGLE)
def test_search_plays_every_switch_to_the_end(key, value):
    """Four seats that try two deals per move finish a round; `apply` asserts legality."""
    rules = parse_rules("standard", {**COMPANIONS.get((key, value), {}), key: value})
    assert isinstance(rules, RuleSet)
    spec = make_spec(rules, 9, 4, 1)
    assert isinstance(spec, TableSpec)

    def briefly(view, entropy):
        left = iter(range(2))
        effort = Effort(is_stopped=lambda: next(left, None) is None)
        return search(view, entropy, ROLLOUTS, effort).move

    assert played(spec, b"switch", briefly, informed=True)[1].table.outcome is not None
