"""The only code that makes the next table.

`apply` takes a legal move; what it changes follows docs/rules.md §2 to §7. What happened is told
once more as events, which nothing here reads.
"""

from collections.abc import Sequence
from typing import assert_never

from engine.legality import why_illegal
from engine.moves import (
    DoubleCovered,
    DoubleDead,
    DoubleOwed,
    DrawTile,
    Event,
    GameEnded,
    LayTile,
    MarkerDown,
    MarkerUp,
    Move,
    Pass,
    Passed,
    RoundBegan,
    RoundEnded,
    RoundScored,
    TileDrawn,
    TileLaid,
    TurnBegan,
)
from engine.rules import RuleSet
from engine.scoring import round_scores, totals, winners
from engine.switches import (
    Branching,
    DoublePublic,
    LastDouble,
    MarkerDouble,
    MarkerEmpty,
    MarkerLayer,
    Mexican,
)
from engine.switches import MarkerDown as MarkerDownRule
from engine.table import Ending, Outcome, Owed, Phase, Table, new_train
from engine.tiles import PIP_BITS, SET_BITS, Tile, tile_bit
from engine.trains import HUB, End, Laid, Seat, Train, TrainId, own_train, train_index


def apply(table: Table, move: Move) -> tuple[Table, tuple[Event, ...]]:
    """The table after a legal move, and what happened. Ask `why_illegal` first."""
    assert why_illegal(table, move) is None, (table, move)
    match move:
        case LayTile():
            return _lay(table, move)
        case DrawTile():
            return _draw(table, move.seat)
        case Pass():
            return _pass(table, move.seat)
        case _:
            assert_never(move)


def opening_events(table: Table) -> tuple[Event, ...]:
    """What there is to tell about a table that `start_game` or `next_round` made."""
    return (RoundBegan(table.round_number, table.hub, table.first), TurnBegan(table.to_move))


def score_round(table: Table, hands: Sequence[Sequence[Tile]]) -> tuple[Table, tuple[Event, ...]]:
    """The table after the hands of a finished round were opened, by seat. [docs/rules.md §7.3]

    That the hands are the right ones is for the caller to have proved.
    """
    assert table.phase is Phase.OVER
    assert table.outcome is not None
    assert [len(tiles) for tiles in hands] == [len(held) for held in table.hands]
    scores = round_scores(table.rules, table.outcome, hands)
    last = table.round_number + 1 >= table.spec.rounds
    table = table._replace(
        past=(*table.past, scores), phase=Phase.FINISHED if last else Phase.SCORED
    )
    events: list[Event] = [RoundScored(scores, totals(table))]
    if last:
        events.append(GameEnded(winners(table)))
    return table, tuple(events)


def _lay(table: Table, move: LayTile) -> tuple[Table, tuple[Event, ...]]:
    """Lay a tile; then its double is owed, or the round is over, or the turn is."""
    seat, position, tile, train_id, _, joined = move
    rules = table.spec.rules
    events: list[Event] = [TileLaid(seat, tile, train_id, joined)]
    owed = table.owed
    if owed:
        events.append(DoubleCovered(train_id, owed[0].tile))
    before = table.trains[train_index(table.spec.seats, train_id)]
    held = table.hands[seat]
    at = held.index(position)
    held = held[:at] + held[at + 1 :]
    seen = table.seen | tile_bit(tile)
    double = tile[0] == tile[1]
    dead = double and not PIP_BITS[tile[0]] & SET_BITS[table.spec.pip_max] & ~seen
    owes = double and not dead and _is_owed(rules, before, move, last=not held)
    marker = _marker_after(rules, before, move, covers=bool(owed), owes=owes)
    if marker != before.marker:
        events.append(MarkerUp(train_id) if marker else MarkerDown(train_id))
    if dead:
        events.append(DoubleDead(train_id, tile))
    if owes:
        events.append(DoubleOwed(train_id, tile, seat))
    owed = (*owed[1:], Owed(train_id, len(before.lays), tile)) if owes else owed[1:]
    to_move, phase, turns, outcome = table.to_move, table.phase, table.turns, table.outcome
    if not owes and held:
        to_move, turns = _next_seat(table), turns + 1
        events.append(TurnBegan(to_move))
    elif not owes:
        phase, turns, outcome = Phase.OVER, turns + 1, Outcome(Ending.OUT, seat)
        events.append(RoundEnded(Ending.OUT, seat))
    after = Table(
        table.spec,
        table.round_number,
        table.first,
        table.hub,
        _trains_with(table, _train_with(rules, before, move, marker=marker)),
        (*table.hands[:seat], held, *table.hands[seat + 1 :]),
        table.boneyard,
        to_move,
        phase,
        turns,
        drawn=False,
        owed=owed,
        passes=0,
        seen=seen,
        past=table.past,
        outcome=outcome,
    )
    return after, tuple(events)


def _is_owed(rules: RuleSet, train: Train, move: LayTile, *, last: bool) -> bool:
    """Whether a double just laid, and not dead, must be covered. [docs/rules.md §5, §7.1]"""
    if last and rules.last_double is LastDouble.ENDS:
        return False
    return not (
        rules.marker_double is MarkerDouble.FREE
        and train.marker
        and train.id == own_train(move.seat)
        and rules.marker_down is not MarkerDownRule.OWN_COVERED
    )


def _marker_after(rules: RuleSet, train: Train, move: LayTile, *, covers: bool, owes: bool) -> bool:
    """Whether the train's marker is up once the tile lies there. [docs/rules.md §6]"""
    if rules.double_public is DoublePublic.YES and not train.is_mexican:
        if move.tile.is_double:
            return True
        if covers:
            return train.marker
    if not train.marker:
        return False
    match rules.marker_down:
        case MarkerDownRule.OWN_PLAY:
            return train.id != own_train(move.seat)
        case MarkerDownRule.OWN_COVERED:
            return train.id != own_train(move.seat) or owes
        case MarkerDownRule.ANY_PLAY:
            return False
        case _:
            assert_never(rules.marker_down)


def _train_with(rules: RuleSet, train: Train, move: LayTile, *, marker: bool) -> Train:
    """The train with the tile on it: its end is replaced, and a double may branch."""
    joined, on = move.joined, move.on
    at = train.ends.index(End(joined, on))
    low, high = move.tile
    ends = (*train.ends[:at], End(low + high - joined, len(train.lays)), *train.ends[at + 1 :])
    if rules.branching is Branching.CHICKEN_FOOT and _covers_first(train, on):
        ends = (*ends, End(joined, on), End(joined, on))
    laid = Laid(move.tile, joined, on, move.seat, move.position)
    return Train(train.id, (*train.lays, laid), marker, ends)


def _covers_first(train: Train, on: int) -> bool:
    """Whether a tile laid there is the first one on a double of this train."""
    if on == HUB or not train.lays[on].tile.is_double:
        return False
    return all(laid.on != on for laid in train.lays)


def _trains_with(table: Table, train: Train) -> tuple[Train, ...]:
    """The trains with this one in its place, and the next Mexican train where rules have it."""
    at = train_index(table.spec.seats, train.id)
    trains = (*table.trains[:at], train, *table.trains[at + 1 :])
    if table.spec.rules.mexican is Mexican.MANY and train.id < 0 and len(train.lays) == 1:
        assert table.hub is not None
        trains += (new_train(TrainId(-1 - len(table.mexican_trains)), table.hub),)
    return trains


def _draw(table: Table, seat: Seat) -> tuple[Table, tuple[Event, ...]]:
    position = table.boneyard[0]
    hands = table.hands
    hands = (*hands[:seat], (*hands[seat], position), *hands[seat + 1 :])
    after = table._replace(hands=hands, boneyard=table.boneyard[1:], drawn=True)
    return after, (TileDrawn(seat, position),)


def _pass(table: Table, seat: Seat) -> tuple[Table, tuple[Event, ...]]:
    """The marker goes up, and the next seat is in turn, or the round is blocked."""
    events: list[Event] = [Passed(seat)]
    trains = table.trains
    if not trains[seat].marker and _marks(table, seat):
        events.append(MarkerUp(own_train(seat)))
        trains = (*trains[:seat], trains[seat]._replace(marker=True), *trains[seat + 1 :])
    passes, turns = table.passes + 1, table.turns + 1
    if not table.boneyard and passes >= table.spec.seats:
        events.append(RoundEnded(Ending.BLOCKED, None))
        after = table._replace(
            trains=trains,
            phase=Phase.OVER,
            outcome=Outcome(Ending.BLOCKED, None),
            passes=passes,
            turns=turns,
            drawn=False,
            owed=(),
        )
        return after, tuple(events)
    to_move = _next_seat(table)
    events.append(TurnBegan(to_move))
    after = table._replace(trains=trains, passes=passes, turns=turns, to_move=to_move, drawn=False)
    return after, tuple(events)


def _marks(table: Table, seat: Seat) -> bool:
    """Whether a seat that can lay nothing marks its train. [docs/rules.md §6.1]"""
    rules = table.rules
    if rules.marker_empty is MarkerEmpty.PASS and not table.boneyard and not table.drawn:
        return False
    if rules.marker_layer is MarkerLayer.ALWAYS or not table.owed:
        return True
    owed = table.owed[0]
    train = table.train(owed.train)
    return train.lays[owed.on].seat != seat or train.is_mexican or train.id == own_train(seat)


def _next_seat(table: Table) -> Seat:
    return Seat((table.to_move + 1) % table.spec.seats)
