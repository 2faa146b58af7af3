"""The public table: all that every peer sees, and nothing that only one hand can show.

A `Table` is a value. `transition.apply` makes the next one from it and a move and reads nothing
else, so equal moves give equal tables on every peer. Hands are positions of the shuffled deck;
which tiles lie there only their owner knows (`Hand`). [docs/rules.md §1]

    HIGH_DRAW --all have turned up a tile--> RESHUFFLE --reshuffled--> the phase after the deal
    ENGINE --the double is found--> OPENING_ALL or PLAY, or RESHUFFLE before it
    ENGINE --the boneyard cannot serve all--> SCORED (nobody scores; the round is dealt anew)
    OPENING_ALL --all have laid their chains--> PLAY, or OVER
    PLAY --lay, draw, pass--> PLAY
    PLAY --seats leave for good--> RESHUFFLE --rebuilt--> PLAY, or OVER
    PLAY --a seat is out, or all are blocked--> OVER
    OVER --hands opened and scored--> SCORED, or FINISHED after the last round
    SCORED --next_round--> HIGH_DRAW, ENGINE, OPENING_ALL or PLAY, as the rules have it
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Final, NamedTuple

from engine.rules.ruleset import RuleSet
from engine.rules.spec import TableSpec
from engine.rules.switches import Engine, First, Mexican, Opening, WildBlanks
from engine.table.trains import HUB, MEXICAN, End, Position, Seat, Train, TrainId, train_index
from engine.table.turn import FRESH, Aside, Reshuffle, Seek, Turn, TurnStep
from engine.tiles import PIP_BITS, SET_BITS, Tile, full_set, tile_bit


class RoundPhase(Enum):
    """What the table waits for."""

    HIGH_DRAW = "high-draw"
    """Every seat turns up one tile; the highest plays first."""
    ENGINE = "engine"
    """The double for the hub is being looked for."""
    RESHUFFLE = "reshuffle"
    """Tiles go back; `reshuffled` takes the positions of the new boneyard."""
    OPENING_ALL = "opening-all"
    """Every seat lays its opening chain, all at once."""
    PLAY = "play"
    """A move of the seat in turn."""
    OVER = "over"
    """The round has ended; the hands must be opened and scored."""
    SCORED = "scored"
    """The round is scored and another one follows."""
    FINISHED = "finished"
    """The last round is scored."""


ENDED: Final = frozenset({RoundPhase.OVER, RoundPhase.SCORED, RoundPhase.FINISHED})
"""Phases in which nobody plays any more."""


class Ending(Enum):
    """How a round ended."""

    OUT = "out"
    BLOCKED = "blocked"
    """Nobody is out, and nobody plays on."""
    REDEAL = "redeal"
    """The double could not be found; the round is dealt again and nobody scores."""
    VOID = "void"
    """The table gave the round up; it is dealt again and nobody scores."""
    LEFT = "left"
    """All others have left the table, so nobody plays on."""


CALLED_OFF: Final = frozenset({Ending.REDEAL, Ending.VOID})
"""Endings after which the same round is dealt again."""


class Outcome(NamedTuple):
    """How a round ended, and who went out (None when nobody did)."""

    ending: Ending
    seat: Seat | None


class Owed(NamedTuple):
    """An open double that must be covered."""

    train: TrainId
    on: int
    """Index of the double in the train's lays."""
    tile: Tile
    need: int = 1
    """How many tiles have to go on it before anything else."""
    begun: bool = False
    """Whether the first of several is laid, so that nobody is marked for it any more."""
    left: int = 0
    """Bit set of the seats whose turn it outlasted as the next one owed."""


_ANY: Final = SET_BITS[-1]
_WILD_BITS: Final = (_ANY, *(bits | PIP_BITS[0] for bits in PIP_BITS[1:]))


def fitting_bits(rules: RuleSet, pip: int) -> int:
    """Bit set of the tiles that join an end showing `pip`. [docs/rules.md §2.2, §2.7]"""
    return PIP_BITS[pip] if rules.wild_blanks is WildBlanks.NO else _WILD_BITS[pip]


def joining_halves(rules: RuleSet, tile: Tile, pip: int) -> tuple[int, ...]:
    """The halves of a tile that join an end showing `pip`, low one first."""
    if rules.wild_blanks is WildBlanks.NO:
        return (pip,) if pip in tile else ()
    halves = tile if tile[0] != tile[1] else tile[:1]
    return tuple(half for half in halves if pip in (0, half) or half == 0)


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
    phase: RoundPhase
    turns: int
    """Turns finished in this round; below the number of seats it is somebody's first turn."""
    drawn: bool
    """Whether the seat in turn has drawn for what is due now."""
    owed: tuple[Owed, ...]
    """Open doubles that must be covered, next one first."""
    passed: int
    """Bit set of the seats that have passed on the table as it stands. [docs/rules.md §7.2]"""
    seen: int
    """Bit set of the tiles that lie open: the hub and every laid tile."""
    past: tuple[tuple[int, ...], ...]
    """Scores by seat of every round that has been scored."""
    outcome: Outcome | None
    """How the round ended, once it has."""
    turn: Turn = FRESH
    """How far the seat in turn has got."""
    aside: Aside = Aside()
    """What only some rules ask for."""

    @property
    def reshuffle(self) -> Reshuffle | None:
        """What goes back into the boneyard, while the table waits for it to be shuffled."""
        return self.aside.reshuffle

    @property
    def seek(self) -> Seek | None:
        """The search for the hub's double, while it goes on."""
        return self.aside.seek

    @property
    def rules(self) -> RuleSet:
        """The rules of the table."""
        return self.spec.rules

    @property
    def present(self) -> tuple[Seat, ...]:
        """The seats that have not left the table. [docs/rules.md §7.11]"""
        gone = self.aside.gone
        return tuple([Seat(seat) for seat in range(self.spec.seats) if not gone >> seat & 1])

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
        """Whether every tile that fits `pip` lies open, so that nothing can join it."""
        return not fitting_bits(self.spec.rules, pip) & SET_BITS[self.spec.pip_max] & ~self.seen


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
    """The double that is a round's own: the highest first, then each lower one. [§1.4]"""
    pip = spec.pip_max - round_number
    return Tile(pip, pip)


def has_own_double(spec: TableSpec) -> bool:
    """Whether each round has a double of its own, known before the deal. [docs/rules.md §1.4]"""
    return spec.rules.engine in (Engine.SET_ASIDE, Engine.HOLDER)


def round_deck(spec: TableSpec, round_number: int) -> tuple[Tile, ...]:
    """The tiles that are shuffled and dealt in a round, in canonical order.

    Position p is index p of the deck after the last shuffle; seat i is dealt positions i*h to
    i*h + h - 1 of hands of h, and the rest is the boneyard, lowest first. [docs/rules.md §1.3]
    """
    if spec.rules.engine is not Engine.SET_ASIDE:
        return full_set(spec.pip_max)
    return _without_double(spec.pip_max, spec.pip_max - round_number)


@cache
def _without_double(pip_max: int, pip: int) -> tuple[Tile, ...]:
    return tuple(tile for tile in full_set(pip_max) if tile != (pip, pip))


def here_from(table: Table, seat: int, step: int = 1) -> Seat:
    """The first seat that has not left, from this one on clockwise, or back by a `step` of -1."""
    seats, gone = table.spec.seats, table.aside.gone
    seat %= seats
    while gone >> seat & 1:
        seat = (seat + step) % seats
    return Seat(seat)


def start_game(spec: TableSpec, first: Seat) -> Table:
    """The table ready for the first move of the first round. `first` leads by rotation."""
    return begin_round(spec, 0, first, _round_double(spec, 0), past=())


def next_round(table: Table) -> Table:
    """The table ready for the next round: next lower double, next seat leads.

    A round that has to be dealt again keeps its number, its double and its lead, and what those
    who left in it forfeit. Who has left never leads. [docs/rules.md §7.11]
    """
    assert table.phase is RoundPhase.SCORED
    number = next_round_number(table)
    again = number == table.round_number
    aside = table.aside
    lead = here_from(table, aside.lead + (not again))
    hubs = aside.hubs[:-1] if again and has_own_double(table.spec) else aside.hubs
    return begin_round(
        table.spec,
        number,
        lead,
        _round_double(table.spec, number),
        past=table.past,
        hubs=hubs,
        winner=aside.winner if again else round_winner(table),
        gone=aside.gone,
        forfeits=aside.forfeits if again else (),
    )


def next_round_number(table: Table) -> int:
    """The number of the round after this one; a round that was called off is dealt again."""
    assert table.outcome is not None
    return table.round_number + (table.outcome.ending not in CALLED_OFF)


def _round_double(spec: TableSpec, number: int) -> Tile | None:
    return hub_double(spec, number) if has_own_double(spec) else None


def round_winner(table: Table) -> Seat:
    """Who won a scored round: who is out, else the first of the lowest scores."""
    assert table.outcome is not None
    if table.outcome.seat is not None:
        return table.outcome.seat
    scores, came = table.past[-1], table.aside.came
    played = [seat for seat in table.present if not came >> seat & 1]
    return min(played or table.present, key=lambda seat: scores[seat])


def begin_round(
    spec: TableSpec,
    round_number: int,
    first: Seat,
    hub: Tile | None,
    *,
    past: tuple[tuple[int, ...], ...],
    hand_sizes: tuple[int, ...] | None = None,
    boneyard_count: int | None = None,
    hubs: tuple[Tile, ...] = (),
    winner: Seat | None = None,
    led: bool = False,
    gone: int = 0,
    forfeits: tuple[tuple[Seat, int], ...] = (),
) -> Table:
    """A dealt table, or one where a tile each is drawn for the first turn before the deal.

    `hub` is the round's own double, or None where any will do; `hubs` those of earlier rounds.
    Sizes default to the deal; a game written down by hand may have any, and may say who plays
    first (`led`). `gone` are the seats that get no tiles, `forfeits` those of `Aside`.
    """
    sizes = hand_sizes or _deal_sizes(spec, gone)
    dealt = sum(sizes)
    if boneyard_count is None:
        boneyard_count = len(round_deck(spec, round_number)) - dealt
    ids = [TrainId(seat) for seat in range(spec.seats)]
    if spec.rules.mexican is not Mexican.NONE:
        ids.append(MEXICAN)
    hubs = hubs if hub is None else (*hubs, hub)
    aside = Aside(lead=first, hubs=hubs, winner=winner, gone=gone, forfeits=forfeits)
    table = Table(
        spec=spec,
        round_number=round_number,
        first=first,
        hub=None,
        trains=tuple(Train(id_, (), marker=False, ends=()) for id_ in ids),
        hands=((),) * spec.seats,
        boneyard=tuple(map(Position, range(dealt + boneyard_count))),
        to_move=first,
        phase=RoundPhase.HIGH_DRAW,
        turns=0,
        drawn=False,
        owed=(),
        passed=0,
        seen=0,
        past=past,
        outcome=None,
        aside=aside,
    )
    if spec.rules.first is First.HIGH_DRAW and not led:
        return table
    return deal_hands(table, sizes)


def _deal_sizes(spec: TableSpec, gone: int) -> tuple[int, ...]:
    if not gone:
        return (spec.hand,) * spec.seats
    return tuple([0 if gone >> seat & 1 else spec.hand for seat in range(spec.seats)])


def deal_hands(table: Table, sizes: Sequence[int] | None = None) -> Table:
    """The table with the boneyard dealt out, ready to look for the double, or for the opening."""
    spec = table.spec
    sizes = sizes or _deal_sizes(spec, table.aside.gone)
    starts = [sum(sizes[:seat]) for seat in range(spec.seats)]
    yard = table.boneyard
    table = table._replace(
        hands=tuple(yard[start : start + size] for start, size in zip(starts, sizes, strict=True)),
        boneyard=yard[sum(sizes) :],
        phase=RoundPhase.ENGINE,
        to_move=table.aside.lead,
        first=table.aside.lead,
        aside=table.aside._replace(stocked=len(yard) > sum(sizes), reshuffle=None),
    )
    if spec.rules.engine is Engine.SET_ASIDE:
        return begin_play(table, table.aside.hubs[-1], table.first)
    step = TurnStep.IN_TURN if spec.rules.engine is Engine.FIRST_SEAT else TurnStep.ASK
    return table._replace(aside=table.aside._replace(seek=Seek(step, sought_doubles(table))))


def with_positions(table: Table, seat: Seat, positions: tuple[Position, ...]) -> Table:
    """The table with the tiles of a hand at new positions, as many as there were."""
    assert len(positions) == len(table.hands[seat])
    return table._replace(hands=(*table.hands[:seat], positions, *table.hands[seat + 1 :]))


def sought_doubles(table: Table) -> tuple[Tile, ...]:
    """The doubles that may go in the hub of this round, highest first. [docs/rules.md §1.4]"""
    engine, hubs = table.rules.engine, table.aside.hubs
    if engine is Engine.HOLDER:
        return hubs[-1:]
    doubles = (Tile(pip, pip) for pip in range(table.spec.pip_max, -1, -1))
    return tuple(tile for tile in doubles if engine is not Engine.DECLARED or tile not in hubs)


def begin_play(table: Table, hub: Tile, first: Seat) -> Table:
    """The table with this double in the hub and the opening to be played. [docs/rules.md §3]"""
    at_once = table.rules.opening is Opening.SIMULTANEOUS
    return table._replace(
        hub=hub,
        first=first,
        to_move=first,
        phase=RoundPhase.OPENING_ALL if at_once else RoundPhase.PLAY,
        trains=tuple(new_train(train.id, hub) for train in table.trains),
        seen=table.seen | tile_bit(hub),
        aside=table.aside._replace(seek=None, reshuffle=None),
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
        (_none_lost(table, positions), "no position is lost"),
        (seen == table.seen, "seen tiles are those that lie open"),
        (seen.bit_count() == len(laid) + (table.hub is not None), "a tile lies open once"),
        (not seen & ~SET_BITS[table.spec.pip_max], "tiles belong to the set"),
        (0 <= table.to_move < seats, "the seat in turn sits at the table"),
        (_is_left_alone(table), "who has left holds nothing and is not in turn"),
        ([train.id for train in table.trains[:seats]] == list(range(seats)), "seats' trains"),
        (
            [train.id for train in table.mexican_trains]
            == [-1 - at for at in range(len(table.mexican_trains))],
            "Mexican trains are numbered down from -1",
        ),
        (not any(train.marker for train in table.mexican_trains), "no marker on the Mexican train"),
        ((table.phase in ENDED) == (table.outcome is not None), "an outcome when play is over"),
        (table.phase in _IN_PLAY or not (table.owed or table.drawn), "nothing due after play"),
        ((table.reshuffle is None) == (table.phase is not RoundPhase.RESHUFFLE), "what goes back"),
        (all(_is_open(table, owed) for owed in table.owed), "an owed double is an open double"),
    )
    breaches = tuple(words for holds, words in checks if not holds)
    return breaches + tuple(
        words for train in table.trains for words in _train_breaches(table.rules, train)
    )


_IN_PLAY: Final = (RoundPhase.PLAY, RoundPhase.RESHUFFLE)


def _is_left_alone(table: Table) -> bool:
    """Whether seats that have left are dealt nothing and asked for nothing. [§7.11]"""
    gone = table.aside.gone
    asked = table.phase in (RoundPhase.ENGINE, RoundPhase.PLAY) and gone >> table.to_move & 1
    return not asked and not any(held for at, held in enumerate(table.hands) if gone >> at & 1)


def _none_lost(table: Table, positions: list[Position]) -> bool:
    """Positions run from 0 without a gap, where none went to the hub or was renamed."""
    rules = table.rules
    if table.aside.forfeits:
        return True
    if rules.first is First.HIGH_DRAW or rules.engine is not Engine.SET_ASIDE:
        return True
    return sorted(positions) == list(range(len(positions)))


def _is_open(table: Table, owed: Owed) -> bool:
    train = table.train(owed.train)
    laid = train.lays[owed.on]
    return laid.tile == owed.tile and End(owed.tile.high, owed.on) in train.ends


def _train_breaches(rules: RuleSet, train: Train) -> tuple[str, ...]:
    breaches = []
    for at, lay in enumerate(train.lays):
        if not lay.tile.has(lay.joined):
            breaches.append(f"train {train.id}: {lay.tile} does not show {lay.joined}")
        if not HUB <= lay.on < at:
            breaches.append(f"train {train.id}: {lay.tile} hangs on a later tile")
        elif lay.on != HUB and lay.joined not in joining_halves(
            rules, lay.tile, train.lays[lay.on].end
        ):
            breaches.append(f"train {train.id}: {lay.tile} does not join what it hangs on")
    breaches.extend(
        f"train {train.id}: the end {end.pip} is no end of what it hangs on"
        for end in train.ends
        if end.on != HUB and train.lays[end.on].end != end.pip
    )
    return tuple(breaches)
