"""What a seat notes beside a table's log, because no log says it: how it sits there, how it ended.

    DATA/tables/ID/notes.toml

from netgame.limits import NOTES_BYTES_MAX
Whoever comes back finds the door as it was, the port, and the practice table hidden as before; and
a game that is over, or was left for good, is not come back to. Notes that are missing or damaged
are as if nothing had been noted: then newcomers are asked for a code.
"""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec
import tomli_w

from netgame.io.disk.files import replace_file
from netgame.limits import NOTES_BYTES_MAX

Ended: TypeAlias = Literal["", "over", "left", "demonstration"]

NOTES_FILE: Final = "notes.toml"


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
            return msgspec.toml.decode(file.read(NOTES_BYTES_MAX), type=TableNotes)
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError):
        return TableNotes()


def note(folder: Path, **changes: object) -> None:
    """Change notes, if that changes anything. Raises `DiskTrouble`."""
    before = read_notes(folder)
    after = replace(before, **changes)  # type: ignore[arg-type]
    if after != before or not (folder / NOTES_FILE).exists():
        # a path of no UTF-8 is not kept as it was, and then not found
        replace_file(folder / NOTES_FILE, tomli_w.dumps(asdict(after)).encode(errors="replace"))
