"""Odds at tables small enough to count by hand."""

from types import MappingProxyType

import pytest
from msgspec.structs import replace

from engine.bots.effort import Effort
from engine.bots.odds import Likelihood, table_odds
from engine.knowledge import Knowledge
from engine.table.table import Ending, Hand, Outcome, PlayOver
from engine.table.trains import HUB, End, Position, Seat, TrainId
from engine.table.turn import InPlay
from engine.tiles import SET_BITS, make_tile, tile_bits
from engine.view import SeatView
from lab.rounds.seeds import seeded
from tests.engine.deals import PIP_BITS, dealt, spec_of

OWN, BEN, CY = Seat(0), Seat(1), Seat(2)


def view_of(own, hidden, held, ends, lacks=None, marked=()):
    """Return one seat's view of a table of three, where it has not seen the `hidden` tiles.

    `own` is its hand, and `held` tells how many hidden tiles Ben and Cy hold; the boneyard has the
    rest. `ends` are the open pips by train, the own train first. `lacks` maps the index of a hidden
    position to the tiles it cannot have, and `marked` lists the trains with a marker.
    """
    table, _ = dealt(spec_of(9, 3))
    mine = tuple((Position(at), make_tile(*tile)) for at, tile in enumerate(own))
    rest = [Position(100 + at) for at in range(len(hidden))]
    first, second = held
    unseen = tile_bits((*(tile for _, tile in mine), *(make_tile(*tile) for tile in hidden)))
    trains = tuple(
        replace(train, ends=(End(train.id, HUB, pip),), marker=train.id in marked)
        for train, pip in zip(table.trains, ends, strict=True)
    )
    hands = (tuple(at for at, _ in mine), tuple(rest[:first]), tuple(rest[first : first + second]))
    table = replace(
        table,
        now=InPlay(),
        turns=9,
        trains=trains,
        hands=hands,
        boneyard=tuple(rest[first + second :]),
        seen=SET_BITS[9] & ~unseen,
        to_move=OWN,
    )
    known = Knowledge(
        MappingProxyType({Position(100 + at): bits for at, bits in (lacks or {}).items()})
    )
    return SeatView(table, OWN, Hand(OWN, mine), known)


def odds_of(view, **changes):
    """Return the odds by train, as a dict, and the whole result of `table_odds`."""
    odds = table_odds(view, seeded(b"odds"), **changes)
    return {end.train: end for end in odds.ends}, odds


HIDDEN = ((1, 2), (3, 4), (4, 6), (7, 8))
"""Four hidden tiles, two of which have a 4."""


def test_one_tile_in_a_hand_is_a_share_of_all_that_is_hidden():
    """Odds are the share of possible hands that contain a tile that fits.

    Two of the four hidden tiles fit, and five of their six pairs contain one that fits. Ben holds
    one hidden tile, Cy two, and the boneyard has one.
    """
    ends, odds = odds_of(view_of([(5, 9)], HIDDEN, (1, 2), (9, 4, 4, 4)))
    mexican = ends[TrainId(-1)]
    assert mexican.seats == {BEN: Likelihood(0.5, True), CY: Likelihood(pytest.approx(5 / 6), True)}
    assert mexican.next_tile == Likelihood(0.5, True)
    assert odds.next_fits == Likelihood(0.5, True)


def test_what_a_pass_has_proved_counts():
    """A pass proves that Ben has no 4, which lowers his chance and raises Cy's."""
    lacks = {0: PIP_BITS[4]}
    ends, odds = odds_of(view_of([(5, 9)], HIDDEN, (1, 2), (9, 1, 4, 4), lacks))
    mexican, own = ends[TrainId(-1)], ends[TrainId(BEN)]
    assert mexican.seats[BEN] == Likelihood(0.0, True)
    # Ben has 1-2 or 7-8, and Cy two of the other three, at least one of them with a 4
    assert mexican.seats[CY] == Likelihood(1.0, True)
    assert own.seats[BEN] == Likelihood(0.5, True)
    assert mexican.next_tile == Likelihood(pytest.approx(2 / 3), True)
    assert odds.next_fits == mexican.next_tile


def test_a_private_train_is_closed_to_others_and_a_marked_one_is_not():
    """A seat has no odds at a train closed to it; a marked train is open to all."""
    view = view_of([(5, 9)], HIDDEN, (1, 2), (9, 4, 4, 4), marked=(CY,))
    ends, _ = odds_of(view)
    assert ends[TrainId(OWN)].seats == {BEN: None, CY: None}
    assert ends[TrainId(BEN)].seats[CY] is None
    assert ends[TrainId(CY)].seats[BEN] == Likelihood(0.5, True)


def test_what_has_no_time_to_be_counted_is_estimated_and_says_so():
    """Without time to count, odds are close to the exact ones and are marked as estimates."""
    view = view_of([(5, 9)], HIDDEN, (1, 2), (9, 4, 4, 4))
    ends, odds = odds_of(view, effort=Effort(is_stopped=lambda: True))
    found = ends[TrainId(-1)].seats
    assert not any(each.is_exact for each in (*found.values(), odds.next_fits))
    assert found[BEN].likely == pytest.approx(0.5, abs=0.1)
    assert found[CY].likely == pytest.approx(5 / 6, abs=0.1)


def test_too_many_ways_are_estimated():
    """Odds are estimated if there are too many states to count.

    Ten positions that each lack a different tile make 1,024 states.
    """
    hidden = (*((0, pip) for pip in range(10)), (1, 2))
    lacks = {at: tile_bits((make_tile(0, at),)) for at in range(10)}
    ends, _ = odds_of(view_of([(5, 9)], hidden, (5, 5), (9, 4, 4, 4), lacks))
    assert not ends[TrainId(-1)].seats[BEN].is_exact


def test_a_tile_that_has_just_been_drawn_is_not_known_yet():
    """Until the others have given their reveal tokens, a drawn tile is one of the hidden tiles."""
    view = view_of([(5, 9), (0, 9)], HIDDEN, (1, 2), (9, 4, 4, 4))
    hand = Hand(OWN, view.hand.tiles[:1])
    ends, _ = odds_of(SeatView(view.table, OWN, hand))
    assert ends[TrainId(-1)].seats[BEN] == Likelihood(pytest.approx(2 / 5), True)


def test_there_are_no_odds_when_nobody_plays():
    """There are no odds without a hand, after the last turn, or with more tiles than positions."""
    view = view_of([(5, 9)], HIDDEN, (1, 2), (9, 4, 4, 4))
    assert table_odds(SeatView(view.table, None, None), seeded(b"")) is None
    over = replace(view.table, now=PlayOver(Outcome(Ending.BLOCKED, None)))
    assert table_odds(SeatView(over, OWN, view.hand), seeded(b"")) is None
    fewer = replace(view.table, boneyard=())
    assert table_odds(SeatView(fewer, OWN, view.hand), seeded(b"")) is None
