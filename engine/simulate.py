"""Whole games with open hands and no peers, for tests, measurements and comparing bots.

The deal comes from a seed and is fair to nobody; the rules are the same `legal_moves` and `apply`
as everywhere. Each strategy still sees its own seat's view only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.chance import Entropy, seeded, shuffled
from engine.moves import DrawTile, LayTile, Move
from engine.spec import TableSpec
from engine.strategy.choice import Strategy
from engine.table import Hand, Phase, Table, next_round, round_deck, start_game
from engine.tiles import Tile
from engine.trains import Position, Seat
from engine.transition import apply, score_round
from engine.view import SeatView

FIRST: Final = Seat(0)
"""Who begins when it does not matter."""


@dataclass(frozen=True, slots=True)
class RoundPlayed:
    """A round that was played to its end, with everything known."""

    table: Table
    """The table when play ended, not yet scored."""
    history: tuple[tuple[Table, Move], ...]
    """Every move with the table it was made at."""
    tiles: Mapping[Position, Tile]
    """The tile of every position."""


def deal(table: Table, entropy: Entropy) -> dict[Position, Tile]:
    """A shuffled deck for a round that begins: the tile of every position."""
    deck = shuffled(entropy, round_deck(table.spec, table.round_number))
    return {Position(at): tile for at, tile in enumerate(deck)}


def hand_of(table: Table, tiles: Mapping[Position, Tile], seat: Seat) -> Hand:
    """The hand of a seat when all tiles are known."""
    return Hand(seat, tuple((at, tiles[at]) for at in table.hands[seat]))


def play_round(
    table: Table,
    tiles: Mapping[Position, Tile],
    strategies: Sequence[Strategy],
    entropy: Entropy,
) -> RoundPlayed:
    """Play a dealt round to its end, each seat by its own strategy."""
    hands = [hand_of(table, tiles, Seat(seat)) for seat in range(table.spec.seats)]
    history: list[tuple[Table, Move]] = []
    while table.phase is Phase.PLAY:
        seat = table.to_move
        view = SeatView(table, seat, hands[seat])
        move = strategies[seat](view, entropy).move
        history.append((table, move))
        if isinstance(move, LayTile):
            hands[seat] = hands[seat].without(move.position)
        elif isinstance(move, DrawTile):
            drawn = table.boneyard[0]
            hands[seat] = hands[seat].adding(drawn, tiles[drawn])
        table, _ = apply(table, move)
    return RoundPlayed(table, tuple(history), tiles)


def play_open(
    spec: TableSpec, seed: bytes, strategies: Sequence[Strategy], first: Seat = FIRST
) -> Table:
    """A whole game, every round dealt and played from the seed: the finished table."""
    entropy = seeded(seed)
    table = start_game(spec, first)
    while True:
        played = play_round(table, deal(table, entropy), strategies, entropy)
        table = played.table
        left = [[played.tiles[at] for at in held] for held in table.hands]
        table, _ = score_round(table, left)
        if table.phase is Phase.FINISHED:
            return table
        table = next_round(table)
