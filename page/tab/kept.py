"""The program's storage in a tab: in memory, and in the browser's store by the time it is settled.

Everything is read once, when the page opens. Changes are noted and go to the store in transactions,
each whole or not at all and in the order in which they happened; so when something is settled,
every earlier change is durable, too. The store is fenced by a lease (`page/frame/store.ts`): a tab
that has lost it to another cannot settle anything, and so never signs.
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
"""Seconds until a change that nobody settles goes to the store."""
_BUSY_S = 0.005
_NO_ROOM = "QuotaExceededError"
"""The browsers' name for the error of a full store."""


class TabStorage(MemoryStorage):
    """This page's store as a `storage.Storage`."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self._page = page
        self._since: dict[Path, int] = {}
        """For each changed path, the offset from which it has changed; 0 if all of it is new."""
        self._turn = trio.Lock()
        self._is_busy = False
        """A transaction is under way for which no task of trio waits."""

    def load(self, pieces: Iterable[tuple[str, float, bytes]]) -> None:
        """Take the pieces in the store, in order; octets after a gap are left out."""
        for path, at, octets in pieces:
            known = self._kept.setdefault(Path(path), bytearray())
            if len(known) == at:
                known += octets
            self._changed[Path(path)] = 0.0

    def open(self, path: Path) -> "TabLog":  # type: ignore[override]
        """Open a log, empty if there is none."""
        if path not in self._kept:
            self._keep(path, b"")
        return TabLog(self, path, self._kept[path])

    def _keep(self, path: Path, octets: bytes) -> None:
        super()._keep(path, octets)
        self._since[path] = 0

    def grown(self, path: Path, size: int) -> None:
        """Note that this file was appended to at `size`, or has changed from there on."""
        self._touch(path)
        self._since[path] = min(size, self._since.get(path, size))

    def remove(self, path: Path) -> None:
        """Remove a file, or a folder with everything in it."""
        gone = [each for each in self._kept if each == path or path in each.parents]
        super().remove(path)
        self._since.update(dict.fromkeys(gone, 0))

    async def settle(self) -> None:
        """Return once all changes so far are durable; raises `OSError` if they cannot be."""
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
        """Make changes durable after a while if nobody settles them.

        This is an endless task of the host's loop.
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
    """A log as a `storage.Appended`."""

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
        """Read at most `octets_max` octets from the offset `at`."""
        return bytes(self._kept[at : at + octets_max])

    def cut(self, size: int) -> None:
        """Cut the log off after its first `size` octets."""
        del self._kept[size:]
        if self._is_ours():
            # A piece in the store may begin before the cut, so all of the log is stored again.
            self._storage.grown(self._path, 0)

    def close(self) -> None:
        """Do nothing: the log stays, and callers that need it durable settle it."""


def _is_still(storage: TabStorage, path: Path, kept: bytearray) -> bool:
    """Return True if an open log has not been removed or replaced meanwhile."""
    return storage._kept.get(path) is kept


def _for_browser(changes: list[tuple[str, int, bytes | None]]) -> Any:  # noqa: ANN401
    from pyodide.ffi import to_js

    return to_js(changes)
