"""What Tab offers: a function from the text before the cursor to completions, and nothing else.

Only moves that are legal now are offered, so that picking one never ends in a refusal. Needs no
terminal; `cli.seat.terminal` hands the result to prompt-toolkit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cli.scene import (
    Scene,
    calls,
    lays,
    legal,
    place_text,
    possible,
    seat_name,
    tile_text,
    train_name,
)
from cli.typed.chains import chain_follows
from cli.typed.grammar import COMMANDS, Command, Offered, Where, find_command
from cli.typed.tokens import Word, read_pair, split_run, split_words
from engine.table.moves import Catch, Declare, Discard, LayChain, LayHub, Mark, PullBack
from engine.tiles import Tile, make_tile


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
    if not before:
        return (*_tiles(scene, typing), *_commands(scene, typing))
    if _begins_tile(before[0].text):
        return _after_tile(scene, before, typing)
    command = find_command(before[0].text)
    if not isinstance(command, Command):
        return ()
    return _arguments(command, scene, before[1:], typing, topics)


def _begins_tile(text: str) -> bool:
    return text[0].isdigit() or text[0] == "["


def _arguments(
    command: Command,
    scene: Scene | None,
    before: Sequence[Word],
    typing: str,
    topics: Sequence[str],
) -> tuple[Completion, ...]:
    if command.offer is Offered.WHY and before and not _begins_tile(before[0].text):
        asked = find_command(before[0].text)
        if not isinstance(asked, Command) or not asked.makes:
            return ()
        return _arguments(asked, scene, before[1:], typing, topics)
    if command.offer in (Offered.MOVE, Offered.WHY):
        if before:
            return _after_tile(scene, before, typing)
        words = _commands(scene, typing, moves_only=True) if command.offer is Offered.WHY else ()
        return (*_tiles(scene, typing), *words)
    return () if before else _starting(_offers(command.offer, scene, topics), typing)


def _offers(offer: Offered, scene: Scene | None, topics: Sequence[str]) -> list[tuple[str, str]]:
    """List what may come after a command's word, each with what it is."""
    match offer:
        case Offered.COMMAND:
            return [(each.word, each.sentence) for each in COMMANDS]
        case Offered.TOPIC:
            return [(topic, "rule") for topic in topics]
        case Offered.SORT:
            return [("sort", "the next order")]
        case _:
            return [] if scene is None else _offers_of(offer, scene)


def _offers_of(offer: Offered, scene: Scene) -> list[tuple[str, str]]:
    match offer:
        case Offered.TRAIN:
            return [(train_name(scene, train.id), "train") for train in scene.table.trains]
        case Offered.AWAY:
            others = (seat for seat in scene.table.present if seat != scene.seat)
            return [(seat_name(scene, seat), "goes, if all others vote") for seat in others]
        case Offered.OFFENDER:
            caught = [call for call in calls(scene) if isinstance(call, Catch)]
            return [(seat_name(scene, call.offender), "did not tap") for call in caught]
        case Offered.DOUBLE:
            doubles = [move for move in legal(scene) if isinstance(move, LayHub | Declare)]
            return [(f"{move.tile.high}-{move.tile.low}", "double") for move in doubles]
        case Offered.HELD:
            discards = {move.position for move in legal(scene) if isinstance(move, Discard)}
            held = scene.hand.tiles if scene.hand is not None else ()
            return [(f"{tile.high}-{tile.low}", "yours") for at, tile in held if at in discards]
        case Offered.NUMBER:
            pulls = [move for move in legal(scene) if isinstance(move, PullBack)]
            return [(str(number), "unseen") for number in range(1, len(pulls) + 1)]
        case _:
            return []


def _starting(offers: Iterable[tuple[str, str]], typing: str) -> tuple[Completion, ...]:
    folded = typing.casefold()
    return tuple(
        Completion(text, len(typing), meta)
        for text, meta in offers
        if text.casefold().startswith(folded)
    )


def _commands(
    scene: Scene | None, typing: str, *, moves_only: bool = False
) -> tuple[Completion, ...]:
    """Offer the commands that mean something now; a move's word while such a move is legal."""
    unfit = Where.LOBBY if scene is not None else Where.GAME
    made = {type(move) for move in possible(scene)} if scene is not None else set()
    ups = {move.up for move in possible(scene) if isinstance(move, Mark)} if scene else set()
    offers = [
        (each.word, each.sentence)
        for each in COMMANDS
        if each.where is not unfit and (each.makes or not moves_only)
        if not each.makes or (made.intersection(each.makes) and _fits_marker(each, ups))
    ]
    return _starting(offers, typing)


def _fits_marker(command: Command, ups: set[bool]) -> bool:
    """Whether `open` or `close` is the one of the two that may be said."""
    return Mark not in command.makes or (command.word == "open") in ups


def _tiles(scene: Scene | None, typing: str) -> tuple[Completion, ...]:
    """Offer the tiles that can be laid, each with the trains it fits."""
    if scene is None:
        return ()
    fits: dict[str, list[str]] = {}
    for move in lays(scene):
        fits.setdefault(_as_typed(move.tile, typing), []).append(train_name(scene, move.train))
    offers = [(text, f"on {' or '.join(dict.fromkeys(names))}") for text, names in fits.items()]
    pairs = [move for move in legal(scene) if isinstance(move, LayChain) and not move.bullet]
    for pair in pairs:
        text = _as_typed(pair.lays[0].tile, typing)
        if text not in fits:
            offers.append((text, "with the tile that follows"))
    return _starting(dict(offers).items(), typing)


def _as_typed(tile: Tile, typing: str) -> str:
    """Write the tile in the way that continues what is typed, else with its larger half first."""
    high, low = tile.high, tile.low
    forms = [f"{high}-{low}", f"{low}-{high}"]
    forms += [f"{high}{sign}{low}" for sign in "|="] + [f"{low}{sign}{high}" for sign in "|="]
    return next((form for form in forms if typing and form.startswith(typing)), forms[0])


def _after_tile(scene: Scene | None, before: Sequence[Word], typing: str) -> tuple[Completion, ...]:
    """Offer the trains that the tile before can be laid on, and the tiles that go on from it."""
    if scene is None:
        return ()
    typed = [read_pair(word.text) for word in before]
    chain = tuple(pair for pair in typed if pair is not None)
    onward = chain_follows(scene, chain) if len(chain) == len(typed) else ()
    more = [(_as_typed(move.tile, typing), "the chain goes on") for move in onward]
    trains = _trains(scene, before) if len(chain) < 2 else {}
    return _starting([*trains.items(), *dict(more).items()], typing)


def _trains(scene: Scene, before: Sequence[Word]) -> dict[str, str]:
    """Find the trains that the tile before can be laid on."""
    first = before[0].text
    pair = read_pair(first)
    cuts = (pair,) if pair is not None else split_run(first)
    at = 1
    if len(before) > 1 and pair is None and before[1].text.isascii() and before[1].text.isdigit():
        cuts, at = ((int(first), int(before[1].text)),) if first.isdigit() else (), 2
    if len(before) > at:
        return {}
    tiles = {make_tile(*cut) for cut in cuts}
    fitting = [move for move in lays(scene) if move.tile in tiles]
    return {
        place_text(scene, move): f"joins {tile_text(move.tile, move.joined)}" for move in fitting
    }
