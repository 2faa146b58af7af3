"""A file that a person names, or standard input: its octets, and what it says if it is TOML."""

import errno
import sys
import tomllib
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO, Final

from cli.exits import CommandFailed, ExitCode
from cli.language import say
from cli.visible import visible
from netgame.io.disk.files import NoFile, open_file, read_bounded

_SHOWN_CHARS_MAX: Final = 80


def read_octets(name: str, octets_max: int) -> bytes:
    """Return the octets of a file or pipe that a person names, of standard input for `-`.

    Raises `CommandFailed` if it cannot be read, or has more than `octets_max` octets.
    """
    if name == "-":
        return _read(name, lambda: nullcontext(sys.stdin.buffer), octets_max)
    return _read(name, lambda: Path(name).open("rb"), octets_max)


def read_file(path: Path, octets_max: int) -> bytes:
    """Return the octets of a file that nobody has named.

    Raises `CommandFailed` if it cannot be read, is a pipe or a device, or has more than
    `octets_max` octets.
    """
    return _read(str(path), lambda: open_file(path), octets_max)


def _read(
    name: str, opened: Callable[[], AbstractContextManager[BinaryIO]], octets_max: int
) -> bytes:
    try:
        with opened() as file:
            octets = read_bounded(file, octets_max)
    except NoFile:
        text = "{name} is no file, but a pipe or a device."
        raise CommandFailed(ExitCode.NOT_FOUND, say(text, name=name)) from None
    except OSError as error:
        text = "Cannot read {name}: {reason}."
        raise CommandFailed(
            ExitCode.NOT_FOUND, say(text, name=name, reason=reason_text(error))
        ) from None
    if octets is None:
        text = "{name} is longer than {count} octets."
        raise CommandFailed(ExitCode.BAD_FILE, say(text, name=name, count=octets_max))
    return octets


def cannot_write(path: str | Path, error: OSError) -> CommandFailed:
    """Return the failure that says why a file was not written; the caller raises it."""
    text = "Cannot write {path}: {reason}."
    return CommandFailed(ExitCode.FAILED, say(text, path=path, reason=reason_text(error)))


_REASONS: Final[Mapping[int | None, str]] = {
    errno.ENOENT: "No such file or directory",
    errno.EACCES: "Permission denied",
    errno.EISDIR: "Is a directory",
    errno.ENOTDIR: "Not a directory",
    errno.ENOSPC: "No space left on device",
    errno.EROFS: "Read-only file system",
}
"""The words of Linux for what goes wrong with a file, as far as people meet it."""


def reason_text(error: OSError) -> str:
    """Return the system's reason for an error, without a full stop.

    The frequent ones are translated; the others are as the system has them.
    """
    if error.errno in _REASONS:
        return say(_REASONS[error.errno])
    return error.strerror or str(error)


def read_toml(octets: bytes, name: str | Path) -> dict[str, object]:
    """Return the keys of a TOML file, their values not yet checked.

    The octets may be hostile. Raises `CommandFailed`, whose sentence begins with `name`, if they
    are not UTF-8 or not TOML.
    """
    try:
        return tomllib.loads(octets.decode("utf-8-sig"))
    except UnicodeDecodeError:
        problem = say("This is not UTF-8 text.")
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        problem = say("Not valid TOML: {problem}.", problem=printable(str(error)))
    except ValueError:  # the interpreter reads no number of more than 4,300 digits
        problem = say("Not valid TOML: a number in it is far too long.")
    raise CommandFailed(ExitCode.BAD_FILE, f"{name}: {problem}")


def printable(text: str) -> str:
    """Return text of a file made visible on one line, cut after 80 characters."""
    return visible(text)[:_SHOWN_CHARS_MAX]


def shown(value: object) -> str:
    """Return the `repr` of a value of a file, visible on one line, cut after 80 characters.

    A number with more digits than the interpreter writes is only described.
    """
    try:
        return printable(repr(value))
    except ValueError:
        return say("a number that is far too long")
