"""Laying a tile: the changes it makes, and the tiles that must follow it.

Nothing here checks legality: `judge` has done so. A move of several tiles is a sequence of these
steps. [docs/rules.md §3, §5, §6]
"""

from typing import assert_never

from msgspec.structs import replace

from engine.play.denial import by_choice
from engine.play.draw_or_pass import marks
from engine.play.places import chains_now, drive_stops, drives, is_free_on, owed_before
from engine.play.reach import has_started, own_trains
from engine.play.turn_end import finish_turn, with_marker, with_owed
from engine.rules.switches import Branching, DutyOrder
from engine.table import events as ev
from engine.table.moves import LayTile
from engine.table.rounds import new_train
from engine.table.table import Owed, Table
from engine.table.trains import HUB, End, Laid, Train, TrainId, put, train_index
from engine.table.turn import InChain, InDrive, MayCover, MustCover, Stage, TurnStage
from engine.tiles import TILE_BITS


def lay_step(table: Table, move: LayTile) -> tuple[Table, list[ev.Event]]:
    """Lay one tile; the lay must be legal.

    The turn goes on, or it ends, perhaps with the whole round. Return the table and the events, the
    lay first.
    """
    events: list[ev.Event] = [ev.TileLaid(move.seat, move.tile, move.train, move.joined)]
    # classify the lay on the table before the tile, because the tile may begin a chain or a train
    train = table.train(move.train)
    is_free = is_free_on(table, move.train)
    chained = _is_chained(table, move)
    after = _with_tile(table, train, move)
    is_out = not after.hands[move.seat]
    # find what the lay requires on the table with the tile, which may be the last one that fits
    dead = after.is_dead(move.tile.other_end(move.joined))
    asks = move.tile.is_double and not dead and not is_free and not table.rules.cover.is_plain
    if is_out and not chained:
        asks = asks and table.rules.last_double.asks_for_cover
    if table.owed:
        after = replace(after, owed=_covered(table, events, move.train, move.on))
    marker = _marker_after(table, train, move, asks=asks)
    if marker != train.marker:
        after = with_marker(after, events, move.train, up=marker)
    if after.owed:
        after = _without_dead(after, events)
    _tell_ends(after, move, events, dead=dead)
    if chained:
        return _after_chained(after, move.train, events, dead=dead), events
    if asks:
        return _after_double(after, move, events), events
    if is_out:
        return finish_turn(after, events, out=True), events
    pending = None
    if move.tile.is_double:
        pending = _pending_after(after, move, dead=dead, free=is_free)
    if pending is None and table.rules.swan_drive.is_yes:
        pending = _driven(after, move, duty=bool(table.owed))
    return pending or finish_turn(after, events, out=False), events


def _with_tile(table: Table, train: Train, move: LayTile) -> Table:
    """Return the table with the tile moved from the hand to this train, and the turn updated."""
    tile = move.tile
    laid = Laid(tile, move.joined, move.on, move.seat, move.position)
    # its far half replaces the end that it joins; a branching double has several such ends
    new = End(train.id, len(train.lays), tile.other_end(move.joined))
    at = [end.on for end in train.ends].index(move.on)
    ends = put(train.ends, at, new) + _branches(table, train, move, new)
    longer = replace(train, lays=(*train.lays, laid), ends=ends)
    trains = put(table.trains, train_index(table.spec.seats, train.id), longer)
    if train.is_mexican and not train.lays:
        trains += _next_mexican(table)
    held = tuple(at for at in table.hands[move.seat] if at != move.position)
    turn = table.turn
    starts = move.train in own_trains(table, move.seat) and not has_started(table, move.seat)
    return replace(
        table,
        trains=trains,
        hands=put(table.hands, move.seat, held),
        passed=0,  # earlier passes no longer count [§7.2]
        seen=table.seen | TILE_BITS[tile],
        turn=replace(
            turn,
            laid=True,
            double_count=turn.double_count + tile.is_double,
            from_hand=turn.from_hand or move.position not in turn.drawn,
            started=turn.started or starts,
        ),
    )


def _is_chained(table: Table, move: LayTile) -> bool:
    """Return True if a tile belongs to an opening chain or to a bullet train. [§3.1, §7.10]"""
    if isinstance(table.turn.stage, InChain):
        return True
    begins = table.memory.bullet is not None or chains_now(table)
    return begins and move.train in own_trains(table, move.seat)


def _tell_ends(table: Table, move: LayTile, events: list[ev.Event], *, dead: bool) -> None:
    """Append events for a double that is dead, and for dead ends with a pip of the laid tile."""
    if dead and move.tile.is_double:
        events.append(ev.DoubleDead(move.train, move.tile))
    for pip in filter(table.is_dead, dict.fromkeys(move.tile)):
        events += [
            ev.EndOfLine(train.id, pip)
            for train in table.trains
            if train.lays and any(end.pip == pip for end in train.ends)
        ]


def _covered(table: Table, events: list[ev.Event], train: TrainId, on: int) -> tuple[Owed, ...]:
    """Return the doubles that are still owed after a lay at this place.

    A double that needs several tiles stays owed until the last of them, except in the last plays.
    Append an event for a double that is covered now.
    """
    found: list[Owed] = []
    for owed in table.owed:
        if (owed.train, owed.on) != (train, on):
            found.append(owed)
        elif owed.need > 1 and table.memory.last is None:
            found.append(replace(owed, need=owed.need - 1, begun=True, left=0))
        else:
            events.append(ev.DoubleCovered(train, owed.tile))
    return tuple(found)


def _without_dead(table: Table, events: list[ev.Event]) -> Table:
    """Return the table without owed doubles that nothing can cover any more. [docs/rules.md §5.5]

    Append an event for each. Lower the need of the others to the number of fitting tiles left.
    """
    kept: list[Owed] = []
    for owed in table.owed:
        left = table.fitting(owed.tile.high)
        if not left:
            events.append(ev.DoubleDead(owed.train, owed.tile))
        else:
            kept.append(replace(owed, need=min(owed.need, left)))
    return replace(table, owed=tuple(kept))


def _marker_after(table: Table, train: Train, move: LayTile, *, asks: bool) -> bool:
    """Return True if the train's marker is up once the tile is laid. [docs/rules.md §6]

    `asks` is True if the tile is a double that must be covered.
    """
    rules = table.rules
    if rules.double_public.is_yes and not train.is_mexican:
        if move.tile.is_double:
            return True
        if _covers(train, move.on):
            return train.marker
    if not train.marker:
        return False
    down = rules.marker_down
    takes_down = down.by_anybody or train.id in own_trains(table, move.seat)
    return not takes_down or (asks and not down.by_open_double)


def _covers(train: Train, on: int) -> bool:
    """Return True if a tile laid on the lay with this index is the first one on a double."""
    return on != HUB and train.lays[on].tile.is_double and train.is_bare(on)


def _branches(table: Table, train: Train, move: LayTile, new: End) -> tuple[End, ...]:
    """Return the ends that a tile opens besides its own end `new`. [docs/rules.md §5.7]"""
    match table.rules.branching:
        case Branching.NONE:
            return ()
        case Branching.CHICKEN_FOOT:
            if not _covers(train, move.on):
                return ()
            return (End(train.id, move.on, train.lays[move.on].end),) * 2
        case Branching.THREE_REQUIRED:
            return (new, new) if move.tile.is_double else ()
        case Branching.SPUR:
            return (new, new) if move.tile.is_double and not train.is_mexican else ()
        case unknown:
            assert_never(unknown)


def _next_mexican(table: Table) -> tuple[Train, ...]:
    """Return a new Mexican train to follow one just started, or () if the rules allow no more."""
    if table.hub is None or not table.rules.mexican.is_many:
        return ()
    return (new_train(TrainId(-1 - len(table.mexican_trains)), table.hub),)


def _after_chained(table: Table, train: TrainId, events: list[ev.Event], *, dead: bool) -> Table:
    """Go on with the chain from its last tile; end it if nothing can join or the hand is empty.

    `dead` is True if nothing can join.
    """
    chain = InChain(train, len(table.train(train).lays) - 1)
    if not table.hands[table.to_move] or dead:
        return end_chain(table, chain, events)
    return replace(table, turn=replace(table.turn, stage=chain))


def end_chain(table: Table, chain: InChain, events: list[ev.Event]) -> Table:
    """End the chain and the turn, and append the events to the list.

    A double at the end of the chain may then be owed, and the round may be over.
    """
    table = owe_chain_end(table, chain, events)
    return finish_turn(table, events, out=not table.hands[table.to_move])


def owe_chain_end(table: Table, chain: InChain, events: list[ev.Event]) -> Table:
    """Make a double at the end of a chain owed, once all have opened. [docs/rules.md §3.5]

    During the opening, only remember it, dead or not. Return the table unchanged if the chain does
    not end on a double, if the rules leave no duty, or after a bullet train. After the opening,
    also return it unchanged if the double is dead or was the last tile of the hand.
    """
    train = chain.train
    on = chain.on
    memory = table.memory
    lay = table.train(train).lays[on]
    owing = table.rules.cover.leaves_duty and memory.bullet is None
    if not (lay.tile.is_double and owing):
        return table
    if table.opening:
        return replace(table, memory=replace(memory, opened=(*memory.opened, (train, on))))
    if table.is_dead(lay.end) or not table.hands[table.to_move]:
        return table
    return with_owed(table, train, on, events)


def _pending_after(table: Table, move: LayTile, *, dead: bool, free: bool) -> Table | None:
    """Return the table if a tile is still due after a double that needs no cover, else None.

    `dead` is True if nothing can join the double, `free` if it takes down the seat's own marker.
    After a free double, the next tile need not have been held before the turn. [docs/rules.md §5.6,
    §5.8]
    """
    turn = table.turn
    if dead and table.memory.last is None and table.rules.cover.brings_extra:
        return _with_extra(table, move, free=free)
    is_pending = turn.stage is TurnStage.EXTRA or isinstance(turn.stage, MustCover)
    # a tile on a double of this turn covers it; anywhere else it leaves the double open
    if is_pending and (move.train, move.on) not in turn.doubles:
        held = dead and not free and table.rules.several.is_held_pair
        return replace(table, turn=replace(turn, stage=TurnStage.HELD if held else turn.stage))
    return None


def _driven(table: Table, move: LayTile, *, duty: bool) -> Table | None:
    """Return the table with a swan drive that may go on after this tile, or None if none may.

    `duty` is True if a double was owed before this tile.
    """
    if table.owed or (duty and table.turn.stage is TurnStage.START):
        return None
    drive = _drive_from(table, move)
    if drive is None or not drive_stops(table, drive):
        return None
    return replace(table, turn=replace(table.turn, stage=InDrive(drive)))


def _drive_from(table: Table, move: LayTile) -> TrainId | None:
    """Return the train from which a swan drive may go on after this lay, or None. [§2.6]"""
    stage = table.turn.stage
    if stage is TurnStage.START:
        goes_on = drives(table) and move.train in own_trains(table, move.seat)
    elif isinstance(stage, (MustCover, MayCover)):
        goes_on = stage.drive is not None
    else:
        goes_on = isinstance(stage, InDrive)
    return move.train if goes_on else None


def _after_double(table: Table, move: LayTile, events: list[ev.Event]) -> Table:
    """Return the table after a double that needs a cover: it may be owed, and the turn goes on.

    The turn is over if the rules say that a double ends it, or if this double was drawn and was the
    last tile. [docs/rules.md §5]
    """
    rules = table.rules
    turn = table.turn
    held = table.hands[move.seat]
    double = _last_lay(table, move)
    drive = _drive_from(table, move)
    if rules.cover.leaves_duty:
        table = with_owed(table, *double, events)
    if rules.cover.ends_turn:
        return finish_turn(table, events)
    # each double brings its own draw, except a further one that later seats cover [§5.1, §5.8]
    drawn = table.drawn and rules.several.is_shared and bool(turn.doubles)
    turn = replace(turn, doubles=(*turn.doubles, double))
    table = replace(table, turn=turn, drawn=drawn)
    if move.position in turn.drawn and by_choice(rules) and not held:
        # the drawn double was the last tile, so nothing in the hand covers it [§5.11]
        if marks(table):
            table = with_marker(table, events, table.to_move, up=True)
        return finish_turn(table, events)
    if table.memory.last is not None or _is_second(table):
        stage: Stage = TurnStage.HELD
    elif rules.cover.brings_extra:
        stage = TurnStage.EXTRA
    elif rules.cover.is_free_to_layer and held:
        stage = MayCover(drive)
    else:  # also for the last tile, if the rules require a cover before the seat is out [§7.1]
        stage = MustCover(drive)
    return replace(table, turn=replace(turn, stage=stage))


def _last_lay(table: Table, move: LayTile) -> tuple[TrainId, int]:
    """Return the place of the tile that this move laid: its train, and its index there."""
    return move.train, len(table.train(move.train).lays) - 1


def _is_second(table: Table) -> bool:
    """Return True if this turn has a second double that needs a cover held before the turn."""
    return table.turn.double_count > 1 and table.rules.several.is_held_pair


def _with_extra(table: Table, move: LayTile, *, free: bool) -> Table:
    """Let a dead double bring its player one more tile to lay. [§5.2]

    Under `duty-order=last-played`, that tile may also go on an older double that is owed.
    """
    turn = table.turn
    rules = table.rules
    before = owed_before(table)
    doubles = (*turn.doubles, _last_lay(table, move))
    if before is not None and rules.duty_order is DutyOrder.LAST_PLAYED:
        doubles = (*doubles, (before.train, before.on))
    is_held = _is_second(table) and not free
    stage = TurnStage.HELD if is_held else TurnStage.EXTRA
    return replace(table, turn=replace(turn, stage=stage, doubles=doubles), drawn=False)


def done_step(table: Table) -> tuple[Table, list[ev.Event]]:
    """End the turn of a seat that lays no more, and its chain if it has one.

    The round may end, too. Return the table and the events.
    """
    events: list[ev.Event] = [ev.TurnDone(table.to_move)]
    stage = table.turn.stage
    if isinstance(stage, InChain):
        return end_chain(table, stage, events), events
    return finish_turn(table, events), events
