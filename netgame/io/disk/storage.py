"""The interface to everything that a program keeps: keys, tables, notes, known peers, settings.

    open  append  settle  read  replace  look  names  remove  lock

Everything kept has a path, which is its name and need not be a path on a disk. `STORAGE` is where
it is kept: on this computer's disk, unless a caller chooses another storage. A game that leaves
nothing behind has another one, and so has a browser. Like `cli.settings.place.ENVIRONMENT` it
belongs to the player that a task serves; tasks and threads started by that task inherit it.

Every function but `settle` is synchronous, and blocks as long as the disk takes. Octets are durable
only once `settle` has returned, and nothing that depends on them may be sent until then.
"""

import errno
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count
from pathlib import Path
from typing import Final, Literal, Protocol, TypeAlias, get_args

from netgame.errors import DiskFull, DiskTrouble
from netgame.io.disk.files import Stat
from netgame.io.disk.on_disk import DiskStorage
from netgame.limits import SECRET_BYTES_MAX

_NO_ROOM: Final = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}


class Appended(Protocol):
    """An open log, whose octets are only ever appended to. Every failure is an `OSError`."""

    def append(self, octets: bytes | bytearray, /) -> None:
        """Append `octets`; if there is no room for all, a part of them may be written."""

    async def settle(self) -> None:
        """Return once everything appended so far, and every earlier replacement, is durable.

        After an error, the octets appended since the last success may be durable or not.
        """

    def read(self, at: int, octets_max: int, /) -> bytes:
        """Read at most `octets_max` octets from the offset `at`, settled or not."""

    def cut(self, size: int, /) -> None:
        """Cut the log off after its first `size` octets."""

    def close(self) -> None:
        """Close the log; unsettled octets may be lost. Raises nothing."""


class Storage(Protocol):
    """A store of files by their paths. Every failure is an `OSError`."""

    def open(self, path: Path, /) -> Appended:
        """Open the log at `path`; make an empty one if there is none."""

    def lock(self, path: Path, /) -> Callable[[], None]:
        """Lock a name, and return a function that unlocks it.

        Raises `files.Held` if it is locked already, usually by another process.
        """

    def read(self, path: Path, octets_max: int, /, *, secret: bool = False) -> bytes:
        """Read a file, at most its first `octets_max` octets.

        A `secret` is refused if others may read it, too.
        """

    def replace(
        self, path: Path, octets: bytes, mode: int = 0o600, /, *, keeps: bool = False
    ) -> None:
        """Replace the file by these octets, whole or not at all.

        With `keeps`, an existing file stays: the first writer wins. `mode` says who may read it,
        where the storage has more than one user.
        """

    def look(self, path: Path, /) -> Stat | None:
        """Return a file's size, age and kind, or None if there is none."""

    def names(self, folder: Path, /) -> tuple[str, ...]:
        """Return the names in a folder, sorted; none if there is no such folder."""

    def remove(self, path: Path, /) -> None:
        """Remove a file, or a folder with everything in it; a missing one is not an error."""

    def create_folder(self, path: Path, /) -> None:
        """Make a folder for its owner alone, and its missing parents, unless it exists."""

    def check_writable(self, path: Path, /) -> None:
        """Check that a file could be written there now; any file there stays as it is."""


_DISK: Final[Storage] = DiskStorage()
STORAGE: Final[ContextVar[Storage]] = ContextVar("storage", default=_DISK)
"""The storage of the player that this task serves; by default this computer's disk."""


# ---- errors as sentences ------------------------------------------------------------------------

Doing: TypeAlias = Literal[
    "open", "read", "write", "sync", "empty", "delete", "create folder", "set aside"
]
"""The operations on a file or folder that may fail."""
CANNOT: Final[Mapping[Doing, str]] = {
    doing: f"cannot {doing} {{path}}: {{reason}}" for doing in get_args(Doing)
}
"""The sentence for each operation that fails; `path` and `reason` are its facts."""


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
    """Return the `DiskTrouble` that `disk_sentences` raises for `error`, perhaps a `DiskFull`."""
    kind = DiskFull if error.errno in _NO_ROOM else DiskTrouble
    return kind(CANNOT[doing], path=path, reason=error.strerror or error)


# ---- files ---------------------------------------------------------------------------------------


def read_kept(path: Path, octets_max: int) -> bytes:
    """Read a file, at most its first `octets_max` octets; raises `OSError`."""
    return STORAGE.get().read(path, octets_max)


def seen_at(path: Path) -> Stat | None:
    """Return a file's size, age and kind; None if there is none, or the system denies access."""
    try:
        return STORAGE.get().look(path)
    except OSError:
        return None


def inside(folder: Path) -> tuple[Path, ...]:
    """Return the paths of everything in a folder, sorted; none if the system denies access."""
    try:
        return tuple(folder / name for name in STORAGE.get().names(folder))
    except OSError:
        return ()


def create_folder(path: Path) -> None:
    """Create a folder that only its owner may enter, and its missing parents; raises `DiskTrouble`.

    An existing folder stays as it is.
    """
    with disk_sentences("create folder", path):
        STORAGE.get().create_folder(path)


def free_name(path: Path, number: int = 2) -> Path:
    """Return the first of `game-2.rec`, `game-3.rec` … that does not exist yet, for `game.rec`.

    `number` is the first to try. Nothing is created.
    """
    names = (path.with_name(f"{path.stem}-{n}{path.suffix}") for n in count(number))
    return next(name for name in names if seen_at(name) is None)


def write_new_secret(path: Path, octets: bytes) -> None:
    """Write a file that only its owner may read, whole or not at all; make its missing folders.

    An existing file is kept: the first writer wins. Raises `DiskTrouble`.
    """
    create_folder(path.parent)
    with disk_sentences("write", path):
        STORAGE.get().replace(path, octets, keeps=True)


def read_secret(path: Path) -> bytes:
    """Return the octets of a small secret file, at most the first `SECRET_BYTES_MAX`.

    Raises `DiskTrouble`, also if the file is a link or, on POSIX, if other users of this computer
    may read or change it.
    """
    with disk_sentences("read", path):
        return STORAGE.get().read(path, SECRET_BYTES_MAX, secret=True)


def replace_file(path: Path, octets: bytes, mode: int = 0o600) -> None:
    """Write a whole file so that readers see the old one or the new one; raises `DiskTrouble`.

    Its folder must exist. Only its owner may read it unless `mode` says otherwise.
    """
    with disk_sentences("write", path):
        STORAGE.get().replace(path, octets, mode)


def check_writable(path: Path) -> None:
    """Check now that a file could be written to `path` later; raises `DiskTrouble`.

    Its folder must exist and take a file. An existing file stays as it is.
    """
    with disk_sentences("write", path):
        STORAGE.get().check_writable(path)
