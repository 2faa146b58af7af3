"""A node whose disk is full waits for room, and sends nothing until then."""

import errno
import os
import shutil
import subprocess
import sys

import pytest
import trio

from netgame.errors import DiskFull, DiskTrouble
from netgame.io.disk import appended, storage
from netgame.io.disk.record_file import RecordFile
from netgame.io.node.question import Waiting
from netgame.limits import DISK_RETRY_S
from netgame.protocol.log.entry import frame_payload, read_frames
from netgame.protocol.notices import ChatHeard, Trouble, TroubleKind
from netgame.protocol.peer import effects as fx
from tests.cli.running import ROOT, boneyard, environment
from tests.netgame.io.node.test_node import FakeCore, linked, node_of, record_of, told
from tests.netgame.io.node.test_node import until as until_node

PAYLOADS = (b"0", b"a", b"hello", bytes(range(40)))
FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class Disk:
    """A disk with limited room: it writes as many octets as fit, and then fails."""

    def __init__(self, monkeypatch, room):
        self.room = room
        self.syncs_to_fail = 0
        self._sync = appended.sync_file
        monkeypatch.setattr(appended, "write_all", self.write_all)
        monkeypatch.setattr(appended, "sync_file", self.sync_file)

    def write_all(self, descriptor, octets):
        """Write as many octets as there is room for; raise `FULL` if that is not all."""
        taken = octets[: self.room]
        self.room -= os.write(descriptor, taken) if taken else 0
        if len(taken) < len(octets):
            raise FULL

    def sync_file(self, descriptor):
        """Sync, but fail the first `syncs_to_fail` times, turning unsynced octets into zeros."""
        if self.syncs_to_fail:
            self.syncs_to_fail -= 1
            size = os.fstat(descriptor).st_size
            os.ftruncate(descriptor, self.synced)
            os.ftruncate(descriptor, size)
            raise FULL
        self._sync(descriptor)
        self.synced = os.fstat(descriptor).st_size

    synced = 0


@pytest.mark.parametrize("synced_first", [True, False])
async def test_record_goes_on_wherever_the_room_ended(tmp_path, monkeypatch, synced_first):
    """Wherever the disk fills up, the whole frames in the file are the first of the record.

    Once there is room, a retry completes the record.
    """
    whole = sum(len(frame_payload(payload)) for payload in PAYLOADS)
    for room in range(whole + 1):
        path = tmp_path / f"record-{room}"
        record = RecordFile(path)
        if synced_first:
            record.append(b"before")
            await record.settle()
        disk = Disk(monkeypatch, room)
        failed = 0
        for payload in PAYLOADS:
            try:
                record.append(payload)
            except DiskFull:
                failed += 1
                found, _ = read_frames(path.read_bytes())
                assert found == ((b"before",) * synced_first + PAYLOADS)[: len(found)]
                with pytest.raises(DiskFull):
                    await record.retry()
                disk.room = 10**6
                await record.retry()
        await record.settle()
        record.close()
        monkeypatch.undo()
        assert failed == (room < whole)
        again = RecordFile(path)
        assert again.payloads == (b"before",) * synced_first + PAYLOADS
        assert again.damage is None
        again.close()


async def test_sync_that_failed_is_not_believed_the_second_time(tmp_path, monkeypatch):
    """After a failed sync, a retry writes the unsynced frames again and keeps the synced ones."""
    record = RecordFile(tmp_path / "record")
    disk = Disk(monkeypatch, 10**6)
    record.append(b"before")
    await record.settle()
    record.append(b"one")
    record.append(b"two")
    disk.syncs_to_fail = 2
    with pytest.raises(DiskFull):
        await record.settle()
    with pytest.raises(DiskFull):
        await record.retry()
    await record.retry()
    record.append(b"three")
    await record.settle()
    record.close()
    payloads, damage = read_frames((tmp_path / "record").read_bytes())
    assert (payloads, damage) == ((b"before", b"one", b"two", b"three"), None)


@pytest.mark.parametrize("step", ["write_all", "sync_file"])
async def test_other_errors_are_for_good(tmp_path, monkeypatch, step):
    """After an error other than a full disk, every later append or retry fails, too.

    Nobody knows what is on the disk after such an error.
    """
    record = RecordFile(tmp_path / "record")

    def fail(*_):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    async def keep():
        record.append(b"x")
        await record.settle()

    monkeypatch.setattr(appended, step, fail)
    with pytest.raises(DiskTrouble, match="Input/output") as caught:
        await keep()
    assert not isinstance(caught.value, DiskFull)
    monkeypatch.undo()
    for again in (record.retry, keep):
        with pytest.raises(DiskTrouble, match="written no more"):
            await again()
    record.close()


async def test_node_waits_for_room_and_sends_nothing_before(tmp_path, monkeypatch, jumping_clock):
    """While the disk is full, a node sends nothing and answers requests by reporting the full disk.

    A chat line typed meanwhile is lost. Once there is room, the node sends the frame that waited,
    reports the room, and chats again.
    """
    ann, ben = FakeCore(), FakeCore()
    async with linked(tmp_path, ann, ben) as (one, two):
        ann.moves["go"] = (fx.Persist(b"entry"), fx.Send(two.key, b"entry"))
        disk = Disk(monkeypatch, 3)
        assert await one.propose("go") == Waiting()
        assert "No space left" in str(one.waiting.facts[0])
        assert one.paused is None
        notice = await told(one)
        assert notice.kind is TroubleKind.DISK_FULL
        await one.chat("said while waiting")
        assert await told(one) == notice
        await trio.sleep(0.7)
        assert [kind for kind, *_ in ben.heard] == ["up"]
        disk.room = 10**6
        await until_node(two, lambda: ("frame", one.key, b"entry") in ben.heard)
        assert await told(one) == Trouble(TroubleKind.DISK_ROOM)
        assert one.waiting is None
        assert record_of(one) == (b"entry",)
        await one.chat("said afterwards")
        assert await told(one) == ChatHeard("me", "said afterwards")


async def test_evidence_waits_for_room_too(tmp_path, monkeypatch, jumping_clock):
    """Evidence for which there was no room is written once there is room."""
    core = FakeCore()
    full = [True]
    replace_file = storage.replace_file

    def replace(path, content):
        if full[0]:
            raise DiskFull("cannot write it: No space left on device")
        replace_file(path, content)

    async with node_of(core, tmp_path) as node:
        core.moves["go"] = (fx.SaveEvidence("evidence-1.bin", b"proof"),)
        monkeypatch.setattr(storage, "replace_file", replace)
        await node.propose("go")
        assert node.waiting
        full[0] = False
        await until_node(node, lambda: node.waiting is None)
        assert (node.folder.path / "evidence-1.bin").read_bytes() == b"proof"


async def test_a_game_is_finished_when_its_whole_record_is_on_the_disk(
    tmp_path, monkeypatch, jumping_clock
):
    """A game counts as finished only once its whole record is on the disk.

    The entries of others are not synced one by one, so a full disk may show only at the end.
    """
    core = FakeCore()
    async with node_of(core, tmp_path) as node:
        core.moves["go"] = (fx.Persist(b"theirs", sync=False), fx.Finished())
        disk = Disk(monkeypatch, 10**6)
        disk.syncs_to_fail = 1
        await node.propose("go")
        assert node.waiting
        assert not node.finished.is_set()
        await until_node(node, node.finished.is_set)
        assert node.waiting is None
        assert disk.synced == len(frame_payload(b"theirs"))


async def test_table_cannot_be_opened_on_a_full_disk(tmp_path, monkeypatch, jumping_clock):
    """Opening a table on a full disk fails with a sentence: it does not wait for room."""
    Disk(monkeypatch, 0)
    with pytest.raises(DiskFull, match="No space left"):
        async with node_of(FakeCore(starts=(fx.Persist(b"x"),)), tmp_path):
            pytest.fail("not reached")


async def test_leaving_while_waiting_takes_no_time(tmp_path, monkeypatch, jumping_clock):
    """A player can leave at once while the disk is full; the entry that waited for room is lost."""
    core = FakeCore()
    async with node_of(core, tmp_path) as node:
        core.moves["go"] = (fx.Persist(b"x"),)
        Disk(monkeypatch, 0)
        await node.propose("go")
        assert node.waiting
        left_at = trio.current_time()
    assert trio.current_time() - left_at < DISK_RETRY_S
    assert record_of(node) == ()


@pytest.mark.campaign
def test_real_disk_that_fills_up_and_has_room_again(tmp_path):
    """A whole game on a disk of 2 MB waits while something else fills the disk, and then goes on.

    The disk is in memory, and mounting it needs root; without root nothing is tested here.
    """
    if getattr(os, "geteuid", lambda: 1)() != 0 or shutil.which("unshare") is None:
        return
    disk, record, said = (tmp_path / name for name in ("disk", "record", "said"))
    disk.mkdir()
    inner = (
        f'mount -t tmpfs -o size=2m boneyard "{disk}" || exit 77; ip link set lo up; '
        f'( until grep -q dealt "{said}"; do sleep 0.05; done; '
        f'dd if=/dev/zero of="{disk}/filler" bs=1k 2>/dev/null; '
        f'until grep -q "goes on by itself" "{said}"; do sleep 0.05; done; rm "{disk}/filler" ) & '
        f'"{sys.executable}" -m cli play --auto --plain --set 9 --rounds 2 --bots 2 '
        f'--data "{disk}/data" --record "{record}" < /dev/null > "{said}" 2>&1; '
        "code=$?; kill $!; exit $code"
    )
    command = ["unshare", "-n", "-m", "sh", "-c", inner]
    played = subprocess.run(command, cwd=ROOT, env=environment(), timeout=120, check=False)
    if played.returncode == 77:
        return
    text = said.read_text()
    assert played.returncode == 0, text
    assert "goes on by itself when there is room" in text, text
    assert "room on the disk again" in text
    assert boneyard("verify", record).returncode == 0
