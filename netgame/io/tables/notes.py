"""A seat's notes on its table: facts that the log does not contain, such as the join code.

    DATA/tables/ID/notes.toml

With them a player who comes back has the same door and port, and a practice table stays hidden; a
game that is over or was left for good is not resumed. Missing or damaged notes count as empty.
"""

import tomllib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Final, Literal, TypeAlias

import msgspec
import tomli_w
import trio
from msgspec.structs import asdict, replace

from engine.bots.levels import LEVELS, BotLevel
from netgame.frozen import FrozenStruct
from netgame.io.disk.storage import read_kept, replace_file, seen_at
from netgame.io.node.node import Node
from netgame.io.tables.options import ReachedBy
from netgame.limits import NOTES_BYTES_MAX
from netgame.protocol.peer.view import TableStage

Ended: TypeAlias = Literal["", "over", "left", "demonstration"]

NOTES_FILE: Final = "notes.toml"

_CHANGING: Final = Lock()
"""Locked from reading notes to writing them: another thread may write the numbers of games."""


class TableNotes(FrozenStruct):
    """A seat's notes on its table, used when the player comes back or lists the games."""

    code: str = ""
    """The join code, if this is the host and one is asked for."""
    port: int = 0
    """0 if unknown."""
    reach: ReachedBy = ReachedBy.NETWORK
    """From where others can come to the seat; for a practice game, not from the network."""
    record: str = ""
    """The path of a copy of the record."""
    players: tuple[str, ...] = ()
    """The names of those who sit there."""
    begun: bool = False
    """The lobby is closed."""
    ended: Ended = ""
    """The reason not to come back; empty if there is none."""
    level: str = ""
    """The level of the bot that sits here."""
    number: int = 0
    """The player's number for the game; 0 until it is first listed."""
    kicked: dict[str, str] = msgspec.field(default_factory=dict)
    """Keys, in hexadecimal, to which this host gives no seat, with the names of the players."""
    blocked: tuple[str, ...] = ()
    """Addresses from which only members come in."""
    allowed: tuple[str, ...] = ()
    """Long fingerprints of keys that need no code."""
    name: str = ""
    """The name of this seat."""
    on_wall: bool = False
    """The table was shown to a room."""
    starts_itself: bool = False
    """The table's games begin by themselves once all seats are taken."""
    page_port: int = 0
    page_path: str = ""
    """The place where this seat serves the page for browsers; 0 and empty if it does not."""

    @property
    def bot_level(self) -> BotLevel:
        """The level of the bot that sits here; the usual level if none is noted."""
        return LEVELS.get(self.level, BotLevel.NORMAL)


def read_notes(folder: Path) -> TableNotes:
    """Return the notes of a table's folder; default notes if they are missing or unreadable."""
    return readable_notes(folder) or TableNotes()


def readable_notes(folder: Path) -> TableNotes | None:
    """Return the notes of a table's folder, default ones if it has none; None if unreadable."""
    try:
        keys = tomllib.loads(read_kept(folder / NOTES_FILE, NOTES_BYTES_MAX).decode())
        return msgspec.convert(_former_reach(keys) | keys, TableNotes)
    except FileNotFoundError:
        return TableNotes()
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError):
        return None


def _former_reach(keys: Mapping[str, object]) -> dict[str, object]:
    """Return the `reach` that keys of earlier versions stand for; empty if there are none."""
    if keys.get("alone") is True:
        return {"reach": ReachedBy.PROGRAM}
    return {"reach": ReachedBy.COMPUTER} if keys.get("loopback_only") is True else {}


def note(folder: Path, **changes: object) -> None:
    """Change these fields of a table's notes; write them if they differ or the file is missing.

    "over" does not replace an `ended` that is noted already, and "left" does not replace
    "demonstration". Damaged notes are lost. Raises `DiskTrouble`.
    """
    with _CHANGING:
        before = read_notes(folder)
        if changes.get("ended") == "over":
            changes["ended"] = before.ended or "over"
        if changes.get("ended") == "left" and before.ended == "demonstration":
            del changes["ended"]
        after = replace(before, **changes)
        if after != before or seen_at(folder / NOTES_FILE) is None:
            replace_notes(folder, after)


def replace_notes(folder: Path, notes: TableNotes) -> None:
    """Write these notes in place of any that are there; raises `DiskTrouble`."""
    # a path that is not UTF-8 is altered here, and not found later
    replace_file(folder / NOTES_FILE, tomli_w.dumps(asdict(notes)).encode(errors="replace"))


@asynccontextmanager
async def keep_notes(node: Node, chosen: Mapping[str, object]) -> AsyncIterator[None]:
    """Keep the notes of the table of `node` up to date within the block, and at its end.

    `chosen` are notes that do not change, such as the options of this seat. The first write clears
    the former `ended`. Disk trouble is told to the player, not raised.
    """
    written: dict[str, object] = {}

    async def write() -> None:
        now = {**_seen(node), **chosen}
        if node.folder is None or now.items() <= written.items():
            return
        # a table once left stays so until somebody sits down there again
        fresh = now if written else {"ended": "", **now}
        written.update(fresh)
        await note_down(node, **fresh)

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
    """Return the notes that follow from the present state of the table.

    `ended` is among them only after the game, and the notes on the door only for the host.
    """
    view = node.view()
    door = node.door
    seen: dict[str, object] = {
        "port": node.port,
        "players": tuple(seat.name for seat in view.seats),
        "name": view.name_of(node.key) or node.name,
        "begun": view.stage is not TableStage.LOBBY,
    }
    if view.is_host:
        seen["kicked"] = {key.hex(): name for key, name in node.kicked.items()}
        seen |= {"blocked": tuple(sorted(door.blocked)), "allowed": tuple(sorted(door.allowed))}
    if view.is_host and door.code is not None:
        seen["code"] = str(door.code)
    if node.page is not None:
        seen |= {"page_port": node.page.place.port, "page_path": node.page.place.path}
    if view.has_ended:
        seen["ended"] = "over"
    return seen


async def note_down(node: Node, **changes: object) -> None:
    """Change these fields of the table's notes; do nothing if the table has no folder yet.

    The player is told of disk trouble.
    """
    if node.folder is not None:
        await node.on_disk(partial(note, node.folder.path, **changes), None)


async def leave_for_good(node: Node) -> None:
    """Note that this seat is left for good, then leave it with its bots, and tell the others."""
    await note_down(node, ended="left")
    await node.farewell()
