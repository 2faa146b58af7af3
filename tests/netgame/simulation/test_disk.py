"""The disk of the simulation behaves like the record file it stands for."""

from __future__ import annotations

import os

import pytest

from netgame.errors import DiskFull, DiskTrouble
from netgame.io.store import RecordFile
from netgame.protocol.recordfile import frame_payload
from netgame.simulation.disk import Disk

PAYLOADS = (b"one", b"two" * 50, b"", b"four")


def written(disk: Disk | RecordFile) -> None:
    """All payloads, the last one unsynced."""
    for payload in PAYLOADS[:-1]:
        disk.append(payload)
    disk.sync()
    disk.append(PAYLOADS[-1])


@pytest.mark.parametrize("damage", ["none", "torn", "flipped", "empty"])
def test_it_recovers_what_a_record_file_recovers(damage: str, tmp_path) -> None:
    """Must agree with `io.store.RecordFile`: same octets, same payloads, same damage."""
    disk, path = Disk(), tmp_path / "record"
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
            disk.restart()
            path.write_bytes(b"")
    again = RecordFile(path)
    assert disk.open() == (again.payloads, again.damage)
    assert disk.octets == path.read_bytes()
    again.close()


@pytest.mark.parametrize("kept", [0, 3, len(frame_payload(PAYLOADS[-1]))])
def test_a_power_cut_takes_what_was_not_synced_or_a_part_of_it(kept: int) -> None:
    """What was synced is there; a part of a frame is damage that opening removes."""
    disk = Disk()
    written(disk)
    disk.power_went(kept)
    payloads, damage = disk.open()
    whole = kept == len(frame_payload(PAYLOADS[-1]))
    assert payloads == (PAYLOADS if whole else PAYLOADS[:-1])
    assert (damage is not None) == (kept > 0 and not whole)


def test_a_full_disk_takes_a_part_and_all_of_it_when_there_is_room() -> None:
    """What it took in part is written anew; before there is room, it is refused again."""
    disk = Disk()
    disk.room = 20
    disk.append(b"first")
    with pytest.raises(DiskFull):
        disk.append(b"second")
    disk.room = 15
    with pytest.raises(DiskFull):
        disk.retry()
    disk.make_room()
    disk.retry()
    disk.append(b"third")
    disk.sync()
    assert disk.open() == ((b"first", b"second", b"third"), None)


def test_after_a_failed_sync_nothing_is_written_until_the_record_is_opened_anew() -> None:
    """What the disk holds then is not known."""
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


def test_a_sync_that_fails_keeps_its_promise_to_nobody() -> None:
    """What was to be synced is lost with the power."""
    disk = Disk()
    disk.append(b"first")
    disk.fails_to_sync = True
    with pytest.raises(DiskTrouble, match="sync"):
        disk.sync()
    disk.power_went(0)
    assert disk.open() == ((), None)
