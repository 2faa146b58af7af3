"""The moves of a recorded round as lines of notation: what peers sign, as people would write it.

Who is asked for doubles one by one answers once, and what goes without saying is left out.
[docs/rules.md §11.3]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from engine.play.ends import chains_now
from engine.table.moves import (
    Catch,
    ChainLink,
    Declare,
    Discard,
    DrawTile,
    LayChain,
    LayHub,
    LayTile,
    Mark,
    Move,
    NoDouble,
    Pass,
    PullBack,
    Silent,
    Tap,
    TurnUp,
)
from engine.table.moves import Done as DoneMove
from engine.table.table import RoundPhase, Table, joining_halves
from engine.table.turn import TurnStage, TurnStep
from engine.tiles import Tile
from engine.written.game import Action, Verb, WrittenTile

_ASKING: Final = (TurnStep.ASK, TurnStep.CLAIM, TurnStep.FORCED)


class Unseen(Exception):
    """A tile that the record never opens would have to be written."""


def known(tiles: Mapping[int, Tile], position: int) -> Tile:
    """Return the tile of a position; raises `Unseen` if it was never shown."""
    if position not in tiles:
        raise Unseen
    return tiles[position]


def written(tile: Tile, joined: int | None = None) -> WrittenTile:
    """Return a tile with the half first that joins, else the higher one."""
    first = tile.high if joined is None else joined
    return WrittenTile(first, tile.other_end(first))


def actions_of(
    history: Sequence[tuple[Table, Move]],
    tiles: Mapping[int, Tile],
    names: Sequence[str],
    hidden: Collection[int] = (),
) -> list[Action]:
    """Write the moves of a round, each with the table it was made at, as people would.

    Seats in `hidden` never opened their hands: what they drew is written where it is known. Raises
    `Unseen` where another tile is not.
    """
    found: list[Action] = []
    at = 0
    while at < len(history):
        end = at
        while end < len(history) and is_asking(history[end][0]) and _alike(history, at, end):
            end += 1
        if end > at:
            found += _answers([move for _, move in history[at:end]], names)
            at = end
            continue
        table, move = history[at]
        if isinstance(move, DrawTile | Catch):
            found.append(_drawing(table, move, tiles, names, hidden))
        else:
            found += _actions(table, move, tiles, names)
        at += 1
    return found


def is_asking(table: Table) -> bool:
    """Whether seats answer for one double after the other, which people say once."""
    seek = table.aside.seek
    return table.phase is RoundPhase.ENGINE and seek is not None and seek.step in _ASKING


def _alike(history: Sequence[tuple[Table, Move]], at: int, end: int) -> bool:
    """Whether two moves answer one series of questions: nobody has drawn in between."""
    one, other = history[at][0], history[end][0]
    return sum(map(len, one.hands)) == sum(map(len, other.hands))


def _answers(moves: Sequence[Move], names: Sequence[str]) -> list[Action]:
    """Write a series of questions: who laid the double, else one answer of each seat."""
    laid = next((move for move in moves if isinstance(move, LayHub | Declare)), None)
    if laid is not None:
        verb = Verb.ENGINE if isinstance(laid, LayHub) else Verb.DECLARES
        return [Action(names[laid.seat], verb, (written(laid.tile),))]
    last = {move.seat: move for move in moves}
    return [
        Action(names[seat], Verb.NONE if isinstance(move, NoDouble) else Verb.SILENT)
        for seat, move in sorted(last.items())
    ]


def _drawing(
    table: Table,
    move: DrawTile | Catch,
    tiles: Mapping[int, Tile],
    names: Sequence[str],
    hidden: Collection[int],
) -> Action:
    """Write a draw, or a catch that costs tiles, and which they were as far as anybody learnt."""
    drawer, count, verb, other = move.seat, 1, Verb.DRAW, None
    if isinstance(move, Catch):
        drawer, count = move.offender, int(table.rules.tap_penalty.value)
        verb, other = Verb.CATCHES, names[move.offender]
    drawn = table.boneyard[:count]
    if drawer in hidden and any(position not in tiles for position in drawn):
        drawn = ()
    shown = tuple(written(known(tiles, position)) for position in drawn)
    return Action(names[move.seat], verb, shown, other=other)


def _train_word(train: int, names: Sequence[str]) -> str:
    if train >= 0:
        return names[train]
    return "mexican" if train == -1 else f"mexican{-train}"


def _lay(table: Table, move: LayTile, names: Sequence[str]) -> Action:
    """Write one tile, with the tile it hangs on where several ends would take it."""
    train = table.train(move.train) if table.has_train(move.train) else None
    under = None
    if train is not None and 0 <= move.on < len(train.lays):
        fits = {end for end in train.ends if joining_halves(table.rules, move.tile, end.pip)}
        under = written(train.lays[move.on].tile) if len(fits) > 1 else None
    tile = written(move.tile, move.joined)
    word = _train_word(move.train, names)
    return Action(names[move.seat], Verb.LAY, (tile,), word, hangs_on=under)


def _chain(table: Table, move: LayChain, names: Sequence[str]) -> list[Action]:
    """Write several tiles: one line for a chain, a line each for a double and its follower."""
    name = names[move.seat]
    tiles = tuple(written(link.tile, link.joined) for link in move.lays)
    whole = Action(name, Verb.LAY, tiles, _train_word(move.train, names))
    if move.bullet:
        return [Action(name, Verb.BULLET), whole]
    bulleted = table.aside.bullet is not None
    chaining = table.phase is RoundPhase.OPENING_ALL or chains_now(table) or bulleted
    if not chaining and table.turn.stage is not TurnStage.CHAIN:
        return _pair(table, move, names)
    alone = len(tiles) == 1 and len(table.hands[move.seat]) > 1
    return [whole, Action(name, Verb.DONE)] if alone else [whole]


def _pair(table: Table, move: LayChain, names: Sequence[str]) -> list[Action]:
    first, second = move.lays
    train = move.train
    under = first.tile
    if move.back and table.turn.doubles:
        train, on = table.turn.doubles[0]
        under = table.train(train).lays[on].tile
    return [
        _tile(move.seat, first, _train_word(move.train, names), None, names),
        _tile(move.seat, second, _train_word(train, names), under, names),
    ]


def _tile(
    seat: int, link: ChainLink, train: str, under: Tile | None, names: Sequence[str]
) -> Action:
    hangs = None if under is None else written(under)
    tiles = (written(link.tile, link.joined),)
    return Action(names[seat], Verb.LAY, tiles, train, hangs_on=hangs)


_WORDS: Final[dict[type, Verb]] = {
    NoDouble: Verb.NONE,
    Silent: Verb.SILENT,
    DoneMove: Verb.DONE,
    Tap: Verb.TAP,
    Pass: Verb.PASS,
}
"""Moves that are written as one word; a call of nothing is not written."""


def _actions(  # noqa: C901 - one branch a move
    table: Table, move: Move, tiles: Mapping[int, Tile], names: Sequence[str]
) -> list[Action]:
    name = names[move.seat]
    match move:
        case LayTile():
            return [_lay(table, move, names)]
        case LayChain():
            return _chain(table, move, names)
        case LayHub():
            return [Action(name, Verb.ENGINE, (written(move.tile),))]
        case Declare():
            return [Action(name, Verb.DECLARES, (written(move.tile),))]
        case Mark():
            return [Action(name, Verb.OPEN if move.up else Verb.CLOSE)]
        case Silent() if not _might_declare(table, tiles):
            return []
        case TurnUp():
            tile = move.tile or known(tiles, move.position)
            return [Action(name, Verb.TURNS, (written(tile),))]
        case Discard():
            return [Action(name, Verb.DISCARDS, (written(known(tiles, move.position)),))]
        case PullBack():
            tile = known(tiles, move.position)
            return [Action(name, Verb.PULLS, (written(tile),), other=names[move.other])]
        case _:
            return [Action(name, _WORDS[type(move)])]


def _might_declare(table: Table, tiles: Mapping[int, Tile]) -> bool:
    """Whether a seat keeps silent about something: who looked at no such double need not say so."""
    seek = table.aside.seek
    if seek is None or seek.step is not TurnStep.LOOKED:
        return True
    return known(tiles, seek.turned[-1][0]) in seek.asked
