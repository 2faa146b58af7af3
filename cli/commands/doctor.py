"""`boneyard doctor`: gather the facts, print what they mean."""

import argparse
import json
import shutil
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from msgspec.structs import asdict

from cli.doctor.facts import gather
from cli.doctor.symptoms import Level, Symptom, can_host, symptoms
from cli.exits import ExitCode
from cli.language import say, say_count
from cli.render.cells import NARROW_COLUMNS, pad, text_cells, wrap_words
from cli.render.palette import plain_text
from cli.screens.ending import run_trio
from cli.visible import print_line
from netgame.io.discovery.survey import survey_network
from netgame.io.disk.identity import default_data_dir

_INDENT: Final = 20
_INDENT_NARROW: Final = 4
_COLUMNS_MAX: Final = 100


def run(options: argparse.Namespace) -> ExitCode:
    """Look at everything and print it; `OK` if a game can be hosted here, else `FAILED`.

    Raises `Malformed` if the address to reach is none.
    """
    network = run_trio(partial(survey_network, options.address))
    found = symptoms(gather(network, Path(options.data) if options.data else default_data_dir()))
    if options.json:
        rows = [asdict(each) | {"level": each.level.value} for each in found]
        print(json.dumps({"can_host": can_host(found), "findings": rows}))
    else:
        for line in _lines(found):
            print_line(line)
        print_line(_summary(found))
    return ExitCode.OK if can_host(found) else ExitCode.FAILED


def _lines(found: Sequence[Symptom]) -> Iterator[str]:
    """Yield the lines of each symptom, its advice last; in a wide window beside its head.

    No word is broken, so that commands can be copied.
    """
    levels = {each: say(each.value) for each in Level}
    wide = max(map(text_cells, levels.values())) + 2
    indent = max(_INDENT, wide + 2 + max(text_cells(each.area) for each in found))
    columns = min(_COLUMNS_MAX, shutil.get_terminal_size((_COLUMNS_MAX, 24)).columns)
    is_narrow = columns < NARROW_COLUMNS
    indent = _INDENT_NARROW if is_narrow else indent
    width = max(1, columns - indent - 1)
    for each in found:
        head = f"{pad(levels[each.level], wide)}{each.area}"
        if is_narrow:
            yield head
            head = ""
        for text in filter(None, (each.text, each.advice)):
            for line in wrap_words(text, width):
                yield f"{pad(head, indent)}{plain_text(line)}"
                head = ""


def _summary(found: tuple[Symptom, ...]) -> str:
    if not can_host(found):
        return say("A game cannot be hosted here until the problems above are fixed.")
    warnings = sum(each.level is Level.WARNING for each in found)
    if not warnings:
        return say("A game can be hosted here.")
    one = "A game can be hosted here; 1 thing to look at."
    return say_count(one, "A game can be hosted here; {count} things to look at.", warnings)
