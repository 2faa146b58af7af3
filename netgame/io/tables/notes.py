"""What a seat notes beside a table's log, because no log says it: how it sits there, how it ended.

    DATA/tables/ID/notes.toml

Whoever comes back finds the door as it was, the port, and the practice table hidden as before; and
a game that is over, or was left for good, is not come back to. Notes that are missing or damaged
are as if nothing had been noted: then newcomers are asked for a code.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec
import tomli_w
import trio

from engine.bots.levels import LEVELS, BotLevel
from netgame.io.disk.files import open_file, replace_file
from netgame.io.node.node import Node
from netgame.limits import NOTES_BYTES_MAX
from netgame.protocol.peer.view import TableStage

Ended: TypeAlias = Literal["", "over", "left", "demonstration"]

NOTES_FILE: Final = "notes.toml"


@dataclass(frozen=True, slots=True)
class TableNotes:
    """How somebody sits at a table.

    `code` is the one that newcomers are asked for, if this is the host and they are; `port` 0 is
    not known; `loopback_only` is a practice table's; `record` is where a copy of the record goes;
    `players` are the names seen there, `name` is that of this seat; `begun` says that the lobby is
    closed, `ended` why not to come back; `level` is how well a bot plays that sits here; `number`
    is what the player calls the game by, 0 until it is listed for the first time; `kicked` has the
    keys, in hexadecimal, and the names of those whose seats this host has taken back.
    """

    code: str = ""
    port: int = 0
    loopback_only: bool = False
    record: str = ""
    players: tuple[str, ...] = ()
    begun: bool = False
    ended: Ended = ""
    level: str = ""
    number: int = 0
    kicked: dict[str, str] = field(default_factory=dict)
    name: str = ""

    @property
    def bot_level(self) -> BotLevel:
        """How well a bot plays that sits here; the usual level where none is noted."""
        return LEVELS.get(self.level, BotLevel.NORMAL)


def read_notes(folder: Path) -> TableNotes:
    """Return the notes of a table's folder; the plain ones if there are none to be read."""
    return readable_notes(folder) or TableNotes()


def readable_notes(folder: Path) -> TableNotes | None:
    """Return the notes of a table's folder, the plain ones if it has none; None if damaged."""
    try:
        with open_file(folder / NOTES_FILE) as file:
            return msgspec.toml.decode(file.read(NOTES_BYTES_MAX), type=TableNotes)
    except FileNotFoundError:
        return TableNotes()
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError):
        return None


def note(folder: Path, **changes: object) -> None:
    """Change notes, if that changes anything. Raises `DiskTrouble`.

    Of a table that was left it stays noted so, though the game ends by that.
    """
    before = read_notes(folder)
    if changes.get("ended") == "over":
        changes["ended"] = before.ended or "over"
    after = replace(before, **changes)  # type: ignore[arg-type]
    if after != before or not (folder / NOTES_FILE).exists():
        # a path of no UTF-8 is not kept as it was, and then not found
        replace_file(folder / NOTES_FILE, tomli_w.dumps(asdict(after)).encode(errors="replace"))


@asynccontextmanager
async def keep_notes(node: Node, chosen: Mapping[str, object]) -> AsyncIterator[None]:
    """Keep notes of the table of `node` within the block, from its first entry to its end.

    `chosen` are the notes that do not change: what was wanted for this seat and this door. Trouble
    with the disk is told to the person, not raised.
    """
    written: dict[str, object] = {}

    async def write() -> None:
        now = {**chosen, **_seen(node)}
        now |= {"ended": chosen["ended"]} if "ended" in chosen else {}
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
        "name": view.name_of(node.key),
        "begun": view.stage is not TableStage.LOBBY,
    }
    if view.is_host:
        seen["kicked"] = {key.hex(): name for key, name in node.door.kicked.items()}
    if view.is_host and node.door.code is not None:
        seen["code"] = str(node.door.code)
    if view.stage in (TableStage.OVER, TableStage.HALTED):
        seen["ended"] = "over"
    return seen


async def _note(node: Node, **changes: object) -> None:
    """Change the notes of a table that has a folder; what the disk refuses is told."""
    if node.folder is not None:
        await node.on_disk(partial(note, node.folder.path, **changes), None)


async def leave_for_good(node: Node) -> None:
    """Note first that nobody comes back to this seat, then say so to the others."""
    await _note(node, ended="left")
    await node.farewell()
