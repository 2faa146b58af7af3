"""What a person or bot at the table is told: codes and facts, whose sentences are in `cli.said`."""

from collections.abc import Iterable
from enum import Enum

from msgspec import Struct

from engine.table.events import Event
from engine.table.table import Table
from engine.table.trains import Seat
from engine.tiles import Tile
from netgame.protocol.log.fault import CheckCode
from netgame.protocol.seating import NoSeat


class LobbyChanged(Struct, frozen=True):
    """Somebody sat down or left, or the rules are now known."""


class WhyClosed(Enum):
    """Why there is nothing left to do at a table."""

    TOO_FEW = "too-few"
    BY_HOST = "by-host"
    HOST_GONE = "host-gone"
    ELSEWHERE = "elsewhere"
    """Another program signs with the key of this seat."""
    NO_SECRET = "no-secret"


class TableClosed(Struct, frozen=True):
    """This peer's part at the table is over, though its game is not."""

    why: WhyClosed


class GameStarted(Struct, frozen=True):
    """The roster is closed and the coin has named seats and first player."""


class DealPhase(Enum):
    """The stages in which a deck is made, by what is done then; DECK is due once for each seat."""

    KEY_COMMIT = "keys-committed"
    KEY_OPEN = "keys-opened"
    DECK = "mixed"
    PROOF = "proved"
    """All proofs are there, and are being checked."""
    CHECKED = "checked"
    READY = "ready"


class DealStage(Struct, frozen=True):
    """The deal moved on: stage `step` is done; `name` is who has mixed, if somebody has."""

    step: DealPhase
    name: str = ""


class Dealt(Struct, frozen=True):
    """This round's hand can be seen."""

    round_number: int


class Played(Struct, frozen=True):
    """A seat moved; `events` are what happened, in order."""

    seat: Seat
    events: tuple[Event, ...]


class YourTurn(Struct, frozen=True):
    """This seat must move."""


class MayCall(Struct, frozen=True):
    """Somebody has one tile left and has not said so: for `seconds` this seat may tap or catch."""

    seconds: float


class Reshuffled(Struct, frozen=True):
    """Tiles go back into the boneyard, which all now mix anew.

    `lead` is the seat that has turned up the highest tile, where that was what they were out for;
    where somebody has left, it is the tiles of these, by name, that go back.
    """

    lead: Seat | None
    left: tuple[str, ...] = ()


class SaidFarewell(Struct, frozen=True):
    """Somebody says that they leave for good; the log has yet to say so.

    Where some would go on without others, and fewer have to agree now, `needed` is how many, out of
    the `all` who have a say.
    """

    name: str
    needed: int = 0
    all: int = 0


class SeatsCame(Struct, frozen=True):
    """Somebody has sat down between two rounds; of these are `back` at a seat that they had.

    Those `raised` of them stood better than last place, and now have the scores of that.
    """

    names: tuple[str, ...]
    back: tuple[str, ...] = ()
    raised: tuple[str, ...] = ()


class SeatsLeft(Struct, frozen=True):
    """These have left for good, as has been decided; the table goes on without them."""

    names: tuple[str, ...]


class MovesUndone(Struct, frozen=True):
    """What was played last is void: those who go on had not all seen it.

    `only_draws`: of a turn in which nothing was played yet, such as is told with what comes of it.
    """

    only_draws: bool = False


class LaidOpen(Struct, frozen=True):
    """A finished round: its table, and what each seat still held, as it was laid open."""

    table: Table
    hands: tuple[tuple[Tile, ...], ...]


class RoundOver(Struct, frozen=True):
    """A round has been scored; `end` is how it lay, if it was dealt."""

    events: tuple[Event, ...]
    end: LaidOpen | None = None


class GameOver(Struct, frozen=True):
    """The game has been scored; its record is complete."""

    events: tuple[Event, ...]
    end: LaidOpen | None = None


class ChatHeard(Struct, frozen=True):
    """A line of talk, already clean."""

    name: str
    text: str


class LinkEnd(Enum):
    """Why a link is gone, as far as this end of it can know."""

    QUIT = "quit"
    """The other side has said that it ends the link: its program was closed."""
    LEFT = "left"
    """It had said farewell before."""
    BROKEN = "broken"
    """The link ended without a word: the program there stopped, or its computer or cable did."""
    SILENT = "silent"
    """Nothing came for `DROP_S`, though something was to come."""
    ENDED_HERE = "ended-here"
    """This side has ended it."""


class LinkChanged(Struct, frozen=True):
    """A member's link came up, or went down and how."""

    name: str
    up: bool
    end: LinkEnd | None = None


class Agreed(Struct, frozen=True):
    """These, and nobody else so far, would go on without each of those."""

    without: tuple[str, ...]
    by: tuple[str, ...]


def agreed_on(missed: Iterable[tuple[str, tuple[str, ...]]]) -> tuple[Agreed, ...]:
    """Put together those whom the same players miss; those whom most of them miss come first."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, by in missed:
        groups.setdefault(by, []).append(name)
    largest = sorted(groups.items(), key=lambda group: -len(group[0]))
    return tuple(Agreed(tuple(names), by) for by, names in largest)


class VoteCast(Struct, frozen=True):
    """Somebody votes to go on without others; `needed` must agree on each of them to let them go.

    `agreed` says who does so far: all named `without` stand in it once, beside those on whom just
    the same agree. `own`: it is you. `may_agree`: this seat could vote for the same, and has not.
    """

    name: str
    without: tuple[str, ...]
    needed: int
    own: bool
    may_agree: bool
    agreed: tuple[Agreed, ...]


class WatcherChanged(Struct, frozen=True):
    """Somebody without a seat looks on, or no longer does; clean name."""

    name: str
    watches: bool


class FellBehind(Struct, frozen=True):
    """The others have played on without this program: what is told until `CaughtUp` is over."""


class CaughtUp(Struct, frozen=True):
    """This program came when the game had begun, or was cut off, and now knows how it stands."""


class SeatLater(Struct, frozen=True):
    """The answer to a wish for a seat at a game that has begun; `granted` at the next round.

    Where this program reads the same in its own log, `watched` is the number of the round until
    which one watches, counted from 1, or `no_seat` why there is no seat. Whoever `returns` has had
    a seat in this game, and gets that one.
    """

    sentence: str
    granted: bool
    watched: int = 0
    no_seat: NoSeat | None = None
    returns: bool = False


class StandIn(Struct, frozen=True):
    """The host's computer is gone, and this one is to announce the table; or no longer."""

    up: bool


class Announcing(Struct, frozen=True):
    """This computer announces the table from now on, or no longer if that `ends`.

    `host` is who opened the table, empty if that is this seat itself; without a `code` the table
    is open to all.
    """

    host: str
    code: str
    ends: bool = False


class FaultFound(Struct, frozen=True):
    """A peer broke the protocol; `evidence` names the file that says so, and mostly proves it."""

    name: str
    check: str
    sentence: str
    evidence: str

    @property
    def is_hearsay(self) -> bool:
        """Whether only this computer knows: a wrong signature binds nobody."""
        return self.check == CheckCode.SIGNATURE.value


class SeatRefused(Struct, frozen=True):
    """The host did not let this peer sit down; `no_seat` is why, if its log says the same."""

    code: str
    sentence: str
    no_seat: NoSeat | None = None


class TroubleKind(Enum):
    """What went wrong; beside each the facts it comes with, in their order."""

    LINK_CLOSED = "link-closed"
    """Name, and what the other side did."""
    TABLE_UNFIT = "table-unfit"
    """The rules allow no table of those who sit here."""
    NOBODY_CALLED = "nobody-called"
    """The name of who should play first, and who does."""
    OTHER_COURSE = "other-course"
    """The others show another course of the game than this seat has signed."""
    LOST_END = "lost-end"
    """The record has lost what this seat has signed last."""
    DISK_FULL = "disk-full"
    """What the disk says."""
    DISK_ROOM = "disk-room"
    SEAT_PAUSED = "seat-paused"
    """What the disk says."""
    RECORD_DAMAGED = "record-damaged"
    """At which octet, and what is wrong there."""
    JOURNAL_DAMAGED = "journal-damaged"
    """At which octet, and what is wrong there."""
    POLLS_DOUBT = "polls-doubt"
    """Nobody here knows all that this seat has said of who goes on."""
    JOURNAL_DOUBT = "journal-doubt"
    """Nobody knows what this seat has signed last."""
    NOT_COPIED = "not-copied"
    """What the disk says of the copy, and where the record is."""
    WRONG_CODE = "wrong-code"
    """Where a wrong join code came from."""
    CODE_CHANGED = "code-changed"
    """Where wrong join codes came from, and the code that the table has now."""
    MOVE_REFUSED = "move-refused"
    """The code of the refusal: what chooses the moves of this seat has made a mistake."""
    OF_COMPUTER = "of-computer"
    """What this computer, its disk or its network says, as one sentence."""


class OtherRules(Struct, frozen=True):
    """The table found plays another `revision` of the rules than we do: this peer leaves it."""

    revision: int
    ours: int


class Trouble(Struct, frozen=True):
    """Something went wrong that a person should know; `of_bot`: at a bot of this computer."""

    kind: TroubleKind
    facts: tuple[str, ...] = ()
    of_bot: bool = False


Notice = (
    LobbyChanged | TableClosed | GameStarted | DealStage | Dealt | Played | YourTurn | MayCall
    | Reshuffled | SaidFarewell | SeatsCame | SeatsLeft | MovesUndone | RoundOver | GameOver
    | ChatHeard | LinkChanged | VoteCast | WatcherChanged | CaughtUp | FellBehind | SeatLater
    | StandIn | Announcing | FaultFound | SeatRefused | OtherRules | Trouble
)  # fmt: skip
