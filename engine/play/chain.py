"""Moves of several tiles, judged and carried out as single steps.

This module lays the tiles of a chain one by one on scratch tables. A chain in one move therefore
breaks the same rules, and changes the same things, as its tiles in single moves.
[docs/rules.md §3.1, §5.8]
"""

from collections.abc import Iterator, Sequence
from operator import itemgetter

from msgspec.structs import replace

from engine.play.lay import end_chain, lay_step
from engine.play.places import chains_now, double_ends, is_free_on, places
from engine.play.playable import dies, is_led, leads
from engine.play.reach import own_trains
from engine.play.step_rules import (
    chain_ends_double,
    chain_refusal,
    follows_bullet,
    pair_refusal,
    why_no_lay,
)
from engine.refusals import Refusal, RefusalReason, refused
from engine.table.events import BulletTrain, Event
from engine.table.moves import ChainLink, LayChain, LayTile
from engine.table.table import Hand, Table, joining_halves
from engine.table.trains import End, TrainId
from engine.table.turn import FRESH, InChain, InPlay, TurnStage
from engine.tiles import Tile


def why_not_alone(table: Table, move: LayTile) -> Refusal | None:
    """Return the refusal of a legal step that is not a whole move, or None if it is one.

    A step is not a whole move if it lays a double that needs the next tile in the same move.
    """
    return pair_refusal(table) if needs_pair(table, move.tile, move.train) else None


def needs_pair(table: Table, tile: Tile, train: TrainId) -> bool:
    """Return True if a tile may go on this train only together with the tile that follows it."""
    if not tile.is_double or not places(table).paired or leads(table, train):
        return False
    if is_free_on(table, train):
        return False
    return table.memory.last is None or not dies(table, tile)


def why_no_chain(table: Table, move: LayChain) -> Refusal | None:
    """Return the first rule that a move of several tiles breaks, or None if it is legal.

    Each tile is judged as a step, on the table after the tiles before it. A move without tiles is
    refused.
    """
    kind = _why_not_this_kind(table, move)
    # go on judging a chain on a wrong train, so that the refusal can name the rule that closes it
    if kind is not None and not _is_astray(table, move):
        return kind
    scratch = _begin(table, move)
    for at, link in enumerate(move.lays):
        goes_on = scratch.to_move == move.seat and isinstance(scratch.now, InPlay)
        if not goes_on or (at and scratch.turn is FRESH):
            return refused(RefusalReason.END_MISMATCH, tile=link.tile, train=move.train)
        lay = _step(scratch, move, at)
        refusal = why_no_lay(scratch, lay)
        if refusal is not None:
            return refusal
        scratch, _ = lay_step(scratch, lay)
    return chain_refusal(scratch) if chain_ends_double(scratch) else kind


def _why_not_this_kind(table: Table, move: LayChain) -> Refusal | None:
    """Return the refusal if a move of this kind may not be made now, else None.

    The kinds are the bullet train, the chain, and the double with the tile that follows it.
    """
    own = move.train in own_trains(table, table.to_move)
    if move.bullet:
        whole = len(move.lays) == len(table.hands[table.to_move])
        may = own and whole and bullet_now(table)
        return None if may and move.lays else Refusal(RefusalReason.NO_BULLET)
    if own and _is_chaining(table):
        may = not move.back
    else:
        may = len(move.lays) == 2 and needs_pair(table, move.lays[0].tile, move.train)
    return None if may and move.lays else Refusal(RefusalReason.NO_CHAIN)


def _is_astray(table: Table, move: LayChain) -> bool:
    """Return True if an opening chain goes to a train other than the seat's own.

    If that train is closed, the refusal should say so, and not that no chain may be laid. In a
    delayed opening, once the first turns are over, only a train that does not exist counts.
    """
    chains = move.lays and not move.bullet and chains_now(table)
    if not chains or move.train in own_trains(table, table.to_move):
        return False
    return table.opening or not table.has_train(move.train)


def _is_chaining(table: Table) -> bool:
    """Return True if a tile laid on the seat's own train now begins or continues a chain."""
    going_on = isinstance(table.turn.stage, InChain)
    return going_on or chains_now(table) or follows_bullet(table)


def bullet_now(table: Table) -> bool:
    """Return True if a seat with a fitting hand may declare a bullet train now. [§7.10]

    The hand of the seat to move is not checked.
    """
    return (
        table.rules.bullet.is_yes
        and table.turn.stage is TurnStage.START
        and not table.owed
        and table.memory.bullet is None
        and isinstance(table.now, InPlay)
    )


def _begin(table: Table, move: LayChain) -> Table:
    if not move.bullet:
        return table
    return replace(table, memory=replace(table.memory, bullet=move.seat))


def _step(table: Table, move: LayChain, at: int) -> LayTile:
    """Return the lay of the tile at this index of the chain; `table` is the table before it."""
    link = move.lays[at]
    train, on = move.train, move.on
    if at:
        on = len(table.train(train).lays) - 1
        if move.back and at == len(move.lays) - 1:
            train, on = _back_on(table, link, (train, on))
    return LayTile(move.seat, link.position, link.tile, train, on, link.joined)


def _back_on(table: Table, link: ChainLink, laid: tuple[TrainId, int]) -> tuple[TrainId, int]:
    """Return the place of a pair's second tile: an earlier double of this turn that it fits.

    A place is a train and the index of a lay. If the tile fits no such double, return `laid`, the
    place of the pair's own double.
    """
    for end in double_ends(table):
        fits = link.joined in joining_halves(table.rules, link.tile, end.pip)
        if fits and (end.train, end.on) != laid:
            return end.train, end.on
    return laid


def chain_step(table: Table, move: LayChain) -> tuple[Table, list[Event]]:
    """Lay the tiles of a legal move one by one, and end the turn after a chain.

    Return the table and the events in order.
    """
    events: list[Event] = [BulletTrain(move.seat)] if move.bullet else []
    table = _begin(table, move)
    turns = table.turns
    for at in range(len(move.lays)):
        table, more = lay_step(table, _step(table, move, at))
        events += more
    going_on = isinstance(table.now, InPlay) and table.turns == turns
    stage = table.turn.stage
    if going_on and isinstance(stage, InChain):
        table = end_chain(table, stage, events)
    return table, events


def why_not_continued(table: Table, hand: Hand, move: LayTile) -> Refusal | None:
    """Return the refusal of a lay that needs a follower if the hand has none, else None.

    Also return None if the hand is not fully known.
    """
    if len(hand.tiles) < len(table.hands[move.seat]):
        return None  # a referee may not know the whole hand, and the follower may be in the rest
    if not goes_on(table, hand, move):
        return chain_refusal(table)
    if not needs_pair(table, move.tile, move.train) or followers(table, hand, move):
        return None
    return pair_refusal(table)


def goes_on(table: Table, hand: Hand, move: LayTile) -> bool:
    """Return True if the hand can bring a chain to an allowed end after laying this tile.

    Return True also if the chain may end with the tile itself. A double can follow a double only
    with wild blanks, and only next to the double blank. The search therefore tries at most three
    doubles in a row, and in total no more lays than the square of the number of doubles in the
    hand.
    """
    if not is_led(table, move):
        return True
    after, _ = lay_step(table, move)
    return any(goes_on(after, hand, lay) for lay in _steps(after, hand, places(after).plain))


def led_doubles(table: Table, hand: Hand) -> tuple[LayTile, ...]:
    """Return the lays of doubles after which a chain must go on, if the hand can go on from them.

    They are sorted by tile. Return () if no chain must go on from a double now.
    """
    now = places(table)
    if not now.led:
        return ()
    return tuple(
        lay
        for lay in _steps(table, hand, now.doubles)
        if is_led(table, lay) and goes_on(table, hand, lay)
    )


def _steps(table: Table, hand: Hand, ends: Sequence[End]) -> Iterator[LayTile]:
    """Yield each legal lay of a tile of the hand on one of these ends, sorted by tile."""
    for position, tile in sorted(hand.tiles, key=itemgetter(1)):
        for end in ends:
            for joined in joining_halves(table.rules, tile, end.pip):
                lay = LayTile(hand.seat, position, tile, end.train, end.on, joined)
                if why_no_lay(table, lay) is None:
                    yield lay


def followers(table: Table, hand: Hand, move: LayTile) -> tuple[LayTile, ...]:
    """Return the lays that may follow the double laid by `move`, sorted by tile.

    Doubles are not among them. Return () if the turn or the round ends with that double.
    """
    after, _ = lay_step(table, move)
    if after.to_move != move.seat or not isinstance(after.now, InPlay):
        return ()
    steps = _steps(after, hand, places(after).plain)
    return tuple(lay for lay in steps if not lay.tile.is_double)


def pairs_from(table: Table, hand: Hand, move: LayTile) -> tuple[LayChain, ...]:
    """Return the legal moves that lay this double together with a tile that follows it.

    They are sorted by the second tile. Return () if nothing in the hand can follow it.
    """
    found = []
    end = (move.train, len(table.train(move.train).lays))  # the double's place on its train
    for cover in followers(table, hand, move):
        links = [ChainLink(lay.position, lay.tile, lay.joined) for lay in (move, cover)]
        back = (cover.train, cover.on) != end
        chain = LayChain(move.seat, move.train, tuple(links), on=move.on, back=back)
        if why_no_chain(table, chain) is None:
            found.append(chain)
    return tuple(found)


def pairs(table: Table, hand: Hand) -> tuple[LayChain, ...]:
    """Return every legal move that lays a double of the hand together with its follower.

    They are sorted by tile. Return () if no double needs its follower in the same move.
    """
    now = places(table)
    if not now.paired:
        return ()
    return tuple(
        pair
        for lay in _steps(table, hand, now.doubles)
        if needs_pair(table, lay.tile, lay.train)
        for pair in pairs_from(table, hand, lay)
    )
