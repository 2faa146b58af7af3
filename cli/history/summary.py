"""What one record tells of its game: who played by which rules, every score, the longest trains.

A record takes a second to fold, so what it told is kept beside it until it grows.
"""

import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from cli.language import say
from engine.scoring import places, winners
from engine.table.table import scored_hubs
from netgame.crypto.batch import Batch
from netgame.errors import DiskTrouble
from netgame.io.disk.files import open_file, replace_file
from netgame.io.disk.record_file import read_record
from netgame.protocol.fold.phases import Phase
from netgame.protocol.fold.session import due
from netgame.protocol.fold.state import State
from netgame.protocol.ledger.hurry import in_a_hurry
from netgame.protocol.ledger.record import BadRecord, MadeOtherwise, Walked, walk

_FILE: Final = "summary.json"
_BYTES_MAX: Final = 262_144
"""A game of 14 seats and 19 rounds takes 6 kB."""
_VERSION: Final = 2


class Player(Struct, frozen=True):
    """One seat and its player; `key` is 64 hex digits."""

    name: str
    key: str
    bot: bool


class Summary(Struct, frozen=True):
    """All that a record of so many `octets` tells.

    `game` names the game, the same in everybody's record of it. `scores` and `longest`, the
    tiles on each seat's own train, have a row a round and a column a seat; `hubs` are the pips
    of the engines. `winners` are seats, who lead while the game is not `finished`; `turn` is
    the seat whose turn it is, -1 for nobody's. `places` are those of the seats so far, by the
    rules' own tie-breakers; None for a seat that has left.
    """

    version: int
    octets: int
    preset: str
    switches: tuple[str, ...]
    pip_max: int
    rounds: int
    players: tuple[Player, ...]
    host: str
    scores: tuple[tuple[int, ...], ...] = ()
    longest: tuple[tuple[int, ...], ...] = ()
    hubs: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    finished: bool = False
    turn: int = -1
    game: str = ""
    places: tuple[int | None, ...] = ()

    def seat_of(self, key: str) -> int | None:
        """Return the seat of who holds this key."""
        return next((at for at, each in enumerate(self.players) if each.key == key), None)

    @property
    def totals(self) -> tuple[int, ...]:
        """The total score by seat."""
        return tuple(
            sum(scores[seat] for scores in self.scores) for seat in range(len(self.players))
        )


def summary_of(folder: Path) -> Summary:
    """Return what a table's record tells; raises `BadRecord` or `DiskTrouble`."""
    octets = read_record(folder / "record")
    kept = _kept(folder / _FILE)
    if kept is not None and kept.octets == len(octets):
        return kept
    summary = summary_of_record(octets)
    with suppress(DiskTrouble):
        replace_file(folder / _FILE, msgspec.json.encode(summary))
    return summary


def summary_beside(record: Path, octets: bytes) -> Summary:
    """Return what a record tells, or what one of another Boneyard told before; raises `BadRecord`.

    The program that wrote such a record may have noted what it told.
    """
    try:
        return summary_of_record(octets)
    except MadeOtherwise:
        kept = _kept(record.parent / _FILE)
        if kept is None or kept.octets != len(octets):
            raise
        return kept


def _kept(path: Path) -> Summary | None:
    try:
        with open_file(path) as file:
            kept = msgspec.json.decode(file.read(_BYTES_MAX), type=Summary)
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError):
        return None
    return kept if kept.version == _VERSION else None


def summary_of_record(octets: bytes) -> Summary:
    """Fold a record; raises `BadRecord` where it does not hold, proofs included."""
    batch = Batch(secrets.token_bytes)
    return in_a_hurry(lambda by: _folded(walk(octets, by), len(octets)), batch)


def _folded(steps: Iterable[Walked], size: int) -> Summary:
    state = State()
    longest: list[tuple[int, ...]] = []
    for step in steps:
        state = step.after
        before = step.before.table
        if state.table is not None and len(state.table.past) > len(longest):
            table = before or state.table
            trains = table.trains[: table.spec.seats]
            longest.append(tuple(len(train.lays) for train in trains))
    if state.spec is None:
        raise BadRecord(say("the game never began"))
    return _told(state, size, (*longest,))


def _told(state: State, octets: int, longest: tuple[tuple[int, ...], ...]) -> Summary:
    table, spec = state.table, state.spec
    assert spec is not None, "a game that has begun has its rules"
    members = state.seats or tuple(filter(None, map(state.member, state.company.now.keys)))
    told = Summary(
        _VERSION,
        octets,
        state.settings.preset,
        state.settings.switches,
        spec.pip_max,
        spec.rounds,
        tuple(Player(each.name, each.key.hex(), each.bot) for each in members),
        state.host.hex(),
        game=state.table_id.hex(),
    )
    if table is None:
        return told
    authors = due(state).authors if state.phase is Phase.PLAY else ()
    return msgspec.structs.replace(
        told,
        scores=table.past,
        longest=longest,
        hubs=tuple(int(hub.high) for hub in scored_hubs(table)),
        winners=tuple(winners(table)) if table.past else (),
        places=places(table) if table.past else (),
        finished=state.phase is Phase.OVER,
        turn=authors[0] if len(authors) == 1 else -1,
    )
