"""What Tab offers: a function from the text before the cursor to completions, and nothing else.

Only moves that are legal now are offered, so that picking one never ends in a refusal. Needs no
terminal; `cli.terminal` hands the result to prompt-toolkit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cli.commands import COMMANDS, Command, Offer, Where, find_command
from cli.scene import lays, tile_text, train_name
from cli.tokens import Word, read_pair, split_run, split_words
from engine.tiles import make_tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cli.scene import Scene
    from engine.moves import LayTile

__all__ = ["Completion", "complete"]


class Completion(NamedTuple):
    """`text` replaces the last `length` characters before the cursor; `meta` says what it is."""

    text: str
    length: int
    meta: str


def complete(line: str, scene: Scene | None, topics: Sequence[str] = ()) -> tuple[Completion, ...]:
    """Complete the line up to the cursor; `topics` are the words that `rules` explains."""
    words = split_words(line)
    typing = words[-1].text if words and not line[-1:].isspace() else ""
    before = words[:-1] if typing else words
    moves = lays(scene) if scene is not None else ()
    if not before:
        return (*_tiles(scene, moves, typing), *_commands(scene, typing))
    if before[0].text[0].isdigit() or before[0].text[0] == "[":
        return _trains(scene, moves, before, typing)
    command = find_command(before[0].text)
    if not isinstance(command, Command):
        return ()
    return _arguments(command, scene, before[1:], typing, topics)


def _arguments(  # noqa: C901 - one branch a kind of argument
    command: Command,
    scene: Scene | None,
    before: Sequence[Word],
    typing: str,
    topics: Sequence[str],
) -> tuple[Completion, ...]:
    moves = lays(scene) if scene is not None else ()
    match command.offer:
        case Offer.MOVE if not before:
            return _tiles(scene, moves, typing)
        case Offer.MOVE:
            return _trains(scene, moves, before, typing)
        case _ if before:
            return ()
        case Offer.TRAIN:
            known = [] if scene is None else [train.id for train in scene.table.trains]
            names = [train_name(scene, train) for train in known] if scene is not None else []
            return _starting(((name, "train") for name in names), typing)
        case Offer.COMMAND:
            return _starting(((each.word, each.sentence) for each in COMMANDS), typing)
        case Offer.TOPIC:
            return _starting(((topic, "rule") for topic in topics), typing)
        case Offer.SORT:
            return _starting((("sort", "the next order"),), typing)
        case Offer.NOTHING:
            return ()


def _starting(offers: Iterable[tuple[str, str]], typing: str) -> tuple[Completion, ...]:
    folded = typing.casefold()
    return tuple(
        Completion(text, len(typing), meta)
        for text, meta in offers
        if text.casefold().startswith(folded)
    )


def _commands(scene: Scene | None, typing: str) -> tuple[Completion, ...]:
    """Offer the commands that mean something now; moves only when there is one to make."""
    unfit = Where.LOBBY if scene is not None else Where.GAME
    offers = [(each.word, each.sentence) for each in COMMANDS if each.where is not unfit]
    return _starting(offers, typing)


def _tiles(scene: Scene | None, moves: Sequence[LayTile], typing: str) -> tuple[Completion, ...]:
    """Offer the tiles that can be laid, each with the trains it fits."""
    if scene is None:
        return ()
    fits: dict[str, list[str]] = {}
    for move in moves:
        fits.setdefault(_as_typed(move, typing), []).append(train_name(scene, move.train))
    offers = ((text, f"on {' or '.join(dict.fromkeys(names))}") for text, names in fits.items())
    return _starting(offers, typing)


def _as_typed(move: LayTile, typing: str) -> str:
    """Write the tile in the way that continues what is typed, else with its larger half first."""
    high, low = move.tile.high, move.tile.low
    forms = [f"{high}-{low}", f"{low}-{high}"]
    forms += [f"{high}{sign}{low}" for sign in "|="] + [f"{low}{sign}{high}" for sign in "|="]
    return next((form for form in forms if typing and form.startswith(typing)), forms[0])


def _trains(
    scene: Scene | None, moves: Sequence[LayTile], before: Sequence[Word], typing: str
) -> tuple[Completion, ...]:
    """Offer the trains that the tile before can be laid on."""
    if scene is None:
        return ()
    first = before[0].text
    pair = read_pair(first)
    cuts = (pair,) if pair is not None else split_run(first)
    at = 1
    if len(before) > 1 and pair is None and before[1].text.isascii() and before[1].text.isdigit():
        cuts, at = ((int(first), int(before[1].text)),) if first.isdigit() else (), 2
    if len(before) > at:
        return ()
    tiles = {make_tile(*cut) for cut in cuts}
    fitting = [move for move in moves if move.tile in tiles]
    offers = {
        train_name(scene, move.train): f"joins {tile_text(move.tile, move.joined)}"
        for move in fitting
    }
    return _starting(offers.items(), typing)
