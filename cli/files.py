"""Reading standard input and TOML, and reading and writing files that a person names.

Such files are always on this computer, wherever the program stores its own data. No other module
opens them.
"""

import errno
import tomllib
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from cli.exits import CommandFailed, ExitCode
from cli.language import say
from cli.streams import standard_input
from cli.visible import visible
from netgame.io.disk.files import NoFile, read_bounded
from netgame.io.disk.storage import read_kept

_SHOWN_CHARS_MAX: Final = 80


def read_octets(name: str, octets_max: int) -> bytes:
    """Return the octets of a file or pipe that a person names, or of standard input for `-`.

    Raises `CommandFailed` if it cannot be read, or has more than `octets_max` octets.
    """
    return _read(name, lambda: _named(name, octets_max), octets_max)


def _named(name: str, octets_max: int) -> bytes | None:
    if name == "-":
        return read_bounded(standard_input().buffer, octets_max)
    with Path(name).open("rb") as file:
        return read_bounded(file, octets_max)


def read_file(path: Path, octets_max: int) -> bytes:
    """Return the octets of a file that the program itself keeps.

    Raises `CommandFailed` if it cannot be read, is a pipe or a device, or has more than
    `octets_max` octets.
    """
    return _read(str(path), lambda: read_kept(path, octets_max + 1), octets_max)


def _read(name: str, read: Callable[[], bytes | None], octets_max: int) -> bytes:
    try:
        octets = read()
    except NoFile:
        text = "{name} is no file, but a pipe or a device."
        raise CommandFailed(ExitCode.NOT_FOUND, say(text, name=name)) from None
    except OSError as error:
        text = "Cannot read {name}: {reason}."
        raise CommandFailed(
            ExitCode.NOT_FOUND, say(text, name=name, reason=reason_text(error))
        ) from None
    if octets is None or len(octets) > octets_max:
        text = "{name} is longer than {count} octets."
        raise CommandFailed(ExitCode.BAD_FILE, say(text, name=name, count=octets_max))
    return octets


def is_named(name: str) -> bool:
    """Return True if a file of this name exists, or a folder or anything else."""
    return Path(name).exists()


def write_new(path: Path, octets: bytes) -> None:
    """Write a file that a person names, if it does not exist yet.

    Raises `FileExistsError` if it exists, and `CommandFailed` if it cannot be written; a partly
    written file is removed.
    """
    try:
        with path.open("xb") as file:
            file.write(octets)
    except FileExistsError:
        raise
    except OSError as error:
        with suppress(OSError):  # its folder may not exist
            path.unlink()
        raise cannot_write(path, error) from None


def write_over(name: str, octets: bytes) -> None:
    """Write a file that a person names, replacing its contents; a link or a device stays one.

    Raises `CommandFailed` if it cannot be written.
    """
    try:
        Path(name).write_bytes(octets)
    except OSError as error:
        raise cannot_write(name, error) from None


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
"""The wording of Linux for the file errors that people run into."""


def reason_text(error: OSError) -> str:
    """Return the system's reason for an error, without a full stop.

    Frequent reasons are translated; others keep the system's words.
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
    """Return text from a file as printable text on one line, cut after 80 characters."""
    return visible(text)[:_SHOWN_CHARS_MAX]


def shown(value: object) -> str:
    """Return the `repr` of a value from a file, printable on one line, cut after 80 characters.

    A number with more digits than the interpreter writes is only described.
    """
    try:
        return printable(repr(value))
    except ValueError:
        return say("a number that is far too long")
