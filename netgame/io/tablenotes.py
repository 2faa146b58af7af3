"""What a seat notes beside a table's log, because no log says it: how it sits there, how it ended.

    DATA/tables/ID/notes.toml

Whoever comes back finds the door as it was, the port, and the practice table hidden as before; and
a game that is over, or was left for good, is not come back to. Notes that are missing or damaged
are as if nothing had been noted: then newcomers are asked for a code.
"""

from __future__ import annotations

import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Final, Literal

import tomli_w
import trio

from netgame.errors import DiskTrouble
from netgame.io.files import replace_file
from netgame.io.node import Node
from netgame.protocol.peer.view import TableStage

Ended = Literal["", "over", "left", "demonstration"]

NOTES_FILE: Final = "notes.toml"
_NOTES_BYTES_MAX: Final = 16_384


@dataclass(frozen=True, slots=True)
class TableNotes:
    """How somebody sits at a table.

    `open` asks newcomers for no code, else `code` is the one they are asked for, if this is the
    host; `port` 0 is not known; `loopback_only` is a practice table's; `record` is where a copy of
    the record goes; `players` are the names seen there; `begun` says that the lobby is closed,
    `ended` why not to come back.
    """

    open: bool = False
    code: str = ""
    port: int = 0
    loopback_only: bool = False
    record: str = ""
    players: tuple[str, ...] = ()
    begun: bool = False
    ended: Ended = ""


def read_notes(folder: Path) -> TableNotes:
    """Return the notes of a table's folder; the plain ones if there are none to be read."""
    try:
        with (folder / NOTES_FILE).open("rb") as file:
            found = tomllib.loads(file.read(_NOTES_BYTES_MAX).decode())
    except (OSError, ValueError, RecursionError):
        return TableNotes()
    usual = TableNotes()
    kept = {
        each.name: found[each.name]
        for each in fields(TableNotes)
        if each.name != "players" and type(found.get(each.name)) is type(getattr(usual, each.name))
    }
    names = found.get("players", [])
    players = (name for name in names if isinstance(name, str)) if isinstance(names, list) else ()
    return replace(usual, **kept, players=tuple(players))


def note(folder: Path, **changes: object) -> None:
    """Change notes, if that changes anything. Raises `DiskTrouble`."""
    before = read_notes(folder)
    after = replace(before, **changes)  # type: ignore[arg-type]
    if after == before and (folder / NOTES_FILE).exists():
        return
    text = tomli_w.dumps({**asdict(after), "players": list(after.players)})
    # a path of no UTF-8 is not kept as it was, and then not found
    replace_file(folder / NOTES_FILE, text.encode(errors="replace"))


@asynccontextmanager
async def keep_notes(node: Node, notes: TableNotes) -> AsyncIterator[None]:
    """Keep notes of the table of `node` within the block, from its first entry on."""
    written: dict[str, object] = {}

    async def write() -> None:
        now = _noted(node, notes)
        if node.folder is None or now.items() <= written.items():
            return
        # a table once left stays so until somebody sits down there again
        fresh = now if written else {"ended": notes.ended, **now}
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


def _noted(node: Node, notes: TableNotes) -> dict[str, object]:
    """Say what is so now; how it ended only once it has."""
    view = node.view()
    facts = asdict(replace(notes, port=node.port))
    facts["players"] = tuple(seat.name for seat in view.seats)
    facts["begun"] = view.stage is not TableStage.LOBBY
    del facts["ended"]
    for name in ("open", "code"):
        if not facts[name]:
            del facts[name]
    if view.is_host and node.door.code is not None:
        facts["code"] = str(node.door.code)
    over = view.stage in (TableStage.OVER, TableStage.HALTED)
    return {**facts, "ended": "over"} if over else facts


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
