"""The simulated disk behaves like the record file that it represents."""

import errno
import os
import random
from collections.abc import Callable
from functools import partial

import pytest
import trio

from lab.simulation.computers.disk import Disk
from netgame.errors import DiskFull, DiskTrouble
from netgame.io.disk import appended, files
from netgame.io.disk.record_file import RecordFile
from netgame.protocol.log.entry import frame_payload

PAYLOADS = (b"one", b"two" * 50, b"3", b"four")


def written(disk: Disk | RecordFile) -> None:
    """Write all payloads, and leave the last one unsynced."""
    for payload in PAYLOADS[:-1]:
        disk.append(payload)
    disk.sync() if isinstance(disk, Disk) else trio.run(disk.settle)
    disk.append(PAYLOADS[-1])


@pytest.mark.parametrize("damage", ["none", "torn", "flipped", "empty"])
def test_it_recovers_what_a_record_file_recovers(damage: str, tmp_path) -> None:
    """The simulated disk recovers the same octets and payloads as `io.disk.RecordFile`.

    Both also report the same damage.
    """
    disk = Disk()
    path = tmp_path / "record"
    file = RecordFile(path)
    written(disk)
    written(file)
    file.close()
    disk.process_died()
    assert disk.octets == path.read_bytes()
    match damage:
        case "torn":
            disk.cut(5)
            os.truncate(path, len(disk.octets))
        case "flipped":
            disk.flip(30, 3)
            path.write_bytes(disk.octets)
        case "empty":
            disk.empty()
            path.write_bytes(b"")
    again = RecordFile(path)
    assert disk.open() == (again.payloads, again.damage)
    assert disk.octets == path.read_bytes()
    again.close()


@pytest.mark.parametrize("kept", [0, 3, len(frame_payload(PAYLOADS[-1]))])
def test_a_power_cut_takes_what_was_not_synced_or_a_part_of_it(kept: int) -> None:
    """Synced octets survive a power cut; a partly written frame is left out and reported.

    It is reported once: what is written after it is read by the next program.
    """
    disk = Disk()
    written(disk)
    disk.power_went(kept)
    payloads, damage = disk.open()
    whole = kept == len(frame_payload(PAYLOADS[-1]))
    assert payloads == (PAYLOADS if whole else PAYLOADS[:-1])
    assert (damage is not None) == (kept > 0 and not whole)
    disk.append(b"later")
    disk.sync()
    assert disk.open() == ((*payloads, b"later"), None)


class TightSystem:
    """A stand-in for the operating system, with limited room for one file.

    It reports a full disk at a write or, if `late`, at a sync.
    """

    def __init__(self, monkeypatch) -> None:
        self.most: int | None = None
        self.late = False
        self._write = os.write
        monkeypatch.setattr(files.os, "write", self.write)
        monkeypatch.setattr(appended, "sync_file", self.sync)

    def write(self, descriptor: int, octets: bytes) -> int:
        """Write as many octets as there is room for; raise OSError if there is none.

        If `late`, or if there is no limit, write them all.
        """
        if self.most is None or self.late:
            return self._write(descriptor, octets)
        room = self.most - os.fstat(descriptor).st_size
        if room <= 0:
            raise OSError(errno.ENOSPC, "full")
        return self._write(descriptor, octets[:room])

    def sync(self, descriptor: int) -> None:
        """Raise OSError if `late` and the file is larger than the room; else do nothing."""
        if self.most is not None and self.late and os.fstat(descriptor).st_size > self.most:
            raise OSError(errno.ENOSPC, "full")


def outcome(act: Callable[[], object]) -> type[BaseException] | None:
    """Call `act`; return the type of the DiskFull or DiskTrouble that it raises, or None."""
    try:
        act()
    except (DiskFull, DiskTrouble) as trouble:
        return type(trouble)
    return None


@pytest.mark.parametrize("late", [False, True], ids=["at once", "at the sync"])
@pytest.mark.parametrize("seed", range(12))
def test_it_fills_up_and_goes_on_as_a_record_file_does(
    seed: int, late: bool, monkeypatch, tmp_path
) -> None:
    """The simulated disk fills up and recovers as `io.disk.RecordFile` does.

    Both raise the same errors and have the same octets after every write, sync and retry.
    """
    chance = random.Random(seed)
    system = TightSystem(monkeypatch)
    disk = Disk()
    file = RecordFile(tmp_path / "record")
    system.late = disk.allocates_late = late
    refused = 0
    for _ in range(200):
        doing = chance.choice(("append", "append", "append", "sync", "room", "no room"))
        if doing == "append":
            octets = bytes(chance.randrange(40))
            ended = (outcome(partial(file.append, octets)), outcome(partial(disk.append, octets)))
        elif doing == "sync":
            ended = outcome(partial(trio.run, file.settle)), outcome(disk.sync)
        else:
            size = len(disk.durable) if late else len(disk.octets)
            system.most = None if doing == "room" else size + chance.randrange(90)
            disk.room = None if system.most is None else system.most - size
            continue
        assert ended[0] is ended[1]
        assert disk.octets == file.path.read_bytes()
        while ended[0] is DiskFull:
            refused += 1
            if chance.random() < 0.5:
                system.most = disk.room = None
            ended = outcome(partial(trio.run, file.retry)), outcome(disk.retry)
            assert ended[0] is ended[1]
            assert disk.octets == file.path.read_bytes()
    assert refused
    disk.make_room()
    file.close()
    disk.process_died()
    again = RecordFile(file.path)
    assert disk.open() == (again.payloads, again.damage)
    again.close()


def test_other_files_wait_for_room_as_well() -> None:
    """Evidence is written whole or not at all, and shares the disk's free space with the record."""
    disk = Disk()
    disk.room = 10
    with pytest.raises(DiskFull):
        disk.save(bytes(11))
    disk.save(bytes(10))
    with pytest.raises(DiskFull):
        disk.append(b"first")
    disk.make_room()
    disk.retry()
    disk.save(bytes(11))
    disk.process_died()
    assert disk.open() == ((b"first",), None)


def test_after_a_failed_sync_nothing_is_written_until_the_record_is_opened_anew() -> None:
    """After a failed sync, writes and syncs fail until the record is opened again."""
    disk = Disk()
    disk.append(b"first")
    disk.fails_to_sync = True
    with pytest.raises(DiskTrouble, match="sync"):
        disk.sync()
    disk.mend()
    for doing in (lambda: disk.append(b"second"), disk.sync):
        with pytest.raises(DiskTrouble, match="before"):
            doing()
    disk.process_died()
    assert disk.open()[0] == (b"first",)
    disk.append(b"second")
    disk.sync()
    assert disk.open() == ((b"first", b"second"), None)
