"""The words after the tiles of a line, read at a table: more tiles, and the train for all of them.

A reader that knows no table takes `53` for a name. Here it is read as a tile if no train has that
name.
"""

from typing import NamedTuple

from cli.input.lexer import Words, heard, plain_words
from cli.input.places import names_owed
from cli.input.readers import THEN, UsageError, read_name, read_tiles, split_run
from cli.input.resolution import NOWHERE, find_places, position_of
from cli.scene import Scene, train_name
from engine.tiles import make_tile


class MoreTiles(NamedTuple):
    """The tiles and the train named by the words after a tile."""

    tiles: tuple[tuple[int, int], ...]
    train: str | None


def read_behind(text: str, scene: Scene) -> MoreTiles | None:
    """Return the tiles and the train that a text names, in any order.

    None if it contains other words or names two trains. A word that could be a tile or the name of
    a train is taken for the name.
    """
    if names_place(text, scene):
        return MoreTiles((), text)
    tiles: list[tuple[int, int]] = []
    names: list[str] = []
    for part in _parts(plain_words(text.split())):
        found = _tiles_and_name(part, scene)
        if found is None:
            return None
        tiles += found.tiles
        names += [] if found.train is None else [found.train]
    is_one = len({find_places(scene, name) for name in names}) < 2
    return MoreTiles(tuple(tiles), names[0] if names else None) if is_one else None


def names_place(text: str, scene: Scene) -> bool:
    """Return True if a train has this name."""
    return bool(find_places(scene, text)[0])


def owed_place(text: str | None, scene: Scene) -> str | None:
    """Return the train of the double to cover if the text is `cover` or a word like it.

    Otherwise, or if a train has that name or no double is uncovered, return the text.
    """
    owed = scene.table.owed
    if text is None or not owed or not names_owed(text):
        return text
    return text if names_place(text, scene) else train_name(scene, owed[0].train)


def _parts(words: Words) -> list[list[str]]:
    """Return the words split into parts at `then`, `and` and the like; no part is empty."""
    parts: list[list[str]] = [[]]
    for word in words:
        if heard(word).casefold() in THEN:
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def _tiles_and_name(words: Words, scene: Scene) -> MoreTiles | None:
    """Return the tiles at the beginning of these words and the train named by the rest.

    The longest possible name is taken. None if the words cannot be read so.
    """
    for count in range(len(words) + 1):
        name = read_name(words[count:])
        if name is not None and not names_place(name, scene):
            continue
        for typed in (words[:count], [_cut(word, scene) for word in words[:count]]):
            if not isinstance(tiles := read_tiles(typed), UsageError):
                return MoreTiles(tiles, name)
    return None


def _cut(word: str, scene: Scene) -> str:
    """Return a run of digits as a tile such as `9-4`, if it can be cut into only one tile.

    Only tiles of this set count; if exactly one of them is in hand, it is that one. Any other word
    is returned unchanged.
    """
    cuts = [cut for cut in split_run(word) if max(cut) <= scene.table.spec.pip_max]
    held = [cut for cut in cuts if position_of(make_tile(*cut), scene) != NOWHERE]
    one = held if len(held) == 1 else cuts
    return f"{one[0][0]}-{one[0][1]}" if len(one) == 1 else word
