"""A file that a person names, or standard input: its octets, and what it says if it is TOML."""

import sys
import tomllib
from pathlib import Path
from typing import Final

from cli.exits import CommandFailed, ExitCode
from cli.visible import visible

_SHOWN_CHARS_MAX: Final = 80


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


def read_toml(octets: bytes) -> dict[str, object] | str:
    """Return the keys of a TOML file, their values not yet checked; or a sentence on why not."""
    try:
        return tomllib.loads(octets.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return "This is not UTF-8 text."
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return f"Not valid TOML: {printable(str(error))}."
    except ValueError:  # the interpreter reads no number of more than 4,300 digits
        return "Not valid TOML: a number in it is far too long."


def printable(text: str) -> str:
    """Return text of a file so that it can be shown."""
    return visible(text)[:_SHOWN_CHARS_MAX]


def shown(value: object) -> str:
    """Show a value of a file; a number may have more digits than the interpreter writes."""
    try:
        return printable(repr(value))
    except ValueError:
        return "a number that is far too long"
