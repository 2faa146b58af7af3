"""`boneyard help`: prints the `--help` of the program or of one command."""

import argparse

from cli.arguments.parser import build_parser, parser_of
from cli.exits import ExitCode


def run(options: argparse.Namespace) -> ExitCode:
    """Print the help of the command named, or of the program; return `OK`.

    Raises `CommandFailed` for an unknown command.
    """
    parser = parser_of(options.topic) if options.topic else build_parser()
    parser.print_help()
    return ExitCode.OK
