"""This computer's disk as a storage: the default one."""

import os
import shutil
import stat
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from netgame.io.disk import files
from netgame.io.disk.appended import AppendedFile
from netgame.io.disk.files import Held, Stat


class DiskStorage:
    """The disk of this computer, as a `storage.Storage`."""

    def open(self, path: Path) -> AppendedFile:
        """Open a file for appending; create it, for its owner alone, if it does not exist.

        Follows no link. Once this returns, the name of a new file survives a power cut.
        """
        is_new = not path.exists()
        file = AppendedFile(path)
        if is_new:
            files.sync_folder(path.parent)
        return file

    def lock(self, path: Path) -> Callable[[], None]:
        """Lock a file, creating it if need be, and return a function that unlocks it.

        Raises `Held` if it is locked already.
        """
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | files.OWN_FILE, 0o600)
        try:
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            raise Held from None
        return partial(os.close, descriptor)

    def read(self, path: Path, octets_max: int, *, secret: bool = False) -> bytes:
        """Read a file, at most its first `octets_max` octets.

        Never waits: a pipe or a device raises `NoFile`. A `secret` is read only if it is not a link
        and, on POSIX, if no other user of this computer may read or change it.
        """
        with files.open_file(path, files.OWN_FILE if secret else 0) as file:
            others_may = os.fstat(file.fileno()).st_mode & files.OTHERS
            if secret and os.name == "posix" and others_may:
                raise OSError(0, f"others may read or change it; to keep it: chmod 600 {path}")
            return files.first_octets(file, octets_max)

    def replace(self, path: Path, octets: bytes, mode: int = 0o600, *, keeps: bool = False) -> None:
        """Write a whole file, so that readers see the old one or the new one.

        With `keeps`, an existing file stays: the first writer wins. The folder must be there.
        """
        with files.drafted(path, octets, mode) as draft:
            (files.publish if keeps else files.put_in_place)(draft, path)

    def look(self, path: Path) -> Stat | None:
        """Return a file's size, age and kind, or None if there is none. Follows links."""
        try:
            found = path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        is_file, is_folder = stat.S_ISREG(found.st_mode), stat.S_ISDIR(found.st_mode)
        return Stat(found.st_size, found.st_mtime, is_file, is_folder)

    def names(self, folder: Path) -> tuple[str, ...]:
        """Return the names of everything in a folder, sorted; none if there is no such folder."""
        try:
            return tuple(sorted(os.listdir(folder)))
        except (FileNotFoundError, NotADirectoryError):
            return ()

    def remove(self, path: Path) -> None:
        """Remove a file, or a folder with everything in it; a missing one is not an error.

        A link is removed, and not followed.
        """
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)

    def create_folder(self, path: Path) -> None:
        """Create a folder that only its owner may enter, and its missing parents.

        An existing folder stays as it is.
        """
        for each in (*reversed(path.parents), path):
            if each == path or not each.exists():
                each.mkdir(mode=0o700, exist_ok=True)

    def check_writable(self, path: Path) -> None:
        """Check that a file could be written there now, by making and removing a draft.

        Its folder must exist and take a file. An existing file stays as it is.
        """
        if path.is_dir():
            raise IsADirectoryError(0, "it is a folder")
        if not path.parent.is_dir():
            raise FileNotFoundError(0, "its folder does not exist")
        if path.exists() and not path.is_file():
            raise OSError(0, "it is a device or a pipe")
        draft, descriptor = files.open_draft(path)
        os.close(descriptor)
        draft.unlink()
