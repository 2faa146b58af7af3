"""Advice on a move, with its reasons as facts; `cli` words the sentences.

However the bot chose the move, a player can check the reasons by looking at the table and their own
hand.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Final

from msgspec import Struct

from engine.bots.effort import Effort
from engine.bots.levels import EXPERT_ROLLOUTS
from engine.bots.margin import Margin, margin_over
from engine.bots.pieces import Pieces, in_pieces
from engine.bots.search import search
from engine.chance import Entropy
from engine.longest_train import longest_train
from engine.play.reach import own_ends, own_trains, played_trains
from engine.table.moves import LayTile, Move
from engine.table.table import Table
from engine.table.trains import Train, TrainId
from engine.tiles import TILE_BITS, Tile
from engine.view import SeatView

MARGIN_DEALS: Final = 60
"""Further deals for comparing the move with its runner-up, as far as time allows."""

ENOUGH: Final = 100
"""Advice that stops before this many rounds were played out is little better than a guess."""


class ReasonKind(Enum):
    """Kinds of reasons for a lay, or against it, the most important first."""

    ONLY_ONE = "only-one"
    """Nothing else can be played."""
    GOES_OUT = "goes-out"
    """It is the last tile of the hand."""
    COVERS = "covers"
    """It covers an open double: `tile`, on `train`."""
    TAKES_MARKER_DOWN = "takes-marker-down"
    """The seat's own train becomes private again."""
    KEEPS_COVER = "keeps-cover"
    """It is a double, and the hand holds `count` tiles that cover it."""
    EXTENDS = "extends"
    """It begins a chain of `count` tiles, including this one, on the seat's own train."""
    KEEPS_TRAIN = "keeps-train"
    """It keeps a chain of `count` tiles for the seat's own train."""
    ENDS_DEAD = "ends-dead"
    """No tile that fits is left, so nobody can play there any more."""
    SHEDS = "sheds"
    """It takes `count` pips out of the hand."""
    OPENS_DOUBLE = "opens-double"
    """It is a double that the hand cannot cover: a reason against it."""


_COUNTED: Final = (ReasonKind.SHEDS, ReasonKind.EXTENDS, ReasonKind.KEEPS_TRAIN)
"""The kinds of reasons whose counts can be compared between moves."""


class MoveReason(Struct, frozen=True):
    """One reason for or against a lay; fields that its kind does not use keep their defaults."""

    kind: ReasonKind
    count: int = 0
    """Tiles or pips, depending on the kind; the pip value of the end for `ENDS_DEAD`."""
    tile: Tile | None = None
    """The double that is covered or laid."""
    train: TrainId | None = None
    """The train of the double that is covered, or of the end for `ENDS_DEAD`."""


class Advice(Struct, frozen=True):
    """A move, its reasons, and its margin over the best rival."""

    move: Move
    reasons: tuple[MoveReason, ...]
    margin: Margin | None = None
    """None if there was no comparable rival, or no time for the comparison."""
    is_cut_short: bool = False
    """True if the search stopped before it played out `ENOUGH` rounds."""


class PlannedTrain(Struct, frozen=True):
    """The tiles of a hand in the order of a train, and the pip that the first one joins."""

    pip: int
    tiles: tuple[Tile, ...]


@in_pieces
def advise(view: SeatView, entropy: Entropy, effort: Effort | None = None) -> Pieces[Advice | None]:
    """Advise an expert's move, or its runner-up if further deals show that to be clearly better.

    Return None if the seat has no legal move now. The same octets give the same advice unless the
    effort stops early. Advice that was stopped early has a margin only if the margin is clear.
    """
    if not view.legal:
        return None
    effort = effort or Effort()
    move, runner_up = yield from search.pieces(view, entropy, EXPERT_ROLLOUTS, effort)
    margin = None
    if runner_up is not None:
        margins = margin_over.pieces(view, move, runner_up, entropy, MARGIN_DEALS, effort)
        margin = yield from margins
    if margin is not None and (turned := margin.turned(move)).is_clear:
        move, margin = margin.rival, turned
    if margin is not None and effort.was_stopped and not margin.is_clear:
        margin = None  # a review, which has unlimited time, may find a difference
    is_cut_short = effort.was_stopped and effort.spent < ENOUGH
    rival = runner_up if margin is None else margin.rival
    reasons = reasons_for(view, move) if rival is None else reasons_over(view, move, rival)
    return Advice(move, reasons, margin, is_cut_short)


def reasons_for(view: SeatView, move: Move) -> tuple[MoveReason, ...]:
    """Return the reasons for and against a legal lay of one tile, the most important first.

    Return () for other moves, including chains, and for a watcher. For the last tile of the hand,
    the only reason is `GOES_OUT`; for the only legal lay of one tile, it is `ONLY_ONE`.
    """
    if not isinstance(move, LayTile) or view.hand is None:
        return ()
    table, tile = view.table, move.tile
    rest = [held for _, held in view.hand.tiles if held != tile]
    if not rest:
        return (MoveReason(ReasonKind.GOES_OUT),)
    if not any(isinstance(other, LayTile) and other != move for other in view.legal):
        return (MoveReason(ReasonKind.ONLY_ONE),)
    train = table.train(move.train)
    found = [*_about_doubles(table, move, train, rest), *_about_train(table, move, rest)]
    if tile.pips:
        found.append(MoveReason(ReasonKind.SHEDS, tile.pips))
    end = tile.other_end(move.joined)
    if not tile.is_double and not _others_that_fit(table, end, tile):
        found.append(MoveReason(ReasonKind.ENDS_DEAD, count=end, train=move.train))
    order = tuple(ReasonKind)
    return tuple(sorted(found, key=lambda reason: order.index(reason.kind)))


def reasons_over(view: SeatView, move: Move, rival: Move) -> tuple[MoveReason, ...]:
    """Return the reasons for a lay that its rival lacks, or for which the rival has a lower count.

    A reason against the lay, if there is one, is always included.
    """
    theirs = reasons_for(view, rival)
    return tuple(
        reason
        for reason in reasons_for(view, move)
        if reason.kind is ReasonKind.OPENS_DOUBLE or not _has(theirs, reason)
    )


def _has(reasons: Sequence[MoveReason], wanted: MoveReason) -> bool:
    """Return True if `reasons` include `wanted`; for `_COUNTED` kinds, a higher count will do."""
    if wanted.kind in _COUNTED:
        return any(each.kind is wanted.kind and each.count >= wanted.count for each in reasons)
    return wanted in reasons


def planned_train(view: SeatView) -> PlannedTrain | None:
    """Return the longest train that the hand can lay from an end of its own train or the arms.

    Return None for a watcher, for an empty hand, and while the hub is empty. The train has no tiles
    if none fits. Blanks join blanks only.
    """
    if view.hand is None or not view.hand.tiles:
        return None
    tiles, table = [tile for _, tile in view.hand.tiles], view.table
    arms = [end for train in played_trains(table) for end in train.ends]
    ends = own_ends(table, view.hand.seat) or arms
    plans = [PlannedTrain(end.pip, longest_train(tiles, end.pip)) for end in ends]
    return max(plans, key=lambda plan: len(plan.tiles), default=None)


def _about_doubles(table: Table, move: LayTile, train: Train, rest: list[Tile]) -> list[MoveReason]:
    found = list[MoveReason]()
    covered = next(
        (owed for owed in table.owed if owed.train == move.train and owed.on == move.on), None
    )
    if covered is not None:
        found.append(MoveReason(ReasonKind.COVERS, tile=covered.tile, train=move.train))
    if train.marker and move.train in own_trains(table, move.seat):
        found.append(MoveReason(ReasonKind.TAKES_MARKER_DOWN))
    if move.tile.is_double:
        others = _others_that_fit(table, move.tile.high, move.tile)
        covers = sum(bool(others & TILE_BITS[tile]) for tile in rest)
        kind = ReasonKind.KEEPS_COVER if covers else ReasonKind.OPENS_DOUBLE
        if others:
            found.append(MoveReason(kind, covers, move.tile))
    return found


def _others_that_fit(table: Table, pip: int, tile: Tile) -> int:
    """Return the bit set of the other unseen tiles that join an end of `pip`."""
    return table.rules.wild_blanks.fits[pip] & table.unseen & ~TILE_BITS[tile]


def _about_train(table: Table, move: LayTile, rest: list[Tile]) -> list[MoveReason]:
    if move.train in own_trains(table, move.seat):
        length = 1 + len(longest_train(rest, move.tile.other_end(move.joined)))
        return [MoveReason(ReasonKind.EXTENDS, length)] if length > 1 else []
    ends = own_ends(table, move.seat)
    length = max((len(longest_train(rest, end.pip)) for end in ends), default=0)
    return [MoveReason(ReasonKind.KEEPS_TRAIN, length)] if length else []
