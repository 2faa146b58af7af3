"""An append-only file of frames with checksums that survives power cuts and full disks."""

import os
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import accumulate, chain, count
from pathlib import Path
from typing import Final

from netgame.errors import DiskFull, DiskTrouble
from netgame.io.disk import files
from netgame.io.disk.files import sync_file, write_all
from netgame.limits import RECORD_BYTES_MAX
from netgame.protocol.log.entry import Damage, frame_payload, read_frames, whole_frames

_BLOCK_BYTES: Final = 8_192
"""Read at a time: some thirty entries of play, which are usually asked for in a row."""
_CLOSED: Final = -1
"""No descriptor: the number of one that is closed may be another file's by now."""


class RecordFile:
    """An append-only file of a table: its record, or the journal of what its seat has signed.

    Opening it creates it, or raises `DiskTrouble`. Opening a damaged file keeps what `mend` makes
    of it, by default the longest valid prefix; the rest, from the damage on, is kept beside it
    (`damage` says where and why, None if there was none), never thrown away. When the disk is full,
    `DiskFull` is raised, and `retry` writes everything again that is not known to be on disk. After
    any other failed write or sync nothing more is written: what is on disk is then unknown until
    the file is opened again.
    """

    def __init__(self, path: Path, mend: Callable[[bytes], bytes] = whole_frames) -> None:
        self.path = path
        self._broken = False
        self._unsynced = bytearray()
        self._block: tuple[int, tuple[bytes, ...]] = 0, ()
        with files.disk_sentences("open", path):
            is_new = not path.exists()
            self._file = _open(path)
        try:
            with files.disk_sentences("read", path):
                if is_new:
                    files.sync_folder(path.parent)
                octets = read_record(path)
                payloads, self.damage = read_frames(octets)
                if self.damage is not None:
                    payloads = self._recover(octets, self.damage, mend(octets))
                frames = map(frame_payload, payloads)
                self._ends = array("L", accumulate(map(len, frames), initial=0))
        except BaseException:
            self.close()
            raise

    def _recover(self, octets: bytes, damage: Damage, mended: bytes) -> tuple[bytes, ...]:
        """Replace the damaged file by the mended one, whole or not at all; returns its payloads.

        What stood there from the damage on goes into a new file beside it.
        """
        name = f"{self.path.name}.damaged-{damage.offset}"
        names = chain([name], (f"{name}-{number}" for number in count(2)))
        tail = next(each for each in map(self.path.with_name, names) if not each.exists())
        files.replace_file(tail, octets[damage.offset :])
        self.close()  # some systems cannot replace an open file
        try:
            files.replace_file(self.path, mended)
        finally:
            self._file = _open(self.path)
        return read_frames(mended)[0]

    @property
    def payloads(self) -> tuple[bytes, ...]:
        """All payloads in the file, up to any damage, read anew; raises `DiskTrouble`."""
        return read_frames(read_record(self.path))[0]

    def read(self, number: int) -> bytes | None:
        """One payload, counted from 0, from the file or the block read last; raises `DiskTrouble`.

        None if it is not there, or was damaged when it was read.
        """
        if number + 1 >= len(self._ends):
            return None
        first, payloads = self._block
        if not first <= number < first + len(payloads):
            start, end = self._ends[number : number + 2]
            with files.disk_sentences("read", self.path):
                os.lseek(self._file, start, os.SEEK_SET)
                octets = os.read(self._file, max(end - start, _BLOCK_BYTES))
            first, payloads = self._block = number, read_frames(octets)[0]
        return payloads[number - first] if payloads else None

    def append(self, payload: bytes) -> None:
        """Add one payload, not yet synced; raises `DiskTrouble`.

        If that is `DiskFull`, the payload counts as added, and `retry` writes it.
        """
        frame = frame_payload(payload)
        self._unsynced += frame
        self._ends.append(self._ends[-1] + len(frame))
        with self._breaking("write"):
            write_all(self._file, frame)

    def sync(self) -> None:
        """Return once all that was appended would survive a power cut; errors as for `append`."""
        with self._breaking("sync"):
            sync_file(self._file)
        self._unsynced = bytearray()

    def retry(self) -> None:
        """Write and sync again what a full disk has not taken; errors as for `append`.

        A failed sync may have dropped what was written, so nothing since the last good one is
        trusted: it is cut off and written anew.
        """
        with self._breaking("write"):
            os.ftruncate(self._file, self._ends[-1] - len(self._unsynced))
            write_all(self._file, self._unsynced)
            sync_file(self._file)
        self._unsynced = bytearray()

    def empty(self) -> None:
        """Empty a file that holds no more than a header; raises `DiskTrouble`.

        What it holds is not checked: all of it is gone.
        """
        with self._breaking("empty"):
            os.ftruncate(self._file, 0)
            sync_file(self._file)
        self._ends, self._unsynced = array("L", [0]), bytearray()
        self._block = 0, ()

    @contextmanager
    def _breaking(self, doing: files.Doing) -> Iterator[None]:
        """Any `OSError` in the block stops all further writing, unless only room is missing.

        It is raised as `DiskTrouble` or `DiskFull`; so is any later use of a file that has stopped.
        """
        if self._broken:
            raise DiskTrouble(f"{self.path} failed before and is written no more")
        try:
            yield
        except OSError as error:
            trouble = files.trouble_of(error, doing, self.path)
            self._broken = not isinstance(trouble, DiskFull)
            raise trouble from error

    def copy_to(self, path: Path) -> None:
        """Copy the whole frames recorded so far to another file, readable as the umask allows.

        A file there is replaced. Raises `DiskTrouble`. The record may be written meanwhile; an
        unfinished frame stays out.
        """
        files.replace_file(path, whole_frames(read_record(self.path)), 0o666)

    def close(self) -> None:
        """Close the file; octets that were not synced are left to the system. Raises nothing."""
        file, self._file = self._file, _CLOSED
        with suppress(OSError):
            os.close(file)


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | files.OWN_FILE, 0o600)


def read_record(path: Path) -> bytes:
    """Read a whole record or evidence file; raises `DiskTrouble`.

    It raises that for one of more than `RECORD_BYTES_MAX` octets, too.
    """
    with files.disk_sentences("read", path), files.open_file(path) as file:
        octets = files.read_bounded(file, RECORD_BYTES_MAX)
    if octets is None:
        raise DiskTrouble(f"cannot read {path}: more than {RECORD_BYTES_MAX} octets")
    return octets
