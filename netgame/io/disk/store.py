"""A peer's files: a folder for each table, with its record, secret and lock.

    DATA/identity.key            see `identity`
    DATA/known-peers.toml        see `known_peers`
    DATA/tables/ID/lock          held by the one process that sits at this table
    DATA/tables/ID/secret        32 octets from which all secrets of the table derive
    DATA/tables/ID/record        the log, append only
    DATA/tables/ID/journal       every entry and statement that this seat has signed
    DATA/tables/ID/evidence-*    what proves a peer's fault
    DATA/tables/ID/bots/N/       the data folder of the table's N-th bot

Everything here blocks; `node` calls it where that is allowed.
"""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

from netgame.crypto.transcript import SEED_BYTES
from netgame.errors import DiskTrouble
from netgame.frozen import FrozenStruct
from netgame.io.disk import files
from netgame.io.disk.record_file import RecordFile
from netgame.limits import EVIDENCE_BYTES_MAX, EVIDENCE_FILES_MAX
from netgame.protocol.log.mending import mend_journal

TABLE_NAME_CHARS: Final = 32
"""A table's folder is named by the first 128 bits of its id, in hexadecimal."""


class DataFolder(FrozenStruct):
    """The folder at `path` where one identity keeps everything; each table has its own in it.

    It need not exist: whatever is written first makes it.
    """

    path: Path

    def open_table(
        self, table_id: bytes, secret: bytes | None = None, *, is_new: bool = False
    ) -> TableFolder:
        """Open the folder of a table, made on first use with `secret`; raises `DiskTrouble`.

        With `is_new` it is another one than any before: demonstrations play the same table id many
        times.
        """
        path = self.table_path(table_id)
        return TableFolder(files.free_name(path) if is_new and path.exists() else path, secret)

    def table_path(self, table_id: bytes) -> Path:
        """The path of a table's folder, named by 128 bits of the id, whether it exists or not."""
        return self.path / "tables" / table_id.hex()[:TABLE_NAME_CHARS]

    def tables(self) -> tuple[Path, ...]:
        """The folders of all tables that have a record, those written to last first.

        Empty if there are none, or the system does not let us look.
        """
        with suppress(OSError):
            records = self.path.glob("tables/*/record")
            newest_first = sorted(records, key=lambda path: -path.stat().st_mtime)
            return tuple(record.parent for record in newest_first)
        return ()


class TableFolder:
    """One table's folder, locked for as long as this object is open.

    Made on first use with `secret`; the files are opened as for `RecordFile`. Raises `DiskTrouble`
    if another process holds it, if it already has another secret than the one given, or if it has
    none and none is given; the folder itself is made even then.
    """

    def __init__(self, path: Path, secret: bytes | None = None) -> None:
        self.path = path
        files.create_folder(path)
        with ExitStack() as stack:
            stack.callback(os.close, _lock(path / "lock"))
            if secret is not None:
                files.write_new_secret(path / "secret", secret)
            self.secret = _whole_secret(path / "secret")
            if secret is not None and secret != self.secret:
                raise DiskTrouble(f"{path} already belongs to another sitting of this table")
            self.record = RecordFile(path / "record")
            stack.callback(self.record.close)
            self.journal = RecordFile(path / "journal", mend_journal)
            stack.callback(self.journal.close)
            self._open = stack.pop_all()

    def save_evidence(self, name: str, content: bytes) -> Path:
        """Write a file beside the record; only the last part of `name` counts. Returns its path.

        Where the folder's evidence would be too many files or too large, hearsay goes first and
        then the oldest; hearsay is not written if only convictions could make room for it, and its
        path is returned all the same. Raises `DiskTrouble`.
        """
        path = self.path / os.path.basename(name)
        with files.disk_sentences("write", path):
            if not self._has_room(path, len(content)):
                return path
        files.replace_file(path, content)
        return path

    def _has_room(self, path: Path, octets: int) -> bool:
        """Remove older evidence to make room; returns whether this evidence may be written."""
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
        """Release the record, the journal and the lock; a second call does nothing."""
        self._open.close()


def clear_table(path: Path, kept: str) -> None:
    """Delete all in a table's folder but the file that is to be `kept`; the record goes last.

    So a folder that is cleared in part is still one with a record. Raises `DiskTrouble` if a
    process sits at that table, or if something cannot be deleted.
    """
    lock = path / "lock"
    descriptor = _lock(lock)
    with files.disk_sentences("delete", path):
        try:
            inside = sorted(path.iterdir(), key=lambda each: each.name == "record")
            for each in inside:
                if each.is_dir() and not each.is_symlink():
                    shutil.rmtree(each)
                elif each != lock and each.name != kept:
                    each.unlink()
        finally:
            os.close(descriptor)
        lock.unlink(missing_ok=True)


def _whole_secret(path: Path) -> bytes:
    octets = files.read_secret(path)
    if len(octets) != SEED_BYTES:
        whole = f"{len(octets)} octets instead of {SEED_BYTES}"
        raise DiskTrouble(f"{path} is damaged: {whole}; nobody can play on for this seat")
    return octets


def _is_hearsay(path: Path) -> bool:
    """Whether an evidence file, by its name, is a witness's word, which convicts nobody."""
    return "-signature-" in path.name


def check_writable(path: Path) -> None:
    """Check now that a record could be copied to `path` later; raises `DiskTrouble`.

    Its folder must be there, and take a file; a draft is made there and removed. A file that is
    there stays as it is.
    """
    with files.disk_sentences("write", path):
        if path.is_dir():
            raise IsADirectoryError(0, "it is a folder")
        if not path.parent.is_dir():
            raise FileNotFoundError(0, "its folder does not exist")
        if path.exists() and not path.is_file():
            raise OSError(0, "it is a device or a pipe")
        draft, descriptor = files.open_draft(path)
        os.close(descriptor)
        draft.unlink()


def _lock(path: Path) -> int:
    """Lock `path` until the returned descriptor is closed; raises `DiskTrouble` if it is held."""
    with files.disk_sentences("open", path):
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
        raise DiskTrouble(
            f"this game is open in another window ({path.parent}): close it there first, or use "
            "another data folder (--data) for another player"
        ) from None
    return descriptor
