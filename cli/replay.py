"""`boneyard replay`: a recorded game again, move by move on the screen, or as notation."""

from __future__ import annotations

import os
import secrets
import shutil
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

from cli.cells import Canvas
from cli.exits import CommandFailed, ExitCode
from cli.failures import sentence_of
from cli.offline import read_octets
from cli.palette import ansi_text, choose_glyphs, choose_palette
from cli.render import board_lines, rule_line
from cli.scene import Scene
from cli.sheets import score_lines
from cli.telling import events_text
from engine.moves import (
    Catch,
    DrawTile,
    LayChain,
    LayHub,
    LayTile,
    Mark,
    Move,
    NoDouble,
    Pass,
    Tap,
)
from engine.moves import Done as DoneMove
from engine.notation import format_game
from engine.rules import format_rules
from engine.scoring import totals, winners
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
from netgame.limits import RECORD_BYTES_MAX
from netgame.protocol import notices
from netgame.protocol.record import BadRecord, Walked, walk

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from cli.palette import Line
    from engine.table import Table
    from engine.tiles import Tile
    from netgame.protocol.state import State

__all__ = ["notation_of", "replay"]

T = TypeVar("T")


def replay(options: argparse.Namespace) -> ExitCode:
    """Replay a record; what does not hold ends it with a sentence."""
    octets = read_octets(options.file, RECORD_BYTES_MAX)
    try:
        if options.notation:
            print(notation_of(walk(octets, secrets.token_bytes)), end="")
        else:
            _step_through(walk(octets, secrets.token_bytes))
    except BadRecord as problem:
        text = f"{options.file} is not a good record: {problem}"
        raise CommandFailed(ExitCode.FAILED, sentence_of(text)) from None
    return ExitCode.OK


# ---- on the screen --------------------------------------------------------------------------


class _Screen:
    """Where a replay is shown: standard output, with boards and questions if it is a terminal."""

    def __init__(self) -> None:
        self.asks = sys.stdin.isatty() and sys.stdout.isatty()
        size = shutil.get_terminal_size()
        glyphs = choose_glyphs(sys.stdout.encoding, os.environ)
        self._canvas = Canvas(size.columns, size.lines, glyphs)
        self._palette = choose_palette(os.environ, terminal=sys.stdout.isatty())

    def tell(self, step: int, scene: Scene, notice: notices.Notice) -> bool:
        """Show one notice; False for those that are nothing to stop at."""
        match notice:
            case notices.Played():
                print(f"{step:>5}  {events_text(scene, notice.events)}")
                if self.asks:
                    self._show((rule_line(self._canvas), *board_lines(scene, self._canvas)))
                return True
            case notices.Dealt():
                table = scene.table
                number = f"Round {table.round_number + 1} of {table.spec.rounds}"
                print(f"{number}: engine {table.hub}, {scene.names[table.first]} begins.")
                return False
            case notices.RoundOver() | notices.GameOver():
                print(events_text(scene, notice.events))
                self._show(score_lines(scene, self._canvas))
                return True
            case _:
                return False

    def _show(self, lines: Sequence[Line]) -> None:
        for line in lines:
            print(ansi_text(line, self._palette))


def _step_through(steps: Iterator[Walked]) -> None:
    """Show every move as a sentence; at a terminal with the board, and a move each Enter."""
    screen = _Screen()
    for step in steps:
        scene = _scene(step.after)
        for notice in step.notices if scene is not None else ():
            assert scene is not None
            told = screen.tell(step.entry.step, scene, notice)
            if told and screen.asks and not _goes_on():
                return


def _goes_on() -> bool:
    """Wait for Enter; anything that begins with q, or the end of input, stops."""
    try:
        return not input("Enter: next move, q: stop  ").strip().lower().startswith("q")
    except EOFError:
        return False


def _scene(state: State) -> Scene | None:
    if state.table is None:
        return None
    return Scene(state.table, None, tuple(seat.name for seat in state.seats), None, False)  # noqa: FBT003


# ---- as notation ----------------------------------------------------------------------------


@dataclass(slots=True)
class _Round:
    """A round as it is being written down."""

    began: Table
    moves: list[tuple[Table, Move]] = field(default_factory=list)


def notation_of(steps: Iterator[Walked]) -> str:
    """Write a recorded game in notation, hands open, with the scores as assertions.

    A round that is not over is left out, as its hands are not known.
    """
    state: State | None = None
    rounds: list[RoundText] = []
    names: tuple[str, ...] = ()
    for step in steps:
        state = step.after
        names = names or _written_names(state)
        ended = step.before.table is not None and state.table is not None
        if ended and len(_past(step.before)) < len(_past(state)):
            rounds.append(_round_text(state, names))
    if state is None or state.spec is None or not rounds:
        raise CommandFailed(ExitCode.FAILED, "No round of this game was finished.")
    preset, words = format_rules(state.spec.rules)
    switches = tuple(_switch(word) for word in words)
    game = GameText(names, tuple(rounds), preset, switches, state.spec.pip_max, state.spec.rounds)
    return format_game(game)


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
    began = state.history[0][0]
    tiles = {int(position): tile for position, tile in state.deck.tiles.items()}
    hands = tuple(
        (name, tuple(_written(tiles[position]) for position in positions))
        for name, positions in zip(names, began.hands, strict=True)
    )
    lines: list[WrittenLine] = [
        Done(_action(table, move, tiles, names)) for table, move in state.history
    ]
    lines += _assertions(state.table, names)
    first = names[began.first]
    hub = None if began.hub is None else _written(began.hub)
    return RoundText(first=first, engine=hub, hands=hands, lines=tuple(lines))


def _written(tile: Tile, joined: int | None = None) -> WrittenTile:
    first = tile.high if joined is None else joined
    return WrittenTile(first, tile.other_end(first))


_WORDS: Final[dict[type, Verb]] = {
    NoDouble: Verb.NONE,
    DoneMove: Verb.DONE,
    Tap: Verb.TAP,
}
"""Moves that are written as one word; a call of nothing is not written."""


def _train_word(train: int, names: tuple[str, ...]) -> str:
    if train >= 0:
        return names[train]
    return "mexican" if train == -1 else f"mexican{-train}"


def _action(table: Table, move: Move, tiles: dict[int, Tile], names: tuple[str, ...]) -> Action:
    name = names[move.seat]
    match move:
        case LayTile():
            train = _train_word(move.train, names)
            return Action(name, Verb.LAY, (_written(move.tile, move.joined),), train)
        case DrawTile():
            return Action(name, Verb.DRAW, (_written(tiles[table.boneyard[0]]),))
        case Pass():
            return Action(name, Verb.PASS)
        case LayChain():
            chain = tuple(_written(link.tile, link.joined) for link in move.lays)
            verb = Verb.BULLET if move.bullet else Verb.LAY
            return Action(name, verb, chain, _train_word(move.train, names))
        case LayHub():
            return Action(name, Verb.ENGINE, (_written(move.tile),))
        case Mark():
            return Action(name, Verb.OPEN if move.up else Verb.CLOSE)
        case Catch():
            return Action(name, Verb.CATCHES, other=names[move.offender])
        case _:
            return Action(name, _WORDS[type(move)])


def _assertions(table: Table, names: tuple[str, ...]) -> list[WrittenLine]:
    scores = tuple(f"{name}={score}" for name, score in zip(names, table.past[-1], strict=True))
    sums = tuple(f"{name}={total}" for name, total in zip(names, totals(table), strict=True))
    lines: list[WrittenLine] = [Assertion("score", None, scores), Assertion("total", None, sums)]
    if len(table.past) == table.spec.rounds:
        won = tuple(names[seat] for seat in winners(table))
        lines.append(Assertion("winner", None, won))
    return lines
