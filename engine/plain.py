"""Laying a plain tile, and drawing one, under the commonest rules: the same as in `laying`.

Search plays thousands of rounds, and most of what it does is this. It must agree with the long
way; `test_the_short_way_agrees_with_the_long_way` holds it to that.
"""

from engine.moves import (
    DoubleCovered,
    EndOfLine,
    Event,
    LayTile,
    MarkerDown,
    RoundEnded,
    TileDrawn,
    TileLaid,
    TurnBegan,
)
from engine.table import Ending, Outcome, Phase, Table
from engine.tiles import PIP_BITS, SET_BITS, tile_bit
from engine.trains import End, Laid, Seat, Train
from engine.turn import FRESH


def lay_plainly(table: Table, move: LayTile) -> tuple[Table, list[Event]]:
    """Lay a tile that is no double, where `TableSpec.plain_lays` holds."""
    seat, position, tile, train_id, on, joined = move
    spec, owed, phase = table.spec, table.owed, table.phase
    index = train_id if train_id >= 0 else spec.seats - 1 - train_id
    _, lays, marker, ends = table.trains[index]
    events: list[Event] = [TileLaid(seat, tile, train_id, joined)]
    if owed:
        events.append(DoubleCovered(train_id, owed[0].tile))
    if marker and index == seat:
        marker = False
        events.append(MarkerDown(train_id))
    new = End(tile[0] + tile[1] - joined, len(lays))
    at = ends.index((joined, on))
    laid = (*lays, Laid(tile, joined, on, seat, position))
    train = Train(train_id, laid, marker, (*ends[:at], new, *ends[at + 1 :]))
    trains = (*table.trains[:index], train, *table.trains[index + 1 :])
    seen = table.seen | tile_bit(tile)
    unseen = SET_BITS[spec.pip_max] & ~seen
    for pip in tile:
        if not PIP_BITS[pip] & unseen:
            events += [
                EndOfLine(each.id, pip)
                for each in trains
                if each.lays and any(end.pip == pip for end in each.ends)
            ]
    held = table.hands[seat]
    at = held.index(position)
    held = held[:at] + held[at + 1 :]
    to_move, outcome = Seat((seat + 1) % spec.seats), None
    if held:
        events.append(TurnBegan(to_move))
    else:
        to_move, phase, outcome = seat, Phase.OVER, Outcome(Ending.OUT, seat)
        events.append(RoundEnded(Ending.OUT, seat))
    after = Table(
        spec,
        table.round_number,
        table.first,
        table.hub,
        trains,
        (*table.hands[:seat], held, *table.hands[seat + 1 :]),
        table.boneyard,
        to_move,
        phase,
        table.turns + 1,
        drawn=False,
        owed=(),
        passes=0,
        seen=seen,
        past=table.past,
        outcome=outcome,
        turn=FRESH,
        aside=table.aside,
    )
    return after, events


def draw_plainly(table: Table, seat: Seat) -> tuple[Table, list[Event]]:
    """Draw a tile where `TableSpec.plain_lays` holds; which ones were drawn matters to nobody."""
    position, hands = table.boneyard[0], table.hands
    hands = (*hands[:seat], (*hands[seat], position), *hands[seat + 1 :])
    after = table._replace(hands=hands, boneyard=table.boneyard[1:], drawn=True)
    return after, [TileDrawn(seat, position)]
