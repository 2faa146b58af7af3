"""`boneyard doctor`: gather the facts, print what they mean."""

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from msgspec.structs import asdict

from cli.doctor.facts import gather
from cli.doctor.symptoms import Level, Symptom, can_host, symptoms
from cli.exits import ExitCode
from cli.language import say, say_count
from cli.render.cells import text_cells
from cli.render.grid import Column, Grid, Prose, Row
from cli.render.palette import plain_text
from cli.screens.ending import run_trio
from cli.streams import window
from cli.visible import print_json, print_line
from netgame.io.abilities import ABILITIES, Unable
from netgame.io.discovery.survey import survey_network
from netgame.io.disk.identity import default_data_dir

_HEAD_CELLS: Final = 16
"""The least width of level and area together, so that most sentences begin in one column."""
_COLUMNS_MAX: Final = 100


def run(options: argparse.Namespace) -> ExitCode:
    """Look at everything and print it; return `OK` if a game can be hosted here, else `FAILED`.

    Raises `Malformed` if the address to reach is not one, and `Unable` if this place cannot host.
    """
    if not ABILITIES.get().listens:
        raise Unable("a table cannot be hosted from here, so nothing can be wrong with its network")
    network = run_trio(partial(survey_network, options.address))
    found = symptoms(gather(network, Path(options.data) if options.data else default_data_dir()))
    if options.json:
        rows = [asdict(each) | {"level": each.level.value} for each in found]
        print_json({"can_host": can_host(found), "findings": rows})
    else:
        for line in _lines(found):
            print_line(line)
        print_line(_summary(found))
    return ExitCode.OK if can_host(found) else ExitCode.FAILED


def _lines(found: Sequence[Symptom]) -> Iterator[str]:
    """Yield the lines of each symptom, its advice last; in a wide window beside its head.

    No word is broken, so that commands can be copied.
    """
    rows: list[Row] = []
    for each in found:
        rows.append((say(each.level.value), each.area, each.text))
        if each.advice:
            rows.append(("", "", each.advice))
    columns_max = min(_COLUMNS_MAX, window((_COLUMNS_MAX, 24)).columns)
    levels = max(text_cells(say(each.value)) for each in Level)
    columns = (Column(gap=0, least=levels), Column(least=_HEAD_CELLS - levels))
    yield from map(plain_text, Grid(columns, rows, Prose(below=4)).lines(columns_max))


def _summary(found: tuple[Symptom, ...]) -> str:
    if not can_host(found):
        return say("A game cannot be hosted here until the problems above are fixed.")
    warnings = sum(each.level is Level.WARNING for each in found)
    if not warnings:
        return say("A game can be hosted here.")
    one = "A game can be hosted here; 1 thing to look at."
    return say_count(one, "A game can be hosted here; {count} things to look at.", warnings)
