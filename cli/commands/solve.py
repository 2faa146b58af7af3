"""`boneyard solve`: the longest train of a hand, which may lie on a real table."""

import argparse
import json
import textwrap
from collections.abc import Iterator, Sequence
from time import monotonic
from typing import Final

from cli.exits import CommandFailed, ExitCode
from cli.scene import tile_text
from cli.typed.intent import UsageError
from cli.typed.readers import read_tiles
from cli.visible import print_line
from engine.longest_train import Aim, TrainSearch, joints
from engine.tiles import Tile, make_tile

_COLUMNS: Final = 80


def run(options: argparse.Namespace) -> ExitCode:
    """Search until no train can be better, or as long as was asked for; print the best."""
    hand = _hand(options.tile)
    search = TrainSearch(hand, options.start, Aim(options.by), covered=options.cover)
    until = float("inf") if options.seconds is None else monotonic() + options.seconds
    while not search.is_proven and monotonic() < until:
        search.step()
    if options.json:
        print(json.dumps(_facts(search)))
    else:
        for line in _lines(search, hand, options):
            print_line(line)
    return ExitCode.OK


def _hand(words: Sequence[str]) -> tuple[Tile, ...]:
    """Read the tiles; raises `CommandFailed` for what is no tile, or there twice."""
    pairs = read_tiles(" ".join(words).split())
    if isinstance(pairs, UsageError):
        raise CommandFailed(ExitCode.USAGE, f"{pairs.hint}.")
    hand = tuple(make_tile(*pair) for pair in pairs)
    for tile in hand:
        if hand.count(tile) > 1:
            raise CommandFailed(ExitCode.USAGE, f"{tile_text(tile)} is there twice.")
    return hand


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
    """What a person reads: the train, whether a better one is possible, what is left over."""
    aim = Aim(options.by)
    start, train = search.best()
    most = "longest" if aim is Aim.TILES else "heaviest"
    if not train:
        end = " without a double at its end" if options.cover else ""
        yield f"These tiles make no train{_from(options.start)}{end}."
        return
    found = "" if search.is_proven else " found"
    begins = f"from {start}" if options.start is not None else f"begins with {start}"
    yield f"The {most} train{found} {begins}: {_sum_text(train, aim)}."
    yield from _wrapped(tile_text(tile, joined) for tile, joined in joints(start, train))
    better = f"no train{_from(options.start)}{' without a double at its end' * options.cover}"
    if search.is_proven:
        yield f"Proven: {better} is {'longer' if aim is Aim.TILES else 'heavier'}."
    else:
        yield f"Time is up: {better} has more than {_count(search.bound, aim.value)}."
    rest = sorted(set(hand).difference(train), reverse=True)
    if rest:
        yield f"Left over: {_sum_text(rest, aim)}."
        yield from _wrapped(tile_text(tile) for tile in rest)


def _from(start: int | None) -> str:
    return "" if start is None else f" from {start}"


def _wrapped(tiles: Iterator[str]) -> list[str]:
    return textwrap.wrap(
        " ".join(tiles),
        _COLUMNS,
        initial_indent="  ",
        subsequent_indent="  ",
        break_on_hyphens=False,
    )


def _sum_text(tiles: Sequence[Tile], aim: Aim) -> str:
    """How many tiles with how many pips, whatever is aimed at first."""
    count = _count(len(tiles), "tiles")
    pips = _count(sum(tile.pips for tile in tiles), "pips")
    return f"{count}, {pips}" if aim is Aim.TILES else f"{pips}, {count}"


def _count(number: int, things: str) -> str:
    return f"{number:,} {things if number != 1 else things[:-1]}"
