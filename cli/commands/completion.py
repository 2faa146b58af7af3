"""`boneyard completion`: a script that teaches a shell to complete commands and arguments."""

import argparse

import shtab

from cli.arguments.parser import build_parser
from cli.exits import ExitCode


def run(options: argparse.Namespace) -> ExitCode:
    """Print the script for this shell, made from the parser of the command line."""
    parser = build_parser(whole=True)
    _complete_files(parser)
    print(shtab.complete(parser, options.shell))
    return ExitCode.OK


def _complete_files(parser: argparse.ArgumentParser) -> None:
    """Mark the arguments that are files or folders, by what their help calls them."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                _complete_files(each)
        words = str(action.metavar).split("|")
        if "DIR" in words:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        elif {"FILE", "RECORD"} & {*words}:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
