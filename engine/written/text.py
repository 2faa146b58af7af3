"""Written games as text that `parse` reads back. [docs/rules.md §11]"""

from collections.abc import Iterable
from typing import assert_never

from engine.tiles import Tile
from engine.written.game import (
    JOINS,
    LEAVES,
    REDEAL,
    WITH,
    Action,
    Assertion,
    GameText,
    Line,
    MustRefuse,
    RoundText,
    Verb,
    WrittenDone,
    WrittenTile,
)


def format_tile(tile: Tile) -> str:
    """A tile as notation writes it, smaller half first."""
    return f"{tile.low}-{tile.high}"


def format_action(action: Action) -> str:
    """An action as it is written, without the seat's name."""
    words = [] if action.verb is Verb.LAY else [action.verb.value]
    tiles = [str(tile) for tile in action.tiles]
    words += [] if action.verb is Verb.CATCHES else tiles
    if action.train is not None:
        hung = f"/{action.hangs_on}" if action.hangs_on else ""
        words.append(action.train + hung)
    if action.other is not None:
        words.append(action.other)
        words += tiles if action.verb is Verb.CATCHES else []
    if action.redeal:
        words.append(REDEAL)
    if action.together:
        words += [WITH, *action.together]
    return " ".join(words)


def format_line(line: Line) -> str:
    """One line of a game."""
    match line:
        case WrittenDone(action):
            return f"{action.seat} {format_action(action)}"
        case MustRefuse(action, code):
            what = "table" if action is None else f"{action.seat} {format_action(action)}"
            return f"! {what} : {code.value}" if code else f"! {what}"
        case Assertion(key, name, values):
            subject = f"{key} {name}" if name else key
            return f"? {subject}: {' '.join(values)}".rstrip()
        case _:
            assert_never(line)


def format_game(game: GameText) -> str:
    """A whole game as text that `parse` reads back as an equal game."""
    lines = [f"rules: {game.rules}"]
    if game.switches:
        lines.append("with: " + " ".join(f"{name}={value}" for name, value in game.switches))
    if game.pip_max is not None:
        lines.append(f"set: {game.pip_max}")
    lines.append("seats: " + " ".join(game.seats))
    if game.round_count is not None:
        lines.append(f"rounds: {game.round_count}")
    for number, played in enumerate(game.rounds):
        lines += ["", *_round_lines(played)] if number else _round_lines(played)
    return "\n".join(lines) + "\n"


def _round_lines(played: RoundText) -> list[str]:
    changes = ((JOINS if each.joins else LEAVES, each.names) for each in played.changes)
    lines = [f"{key}: {' '.join(names)}" for key, names in changes]
    lines += [f"first: {played.first}"] if played.first else []
    if played.engine is not None:
        lines.append(f"engine: {played.engine}")
    lines += [f"hand {name}: {_tiles_text(tiles)}" for name, tiles in played.hands]
    if played.boneyard is not None:
        lines.append(f"boneyard: {_tiles_text(played.boneyard) or 'none'}")
    return [*lines, "", *(format_line(line) for line in played.lines)]


def _tiles_text(tiles: Iterable[WrittenTile]) -> str:
    return " ".join(str(tile) for tile in tiles)
