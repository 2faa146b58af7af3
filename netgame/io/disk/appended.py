"""An open file on this computer's disk that is only ever appended to."""

import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from netgame.io.disk.files import OWN_FILE, sync_file, write_all

_CLOSED: Final = -1
"""Stands for a closed file, whose former descriptor may belong to another file by now."""


class AppendedFile:
    """A file as a `storage.Appended`; every failure is an `OSError`."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | OWN_FILE, 0o600)

    def append(self, octets: bytes | bytearray) -> None:
        """Append `octets`; if the disk fills up, a part of them may be written."""
        write_all(self._file, octets)

    async def settle(self) -> None:
        """Return once all that was appended would survive a power cut; waits in a thread."""
        from netgame.io.work import apart  # imported late, so that `--help` answers at once

        await apart(partial(sync_file, self._file))

    def read(self, at: int, octets_max: int) -> bytes:
        """Read at most `octets_max` octets from the offset `at`."""
        os.lseek(self._file, at, os.SEEK_SET)
        return os.read(self._file, octets_max)

    def cut(self, size: int) -> None:
        """Cut the file off after its first `size` octets."""
        os.ftruncate(self._file, size)

    def close(self) -> None:
        """Close the file; unsettled octets are left to the system. Raises nothing."""
        file, self._file = self._file, _CLOSED
        with suppress(OSError):
            os.close(file)
