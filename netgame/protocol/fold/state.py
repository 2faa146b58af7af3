"""The fold's value: all that the log says so far, the same on every peer.

    LOBBY -> ROSTER -> COIN_COMMIT -> COIN_REVEAL -> DEAL -> SHARES -> PLAY <-> DRAWN, CALLS
                                                      ^ ^                |
                                                      | '-- HAND_OVER <--+--> OPENING_COMMIT
                                                      '- AUDIT <- SCORE <- OPEN
                                                           |-> OVER
    somebody sits down between two rounds:                 '-> ROSTER
    hidden draws, after a turn:             PLAY -> MIX_HAND -> PLAY
    a seat has left in play:       PLAY -> REBUILD -> DEAL -> BLIND -> UNBLIND -> PLAY

In PLAY, `interlude` says that the step now due is a stage of the next round's deal. In DEAL, with
a table that waits for a reshuffle, the deck in the making is the new boneyard of this round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from engine.rules.spec import TableSpec
from engine.table.events import Event
from engine.table.moves import Move
from engine.table.table import Table
from engine.table.trains import Position
from engine.tiles import Tile
from netgame.crypto.masking import Masked
from netgame.protocol.log.entry import GENESIS
from netgame.protocol.log.fault import Finding
from netgame.protocol.notices import Notice
from netgame.wire.messages import CHAIR, Admit, Payload, Settings


class Phase(Enum):
    """Which kind of step is due."""

    LOBBY = "lobby"
    ROSTER = "roster"
    COIN_COMMIT = "coin-commit"
    COIN_REVEAL = "coin-reveal"
    DEAL = "deal"
    SHARES = "shares"
    PLAY = "play"
    DRAWN = "drawn"
    CALLS = "calls"
    OPENING_COMMIT = "opening-commit"
    HAND_OVER = "hand-over"
    MIX_HAND = "mix-hand"
    REBUILD = "rebuild"
    BLIND = "blind"
    UNBLIND = "unblind"
    OPEN = "open"
    SCORE = "score"
    AUDIT = "audit"
    OVER = "over"


class DealPhase(Enum):
    """How far the making of a deck has come; DECK is due once for each seat."""

    KEY_COMMIT = "key-commit"
    KEY_OPEN = "key-open"
    DECK = "deck"
    PROOF = "proof"
    CHECKED = "checked"
    READY = "ready"


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody who sits: identity key, cleaned name, where it listens, whether it is a bot."""

    key: bytes
    name: str
    addresses: tuple[str, ...]
    bot: bool


@dataclass(frozen=True, slots=True)
class Deal:
    """A deck in the making for `round_number`, and when made, its keys and chain.

    `born` is the step at which it began. Keys and seeds are derived from `commit_contexts`, where
    the keys were committed to: a second deal of one round has its own, a new chain of a round has
    not. `authors` are the seats that make it, in seat order; `commitments`, `seeds` and
    `keys` are by seat, empty for seats that do not.
    """

    round_number: int
    authors: tuple[int, ...]
    born: int
    decks: tuple[tuple[Masked, ...], ...]
    phase: DealPhase = DealPhase.KEY_COMMIT
    commit_contexts: tuple[bytes, ...] = ()
    commitments: tuple[bytes, ...] = ()
    seeds: tuple[bytes, ...] = ()
    keys: tuple[bytes, ...] = ()
    joint: bytes = b""
    deck_contexts: tuple[bytes, ...] = ()
    proof_step: int = -1


class Chain(NamedTuple):
    """A chain of shuffles that was proved.

    Its decks, whose link each is and what it was bound to, and the position of the first tile of
    the last deck.
    """

    first: int
    authors: tuple[int, ...]
    decks: tuple[tuple[Masked, ...], ...]
    contexts: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class RoundDeck:
    """The deck in play: its keys, what each seat can still open, and what is open.

    `masked` has the ciphertext of every position that came out of a chain and is not dead; the
    positions of the next chain count on from `next_position`. `residuals` has, for every position
    somebody was dealt, drew or looked at, the ciphertext less all shares but that seat's;
    `keepers` says whose share is left where the position is in no hand; `tiles` what positions
    turned out to be. `settled` are positions of which nobody can tell when they came to a hand:
    dealt together, or mixed by their owner, as `mixed` says by seat. `chains`, and what the keys
    were committed in, are kept for the audit.
    """

    keys: tuple[bytes, ...]
    joint: bytes
    born: int
    chains: tuple[Chain, ...]
    commit_contexts: tuple[bytes, ...]
    seeds: tuple[bytes, ...]
    masked: Mapping[Position, Masked]
    next_position: int
    residuals: Mapping[Position, Masked]
    keepers: Mapping[Position, int]
    tiles: Mapping[Position, Tile]
    settled: frozenset[Position] = frozenset()
    mixed: tuple[tuple[int, tuple[Position, ...]], ...] = ()


class Sealed(NamedTuple):
    """The openings that all seats committed to, in seat order, and what they were bound to."""

    contexts: tuple[bytes, ...]
    commitments: tuple[bytes, ...]
    boxes: tuple[bytes, ...]


class Due(NamedTuple):
    """Whom the fold waits for, and what they may write."""

    authors: tuple[int, ...]
    kinds: tuple[type[Payload], ...]


@dataclass(frozen=True, slots=True)
class State:
    """All that is known from the log; see the module for how `phase` moves.

    `log_id` is the id that entries of the due step carry; `sessions` are all session ids, each with
    its first step. `chosen` is the key of who plays first, where the table chose that. `coin_head`
    is the head after which the coin was committed to. `formed` is the step at which the roster was
    last to be signed, `coming` the requests of who sits down when the round is done. `admitted`
    says at which step the host has last admitted each key,
    `seating_since` from which step on requests for the next seats are good.

    While the table forms again, `newcomers` are the seats that the last scores have given, and
    `before` is the state without them: a newcomer that is lost then never had a seat. `former` has
    the keys of the seats of such a time: its first step, the step after its last, and the keys.
    `sat_down` says of each key that came late, or came back, at which step its roster was due.
    """

    phase: Phase = Phase.LOBBY
    step: int = 0
    head: bytes = GENESIS
    table_id: bytes = b""
    log_id: bytes = b""
    host: bytes = b""
    settings: Settings | None = None
    members: tuple[Member, ...] = ()
    chosen: bytes = b""
    roster_step: int = -1
    formed: int = 0
    roster: tuple[bytes, ...] = ()
    commitments: tuple[bytes, ...] = ()
    commit_digest: bytes = b""
    coin_head: bytes = b""
    seats_step: int = -1
    sessions: tuple[tuple[int, bytes], ...] = ()
    seats: tuple[Member, ...] = ()
    gone: frozenset[int] = frozenset()
    spec: TableSpec | None = None
    first: int = 0
    deal: Deal | None = None
    interlude: bool = False
    table: Table | None = None
    deck: RoundDeck | None = None
    history: tuple[tuple[Table, Move], ...] = ()
    sealed: Sealed | None = None
    blinded: tuple[Masked, ...] | None = None
    late: tuple[int, Finding] | None = None
    scored: tuple[Event, ...] = ()
    coming: tuple[Admit, ...] = ()
    admitted: tuple[tuple[bytes, int], ...] = ()
    seating_since: int = 0
    newcomers: frozenset[int] = frozenset()
    before: State | None = None
    former: tuple[tuple[int, int, tuple[bytes, ...]], ...] = ()
    sat_down: tuple[tuple[bytes, int], ...] = ()

    @property
    def present(self) -> tuple[int, ...]:
        """The seats that have not left for good, in seat order; members before there are seats."""
        everybody = range(len(self.seats or self.roster))
        return tuple(seat for seat in everybody if seat not in self.gone)

    @property
    def chair(self) -> int | None:
        """The seat that chairs the table, as the log alone says; None in the lobby.

        Numbers as in `seat_of`. The host's while that sits here and has not left for good, else the
        first that is there.
        """
        host = self.seat_of(self.host)
        return host if host in self.present else next(iter(self.present), None)

    def author_key(self, step: int, author: int) -> bytes | None:
        """Whose key signs the slot (step, author), as far as is known now; nobody's at the end."""
        if self.phase is Phase.OVER and step >= self.step:
            return None
        if self.roster_step < 0 or step < self.roster_step:
            return self.host if author == CHAIR else None
        if self.seats_step < 0 or step < self.seats_step:
            return self.roster[author] if author < len(self.roster) else None
        then = next((keys for first, end, keys in self.former if first <= step < end), None)
        keys = tuple(member.key for member in self.seats) if then is None else then
        return keys[author] if author < len(keys) else None

    def log_id_at(self, step: int) -> bytes:
        """Table id before the coin has fallen, from then on the session id of that time."""
        begun = (sid for first, sid in reversed(self.sessions) if first <= step)
        return next(begun, self.table_id)

    def seat_of(self, key: bytes) -> int | None:
        """The number of who sits under this key, or, before there are seats, its roster place."""
        if self.seats:
            for seat, member in enumerate(self.seats):  # asked for at every frame
                if member.key == key:
                    return seat
            return None
        return self.roster.index(key) if key in self.roster else None

    def name_of(self, seat: int) -> str:
        """What who sits there is called; `seat` as in `seat_of`."""
        if self.seats:
            return self.seats[seat].name
        member = self.member(self.roster[seat])
        return member.name if member else "somebody"

    def member(self, key: bytes) -> Member | None:
        """Who sits under this key."""
        for member in self.members:  # asked for at every frame
            if member.key == key:
                return member
        return None


Completed: TypeAlias = "tuple[State, tuple[Notice, ...]]"
"""What a done step comes to: the next state, and what is told of it."""
