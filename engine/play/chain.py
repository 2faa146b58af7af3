"""Moves of several tiles, judged and carried out as the steps they consist of.

The tiles of a chain are laid one after another on tables that nobody else sees, so a chain in one
move and the same chain tile by tile break and change exactly the same. [docs/rules.md §3.1, §5.8]
"""

from collections.abc import Iterator, Sequence

from engine.play.lay import end_chain, lay_step
from engine.play.places import chains_now, double_ends, is_free_on, places
from engine.play.playable import dies, is_led, leads
from engine.play.reach import own_trains
from engine.play.step_rules import chain_ends_double, chain_refusal, pair_refusal, why_no_lay
from engine.refusals import Refusal, RefusalReason
from engine.struct import replace
from engine.table.events import BulletTrain, Event
from engine.table.moves import ChainLink, LayChain, LayTile
from engine.table.table import Hand, Table, joining_halves
from engine.table.trains import HUB, End, Position, TrainId
from engine.table.turn import FRESH, InChain, InPlay, TurnStage
from engine.tiles import Tile


def why_not_alone(table: Table, move: LayTile) -> Refusal | None:
    """Why a legal step is not a move of its own: a double that needs the next tile with it.

    None if it is one.
    """
    if not needs_pair(table, move.tile, move.train):
        return None
    return pair_refusal(table)


def needs_pair(table: Table, tile: Tile, train: TrainId) -> bool:
    """Whether a tile may be laid on this train only together with the tile that follows it."""
    if not tile.is_double or not places(table).paired or leads(table, train):
        return False
    if is_free_on(table, train):
        return False
    return table.memory.last is None or not dies(table, tile)


def why_no_chain(table: Table, move: LayChain) -> Refusal | None:
    """The first rule that a move of several tiles breaks; None if it is legal."""
    kind = _why_not_this_kind(table, move)
    if kind is not None and not _is_astray(table, move):
        return kind
    scratch = _begin(table, move)
    for at, link in enumerate(move.lays):
        if (
            scratch.to_move != move.seat
            or not isinstance(scratch.now, InPlay)
            or (at and scratch.turn is FRESH)
        ):
            return _too_long(table, move, link)
        lay = _step(scratch, move, at)
        refusal = why_no_lay(scratch, lay)
        if refusal is not None:
            return refusal
        scratch, _ = lay_step(scratch, lay)
    return chain_refusal(scratch) if chain_ends_double(scratch) else kind


def _too_long(table: Table, move: LayChain, link: ChainLink) -> Refusal:
    train = table.train(move.train)
    facts = (("tile", link.tile), ("train", train.id))
    return Refusal(RefusalReason.END_MISMATCH, facts)


def _why_not_this_kind(table: Table, move: LayChain) -> Refusal | None:
    """Why a chain, pair or bullet may not be laid now; None if this kind of move may."""
    refusal = Refusal(RefusalReason.NO_BULLET if move.bullet else RefusalReason.NO_CHAIN)
    if not move.lays:
        return refusal
    if move.bullet:
        return None if may_bullet(table, move) else refusal
    own = move.train in own_trains(table, table.to_move)
    if own and (
        chains_now(table) or isinstance(table.turn.stage, InChain) or _follows_bullet(table)
    ):
        return None if not move.back else refusal
    if len(move.lays) == 2 and needs_pair(table, move.lays[0].tile, move.train):
        return None
    return refusal


def _is_astray(table: Table, move: LayChain) -> bool:
    """Whether an opening chain goes to a wrong train.

    It is refused for the train, if that is shut.
    """
    if not move.lays or move.bullet or not chains_now(table):
        return False
    wrong = not table.has_train(move.train) or table.opening
    return wrong and move.train not in own_trains(table, table.to_move)


def _follows_bullet(table: Table) -> bool:
    return table.memory.bullet is not None and table.turn.stage is TurnStage.START


def may_bullet(table: Table, move: LayChain) -> bool:
    """Whether a bullet train may be declared now, as far as the public table shows. [§7.10]"""
    return (
        bullet_now(table)
        and move.train in own_trains(table, table.to_move)
        and len(move.lays) == len(table.hands[table.to_move])
    )


def bullet_now(table: Table) -> bool:
    """Whether the seat in turn is at a point where it may declare a bullet train."""
    return (
        table.spec.rules.bullet.is_yes
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
    """The tile at this place of the chain, as a step on the table reached by then."""
    link = move.lays[at]
    train, on = move.train, move.on
    if at:
        on = _last_on(table, move.train)
        if move.back and at == len(move.lays) - 1:
            train, on = _back_on(table, link, (train, on))
    return LayTile(move.seat, link.position, link.tile, train, on, link.joined)


def _back_on(table: Table, link: ChainLink, laid: tuple[TrainId, int]) -> tuple[TrainId, int]:
    """The open double laid before the last one, if the tile fits it; else that last lay."""
    rules = table.spec.rules
    for end in double_ends(table):
        fits = link.joined in joining_halves(rules, link.tile, end.pip)
        if fits and (end.train, end.on) != laid:
            return end.train, end.on
    return laid


def _last_on(table: Table, train: TrainId) -> int:
    return len(table.train(train).lays) - 1 if table.has_train(train) else HUB


def chain_step(table: Table, move: LayChain) -> tuple[Table, list[Event]]:
    """Lay a legal chain, which ends the turn."""
    events: list[Event] = [BulletTrain(move.seat)] if move.bullet else []
    table = _begin(table, move)
    turns = table.turns
    for at in range(len(move.lays)):
        table, more = lay_step(table, _step(table, move, at))
        events += more
    going_on, stage = isinstance(table.now, InPlay) and table.turns == turns, table.turn.stage
    if going_on and isinstance(stage, InChain):
        table = end_chain(table, stage, events)
    return table, events


def why_not_continued(table: Table, hand: Hand, move: LayTile) -> Refusal | None:
    """Why a double that needs a follower is refused to a seat that holds none.

    None if it has one, or if its hand is not wholly known.
    """
    if len(hand.tiles) < len(table.hands[move.seat]):
        return None
    if not goes_on(table, hand, move):
        return chain_refusal(table)
    if not needs_pair(table, move.tile, move.train) or followers(table, hand, move):
        return None
    return pair_refusal(table)


def goes_on(table: Table, hand: Hand, move: LayTile) -> bool:
    """Whether a hand can bring a chain to an allowed end after laying this tile.

    Double follows double only beside the double blank, where blanks are wild. At most three are
    therefore tried in a row: for all doubles of a hand no more lays than the square of their
    number.
    """
    if not is_led(table, move):
        return True
    after, _ = lay_step(table, move)
    return any(
        why_no_lay(after, lay) is None and goes_on(after, hand, lay)
        for lay in _fitting(after, hand, places(after).plain)
    )


def led_doubles(table: Table, hand: Hand) -> tuple[LayTile, ...]:
    """The doubles of a hand that may be laid in a chain now, as the hand can go on from them."""
    now = places(table)
    if not now.led:
        return ()
    return tuple(
        lay
        for lay in _fitting(table, hand, now.doubles)
        if is_led(table, lay) and why_no_lay(table, lay) is None and goes_on(table, hand, lay)
    )


def _fitting(table: Table, hand: Hand, ends: Sequence[End]) -> Iterator[LayTile]:
    """Every tile of a hand on each of these ends that it joins, sorted by tile."""
    rules = table.spec.rules
    for position, tile in sorted(hand.tiles, key=_by_tile):
        for end in ends:
            for joined in joining_halves(rules, tile, end.pip):
                yield LayTile(hand.seat, position, tile, end.train, end.on, joined)


def followers(table: Table, hand: Hand, move: LayTile) -> tuple[LayTile, ...]:
    """The tiles of a hand that may follow a double that is laid, as steps."""
    after, _ = lay_step(table, move)
    if after.to_move != move.seat or not isinstance(after.now, InPlay):
        return ()
    return tuple(
        lay
        for lay in _fitting(after, hand, places(after).plain)
        if not lay.tile.is_double and why_no_lay(after, lay) is None
    )


def _by_tile(held: tuple[Position, Tile]) -> Tile:
    return held[1]


def pairs_from(table: Table, hand: Hand, move: LayTile) -> tuple[LayChain, ...]:
    """The moves that lay a double together with a tile of the hand that follows it."""
    found = []
    for cover in followers(table, hand, move):
        lays = (
            ChainLink(move.position, move.tile, move.joined),
            ChainLink(cover.position, cover.tile, cover.joined),
        )
        own = (cover.train, cover.on) == (move.train, len(table.train(move.train).lays))
        chain = LayChain(move.seat, move.train, lays, on=move.on, back=not own)
        if why_no_chain(table, chain) is None:
            found.append(chain)
    return tuple(found)


def pairs(table: Table, hand: Hand) -> tuple[LayChain, ...]:
    """Every move of a double and its follower that a hand allows now, sorted by tile."""
    now = places(table)
    if not now.paired:
        return ()
    found: list[LayChain] = []
    for lay in _fitting(table, hand, now.doubles):
        if needs_pair(table, lay.tile, lay.train):
            found += pairs_from(table, hand, lay)
    return tuple(found)
