"""A round in play as one flat value, where the wheel of `native/engine` brings it.

Trying moves out takes thousands of rounds, and most of what a round costs is making tables. The
wheel has the same round in integers and bit sets, changed in place, with the quick policy beside
it. It is made of a table and turns into one again; its moves are numbers. No rule is declared there
or here: `facts` says what each switch comes to, and tests carry out every step both ways. Where
the wheel is silent, the rulebook speaks. It knows no drives, bullet trains or openings of all at
once (`is_flat`). It lists nothing where a double needs its follower, or where the rules know calls,
markers by choice or bullet trains; the policy in it leaves a choice to the rulebook where the whole
hand decides. [docs/decisions.md, The rulebook]
"""

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from engine.bots.facts import IS_BUILT, rules_of
from engine.bots.numbered import Numbered, numbered
from engine.bots.policy import Plans
from engine.struct import replace
from engine.table.moves import Done, DrawTile, LayTile, Move, Pass
from engine.table.table import Ending, Outcome, Owed, PlayOver, Table
from engine.table.trains import HUB, End, Laid, Position, Seat, Train, TrainId, train_index
from engine.table.turn import (
    InChain,
    InPlay,
    LastTurns,
    MayCover,
    MustCover,
    RoundMemory,
    Turn,
    TurnStage,
)
from engine.tiles import Tile, tile_bits

if IS_BUILT:
    from engine._flat import Round

_Ints: TypeAlias = tuple[int, ...]
_Rows: TypeAlias = tuple[_Ints, ...]


class _Outline(NamedTuple):
    """Whose turn it is, and the facts of the table that are no rows; then how it ended.

    `passed` and `gone` are bit sets of seats. `out` is -1 while nobody is out.
    """

    to_move: int
    turns: int
    drawn: int
    passed: int
    hub_pip: int
    gone: int
    is_over: int = 0
    is_blocked: int = 0
    out: int = -1


class _TurnPart(NamedTuple):
    """How far the seat in turn has got; `tip` is the place of a chain's last tile, else empty."""

    stage: int
    tip: _Ints
    laid: int
    from_hand: int
    started: int
    mark: int
    tapped: int


class _MemoryPart(NamedTuple):
    """State of the round that only some rules need; no turns are `left` before the last ones."""

    stocked: int
    out: int
    tapped: int
    silent: int
    failed: int
    voluntary: int
    closing: int
    left: int


class _Parts(NamedTuple):
    """A round as the wheel takes and gives it: trains by index, and tiles by number.

    A place is a train and the index of a tile on it.
    """

    outline: _Ints
    trains: tuple[tuple[int, _Ints], ...]
    """Whether the marker is up, and what the open ends hang on."""
    lays: _Rows
    """Train, tile, half that joins, what it hangs on, and seat, in the order of each train."""
    hands: _Rows
    boneyard: _Ints
    owed: _Rows
    """Train, what it lies on, need, whether it is begun, and seats that have left it."""
    turn: tuple[int, _Ints, int, int, int, int, int]
    drawn: _Ints
    doubles: _Rows
    memory: _Ints
    opened: _Rows
    plans: Plans


NOBODY: Final = -1
_UNSAID: Final = -1
"""In place of a seat, and of a marker that nobody has chosen."""

_STAGES: Final = (
    TurnStage.START,
    TurnStage.EXTRA,
    TurnStage.HELD,
    TurnStage.LOST,
    MustCover(),
    MayCover(),
)
_CHAIN: Final = len(_STAGES)
"""The stages by number; a chain comes behind them, as it is each time another one."""

_WORDS: Final = (DrawTile, Pass, Done)
"""The moves that need no more than a number, from 1 on."""


def is_flat(table: Table) -> bool:
    """Whether the wheel is there and knows all that matters at this table; False out of play."""
    turn = table.turn
    return (
        IS_BUILT
        and isinstance(table.now, InPlay)
        and not table.rules.swan_drive.is_yes
        and table.memory.bullet is None
        and not turn.at_once
        and _has_room(table)
    )


def _has_room(table: Table) -> bool:
    """Whether there cannot be more Mexican trains than the wheel knows.

    Only an open wild blank takes every tile of the set.
    """
    rules, hub = table.rules, table.hub
    is_open = rules.mexican.is_many and rules.wild_blanks.is_yes
    return not (is_open and hub is not None and hub.high == 0)


def flatten(table: Table, at: Mapping[Position, int], plans: Plans = ()) -> "Round":
    """The table as a flat round, which must be `is_flat`; `at` numbers the tiles of all positions.

    Tiles are numbered by weight, as `numbered` has it. Raises KeyError for a position in a hand or
    in the boneyard that `at` does not have.
    """
    number, trains, hub = numbered_tiles(table).number, table.trains, _hub(table)
    rows = [(index, lay) for index, train in enumerate(trains) for lay in train.lays]
    laid = {lay.position: number[lay.tile] for _, lay in rows}
    parts = _Parts(
        _Outline(
            *(table.to_move, table.turns, table.drawn, table.passed, hub.high, table.game.gone)
        ),
        tuple([(each.marker, tuple([end.on for end in each.ends])) for each in trains]),
        tuple([(row, number[lay.tile], lay.joined, lay.on, lay.seat) for row, lay in rows]),
        tuple([tuple([at[position] for position in held]) for held in table.hands]),
        tuple([at[position] for position in table.boneyard]),
        tuple([(*_place(table, o.train, o.on), o.need, o.begun, o.left) for o in table.owed]),
        _turn_part(table),
        tuple([laid[each] if each in laid else at[each] for each in table.turn.drawn]),
        tuple([_place(table, *double) for double in table.turn.doubles]),
        _memory_part(table.memory),
        tuple([_place(table, *double) for double in table.memory.opened]),
        plans,
    )
    return Round(rules_of(table.spec), parts)


def _hub(table: Table) -> Tile:
    # the caller has branched on the phase: play begins with a double in the hub
    assert table.hub is not None
    return table.hub


def _place(table: Table, train: TrainId, on: int) -> tuple[int, int]:
    return train_index(table.spec.seats, train), on


def _turn_part(table: Table) -> _TurnPart:
    turn, tip = table.turn, tuple[int, ...]()
    if isinstance(stage := turn.stage, InChain):
        number, tip = _CHAIN, _place(table, stage.train, stage.on)
    else:
        number = _STAGES.index(stage)
    mark = _UNSAID if turn.mark is None else turn.mark
    return _TurnPart(number, tip, turn.laid, turn.from_hand, turn.started, mark, turn.tapped)


def _memory_part(memory: RoundMemory) -> _MemoryPart:
    last = memory.last or LastTurns(closing=False, left=0)
    return _MemoryPart(
        memory.stocked,
        NOBODY if memory.out is None else memory.out,
        *(memory.tapped, memory.silent, memory.failed, memory.voluntary),
        *(last.closing, last.left),
    )


def table_of(flat: "Round", before: Table, positions: Mapping[int, Position]) -> Table:
    """The table of a flat round, where `before` is one of the same round.

    `positions` has the position of every tile that was not laid then, by number. What a flat round
    does not know is as it was before.
    """
    return _Unflattened(_Parts(*flat.parts()), before, positions).table(outcome_of(flat))


class _Unflattened:
    """Makes the table of a flat round from its parts, and from an earlier table of that round."""

    def __init__(self, parts: _Parts, before: Table, positions: Mapping[int, Position]) -> None:
        self._parts, self._before = parts, before
        self._tiles = numbered_tiles(before).tiles
        laid = {lay.tile: lay.position for train in before.trains for lay in train.lays}
        number = numbered_tiles(before).number
        self._positions = {**positions, **{number[tile]: at for tile, at in laid.items()}}
        self._trains = self._with_lays()

    def table(self, outcome: Outcome | None) -> Table:
        """Return the table: in play without an outcome, else over with it."""
        parts, outline = self._parts, _Outline(*self._parts.outline)
        return replace(
            self._before,
            trains=self._trains,
            hands=tuple(map(self._at, parts.hands)),
            boneyard=self._at(parts.boneyard),
            to_move=Seat(outline.to_move),
            now=InPlay() if outcome is None else PlayOver(outcome),
            turns=outline.turns,
            drawn=bool(outline.drawn),
            owed=tuple(map(self._owed, parts.owed)),
            passed=outline.passed,
            seen=self._before.seen | tile_bits(tuple([self._tiles[row[1]] for row in parts.lays])),
            turn=self._turn(),
            memory=self._memory(),
        )

    def _with_lays(self) -> tuple[Train, ...]:
        seats, hub = self._before.spec.seats, _hub(self._before)
        rows = [list[Laid]() for _ in self._parts.trains]
        for train, number, joined, on, seat in self._parts.lays:
            position = self._positions[number]
            rows[train].append(Laid(self._tiles[number], joined, on, Seat(seat), position))
        trains = []
        for index, (marker, ends) in enumerate(self._parts.trains):
            id_ = TrainId(index if index < seats else seats - 1 - index)
            open_ends = [
                End(id_, on, hub.high if on == HUB else rows[index][on].end) for on in ends
            ]
            trains.append(
                Train(id_, tuple(rows[index]), marker=bool(marker), ends=tuple(open_ends))
            )
        return tuple(trains)

    def _at(self, numbers: _Ints) -> tuple[Position, ...]:
        return tuple([self._positions[number] for number in numbers])

    def _place(self, row: _Ints) -> tuple[TrainId, int]:
        return self._trains[row[0]].id, row[1]

    def _owed(self, row: _Ints) -> Owed:
        train, on, need, begun, left = row
        tile = _hub(self._before) if on == HUB else self._trains[train].lays[on].tile
        return Owed(self._trains[train].id, on, tile, need, bool(begun), left)

    def _turn(self) -> Turn:
        turn = _TurnPart(*self._parts.turn)
        return Turn(
            InChain(*self._place(turn.tip)) if turn.stage == _CHAIN else _STAGES[turn.stage],
            self._at(self._parts.drawn),
            tuple(map(self._place, self._parts.doubles)),
            laid=bool(turn.laid),
            from_hand=bool(turn.from_hand),
            started=bool(turn.started),
            mark=None if turn.mark == _UNSAID else bool(turn.mark),
            tapped=bool(turn.tapped),
        )

    def _memory(self) -> RoundMemory:
        memory = _MemoryPart(*self._parts.memory)
        return RoundMemory(
            bool(memory.stocked),
            tuple(map(self._place, self._parts.opened)),
            None if memory.out == NOBODY else Seat(memory.out),
            *(memory.tapped, memory.silent, memory.failed, memory.voluntary),
            LastTurns(bool(memory.closing), memory.left) if memory.left else None,
        )


def outcome_of(flat: "Round") -> Outcome | None:
    """How a flat round ended; None while it is played."""
    end = flat.end()
    if end is None:
        return None
    is_blocked, seat = end
    return Outcome(Ending.BLOCKED, None) if is_blocked else Outcome(Ending.OUT, Seat(seat))


def plans_in(flat: "Round") -> Plans:
    """The plans in a flat round, by seat."""
    *_, plans = flat.parts()
    return plans


def code_of(table: Table, move: Move) -> int | None:
    """A move of the seat in turn as the number by which a flat round has it; None if it has not.

    It has lays of single tiles, draws, passes and `Done`. Raises ValueError for a lay where no end
    is.
    """
    if not isinstance(move, LayTile):
        return 1 + _WORDS.index(type(move)) if isinstance(move, DrawTile | Pass | Done) else None
    train = train_index(table.spec.seats, move.train)
    end = [end.on for end in table.trains[train].ends].index(move.on)
    number, is_high = numbered_tiles(table).number[move.tile], move.joined != move.tile.low
    return is_high << 2 | number << 3 | train << 11 | end << 17


def move_of(table: Table, code: int, positions: Mapping[int, Position]) -> Move:
    """The move of the seat in turn that has this number.

    `positions` has the position of the tile, by the tile's number.
    """
    seat, word = table.to_move, code & 3
    if word:
        return _WORDS[word - 1](seat)
    number, train = code >> 3 & 255, table.trains[code >> 11 & 63]
    tile, end = numbered_tiles(table).tiles[number], train.ends[code >> 17]
    joined = tile[code >> 2 & 1]
    return LayTile(seat, positions[number], tile, train.id, end.on, joined)


def numbered_tiles(table: Table) -> Numbered:
    """The tiles of a table by number, as a flat round has them."""
    return numbered(table.spec.pip_max, table.rules.wild_blanks)
