"""Drawing, passing, and the marker of a seat that cannot lay.

Nothing here checks legality: `judge` has done so. [docs/rules.md §2.4, §6.1]
"""

from msgspec.structs import replace

from engine.play.denial import denies_all
from engine.play.playable import is_for_drawn, why_draws_not
from engine.play.reach import own_trains
from engine.play.turn_end import finish_turn, with_marker
from engine.refusals import RefusalReason
from engine.rules.switches import LayerMiss, MarkerEmpty, MarkerLayer
from engine.table.events import Event, Passed, TileDrawn
from engine.table.table import Table
from engine.table.trains import Seat, put
from engine.table.turn import TurnStage


def draw_step(table: Table, seat: Seat) -> tuple[Table, list[Event]]:
    """Draw the next tile of the boneyard, which must have one; the turn goes on.

    If the rules allow no lay after this draw, the tile that was due is lost, and the seat can only
    pass. [§5.10]
    """
    position = table.boneyard[0]
    held = table.hands[seat]
    rules = table.rules
    turn = table.turn
    stage = turn.stage
    if turn.doubles and rules.layer_miss is LayerMiss.DRAW_ONLY:
        # with an empty hand the seat draws to cover its last double, and may lay that tile [§7.1]
        to_be_out = not held and rules.last_double.asks_for_cover
        stage = stage if to_be_out else TurnStage.LOST
    after = replace(
        table,
        hands=put(table.hands, seat, (*held, position)),
        boneyard=table.boneyard[1:],
        drawn=True,
        turn=replace(turn, stage=stage, drawn=(*turn.drawn, position)),
    )
    return after, [TileDrawn(seat, position)]


def pass_step(table: Table) -> tuple[Table, list[Event]]:
    """Pass for the seat to move: its marker may go up, and its turn ends.

    The pass may also end the round, because the round is blocked or the last plays are over.
    """
    seat = table.to_move
    events: list[Event] = [Passed(seat)]
    counts = denies_all(table)  # before the marker changes the table
    if not table.trains[seat].marker and marks(table):
        table = with_marker(table, events, seat, up=True)
    if table.turn.stage is TurnStage.LOST:
        return finish_turn(table, events), events
    if counts:
        # putting the marker up reset the earlier passes, but this one counts [§7.2]
        table = replace(table, passed=table.passed | 1 << seat)
    return finish_turn(table, events, failed=True), events


def marks(table: Table) -> bool:
    """Return True if the seat to move must mark its train when it cannot lay. [docs/rules.md §6.1]

    Whether the marker is up already makes no difference.
    """
    rules, seat, turn = table.rules, table.to_move, table.turn
    if table.memory.bullet is not None or turn.stage is TurnStage.LOST:
        return False
    lost = turn.doubles and rules.layer_miss is LayerMiss.DRAW_ONLY
    if lost and not is_for_drawn(table):
        return False
    if rules.marker_empty is MarkerEmpty.PASS and _found_nothing(table):
        return False
    if table.owed and table.owed[0].begun:
        return False  # [§5.7]
    # partners mark once both have failed; with arms the seat has no train, so `all` holds
    failed = table.memory.failed | table.game.gone | 1 << seat
    if not all(failed >> own & 1 for own in own_trains(table, seat)):
        return False
    return rules.marker_layer is MarkerLayer.ALWAYS or not _left_elsewhere(table)


def _found_nothing(table: Table) -> bool:
    """Return True if an empty boneyard is the only reason why the seat has not drawn."""
    return not table.drawn and why_draws_not(table) is RefusalReason.BONEYARD_EMPTY


def _left_elsewhere(table: Table) -> bool:
    """Return True if the seat to move laid the double to cover, on another player's train.

    The double to cover is the last one of this turn, else the first one owed. Return False if it is
    on a Mexican train.
    """
    if table.turn.doubles:
        train_id, on = table.turn.doubles[-1]
    elif table.owed:
        train_id, on = table.owed[0].train, table.owed[0].on
    else:
        return False
    train = table.train(train_id)
    if train.is_mexican or train_id in own_trains(table, table.to_move):
        return False
    return train.lays[on].seat == table.to_move
