"""Opening, reading, syncing and replacing files on this computer's disk.

A whole file is written so that a crash leaves either the old one or the new one. Everything here
blocks, and every failure is an `OSError`.
"""

import os
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import UnsupportedOperation
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from netgame.io.clock import stand_still

OWN_FILE: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
"""Flags for opening a file of this program: follow no planted link, keep octets as they are."""
OTHERS: Final = 0o077
_HELD: Final = (5, 32)
"""Windows errors for a file that cannot be replaced while a scanner or an indexer reads it:
`ERROR_ACCESS_DENIED` and `ERROR_SHARING_VIOLATION`. Such programs close it after milliseconds.
"""
_HELD_WAITS_S: Final = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64)
"""Pauses between tries: little more than a second in all, because a missing write permission
gives the same error.
"""
_AT_ONCE: Final = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

_PIECE_BYTES: Final = 65_536
"""Octets read at a time from something without a size, such as a pipe."""


class Stat(NamedTuple):
    """The size, last change and kind of a file or folder."""

    octets: int
    changed: float
    """The time of its last change, in Unix time."""
    is_file: bool
    """False for a folder, and for a pipe or device."""
    is_folder: bool


class Held(OSError):
    """The file is locked already, usually by another process."""


class NoFile(OSError):
    """A pipe or device instead of a file: reading it might never begin, or never end."""

    def __init__(self) -> None:
        super().__init__(0, "it is no file, but a pipe or a device")


def open_file(path: Path, flags: int = 0) -> BinaryIO:
    """Open a regular file for reading, without ever blocking.

    `flags` are passed to `os.open` as well. Raises `OSError`, also for a folder, pipe or device.
    """
    descriptor = os.open(path, os.O_RDONLY | _AT_ONCE | flags)
    kind = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(kind):
        os.close(descriptor)
        raise IsADirectoryError(0, "it is a folder") if stat.S_ISDIR(kind) else NoFile
    return open(descriptor, "rb")


def read_bounded(file: BinaryIO, octets_max: int) -> bytes | None:
    """Read all of a file or pipe, or return None if it has more than `octets_max` octets.

    Raises `OSError`.
    """
    octets = first_octets(file, octets_max + 1)
    return octets if len(octets) <= octets_max else None


def first_octets(file: BinaryIO, octets_max: int) -> bytes:
    """Read a file or pipe to its end, but no more than its first `octets_max` octets.

    Takes memory for the octets that are there, not for `octets_max`. Raises `OSError`.
    """
    size = 0
    with suppress(UnsupportedOperation):  # octets in memory have no descriptor
        size = os.fstat(file.fileno()).st_size
    # a file that does not grow comes in one piece, which `join` does not copy
    pieces = list[bytes]()
    room = octets_max
    wanted = size + _PIECE_BYTES
    while room:
        wanted = min(wanted, room)
        pieces.append(file.read(wanted))
        if len(pieces[-1]) < wanted:
            break
        room, wanted = room - wanted, _PIECE_BYTES
    return b"".join(pieces)


def sync_file(descriptor: int) -> None:
    """Return once the file's octets would survive a power cut; raises `OSError`.

    macOS has a call of its own for that, `F_FULLFSYNC` (man 2 fsync), which some file systems, such
    as network ones, do not know (man 2 fcntl).
    """
    if sys.platform == "darwin":
        import fcntl

        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


def sync_folder(path: Path) -> None:
    """Return once the names in a folder would survive a power cut, where the system can do that.

    Does nothing on Windows; raises `OSError`.
    """
    if sys.platform == "win32":
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def put_in_place(draft: Path, path: Path) -> None:
    """Rename a finished draft to `path`, replacing any file there; raises `OSError`.

    Tries again for about a second while another program on Windows has that file open.
    """
    for wait_s in _HELD_WAITS_S:
        try:
            draft.replace(path)
        except PermissionError as error:
            if getattr(error, "winerror", None) not in _HELD:
                raise
            stand_still(wait_s)
        else:
            return
    draft.replace(path)


def publish(draft: Path, path: Path) -> None:
    """Give a finished draft the name `path`, unless there is a file of that name already.

    The draft may keep its own name too. Where the file system has no hard links, as on a memory
    stick, the draft is renamed. Raises `OSError`, but not if the name is taken.
    """
    with suppress(FileExistsError):
        try:
            os.link(draft, path, follow_symlinks=False)
        except (OSError, NotImplementedError) as error:
            if isinstance(error, FileExistsError) or path.exists():
                return
            draft.rename(path)


@contextmanager
def drafted(path: Path, octets: bytes, mode: int) -> Iterator[Path]:
    """Write `octets` to a draft beside `path`, sync it, and give the block its path.

    The block renames it to `path`. Afterwards remove any draft left, and sync the folder. Raises
    `OSError`.
    """
    draft, descriptor = open_draft(path, mode)
    try:
        with open(descriptor, "wb") as file:
            file.write(octets)
            file.flush()
            sync_file(file.fileno())
        yield draft
    finally:
        draft.unlink(missing_ok=True)
    sync_folder(path.parent)


def draft_name(path: Path) -> Path:
    """Return the path of this thread's draft of new content for `path`; no other writer uses it."""
    return path.with_name(f".{path.name}.{os.getpid()}.{threading.get_native_id()}.draft")


def open_draft(path: Path, mode: int = 0o600) -> tuple[Path, int]:
    """Open a new draft file beside `path`; returns its path and descriptor, or raises `OSError`.

    A file under the draft's name is a draft left by a crash, or a planted link: it is removed, not
    followed. The caller closes the new draft, and renames or removes it.
    """
    draft = draft_name(path)
    draft.unlink(missing_ok=True)
    return draft, os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | OWN_FILE, mode)


def write_all(descriptor: int, octets: bytes | bytearray) -> None:
    """Write all octets, in as many system calls as it takes.

    Raises `OSError`; a part of the octets may be written then.
    """
    view = memoryview(octets)
    while view:
        view = view[os.write(descriptor, view) :]
