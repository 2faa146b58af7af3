"""A disk in memory, with the ways in which disks fail.

Appended octets stay in the operating system's cache until a sync. If a process dies, the system
still writes its cache; a power cut discards the cache or keeps only its beginning. The octets are
those of a real record file, and the real reader reads them back. The disk must behave like
`io.disk.RecordFile`.
"""

from collections.abc import Callable, Iterable
from itertools import accumulate

from netgame.errors import DiskFull, DiskTrouble
from netgame.protocol.log.entry import Damage, frame_payload, read_frames, whole_frames


class Disk:
    """A seat's record or journal.

    `durable` survives everything but damage; `cached` survives the death of the process, but not a
    power cut.
    """

    def __init__(self, mend: Callable[[bytes], bytes] = whole_frames) -> None:
        self._mend = mend
        self.durable = bytearray()
        self.cached = bytearray()
        self._unsynced = bytearray()
        self.room: int | None = None
        """Octets until the disk is full, or None if it never is."""
        self.allocates_late = False
        """True if only a sync notices a full disk, as on some file systems."""
        self.fails_to_sync = False
        self._is_broken = False
        self._ends = [0]

    def append(self, payload: bytes) -> None:
        """Append one payload without a sync.

        Raises `DiskTrouble`, or `DiskFull`, after which `retry` writes the payload.
        """
        self._check()
        octets = frame_payload(payload)
        self._unsynced += octets
        self._ends.append(self._ends[-1] + len(octets))
        self._write(octets)

    def read(self, number: int) -> bytes | None:
        """Return payload `number`, counted from 0, or None if it is missing or damaged."""
        if number + 1 >= len(self._ends):
            return None
        start, end = self._ends[number : number + 2]
        begun = len(self.durable)
        octets = self.durable[start:end] + self.cached[max(0, start - begun) : max(0, end - begun)]
        payloads, _ = read_frames(bytes(octets))
        return payloads[0] if payloads else None

    def sync(self) -> None:
        """Make all appended octets survive a power cut. Raises as `append` does."""
        self._check()
        if self.fails_to_sync:
            self._is_broken = True
            raise DiskTrouble("cannot sync the record: input/output error")
        if self.allocates_late:
            self._take_room(len(self.cached))
        self.durable += self.cached
        self.cached.clear()
        self._unsynced.clear()

    def retry(self) -> None:
        """Drop the cache, then write and sync all that is not synced. Raises as `append` does."""
        self._check()
        if self.room is not None and not self.allocates_late:
            self.room += len(self.cached)
        self.cached.clear()
        self._write(self._unsynced)
        self.sync()

    def save(self, content: bytes) -> None:
        """Use up the room that another file with this content takes, without keeping the content.

        Raises `DiskFull` if there is too little room, and then takes none.
        """
        self._take_room(len(content))

    def _write(self, octets: bytes | bytearray) -> None:
        if self.allocates_late:
            self.cached += octets
            return
        room = len(octets) if self.room is None else self.room
        self.cached += octets[:room]
        self._take_room(len(octets), all_or_nothing=False)

    def _take_room(self, octets: int, *, all_or_nothing: bool = True) -> None:
        """Use this many octets of the free room. Raises `DiskFull` if there are too few.

        The free room is then used up, except with `all_or_nothing`.
        """
        if self.room is None:
            return
        if octets > self.room:
            self.room = self.room if all_or_nothing else 0
            raise DiskFull("cannot write the record: no space left on device")
        self.room -= octets

    def _check(self) -> None:
        if self._is_broken:
            raise DiskTrouble("the record failed before and is written no more")

    # ---- what happens to it between two lives of a process --------------------------------

    def process_died(self) -> None:
        """Let the process die: the system still writes its cache, as far as there is room."""
        self.power_went(self.room if self.allocates_late else None)

    def power_went(self, kept: int | None) -> None:
        """Cut the power: only the first `kept` unsynced octets survive, or all if it is None."""
        self.durable += self.cached[:kept]
        self.cached.clear()

    def flip(self, at: int, bit: int) -> None:
        """Flip one bit of the durable octet at this place."""
        self.durable[at] ^= 1 << bit

    def cut(self, octets: int) -> None:
        """Lose the last octets, as with an old backup or a disk that lied about syncing."""
        del self.durable[max(0, len(self.durable) - octets) :]

    def hold(self, payloads: Iterable[bytes]) -> None:
        """Replace the file's durable octets with these payloads."""
        self.durable[:] = b"".join(map(frame_payload, payloads))

    def make_room(self) -> None:
        """Make room for any number of octets."""
        self.room = None

    def mend(self) -> None:
        """Make room, and let syncs succeed again."""
        self.room = None
        self.allocates_late = self.fails_to_sync = False

    def open(self) -> tuple[tuple[bytes, ...], Damage | None]:
        """Read the file, mend any damage, and return the payloads and the damage found, or None.

        This is what opening a real record or journal does.
        """
        payloads, damage = read_frames(bytes(self.durable))
        if damage is not None:
            self.durable[:] = self._mend(bytes(self.durable))
            payloads, _ = read_frames(bytes(self.durable))
        self._ends = [0, *accumulate(len(frame_payload(payload)) for payload in payloads)]
        self._unsynced.clear()
        self._is_broken = False
        return payloads, damage

    def empty(self) -> None:
        """Empty the file, so that it can be written from the start."""
        self.durable.clear()
        self.cached.clear()
        self._unsynced.clear()
        self._ends = [0]

    @property
    def octets(self) -> bytes:
        """The file as a reader sees it now."""
        return bytes(self.durable + self.cached)
