"""A storage in memory: for games that leave nothing behind, and for tests."""

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
"""The folder whose files are kept in memory; there is no such folder on the disk."""


@contextmanager
def in_memory() -> Iterator[None]:
    """Within the block, keep everything below `IN_MEMORY` in memory; other paths stay as they are.

    `IN_MEMORY` is empty when the block begins, and nothing remains when it ends.
    """
    before = STORAGE.set(Mounted(IN_MEMORY, MemoryStorage(), STORAGE.get()))
    try:
        yield
    finally:
        STORAGE.reset(before)


class AppendedOctets:
    """A log in memory, as a `storage.Appended`: it lasts at most as long as the program.

    A log that is removed while it is open stays usable, as a file does.
    """

    def __init__(self, kept: bytearray, changed: Callable[[], None]) -> None:
        self._kept, self._changed = kept, changed

    def append(self, octets: bytes | bytearray) -> None:
        """Append `octets`."""
        self._kept += octets
        self._changed()

    async def settle(self) -> None:
        """Return at once: nothing in memory can be made to survive a power cut."""

    def read(self, at: int, octets_max: int) -> bytes:
        """Read at most `octets_max` octets from the offset `at`."""
        return bytes(self._kept[at : at + octets_max])

    def cut(self, size: int) -> None:
        """Cut the log off after its first `size` octets."""
        del self._kept[size:]
        self._changed()

    def close(self) -> None:
        """Do nothing: the log stays."""


class MemoryStorage:
    """A `storage.Storage` that lasts as long as this object; a folder exists once a file is in it.

    All code in this process can read the files in it, and no other process can.
    """

    def __init__(self) -> None:
        self._kept: dict[Path, bytearray] = {}
        self._changed: dict[Path, float] = {}
        self._locks: dict[Path, int] = {}
        self._numbers = count()

    def open(self, path: Path) -> AppendedOctets:
        """Open the log at `path`, making an empty one if there is none."""
        if path not in self._kept:
            self._keep(path, b"")
        return AppendedOctets(self._kept[path], partial(self._touch, path))

    def lock(self, path: Path) -> Callable[[], None]:
        """Lock a name within this program, and return a function that unlocks it.

        Raises `Held` if it is locked already.
        """
        if path in self._locks:
            raise Held
        self._locks[path] = number = next(self._numbers)
        return partial(self._unlock, path, number)

    def _unlock(self, path: Path, number: int) -> None:
        if self._locks.get(path) == number:
            del self._locks[path]

    def read(self, path: Path, octets_max: int, *, secret: bool = False) -> bytes:
        """Return the first `octets_max` octets of a file; FileNotFoundError if there is none."""
        del secret  # nobody else can read any of it
        try:
            return bytes(memoryview(self._kept[path])[:octets_max])
        except KeyError:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)) from None

    def replace(self, path: Path, octets: bytes, mode: int = 0o600, *, keeps: bool = False) -> None:
        """Replace the file by these octets; with `keeps`, leave an existing file as it is."""
        del mode  # nobody else can read it
        if not (keeps and path in self._kept):
            self._keep(path, octets)

    def _keep(self, path: Path, octets: bytes) -> None:
        self._kept[path] = bytearray(octets)
        self._touch(path)

    def _touch(self, path: Path) -> None:
        self._changed[path] = unix_time()

    def look(self, path: Path) -> Stat | None:
        """Return a file's size, age and kind, or None; a folder exists while something is in it."""
        if path in self._kept:
            return Stat(len(self._kept[path]), self._changed[path], is_file=True, is_folder=False)
        if self.names(path):
            return Stat(0, 0.0, is_file=False, is_folder=True)
        return None

    def names(self, folder: Path) -> tuple[str, ...]:
        """Return the names of everything in a folder, sorted; none if there is no such folder."""
        depth = len(folder.parts)
        within = (path for path in tuple(self._kept) if folder in path.parents)
        return tuple(sorted({path.parts[depth] for path in within}))

    def remove(self, path: Path) -> None:
        """Remove a file, or a folder with everything in it; a missing one is not an error."""
        for each in tuple(self._kept):
            if each == path or path in each.parents:
                del self._kept[each], self._changed[each]

    def create_folder(self, path: Path) -> None:
        """Do nothing: a folder exists once something is in it."""

    def check_writable(self, path: Path) -> None:
        """Do nothing: every path in memory can be written."""


class Mounted:
    """Two storages as one `storage.Storage`: one for all paths below a folder, one for the rest."""

    def __init__(self, folder: Path, within: Storage, others: Storage) -> None:
        self._folder, self._within, self._others = folder, within, others

    def _at(self, path: Path) -> Storage:
        is_within = path == self._folder or self._folder in path.parents
        return self._within if is_within else self._others

    def open(self, path: Path) -> Appended:
        """Open a log in the storage of its path; all methods choose the storage by the path."""
        return self._at(path).open(path)

    def lock(self, path: Path) -> Callable[[], None]:
        """Lock a name, and return a function that unlocks it."""
        return self._at(path).lock(path)

    def read(self, path: Path, octets_max: int, *, secret: bool = False) -> bytes:
        """Read a file, at most its first `octets_max` octets."""
        return self._at(path).read(path, octets_max, secret=secret)

    def replace(self, path: Path, octets: bytes, mode: int = 0o600, *, keeps: bool = False) -> None:
        """Replace a file by these octets, or with `keeps` add it only if it is missing."""
        self._at(path).replace(path, octets, mode, keeps=keeps)

    def look(self, path: Path) -> Stat | None:
        """Return a file's size, age and kind, or None if there is none."""
        return self._at(path).look(path)

    def names(self, folder: Path) -> tuple[str, ...]:
        """Return the names in a folder, sorted; none if there is no such folder."""
        return self._at(folder).names(folder)

    def remove(self, path: Path) -> None:
        """Remove a file, or a folder with everything in it."""
        self._at(path).remove(path)

    def create_folder(self, path: Path) -> None:
        """Make a folder, where the storage of its path needs one."""
        self._at(path).create_folder(path)

    def check_writable(self, path: Path) -> None:
        """Check that a file could be written there now; raises `OSError` if not."""
        self._at(path).check_writable(path)
