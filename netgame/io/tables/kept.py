"""The games that a data folder keeps, each with a permanent number."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from engine.rules import revision
from netgame.errors import DiskTrouble, NetgameError
from netgame.io.discovery.advert import TableAd
from netgame.io.disk.known_peers import KnownPeers
from netgame.io.disk.storage import read_kept, seen_at
from netgame.io.disk.store import DataFolder, clear_table
from netgame.io.tables.notes import NOTES_FILE, TableNotes, note, readable_notes, replace_notes
from netgame.io.tables.options import ReachedBy
from netgame.limits import FRAME_BYTES_MAX, PROTOCOL_VERSION
from netgame.protocol.log.entry import FRAME_HEADER_BYTES, read_frames
from netgame.protocol.text import fingerprint
from netgame.wire.codec import decode
from netgame.wire.messages import (
    Admit,
    Body,
    Close,
    Dismiss,
    JoinRequest,
    OpenTable,
    RecordEntry,
    RecordHeader,
)

_HEAD_BYTES_MAX: Final = FRAME_BYTES_MAX + 2 * FRAME_HEADER_BYTES
"""Enough of a record for its version and the offer of its table."""

PRACTICE_OFFERED_S: Final = 7 * 86_400.0
"""A player who has not come back to a game against bots for this long will hardly do so."""

SHORT_CHARS: Final = 8
"""The characters of a folder's name that people type: two of a hundred tables share them with a
chance of one in a million.
"""


class SavedGame(NamedTuple):
    """One game in a data folder, with what its notes and its record say about it."""

    number: int
    """The player's number for it; 0 without notes."""
    path: Path
    """Its folder."""
    since: float
    """The time when its player first sat down, in Unix time."""
    notes: TableNotes | None
    """None if they are damaged."""
    version: int = 0
    """The protocol version of its record; 0 if the record names none."""
    revision: int = 0
    """The revision of its rules; 0 if the record names none."""

    @property
    def is_of_other_version(self) -> bool:
        """True if the record names a protocol version that is not this program's."""
        return self.version not in (0, PROTOCOL_VERSION)

    @property
    def is_by_other_rules(self) -> bool:
        """True if its record has our protocol version, but names another revision of the rules."""
        return not self.is_of_other_version and self.revision not in (0, revision.RULES_REVISION)

    @property
    def called(self) -> str:
        """The name that a player uses for the game: its number, or its folder's `short_name`."""
        return str(self.number) if self.number else short_name(self.path)

    @property
    def is_practice(self) -> bool:
        """True if nobody on the network could come to the game; False if that is not known."""
        return self.notes is not None and self.notes.reach is not ReachedBy.NETWORK

    @property
    def is_seeded(self) -> bool:
        """True if the game was dealt from a seed, so it is a demonstration."""
        return self.notes is not None and self.notes.ended == "demonstration"

    @property
    def waits(self) -> bool:
        """True if this program can resume the game: by its notes it has begun and not ended.

        False for a record that names another protocol version or other rules than this program's.
        """
        begun = self.notes is not None and self.notes.begun and not self.notes.ended
        return begun and not (self.is_of_other_version or self.is_by_other_rules)


def short_name(folder: Path) -> str:
    """Return the first `SHORT_CHARS` characters of a table folder's name, which people type."""
    return folder.name[:SHORT_CHARS]


def kept_games(data: DataFolder) -> tuple[SavedGame, ...]:
    """Return all games that have begun, the last written first; other tables are left out.

    Games without a number are given the next ones, in the order in which their players sat down,
    and keep them if their notes can be written. Games with damaged notes are listed without a
    number.
    """
    found = [_read(path) for path in data.tables()]
    last = max((*_numbers_forgotten(data), *(each.number for each in found)), default=0)
    numbers = {}
    for each in sorted(found, key=lambda each: each.since):
        if not each.number and _has_begun(each):
            last += 1
            numbers[each.path] = last
            with suppress(DiskTrouble):
                note(each.path, number=last)
    games = (each._replace(number=numbers.get(each.path, each.number)) for each in found)
    return tuple(game for game in games if game.number or game.notes is None)


def offered_games(games: Iterable[SavedGame], now: float) -> tuple[SavedGame, ...]:
    """Return those of `games`, the latest first, to offer to a player who comes back.

    These are all games that wait, except that only the latest practice game is offered, and only
    for a week. The rest can be resumed by number. `now` is in Unix time.
    """
    waiting = [game for game in games if game.waits]
    practice = next((game for game in waiting if game.is_practice), None)
    if practice is not None and now - practice.since > PRACTICE_OFFERED_S:
        practice = None
    return tuple(game for game in waiting if not game.is_practice or game is practice)


def forget_game(game: SavedGame) -> None:
    """Delete everything kept of a game except its number, so that no other game gets that number.

    Raises `DiskTrouble` if it cannot be deleted, or a process is playing it.
    """
    clear_table(game.path, NOTES_FILE)
    replace_notes(game.path, TableNotes(number=game.number))


def name_sat_under(data: DataFolder, *, at_any: bool = False) -> str:
    """Return the player's name at the latest table where they sat with others; empty if none.

    Others know the player by that name, even if the settings have none. `at_any` includes practice
    tables, and tables that were only watched.
    """
    for path in data.tables():
        notes = readable_notes(path) or TableNotes()
        sat = notes.name in notes.players and notes.reach is ReachedBy.NETWORK
        if notes.name and (sat or at_any):
            return notes.name
    return ""


def waits_at(data: DataFolder, where: str | TableAd) -> bool:
    """Return True if one of the player's games waits at that table, as far as the files here tell.

    An advertisement names its table. For an address, it is any table of a host that last answered
    there. Raises `DiskTrouble`.
    """
    waiting = [game.path for game in kept_games(data) if game.waits]
    if isinstance(where, TableAd):
        return data.table_path(bytes.fromhex(where.table_id)) in waiting
    there = {peer.key for peer in KnownPeers(data.path).read() if peer.address == where}
    return any(key.hex() in there for path in waiting for key in _keys_at(path)[:1])


def announcers_in(data: DataFolder) -> Callable[[str], tuple[str, ...]]:
    """Return a function, for `browse`, that finds out which keys may announce a table.

    The function takes the table's id in hexadecimal, and returns the fingerprints of keys in its
    record: the host's, then one for each player who was given a seat in the lobby and kept it. It
    returns () for a table that is not kept.
    """
    return lambda table_id: tuple(
        map(fingerprint, _keys_at(data.table_path(bytes.fromhex(table_id))))
    )


def _keys_at(path: Path) -> tuple[bytes, ...]:
    """Return the host's key, then those of the players who kept a seat given in the lobby."""
    keys: list[bytes] = []
    for payload in _head(path / "record")[1:]:
        with suppress(NetgameError):
            match decode(decode(payload, RecordEntry).entry.body, Body).payload:
                case OpenTable(host):
                    keys.append(host)
                case Admit(request):
                    keys.append(decode(request, JoinRequest).key)
                case Dismiss(key) if key in keys[1:]:
                    keys.remove(key)
    return tuple(dict.fromkeys(keys))


def _numbers_forgotten(data: DataFolder) -> Iterator[int]:
    """Yield the numbers of games of which only the notes are kept."""
    for path in data.all_tables():
        if seen_at(path / "record") is None:
            yield (readable_notes(path) or TableNotes()).number


def _read(path: Path) -> SavedGame:
    notes, since = readable_notes(path), 0.0
    for name in ("record", "secret"):  # the secret is written once, when the player sits down
        if (seen := seen_at(path / name)) is not None:
            since = seen.changed
    number = 0 if notes is None else notes.number
    return SavedGame(number, path, since, notes, *_made_by(path / "record"))


def _made_by(record: Path) -> tuple[int, int]:
    """Return the protocol version and the rules revision that a record names.

    Each is 0 if the record does not name it; the revision is also 0 in a record of another version.
    """
    payloads = _head(record)
    version = revision = 0
    with suppress(NetgameError):
        version = decode(payloads[0], RecordHeader).version if payloads else 0
        if version == PROTOCOL_VERSION and len(payloads) > 1:
            opening = decode(decode(payloads[1], RecordEntry).entry.body, Body).payload
            revision = opening.settings.revision if isinstance(opening, OpenTable) else 0
    return version, revision


def _head(record: Path) -> tuple[bytes, ...]:
    """Return the payloads in the first `_HEAD_BYTES_MAX` octets of a record; () if unreadable."""
    with suppress(OSError, NetgameError):
        return read_frames(read_kept(record, _HEAD_BYTES_MAX))[0]
    return ()


def _has_begun(game: SavedGame) -> bool:
    """Return True if a game has begun by its notes or, without notes, by its record.

    Return False if the notes are damaged. A table that has just been opened has no notes yet, and
    an earlier version wrote none at all. A record that cannot be read counts as begun, so that the
    player hears of it.
    """
    if game.notes is None or seen_at(game.path / NOTES_FILE) is not None:
        return game.notes is not None and game.notes.begun
    record = game.path / "record"
    if not (payloads := _head(record)):
        seen = seen_at(record)
        return seen is not None and seen.octets > 0
    return game.is_of_other_version or any(map(_closes_the_lobby, payloads))


def _closes_the_lobby(payload: bytes) -> bool:
    with suppress(NetgameError):
        body = decode(decode(payload, RecordEntry).entry.body, Body)
        return isinstance(body.payload, Close)
    return False
