"""The two kinds of storage, on disk and in memory, give the same answers."""

from pathlib import Path
from unittest import mock

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from netgame.io.disk.files import Held
from netgame.io.disk.memory import IN_MEMORY, AppendedOctets, MemoryStorage, in_memory
from netgame.io.disk.on_disk import DiskStorage
from netgame.io.disk.storage import STORAGE
from netgame.io.disk.store import DataFolder
from netgame.io.tables.host import bot_folders, host_table
from netgame.io.tables.kept import forget_game, kept_games
from netgame.io.tables.options import ReachedBy
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.log.entry import frame_payload
from netgame.protocol.peer import effects as fx
from tests.netgame.io.node.test_node import FakeCore, linked, until
from tests.netgame.io.tables.test_tables import finish, host_options, settings


@pytest.fixture(params=[DiskStorage, MemoryStorage])
def storage(request):
    """Return a storage; each test runs once for each kind."""
    return request.param()


async def test_a_log_is_what_was_appended_less_what_was_cut(storage, tmp_path):
    """A log contains the octets that were appended and not cut off, even after it is reopened."""
    path = tmp_path / "record"
    log = storage.open(path)
    log.append(b"one, two")
    await log.settle()
    assert [log.read(0, 3), log.read(5, 99), log.read(8, 1)] == [b"one", b"two", b""]
    log.cut(4)
    log.append(bytearray(b" and three"))
    log.close()
    again = storage.open(path)
    again.append(b"!")
    assert again.read(0, 99) == storage.read(path, 99) == b"one, and three!"
    again.close()


def test_what_is_replaced_is_there_whole_and_the_first_stays_where_it_is_kept(storage, tmp_path):
    """A file can be replaced, but with `keeps` an existing file stays as it is.

    A read returns no more than the octets asked for, and a missing file is an error.
    """
    path = tmp_path / "file"
    with pytest.raises(FileNotFoundError, match="No such file"):
        storage.read(path, 9)
    storage.replace(path, b"first")
    storage.replace(path, b"another", keeps=True)
    assert storage.read(path, 9, secret=True) == b"first"
    storage.replace(path, b"third")
    assert storage.read(path, 3) == b"thi"


def test_what_is_kept_is_seen_and_listed_until_it_is_removed(storage, tmp_path):
    """Files and folders are seen and listed until they are removed.

    Removing a folder removes everything in it. Removing something that does not exist is allowed.
    """
    folder = tmp_path / "tables"
    assert storage.look(folder / "b") is None
    assert storage.names(folder) == ()
    storage.remove(folder / "b")
    for name in ("b", "a"):
        storage.create_folder(folder / name)
        storage.replace(folder / name / "record", b"octets")
    assert storage.names(folder) == ("a", "b")
    seen, above = storage.look(folder / "a" / "record"), storage.look(folder)
    assert (seen.octets, seen.is_file, seen.is_folder) == (6, True, False)
    assert (above.is_file, above.is_folder) == (False, True)
    storage.replace(folder / "b" / "record", b"octet")
    assert storage.look(folder / "b" / "record").changed >= seen.changed
    storage.remove(folder / "a")
    assert storage.names(folder) == ("b",)
    assert storage.look(folder / "a" / "record") is None


def test_one_at_a_time_holds_a_lock(storage, tmp_path):
    """A name that is locked cannot be locked again until it is unlocked."""
    unlock = storage.lock(tmp_path / "lock")
    with pytest.raises(Held):
        storage.lock(tmp_path / "lock")
    unlock()
    storage.lock(tmp_path / "lock")()


def test_a_place_that_is_fine_for_a_file_stays_as_it_is(storage, tmp_path):
    """Checking that a place is writable leaves no file there."""
    storage.check_writable(tmp_path / "record")
    assert storage.look(tmp_path / "record") is None


async def test_a_game_in_memory_is_a_game_and_leaves_nothing(tmp_path, monkeypatch, jumping_clock):
    """A game in memory is listed, verified and deleted like any other, and never uses the disk."""

    def fail(*_args, **_more):
        raise AssertionError("something of a game in memory is looked for on the disk")

    for verb in ("open", "lock", "read", "replace", "look", "names", "remove", "create_folder"):
        monkeypatch.setattr(DiskStorage, verb, fail)
    options = host_options(
        tmp_path, 2, bots=1, reach=ReachedBy.PROGRAM, data_dir=IN_MEMORY, settings=settings(2)
    )
    with in_memory():
        async with host_table(options) as host:
            record = host.folder.record.path
            assert [DataFolder(each).tables() for each in bot_folders(record.parent)] != [()]
            await finish(host)
        assert bot_folders(record.parent) == []
        assert verify_record(STORAGE.get().read(record, 1 << 24), bytes).finished
        (game,) = kept_games(DataFolder(IN_MEMORY))
        assert (game.path, game.number, game.notes.ended) == (record.parent, 1, "over")
        forget_game(game)
        assert kept_games(DataFolder(IN_MEMORY)) == ()
    monkeypatch.undo()
    with in_memory():
        assert STORAGE.get().names(IN_MEMORY) == ()
    assert not IN_MEMORY.exists()
    assert not list(tmp_path.iterdir())


async def test_a_frame_waits_for_whatever_makes_a_store_durable(jumping_clock):
    """In memory, too, a frame leaves only after the log on which it depends has been settled.

    A browser makes its logs durable in its own way, which may take time.
    """
    asked, durable = trio.Event(), trio.Event()

    async def settle(_log):
        asked.set()
        await durable.wait()

    ann, ben = FakeCore(), FakeCore()
    with in_memory():
        async with linked(IN_MEMORY, ann, ben) as (one, two), trio.open_nursery() as nursery:
            ann.moves["go"] = (fx.Journalled(b"entry"), fx.Send(two.key, b"entry"))
            with mock.patch.object(AppendedOctets, "settle", settle):
                nursery.start_soon(one.propose, "go")
                await asked.wait()
                await wait_all_tasks_blocked()
                assert [kind for kind, *_ in ben.heard] == ["up"]
                durable.set()
                await until(two, lambda: ("frame", one.key, b"entry") in ben.heard)


def test_what_is_not_below_the_name_is_kept_as_before(tmp_path):
    """Even within `in_memory`, files outside the memory folder are written to the disk."""
    with in_memory():
        STORAGE.get().replace(tmp_path / "config.toml", b"bell = 'off'")
        STORAGE.get().replace(IN_MEMORY / "config.toml", b"elsewhere")
    assert (tmp_path / "config.toml").read_bytes() == b"bell = 'off'"
    assert not Path("(memory)").exists()


def test_a_log_that_is_removed_is_no_trouble_to_who_has_it_open():
    """A log that is removed while open can still be written; opening it again makes a new one."""
    storage = MemoryStorage()
    log = storage.open(IN_MEMORY / "record")
    storage.remove(IN_MEMORY)
    log.append(frame_payload(b"late"))
    assert storage.look(IN_MEMORY / "record") is None
    assert storage.open(IN_MEMORY / "record").read(0, 99) == b""
