"""The files of a simulated process: record, journal and evidence, kept as by a real `Keeper`."""

from collections.abc import Iterable, Iterator

from lab.simulation.computers.chance import Chance
from lab.simulation.computers.disk import Disk
from netgame.crypto.transcript import expand
from netgame.protocol.ledger.verdict import RecordVerdict
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.log.entry import (
    Entry,
    ReceivedStatement,
    frame_payload,
    read_entry,
    read_statement,
)
from netgame.protocol.log.mending import mend_journal
from netgame.protocol.peer.effects import Effect, Finished, Journalled, Persist
from netgame.wire.codec import decode_any, encode
from netgame.wire.messages import (
    EvidenceFrame,
    JournalFrame,
    RecordEntry,
    RecordFrame,
    RecordHeader,
    RecordStatement,
    SignedEntry,
    SignedStatement,
)


def signed_entry(payload: bytes) -> SignedEntry | None:
    """Return the entry in a frame of a record or journal, or None for another frame."""
    frame: JournalFrame = decode_any(payload, JournalFrame)
    return frame.entry if isinstance(frame, RecordEntry) else None


def entry_of(payload: bytes) -> Entry:
    """Return the entry in a frame of a record; the frame must be an entry."""
    signed = signed_entry(payload)
    assert signed is not None
    return read_entry(signed)


def signed_in(payloads: Iterable[bytes]) -> Iterator[SignedEntry | SignedStatement]:
    """Yield the signed entries and statements in frames of a record, in order."""
    for payload in payloads:
        frame: RecordFrame = decode_any(payload, RecordFrame)
        if isinstance(frame, RecordEntry):
            yield frame.entry
        elif isinstance(frame, RecordStatement):
            yield frame.statement


def signed_statement(payload: bytes) -> ReceivedStatement | None:
    """Return the statement in a frame of a record or journal, or None for another frame."""
    frame: JournalFrame = decode_any(payload, JournalFrame)
    return read_statement(frame.statement) if isinstance(frame, RecordStatement) else None


def writes_own(effect: Persist | Journalled, key: bytes) -> bool:
    """Return True if the effect writes an entry or a statement signed by this key.

    Of entries, only those of this process must be synced, so `sync` shows whose it is.
    """
    if isinstance(effect, Persist):
        return effect.sync and signed_entry(effect.record) is not None
    said = signed_statement(effect.record)
    return said is not None and said.is_by(key)


def file_of(frames: Iterable[RecordHeader | JournalFrame | EvidenceFrame]) -> bytes:
    """Return the octets of a record or evidence file made of these frames."""
    return b"".join(frame_payload(encode(frame)) for frame in frames)


def judged(file: bytes) -> RecordVerdict:
    """Return a third party's verdict on a record or evidence, given the file alone."""
    return verify_record(file, expand(bytes(32), "third party"))


class Records:
    """The files of one seat, and what has yet to be synced or did not fit on the disk."""

    def __init__(self) -> None:
        self.disk = Disk()
        self.journal = Disk(mend_journal)
        self.evidence: dict[str, bytes] = {}
        self._unsynced = False
        self._unsaved: tuple[str, bytes] | None = None

    def power_went(self, chance: Chance, kept: int | None) -> None:
        """Lose unsynced octets of both files: each keeps the beginning, of random length.

        Of the record the first `kept` octets survive, if a number is given.
        """
        some = chance.below(len(self.disk.cached) + 1)
        self.disk.power_went(some if kept is None else kept)
        self.journal.power_went(chance.below(len(self.journal.cached) + 1))

    def process_died(self) -> None:
        """End a life: the system writes its cache, and nothing remains to be synced or saved."""
        self.disk.process_died()
        self.journal.process_died()
        self._unsynced = False
        self._unsaved = None

    def left_behind(self) -> bytes:
        """Let the system write its cache, and return the record that a dead process leaves."""
        self.disk.process_died()
        return self.disk.octets

    def mend(self) -> None:
        """Make room on both disks, and let their syncs succeed again."""
        self.disk.mend()
        self.journal.mend()

    def must_sync_before(self, effect: Effect) -> bool:
        """Return True if the files must be synced before this effect is carried out.

        The effect that ends the game needs the whole record on the disk. Others need only what this
        process has signed. Appending to a file needs no sync first.
        """
        if isinstance(effect, Finished):
            return bool(self.disk.cached)
        return self._unsynced and not isinstance(effect, Persist | Journalled)

    @property
    def must_sync(self) -> bool:
        """True if an entry or statement of this process has been written but not synced."""
        return self._unsynced

    def append(self, effect: Persist | Journalled) -> None:
        """Append to the record or the journal, without a sync.

        Raises `DiskTrouble` or `DiskFull`.
        """
        if isinstance(effect, Journalled):
            self._unsynced = True
            self.journal.append(effect.record)
        else:
            self._unsynced |= effect.sync
            self.disk.append(effect.record)

    def sync(self) -> None:
        """Make both files survive a power cut. Raises as `append` does."""
        self.journal.sync()
        self.disk.sync()
        self._unsynced = False

    def save(self, name: str, content: bytes) -> None:
        """Write evidence beside the record. Raises `DiskFull`, after which `retry` writes it."""
        self._unsaved = name, content
        self.disk.save(content)
        self._unsaved = None
        self.evidence[name] = content

    def retry(self) -> bool:
        """Write again what did not fit on the disk. Raises as `append` does.

        Return True if that was the record, and False if it was evidence. After the record, both
        files are synced, because a statement may have gone to the journal before the disk was full.
        """
        if self._unsaved is not None:
            self.save(*self._unsaved)
            return False
        self.disk.retry()
        self.journal.sync()
        self._unsynced = False
        return True
