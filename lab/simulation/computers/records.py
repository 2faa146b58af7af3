"""What a simulated process keeps on its disks: record, journal, evidence; as a keeper does."""

from lab.simulation.computers.disk import Disk
from netgame.protocol.peer import effects as fx


class Records:
    """The files of one seat, and what of them has yet to be synced or found no room."""

    def __init__(self) -> None:
        self.disk, self.journal = Disk(), Disk()
        self.evidence: dict[str, bytes] = {}
        self._unsynced = False
        self._unsaved: tuple[str, bytes] | None = None

    def forget(self) -> None:
        """The process has died: what it meant to sync or save it means no more."""
        self._unsynced, self._unsaved = False, None

    def must_sync_before(self, effect: fx.Effect) -> bool:
        """Whether a sync comes first: of own entries always, at the end of the whole record."""
        if isinstance(effect, fx.Finished):
            return bool(self.disk.cached)
        return self._unsynced and not isinstance(effect, fx.Persist | fx.Journalled)

    @property
    def must_sync(self) -> bool:
        """Whether something of our own is written and not synced."""
        return self._unsynced

    def append(self, effect: fx.Persist | fx.Journalled) -> None:
        """Write to record or journal, not yet synced. Raises `DiskTrouble`, `DiskFull`."""
        if isinstance(effect, fx.Journalled):
            self._unsynced = True
            self.journal.append(effect.record)
        else:
            self._unsynced |= effect.sync
            self.disk.append(effect.record)

    def sync(self) -> None:
        """Have both survive a power cut; errors as of `append`."""
        self.journal.sync()
        self.disk.sync()
        self._unsynced = False

    def save(self, name: str, content: bytes) -> None:
        """Write evidence beside the record; on a full disk it is what is waited for."""
        self._unsaved = name, content
        self.disk.save(content)
        self._unsaved = None
        self.evidence[name] = content

    def retry(self) -> bool:
        """There may be room again: write what failed; whether that was the record. Errors again."""
        if self._unsaved is not None:
            self.save(*self._unsaved)
            return False
        self.disk.retry()
        self._unsynced = False
        return True
