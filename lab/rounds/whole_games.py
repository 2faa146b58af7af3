"""Whole games with open hands and no peers, for tests, measurements and comparing bots.

The deal comes from a seed and not from peers; the rules are the usual `legal_moves` and `apply`.
Each strategy still sees only its own seat's view.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from engine.bots.strategy import Strategy
from engine.chance import Entropy
from engine.knowledge import NOTHING_KNOWN
from engine.play.apply import apply, score_round
from engine.play.calls import apply_calls, calls_due
from engine.play.due import due_seats
from engine.play.hub_outcome import reshuffled
from engine.play.hub_search import found_position, seats_seeking, turned_now
from engine.play.judge import why_illegal
from engine.play.legal_moves import legal_moves
from engine.rules.spec import TableSpec
from engine.table.moves import Call, Catch, Move, Quiet, Tap
from engine.table.rounds import next_round, round_deck, start_game
from engine.table.table import AllScored, Hand, Table
from engine.table.trains import Position, Seat
from engine.table.turn import InPlay, Reshuffle
from engine.tiles import Tile
from engine.view import SeatView
from lab.rounds.seeds import pick, seeded, shuffled

MOVES_MAX: Final = 3_000
"""Moves after which a round counts as stuck: ten times as many as the longest rounds take."""

REDEALS_MAX: Final = 50
"""Deals of one round after which a search for an engine counts as stuck."""


Onlooker: TypeAlias = Callable[[SeatView, Entropy], None]
"""A function that a seat calls before each move of another."""


class RoundPlayed(NamedTuple):
    """A round played to its end, with all tiles known."""

    table: Table
    """The table when play ended, not yet scored."""
    tiles: Mapping[Position, Tile]
    """The tile of every position."""


def deal(table: Table, entropy: Entropy) -> dict[Position, Tile]:
    """Shuffle the deck of the table's round, and return the tile of every position."""
    deck = shuffled(entropy, round_deck(table.spec, table.round_number))
    return {Position(at): tile for at, tile in enumerate(deck)}


def hand_of(table: Table, tiles: Mapping[Position, Tile], seat: Seat) -> Hand:
    """Return a seat's hand, given the tile of every position.

    Before play, the hand includes a tile that the seat looks at or turns up.
    """
    held = table.hands[seat]
    if not isinstance(table.now, InPlay) and seat in seats_seeking(table):
        held = (*held, *(at for who, at in beside_hands(table) if who == seat))
    return Hand(seat, tuple([(at, tiles[at]) for at in held]))


def beside_hands(table: Table) -> list[tuple[Seat, Position]]:
    """Return the boneyard tiles that seats turn up for all to see, or have found, before play.

    Each item is the seat and the position.
    """
    turned = [(seat, at) for seat, at, for_all in turned_now(table) if for_all]
    found = found_position(table)
    return turned if found is None else [*turned, (table.to_move, found)]


def gone_back(table: Table) -> tuple[Position, ...]:
    """Return the positions that a reshuffle renames; none if no reshuffle is due."""
    back = table.reshuffle
    if back is None:
        return ()
    return (*back.undrawn, *(at for at, _ in back.shown), *(at for _, at in back.hidden))


def possible_calls(table: Table, seat: Seat) -> tuple[Call, ...]:
    """Return the calls open to a seat: say nothing, tap, or catch another seat."""
    others = (Catch(seat, Seat(other)) for other in range(table.spec.seats))
    calls: list[Call] = [Quiet(seat), Tap(seat), *others]
    return tuple([call for call in calls if why_illegal(table, call) is None])


def reshuffle(
    table: Table, tiles: dict[Position, Tile], entropy: Entropy
) -> tuple[Table, dict[Position, Tile]]:
    """Return the table with a new boneyard, and the tiles by position.

    The tiles put back get new positions.
    """
    old = gone_back(table)
    start = max(tiles) + 1
    fresh = [Position(start + at) for at in range(len(old))]
    mixed = shuffled(entropy, [tiles[at] for at in old])
    kept = {at: tile for at, tile in tiles.items() if at not in set(old)}
    return reshuffled(table, fresh), kept | dict(zip(fresh, mixed, strict=True))


def play_round(
    table: Table,
    tiles: Mapping[Position, Tile],
    strategies: Sequence[Strategy],
    entropy: Entropy,
    history: list[tuple[Table, Move]] | None = None,
    *,
    informed: bool = False,
    onlookers: Sequence[Onlooker] = (),
) -> RoundPlayed:
    """Play a dealt round to its end, each seat by its own strategy; `onlookers` watch.

    Appends every move to `history`, with the table before it. If `informed`, the seats'
    views include what the moves so far have proved, which costs time.
    """
    known = dict(tiles)
    proved = NOTHING_KNOWN
    while table.outcome is None:
        if isinstance(table.now, Reshuffle):
            table, known = reshuffle(table, known, entropy)
            continue
        seat = due_seats(table)[0]
        view = SeatView(table, seat, hand_of(table, known, seat), proved)
        for other, look_on in enumerate(onlookers):
            if other != seat:
                hand = hand_of(table, known, Seat(other))
                look_on(replace(view, seat=hand.seat, hand=hand), entropy)
        move = strategies[seat](view, entropy)
        proved = proved.after(table, move) if informed else proved
        if history is not None:
            history.append((table, move))
        turns = table.turns
        table, _ = apply(table, move)
        if table.memory.silent and table.turns != turns:
            table = _call(table, entropy)
    return RoundPlayed(table, known)


def _call(table: Table, entropy: Entropy) -> Table:
    """Let each seat that may call after a turn pick a call at random, or stay quiet."""
    calls: list[Call] = []
    for seat in calls_due(table):
        moves = legal_moves(table, Hand(seat, ())) if seat != table.to_move else ()
        options = [move for move in moves if isinstance(move, Call)]
        if options:
            calls.append(pick(entropy, options))
    return apply_calls(table, calls)[0]


def play_open(spec: TableSpec, seed: bytes, strategies: Sequence[Strategy]) -> Table:
    """Play a whole game, dealt and played from the seed. Return the finished table."""
    entropy = seeded(seed)
    return play_game(spec, strategies, entropy, lambda _: entropy)


def play_game(
    spec: TableSpec,
    strategies: Sequence[Strategy],
    entropy: Entropy,
    deck: Callable[[int], Entropy],
    *,
    informed: bool = False,
    onlookers: Sequence[Onlooker] = (),
) -> Table:
    """Play a whole game whose n-th deal is shuffled by `deck(n)`. Return the last table.

    After `REDEALS_MAX` more deals than rounds it stops, even if the game is not over.
    """
    table = start_game(spec, Seat(0))
    for number in range(spec.rounds + REDEALS_MAX):
        tiles = deal(table, deck(number))
        played = play_round(
            table, tiles, strategies, entropy, informed=informed, onlookers=onlookers
        )
        table = played.table
        if not table.is_called_off:
            left = [[played.tiles[at] for at in held] for held in table.hands]
            table, _ = score_round(table, left)
        if isinstance(table.now, AllScored):
            break
        table = next_round(table)
    return table
