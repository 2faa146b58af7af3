"""The games that a data folder keeps, each by a number that stays its own."""

from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from netgame.errors import DiskTrouble
from netgame.io.disk.store import DataFolder
from netgame.io.tables.notes import NOTES_FILE, TableNotes, note, readable_notes

SHORT_CHARS: Final = 8
"""As much of a folder's name as people type: one chance in a million that two tables share it."""


class KeptGame(NamedTuple):
    """One game that has begun: its folder, since when it is there (Unix time), and its notes.

    Without notes, because they are damaged, it has no number: `number` is 0.
    """

    number: int
    path: Path
    since: float
    notes: TableNotes | None

    @property
    def called(self) -> str:
        """What to type for it."""
        return str(self.number) if self.number else short_name(self.path)

    @property
    def waits(self) -> bool:
        """Whether its notes say that one can come back to it."""
        return self.notes is not None and self.notes.begun and not self.notes.ended


def short_name(folder: Path) -> str:
    """Return as much of a table folder's name as people type."""
    return folder.name[:SHORT_CHARS]


def kept_games(data: DataFolder) -> tuple[KeptGame, ...]:
    """Return all games that have begun, the latest first; tables that never did are none.

    Whichever has no number yet gets the next one, in the order in which they began, and keeps it.
    """
    found = [_read(path) for path in data.tables()]
    last = max((each.number for each in found), default=0)
    numbers = {}
    for each in sorted(found, key=lambda each: each.since):
        if not each.number and _has_begun(each):
            last += 1
            numbers[each.path] = last
            with suppress(DiskTrouble):
                note(each.path, number=last)
    games = (each._replace(number=numbers.get(each.path, each.number)) for each in found)
    return tuple(game for game in games if game.number or game.notes is None)


def _read(path: Path) -> KeptGame:
    notes, since = readable_notes(path), 0.0
    for name in ("record", "secret"):  # the latter is written once, when somebody sits down
        with suppress(OSError):
            since = (path / name).stat().st_mtime
    return KeptGame(0 if notes is None else notes.number, path, since, notes)


def _has_begun(game: KeptGame) -> bool:
    """Whether its notes say so, or an earlier program has left none."""
    if game.notes is None:
        return False
    return game.notes.begun or not (game.path / NOTES_FILE).exists()
