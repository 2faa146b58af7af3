"""The state of a table: everything that the log says so far, the same on every peer.

Facts that always exist are fields of `State`. Facts of one phase alone are in that phase's value,
`State.now`; the properties `table`, `deck`, `deal` and others read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias, TypeVar

from msgspec.structs import replace

from engine.rules.spec import TableSpec
from engine.table.table import Table
from netgame.frozen import FrozenStruct
from netgame.protocol.epochs.company import Company
from netgame.protocol.log.entry import GENESIS, Entries, payload_as
from netgame.protocol.notices import Notice
from netgame.protocol.state import phases
from netgame.protocol.state.deck import NO_DECK, Deal, RoundDeck
from netgame.protocol.state.options import USUAL, Options
from netgame.wire.messages import CHAIR, Settings
from netgame.wire.statements import seats_in

P = TypeVar("P")

NOTHING_OFFERED: Final = Settings("", (), 0, 0, 0, 0)
"""Takes the place of the host's offer before step 0."""


class State(FrozenStruct):
    """All that is known from the log."""

    now: phases.Now = phases.UNOPENED
    """The facts of the present phase alone."""
    step: int = 0
    """The step that is due."""
    head: bytes = GENESIS
    """The digest of the step before."""
    table_id: bytes = b""
    host: bytes = b""
    settings: Settings = NOTHING_OFFERED
    options: Options = USUAL
    members: tuple[phases.Member, ...] = ()
    """All who were admitted and not dismissed."""
    company: Company = Company.of_table(b"")
    """The seats of each epoch, and the ids that entries carry."""
    seats: tuple[phases.Member, ...] = ()
    """The members of the company by seat, once the first session has begun."""
    seating_since: int = 0
    """Requests for the next seats are good from this step on."""
    late: phases.Late | None = None
    """A fault that only the last step as a whole shows."""

    def at(self, now: phases.Now) -> State:
        """Return the same state in another phase."""
        return replace(self, now=now)

    @property
    def phase(self) -> phases.Phase:
        """The kind of step that is due."""
        return phases.PHASE_OF[type(self.now)]

    @property
    def round(self) -> phases.Round | None:
        """The round in play, or the one whose hands or keys are being opened, with its deck.

        None in the lobby, while a table forms, waits for a deal or signs scores, and at the end.
        """
        return self.now.round if isinstance(self.now, phases.InRound) else None

    @property
    def _standing(self) -> phases.Round | None:
        match self.now:
            case phases.InRound(standing) | phases.Scoring(standing) | phases.Over(standing):
                return standing
            case phases.Dealing(phases.Round() as standing):
                return standing
            case phases.Forming(phases.NewSeats(standing)):
                return standing
        return None

    @property
    def table(self) -> Table | None:
        """The table in play, or as the last round left it; None before the first deal is done.

        If seats leave during the first deal, that counts as a round that was called off, and there
        is a table. None also if the game is over before its first deal.
        """
        standing = self._standing
        return None if standing is None else standing.table

    @property
    def deck(self) -> RoundDeck | None:
        """The deck of the round in play, or of the last one; None until a first deal is done."""
        standing = self._standing
        return None if standing is None or standing.deck is NO_DECK else standing.deck

    @property
    def history(self) -> phases.History:
        """The moves of the round in play or of the last one; empty before the first round.

        Steps in which all may call are left out.
        """
        standing = self._standing
        return () if standing is None else standing.history

    @property
    def spec(self) -> TableSpec | None:
        """The rules and the size of the table, which counts all seats given so far.

        None in the lobby, and if the game is over before its first deal.
        """
        match self.now:
            case phases.Dealing(phases.FirstDeal(spec)) | phases.Forming(phases.FirstTable(spec)):
                return spec
        return None if self.table is None else self.table.spec

    @property
    def deal(self) -> Deal | None:
        """The deal in the making, or made and not yet in play; None if there is none.

        It may be the deal of the next round, or a new chain for the round in play.
        """
        match self.now:
            case phases.Dealing() | phases.WithDeal():
                return self.now.deal
            case phases.InRound(standing) | phases.Scoring(standing):
                return standing.following
        return None

    @property
    def log_id(self) -> bytes:
        """The id of the epoch, which every entry of the due step contains."""
        return self.company.now.id

    @property
    def gone(self) -> frozenset[int]:
        """The seats that have left for good."""
        return self.company.now.gone

    @property
    def newcomers(self) -> frozenset[int]:
        """The seats given to latecomers since the last coin; empty unless the table forms again."""
        return self.company.newcomers(self.log_id)

    @property
    def guests(self) -> frozenset[int]:
        """The seats that are present and have no vote yet."""
        return self.company.now.guests

    @property
    def before(self) -> phases.Before | None:
        """The table as it was before the newcomers sat down, while it forms again; else None."""
        match self.now:
            case phases.Forming(phases.NewSeats() as new):
                return new.before
        return None

    @property
    def present(self) -> tuple[int, ...]:
        """The seats that have not left for good, in order; empty in the lobby.

        Before the first coin has given seats, these are places in the roster.
        """
        return self.company.now.present

    @property
    def chair(self) -> int | None:
        """The seat that chairs the table; None in the lobby.

        It is the host's seat, if the host sits here and has not left for good, else the lowest seat
        that has a vote. Numbers are as in `seat_of`.
        """
        host = self.seat_of(self.host)
        return host if host in self.present else next(iter(seats_in(self.company.now.voters)), None)

    def author_key(self, step: int, author: int) -> bytes | None:
        """Return the key that must sign the slot (step, author); None if no key is known for it.

        A seat keeps its key when it leaves. In the lobby only `CHAIR` has a key: the host's, empty
        before step 0. Once the game is over, the due step and later steps have no keys.
        """
        if self.phase is phases.Phase.OVER and step >= self.step:
            return None
        keys = self.company.at(step).keys
        if not keys:
            return self.host if author == CHAIR else None
        return keys[author] if author < len(keys) else None

    @property
    def session(self) -> bytes:
        """The id of the session that the last coin began; before the first, the id of the table."""
        return self.company.now.session

    def seat_of(self, key: bytes) -> int | None:
        """Return the seat of a key, or None if it has none.

        Before the first coin has given seats, this is the key's place in the roster.
        """
        return self.company.now.seat_of(key)

    def name_of(self, seat: int) -> str:
        """Return the name of the member at `seat`, which is numbered as in `seat_of`.

        It is "somebody" if no member has the seat's key any more. Raises IndexError if there is no
        such seat.
        """
        if self.seats:
            return self.seats[seat].name
        member = self.member(self.company.now.keys[seat])
        return member.name if member else "somebody"

    def names_of(self, seats: Iterable[int]) -> tuple[str, ...]:
        """Return the names of the members at these seats, in the given order.

        Raises IndexError if there is no such seat.
        """
        return tuple(map(self.name_of, seats))

    def member(self, key: bytes) -> phases.Member | None:
        """Return the member with this key, or None if there is none."""
        for member in self.members:  # asked for at every frame
            if member.key == key:
                return member
        return None


def by_seat(
    state: State, entries: Entries, kind: type[P], value: Callable[[P], bytes]
) -> tuple[bytes, ...]:
    """Return one octet string for each seat, taken from its payload in `entries`, in seat order.

    `value` returns the octets for a payload; a seat without one has b"". Raises AssertionError if a
    payload is not of `kind`.
    """
    given = {entry.seat: value(payload_as(entry, kind)) for entry in entries}
    return tuple(given.get(seat, b"") for seat in range(len(state.company.now.keys)))


Completed: TypeAlias = tuple[State, tuple[Notice, ...]]
"""The state after a done step, and the notices to give."""
