"""The one judge: whether a move is legal, and if not, which rule it breaks first.

`why_illegal` reads the public table only, so that every peer reaches the same answer about every
seat. `why_illegal_holding` adds what the owner of a hand, or a referee, also knows. Codes and
their order are those of the notation; sentences are made elsewhere.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, TypeAlias, assert_never

from engine.moves import DrawTile, LayTile, Move, Pass
from engine.switches import ContinuousDraw, Draw, MexicanFrom, OpeningMiss, OwnTrainFirst
from engine.table import Hand, Phase, Table
from engine.tiles import PIP_BITS, SET_BITS, Tile, tile_bit, tiles_in
from engine.trains import End, Seat, Train, TrainId, own_train


class RefusalCode(Enum):
    """Why something is refused. Where several apply, the first in this order is named."""

    NOT_ALLOWED = "not-allowed"
    """No such action under these rules, or not now. Facts: `phase` or `action`."""
    NOT_YOUR_TURN = "not-your-turn"
    """Facts: `to_move` (a seat)."""
    NOT_YOUR_TILE = "not-your-tile"
    """Not in the hand, not in the set, or already seen. Facts: `tile`."""
    NO_SUCH_TRAIN = "no-such-train"
    """None, or not to be started yet. Facts: `train`."""
    OWED_DOUBLE = "owed-double"
    """Another end must be covered. Facts: `double`, `train` (where it lies)."""
    OWN_TRAIN_FIRST = "own-train-first"
    """The own train has no tile yet."""
    TRAIN_CLOSED = "train-closed"
    """Private, or not open in the first turn. Facts: `train`."""
    END_MISMATCH = "end-mismatch"
    """The tile does not fit that end. Facts: `tile`, `train`, `pip` once for each open end."""
    PLAYABLE_TILE = "playable-tile"
    """A draw or pass with a tile that can be laid. Facts: `tile`."""
    MUST_DRAW = "must-draw"
    """A pass while a draw is due."""
    ALREADY_DRAWN = "already-drawn"
    """A second draw for what is due now."""
    BONEYARD_EMPTY = "boneyard-empty"
    """A draw with nothing to draw."""
    WRONG_ENGINE = "wrong-engine"
    """Not the round's double, or used before."""
    MUST_DECLARE = "must-declare"
    """A double that had to be declared was not."""
    CHAIN_ENDS_DOUBLE = "chain-ends-double"
    """An opening chain may not end on a double."""
    IMPOSSIBLE_TABLE = "impossible-table"
    """There is no such table to play at. Facts: `problem` and what belongs to it."""


Fact: TypeAlias = tuple[str, int | str | Tile]
"""One thing a sentence about a refusal may name. Seats and trains are their numbers."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The first rule a move breaks."""

    code: RefusalCode
    facts: tuple[Fact, ...]
    rule: str
    """Where the rule is written, for example `rules.md §5.2`."""


RANK: Final = {code: rank for rank, code in enumerate(RefusalCode)}
"""Which of two refusals is named: the lower one."""


def why_illegal(table: Table, move: Move) -> Refusal | None:
    """The first rule `move` breaks as far as the public table shows, or None.

    The move may come from a hostile peer: every number in it is checked before it is used.
    Must agree with `legal_moves` and `playable_tiles`. [docs/rules.md §2-§6]
    """
    if table.phase is not Phase.PLAY:
        return Refusal(RefusalCode.NOT_ALLOWED, (("phase", table.phase.value),), "rules.md §7.1")
    if move.seat != table.to_move:
        facts = (("to_move", table.to_move),)
        return Refusal(RefusalCode.NOT_YOUR_TURN, facts, "rules.md §2.1")
    match move:
        case LayTile():
            return _why_no_lay(table, move)
        case DrawTile():
            return _why_no_draw(table)
        case Pass():
            return _why_no_pass(table)
        case _:
            assert_never(move)


def why_illegal_holding(table: Table, hand: Hand, move: Move) -> Refusal | None:
    """The first rule `move` breaks for the seat that holds `hand`, or None.

    `hand` may be a part of what the seat holds, when a referee does not know all of it: a tile at
    a position that `hand` does not name is taken as claimed.
    """
    public = why_illegal(table, move)
    private = None
    if move.seat == hand.seat == table.to_move and table.phase is Phase.PLAY:
        private = _why_not_with(table, hand, move)
    if public is None or private is None:
        return public or private
    return min(public, private, key=lambda refusal: RANK[refusal.code])


def _why_not_with(table: Table, hand: Hand, move: Move) -> Refusal | None:
    if isinstance(move, LayTile):
        held = dict(hand.tiles).get(move.position, move.tile)
        return None if held == move.tile else _not_your_tile(move.tile)
    playable = playable_bits(table)
    for _, tile in hand.tiles:
        if playable & tile_bit(tile):
            return Refusal(RefusalCode.PLAYABLE_TILE, (("tile", tile),), "rules.md §2.3")
    return None


def _why_no_lay(table: Table, move: LayTile) -> Refusal | None:
    tile = move.tile
    if not _may_be_held(table, tile) or move.position not in table.hands[move.seat]:
        return _not_your_tile(tile)
    if not table.has_train(move.train):
        return Refusal(RefusalCode.NO_SUCH_TRAIN, (("train", move.train),), "rules.md §4.1")
    train = table.train(move.train)
    refusal = _why_shut(table, train, move.on)
    if refusal is not None:
        return refusal
    if tile.has(move.joined) and End(move.joined, move.on) in train.ends:
        return None
    ends: tuple[Fact, ...] = tuple(("pip", end.pip) for end in train.ends)
    facts: tuple[Fact, ...] = (("tile", tile), ("train", train.id), *ends)
    return Refusal(RefusalCode.END_MISMATCH, facts, "rules.md §2.2")


def _may_be_held(table: Table, tile: Tile) -> bool:
    return 0 <= tile.low <= tile.high <= table.spec.pip_max and not table.seen & tile_bit(tile)


def _not_your_tile(tile: Tile) -> Refusal:
    return Refusal(RefusalCode.NOT_YOUR_TILE, (("tile", tile),), "rules.md §2.2")


def _why_shut(table: Table, train: Train, on: int) -> Refusal | None:
    """Why the seat in turn may not lay there, whatever the tile. Must agree with `open_ends`."""
    if train.is_mexican and not train.started and not _may_start_mexican(table):
        return Refusal(RefusalCode.NO_SUCH_TRAIN, (("train", train.id),), "rules.md §4.2")
    if table.owed:
        owed = table.owed[0]
        if (train.id, on) == (owed.train, owed.on):
            return None
        facts = (("double", owed.tile), ("train", owed.train))
        return Refusal(RefusalCode.OWED_DOUBLE, facts, "rules.md §5.2")
    if train.id == own_train(table.to_move):
        return None
    if _own_train_comes_first(table):
        return Refusal(RefusalCode.OWN_TRAIN_FIRST, (), "rules.md §3.4")
    if table.opening and not (train.is_mexican and _mexican_in_opening(table)):
        return Refusal(RefusalCode.TRAIN_CLOSED, (("train", train.id),), "rules.md §3.1")
    if not train.marker and not train.is_mexican:
        return Refusal(RefusalCode.TRAIN_CLOSED, (("train", train.id),), "rules.md §2.2")
    return None


def _mexican_in_opening(table: Table) -> bool:
    return table.rules.mexican_from is MexicanFrom.FIRST_TURN


def _may_start_mexican(table: Table) -> bool:
    """Whether the seat in turn may start a Mexican train now. [docs/rules.md §4.2]"""
    match table.rules.mexican_from:
        case MexicanFrom.FIRST_TURN:
            return True
        case MexicanFrom.AFTER_OPENING:
            return not table.opening
        case MexicanFrom.OWN_STARTED:
            # One tile a turn starts a train and ends the turn, so a train that is started
            # while its owner is in turn was started before this turn.
            return table.trains[table.to_move].started
        case _:
            assert_never(table.rules.mexican_from)


def _own_train_comes_first(table: Table) -> bool:
    return (
        table.rules.own_train_first is OwnTrainFirst.ELSEWHERE
        and not table.trains[table.to_move].started
    )


def draw_due(table: Table) -> bool:
    """Whether a seat that can lay nothing has to draw (else it passes). [docs/rules.md §2.4]"""
    if not table.boneyard:
        return False
    if _opening_without_draw(table):
        return False
    return not table.drawn or _draws_on(table)


def _opening_without_draw(table: Table) -> bool:
    return table.opening and not table.owed and table.rules.opening_miss is OpeningMiss.MARKER


def _draws_on(table: Table) -> bool:
    """Whether one draw is not the last. [docs/rules.md §2.4, §5.4]"""
    rules = table.rules
    if rules.draw is Draw.UNTIL_PLAYABLE:
        return True
    if rules.continuous_draw is ContinuousDraw.NO or not table.owed:
        return False
    owed = table.owed[0]
    layer = table.train(owed.train).lays[owed.on].seat
    return layer == table.to_move and table.passes >= table.spec.seats


def _why_no_draw(table: Table) -> Refusal | None:
    if draw_due(table):
        return None
    if _opening_without_draw(table):
        return Refusal(RefusalCode.NOT_ALLOWED, (("action", "draw"),), "rules.md §3.2")
    if table.drawn and not _draws_on(table):
        return Refusal(RefusalCode.ALREADY_DRAWN, (), "rules.md §2.4")
    return Refusal(RefusalCode.BONEYARD_EMPTY, (), "rules.md §2.4")


def _why_no_pass(table: Table) -> Refusal | None:
    if draw_due(table):
        return Refusal(RefusalCode.MUST_DRAW, (), "rules.md §2.4")
    return None


class OpenEnd(NamedTuple):
    """A place where the seat in turn may lay a tile that shows `pip`."""

    train: TrainId
    on: int
    pip: int


def open_ends(table: Table) -> tuple[OpenEnd, ...]:
    """Every end where the seat in turn may lay a tile that fits, in the order of `legal_moves`.

    Must agree with `why_illegal`. Empty when nothing is being played.
    """
    if table.phase is not Phase.PLAY:
        return ()
    if table.owed:
        train, on, tile = table.owed[0]
        return (OpenEnd(train, on, tile.high),)
    seats, own = table.spec.seats, own_train(table.to_move)
    if table.turns < seats or _own_train_comes_first(table):
        trains = table.trains[own : own + 1]
        if table.turns < seats and _mexican_in_opening(table):
            trains += table.mexican_trains
    else:
        trains = table.trains
    may_start = _may_start_mexican(table)
    found = []
    for id_, lays, marker, ends in trains:
        if id_ != own and not marker and (id_ >= 0 or not (lays or may_start)):
            continue
        if len(ends) == 1:
            pip, on = ends[0]
            found.append(OpenEnd(id_, on, pip))
        else:
            found += [OpenEnd(id_, on, pip) for pip, on in sorted(set(ends), key=_by_lay)]
    return tuple(found)


def _by_lay(end: End) -> tuple[int, int]:
    return end.on, end.pip


def playable_bits(table: Table) -> int:
    """Bit set of the unseen tiles that the seat in turn could lay."""
    bits = 0
    for end in open_ends(table):
        bits |= PIP_BITS[end.pip]
    return bits & SET_BITS[table.spec.pip_max] & ~table.seen


def playable_tiles(table: Table, seat: Seat) -> tuple[Tile, ...]:
    """Every unseen tile with a legal lay for `seat` now, in canonical order.

    This is the P of the proofs that a hand can lay nothing. Empty when it is another's turn.
    """
    return tiles_in(playable_bits(table)) if seat == table.to_move else ()


def unseen_tiles(table: Table) -> tuple[Tile, ...]:
    """Every tile that lies in a hand or in the boneyard, in canonical order."""
    return tiles_in(SET_BITS[table.spec.pip_max] & ~table.seen)


def legal_moves(table: Table, hand: Hand) -> tuple[Move, ...]:
    """Every legal move of the owner of `hand`, sorted by tile, then train, then end.

    Trains come in the order of the table. Draw or pass only where no tile can be laid; empty when
    it is not that seat's turn. Must agree with `why_illegal_holding`.
    """
    seat = hand.seat
    if seat != table.to_move or table.phase is not Phase.PLAY:
        return ()
    ends = open_ends(table)
    pips = {end[2] for end in ends}
    fitting = [
        (tile, position) for position, tile in hand.tiles if tile[0] in pips or tile[1] in pips
    ]
    if not fitting:
        return (DrawTile(seat),) if draw_due(table) else (Pass(seat),)
    fitting.sort()
    return tuple(
        [
            LayTile(seat, position, tile, train, on, pip)
            for tile, position in fitting
            for train, on, pip in ends
            if pip in tile
        ]
    )
