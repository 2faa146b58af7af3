"""A file that a person names, or standard input: its octets, and what it says if it is TOML."""

import sys
import tomllib
from pathlib import Path
from typing import Final

from cli.exits import CommandFailed, ExitCode
from cli.language import say
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
        text, reason = "Cannot read {name}: {reason}.", error.strerror or str(error)
        raise CommandFailed(ExitCode.USAGE, say(text, name=name, reason=reason)) from None
    if len(octets) > octets_max:
        text = "{name} is longer than {count} octets."
        raise CommandFailed(ExitCode.USAGE, say(text, name=name, count=octets_max))
    return octets


def cannot_write(path: str | Path, error: OSError) -> CommandFailed:
    """Say why a file was not written."""
    text, reason = "Cannot write {path}: {reason}.", error.strerror or str(error)
    return CommandFailed(ExitCode.FAILED, say(text, path=path, reason=reason))


def read_toml(octets: bytes) -> dict[str, object] | str:
    """Return the keys of a TOML file, their values not yet checked; or a sentence on why not."""
    try:
        return tomllib.loads(octets.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return say("This is not UTF-8 text.")
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return say("Not valid TOML: {problem}.", problem=printable(str(error)))
    except ValueError:  # the interpreter reads no number of more than 4,300 digits
        return say("Not valid TOML: a number in it is far too long.")


def printable(text: str) -> str:
    """Return text of a file so that it can be shown."""
    return visible(text)[:_SHOWN_CHARS_MAX]


def shown(value: object) -> str:
    """Show a value of a file; a number may have more digits than the interpreter writes."""
    try:
        return printable(repr(value))
    except ValueError:
        return say("a number that is far too long")
