"""A recorded game in notation: hands open, scores as assertions, read again by the referee.

People write less than peers sign: who is asked for doubles one by one answers once, tiles turned
up for the first turn are told by `first`, and what goes without saying is left out.
[docs/rules.md §11]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cli.exits import CommandFailed, ExitCode
from engine.ends import chains_now
from engine.moves import (
    Catch,
    Declare,
    Discard,
    DrawTile,
    LayChain,
    LayHub,
    LayTile,
    Link,
    Mark,
    Move,
    NoDouble,
    Pass,
    Pull,
    Silent,
    Tap,
    TurnUp,
)
from engine.moves import Done as DoneMove
from engine.notation import format_game
from engine.rules import format_rules
from engine.scoring import totals, winners
from engine.table import Phase, joining_halves
from engine.turn import Stage, Step
from engine.written import (
    Action,
    Assertion,
    Done,
    GameText,
    RoundText,
    Verb,
    WrittenTile,
)
from engine.written import (
    Line as WrittenLine,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from engine.table import Table
    from engine.tiles import Tile
    from netgame.protocol.record import Walked
    from netgame.protocol.state import State

__all__ = ["actions_of", "notation_of"]

_ASKING: Final = (Step.ASK, Step.CLAIM, Step.FORCED)


class _Unseen(Exception):
    """A tile that the record never opens would have to be written."""


def notation_of(steps: Iterator[Walked]) -> str:
    """Write a recorded game in notation, hands open, with the scores as assertions.

    A round that is not over is left out, as its hands are not known. Raises `CommandFailed` where
    nothing is left to write, or a tile that went back unseen would have to be named.
    """
    state: State | None = None
    rounds: list[RoundText] = []
    names: tuple[str, ...] = ()
    for step in steps:
        state = step.after
        names = names or _written_names(state)
        ended = step.before.table is not None and state.table is not None
        if ended and len(_past(step.before)) < len(_past(state)):
            _expect_written_seats(state, names)
            rounds.append(_round_text(state, names))
    if state is None or state.spec is None or not rounds:
        raise CommandFailed(ExitCode.FAILED, "No round of this game was finished.")
    preset, words = format_rules(state.spec.rules)
    switches = tuple(_switch(word) for word in words)
    game = GameText(names, tuple(rounds), preset, switches, state.spec.pip_max, state.spec.rounds)
    return format_game(game)


def _expect_written_seats(state: State, names: tuple[str, ...]) -> None:
    """Raise `CommandFailed` where a round has other seats than the game began with."""
    assert state.table is not None
    if len(state.seats) == len(names) and not state.gone:
        return
    what = "Somebody has left this game" if state.gone else "Somebody has come late to this game"
    text = f"{what} by round {state.table.round_number + 1}; notation has one list of seats."
    raise CommandFailed(ExitCode.FAILED, f"{text} Without --notation all of it can be read.")


def _past(state: State) -> tuple[tuple[int, ...], ...]:
    return () if state.table is None else state.table.past


def _switch(word: str) -> tuple[str, str]:
    name, _, value = word.partition("=")
    return name, value


def _written_names(state: State) -> tuple[str, ...]:
    """Return the seats' names; `S1`, `S2`, … where notation could not read one of them."""
    names = tuple(seat.name for seat in state.seats)
    plain = all(name[:1].isalpha() and name.isalnum() and name.isascii() for name in names)
    reserved = any(name.lower().startswith("mexican") or name == "table" for name in names)
    return names if plain and not reserved else tuple(f"S{n}" for n in range(1, len(names) + 1))


def _round_text(state: State, names: tuple[str, ...]) -> RoundText:
    """Write one finished round from the state in which its hands lie open."""
    assert state.table is not None
    assert state.deck is not None
    assert state.history
    history = tuple(pair for pair in state.history if pair[0].phase is not Phase.HIGH_DRAW)
    began = history[0][0]
    tiles = {int(position): tile for position, tile in state.deck.tiles.items()}
    try:
        hands = tuple(
            (name, tuple(_written(_known(tiles, position)) for position in positions))
            for name, positions in zip(names, began.hands, strict=True)
        )
        lines: list[WrittenLine] = [Done(each) for each in actions_of(history, tiles, names)]
    except _Unseen:
        number = began.round_number + 1
        text = f"Round {number} cannot be written down: a tile went back that was never shown."
        raise CommandFailed(ExitCode.FAILED, text) from None
    lines += _assertions(state.table, names)
    first = names[began.first]
    hub = None if began.hub is None else _written(began.hub)
    return RoundText(first=first, engine=hub, hands=hands, lines=tuple(lines))


def _known(tiles: Mapping[int, Tile], position: int) -> Tile:
    if position not in tiles:
        raise _Unseen
    return tiles[position]


def _written(tile: Tile, joined: int | None = None) -> WrittenTile:
    first = tile.high if joined is None else joined
    return WrittenTile(first, tile.other_end(first))


# ---- actions --------------------------------------------------------------------------------


def actions_of(
    history: Sequence[tuple[Table, Move]], tiles: Mapping[int, Tile], names: Sequence[str]
) -> list[Action]:
    """Write the moves of a round, each with the table it was made at, as people would."""
    found: list[Action] = []
    at = 0
    while at < len(history):
        end = at
        while end < len(history) and _is_asking(history[end][0]) and _alike(history, at, end):
            end += 1
        if end > at:
            found += _answers([move for _, move in history[at:end]], names)
            at = end
            continue
        table, move = history[at]
        found += _actions(table, move, tiles, names)
        at += 1
    return found


def _is_asking(table: Table) -> bool:
    seek = table.aside.seek
    return table.phase is Phase.ENGINE and seek is not None and seek.step in _ASKING


def _alike(history: Sequence[tuple[Table, Move]], at: int, end: int) -> bool:
    """Whether two moves answer one series of questions: nobody has drawn in between."""
    one, other = history[at][0], history[end][0]
    return sum(map(len, one.hands)) == sum(map(len, other.hands))


def _answers(moves: Sequence[Move], names: Sequence[str]) -> list[Action]:
    """Write a series of questions: who laid the double, else one answer of each seat."""
    laid = next((move for move in moves if isinstance(move, LayHub | Declare)), None)
    if laid is not None:
        verb = Verb.ENGINE if isinstance(laid, LayHub) else Verb.DECLARES
        return [Action(names[laid.seat], verb, (_written(laid.tile),))]
    last = {move.seat: move for move in moves}
    return [
        Action(names[seat], Verb.NONE if isinstance(move, NoDouble) else Verb.SILENT)
        for seat, move in sorted(last.items())
    ]


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
        under = _written(train.lays[move.on].tile) if len(fits) > 1 else None
    tile = _written(move.tile, move.joined)
    word = _train_word(move.train, names)
    return Action(names[move.seat], Verb.LAY, (tile,), word, hangs_on=under)


def _chain(table: Table, move: LayChain, names: Sequence[str]) -> list[Action]:
    """Write several tiles: one line for a chain, a line each for a double and its follower."""
    name = names[move.seat]
    tiles = tuple(_written(link.tile, link.joined) for link in move.lays)
    whole = Action(name, Verb.LAY, tiles, _train_word(move.train, names))
    if move.bullet:
        return [Action(name, Verb.BULLET), whole]
    bulleted = table.aside.bullet is not None
    chaining = table.phase is Phase.OPENING_ALL or chains_now(table) or bulleted
    if not chaining and table.turn.stage is not Stage.CHAIN:
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


def _tile(seat: int, link: Link, train: str, under: Tile | None, names: Sequence[str]) -> Action:
    hangs = None if under is None else _written(under)
    written = (_written(link.tile, link.joined),)
    return Action(names[seat], Verb.LAY, written, train, hangs_on=hangs)


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
        case DrawTile():
            return [Action(name, Verb.DRAW, (_written(_known(tiles, table.boneyard[0])),))]
        case LayHub():
            return [Action(name, Verb.ENGINE, (_written(move.tile),))]
        case Declare():
            return [Action(name, Verb.DECLARES, (_written(move.tile),))]
        case Mark():
            return [Action(name, Verb.OPEN if move.up else Verb.CLOSE)]
        case Catch():
            return [Action(name, Verb.CATCHES, other=names[move.offender])]
        case Silent() if not _might_declare(table, tiles):
            return []
        case TurnUp():
            tile = move.tile or _known(tiles, move.position)
            return [Action(name, Verb.TURNS, (_written(tile),))]
        case Discard():
            return [Action(name, Verb.DISCARDS, (_written(_known(tiles, move.position)),))]
        case Pull():
            tile = _known(tiles, move.position)
            return [Action(name, Verb.PULLS, (_written(tile),), other=names[move.other])]
        case _:
            return [Action(name, _WORDS[type(move)])]


def _might_declare(table: Table, tiles: Mapping[int, Tile]) -> bool:
    """Whether a seat keeps silent about something: who looked at no such double need not say so."""
    seek = table.aside.seek
    if seek is None or seek.step is not Step.LOOKED:
        return True
    return _known(tiles, seek.turned[-1][0]) in seek.asked


def _assertions(table: Table, names: tuple[str, ...]) -> list[WrittenLine]:
    scores = tuple(f"{name}={score}" for name, score in zip(names, table.past[-1], strict=True))
    sums = tuple(f"{name}={total}" for name, total in zip(names, totals(table), strict=True))
    lines: list[WrittenLine] = [Assertion("score", None, scores), Assertion("total", None, sums)]
    if len(table.past) == table.spec.rounds:
        won = tuple(names[seat] for seat in winners(table))
        lines.append(Assertion("winner", None, won))
    return lines
