"""A tab's store keeps what was settled; whatever the browser refuses leaves it unchanged."""

import errno
import random
from pathlib import Path

import pytest

from page.tab import kept
from page.tab.kept import TabStorage

LOG, NOTES, FOLDER = Path("/b/tables/t/record"), Path("/b/tables/t/notes"), Path("/b/tables/t")


class Store:
    """A fake of the browser's store: pieces by path and offset, changed together or not at all."""

    def __init__(self):
        self.pieces, self.refuses = {}, ""

    def keep(self, changes):
        """Make all changes and return None; if `refuses` is set, return an OSError instead."""
        if self.refuses:
            return OSError(self.refuses)
        for path, at, octets in changes:
            if octets is None:
                for key in [key for key in self.pieces if key[0] == path and key[1] >= at]:
                    del self.pieces[key]
            else:
                self.pieces[path, at] = octets
        return None

    def again(self):
        """Return a new storage that has loaded the pieces, as a newly opened page does."""
        storage = TabStorage(self)
        storage.load([(*key, self.pieces[key]) for key in sorted(self.pieces)])
        return storage


@pytest.fixture
def store(monkeypatch):
    """Return an empty fake store that answers at once."""

    async def arrived(answer):
        if answer is not None:
            raise answer

    monkeypatch.setattr(kept, "arrived", arrived)
    monkeypatch.setattr(kept, "_for_browser", lambda changes: changes)
    return Store()


def contents(storage):
    """Return the octets of each file in the table's folder, by path."""
    paths = [FOLDER / name for name in storage.names(FOLDER)]
    return {path: storage.read(path, 1 << 20) for path in paths}


async def test_what_is_settled_is_there_for_the_next_page(store):
    """Settling keeps all changes made before it, and none made after it."""
    storage = TabStorage(store)
    log = storage.open(LOG)
    storage.replace(NOTES, b"first")
    log.append(b"one")
    await log.settle()
    log.append(b"two")
    assert contents(store.again()) == {LOG: b"one", NOTES: b"first"}
    await log.settle()
    log.cut(4)
    log.append(b"!")
    storage.replace(NOTES, b"")
    await log.settle()
    assert contents(store.again()) == {LOG: b"onet!", NOTES: b""}
    storage.remove(FOLDER)
    await storage.settle()
    assert contents(store.again()) == {}


@pytest.mark.parametrize(
    ("refusal", "number"),
    [("QuotaExceededError: no room", errno.ENOSPC), ("AbortError: no", errno.EIO)],
)
async def test_what_the_browser_refuses_is_an_error_and_is_not_forgotten(store, refusal, number):
    """Settling raises OSError if the browser refuses, but forgets nothing.

    The next settling that succeeds keeps everything.
    """
    storage = TabStorage(store)
    log = storage.open(LOG)
    log.append(b"one")
    store.refuses = refusal
    with pytest.raises(OSError, match="does not keep") as refused:
        await log.settle()
    assert refused.value.errno == number
    assert not store.pieces
    log.append(b"two")
    store.refuses = ""
    await log.settle()
    assert contents(store.again()) == {LOG: b"onetwo"}


def test_what_follows_a_gap_is_left_out(store):
    """Pieces after a gap are dropped, like the torn end of a log."""
    store.pieces = {(str(LOG), 0): b"one", (str(LOG), 5): b"three"}
    assert contents(store.again()) == {LOG: b"one"}


@pytest.mark.parametrize("seed", range(20))
async def test_any_course_of_things_is_kept_as_it_was_at_the_last_settling(store, seed):
    """After any sequence of changes and refusals, the store equals its last settled state."""
    chance, storage, last = random.Random(seed), TabStorage(store), {}
    for _ in range(60):
        log = storage.open(LOG)
        act = chance.choice(("append", "append", "cut", "notes", "remove", "settle", "settle"))
        if act == "append":
            log.append(chance.randbytes(chance.randrange(1, 5)))
        elif act == "cut":
            log.cut(chance.randrange(len(log.read(0, 1 << 20)) + 1))
        elif act == "notes":
            storage.replace(NOTES, chance.randbytes(3))
        elif act == "remove":
            storage.remove(chance.choice((LOG, NOTES, FOLDER)))
        else:
            store.refuses = chance.choice(("", "", "no"))
            try:
                await storage.settle()
            except OSError:
                assert store.refuses
            else:
                last = contents(storage)
        assert contents(store.again()) == last
