"""A place in this program's memory: for games of which nothing is to be left, and for tests."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

from netgame.io.clock import unix_time
from netgame.io.disk.files import Held, Stat
from netgame.io.disk.storage import STORAGE, Appended, Storage

IN_MEMORY: Final = Path("(memory)")
"""Names the folder that leads nowhere on a disk."""


@contextmanager
def in_memory() -> Iterator[None]:
    """Have all below `IN_MEMORY` be kept in memory within the block, and all else as before.

    Nothing of it is there before, and nothing is left behind the block.
    """
    before = STORAGE.set(Mounted(IN_MEMORY, MemoryStorage(), STORAGE.get()))
    try:
        yield
    finally:
        STORAGE.reset(before)


class AppendedOctets:
    """A log in memory as `storage.Appended`: it lasts as long as the program, from the first octet.

    One that was removed meanwhile goes on by itself, as a file does.
    """

    def __init__(self, kept: bytearray, changed: Callable[[], None]) -> None:
        self._kept, self._changed = kept, changed

    def append(self, octets: bytes | bytearray) -> None:
        """Add these at the end."""
        self._kept += octets
        self._changed()

    async def settle(self) -> None:
        """Return at once: a power cut takes all of it, and this seat with it."""

    def read(self, at: int, octets_max: int) -> bytes:
        """Read from there on, at most so many octets."""
        return bytes(self._kept[at : at + octets_max])

    def cut(self, size: int) -> None:
        """Take away all but the first so many octets."""
        del self._kept[size:]
        self._changed()

    def close(self) -> None:
        """Do nothing: what was appended stays."""


class MemoryStorage:
    """A `storage.Storage` that is gone with this object. Folders are made as they are named.

    What is kept in one is there for everybody in this process: nobody else can read it.
    """

    def __init__(self) -> None:
        self._kept: dict[Path, bytearray] = {}
        self._changed: dict[Path, float] = {}
        self._locks: dict[Path, int] = {}
        self._numbers = count()

    def open(self, path: Path) -> AppendedOctets:
        """Open a log, empty if there is none."""
        if path not in self._kept:
            self._keep(path, b"")
        return AppendedOctets(self._kept[path], partial(self._touch, path))

    def lock(self, path: Path) -> Callable[[], None]:
        """Lock a name against others of this program; raises `Held` if another has it."""
        if path in self._locks:
            raise Held
        self._locks[path] = number = next(self._numbers)
        return partial(self._unlock, path, number)

    def _unlock(self, path: Path, number: int) -> None:
        if self._locks.get(path) == number:
            del self._locks[path]

    def read(self, path: Path, octets_max: int, *, secret: bool = False) -> bytes:
        """Read what is kept, and only the first `octets_max` octets of more."""
        del secret  # all of it is
        try:
            return bytes(memoryview(self._kept[path])[:octets_max])
        except KeyError:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)) from None

    def replace(self, path: Path, octets: bytes, mode: int = 0o600, *, keeps: bool = False) -> None:
        """Put these octets in the place of what is kept there, unless it `keeps` that."""
        del mode  # nobody else can read it
        if not (keeps and path in self._kept):
            self._keep(path, octets)

    def _keep(self, path: Path, octets: bytes) -> None:
        self._kept[path] = bytearray(octets)
        self._touch(path)

    def _touch(self, path: Path) -> None:
        self._changed[path] = unix_time()

    def look(self, path: Path) -> Stat | None:
        """Look at what has this name; a folder is there while something is in it."""
        if path in self._kept:
            return Stat(len(self._kept[path]), self._changed[path], is_file=True, is_folder=False)
        if self.names(path):
            return Stat(0, 0.0, is_file=False, is_folder=True)
        return None

    def names(self, folder: Path) -> tuple[str, ...]:
        """The names of all that is kept in a folder, sorted."""
        depth = len(folder.parts)
        within = (path for path in tuple(self._kept) if folder in path.parents)
        return tuple(sorted({path.parts[depth] for path in within}))

    def remove(self, path: Path) -> None:
        """Remove what is kept under this name, and all that is in it."""
        for each in tuple(self._kept):
            if each == path or path in each.parents:
                del self._kept[each], self._changed[each]

    def create_folder(self, path: Path) -> None:
        """Do nothing: a folder is there once something is kept in it."""

    def check_writable(self, path: Path) -> None:
        """Do nothing: there is room for all that a game keeps."""


class Mounted:
    """A `storage.Storage` of two: one for all below a folder, another for all else."""

    def __init__(self, folder: Path, within: Storage, others: Storage) -> None:
        self._folder, self._within, self._others = folder, within, others

    def _at(self, path: Path) -> Storage:
        is_within = path == self._folder or self._folder in path.parents
        return self._within if is_within else self._others

    def open(self, path: Path) -> Appended:
        """Open a log where it belongs; all others of these are the same."""
        return self._at(path).open(path)

    def lock(self, path: Path) -> Callable[[], None]:
        """Lock a name."""
        return self._at(path).lock(path)

    def read(self, path: Path, octets_max: int, *, secret: bool = False) -> bytes:
        """Read what is kept."""
        return self._at(path).read(path, octets_max, secret=secret)

    def replace(self, path: Path, octets: bytes, mode: int = 0o600, *, keeps: bool = False) -> None:
        """Put these octets in the place of what is kept there."""
        self._at(path).replace(path, octets, mode, keeps=keeps)

    def look(self, path: Path) -> Stat | None:
        """Look at what has this name."""
        return self._at(path).look(path)

    def names(self, folder: Path) -> tuple[str, ...]:
        """The names in a folder."""
        return self._at(folder).names(folder)

    def remove(self, path: Path) -> None:
        """Remove a file or a folder."""
        self._at(path).remove(path)

    def create_folder(self, path: Path) -> None:
        """Make a folder."""
        self._at(path).create_folder(path)

    def check_writable(self, path: Path) -> None:
        """Check that something could be written there."""
        self._at(path).check_writable(path)
