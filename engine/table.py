"""The public table: all that every peer sees, and nothing that only one hand can show.

A `Table` is a value. `transition.apply` makes the next one from it and a move and reads nothing
else, so equal moves give equal tables on every peer. Hands are positions of the shuffled deck;
which tiles lie there only their owner knows (`Hand`). [docs/rules.md §1]

    PLAY --lay, draw, pass--> PLAY
    PLAY --a seat is out, or all are blocked--> OVER
    OVER --hands opened and scored--> SCORED, or FINISHED after the last round
    SCORED --next_round--> PLAY
"""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from engine.rules import RuleSet
from engine.spec import TableSpec
from engine.switches import Mexican
from engine.tiles import PIP_BITS, SET_BITS, Tile, full_set, tile_bit
from engine.trains import HUB, MEXICAN, End, Position, Seat, Train, TrainId, train_index


class Phase(Enum):
    """What the table waits for."""

    PLAY = "play"
    """A move of the seat in turn."""
    OVER = "over"
    """The round has ended; the hands must be opened and scored."""
    SCORED = "scored"
    """The round is scored and another one follows."""
    FINISHED = "finished"
    """The last round is scored."""


class Ending(Enum):
    """How a round ended."""

    OUT = "out"
    BLOCKED = "blocked"


class Outcome(NamedTuple):
    """How a round ended, and who went out (None when blocked)."""

    ending: Ending
    seat: Seat | None


class Owed(NamedTuple):
    """An open double that must be covered."""

    train: TrainId
    on: int
    """Index of the double in the train's lays."""
    tile: Tile


class Table(NamedTuple):
    """One moment of a game, as every seat sees it.

    A tuple rather than a dataclass: a round makes a hundred of them and search makes thousands.
    """

    spec: TableSpec
    round_number: int
    """Counted from 0."""
    first: Seat
    """Who had the first turn of this round."""
    hub: Tile | None
    """The double in the hub; None where it has not been found yet."""
    trains: tuple[Train, ...]
    """The seats' own trains in seat order, then the Mexican trains."""
    hands: tuple[tuple[Position, ...], ...]
    """Unplayed positions of each seat, in the order they came to it."""
    boneyard: tuple[Position, ...]
    """Undrawn positions, next one first."""
    to_move: Seat
    phase: Phase
    turns: int
    """Turns finished in this round; below the number of seats it is somebody's first turn."""
    drawn: bool
    """Whether the seat in turn has drawn for what is due now."""
    owed: tuple[Owed, ...]
    """Open doubles that must be covered, next one first."""
    passes: int
    """Passes since a tile was last laid."""
    seen: int
    """Bit set of the tiles that lie open: the hub and every laid tile."""
    past: tuple[tuple[int, ...], ...]
    """Scores by seat of every round that has been scored."""
    outcome: Outcome | None
    """How the round ended, once it has."""

    @property
    def rules(self) -> RuleSet:
        """The rules of the table."""
        return self.spec.rules

    @property
    def opening(self) -> bool:
        """Whether the seat in turn has its first turn of the round. [docs/rules.md §3.1]"""
        return self.turns < self.spec.seats

    @property
    def mexican_trains(self) -> tuple[Train, ...]:
        """The Mexican trains, started or not."""
        return self.trains[self.spec.seats :]

    def train(self, train: TrainId) -> Train:
        """The train with this id, which must be on the table."""
        return self.trains[train_index(self.spec.seats, train)]

    def has_train(self, train: TrainId) -> bool:
        """Whether there is such a train; any number may be asked for."""
        return -len(self.mexican_trains) <= train < self.spec.seats

    def is_dead(self, pip: int) -> bool:
        """Whether every tile that shows `pip` lies open, so that nothing can join it."""
        return not PIP_BITS[pip] & SET_BITS[self.spec.pip_max] & ~self.seen


@dataclass(frozen=True, slots=True)
class Hand:
    """The tiles of one seat, which nobody else may know."""

    seat: Seat
    tiles: tuple[tuple[Position, Tile], ...]

    def without(self, position: Position) -> "Hand":
        """The hand after the tile at this position was laid."""
        return Hand(self.seat, tuple([held for held in self.tiles if held[0] != position]))

    def adding(self, position: Position, tile: Tile) -> "Hand":
        """The hand after this tile was drawn."""
        return Hand(self.seat, (*self.tiles, (position, tile)))


def hub_double(spec: TableSpec, round_number: int) -> Tile:
    """The double set aside for a round: the highest first, then each lower one. [§1.4]"""
    pip = spec.pip_max - round_number
    return Tile(pip, pip)


def round_deck(spec: TableSpec, round_number: int) -> tuple[Tile, ...]:
    """The tiles that are shuffled and dealt in a round, in canonical order.

    Position p is index p of the deck after the last shuffle; seat i is dealt positions i*h to
    i*h + h - 1 of hands of h, and the rest is the boneyard, lowest first. [docs/rules.md §1.3]
    """
    hub = hub_double(spec, round_number)
    return tuple(tile for tile in full_set(spec.pip_max) if tile != hub)


def start_game(spec: TableSpec, first: Seat) -> Table:
    """The table ready for the first move of the first round."""
    return begin_round(spec, 0, first, hub_double(spec, 0), past=())


def next_round(table: Table) -> Table:
    """The table ready for the first move of the next round: next lower double, next seat first."""
    assert table.phase is Phase.SCORED
    number = table.round_number + 1
    first = Seat((table.first + 1) % table.spec.seats)
    return begin_round(table.spec, number, first, hub_double(table.spec, number), past=table.past)


def begin_round(
    spec: TableSpec,
    round_number: int,
    first: Seat,
    hub: Tile,
    *,
    past: tuple[tuple[int, ...], ...],
    hand_sizes: tuple[int, ...] | None = None,
    boneyard_count: int | None = None,
) -> Table:
    """A dealt table with this double in the hub.

    Sizes default to the deal; a game written down by hand may have any (notation).
    """
    sizes = hand_sizes or (spec.hand,) * spec.seats
    dealt = sum(sizes)
    if boneyard_count is None:
        boneyard_count = len(round_deck(spec, round_number)) - dealt
    starts = [sum(sizes[:seat]) for seat in range(spec.seats)]
    ids = [TrainId(seat) for seat in range(spec.seats)]
    if spec.rules.mexican is not Mexican.NONE:
        ids.append(MEXICAN)
    return Table(
        spec=spec,
        round_number=round_number,
        first=first,
        hub=hub,
        trains=tuple(new_train(id_, hub) for id_ in ids),
        hands=tuple(
            tuple(map(Position, range(start, start + size)))
            for start, size in zip(starts, sizes, strict=True)
        ),
        boneyard=tuple(map(Position, range(dealt, dealt + boneyard_count))),
        to_move=first,
        phase=Phase.PLAY,
        turns=0,
        drawn=False,
        owed=(),
        passes=0,
        seen=tile_bit(hub),
        past=past,
        outcome=None,
    )


def new_train(train: TrainId, hub: Tile) -> Train:
    """A train nobody has started: it begins with the hub's value."""
    return Train(train, (), marker=False, ends=(End(hub.high, HUB),))


def status(table: Table) -> tuple[str, ...]:
    """Every breach of what must always be true of a table, in words for a developer."""
    seats = table.spec.seats
    laid = [lay for train in table.trains for lay in train.lays]
    positions = [position for hand in table.hands for position in hand]
    positions += [*table.boneyard, *(lay.position for lay in laid)]
    seen = tile_bit(table.hub) if table.hub is not None else 0
    for lay in laid:
        seen |= tile_bit(lay.tile)
    checks = (
        (len(table.hands) == seats, "a hand for every seat"),
        (len(set(positions)) == len(positions), "a position lies in one place"),
        (sorted(positions) == list(range(len(positions))), "no position is lost"),
        (seen == table.seen, "seen tiles are those that lie open"),
        (seen.bit_count() == len(laid) + (table.hub is not None), "a tile lies open once"),
        (not seen & ~SET_BITS[table.spec.pip_max], "tiles belong to the set"),
        (0 <= table.to_move < seats, "the seat in turn sits at the table"),
        ([train.id for train in table.trains[:seats]] == list(range(seats)), "seats' trains"),
        (
            [train.id for train in table.mexican_trains]
            == [-1 - at for at in range(len(table.mexican_trains))],
            "Mexican trains are numbered down from -1",
        ),
        (not any(train.marker for train in table.mexican_trains), "no marker on the Mexican train"),
        ((table.phase is Phase.PLAY) == (table.outcome is None), "an outcome when play is over"),
        (table.phase is Phase.PLAY or not (table.owed or table.drawn), "nothing due after play"),
        (all(_is_open(table, owed) for owed in table.owed), "an owed double is an open double"),
    )
    breaches = tuple(words for holds, words in checks if not holds)
    return breaches + tuple(words for train in table.trains for words in _train_breaches(train))


def _is_open(table: Table, owed: Owed) -> bool:
    train = table.train(owed.train)
    laid = train.lays[owed.on]
    return laid.tile == owed.tile and End(owed.tile.high, owed.on) in train.ends


def _train_breaches(train: Train) -> tuple[str, ...]:
    breaches = []
    for at, lay in enumerate(train.lays):
        if not lay.tile.has(lay.joined):
            breaches.append(f"train {train.id}: {lay.tile} does not show {lay.joined}")
        if not HUB <= lay.on < at:
            breaches.append(f"train {train.id}: {lay.tile} hangs on a later tile")
        elif lay.on != HUB and train.lays[lay.on].end != lay.joined:
            breaches.append(f"train {train.id}: {lay.tile} does not join what it hangs on")
    breaches.extend(
        f"train {train.id}: the end {end.pip} is no end of what it hangs on"
        for end in train.ends
        if end.on != HUB and train.lays[end.on].end != end.pip
    )
    return tuple(breaches)
