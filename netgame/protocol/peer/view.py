"""What the person at one seat may see of the table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.rules.spec import TableSpec
from engine.table.table import Hand, Table
from engine.table.trains import Seat
from netgame.protocol.log.fault import Fault
from netgame.wire.messages import Settings


class TableStage(Enum):
    """Where the game stands, as a person would say it."""

    LOBBY = "lobby"
    FORMING = "forming"
    DEALING = "dealing"
    PLAYING = "playing"
    OPENING = "opening"
    SCORING = "scoring"
    OVER = "over"
    HALTED = "halted"


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Who sits: name (clean, one word, unique at the table), key, and whether a link is up.

    Who has `left` for good keeps the seat's number and name.
    """

    name: str
    key: bytes
    fingerprint: str
    bot: bool
    connected: bool
    left: bool = False


@dataclass(frozen=True, slots=True)
class TableView:
    """A snapshot; `seats` in seat order, or in order of joining while in the lobby.

    `watchers` are the names of those without a seat who look on here, as far as they are linked;
    `announces` says that this computer is the one to announce the table.
    """

    stage: TableStage
    table_id: bytes
    settings: Settings | None
    spec: TableSpec | None
    table: Table | None
    seat: Seat | None
    hand: Hand | None
    seats: tuple[SeatInfo, ...]
    host_key: bytes
    is_host: bool
    seats_offered: int
    due: tuple[Seat, ...]
    due_kind: str
    head: bytes
    step: int
    fault: Fault | None
    deal_note: str
    can_move: bool
    watchers: tuple[str, ...] = ()
    announces: bool = False
