"""Every legal move of a seat: the list that players see and bots choose from."""

from engine.longest_train import TrainSearch, joints
from engine.longest_train.search import proven
from engine.longest_train.wild import wild_train
from engine.play.calls import calls_due, may_tap, offenders
from engine.play.chain import bullet_now, needs_pair, pairs, why_no_chain
from engine.play.claim import why_no_claim
from engine.play.due import due_seats, turn_of
from engine.play.hub_search import answers, turned_now
from engine.play.judge import why_illegal_holding, why_not_laid
from engine.play.places import OpenEnds, places
from engine.play.playable import draw_due
from engine.play.reach import open_ends_of, own_trains
from engine.play.step_rules import why_not_done, why_not_held, why_not_marked
from engine.rules.ruleset import RuleSet
from engine.rules.switches import WildBlanks
from engine.table.moves import (
    Catch,
    ChainLink,
    Declare,
    Discard,
    Done,
    DrawTile,
    LayChain,
    LayHub,
    LayTile,
    Mark,
    Move,
    NoDouble,
    Pass,
    PullBack,
    Quiet,
    Show,
    Silent,
    Tap,
    TurnUp,
    shows,
)
from engine.table.table import Hand, Table
from engine.table.trains import Seat
from engine.table.turn import EngineSearch, InPlay, OpeningAll, Returning, TurnStage
from engine.tiles import TILE_PIPS, Tile, tile_bits


def legal_moves(table: Table, hand: Hand) -> tuple[Move, ...]:
    """Return every legal move of the owner of `hand`, in a fixed order.

    Lays come first, sorted by tile, then train in table order, then end. After them come doubles
    that must be laid together with their cover, then a draw, pass or `Done`, markers, calls, and
    the bullet train. A chain is listed one tile at a time, with `Done` once it may end; a double
    with its cover, and a bullet train, are one move each. Answers about the hub are in the order of
    the hand.

    A seat that is not due has only calls, and only while a seat may be caught. When a tile is
    looked at or found, `hand` must also contain the tile at that position. This must agree with
    `why_illegal_holding`.
    """
    seat, now = hand.seat, table.now
    if isinstance(now, InPlay) and seat == table.to_move:
        return _in_turn(table, hand)
    if seat not in due_seats(table):
        return _calls(table, seat)
    if isinstance(now, OpeningAll):
        return _in_turn(turn_of(table, seat), hand)
    return _answers(table, hand)


def _in_turn(table: Table, hand: Hand) -> tuple[Move, ...]:
    now = places(table)
    rules = table.spec.rules
    turn = table.turn
    lays = _lays(hand, now, rules.wild_blanks)
    asks_hand = now.paired or now.led or now.needs_start
    if asks_hand or turn.doubles or rules.last_double.is_refused:
        lays = _held_to_rules(table, hand, now, lays)
    moves: tuple[Move, ...] = tuple(lays)
    # at the start of a turn a fitting tile must be laid, so no draw, pass or `Done` is legal
    must_lay = (
        turn.stage is TurnStage.START
        and not table.drawn
        and not now.unbound
        and table.memory.bullet is None
    )
    if not (must_lay and moves):
        moves += _words(table, hand, may_lay=bool(moves))
    speaks = rules.last_tile.is_told or rules.marker_voluntary.is_yes or rules.bullet.is_yes
    return (*moves, *_beside(table, hand)) if speaks and not turn.at_once else moves


def _words(table: Table, hand: Hand, *, may_lay: bool) -> tuple[Move, ...]:
    """Return the draw, pass or `Done` that the seat may make: at most one; () if it must lay.

    `may_lay` is True if the seat has a legal lay.
    """
    seat, stage = hand.seat, table.turn.stage
    if table.memory.bullet is not None:
        return (Done(seat),)
    if table.turn.is_due:
        # a seat that can lay nothing may always draw or pass
        if may_lay and why_no_claim(table, hand) is not None:
            return ()
        return (DrawTile(seat) if draw_due(table) else Pass(seat),)
    if stage is TurnStage.LOST:
        return (Pass(seat),)
    return (Done(seat),) if stage is not TurnStage.HELD and why_not_done(table) is None else ()


def _lays(hand: Hand, now: OpenEnds, blanks: WildBlanks) -> list[LayTile | LayChain]:
    """Return the lays of the tiles of the hand on all ends that they join, sorted by tile."""
    seat = hand.seat
    plain = now.plain
    doubles = now.doubles
    joins = blanks.joins
    faces = blanks.faces
    pips = 0
    for end in plain if plain is doubles else plain + doubles:
        pips |= faces[end.pip]
    # most tiles of a hand fit nowhere: one test of their pips saves testing every end
    fitting = []
    for position, tile in hand.tiles:
        if TILE_PIPS[tile] & pips:
            fitting.append((tile, position))
    fitting.sort()
    lays: list[LayTile | LayChain] = []
    for tile, position in fitting:
        halves = joins[tile]
        for end in plain if plain is doubles or tile[0] != tile[1] else doubles:
            for half in halves[end.pip]:
                lays.append(LayTile(seat, position, tile, end.train, end.on, half))  # noqa: PERF401
    return lays


def _held_to_rules(
    table: Table, hand: Hand, now: OpenEnds, lays: list[LayTile | LayChain]
) -> list[LayTile | LayChain]:
    """Return the lays that the rest of the hand allows.

    A double that needs a follower is listed as a pair with it, after the single tiles.
    """
    if now.paired:
        lays = [lay for lay in lays if not needs_pair(table, shows(lay)[0][1], lay.train)]
        lays += pairs(table, hand)
    held = [lay for lay in lays if isinstance(lay, LayChain) or not why_not_held(table, lay)]
    return [lay for lay in held if not why_not_laid(table, hand, lay)]


def _beside(table: Table, hand: Hand) -> list[Move]:
    """Return the further moves of the seat to move: markers, a tap, catches, a bullet train."""
    seat, rules = hand.seat, table.rules
    found: list[Move] = []
    if rules.marker_voluntary.is_yes:
        found += [Mark(seat, up) for up in (True, False) if not why_not_marked(table, up=up)]
    if may_tap(table, seat):
        found.append(Tap(seat))
    found += _catches(table, seat)
    bullet = bullet_of(table, hand) if bullet_now(table) else None
    return found if bullet is None else [*found, bullet]


def _catches(table: Table, seat: Seat) -> list[Move]:
    return [Catch(seat, offender) for offender in offenders(table) if offender != seat]


def bullet_of(table: Table, hand: Hand) -> LayChain | None:
    """Return a bullet train that lays the whole hand now, or None. [docs/rules.md §7.10]

    It goes on the first end of the seat's own trains that the whole hand fits. Return None also if
    the seat may not declare a bullet train.
    """
    tiles = {tile: position for position, tile in hand.tiles}
    shut = _shut_last(table, tuple(tiles))
    for own in own_trains(table, hand.seat):
        for end in open_ends_of(table.trains[own]):
            train = _whole_hand(table.rules, tuple(tiles), end.pip, shut)
            lays = tuple(ChainLink(tiles[tile], tile, half) for tile, half in train)
            move = LayChain(hand.seat, own, lays, on=end.on, bullet=True)
            if why_no_chain(table, move) is None:
                return move
    return None


def _shut_last(table: Table, tiles: tuple[Tile, ...]) -> int:
    """Return the bit set of the pips whose doubles, among these tiles, may not come last. [§7.1]

    It is 0 unless the rules refuse a live double as the last tile.
    """
    if not table.rules.last_double.is_refused:
        return 0
    left = table.unseen & ~tile_bits(tiles)
    fits = table.rules.wild_blanks.fits
    return sum(1 << low for low, high in tiles if low == high and fits[low] & left)


def _whole_hand(
    rules: RuleSet, tiles: tuple[Tile, ...], start: int, shut: int
) -> tuple[tuple[Tile, int], ...]:
    """Return all these tiles as one train, with the halves that join; () if they make none.

    With wild blanks, the last tile is not a double of the pips in `shut`. Without them, the tiles
    fix the pip on which the train ends, so it ends on a double only if every order does.
    """
    if rules.wild_blanks.is_yes:
        return wild_train(tiles, start, rules.wild_blanks.joins, shut)
    train = proven(TrainSearch(tiles, start)).best()[1]
    return tuple(joints(start, train)) if len(train) == len(tiles) else ()


def _calls(table: Table, seat: Seat) -> tuple[Move, ...]:
    """Return the calls of a seat that is not due: catches, then a tap, then `Quiet`.

    Return () while nobody may be caught.
    """
    if seat not in calls_due(table):
        return ()
    taps = (Tap(seat),) if may_tap(table, seat) else ()
    return (*_catches(table, seat), *taps, Quiet(seat))


def _answers(table: Table, hand: Hand) -> tuple[Move, ...]:
    """Return the answers that a seat may give before the first turn. [docs/rules.md §1.4-§1.8]"""
    seat = hand.seat
    kinds = answers(table)
    now = table.now
    turned = now.turned[-1:] if isinstance(now, EngineSearch) else ()
    # `hand` may also have the tile that was turned up or looked at: offer it once
    within = dict.fromkeys((*hand.tiles, *turned))
    doubles = [(at, tile) for at, tile in within if tile is not None and tile.is_double]
    possible: list[Move] = [
        kind(seat, position, tile)
        for kind in (LayHub, Declare)
        if kind in kinds
        for position, tile in doubles
    ]
    if Show in kinds:
        possible += [Show(seat, position, tile) for position, tile in hand.tiles]
    if TurnUp in kinds:
        possible += _turns(table, hand)
    if Discard in kinds:
        possible += [Discard(seat, position) for position in table.hands[seat]]
    if isinstance(now, Returning):
        possible += [PullBack(seat, now.layer, position) for position in table.hands[now.layer]]
    possible += [kind(seat) for kind in (NoDouble, Silent, DrawTile) if kind in kinds]
    return tuple(move for move in possible if why_illegal_holding(table, hand, move) is None)


def _turns(table: Table, hand: Hand) -> list[Move]:
    """Return the move in which this seat turns up or looks at the next tile, in a list.

    Return [] if it has no such move, or if all will see the tile and `hand` does not contain it.
    """
    known = dict(hand.tiles)
    return [
        TurnUp(seat, position, known[position] if for_all else None)
        for seat, position, for_all in turned_now(table)
        if seat == hand.seat and (not for_all or position in known)
    ]
