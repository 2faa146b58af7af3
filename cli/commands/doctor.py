"""`boneyard doctor`: gather facts about this computer and its network, and print the findings."""

import argparse
from functools import partial
from pathlib import Path

from msgspec.structs import asdict

from cli.doctor.facts import gather
from cli.doctor.listing import symptom_lines
from cli.doctor.symptoms import Level, Symptom, can_host, symptoms
from cli.exits import ExitCode
from cli.language import say, say_count
from cli.screens.ending import run_trio
from cli.visible import print_json, print_line
from netgame.io.abilities import ABILITIES, Unable
from netgame.io.discovery.survey import survey_network
from netgame.io.disk.identity import default_data_dir


def run(options: argparse.Namespace) -> ExitCode:
    """Gather the facts and print the findings; return `OK` if a game can be hosted here.

    Returns `FAILED` if it cannot. Raises `Malformed` if the word typed as an address is not one,
    and `Unable` where nobody can host, as in a browser tab.
    """
    if not ABILITIES.get().listens:
        raise Unable("a table cannot be hosted from here, so nothing can be wrong with its network")
    network = run_trio(partial(survey_network, options.address))
    found = symptoms(gather(network, Path(options.data) if options.data else default_data_dir()))
    if options.json:
        rows = [asdict(each) | {"level": each.level.value} for each in found]
        print_json({"can_host": can_host(found), "findings": rows})
    else:
        for line in symptom_lines(found):
            print_line(line)
        print_line(_summary(found))
    return ExitCode.OK if can_host(found) else ExitCode.FAILED


def _summary(found: tuple[Symptom, ...]) -> str:
    if not can_host(found):
        return say("A game cannot be hosted here until the problems above are fixed.")
    warnings = sum(each.level is Level.WARNING for each in found)
    if not warnings:
        return say("A game can be hosted here.")
    one = "A game can be hosted here; 1 thing to look at."
    return say_count(one, "A game can be hosted here; {count} things to look at.", warnings)
