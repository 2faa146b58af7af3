"""A file that a person names, or standard input, as octets."""

import sys
from pathlib import Path

from cli.exits import CommandFailed, ExitCode


def read_octets(name: str, octets_max: int) -> bytes:
    """Read a file, or standard input for `-`; raises `CommandFailed` saying what is wrong."""
    try:
        if name == "-":
            octets = sys.stdin.buffer.read(octets_max + 1)
        else:
            with Path(name).open("rb") as file:
                octets = file.read(octets_max + 1)
    except OSError as error:
        reason = error.strerror or str(error)
        raise CommandFailed(ExitCode.USAGE, f"Cannot read {name}: {reason}.") from None
    if len(octets) > octets_max:
        raise CommandFailed(ExitCode.USAGE, f"{name} is longer than {octets_max} octets.")
    return octets
