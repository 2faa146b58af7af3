"""The short way of the commonest rules (`TableSpec.plain_lays`): the same moves and tables, sooner.

Search plays thousands of rounds, and most of what it does is this. It must agree with the long
way of `menu`, `judging` and `laying`; `test_the_short_way_agrees_with_the_long_way` holds it to
that. Tuples are made by `tuple.__new__`, which spares what a named call costs.
"""

from typing import Final

from engine.play.draw_or_pass import marks
from engine.play.ends import may_start_mexican, usual_ends
from engine.play.playable import draw_due
from engine.play.turn_end import end_round
from engine.rules.spec import SEATS_MAX
from engine.rules.switches import LastDouble
from engine.table.events import (
    DoubleCovered,
    DoubleDead,
    DoubleOwed,
    EndOfLine,
    Event,
    MarkerDown,
    MarkerUp,
    Passed,
    RoundEnded,
    TileDrawn,
    TileLaid,
    TurnBegan,
)
from engine.table.moves import DrawTile, LayTile, Move, Pass
from engine.table.table import Ending, Hand, Outcome, Owed, RoundPhase, Table
from engine.table.trains import End, Laid, Seat, Train, TrainId
from engine.table.turn import FRESH, Turn, TurnStage
from engine.tiles import PIP_BITS, SET_BITS, tile_bit

_OVER: Final = RoundPhase.OVER
_COVER: Final = TurnStage.COVER
_OUT: Final = Ending.OUT
_ENDS: Final = LastDouble.ENDS
_BEGAN: Final = tuple(TurnBegan(Seat(seat)) for seat in range(SEATS_MAX))
_new = tuple.__new__


def legal_plainly(table: Table, hand: Hand) -> tuple[Move, ...]:
    """Every legal move of the seat in turn, which owns `hand`."""
    seat, ends = hand.seat, _ends_plainly(table)
    pips = {end[2] for end in ends}
    fitting = [
        (tile, position) for position, tile in hand.tiles if tile[0] in pips or tile[1] in pips
    ]
    if not fitting:
        return (DrawTile(seat) if draw_due(table) else Pass(seat),)
    fitting.sort()
    return tuple(
        [
            _new(LayTile, (seat, position, tile, train, on, pip))
            for tile, position in fitting
            for train, on, pip in ends
            if pip in tile
        ]
    )


def _ends_plainly(table: Table) -> list[tuple[TrainId, int, int]]:
    """Where the seat in turn may lay: train, what the end hangs on, its pips."""
    if table.owed:
        train, on, double = table.owed[0][:3]
        return [(train, on, double[1])]
    if table.turns < table.spec.seats:
        return list(usual_ends(table))
    own: int = table.to_move
    ends = []
    for id_, lays, marker, tips in table.trains:
        if marker or id_ == own or (id_ < 0 and (lays or may_start_mexican(table))):
            pip, on = tips[0]
            ends.append((id_, on, pip))
    return ends


def fits_plainly(table: Table, move: LayTile) -> bool:
    """Whether the seat in turn may lay that; where this says no, the long way still decides.

    The move may come from a hostile peer: every number in it is checked before it is used.
    """
    seat, position, tile, id_, on, joined = move
    low, high = tile
    spec = table.spec
    if joined != low and joined != high:
        return False
    if not 0 <= low <= high <= spec.pip_max or table.seen & tile_bit(tile):
        return False
    if position not in table.hands[seat]:
        return False
    if table.owed:
        train, at, double = table.owed[0][:3]
        return id_ == train and on == at and joined == double[1]
    if table.turns < spec.seats:
        return id_ == int(seat) and (joined, on) in table.trains[seat].ends
    if not table.has_train(id_):
        return False
    train_id, lays, marker, ends = table.trains[id_ if id_ >= 0 else spec.seats - 1 - id_]
    public = marker or train_id == int(seat) or (train_id < 0 and bool(lays))
    return public and (joined, on) in ends


def lay_plainly(table: Table, move: LayTile) -> tuple[Table, list[Event]]:
    """Lay a tile; a double is then owed, unless it is dead or its layer goes out with it."""
    seat, position, tile, train_id, on, joined = move
    spec, owed, trains, (low, high) = table.spec, table.owed, table.trains, tile
    index: int = train_id if train_id >= 0 else spec.seats - 1 - train_id
    _, lays, marker, _ = trains[index]
    events: list[Event] = [TileLaid(seat, tile, train_id, joined)]
    if owed:
        events.append(DoubleCovered(train_id, owed[0].tile))
    if marker and index == seat:
        marker = False
        events.append(MarkerDown(train_id))
    at = len(lays)
    ends = (_new(End, (low + high - joined, at)),)
    lays = (*lays, _new(Laid, (tile, joined, on, seat, position)))
    train = _new(Train, (train_id, lays, marker, ends))
    trains = (*trains[:index], train, *trains[index + 1 :])
    seen = table.seen | tile_bit(tile)
    unseen = SET_BITS[spec.pip_max] & ~seen
    dead = False
    if not (PIP_BITS[low] & unseen and PIP_BITS[high] & unseen):
        dead = _tell_ends(trains, move, unseen, events)
    hands = table.hands
    held = hands[seat]
    place = held.index(position)
    held = held[:place] + held[place + 1 :]
    hands = (*hands[:seat], held, *hands[seat + 1 :])
    to_move, turns, phase, outcome = seat, table.turns + 1, table.phase, None
    due: tuple[Owed, ...] = ()
    turn = FRESH
    if low == high and not dead and (held or spec.rules.last_double is not _ENDS):
        events.append(DoubleOwed(train_id, tile, seat))
        turns, due = table.turns, (Owed(train_id, at, tile),)
        turn = Turn(_COVER, doubles=((train_id, at),))
    elif held:
        to_move = Seat((seat + 1) % spec.seats)
        events.append(_BEGAN[to_move])
    else:
        phase, outcome = _OVER, Outcome(_OUT, seat)
        events.append(RoundEnded(_OUT, seat))
    after = (spec, table.round_number, table.first, table.hub, trains, hands, table.boneyard)
    rest = (to_move, phase, turns, False, due, 0, seen, table.past, outcome, turn, table.aside)
    return _new(Table, after + rest), events


def _tell_ends(trains: tuple[Train, ...], move: LayTile, unseen: int, events: list[Event]) -> bool:
    """Say which ends nothing can join any more; whether a double just laid is one."""
    low, high = move.tile
    dead = low == high and not PIP_BITS[low] & unseen
    if dead:
        events.append(DoubleDead(move.train, move.tile))
    for pip in dict.fromkeys(move.tile):
        if not PIP_BITS[pip] & unseen:
            events += [
                EndOfLine(train.id, pip)
                for train in trains
                if train.lays and train.ends[0].pip == pip
            ]
    return dead


def draw_plainly(table: Table, seat: Seat) -> tuple[Table, list[Event]]:
    """Draw a tile; which ones were drawn matters to nobody."""
    position, hands = table.boneyard[0], table.hands
    hands = (*hands[:seat], (*hands[seat], position), *hands[seat + 1 :])
    after = table._replace(hands=hands, boneyard=table.boneyard[1:], drawn=True)
    return after, [TileDrawn(seat, position)]


def pass_plainly(table: Table) -> tuple[Table, list[Event]]:
    """The seat in turn cannot lay what is due: marker up; all are blocked, or the next plays."""
    seat, trains, owed, passed = table.to_move, table.trains, table.owed, table.passed
    events: list[Event] = [Passed(seat)]
    train = trains[seat]
    if not train.marker and marks(table, drawn=table.drawn):
        train = _new(Train, (train.id, train.lays, True, train.ends))
        trains = (*trains[:seat], train, *trains[seat + 1 :])
        events.append(MarkerUp(train.id))
        passed = passed if owed else 0
    passed |= 1 << seat
    if not table.boneyard and passed == (1 << table.spec.seats) - 1:
        blocked = table._replace(trains=trains, passed=passed)
        return end_round(blocked, events, Ending.BLOCKED, None), events
    if owed:
        owed = (owed[0]._replace(left=owed[0].left | 1 << seat), *owed[1:])
    to_move = Seat((seat + 1) % table.spec.seats)
    events.append(_BEGAN[to_move])
    return table._replace(
        trains=trains,
        to_move=to_move,
        turns=table.turns + 1,
        drawn=False,
        owed=owed,
        passed=passed,
        turn=FRESH,
    ), events
