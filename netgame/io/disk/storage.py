"""The one door to all that a program keeps: keys, tables, notes, known peers, settings.

    open  append  settle  read  replace  look  names  remove  lock

What is kept has a path, which names it and need lead to no file. Whose things these are is said by
`STORAGE`: the disk of this computer, unless somebody says otherwise, as for a game of which nothing
is to be left, or in a browser. Like `cli.settings.place.ENVIRONMENT` it belongs to whoever is
served by a task, and is handed on to the tasks and threads that this one begins.

All but `settle` answers at once, and blocks where a disk does. Only what `settle` has returned for
is durable, and nothing that hangs on it may be sent before.
"""

import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from pathlib import Path
from typing import Final, Literal, Protocol, TypeAlias

from netgame.errors import DiskFull, DiskTrouble
from netgame.io.disk.files import Stat
from netgame.io.disk.on_disk import DiskStorage
from netgame.limits import SECRET_BYTES_MAX

_NO_ROOM: Final = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}


class Appended(Protocol):
    """An open log: its octets, to which is only ever added. Whatever goes wrong is an `OSError`."""

    def append(self, octets: bytes | bytearray, /) -> None:
        """Add these at the end; of what finds no room a part may be there."""

    async def settle(self) -> None:
        """Return once all that was appended is durable, and all that was replaced before.

        After an error nothing is known of what was appended since the last time.
        """

    def read(self, at: int, octets_max: int, /) -> bytes:
        """Read from there on, at most so many octets; settled or not."""

    def cut(self, size: int, /) -> None:
        """Take away all but the first so many octets."""

    def close(self) -> None:
        """Close it; what was not settled may be lost. Raises nothing."""


class Storage(Protocol):
    """A place where things are kept by their paths. Whatever goes wrong is an `OSError`."""

    def open(self, path: Path, /) -> Appended:
        """Open a log, empty if there is none."""

    def lock(self, path: Path, /) -> Callable[[], None]:
        """Lock a name against other processes, and return what unlocks it.

        Raises `files.Held` if another has it.
        """

    def read(self, path: Path, octets_max: int, /, *, secret: bool = False) -> bytes:
        """Read what is kept, and only the first `octets_max` octets of more.

        A `secret` is refused where others may read it, too.
        """

    def replace(
        self, path: Path, octets: bytes, mode: int = 0o600, /, *, keeps: bool = False
    ) -> None:
        """Put these octets in the place of what is kept there, whole or not at all.

        Where it `keeps` what is there, the first writer wins. `mode` says who may read it, where
        a place has more than one user.
        """

    def look(self, path: Path, /) -> Stat | None:
        """Look at what has this name; None if nothing has."""

    def names(self, folder: Path, /) -> tuple[str, ...]:
        """The names in a folder, sorted; none if there is no such folder."""

    def remove(self, path: Path, /) -> None:
        """Remove a file, or a folder with all that is in it; nothing there is well, too."""

    def create_folder(self, path: Path, /) -> None:
        """Make a folder for its owner alone, and its missing parents, if it is not there."""

    def check_writable(self, path: Path, /) -> None:
        """Check that something could be written there now, and leave all as it is."""


_DISK: Final[Storage] = DiskStorage()
STORAGE: Final[ContextVar[Storage]] = ContextVar("storage", default=_DISK)
"""Where whoever is served by this task keeps things: on this computer's disk, if nothing is said.
"""


# ---- errors as sentences ------------------------------------------------------------------------

Doing: TypeAlias = Literal[
    "open", "read", "write", "sync", "empty", "delete", "create folder", "set aside"
]
"""The ways in which work with a file or folder may fail."""


@contextmanager
def disk_sentences(doing: Doing, path: Path) -> Iterator[None]:
    """Turn an `OSError` into `DiskTrouble`: "cannot <doing> <path>: <the system's reason>".

    It is `DiskFull` if only room is missing.
    """
    try:
        yield
    except OSError as error:
        raise trouble_of(error, doing, path) from error


def trouble_of(error: OSError, doing: Doing, path: Path) -> DiskTrouble:
    """The error as `disk_sentences` raises it, in our words; `DiskFull` if only room is missing."""
    kind = DiskFull if error.errno in _NO_ROOM else DiskTrouble
    return kind(f"cannot {doing} {{path}}: {{reason}}", path=path, reason=error.strerror or error)


# ---- what is kept here --------------------------------------------------------------------------


def read_kept(path: Path, octets_max: int) -> bytes:
    """Read what is kept, and only the first `octets_max` octets of more; raises `OSError`."""
    return STORAGE.get().read(path, octets_max)


def seen_at(path: Path) -> Stat | None:
    """Look at what has this name; None if nothing has, or we are not let look."""
    try:
        return STORAGE.get().look(path)
    except OSError:
        return None


def inside(folder: Path) -> tuple[Path, ...]:
    """The paths of all that is in a folder, sorted; none if we are not let look."""
    try:
        return tuple(folder / name for name in STORAGE.get().names(folder))
    except OSError:
        return ()


def create_folder(path: Path) -> None:
    """Create a folder that only its owner may enter, and its missing parents; raises `DiskTrouble`.

    One that is there already stays as it is.
    """
    with disk_sentences("create folder", path):
        STORAGE.get().create_folder(path)


def free_name(path: Path, number: int = 2) -> Path:
    """The first of `game-2.rec`, `game-3.rec` … that does not exist yet, for `game.rec`.

    `number` is the first to try. Nothing is created.
    """
    names = (path.with_name(f"{path.stem}-{n}{path.suffix}") for n in count(number))
    return next(name for name in names if seen_at(name) is None)


def write_new_secret(path: Path, octets: bytes) -> None:
    """Write a file that only its owner may read, whole or not at all, and its missing folders.

    A file that is already there is kept: the first writer wins. Raises `DiskTrouble`.
    """
    create_folder(path.parent)
    with disk_sentences("write", path):
        STORAGE.get().replace(path, octets, keeps=True)


def read_secret(path: Path) -> bytes:
    """Read a small file that is ours alone, following no planted link.

    Returns only the first `SECRET_BYTES_MAX` octets of a longer one. Raises `DiskTrouble`, also, on
    POSIX, if other users of this computer may read or change it.
    """
    with disk_sentences("read", path):
        return STORAGE.get().read(path, SECRET_BYTES_MAX, secret=True)


def replace_file(path: Path, octets: bytes, mode: int = 0o600) -> None:
    """Write a whole file so that readers see the old one or the new one; raises `DiskTrouble`.

    Its folder must be there. Only its owner may read it unless `mode` says otherwise.
    """
    with disk_sentences("write", path):
        STORAGE.get().replace(path, octets, mode)


def check_writable(path: Path) -> None:
    """Check now that something could be written to `path` later; raises `DiskTrouble`.

    Its folder must be there, and take a file. A file that is there stays as it is.
    """
    with disk_sentences("write", path):
        STORAGE.get().check_writable(path)
