"""`boneyard completion`: a script that teaches a shell to complete commands and arguments."""

import argparse
from typing import Final

import shtab

from cli.arguments.parser import COMMANDS, build_parser
from cli.choices.table import TABLE
from cli.exits import ExitCode
from cli.settings.declared import SETTINGS
from cli.visible import print_text
from engine.bots.levels import BotLevel
from engine.rules.choose import RULE_SETS

_WORDS: Final = {
    **{f"--{name}": tuple(choice.kind.sentences) for name, choice in TABLE.items()},
    "NAME|FILE": tuple(RULE_SETS),
    "N|LEVEL,…": tuple(level.value for level in BotLevel),
    "key": tuple(SETTINGS),
    "topic": tuple(COMMANDS),
}
"""Values to offer for arguments for which the parser lists none; bash offers files too."""


def run(options: argparse.Namespace) -> ExitCode:
    """Print the script for this shell; return `OK`."""
    print_text(f"{script(options.shell)}\n")
    return ExitCode.OK


def script(shell: str) -> str:
    """Return the completion script for a shell, made from the parser of the command line."""
    parser = build_parser(whole=True)
    _complete_values(parser)
    made: str = shtab.complete(parser, shell)
    return made


def _complete_values(parser: argparse.ArgumentParser) -> None:
    """Give each argument its values from `_WORDS`, or mark it as a path if it takes one.

    Changes the parser in place, and the parsers of its commands too.
    """
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                _complete_values(each)
        metavar = action.metavar
        words = metavar if isinstance(metavar, tuple) else str(metavar).split("|")
        if action.choices is None:
            names = (*action.option_strings, str(action.metavar), action.dest)
            action.choices = next(filter(None, map(_WORDS.get, names)), None)
        if action.choices is not None:
            continue
        if "DIR" in words:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        elif {"FILE", "RECORD"} & {*words}:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
