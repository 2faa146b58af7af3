"""A record deal by deal: the moves that count, and who left or came.

A log says at which step a seat was given up. Notation has two cases, which this module tells apart:
a seat leaves in the middle of a deal, as one of its lines, or between two deals, in the header of
the second. [docs/rules.md §7.11, §7.12, §11]
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from engine.play.calls import call_step
from engine.table.events import Caught, Tapped
from engine.table.moves import Call, Catch, DrawTile, Move, Tap
from engine.table.rounds import deal_hands
from engine.table.table import Ending, RoundPhase, Table
from engine.tiles import Tile
from netgame.protocol.ledger.record import Walked
from netgame.protocol.notices import Notice, Played
from netgame.protocol.state.phases import Before, History, Phase, Rebuilt
from netgame.protocol.state.state import State


class Change(NamedTuple):
    """Seats that leave between two deals or, if `joins`, sit down for the second."""

    joins: bool
    seats: tuple[int, ...]


class Departure(Struct, frozen=True):
    """Seats that leave at one moment in the middle of a deal."""

    at: int
    """The number of moves made in the deal before they left."""
    seats: tuple[int, ...]
    redeal: bool = False
    """True if the deal is given up because they left, and dealt again."""


class WrittenDeal(Struct, frozen=True):
    """One deal that was scored or given up."""

    changes: tuple[Change, ...]
    """The seats that left or came before the deal."""
    began: Table
    """The table as it was dealt."""
    history: History
    """The moves since the deal, each with the table before it."""
    tiles: Mapping[int, Tile]
    """The tiles of all positions that were ever opened."""
    departures: tuple[Departure, ...]
    ended: Table

    @property
    def voided(self) -> bool:
        """True if the deal was given up."""
        return bool(self.departures) and self.departures[-1].redeal

    @property
    def hidden(self) -> frozenset[int]:
        """The seats that never opened their last hands.

        All seats if the deal was given up, else the seats that left in the middle of it.
        """
        if self.voided:
            return frozenset(range(self.began.spec.seats))
        return frozenset(seat for each in self.departures for seat in each.seats)


class DealHistory(Struct):
    """The deals in the part of a record that has been read so far."""

    seats: int = 0
    """The number of seats that the game began with."""
    deals: list[WrittenDeal] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    """The seats that have left or come since the last deal."""
    _before_guests: list[Change] = field(default_factory=list)
    _departures: list[Departure] = field(default_factory=list)
    _moves: list[tuple[Table, Move]] = field(default_factory=list)
    _known_moves: int = 0
    _began: Table | None = None
    _opening: tuple[Change, ...] = ()

    def take(self, step: Walked) -> None:
        """Take in the next entry of the record; ignore one that does not change the state."""
        before, after = step.before, step.after
        if after is before:
            return
        self._take_moves(before, after, step.notices)
        self.seats = self.seats or len(after.seats)
        if before.seats:
            self._take_seats(before, after)
        self._take_deal(before, after)

    def left_alone(self, state: State) -> Table | None:
        """Return the last table if the game ended because all seats but one left.

        They left after the last deal, or the deal was given up as they left. None if the game goes
        on, or ended for another reason.
        """
        table = state.table
        if table is None or table.phase is not RoundPhase.FINISHED:
            return None
        is_unsaid = bool(self.changes) or (bool(self.deals) and self.deals[-1].voided)
        return table if is_unsaid and len(state.present) == 1 else None

    # ---- who leaves and who comes ----

    def _take_seats(self, before: State, after: State) -> None:
        forming, came = before.before, None if after.before is before.before else after.before
        base: State | Before = came or after
        origin: State | Before = before
        is_seated = after.session != before.session  # the coin has just decided the seats
        if forming is not None and after.before is not forming and not is_seated:
            # Newcomers that were lost before they signed never had a seat.
            origin, self.changes = forming, [*self._before_guests]
        left = tuple(sorted(base.gone - origin.gone))
        if left and (origin is forming or _is_between(before.table)):
            self.changes.append(Change(joins=False, seats=left))
        elif left and before.table is not None and not any(before.table.hands):
            self._take_leavers_of_draw(before.table, left)
        elif left:
            self._take_leavers(before, after, left)
        if came is not None:
            self._before_guests = [*self.changes]
            here = tuple(seat for seat in after.present if seat not in base.present)
            if here:  # else the table forms again because somebody gets a vote
                self.changes.append(Change(joins=True, seats=here))

    def _take_leavers(self, before: State, after: State, seats: tuple[int, ...]) -> None:
        """Note seats that leave in mid-deal, or while the deck is rebuilt without other seats."""
        if isinstance(before.now, Rebuilt):
            last = self._departures[-1]
            self._departures[-1] = replace(last, seats=(*last.seats, *seats))
            return
        if _ending(after) is not Ending.VOID and _is_penalty_lost(before):
            # The tiles drawn for a catch can no longer be opened, so nobody was caught.
            while self._moves and isinstance(self._moves[-1][1], Catch):
                self._moves.pop()
        self._departures.append(Departure(len(self._moves), seats))

    def _take_leavers_of_draw(self, table: Table, seats: tuple[int, ...]) -> None:
        """Note seats that leave while tiles are turned up for the first turn.

        They forfeit their hands. Notation has no such tiles, so the deal is written as if unknown
        hands had just been dealt.
        """
        dealt, given_up = deal_hands(table), (Departure(0, seats, redeal=True),)
        self.deals.append(
            WrittenDeal(
                changes=tuple(self.changes),
                began=dealt,
                history=(),
                tiles={},
                departures=given_up,
                ended=dealt,
            )
        )
        self.changes = []

    # ---- moves ----

    def _take_moves(self, before: State, after: State, notices: Sequence[Notice]) -> None:
        """Add the new moves, including calls, which are not part of any seat's turn.

        A draw that can no longer be opened because somebody has left counts as not made.
        """
        known, now = self._known_moves, len(after.history)
        self._known_moves = now
        if self._began is None:
            return
        if now < known:
            del self._moves[now - known :]
        self._moves += after.history[known:]
        if before.phase is Phase.CALLS and before.table is not None:
            self._moves += _calls(before.table, notices)

    # ---- deals ----

    def _take_deal(self, before: State, after: State) -> None:
        table = after.table
        if table is None:
            return
        if self._began is None and table.outcome is None and any(table.hands):
            self._began, self._opening = table, tuple(self.changes)
            self.changes, self._moves = [], []
        if self._began is None:
            return
        ended = _ending(before) is None and _ending(after) is not None
        if before.table is not None and len(before.table.past) < len(table.past):
            self._close(after, table)
        elif ended and _ending(after) is Ending.VOID:
            self._departures[-1] = replace(self._departures[-1], redeal=True)
            assert before.table is not None
            self._close(before, before.table)
        elif ended and _ending(after) is Ending.REDEAL:
            self.changes = [*self._opening, *self.changes]
            self._began, self._departures = None, []

    def _close(self, state: State, ended: Table) -> None:
        assert self._began is not None
        assert state.deck is not None
        self.deals.append(
            WrittenDeal(
                changes=self._opening,
                began=self._began,
                history=tuple(self._moves),
                tiles={int(position): tile for position, tile in state.deck.tiles.items()},
                departures=tuple(self._departures),
                ended=ended,
            )
        )
        self._began, self._departures = None, []


def _ending(state: State) -> Ending | None:
    outcome = None if state.table is None else state.table.outcome
    return None if outcome is None else outcome.ending


def _is_between(table: Table | None) -> bool:
    """Return True if no round is in play: no deal yet, or the last one scored."""
    return table is None or table.phase in (RoundPhase.SCORED, RoundPhase.FINISHED)


def _calls(table: Table, notices: Sequence[Notice]) -> Iterator[tuple[Table, Move]]:
    """Yield the simultaneous calls that counted, each with the table before it."""
    call: Call
    for event in (event for each in notices if isinstance(each, Played) for event in each.events):
        match event:
            case Tapped():
                call = Tap(event.seat)
            case Caught():
                call = Catch(event.by, event.seat)
            case _:
                continue
        yield table, call
        table, _ = call_step(table, call)


def _is_penalty_lost(state: State) -> bool:
    """Return True if a caught seat's penalty tiles lack shares, and so count as not drawn."""
    table, deck = state.table, state.deck
    if table is None or deck is None or not state.history:
        return False
    blind = any(position not in deck.residuals for held in table.hands for position in held)
    return blind and not isinstance(state.history[-1][1], DrawTile)
