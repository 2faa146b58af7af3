"""Past games as they are kept: the summary beside each record, and the games of an evening.

Folding a record takes a second, so its summary is kept beside it until the record grows.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from cli.results.standings import with_bots
from cli.results.summary import SUMMARY_VERSION, Player, Summary, summary_from
from netgame.crypto.batch import Batch
from netgame.errors import DiskTrouble, NetgameError
from netgame.io.clock import unix_time
from netgame.io.disk.record_file import read_record
from netgame.io.disk.storage import read_kept, replace_file
from netgame.io.disk.store import DataFolder
from netgame.io.entropy import fresh_octets
from netgame.io.tables.kept import kept_games
from netgame.protocol.ledger.hurry import in_a_hurry
from netgame.protocol.ledger.record import BadRecord, walk

_FILE: Final = "summary.json"
_BYTES_MAX: Final = 262_144
"""The limit of a summary; that of a game of 14 seats and 19 rounds takes 6 kB."""
_OLDEST: Final = 2
"""The first version of summaries still used for records that this program cannot fold."""

_EVENING_S: Final = 12 * 3_600.0
"""Games that began further apart do not belong to one evening."""


# ---- one game -------------------------------------------------------------------------------


def summary_of(folder: Path) -> Summary:
    """Return the summary of the record in a table's folder.

    It is kept beside the record if it can be written, and read from there until the record grows.
    Raises `DiskTrouble` if the record cannot be read, and `BadRecord` if it is not valid. If only
    another version of the program can fold the record, return the summary that it kept, if any.
    """
    octets = read_record(folder / "record")
    kept = _kept(folder / _FILE, len(octets))
    if kept is not None and kept.version == SUMMARY_VERSION:
        return kept
    summary = _fresh(octets, kept)
    with suppress(DiskTrouble):
        replace_file(folder / _FILE, msgspec.json.encode(summary))
    return summary


def summary_beside(record: Path, octets: bytes) -> Summary:
    """Fold a record again, and return its summary; raise `BadRecord` if it is not valid.

    If only another version of the program can fold the record, return the summary that it kept
    beside the record, if any.
    """
    return _fresh(octets, _kept(record.parent / _FILE, len(octets)))


def _fresh(octets: bytes, kept: Summary | None) -> Summary:
    """Return the summary of a record by folding it.

    If only another version of the program can fold it, return `kept`, if any.
    """
    try:
        return summary_of_record(octets)
    except BadRecord as problem:
        if kept is None or not problem.finding.is_made_otherwise:
            raise
        return kept


def _kept(path: Path, size: int) -> Summary | None:
    """Return the summary kept for a record of this size.

    None if there is none, or if this program cannot read it. The file may be hostile.
    """
    try:
        kept = msgspec.json.decode(read_kept(path, _BYTES_MAX), type=Summary)
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError):
        return None
    return kept if _OLDEST <= kept.version <= SUMMARY_VERSION and kept.octets == size else None


def summary_of_record(octets: bytes) -> Summary:
    """Fold a record, and return its summary.

    Raises `BadRecord` if the record or a proof in it is not valid, and `NeverBegan` if it has no
    game.
    """
    batch = Batch(fresh_octets)
    return in_a_hurry(lambda by: summary_from(walk(octets, by), len(octets)), batch)


# ---- an evening -----------------------------------------------------------------------------


def evening_of(table: Path, players: Iterable[Player], *, is_over: bool) -> tuple[Summary, ...]:
    """Return the games that the people at a table have finished this evening, oldest first.

    They come from the records in the table's data folder, so the evening goes on if people come
    back or open a new table. A game counts if it began within twelve hours of the one at the
    table, and its people are the same as here or at least two of them are here.

    The game at the table counts only if it `is_over`. If it has not begun, the twelve hours are
    counted from now. A game from a seed does not count, and at a table with a seeded game the
    result is empty.
    """
    kept = kept_games(DataFolder(table.parent.parent))
    this = next((game for game in kept if game.path == table), None)
    since = unix_time() if this is None else this.since
    if this is not None and this.is_seeded:
        return ()
    company = _people(players)
    found: list[Summary] = []
    for game in reversed(kept):
        if abs(game.since - since) > _EVENING_S:
            continue
        if not game.is_seeded and (is_over or game != this):
            with suppress(NetgameError):  # a record that cannot be read, or does not hold
                told = summary_of(game.path)
                people = _people(told.players)
                if told.finished and (people == company or len(people & company) > 1):
                    found.append(with_bots(told))
    return tuple(found)


def evening_until(table: Path) -> tuple[Summary, ...]:
    """Return `evening_of` a table that is over, its own game included.

    Empty if its record cannot be read or is not valid.
    """
    with suppress(NetgameError):
        return evening_of(table, summary_of(table).players, is_over=True)
    return ()


def _people(players: Iterable[Player]) -> set[str]:
    return {each.key for each in players if not each.bot}
