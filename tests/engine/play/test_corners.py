"""Rare combinations that neither published examples nor random play reach."""

import pytest
from msgspec.structs import replace

from engine.play.apply import apply
from engine.play.judge import why_illegal
from engine.play.legal_moves import legal_moves
from engine.play.turn_end import owe_opened
from engine.table.events import DoubleDead, RoundEnded, TurnBegan
from engine.table.moves import ChainLink, Done, DrawTile, LayChain, LayTile, Pass
from engine.table.rounds import begin_round
from engine.table.table import Ending, Hand, Owed, RoundPhase, hub_double
from engine.table.trains import HUB, Position, TrainId
from engine.table.turn import LastTurns, TurnStage
from engine.tiles import SET_BITS, TILE_BITS, Tile, tile_bits
from lab.rounds.seeds import seeded
from lab.rounds.whole_games import deal, hand_of
from lab.rounds.wrong_moves import is_as_listed
from tests.engine.deals import PIP_BITS, spec_of
from tests.engine.play.small_tables import ANN, BOB, CY, chain, holding, lay, marked, table_of

OWN = (TrainId(0), TrainId(1), TrainId(2))


def after(table, *steps):
    """Return the table and the last events after these lays.

    Each step gives seat, position, tile, train, on and joined.
    """
    for seat, at, tile, train, on, joined in steps:
        table, events = apply(table, LayTile(seat, Position(at), tile, train, on, joined))
    return table, events


def opened(*sizes, **switches):
    """Return a table of three with open ends 5, 4 and 3, and Ann to move."""
    table = table_of(*sizes, **switches)
    for low in (5, 4, 3):
        table = lay(table, low, 6)
    return table


# ---- doubles left by an opening ----


def test_a_double_that_died_during_the_opening_is_not_owed():
    """§3.5, §5.5: of two doubles at ends of chains, only the coverable one is owed."""
    table = table_of(3, 3, 3, opening="whole-train")
    table, _ = apply(table, chain(table, ANN, (1, 6), (1, 1)))
    table, _ = apply(table, chain(table, BOB, (2, 6), (2, 2)))
    table = replace(table, seen=table.seen | PIP_BITS[1] & SET_BITS[6])
    events = []
    owing = owe_opened(table, events)
    assert [owed.tile for owed in owing.owed] == [Tile(2, 2)]
    assert events[0] == DoubleDead(OWN[0], Tile(1, 1))


def test_a_delayed_chain_may_go_out_on_a_double():
    """§3.1, §7.1: a seat whose first chain is delayed may go out on a double, which is not owed."""
    table = replace(table_of(2, 3, 3, opening="delayed"), turns=3)
    move = chain(table, ANN, (1, 6), (1, 1))
    table, events = apply(table, move)
    assert (table.phase, table.owed) == (RoundPhase.OVER, ())
    assert RoundEnded(Ending.OUT, ANN) in events


# ---- several doubles at a time ----


def two_owed(first=Tile(5, 5), **switches):  # noqa: B008 - a tile is a value
    """Return a table on which `first` on Ann's train is owed, and then 4-4 on Bob's."""
    table = opened(6, 4, 4, **switches)
    ann, _ = after(table, (ANN, 1, first, OWN[0], 0, first.high))
    bob, _ = after(replace(table, to_move=BOB), (BOB, 7, Tile(4, 4), OWN[1], 0, 4))
    trains = (ann.trains[0], bob.trains[1], *table.trains[2:])
    owed = (Owed(OWN[0], 1, first), Owed(OWN[1], 1, Tile(4, 4)))
    hands = (ann.hands[0], bob.hands[1], table.hands[2])
    return replace(table, trains=trains, owed=owed, hands=hands, seen=ann.seen | bob.seen)


def test_a_dead_double_makes_an_older_one_as_good_as_laid_now():
    """§5.2, §5.9, §2.7: only under `last-played` may the extra tile after a dead 5-5 cover a 4-4.

    The 4-4 is owed from an earlier turn.
    """
    for order, turns in (("last-played", [OWN[0], OWN[1]]), ("first-played", [OWN[0]])):
        rules = {"cover": "anywhere-then-duty", "duty_order": order, "wild_blanks": "yes"}
        table = two_owed(Tile(0, 0), **rules)
        dead = SET_BITS[6] & (PIP_BITS[0] | PIP_BITS[5]) & ~TILE_BITS[Tile(5, 5)]
        table = replace(table, seen=table.seen | dead)
        table, events = after(table, (ANN, 2, Tile(5, 5), OWN[0], 1, 5))
        assert DoubleDead(OWN[0], Tile(5, 5)) in events
        assert (table.to_move, table.turn.stage) == (ANN, TurnStage.EXTRA)
        assert [train for train, _ in table.turn.doubles] == turns
        assert [owed.tile for owed in table.owed] == [Tile(4, 4)]


def test_a_second_double_is_not_covered_by_a_tile_drawn_in_the_turn():
    """§5.8: under `two-held` the cover must have been held before the turn's draw."""
    table = marked(opened(6, 4, 4, several="two-held"), BOB)
    table, _ = after(table, (ANN, 1, Tile(5, 5), OWN[0], 0, 5), (ANN, 2, Tile(4, 4), OWN[1], 0, 4))
    assert table.turn.stage is TurnStage.HELD
    hand = Hand(ANN, ((Position(3), Tile(2, 4)), (Position(4), Tile(1, 4))))
    assert [move.tile for move in legal_moves(table, hand)] == [Tile(1, 4), Tile(2, 4)]
    drew = replace(table, turn=replace(table.turn, drawn=(Position(3),)))
    assert [move.tile for move in legal_moves(drew, hand)] == [Tile(1, 4)]


@pytest.mark.parametrize("cover", ["on-double", "anywhere-then-duty"])
def test_a_dead_double_that_is_free_obliges_nobody_to_have_held_a_cover(cover):
    """§5.6, §5.8: after also laying a free dead double, Ann may still draw for the one she owes."""
    rules = {"several": "two-held", "marker_double": "free", "cover": cover}
    table = marked(marked(opened(6, 4, 4, **rules), BOB), ANN)
    dead = PIP_BITS[5] & SET_BITS[6] & ~TILE_BITS[Tile(5, 5)]
    table = replace(table, seen=table.seen | dead)
    table, _ = after(table, (ANN, 1, Tile(4, 4), OWN[1], 0, 4), (ANN, 2, Tile(5, 5), OWN[0], 0, 5))
    assert (table.to_move, table.trains[ANN].marker) == (ANN, False)
    hand = Hand(ANN, ((Position(3), Tile(0, 1)), (Position(4), Tile(1, 2))))
    assert legal_moves(table, hand) == (DrawTile(ANN),)


# ---- the boneyard is empty before all have opened ----


def test_last_plays_wait_until_all_have_opened_at_once():
    """§3.1, §7.8: last plays begin once all have opened, even if the boneyard was empty earlier.

    Ann's opening chain ends on a double, which she then owes.
    """
    table = table_of(3, 3, 3, boneyard=1, opening="simultaneous", round_end="last-plays")
    table, _ = after(
        table, (ANN, 0, Tile(1, 6), OWN[0], HUB, 6), (ANN, 1, Tile(1, 1), OWN[0], 0, 1)
    )
    for move in (DrawTile(CY), Pass(CY)):
        table, _ = apply(table, move)
    assert table.memory.last is None
    for move in (Done(ANN), Pass(BOB)):
        assert why_illegal(table, move) is None
        table, events = apply(table, move)
    assert table.memory.last == LastTurns(closing=True, left=3)
    assert (table.to_move, [owed.tile for owed in table.owed]) == (ANN, [Tile(1, 1)])
    assert TurnBegan(ANN) in events


# ---- other ways to say the same, and less than is known ----


def test_a_bullet_train_may_be_laid_in_another_order_than_the_one_listed():
    """§7.10: any order in which the whole hand fits is legal, though only one is listed."""
    table = opened(4, 4, 4, bullet="yes")
    tiles = (Tile(1, 5), Tile(1, 2), Tile(2, 5))
    hand = holding(table, *tiles)
    ways = [
        ((1, Tile(1, 5), 5), (2, Tile(1, 2), 1), (3, Tile(2, 5), 2)),
        ((3, Tile(2, 5), 5), (2, Tile(1, 2), 2), (1, Tile(1, 5), 1)),
    ]
    moves = [
        LayChain(
            ANN, OWN[0], tuple(ChainLink(Position(at), *rest) for at, *rest in way), 0, bullet=True
        )
        for way in ways
    ]
    listed = legal_moves(table, hand)
    assert [move in listed for move in moves].count(True) == 1
    assert all(is_as_listed(table, hand, move) for move in moves)


@pytest.mark.parametrize("dead", [1, 2])
def test_a_bullet_train_ends_on_the_double_that_is_dead(dead):
    """§2.7, §7.1, §7.10: the bullet train ends on the dead double, the only one allowed last."""
    table = opened(5, 4, 4, bullet="yes", wild_blanks="yes", last_double="refused")
    tiles = (Tile(0, 5), Tile(0, 1), Tile(1, 1), Tile(2, 2))
    others = (PIP_BITS[0] | PIP_BITS[dead]) & SET_BITS[6] & ~tile_bits(tiles)
    table = replace(table, seen=table.seen | others)
    hand = holding(table, *tiles)
    (bullet,) = (move for move in legal_moves(table, hand) if isinstance(move, LayChain))
    assert bullet.lays[-1].tile == Tile(dead, dead)


def test_a_pair_is_the_same_whichever_way_it_is_said():
    """§7.8: with no other double open, a pair is the same move with or without `back`."""
    table = opened(4, 4, 4, round_end="last-plays")
    table = replace(table, boneyard=())
    table, _ = after(table, (ANN, 1, Tile(0, 5), OWN[0], 0, 5))
    assert table.memory.last is not None
    links = (ChainLink(Position(5), Tile(4, 4), 4), ChainLink(Position(6), Tile(2, 4), 4))
    hand = holding(table, Tile(4, 4), Tile(2, 4))
    for back in (False, True):
        pair = LayChain(BOB, OWN[1], links, 0, back=back)
        assert why_illegal(table, pair) is None
        assert is_as_listed(table, hand, pair)


# ---- trains ----


def test_any_number_of_mexican_trains_is_open_where_the_hub_is_wild():
    """§2.7, §4.1: every tile fits a wild hub, so more trains begin than a plain hub would allow."""
    spec = spec_of(18, 4, mexican="many", wild_blanks="yes")
    last = spec.rounds - 1
    table = begin_round(spec, last, ANN, hub_double(spec, last), past=())
    tiles = deal(table, seeded(b"many"))
    while len(table.mexican_trains) < 41:
        moves = legal_moves(table, hand_of(table, tiles, table.to_move))
        newest = table.mexican_trains[-1].id
        begins = [move for move in moves if isinstance(move, LayTile) and move.train == newest]
        if not (table.opening or table.owed or table.turn.doubles):
            assert begins or not any(isinstance(move, LayTile) for move in moves)
        table, _ = apply(table, (begins or moves)[0])
    assert table.hub == Tile(0, 0)
