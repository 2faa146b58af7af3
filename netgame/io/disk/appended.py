"""An open file of this computer's disk, to which is only ever added."""

import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from netgame.io.disk.files import OWN_FILE, sync_file, write_all

_CLOSED: Final = -1
"""No descriptor: the number of one that is closed may be another file's by now."""


class AppendedFile:
    """A file as `storage.Appended`; whatever goes wrong is an `OSError`."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | OWN_FILE, 0o600)

    def append(self, octets: bytes | bytearray) -> None:
        """Add these at the end; of what finds no room a part may be there."""
        write_all(self._file, octets)

    async def settle(self) -> None:
        """Return once all that was appended would survive a power cut; a thread waits for it."""
        from netgame.io.work import apart  # late, so that `--help` answers at once

        await apart(partial(sync_file, self._file))

    def read(self, at: int, octets_max: int) -> bytes:
        """Read from there on, at most so many octets."""
        os.lseek(self._file, at, os.SEEK_SET)
        return os.read(self._file, octets_max)

    def cut(self, size: int) -> None:
        """Take away all but the first so many octets."""
        os.ftruncate(self._file, size)

    def close(self) -> None:
        """Close it; what was not settled is left to the system. Raises nothing."""
        file, self._file = self._file, _CLOSED
        with suppress(OSError):
            os.close(file)
