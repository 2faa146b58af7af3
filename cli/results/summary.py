"""The summary of a game, from its record: players, rules, every score, the longest trains."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from cli.language import say
from engine.play.apply import apply
from engine.rules.spec import TableSpec
from engine.scoring import places, winners
from engine.table import events
from engine.table.rounds import round_winners
from engine.table.table import Table, absentees, scored_hubs
from engine.table.trains import Seat, TrainId
from engine.tiles import Tile
from netgame.protocol.ledger.record import BadRecord, Walked
from netgame.protocol.peer.view import SeatInfo, TableView
from netgame.protocol.state.phases import History, Member, Phase
from netgame.protocol.state.session import due
from netgame.protocol.state.state import State
from netgame.wire.messages import Settings

SUMMARY_VERSION: Final = 5


class Player(Struct, frozen=True):
    """One seat and its player; `key` is 64 hex digits."""

    name: str
    key: str
    bot: bool
    tab: bool = False
    """True if they played in a browser tab, by what their program said of itself."""


class Deeds(Struct, frozen=True):
    """One seat's deeds in the rounds that were scored; `drew` counts tiles."""

    out: int = 0
    """Rounds that it ended by going out."""
    drew: int = 0
    covered: int = 0
    """Doubles of other players that it covered."""
    doubles: int = 0
    """Doubles that it played."""
    marked: int = 0
    """Turns that it began with its marker up."""


class Summary(Struct, frozen=True):
    """The players, rules and results of a game, as its record tells them.

    Before a round is scored nobody leads or has a place, unless the game is `finished` because all
    but one have left it.
    """

    version: int
    octets: int
    """The size of the record."""
    preset: str
    switches: tuple[str, ...]
    pip_max: int
    rounds: int
    players: tuple[Player, ...]
    host: str
    scores: tuple[tuple[int, ...], ...] = ()
    """A row per round, a column per seat."""
    longest: tuple[tuple[int, ...], ...] = ()
    """Tiles on each seat's own train: a row per round, a column per seat."""
    hubs: tuple[int, ...] = ()
    """The pips of each round's engine."""
    winners: tuple[int, ...] = ()
    """The winning seats; while the game is not finished, the leading ones."""
    finished: bool = False
    turn: int = -1
    """The seat whose turn it is; -1 if it is nobody's."""
    game: str = ""
    """The game's name, the same in everybody's record of it."""
    places: tuple[int | None, ...] = ()
    """The places by seat, with the rules' own tie-breakers; None for a seat that has left."""
    deeds: tuple[Deeds, ...] = ()
    """The deeds of each seat."""
    absent: tuple[int, ...] = ()
    """For each round, the bit set of seats with points but no play; empty in old summaries."""
    won: tuple[tuple[int, ...], ...] = ()
    """For each round, the seats that won it; empty in old summaries."""

    def seat_of(self, key: str) -> int | None:
        """Return the seat with this key; None if nobody here has it."""
        return next((at for at, each in enumerate(self.players) if each.key == key), None)

    def rounds_of(self, seat: int) -> tuple[int, ...]:
        """Return the rounds, from 0, that a seat has played."""
        absent = enumerate(self.absent or (0,) * len(self.scores))
        return tuple(number for number, seats in absent if not seats >> seat & 1)

    @property
    def totals(self) -> tuple[int, ...]:
        """The total score by seat."""
        return tuple(
            sum(scores[seat] for scores in self.scores) for seat in range(len(self.players))
        )


class NeverBegan(BadRecord):
    """The error for a valid record of a table that was closed, or left, before its first deal."""


def summary_from(steps: Iterable[Walked], size: int) -> Summary:
    """Return the summary of a record of `size` octets, given its steps.

    Raise `NeverBegan` if the record contains no game, and any error that the steps raise.
    """
    state = State()
    longest: list[tuple[int, ...]] = []
    won: list[tuple[int, ...]] = []
    done = Counter[tuple[str, int]]()
    for step in steps:
        state = step.after
        before = step.before.table
        if state.table is not None and len(state.table.past) > len(longest):
            table = before or state.table
            trains = table.trains[: table.spec.seats]
            longest.append(tuple(len(train.lays) for train in trains))
            won.append(round_winners(state.table))
            done.update(_deeds(state.history))
    if state.spec is None:
        raise NeverBegan(say("the game never began"))
    authors = due(state).authors if state.phase is Phase.PLAY else ()
    members = state.seats or tuple(filter(None, map(state.member, state.company.now.keys)))
    words = Deeds.__struct_fields__
    return msgspec.structs.replace(
        _told(
            state.settings,
            state.spec,
            members,
            state.host,
            state.table_id,
            state.table,
            finished=state.phase is Phase.OVER,
        ),
        octets=size,
        longest=(*longest,),
        won=(*won,),
        turn=authors[0] if len(authors) == 1 else -1,
        deeds=tuple(Deeds(*(done[word, at] for word in words)) for at in range(len(members))),
    )


def _deeds(history: History) -> Iterator[tuple[str, int]]:
    """Yield each deed of a round, in order, as the field of `Deeds` that counts it and the seat."""
    owed: dict[tuple[TrainId, Tile], Seat] = {}
    for before, move in history:
        after, happened = apply(before, move)
        for event in happened:
            match event:
                case events.TileDrawn(seat):
                    yield "drew", seat
                case events.TileLaid(seat, tile) if tile.is_double:
                    yield "doubles", seat
                case events.DoubleOwed(train, tile, seat):
                    owed[train, tile] = seat
                case events.DoubleCovered(train, tile):
                    if owed.get((train, tile), move.seat) != move.seat:
                        yield "covered", move.seat
                case events.TurnBegan(seat) if after.trains[seat].marker:
                    yield "marked", seat
                case events.RoundEnded(_, seat) if seat is not None:
                    yield "out", seat
                case _:
                    pass


def summary_of_view(view: TableView) -> Summary:
    """Return the summary of a finished game, made from the table itself instead of its record.

    Its `longest`, `deeds` and `won` are empty, and `octets` is 0.
    """
    table, settings = view.table, view.settings
    assert table is not None, "a game that is over has its table"
    assert settings is not None, "and its rules"
    return _told(
        settings, table.spec, view.seats, view.host_key, view.table_id, table, finished=True
    )


def _told(
    settings: Settings,
    spec: TableSpec,
    members: Sequence[Member | SeatInfo],
    host: bytes,
    table_id: bytes,
    table: Table | None,
    *,
    finished: bool,
) -> Summary:
    # without a result all are equal, so nobody is ahead
    scored = table if table is not None and (table.past or finished) else None
    return Summary(
        SUMMARY_VERSION,
        0,
        settings.preset,
        settings.switches,
        spec.pip_max,
        spec.rounds,
        tuple(Player(each.name, each.key.hex(), each.bot, each.in_tab) for each in members),
        host.hex(),
        scores=scored.past if scored else (),
        hubs=tuple(int(hub.high) for hub in scored_hubs(scored)) if scored else (),
        winners=tuple(winners(scored)) if scored else (),
        finished=finished,
        game=table_id.hex(),
        places=places(scored) if scored else (),
        absent=absentees(scored) if scored else (),
    )
