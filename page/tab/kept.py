"""The program's files in a tab: kept in memory, and written to the browser's store when settled.

The store is read once, when the page opens. All changes since the last write are written in one
transaction, which happens wholly or not at all; so once a change is settled, every earlier change
is durable too. A lease guards the store (`page/frame/store.ts`): a tab that has lost the lease to
another tab cannot settle anything, and so never signs.
"""

import asyncio
import errno
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import trio

from netgame.io.disk.memory import MemoryStorage
from page.tab.browser import Page
from page.tab.waiting import arrived

_LATER_S = 0.5
"""Seconds after which a change that nobody settles is written to the store."""
_BUSY_S = 0.005
_NO_ROOM = "QuotaExceededError"
"""The name of the error that browsers raise when the store is full."""


class TabStorage(MemoryStorage):
    """The browser's store for this page, as a `storage.Storage`."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self._page = page
        self._since: dict[Path, int] = {}
        """For each changed path, the offset from which it has changed; 0 if all of it is new."""
        self._turn = trio.Lock()
        self._is_busy = False
        """A transaction is under way for which no task of trio waits."""

    def load(self, pieces: Iterable[tuple[str, float, bytes]]) -> None:
        """Load the pieces of the store, given as path, offset and octets, in order.

        A piece that does not begin where the octets of its file end so far is left out.
        """
        for path, at, octets in pieces:
            known = self._kept.setdefault(Path(path), bytearray())
            if len(known) == at:
                known += octets
            self._changed[Path(path)] = 0.0

    def open(self, path: Path) -> "TabLog":  # type: ignore[override]
        """Open the log at `path`; if there is none, make an empty one."""
        if path not in self._kept:
            self._keep(path, b"")
        return TabLog(self, path, self._kept[path])

    def _keep(self, path: Path, octets: bytes) -> None:
        super()._keep(path, octets)
        self._since[path] = 0

    def grown(self, path: Path, size: int) -> None:
        """Note that this file has changed from the offset `size` on, for example by appending."""
        self._touch(path)
        self._since[path] = min(size, self._since.get(path, size))

    def remove(self, path: Path) -> None:
        """Remove the file or the folder at `path`, a folder with everything in it."""
        gone = [each for each in self._kept if each == path or path in each.parents]
        super().remove(path)
        self._since.update(dict.fromkeys(gone, 0))

    async def settle(self) -> None:
        """Return once all changes so far are durable.

        Raises `OSError` if the browser does not store them; they are then tried again next time.
        """
        async with self._turn:
            while self._is_busy:  # noqa: ASYNC110 - the host's loop ends it, a few ms later
                await trio.sleep(_BUSY_S)
            since, self._since = self._since, {}
            if not since:
                return
            try:
                await arrived(self._page.keep(_for_browser(self._changes(since))))
            except OSError as error:
                self._again(since)
                number = errno.ENOSPC if _NO_ROOM in str(error) else errno.EIO
                raise OSError(number, f"the browser does not keep it ({error})") from error
            except BaseException:  # cancelled: nobody knows what the browser has kept
                self._again(since)
                raise

    def _again(self, since: dict[Path, int]) -> None:
        for path, at in since.items():
            self._since[path] = min(at, self._since.get(path, at))

    async def follow(self) -> None:
        """Make changes durable after a while if nobody settles them; never return.

        Changes that fail are tried again later. This must run as a task of the host's loop.
        """
        while True:
            await asyncio.sleep(_LATER_S)
            if self._turn.locked() or not self._since:
                continue
            since, self._since, self._is_busy = self._since, {}, True
            try:
                await self._page.keep(_for_browser(self._changes(since)))
            except Exception:  # callers that need it durable get the error from `settle`
                self._again(since)
            finally:
                self._is_busy = False

    def _changes(self, since: dict[Path, int]) -> list[tuple[str, int, bytes | None]]:
        changes: list[tuple[str, int, bytes | None]] = []
        for path, at in since.items():
            changes.append((str(path), at, None))
            kept = self._kept.get(path)
            if kept is not None and (len(kept) > at or not at):
                changes.append((str(path), at, bytes(kept[at:])))
        return changes


class TabLog:
    """An open log of a `TabStorage`, as a `storage.Appended`."""

    def __init__(self, storage: TabStorage, path: Path, kept: bytearray) -> None:
        self._storage, self._path, self._kept = storage, path, kept
        self._is_ours: Callable[[], bool] = partial(_is_still, storage, path, kept)

    def append(self, octets: bytes | bytearray) -> None:
        """Append `octets`."""
        size = len(self._kept)
        self._kept += octets
        if self._is_ours():
            self._storage.grown(self._path, size)

    async def settle(self) -> None:
        """Return once everything appended so far, and every earlier change, is durable."""
        await self._storage.settle()

    def read(self, at: int, octets_max: int) -> bytes:
        """Return at most `octets_max` octets from the offset `at` on; empty at the end."""
        return bytes(self._kept[at : at + octets_max])

    def cut(self, size: int) -> None:
        """Cut the log off after its first `size` octets."""
        del self._kept[size:]
        if self._is_ours():
            # A piece in the store may begin before the cut, so all of the log is stored again.
            self._storage.grown(self._path, 0)

    def close(self) -> None:
        """Do nothing: what was appended stays, and callers that need it durable settle it."""


def _is_still(storage: TabStorage, path: Path, kept: bytearray) -> bool:
    """Return True if the log has not been removed or replaced since it was opened."""
    return storage._kept.get(path) is kept


def _for_browser(changes: list[tuple[str, int, bytes | None]]) -> Any:  # noqa: ANN401
    from pyodide.ffi import to_js

    return to_js(changes)
