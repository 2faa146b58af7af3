"""The public table: everything that all peers see, and nothing that only one of them knows.

A `Table` is a value. `apply` makes the next one from it and a move, and reads nothing else, so
equal moves give equal tables on every peer. Hands are positions of the shuffled deck; only their
owner knows the tiles at them (`Hand`). [docs/rules.md §1]

    HIGH_DRAW --all have turned up a tile--> RESHUFFLE --reshuffled--> the phase after the deal
    ENGINE --the heaviest tile is shown--> ENGINE, or OPENING_ALL or PLAY
    ENGINE --the double is found--> OPENING_ALL or PLAY, or RESHUFFLE before it
    ENGINE --the boneyard cannot serve all--> SCORED (nobody scores; the round is dealt again)
    OPENING_ALL --all have laid their chains--> PLAY, or OVER
    PLAY --lay, draw, pass--> PLAY
    PLAY --seats leave for good--> RESHUFFLE --rebuilt--> PLAY, or OVER
    PLAY --a seat is out, or all are blocked--> OVER
    OVER --hands opened and scored--> SCORED, or FINISHED after the last round
    SCORED --next_round--> HIGH_DRAW, ENGINE, OPENING_ALL or PLAY, as the rules have it
"""

from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from engine.rules.ruleset import RuleSet
from engine.rules.spec import TableSpec, first_pip, rises
from engine.table.trains import Position, Seat, Train, TrainId, train_index
from engine.table.turn import (
    FRESH,
    EngineSearch,
    GameMemory,
    HighDraw,
    InPlay,
    OpeningAll,
    Reshuffle,
    Returning,
    RoundMemory,
    Turn,
)
from engine.tiles import SET_BITS, Tile


class RoundPhase(Enum):
    """The names of a round's phases."""

    HIGH_DRAW = "high-draw"
    """Every seat turns up one tile; the highest plays first."""
    ENGINE = "engine"
    """The seats look for the hub's double, or first for the heaviest tile in a hand."""
    RESHUFFLE = "reshuffle"
    """Tiles go back; `reshuffled` will take the positions of the new boneyard."""
    OPENING_ALL = "opening-all"
    """Every seat lays its opening chain, all at once."""
    PLAY = "play"
    """The seat whose turn it is moves."""
    OVER = "over"
    """The round has ended; the hands must be opened and scored."""
    SCORED = "scored"
    """The round is scored and another one follows."""
    FINISHED = "finished"
    """The last round is scored."""


ENDED: Final = frozenset({RoundPhase.OVER, RoundPhase.SCORED, RoundPhase.FINISHED})
"""The phases in which nobody plays any more."""


class Ending(Enum):
    """How a round ended."""

    OUT = "out"
    BLOCKED = "blocked"
    """Nobody is out, and nobody can go on."""
    REDEAL = "redeal"
    """The double could not be found; the round is dealt again and nobody scores."""
    VOID = "void"
    """The table gave up the round; it is dealt again and nobody scores."""
    LEFT = "left"
    """All others have left the table, so play ends."""


CALLED_OFF: Final = frozenset({Ending.REDEAL, Ending.VOID})
"""Endings after which the same round is dealt again."""


class Outcome(NamedTuple):
    """How a round ended, and the seat that went out, or None."""

    ending: Ending
    seat: Seat | None


class PlayOver(Struct, frozen=True, gc=False):
    """The phase after the end of play, until the hands are opened and scored."""

    outcome: Outcome


class Scored(Struct, frozen=True, gc=False):
    """The phase between two rounds: one is scored or called off, and another one follows."""

    outcome: Outcome


class AllScored(Struct, frozen=True, gc=False):
    """The last phase: the game is over, and no round follows."""

    outcome: Outcome
    """The outcome of the last round."""


Phase: TypeAlias = (
    HighDraw
    | EngineSearch
    | Returning
    | Reshuffle
    | OpeningAll
    | InPlay
    | PlayOver
    | Scored
    | AllScored
)
"""The phase of a round, with all that belongs to it."""

_PHASES: Final[dict[type, RoundPhase]] = {
    HighDraw: RoundPhase.HIGH_DRAW,
    EngineSearch: RoundPhase.ENGINE,
    Returning: RoundPhase.ENGINE,
    Reshuffle: RoundPhase.RESHUFFLE,
    OpeningAll: RoundPhase.OPENING_ALL,
    InPlay: RoundPhase.PLAY,
    PlayOver: RoundPhase.OVER,
    Scored: RoundPhase.SCORED,
    AllScored: RoundPhase.FINISHED,
}


class Owed(Struct, frozen=True, gc=False):
    """An open double that must be covered."""

    train: TrainId
    on: int
    """Index of the double in the train's lays; `HUB` for the hub itself. [docs/rules.md §4.3]"""
    tile: Tile
    need: int = 1
    """How many tiles must go on it before anything else."""
    begun: bool = False
    """True if the first of several tiles is laid, so no marker goes up for it any more."""
    left: int = 0
    """Bit set of the seats whose turns ended while this was the next double owed."""


def joining_halves(rules: RuleSet, tile: Tile, pip: int) -> tuple[int, ...]:
    """Return the halves of a tile that join an end showing `pip`, low one first.

    The two halves of a double count as one. Return () if neither half joins, or if `tile` or `pip`
    is invalid.
    """
    halves = rules.wild_blanks.joins.get(tile, ())
    return halves[pip] if 0 <= pip < len(halves) else ()


class Table(Struct, frozen=True, gc=False):
    """One moment of a game, as every seat sees it.

    A round makes about a hundred tables and a bot's search makes thousands, so a table must be
    cheap.
    """

    spec: TableSpec
    round_number: int
    """Counted from 0."""
    first: Seat
    """The seat that has the first turn of this round."""
    hub: Tile | None
    """The double in the hub; None until it is found."""
    trains: tuple[Train, ...]
    """The seats' own trains in seat order, then the Mexican trains."""
    hands: tuple[tuple[Position, ...], ...]
    """The unplayed positions of each seat, in the order it got them."""
    boneyard: tuple[Position, ...]
    """The undrawn positions, next one first."""
    to_move: Seat
    now: Phase
    """The phase: the kind of move or answer that the table waits for."""
    turns: int
    """Turns finished in this round; while below the number of seats, it is a seat's first turn."""
    drawn: bool
    """True if the seat to move has drawn for the tile that is due now."""
    owed: tuple[Owed, ...]
    """The open doubles that must be covered, next one first."""
    passed: int
    """Bit set of the seats whose pass still counts towards a blocked round. [docs/rules.md §7.2]"""
    seen: int
    """Bit set of the open tiles: the hub and every laid tile."""
    past: tuple[tuple[int, ...], ...]
    """The scores by seat of every scored round."""
    game: GameMemory
    """The memory of the game: its rounds and seats."""
    turn: Turn = FRESH
    """The progress of the turn of `to_move`."""
    memory: RoundMemory = RoundMemory()
    """State of this round that only some rules need."""

    @property
    def phase(self) -> RoundPhase:
        """The name of the phase."""
        return _PHASES[type(self.now)]

    @property
    def outcome(self) -> Outcome | None:
        """How the round ended or was called off; None before that."""
        return self.now.outcome if isinstance(self.now, (PlayOver, Scored, AllScored)) else None

    @property
    def is_called_off(self) -> bool:
        """True if the round was called off, so it is dealt again."""
        return self.outcome is not None and self.outcome.ending in CALLED_OFF

    @property
    def reshuffle(self) -> Reshuffle | None:
        """The reshuffle that the table waits for, or None."""
        return self.now if isinstance(self.now, Reshuffle) else None

    @property
    def unseen(self) -> int:
        """Bit set of the tiles in hands and in the boneyard."""
        return SET_BITS[self.spec.pip_max] & ~self.seen

    @property
    def rules(self) -> RuleSet:
        """The rules of the table."""
        return self.spec.rules

    @property
    def present(self) -> tuple[Seat, ...]:
        """The seats that have not left the table, in seat order. [docs/rules.md §7.11]"""
        gone = self.game.gone
        return tuple(Seat(seat) for seat in range(self.spec.seats) if not gone >> seat & 1)

    @property
    def opening(self) -> bool:
        """True in the first turn of the seat to move, and before play. [§3.1]"""
        return self.turns < self.spec.seats

    @property
    def mexican_trains(self) -> tuple[Train, ...]:
        """The Mexican trains, started or not; arms are one such train. Empty if there are none."""
        return self.trains[self.spec.seats :]

    def train(self, train: TrainId) -> Train:
        """Return the train with this id; check `has_train` first.

        For an id that is not on the table, raise IndexError or return another train.
        """
        return self.trains[train_index(self.spec.seats, train)]

    def has_train(self, train: TrainId) -> bool:
        """Return True if the table has a train with this id, which may be any number."""
        return -len(self.mexican_trains) <= train < self.spec.seats

    def fitting(self, pip: int) -> int:
        """Return the number of tiles that fit `pip` and are not on the table yet."""
        return (self.spec.rules.wild_blanks.fits[pip] & self.unseen).bit_count()

    def is_dead(self, pip: int) -> bool:
        """Return True if every tile that fits `pip` is on the table, so nothing can join it."""
        return not self.fitting(pip)


class Hand(Struct, frozen=True, gc=False):
    """The tiles of one seat with their positions, as far as known; secret from the others."""

    seat: Seat
    tiles: tuple[tuple[Position, Tile], ...]


def hub_double(spec: TableSpec, round_number: int) -> Tile:
    """Return a round's own double: `first_pip` in round 0, then the next one each round. [§1.4]

    Not checked: past the last double, the result is not in the set.
    """
    first = first_pip(spec.rules, spec.pip_max)
    pip = first + round_number if rises(spec.rules) else first - round_number
    return Tile(pip, pip)


def scored_hubs(table: Table) -> tuple[Tile, ...]:
    """Return the hub's double of each scored round, in order."""
    if table.rules.engine.has_own_double and not table.rules.engine_missing.asks_lower:
        return tuple(hub_double(table.spec, number) for number in range(len(table.past)))
    return table.game.hubs[: len(table.past)]


def absentees(table: Table) -> tuple[int, ...]:
    """Return, for each scored round, the bit set of seats that did not play for their points.

    It is 0 for a round for which this is unknown, as in a written game. [docs/rules.md §7.12]
    """
    known, rounds = table.game.absent, len(table.past)
    return (*known[:rounds], *(0,) * (rounds - len(known)))


def here_from(table: Table, seat: int) -> Seat:
    """Return the first seat that has not left, from this one on in the order of turns. [§2.1]

    This seat itself counts. The call never returns if all seats have left.
    """
    return _here(table, seat, table.rules.direction.step)


def seat_after(table: Table, seat: int) -> Seat:
    """Return the next seat in the order of turns that has not left; this one if it is alone."""
    step = table.rules.direction.step
    return _here(table, seat + step, step)


def seat_before(table: Table, seat: int) -> Seat:
    """Return the last seat before this one that has not left; this one if it is alone."""
    step = -table.rules.direction.step
    return _here(table, seat + step, step)


def turns_after(table: Table, first: int, seat: int) -> int:
    """Return how many turns come before this seat's in a lap that begins with `first`.

    Seats that have left count too.
    """
    return (seat - first) * table.rules.direction.step % table.spec.seats


def _here(table: Table, seat: int, step: int) -> Seat:
    seats, gone = table.spec.seats, table.game.gone
    seat %= seats
    while gone >> seat & 1:
        seat = (seat + step) % seats
    return Seat(seat)
