"""The keeper waits for data that must be on the disk, and only for such data."""

from functools import partial

import trio.testing

from netgame.io.disk.keeper import Keeper
from netgame.io.disk.store import TableFolder
from netgame.protocol.peer.effects import Journalled, Persist
from netgame.wire.codec import encode
from netgame.wire.messages import RecordHeader

RECORD = encode(RecordHeader(2))


def keeper_of(folder):
    """Return a keeper of this folder whose reports about the disk are discarded."""
    return Keeper(folder, bytes, lambda _: None, lambda: None)


async def test_what_needs_no_sync_lets_nobody_else_run(tmp_path):
    """If no kept data needs a sync, `settle` returns without letting another task run.

    That saves time, because eight players send hundreds of frames for each move.
    """
    folder = TableFolder(tmp_path / "table", bytes(32))
    keeper = keeper_of(folder)
    with trio.testing.assert_no_checkpoints():
        await keeper.settle()
    keeper.keep(Persist(RECORD, sync=False))
    with trio.testing.assert_no_checkpoints():
        await keeper.settle()
    folder.close()


async def test_record_and_journal_are_both_on_the_disk_behind_a_settle(tmp_path, monkeypatch):
    """`settle` syncs both the record and the journal; a second call has nothing left to sync."""
    folder = TableFolder(tmp_path / "table", bytes(32))
    keeper, synced = keeper_of(folder), []

    async def settle(file):
        synced.append(file)

    for file in (folder.record, folder.journal):
        monkeypatch.setattr(file, "settle", partial(settle, file))
    keeper.keep(Journalled(RECORD))
    keeper.keep(Persist(RECORD, sync=True))
    assert not synced
    await keeper.settle()
    assert set(synced) == {folder.record, folder.journal}
    await keeper.settle()
    assert len(synced) == 2
    folder.close()
