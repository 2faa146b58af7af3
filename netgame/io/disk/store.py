"""A peer's files: a folder for each table, with its record, secret and lock.

    DATA/identity.key            see `identity`
    DATA/known-peers.toml        see `known_peers`
    DATA/tables/ID/lock          held by the one process that sits at this table
    DATA/tables/ID/secret        32 octets from which all secrets of the table derive
    DATA/tables/ID/record        the log, append only
    DATA/tables/ID/journal       every entry and statement that this seat has signed
    DATA/tables/ID/evidence-*    the proof of a peer's fault
    DATA/tables/ID/bots/N/       the data folder of the table's N-th bot

Everything here blocks; `node` calls it where that is allowed.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from netgame.crypto.transcript import SEED_BYTES
from netgame.errors import DiskTrouble
from netgame.frozen import FrozenStruct
from netgame.io.disk import storage
from netgame.io.disk.files import Held
from netgame.io.disk.record_file import RecordFile
from netgame.io.disk.storage import STORAGE, disk_sentences, inside, seen_at
from netgame.limits import EVIDENCE_BYTES_MAX, EVIDENCE_FILES_MAX
from netgame.protocol.log.mending import mend_journal

TABLE_NAME_CHARS: Final = 32
"""A table's folder is named by the first 128 bits of its id, in hexadecimal."""


class DataFolder(FrozenStruct):
    """The folder at `path` where one identity keeps everything, with a folder for each table.

    It need not exist: the first write makes it.
    """

    path: Path

    def open_table(
        self, table_id: bytes, secret: bytes | None = None, *, is_new: bool = False
    ) -> TableFolder:
        """Open the folder of a table, made on first use with `secret`; raises `DiskTrouble`.

        With `is_new`, open a folder that did not exist before: demonstrations play the same table
        id many times.
        """
        path = self.table_path(table_id)
        is_taken = is_new and seen_at(path) is not None
        return TableFolder(storage.free_name(path) if is_taken else path, secret)

    def table_path(self, table_id: bytes) -> Path:
        """Return the path of a table's folder, named by 128 bits of the id; it need not exist."""
        return self.path / "tables" / table_id.hex()[:TABLE_NAME_CHARS]

    def tables(self) -> tuple[Path, ...]:
        """Return the folders of all tables that have a record, the last written first.

        Empty if the system denies access to them.
        """
        seen = ((path, seen_at(path / "record")) for path in self.all_tables())
        found = [(path, record.changed) for path, record in seen if record is not None]
        return tuple(path for path, changed in sorted(found, key=lambda each: -each[1]))

    def all_tables(self) -> tuple[Path, ...]:
        """Return the folders of all tables of which anything is kept, sorted by name.

        Empty if the system denies access to their parent.
        """
        return inside(self.path / "tables")


class TableFolder:
    """One table's folder, locked for as long as this object is open.

    The folder is made on first use, with `secret`; its files are opened as by `RecordFile`. Raises
    `DiskTrouble` if another process has locked it, if its secret is damaged or differs from the one
    given, or if there is no secret and none is given. The folder itself is made even then.
    """

    def __init__(self, path: Path, secret: bytes | None = None) -> None:
        self.path = path
        storage.create_folder(path)
        with ExitStack() as stack:
            stack.callback(_lock(path / "lock"))
            if secret is not None:
                storage.write_new_secret(path / "secret", secret)
            self.secret = _whole_secret(path / "secret")
            if secret is not None and secret != self.secret:
                text = "{path} already belongs to another sitting of this table"
                raise DiskTrouble(text, path=path)
            self.record = RecordFile(path / "record")
            stack.callback(self.record.close)
            self.journal = RecordFile(path / "journal", mend_journal)
            stack.callback(self.journal.close)
            self._open = stack.pop_all()

    def save_evidence(self, name: str, content: bytes) -> Path:
        """Write a file beside the record and return its path; only the last part of `name` counts.

        If there would be too many evidence files, or too many octets, the oldest are removed.
        Raises `DiskTrouble`.
        """
        path = self.path / Path(name).name
        with disk_sentences("write", path):
            self._make_room(path, len(content))
        storage.replace_file(path, content)
        return path

    def _make_room(self, path: Path, octets: int) -> None:
        """Remove the oldest evidence files until there is room for `octets` at `path`.

        Both the number of files and their octets are limited. A file at `path` is not removed.
        """
        kept = {each: seen_at(each) for each in inside(self.path) if is_evidence(each)}
        others = [(each, seen) for each, seen in kept.items() if seen is not None and each != path]
        others.sort(key=lambda other: other[1].changed)
        octets += sum(seen.octets for _, seen in others)
        while others and (len(others) >= EVIDENCE_FILES_MAX or octets > EVIDENCE_BYTES_MAX):
            oldest, seen = others.pop(0)
            octets -= seen.octets
            STORAGE.get().remove(oldest)

    def close(self) -> None:
        """Release the record, the journal and the lock; a second call does nothing."""
        self._open.close()


def is_evidence(path: Path) -> bool:
    """Return True if the file's name marks it as evidence beside a record."""
    return path.name.startswith("evidence-")


def clear_table(path: Path, kept: str) -> None:
    """Delete everything in a table's folder but the file named `kept`.

    The record is deleted last, so a partly cleared folder still has it. Raises `DiskTrouble` if a
    process sits at that table, or if something cannot be deleted.
    """
    lock, unlock = path / "lock", _lock(path / "lock")
    with disk_sentences("delete", path):
        try:
            found = STORAGE.get().names(path)
            for name in sorted(found, key=lambda name: name == "record"):
                if name not in (lock.name, kept):
                    STORAGE.get().remove(path / name)
        finally:
            unlock()
        STORAGE.get().remove(lock)


def _whole_secret(path: Path) -> bytes:
    octets = storage.read_secret(path)
    if len(octets) != SEED_BYTES:
        text = "{path} is damaged: {octets} octets instead of {whole}; this seat cannot play on"
        raise DiskTrouble(text, path=path, octets=len(octets), whole=SEED_BYTES)
    return octets


def _lock(path: Path) -> Callable[[], None]:
    """Lock `path`, and return a function that unlocks it; raises `DiskTrouble` if it is locked."""
    try:
        with disk_sentences("open", path):
            return STORAGE.get().lock(path)
    except DiskTrouble as trouble:
        if not isinstance(trouble.__cause__, Held):
            raise
        raise DiskTrouble(
            "this game is open in another window ({path}): close it there first, or use another "
            "data folder (--data) for another player",
            path=path.parent,
        ) from None
