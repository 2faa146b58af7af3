"""The public table: how a game begins and goes on, and what its own checks find."""

import pytest

from engine.struct import replace
from engine.table.rounds import round_deck, start_game, with_positions
from engine.table.table import RoundPhase, hub_double
from engine.table.trains import MEXICAN, End, Position, Seat, TrainId
from engine.tiles import Tile
from engine.view import SeatView
from lab.rounds.any_move import choose_any
from lab.rounds.breaches import status
from lab.rounds.whole_games import play_open
from tests.engine.deals import dealt, holder, spec_of
from tests.engine.play.small_tables import lay, table_of


def test_a_game_begins_as_dealt():
    """Seat i has positions i*h to i*h + h - 1, the boneyard the rest; the hub is set aside."""
    table = start_game(spec_of(12, 3), Seat(2))
    assert table.hands == tuple(tuple(range(at, at + 15)) for at in (0, 15, 30))
    assert table.boneyard == tuple(range(45, 90))
    assert (table.hub, table.to_move, table.phase) == (Tile(12, 12), 2, RoundPhase.PLAY)
    assert [train.id for train in table.trains] == [0, 1, 2, MEXICAN]
    assert all(
        train.ends == (End(train.id, -1, 12),) and not train.started for train in table.trains
    )


@pytest.mark.parametrize("pip_max", [6, 9, 12, 15, 18])
def test_each_round_has_the_next_lower_double(pip_max):
    """From the highest double to the double blank; the deck is the set without it."""
    spec = spec_of(pip_max, 13 if pip_max == 18 else 2)
    hubs = [hub_double(spec, number) for number in range(spec.rounds)]
    assert hubs == [(pip, pip) for pip in range(pip_max, -1, -1)]
    for number, hub in enumerate(hubs):
        deck = round_deck(spec, number)
        assert hub not in deck
        assert list(deck) == sorted(deck)


def test_whole_games_are_scored_round_by_round():
    """Thirteen rounds of random play: first seats rotate, scores are kept, somebody wins."""
    table = play_open(spec_of(12, 4), b"game", [choose_any] * 4)
    assert table.phase is RoundPhase.FINISHED
    assert len(table.past) == 13
    assert (table.first, table.hub) == (0, Tile(0, 0))
    assert status(table) == ()


def test_a_watcher_sees_no_hand_and_has_no_moves():
    """A view without a seat."""
    table, tiles = dealt(spec_of(6, 2))
    assert SeatView(table, None, None).legal == ()
    hand = holder(table, tiles)
    assert SeatView(table, hand.seat, hand).legal


def test_status_finds_what_is_broken():
    """Each breach is named."""
    table = lay(table_of(5, 5), 1, 6)
    first, *others, mexican = table.trains
    (laid,) = first.lays

    def with_first(**changes):
        return replace(table, trains=(replace(first, **changes), *others, mexican))

    broken = [
        replace(table, seen=table.seen << 1),
        replace(table, boneyard=table.boneyard[1:]),
        replace(table, boneyard=(*table.boneyard, table.boneyard[0])),
        replace(table, to_move=Seat(2)),
        replace(table, hands=table.hands[1:]),
        replace(table, trains=table.trains[1:]),
        with_first(ends=(End(first.id, 0, laid.joined),)),
        with_first(lays=(replace(laid, joined=5, tile=Tile(1, 2)),)),
        with_first(lays=(replace(laid, on=0),)),
        with_first(lays=(laid, replace(laid, on=0))),
        replace(table, trains=(first, *others, replace(mexican, marker=True))),
        replace(table, trains=(*table.trains, replace(mexican, id=TrainId(-3)))),
    ]
    assert status(table) == ()
    assert [status(bad) == () for bad in broken] == [False] * len(broken)


def test_a_hand_may_come_to_lie_at_new_positions():
    """As many tiles as before, at other places; everything else stays as it is."""
    table = start_game(spec_of(6, 3), Seat(0))
    mixed = tuple(Position(100 + at) for at in range(len(table.hands[1])))
    moved = with_positions(table, Seat(1), mixed)
    assert moved.hands == (table.hands[0], mixed, table.hands[2])
    assert replace(moved, hands=table.hands) == table
