"""Keeping a node's files, and waiting while the disk is full.

Before a frame is sent, the node has everything that the frame depends on written here, in order. So
waiting here delays everything that follows: no unsaved entry is sent, and nothing is lost. Only a
full disk is waited for; any other trouble is raised.
"""

from collections.abc import Awaitable, Callable
from functools import partial

import trio
from msgspec import Struct

from netgame.errors import DiskFull, DiskTrouble
from netgame.io.disk.record_file import RecordFile
from netgame.io.disk.store import TableFolder
from netgame.io.work import apart
from netgame.limits import DISK_RETRY_S
from netgame.protocol.peer.effects import Journalled, Persist


class Keeper(Struct, eq=False):
    """The keeper of one table's files: appends to record and journal, syncs, saves evidence."""

    source: TableFolder | Callable[[bytes], TableFolder]
    """The table's folder, or a function that opens it once `table_id` is known."""
    table_id: Callable[[], bytes]
    on_full: Callable[[DiskTrouble], None]
    """Called when the disk is found full, before waiting for room."""
    on_room: Callable[[], None]
    """Called once the file could be written after all."""
    patient: bool = False
    """True to wait while the disk is full; otherwise that is an error like any other."""
    _unsynced: tuple[RecordFile, ...] = ()
    _full: tuple[tuple[RecordFile, DiskFull], ...] = ()

    @property
    def folder(self) -> TableFolder | None:
        """The table's folder; None until it is open."""
        return self.source if isinstance(self.source, TableFolder) else None

    def read(self, number: int) -> bytes | None:
        """Return payload `number` of the record, from 0, or None if there is none yet.

        Return None also if it is damaged on the disk. Raises `DiskTrouble`.
        """
        return self.folder.record.read(number) if self.folder is not None else None

    def is_settled(self, *, before: object = None) -> bool:
        """Return True if `settle` need not be called before the effect `before` is carried out.

        Before an effect that appends, it is enough that the folder is open and the disk has room.
        Before any other effect, everything must be synced.
        """
        if not isinstance(before, Persist | Journalled):
            return not (self._unsynced or self._full)
        return not self._full and self.folder is not None

    def keep(self, effect: Persist | Journalled) -> None:
        """Append to the record or the journal, without waiting for the sync: see `settle`.

        The folder must be open. Raises `DiskTrouble`, but a full disk is dealt with by `settle`.
        """
        folder = self.folder
        assert folder is not None, "nothing is kept before the folder is open"
        file = folder.journal if isinstance(effect, Journalled) else folder.record
        try:
            file.append(effect.record)
        except DiskFull as full:
            self._full = (*self._full, (file, full))
        if (isinstance(effect, Journalled) or effect.sync) and file not in self._unsynced:
            self._unsynced = (*self._unsynced, file)

    async def settle(self) -> None:
        """Return once everything to be synced is on disk; several payloads share one sync.

        Record and journal are synced at the same time. Raises `DiskTrouble`; waits while the disk
        is full if `patient`.
        """
        if self.is_settled():
            return
        failed: list[tuple[RecordFile, DiskTrouble]] = [*self._full]
        files = [file for file in self._unsynced if file not in dict(failed)]
        self._unsynced = self._full = ()

        async def sync(file: RecordFile) -> None:
            try:
                await file.settle()
            except DiskTrouble as trouble:
                failed.append((file, trouble))

        async with trio.open_nursery() as nursery:
            for file in files:
                nursery.start_soon(sync, file)
        for _, trouble in failed:
            if not isinstance(trouble, DiskFull):
                raise trouble
        for file, full in failed:
            await self._wait_for_room(full, file.retry)

    async def finish(self) -> None:
        """Return once the whole record is on disk, including others' entries.

        Does nothing without a folder. Errors as for `settle`.
        """
        if self.folder is not None:
            self._unsynced = (self.folder.record,)
            await self.settle()

    async def save_evidence(self, name: str, content: bytes) -> None:
        """Write a file beside the record, as `TableFolder.save_evidence` does.

        Opens the folder if need be. Errors as for `settle`.
        """
        save = partial((await self.open()).save_evidence, name, content)
        try:
            await apart(save)
        except DiskFull as full:
            await self._wait_for_room(full, partial(apart, save))

    async def open(self) -> TableFolder:
        """Return the table's folder, opening it if need be; raises `DiskTrouble`.

        Call it when the first entry is to be kept: the table's id is not known earlier.
        """
        if not isinstance(self.source, TableFolder):
            self.source = await apart(partial(self.source, self.table_id()))
        return self.source

    async def _wait_for_room(
        self, full: DiskTrouble, again: Callable[[], Awaitable[object]]
    ) -> None:
        if not self.patient:
            raise full
        self.on_full(full)
        while True:
            await trio.sleep(DISK_RETRY_S)
            try:
                await again()
            except DiskFull:
                continue
            break
        self.on_room()

    def close(self) -> None:
        """Release the table's folder, if it is open; what is not synced is left to the system."""
        if self.folder is not None:
            self.folder.close()
