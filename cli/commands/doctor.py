"""`boneyard doctor`: gather the facts, print what they mean."""

import argparse
import json
import shutil
import textwrap
from pathlib import Path
from typing import Final

import trio
from msgspec.structs import asdict

from cli.checkup.facts import gather
from cli.checkup.symptoms import Level, Symptom, can_host, symptoms
from cli.exits import ExitCode
from cli.visible import print_line
from netgame.io.discovery.survey import survey_network
from netgame.io.disk.identity import default_data_dir

_INDENT: Final = 20
_COLUMNS_MAX: Final = 100


def run(options: argparse.Namespace) -> ExitCode:
    """Look at everything; `OK` if a game can be hosted here."""
    network = trio.run(survey_network, options.address)
    found = symptoms(gather(network, Path(options.data) if options.data else default_data_dir()))
    if options.json:
        rows = [asdict(each) | {"level": each.level.value} for each in found]
        print(json.dumps({"can_host": can_host(found), "findings": rows}))
    else:
        for each in found:
            for line in _lines(each):
                print_line(line)
        print(_summary(found))
    return ExitCode.OK if can_host(found) else ExitCode.FAILED


def _lines(symptom: Symptom) -> list[str]:
    """Write one symptom in two columns, its advice below it."""
    columns = min(_COLUMNS_MAX, shutil.get_terminal_size((_COLUMNS_MAX, 24)).columns)
    width = max(_INDENT, columns - _INDENT - 1)
    texts = [*textwrap.wrap(symptom.text, width), *textwrap.wrap(symptom.advice, width)]
    heads = [f"{symptom.level.value:8} {symptom.area}", *[""] * (len(texts) - 1)]
    return [f"{head:{_INDENT}}{text}" for head, text in zip(heads, texts, strict=True)]


def _summary(found: tuple[Symptom, ...]) -> str:
    if not can_host(found):
        return "A game cannot be hosted here until the problems above are fixed."
    warnings = sum(each.level is Level.WARNING for each in found)
    if not warnings:
        return "A game can be hosted here."
    return f"A game can be hosted here; {warnings} thing{'s' if warnings > 1 else ''} to look at."
