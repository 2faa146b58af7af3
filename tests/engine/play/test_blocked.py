"""docs/rules.md §7.2: in a blocked round nobody can lay a tile, whatever they hold."""

from dataclasses import replace

import pytest
from msgspec import structs

from engine.chance import below
from engine.play.apply import apply
from engine.play.denial import binds
from engine.play.due import due_seats
from engine.play.legal_moves import legal_moves
from engine.rules.choose import RULE_SETS
from engine.rules.spec import TableSpec, make_spec
from engine.rules.switches import RoundEnd
from engine.table.moves import LayChain, LayTile
from engine.table.rounds import begin_play, begin_round
from engine.table.table import ENDED, Ending, RoundPhase
from engine.table.trains import Seat
from engine.table.turn import FRESH, InPlay
from engine.tiles import Tile, full_set
from lab.rounds.random_tables import random_rules
from lab.rounds.seeds import seeded, shuffled
from lab.rounds.whole_games import hand_of
from tests.sliced import sliced


def scarce(rules, entropy):
    """Return a double-six round with small hands and a tiny boneyard, and each position's tile.

    Rounds end as under `round-end=blocked`. Tiles dealt to nobody are out of play. Return None if
    the rules allow no such table.
    """
    seats = 2 + below(entropy, 4)
    hand = 2 + below(entropy, 3)
    spec = make_spec(replace(rules, round_end=RoundEnd.BLOCKED), 6, seats, 1, hand)
    if not isinstance(spec, TableSpec):
        return None
    hub = Tile(6, 6)
    first = Seat(below(entropy, seats))
    yard = below(entropy, 4)
    sizes = (hand,) * seats
    table = begin_round(
        spec, 0, first, hub, past=(), hand_sizes=sizes, boneyard_count=yard, led=True
    )
    if table.phase is RoundPhase.ENGINE:
        table = begin_play(table, hub, first)
    deck = [tile for tile in full_set(6) if tile != hub]
    return table, dict(enumerate(shuffled(entropy, deck)))


def played(table, tiles, entropy):
    """Play a round of random moves; return the table before the last move and at the end."""
    before = table
    while table.phase not in ENDED:
        seat = due_seats(table)[0]
        moves = legal_moves(table, hand_of(table, tiles, seat))
        before, (table, _) = table, apply(table, moves[below(entropy, len(moves))])
    return before, table


def lays_left(before, after, tiles):
    """Return, by seat, the lays it would have if the round went on and it were to move.

    Seats without such lays are left out. Under `others-trains=may` a seat may pass rather than lay
    on another's train, so those lays do not count. [§2.8]
    """
    seats = after.spec.seats
    going_on = structs.replace(after, now=InPlay(), owed=before.owed, turn=FRESH)
    found = {}
    for seat in map(Seat, range(seats)):
        asked = structs.replace(going_on, to_move=seat, turns=max(after.turns, seats))
        moves = legal_moves(asked, hand_of(asked, tiles, seat))
        lays = [move for move in moves if isinstance(move, LayTile | LayChain)]
        found[seat] = [move for move in lays if binds(asked, move.train)]
    return {seat: moves for seat, moves in found.items() if moves}


def blocked_rounds(rules, tables, seed):
    """Play rounds; return how many were blocked, and those in which a tile could still be laid.

    Each of the latter is given as the number of its table and its rules.
    """
    count, open_ones = 0, []
    for number in range(tables):
        entropy = seeded(seed + number.to_bytes(4, "big"))
        dealt = scarce(rules(entropy), entropy)
        if dealt is None:
            continue
        table, tiles = dealt
        before, after = played(table, tiles, entropy)
        if after.outcome.ending is Ending.BLOCKED:
            count += 1
            if lays_left(before, after, tiles):
                open_ones.append((number, after.rules))
    return count, open_ones


@sliced("preset", RULE_SETS, 3, first=2)
def test_nobody_could_go_on_in_a_blocked_round_of_a_preset(preset):
    """When a round ends blocked, no seat's hand has a legal lay."""
    count, open_ones = blocked_rounds(lambda _: RULE_SETS[preset], 300, preset.encode())
    assert count > 10
    assert open_ones == []


@pytest.mark.parametrize("tables", [800, pytest.param(6000, marks=pytest.mark.campaign)])
def test_nobody_could_go_on_in_a_blocked_round_of_any_rules(tables):
    """Under random switches, no seat's hand has a legal lay when a round ends blocked."""
    count, open_ones = blocked_rounds(random_rules, tables, b"any rules")
    assert count > tables / 8
    assert open_ones == []
