"""The notes of a table in play, written as they change; what they are for, `disk.notes` says."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial

import trio

from netgame.errors import DiskTrouble
from netgame.io.disk.notes import note
from netgame.io.node.node import Node
from netgame.protocol.peer.view import TableStage


@asynccontextmanager
async def keep_notes(node: Node, chosen: Mapping[str, object]) -> AsyncIterator[None]:
    """Keep notes of the table of `node` within the block, from its first entry on.

    `chosen` are those that stay as they are: what was wanted for this seat and this door.
    """
    written: dict[str, object] = {}

    async def write() -> None:
        now = {**chosen, **_seen(node)}
        if node.folder is None or now.items() <= written.items():
            return
        # a table once left stays so until somebody sits down there again
        fresh = now if written else {"ended": "", **now}
        written.update(fresh)
        await _note(node, **fresh)

    async def watch() -> None:
        while True:
            changed = node.when_changed()
            await write()
            await changed.wait()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(watch)
        try:
            yield
        finally:
            nursery.cancel_scope.cancel()
            with trio.CancelScope(shield=True):
                await write()


def _seen(node: Node) -> dict[str, object]:
    """Say what is so now; how it ended only once it has."""
    view = node.view()
    seen: dict[str, object] = {
        "port": node.port,
        "players": tuple(seat.name for seat in view.seats),
        "begun": view.stage is not TableStage.LOBBY,
    }
    if view.is_host and node.door.code is not None:
        seen["code"] = str(node.door.code)
    if view.stage in (TableStage.OVER, TableStage.HALTED):
        seen["ended"] = "over"
    return seen


async def _note(node: Node, **changes: object) -> None:
    """Change the notes of a table that has a folder; what the disk refuses is told."""
    if node.folder is not None:
        try:
            await trio.to_thread.run_sync(partial(note, node.folder.path, **changes))
        except DiskTrouble as trouble:
            node.tell_trouble(str(trouble))


async def leave_for_good(node: Node) -> None:
    """Note first that nobody comes back to this seat, then say so to the others."""
    await _note(node, ended="left")
    await node.farewell()
