"""`boneyard selftest`: try the terminal, the disk, and a table of four, and report the results."""

import argparse
import platform
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import trio
from msgspec.structs import asdict

from cli.doctor.facts import Facts, gather
from cli.doctor.listing import symptom_lines
from cli.doctor.symptoms import (
    Level,
    Symptom,
    computer_symptoms,
    network_symptoms,
    trial_failed,
    trial_symptoms,
)
from cli.doctor.trial import LIMIT_S, NAMES, play_trial
from cli.exits import ExitCode, sentence_about
from cli.language import say
from cli.render.palette import Line, Paint, Span
from cli.screens.ending import run_trio
from cli.screens.plain import PlainFront
from cli.screens.runs import AtScreen, Screen
from cli.settings.look import own_glyphs, print_drawn
from cli.settings.place import ENVIRONMENT
from cli.visible import print_json, print_line, say_progress
from netgame.errors import NetgameError
from netgame.io.abilities import ABILITIES, Unable
from netgame.io.discovery.survey import NetworkFacts, survey_network
from netgame.io.disk.identity import default_data_dir


def run(options: argparse.Namespace) -> AtScreen:
    """Print the symptoms that need no game; return the rest of the test, to be run at a screen.

    The rest plays a round at a table of four and prints a summary. Its exit code is `OK`, or
    `FAILED` if anything is a problem. With `--json`, the rest prints all. Raises `Unable`
    for `--lan` where nobody can host.
    """
    if options.lan and not ABILITIES.get().listens:
        raise Unable("a table cannot be hosted from here, so there is no network to look at")
    data = Path(options.data) if options.data else default_data_dir()
    network = run_trio(partial(survey_network, None)) if options.lan else NetworkFacts(())
    facts = gather(network, data)
    found = (*(network_symptoms(facts) if options.lan else ()), *computer_symptoms(facts))
    if not options.json:
        print_line(f"{platform.platform()}, TERM={ENVIRONMENT.get().get('TERM', '')}")
        _print(found)
        print_drawn(_sample(facts))
        say_progress(say("A table of four plays a round…"))

    async def rest(_front: PlainFront) -> ExitCode:
        return _told(found, await _tried(data), as_json=options.json)

    return AtScreen(Screen.PLAIN, rest)


def _told(found: Sequence[Symptom], tried: Sequence[Symptom], *, as_json: bool) -> ExitCode:
    """Print the symptoms of the table and a summary, or all as JSON; return the exit code."""
    whole = (*found, *tried)
    failed = any(each.level is Level.PROBLEM for each in whole)
    if as_json:
        rows = [asdict(each) | {"level": each.level.value} for each in whole]
        print_json({"ok": not failed, "system": platform.platform(), "findings": rows})
    else:
        say_progress("")
        _print(tried)
        print_line(_summary(whole))
    return ExitCode.FAILED if failed else ExitCode.OK


async def _tried(data: Path) -> tuple[Symptom, ...]:
    """Play at a table of four and return its symptoms; a failure or a timeout becomes a symptom."""
    try:
        return tuple(trial_symptoms(await play_trial(data)))
    except NetgameError as error:
        return (trial_failed(sentence_about(error)),)
    except trio.TooSlowError:
        return (trial_failed(say("It took longer than {seconds:.0f} s.", seconds=LIMIT_S)),)


def _print(found: Sequence[Symptom]) -> None:
    for line in symptom_lines(found):
        print_line(line)


def _sample(facts: Facts) -> tuple[Line, ...]:
    """Return a sample to look at: a tile in its frame, and each name in the colour of its seat.

    Empty if there is no terminal.
    """
    if not facts.terminal.is_terminal:
        return ()
    glyphs = own_glyphs()
    left, middle, right, foot_left, foot_middle, foot_right = tuple(glyphs.corners)
    rule, upright = glyphs.rule, glyphs.upright
    names = [Span(f" {name}", seat=seat) for seat, name in enumerate(NAMES)]
    note = Span(f"  {say('A whole frame, a dot, and four names; each in its colour if any.')}")
    return (
        (Span(f"{left}{rule}{middle}{rule}{right}"),),
        (Span(f"{upright}9{upright}4{upright} "), Span(glyphs.open_end, Paint.STRONG), *names),
        (Span(f"{foot_left}{rule}{foot_middle}{rule}{foot_right}"), note),
    )


def _summary(found: Sequence[Symptom]) -> str:
    if any(each.level is Level.PROBLEM for each in found):
        return say("Something failed: these lines show where to look.")
    return say("Everything works here.")
