"""What a peer keeps on disk: a folder for each table, with its record, secret and lock.

    DATA/identity.key            see `identity`
    DATA/known-peers.toml        see `known_peers`
    DATA/tables/ID/lock          held by the one process that sits at this table
    DATA/tables/ID/secret        32 octets from which all secrets of the table derive
    DATA/tables/ID/record        the log, append only
    DATA/tables/ID/journal       every entry that this seat has signed, append only
    DATA/tables/ID/evidence-*    what proves a peer's fault
    DATA/tables/ID/bots/N/       the data folder of the table's N-th bot

Everything here blocks; `node` calls it where that is allowed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from netgame.errors import DiskFull, DiskTrouble
from netgame.io.disk.files import (
    create_folder,
    disk_sentences,
    open_draft,
    read_secret,
    replace_file,
    sync_file,
    sync_folder,
    trouble_of,
    write_all,
    write_new_secret,
)
from netgame.limits import EVIDENCE_BYTES_MAX, EVIDENCE_FILES_MAX, RECORD_BYTES_MAX
from netgame.protocol.log.record_frames import Damage, frame_payload, read_frames

TABLE_NAME_CHARS: Final = 32
"""A table's folder is named by the first 128 bits of its id, in hexadecimal."""

_BINARY: Final = getattr(os, "O_BINARY", 0)
_NOFOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)


class DataFolder:
    """Everything one identity keeps; several tables, each with a folder of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def open_table(self, table_id: bytes, secret: bytes | None = None) -> TableFolder:
        """Open the folder of a table, made on first use with `secret`. Raises `DiskTrouble`."""
        return TableFolder(self.table_path(table_id), secret)

    def new_table_path(self, table_id: bytes) -> Path:
        """Return where no folder is yet; demonstrations play the same table id many times."""
        path, number = self.table_path(table_id), 1
        while path.exists():
            number += 1
            path = path.with_name(f"{path.name.partition('-')[0]}-{number}")
        return path

    def table_path(self, table_id: bytes) -> Path:
        """Return where the folder of a table is, or would be."""
        return self.path / "tables" / table_id.hex()[:TABLE_NAME_CHARS]

    def tables(self) -> tuple[Path, ...]:
        """Return the folders of all tables that have a record, the latest first."""
        with suppress(OSError):
            found = [
                path for path in (self.path / "tables").iterdir() if (path / "record").is_file()
            ]
            return tuple(sorted(found, key=lambda path: -(path / "record").stat().st_mtime))
        return ()


class TableFolder:
    """One table's folder, locked for as long as this object is open.

    Made on first use with `secret`. Raises `DiskTrouble` if another process holds it, or if it is
    there with another secret than the one given.
    """

    def __init__(self, path: Path, secret: bytes | None = None) -> None:
        self.path = path
        create_folder(path)
        self._lock = _lock(path / "lock")
        try:
            if secret is not None:
                write_new_secret(path / "secret", secret)
            self.secret = read_secret(path / "secret")
            if secret is not None and secret != self.secret:
                raise DiskTrouble(f"{path} already belongs to another sitting of this table")
            self.record = RecordFile(path / "record")
            try:
                self.journal = RecordFile(path / "journal")
            except BaseException:
                self.record.close()
                raise
        except BaseException:
            os.close(self._lock)
            raise

    def save_evidence(self, name: str, content: bytes) -> Path:
        """Write a file beside the record; `name` is ours, but only its last part counts.

        Where the folder's evidence would be too many or too large, hearsay goes first and then the
        oldest; hearsay itself is not written where only convictions would have to go.
        """
        path = self.path / os.path.basename(name)
        with disk_sentences("write", path):
            if not self._has_room(path, len(content)):
                return path
        replace_file(path, content)
        return path

    def _has_room(self, path: Path, octets: int) -> bool:
        """Whether this evidence may be written, now that what had to go for it has gone."""
        others = [each for each in self.path.glob("evidence-*") if each != path]
        others.sort(key=lambda each: (not _is_hearsay(each), each.stat().st_mtime_ns))
        octets += sum(each.stat().st_size for each in others)
        while others and (len(others) >= EVIDENCE_FILES_MAX or octets > EVIDENCE_BYTES_MAX):
            if _is_hearsay(path) and not _is_hearsay(others[0]):
                return False
            octets -= others[0].stat().st_size
            others.pop(0).unlink()
        return True

    def close(self) -> None:
        """Give the record, the journal and the lock back."""
        self.record.close()
        self.journal.close()
        with suppress(OSError):
            os.close(self._lock)


class RecordFile:
    """An append-only file of a table: its record, or the journal of what its seat has signed.

    Opening keeps the longest valid prefix; whatever follows it is moved to a file beside the
    record (`damage` says where and why), never thrown away.

    When the disk is full, `DiskFull` is raised, and `retry` writes again all that is not known to
    be on the disk. After any other failed write or sync nothing more is written: what the disk
    holds is then unknown until the file is opened anew.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._broken = False
        self._unsynced = bytearray()
        with disk_sentences("open", path):
            is_new = not path.exists()
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | _NOFOLLOW | _BINARY
            self._file = os.open(path, flags, 0o600)
        try:
            with disk_sentences("read", path):
                if is_new:
                    sync_folder(path.parent)
                self.payloads, self.damage = self._recover()
                self._synced_bytes = os.fstat(self._file).st_size
        except BaseException:
            os.close(self._file)
            raise

    def _recover(self) -> tuple[tuple[bytes, ...], Damage | None]:
        octets = read_record(self.path)
        payloads, damage = read_frames(octets)
        if damage is not None:
            tail = self.path.with_name(f"{self.path.name}.damaged-{damage.offset}")
            replace_file(tail, octets[damage.offset :])
            os.ftruncate(self._file, damage.offset)
            sync_file(self._file)
        return payloads, damage

    def append(self, payload: bytes) -> None:
        """Add one payload, not yet synced. Raises `DiskTrouble`, or `DiskFull`: then `retry`."""
        frame = frame_payload(payload)
        self._unsynced += frame
        with self._breaking("write"):
            write_all(self._file, frame)

    def sync(self) -> None:
        """Return when all that was appended would survive a power cut; errors as of `append`."""
        with self._breaking("sync"):
            sync_file(self._file)
        self._settled()

    def retry(self) -> None:
        """Write and sync once more what a full disk has not taken; errors as of `append`.

        A failed sync may have dropped what was written, so nothing since the last good one is
        believed: it is cut off and written anew.
        """
        with self._breaking("write"):
            os.ftruncate(self._file, self._synced_bytes)
            write_all(self._file, self._unsynced)
            sync_file(self._file)
        self._settled()

    def _settled(self) -> None:
        self._synced_bytes += len(self._unsynced)
        self._unsynced = bytearray()

    def restart(self) -> None:
        """Empty the file: nothing in it binds this seat. Raises `DiskTrouble`."""
        with self._breaking("empty"):
            os.ftruncate(self._file, 0)
            sync_file(self._file)
        self.payloads, self._synced_bytes, self._unsynced = (), 0, bytearray()

    @contextmanager
    def _breaking(self, doing: str) -> Iterator[None]:
        """Within it an `OSError` ends the record's life, unless only room is missing."""
        if self._broken:
            raise DiskTrouble(f"{self.path} failed before and is written no more")
        try:
            yield
        except OSError as error:
            trouble = trouble_of(error, doing, self.path)
            self._broken = not isinstance(trouble, DiskFull)
            raise trouble from error

    def copy_to(self, path: Path) -> None:
        """Write all that was recorded to another file as well. Raises `DiskTrouble`.

        The record may be written to meanwhile; a frame that is not whole yet stays out.
        """
        octets = read_record(self.path)
        _, damage = read_frames(octets)
        replace_file(path, octets if damage is None else octets[: damage.offset])

    def close(self) -> None:
        """Close the file; what was not synced is left to the system."""
        with suppress(OSError):
            os.close(self._file)


def _is_hearsay(path: Path) -> bool:
    """Whether an evidence file is a witness's word, which convicts nobody, by its name."""
    return "-signature-" in path.name


def read_record(path: Path) -> bytes:
    """Read a whole record or evidence file, of bounded size. Raises `DiskTrouble`."""
    with disk_sentences("read", path), path.open("rb") as file:
        octets = file.read(RECORD_BYTES_MAX + 1)
    if len(octets) > RECORD_BYTES_MAX:
        raise DiskTrouble(f"cannot read {path}: more than {RECORD_BYTES_MAX} octets")
    return octets


def check_writable(path: Path) -> None:
    """Find out now whether a record could be copied to `path` later. Raises `DiskTrouble`."""
    with disk_sentences("write", path):
        if path.is_dir():
            raise IsADirectoryError(0, "it is a folder")
        if not path.parent.is_dir():
            raise FileNotFoundError(0, "its folder does not exist")
        draft, descriptor = open_draft(path)
        os.close(descriptor)
        draft.unlink()


def _lock(path: Path) -> int:
    """Hold `path` until the descriptor returned is closed. Raises `DiskTrouble` if it is held."""
    with disk_sentences("open", path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _NOFOLLOW | _BINARY, 0o600)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise DiskTrouble(
            f"another process of this identity already sits at this table ({path.parent}); "
            "use another data folder (--data) for another player"
        ) from None
    return descriptor
