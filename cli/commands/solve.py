"""`boneyard solve`: the longest train of a hand, which may be a hand of real tiles."""

import argparse
from collections.abc import Iterator, Sequence
from typing import Final

from cli.exits import CommandFailed, ExitCode
from cli.files import read_octets
from cli.input.readers import UsageError, read_tiles
from cli.language import say, say_count
from cli.render.cells import wrapped
from cli.scene import tile_text, tiles_text
from cli.visible import print_json, print_line
from engine.longest_train import Aim, TrainSearch, joints
from engine.tiles import Tile, make_tile
from netgame.io import clock

_COLUMNS: Final = 80
_TEXT_BYTES_MAX: Final = 65_536
"""The limit of standard input; all tiles of the largest set take 1,000 octets."""
_BEST: Final = {
    (Aim.TILES, True): "longest train",
    (Aim.TILES, False): "longest train found",
    (Aim.PIPS, True): "heaviest train",
    (Aim.PIPS, False): "heaviest train found",
}


def run(options: argparse.Namespace) -> ExitCode:
    """Search until no train can be better, or until the time is up; print the best.

    Returns `OK`, even if there is no train. Raises `CommandFailed` for a word that is not a tile, a
    tile given twice, or no tile at all.
    """
    hand = _hand(options.tile)
    search = TrainSearch(hand, options.start, Aim(options.by), covered=options.cover)
    until = float("inf") if options.seconds is None else clock.seconds() + options.seconds
    while not search.is_proven and clock.seconds() < until:
        search.step()
    if options.json:
        print_json(_facts(search))
    else:
        for line in _lines(search, hand, options):
            print_line(line)
    return ExitCode.OK


def _hand(words: Sequence[str]) -> tuple[Tile, ...]:
    """Read the tiles; the word `-` means all tiles on standard input.

    Raises `CommandFailed` for a word that is not a tile, a tile given twice, or no tile at all.
    """
    texts = [_typed_in() if word == "-" else word for word in words]
    pairs = read_tiles(" ".join(texts).split())
    if not pairs:
        raise CommandFailed(ExitCode.BAD_FILE, say("There is no tile on standard input."))
    if isinstance(pairs, UsageError):
        raise CommandFailed(ExitCode.USAGE, f"{pairs.hint}.")
    hand = tuple(make_tile(*pair) for pair in pairs)
    for tile in hand:
        if hand.count(tile) > 1:
            raise CommandFailed(ExitCode.USAGE, say("{tile} is there twice.", tile=tile_text(tile)))
    return hand


def _typed_in() -> str:
    """Return standard input as text; octets that are not UTF-8 become U+FFFD, never a tile."""
    return read_octets("-", _TEXT_BYTES_MAX).decode(errors="replace")


def _facts(search: TrainSearch) -> dict[str, object]:
    start, train = search.best()
    facts = {
        "length": len(train),
        "pips": sum(tile.pips for tile in train),
        "train": [f"{joined}-{tile.other_end(joined)}" for tile, joined in joints(start, train)],
        "optimal": search.is_proven,
    }
    return facts if search.is_proven else facts | {"bound": search.bound}


def _lines(search: TrainSearch, hand: Sequence[Tile], options: argparse.Namespace) -> Iterator[str]:
    """Yield lines on the train, on whether a better one is possible, and on the tiles left over.

    If there is no train, yield only a sentence saying so.
    """
    aim = Aim(options.by)
    start, train = search.best()
    other = _train_text(options)
    if not train:
        yield say("These tiles make no {train}.", train=other)
        return
    begins = "The {train} begins with {start}: {tiles}."
    text = begins if options.start is None else "The {train} from {start}: {tiles}."
    yield say(
        text, train=say(_BEST[aim, search.is_proven]), start=start, tiles=_sum_text(train, aim)
    )
    yield from _wrapped(tile_text(tile, joined) for tile, joined in joints(start, train))
    longer = aim is Aim.TILES
    if search.is_proven:
        text = "Proven: no {train} is longer." if longer else "Proven: no {train} is heavier."
        yield say(text, train=other)
    else:
        most = tiles_text(search.bound) if longer else _pips_text(search.bound)
        yield say("Time is up: no {train} has more than {most}.", train=other, most=most)
    rest = sorted(set(hand).difference(train), reverse=True)
    if rest:
        yield say("Left over: {tiles}.", tiles=_sum_text(rest, aim))
        yield from _wrapped(tile_text(tile) for tile in rest)


def _train_text(options: argparse.Namespace) -> str:
    if options.start is None:
        return say("train without a double at its end" if options.cover else "train")
    text = "train from {start} without a double at its end"
    return say(text if options.cover else "train from {start}", start=options.start)


def _wrapped(tiles: Iterator[str]) -> list[str]:
    return [*wrapped(f"  {' '.join(tiles)}", _COLUMNS, "  ")]


def _sum_text(tiles: Sequence[Tile], aim: Aim) -> str:
    """Return the numbers of tiles and of pips as text; the one that `aim` maximises comes first."""
    counted = [tiles_text(len(tiles)), _pips_text(sum(tile.pips for tile in tiles))]
    return ", ".join(counted if aim is Aim.TILES else reversed(counted))


def _pips_text(count: int) -> str:
    return say_count("1 pip", "{count:,} pips", count)
