"""Which table to come back to: the latest that is neither over nor left for good.

A table's notes say how it ended; a table of an earlier program has none, so its record is folded,
which takes a second or two, and what was found is noted.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from netgame.errors import DiskTrouble, Refused
from netgame.io.identity import Identity
from netgame.io.sitting import restore_core
from netgame.io.store import DataFolder, TableFolder
from netgame.io.notes import Ended, TableNotes, note, read_notes
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.view import TableStage

_SHORT_CHARS: Final = 8
"""As much of a folder's name as people type: one chance in a million that two tables share it."""

_WHY_NOT: Final[dict[Ended, str]] = {
    "over": "the game at table {table} is over; see it again with boneyard replay, verify its "
    "record with boneyard verify",
    "left": "you left table {table} for good; join it again for a seat at its next round",
    "demonstration": "table {table} was dealt from a seed; such a game cannot be resumed",
}


class Unfinished(NamedTuple):
    """A table one may come back to: its folder, and who played there when it was last seen."""

    path: Path
    players: tuple[str, ...]

    @property
    def short(self) -> str:
        """What to type for it."""
        return self.path.name[:_SHORT_CHARS]


def unfinished_tables(data: DataFolder) -> tuple[Unfinished, ...]:
    """Return the tables whose notes say that they have begun and not ended, the latest first."""
    noted = ((path, read_notes(path)) for path in data.tables())
    return tuple(
        Unfinished(path, notes.players) for path, notes in noted if notes.begun and not notes.ended
    )


def choose_table(
    data: DataFolder, identity: Identity, name: str, wanted: str
) -> tuple[TableFolder, Core, TableNotes]:
    """Open the latest unfinished table, or the latest whose folder's name begins with `wanted`.

    Raises `Refused` (code `no-table`) with the reason, or the `DiskTrouble` of the only one left.
    """
    trouble: DiskTrouble | Refused | None = None
    for path in data.tables():
        if not path.name.startswith(wanted):
            continue
        try:
            return _opened(path, identity, name)
        except (DiskTrouble, Refused) as problem:
            trouble = trouble or problem
        if wanted:
            break
    if isinstance(trouble, DiskTrouble) or (trouble is not None and wanted):
        raise trouble
    raise Refused("no-table", f"there is no table to come back to in {data.path}")


def _opened(path: Path, identity: Identity, name: str) -> tuple[TableFolder, Core, TableNotes]:
    """Open one table; raises `Refused` if it is not one to come back to, `DiskTrouble`."""
    notes = read_notes(path)
    if notes.ended:
        raise _ended(path, notes.ended)
    folder = TableFolder(path)
    try:
        core = restore_core(folder, identity, name, secrets.token_bytes)
        match core.view().stage:
            case TableStage.LOBBY:
                raise Refused("no-table", "that table never began; join or open one instead")
            case TableStage.OVER | TableStage.HALTED:
                with suppress(DiskTrouble):
                    note(path, ended="over")
                raise _ended(path, "over")
            case _:
                return folder, core, notes
    except BaseException:
        folder.close()
        raise


def _ended(path: Path, ended: Ended) -> Refused:
    return Refused("no-table", _WHY_NOT[ended].format(table=path.name[:_SHORT_CHARS]))
