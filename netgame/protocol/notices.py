"""What a person or bot at the table is told."""

from __future__ import annotations

from dataclasses import dataclass

from engine.table.events import Event
from engine.table.trains import Seat
from netgame.protocol.log.fault import CheckCode


@dataclass(frozen=True, slots=True)
class LobbyChanged:
    """Somebody sat down or left, or the rules are now known."""


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The table is gone, before the game began."""

    reason: str


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The roster is closed and the coin has named seats and first player."""


@dataclass(frozen=True, slots=True)
class DealStage:
    """The deal moved on: `text` is a short phrase such as `mixed by Ann`."""

    text: str


@dataclass(frozen=True, slots=True)
class Dealt:
    """This round's hand can be seen."""

    round_number: int


@dataclass(frozen=True, slots=True)
class Played:
    """A seat moved; `events` are what happened, in order."""

    seat: Seat
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class YourTurn:
    """This seat must move."""


@dataclass(frozen=True, slots=True)
class MayCall:
    """Somebody has one tile left and has not said so: for `seconds` this seat may tap or catch."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Reshuffled:
    """Tiles go back into the boneyard, which all now mix anew.

    `lead` is the seat that has turned up the highest tile, where that was what they were out for.
    """

    lead: Seat | None


@dataclass(frozen=True, slots=True)
class SaidFarewell:
    """Somebody says that they leave for good; the log has yet to say so."""

    name: str


@dataclass(frozen=True, slots=True)
class SeatsCame:
    """Somebody has sat down between two rounds, or come back to a seat."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatsLeft:
    """These have left for good, as all others have signed; the table goes on without them."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundOver:
    """A round has been scored."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has been scored; its record is complete."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class ChatHeard:
    """A line of talk, already clean."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """A member's link came up or went down."""

    name: str
    up: bool


@dataclass(frozen=True, slots=True)
class WatcherChanged:
    """Somebody without a seat looks on, or no longer does; clean name."""

    name: str
    watches: bool


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """Who came when the game had begun now knows how it stands."""


@dataclass(frozen=True, slots=True)
class SeatLater:
    """What becomes of the wish for a seat at a game that has begun; `granted` at the next round."""

    sentence: str
    granted: bool


@dataclass(frozen=True, slots=True)
class StandIn:
    """The host's computer is gone, and this one is to announce the table; or no longer."""

    up: bool


@dataclass(frozen=True, slots=True)
class Announcing:
    """This computer announces the table from now on; empty `code`: no longer.

    `host` is who opened the table, empty if that is this seat itself; without a code then, the
    table is open to all.
    """

    host: str
    code: str


@dataclass(frozen=True, slots=True)
class FaultFound:
    """A peer broke the protocol; `evidence` names the file that says so, and mostly proves it."""

    name: str
    check: str
    sentence: str
    evidence: str

    @property
    def is_hearsay(self) -> bool:
        """Whether only this computer knows: a wrong signature binds nobody."""
        return self.check == CheckCode.SIGNATURE.value


@dataclass(frozen=True, slots=True)
class MoveRefused:
    """The host did not let this peer sit down."""

    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something went wrong that a person should know; one sentence."""

    sentence: str


Notice = (
    LobbyChanged
    | TableClosed
    | GameStarted
    | DealStage
    | Dealt
    | Played
    | YourTurn
    | MayCall
    | Reshuffled
    | SaidFarewell
    | SeatsCame
    | SeatsLeft
    | RoundOver
    | GameOver
    | ChatHeard
    | LinkChanged
    | WatcherChanged
    | CaughtUp
    | SeatLater
    | StandIn
    | Announcing
    | FaultFound
    | MoveRefused
    | Trouble
)
