"""An append-only file of frames with checksums that survives power cuts and full disks."""

from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import accumulate, chain, count
from pathlib import Path
from typing import Final

from netgame.errors import DiskFull, DiskTrouble
from netgame.io.disk import storage
from netgame.io.disk.storage import STORAGE, disk_sentences
from netgame.limits import RECORD_BYTES_MAX
from netgame.protocol.log.entry import Damage, frame_payload, read_frames, whole_frames

_BLOCK_BYTES: Final = 8_192
"""Octets read at a time: some thirty entries of play, which are usually asked for in a row."""


class RecordFile:
    """An append-only file of a table: its record, or the journal of what its seat has signed.

    Opening it creates it, or raises `DiskTrouble`. Opening a damaged file keeps what `mend` makes
    of it, by default the longest valid prefix; the octets from the damage on are kept beside it,
    never thrown away. `damage` says where and why; it is None if there was none. A full disk raises
    `DiskFull`, and `retry` then writes again everything that is not known to be on disk. After any
    other failed write or sync nothing more is written: the content on disk is then unknown until
    the file is opened again.
    """

    def __init__(self, path: Path, mend: Callable[[bytes], bytes] = whole_frames) -> None:
        self.path = path
        self._broken = False
        self._unsynced = bytearray()
        self._block: tuple[int, tuple[bytes, ...]] = 0, ()
        self._storage = STORAGE.get()
        with disk_sentences("open", path):
            self._file = self._storage.open(path)
        try:
            with disk_sentences("read", path):
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

        The octets from the damage on go into a new file beside it.
        """
        name = f"{self.path.name}.damaged-{damage.offset}"
        names = chain([name], (f"{name}-{number}" for number in count(2)))
        tails = map(self.path.with_name, names)
        tail = next(each for each in tails if storage.seen_at(each) is None)
        storage.replace_file(tail, octets[damage.offset :])
        self.close()  # some systems cannot replace an open file
        try:
            storage.replace_file(self.path, mended)
        finally:
            self._file = self._storage.open(self.path)
        return read_frames(mended)[0]

    @property
    def payloads(self) -> tuple[bytes, ...]:
        """All payloads in the file, up to any damage; raises `DiskTrouble`.

        Each access reads the whole file.
        """
        return read_frames(read_record(self.path))[0]

    def read(self, number: int) -> bytes | None:
        """Return a payload by its number, from 0, or None if there is none; raises `DiskTrouble`.

        Return None also if it is damaged on the disk. The block of payloads read last is cached.
        """
        if number + 1 >= len(self._ends):
            return None
        first, payloads = self._block
        if not first <= number < first + len(payloads):
            start, end = self._ends[number : number + 2]
            with disk_sentences("read", self.path):
                octets = self._file.read(start, max(end - start, _BLOCK_BYTES))
            first, payloads = self._block = number, read_frames(octets)[0]
        return payloads[number - first] if payloads else None

    def append(self, payload: bytes) -> None:
        """Append one payload, without waiting until it is durable; raises `DiskTrouble`.

        If that is `DiskFull`, the payload counts as appended, and `retry` writes it.
        """
        frame = frame_payload(payload)
        with self._breaking("write"):
            self._unsynced += frame
            self._ends.append(self._ends[-1] + len(frame))
            self._file.append(frame)

    async def settle(self) -> None:
        """Return once everything appended so far is durable; errors as for `append`."""
        settled = len(self._unsynced)
        with self._breaking("sync"):
            await self._file.settle()
        del self._unsynced[:settled]

    async def retry(self) -> None:
        """Write and settle again everything that a full disk refused; errors as for `append`.

        A failed sync may have dropped written octets, so nothing since the last good sync is
        trusted: it is cut off and written again.
        """
        with self._breaking("write"):
            self._file.cut(self._ends[-1] - len(self._unsynced))
            self._file.append(self._unsynced)
            await self._file.settle()
        self._unsynced = bytearray()

    def empty(self) -> None:
        """Remove the whole content of a file that has only a header; raises `DiskTrouble`.

        It is not checked that there is only a header. Until the next entry is settled, a power cut
        may bring the content back.
        """
        with self._breaking("empty"):
            self._file.cut(0)
        self._ends, self._unsynced = array("L", [0]), bytearray()
        self._block = 0, ()

    @contextmanager
    def _breaking(self, doing: storage.Doing) -> Iterator[None]:
        """Raise an `OSError` of the block as `DiskTrouble`, or `DiskFull` if only room is missing.

        After any failure but a full disk nothing more is written to the file: each later attempt
        raises `DiskTrouble`.
        """
        if self._broken:
            raise DiskTrouble("{path} failed before and is written no more", path=self.path)
        try:
            yield
        except OSError as error:
            trouble = storage.trouble_of(error, doing, self.path)
            self._broken = not isinstance(trouble, DiskFull)
            raise trouble from error

    def copy_to(self, path: Path) -> None:
        """Copy the whole frames recorded so far to another file, readable as the umask allows.

        A file there is replaced. Raises `DiskTrouble`. The record may be written meanwhile; an
        unfinished frame is left out.
        """
        storage.replace_file(path, whole_frames(read_record(self.path)), 0o666)

    def close(self) -> None:
        """Close the file; unsettled payloads may be lost. Raises nothing."""
        self._file.close()


def read_record(path: Path) -> bytes:
    """Return the octets of a record or evidence file.

    Raises `DiskTrouble`, also if it has more than `RECORD_BYTES_MAX` octets.
    """
    with disk_sentences("read", path):
        octets = storage.read_kept(path, RECORD_BYTES_MAX + 1)
    if len(octets) > RECORD_BYTES_MAX:
        text = "cannot read {path}: more than {most} octets"
        raise DiskTrouble(text, path=path, most=RECORD_BYTES_MAX)
    return octets
