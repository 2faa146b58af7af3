"""Notices for the person or bot at a table: codes and facts; `cli.wording` has the sentences."""

from enum import Enum
from typing import Final

from engine.table.events import Event
from engine.table.table import Table
from engine.table.trains import Seat
from engine.tiles import Tile
from netgame.frozen import FrozenStruct
from netgame.protocol.agreement import Agreed as Agreed
from netgame.protocol.seating import NoSeat, SeatAsked, StrangersLead, VoteWithheld
from netgame.saying import Saying


class LobbyChanged(FrozenStruct):
    """The lobby has changed: somebody came or left, its rules became known, or it closed.

    It is also given when somebody leaves while the roster is signed or the coin thrown, and when
    our log of a lobby has caught up with the others' logs.
    """


class WhyClosed(Enum):
    """The reasons why this peer has nothing left to do at a table.

    The two about the host occur only before the start.
    """

    TOO_FEW = "too-few"
    """Somebody left before the coin had fallen, and the rules allow no table of the others."""
    BY_HOST = "by-host"
    HOST_GONE = "host-gone"
    ELSEWHERE = "elsewhere"
    """Another program signs with the key of this seat."""
    NO_SECRET = "no-secret"
    """This seat's secret is lost."""


class TableClosed(FrozenStruct):
    """This peer has nothing left to do at the table, though it has not seen the game end."""

    why: WhyClosed


class GameStarted(FrozenStruct):
    """The game begins: seats and first player are known, and the first deal is due."""


class DealPhase(Enum):
    """The stages in which a deck is made, named by what is done; DECK is due once for each seat.

    `READY` is not a stage: the deck is made, and nothing more is due.
    """

    KEY_COMMIT = "keys-committed"
    KEY_OPEN = "keys-opened"
    DECK = "mixed"
    PROOF = "proved"
    """All proofs are there, and are being checked."""
    CHECKED = "checked"
    READY = "ready"


class DealStage(FrozenStruct):
    """Stage `step` of the deal is done; `name` is the player who mixed, empty outside DECK."""

    step: DealPhase
    name: str = ""


class Dealt(FrozenStruct):
    """This round's hands are dealt, and this seat can see its own; `round_number` counts from 0."""

    round_number: int
    mixers: tuple[Seat, ...] = ()
    """The seats that mixed the deck, each with a shuffle proof that this program has found good."""


class Played(FrozenStruct):
    """A seat moved, tiles were turned up, or a deck was rebuilt; `events` are in their order.

    In a step in which all may call, `seat` is the lowest that called; after a rebuilding, the seat
    to move next.
    """

    seat: Seat
    events: tuple[Event, ...]


class YourTurn(FrozenStruct):
    """This seat must move."""


class MayCall(FrozenStruct):
    """Somebody, perhaps you, has not announced a last tile: there are `seconds` to tap or catch.

    After that, this seat's program says `quiet`.
    """

    seconds: float


class Reshuffled(FrozenStruct):
    """Tiles go back into the boneyard, and all players mix it again."""

    lead: Seat | None
    """The seat that turned up the highest tile, if that decided who begins; else None."""
    left: tuple[str, ...] = ()
    """The players who left, if it is their tiles that go back."""


class SaidFarewell(FrozenStruct):
    """Somebody says that they leave for good; the log does not say so yet."""

    name: str
    needed: int = 0
    """The number who must now agree to go on without others, if it is lower than before; else 0."""
    all: int = 0
    """The number who have a vote, in the same case; else 0."""


class SeatsCame(FrozenStruct):
    """Players have been given seats between two rounds."""

    names: tuple[str, ...]
    """All players who got seats."""
    back: tuple[str, ...] = ()
    """The players who had a seat before."""
    raised: tuple[str, ...] = ()
    """Players of `back` who were better than last, and now have the scores of the last place."""


class VotesCame(FrozenStruct):
    """These players came late, and from now on have a vote on who goes on."""

    names: tuple[str, ...]


class NobodyDecides(FrozenStruct):
    """All who had a vote have parted: the others cannot decide that the game goes on."""


class SeatsLeft(FrozenStruct):
    """These players have left for good, by decision of a poll; the table goes on without them."""

    names: tuple[str, ...]


class MovesUndone(FrozenStruct):
    """The last moves are void: not all of those who go on had seen them.

    With `only_draws` they were all draws, and no round began or was scored in them.
    """

    only_draws: bool = False


class LaidOpen(FrozenStruct):
    """A finished round: its table, and the tiles each seat still held, as laid open, in seat order.

    The hand of a seat that has left is empty. If the round was called off, no hand was laid open,
    and `hands` has only tiles that were open already.
    """

    table: Table
    hands: tuple[tuple[Tile, ...], ...]
    mixers: tuple[Seat, ...] = ()
    """The seats that mixed its deck."""


class RoundOver(FrozenStruct):
    """A round is over, and another follows."""

    events: tuple[Event, ...]
    """Events about its scores; empty if it was called off or an earlier notice had them."""
    end: LaidOpen | None = None
    """The round as it ended; None if it was never dealt or an earlier notice had it."""


class GameOver(FrozenStruct):
    """The game is over and scored; its record is complete."""

    events: tuple[Event, ...]
    """The last event names the winners; any before it tell of the last scores."""
    end: LaidOpen | None = None
    """The last round as it ended; None if it was never dealt or an earlier notice had it."""


CHAIR_NAME: Final = "the host"
"""The name of a host without a seat; no player can have it, because players' names have no
spaces."""

WATCHES: Final = " (watching)"
"""The mark after a watcher's name, so that nobody takes them for a player."""


class ChatHeard(FrozenStruct):
    """A chat line of somebody here, perhaps this player, already cleaned."""

    name: str
    text: str
    key: bytes = b""
    """The key that signed it."""


class AgainHeard(FrozenStruct):
    """Somebody here wants to play again with the same company."""

    name: str
    opens: bool
    """True if they open the table for it."""
    key: bytes = b""
    """Their key."""


class LinkEnd(Enum):
    """The reasons why a link is gone, as far as this end can know."""

    QUIT = "quit"
    """The other side announced the end: its program was closed."""
    LEFT = "left"
    """The other side had already left its seat for good."""
    BROKEN = "broken"
    """The link ended without a word: the program there stopped, or its computer or cable failed."""
    SILENT = "silent"
    """Nothing arrived for `DROP_S`, though something was due."""
    ENDED_HERE = "ended-here"
    """This peer ended it."""
    FORWARDER = "forwarder"
    """A member forwarded it, and it ended without a word: the other side may still be there."""


class LinkChanged(FrozenStruct):
    """A member came within reach or went out of it; `end` says how their link ended, if known."""

    name: str
    up: bool
    end: LinkEnd | None = None


class AnswerAwaited(FrozenStruct):
    """The table has waited long for a seat's program to answer; with `came`, it now has the answer.

    For a seat that is out of reach there is only `LinkChanged`.
    """

    name: str
    came: bool
    linked: bool = False
    """True if there is a link: the program is there but does not do its part."""


class VoteCast(FrozenStruct):
    """Somebody votes to go on without others."""

    name: str
    without: tuple[str, ...]
    """The players it is against."""
    needed: int
    """The number who must agree to let each of these players go."""
    own: bool
    """True if the vote is this player's own."""
    may_agree: bool
    """True if this seat could vote for the same, and has not."""
    agreed: tuple[Agreed, ...]
    """Each player of `without` once, grouped by who agrees to let them go."""


class VoteTakenBack(FrozenStruct):
    """Somebody has taken back a vote to go on without others, of which this player was told."""

    name: str
    without: tuple[str, ...]
    """The players it was against."""
    own: bool
    """True if the vote was this player's own."""


class WatcherChanged(FrozenStruct):
    """Somebody without a seat has begun or stopped watching; the name is cleaned."""

    name: str
    watches: bool


class FellBehind(FrozenStruct):
    """The others have played on without this program; notices until `CaughtUp` tell of the past."""


class CaughtUp(FrozenStruct):
    """This program came late or was cut off; its log is level now, or will come no further."""

    is_level: bool = True
    """False if the log comes no further: the rest may still come from somebody else."""


class ComputerSlept(FrozenStruct):
    """This computer has slept; all its links are dialled again."""

    seconds: float


class ProgramStopped(FrozenStruct):
    """This program stopped for longer than others wait for a sign of life.

    It dials all its links again.
    """

    seconds: float


class NetworkState(Enum):
    """The state of this computer's own network, as far as is known."""

    WORKS = "works"
    """It works, or there is no reason to doubt that it does."""
    DOUBTED = "doubted"
    """The links to several other computers fell silent at the same time."""
    LOST = "lost"
    """This computer's system says that it has no network."""


class NetworkChanged(FrozenStruct):
    """This computer has lost its network, has probably lost it, or has it again."""

    state: NetworkState
    before: NetworkState


class HostMoved(FrozenStruct):
    """The host has gone on to another table, though as far as we know the game here is not over."""


class SeatLater(FrozenStruct):
    """The answer to a request for a seat in a game that has begun."""

    no_seat: NoSeat | None = None
    """The reason why there is no seat; None if there is one, from the next round on."""
    watched: int = 0
    """The number, from 1, of the round to watch until then; 0 if the chair names none."""
    returns: bool = False
    """True if the player has had a seat in this game, and gets it back."""

    @property
    def granted(self) -> bool:
        """True if there is a seat, from the next round on."""
        return self.no_seat is None


class StandIn(FrozenStruct):
    """A different computer announces the table from now on: a stand-in's, or the host's again.

    The computer that announced it before, if any, no longer does.
    """

    up: bool
    """True if a computer stands in from now on; False if the host is back."""
    name: str = ""
    """The owner of the computer that stands in, or the host who is back. Empty if this computer
    stands in: `Announcing` tells of that, with its join code."""
    left: bool = False
    """True if a computer stands in because the host has left, for good or for now; False if the
    host's computer does not answer."""


class Announcing(FrozenStruct):
    """This computer announces the table from now on or, if `ends`, no longer does.

    In the latter case `StandIn` tells the player whose computer does.
    """

    host: str
    """The name of the host; empty if this seat is the host."""
    code: str
    """The join code; empty if the table is open to all."""
    ends: bool = False
    left: bool = False
    """True if the host has left, for good or for now; False if the host's computer does not
    answer."""


class AfterFault(Enum):
    """The consequences of a proved fault at the table."""

    STOPS = "stops"
    """This seat signs nothing; seats that went on signing might end up with different logs."""
    LET_GO = "let-go"
    """Every program that knows of the fault is for going on without its author."""
    NOTHING = "nothing"
    """Its author is no longer at the table, or nobody can tell who that is."""


class FaultFound(FrozenStruct):
    """A peer broke the protocol.

    The notice is given again if a fault that at first stopped nobody later stops this seat.
    """

    name: str
    check: str
    sentence: str
    evidence: str
    """The name of the file that proves the fault; empty for a wrong signature, which binds
    nobody."""
    then: AfterFault = AfterFault.NOTHING

    @property
    def called(self) -> str:
        """The name of its author, without the fingerprint after it."""
        return self.name.rpartition(" (")[0] or self.name


class PlaysOn(FrozenStruct):
    """The fault that had stopped this seat can no longer lead to two logs: the seat signs again."""


class SeatRefused(FrozenStruct):
    """The host refused this peer a seat; `no_seat` says why."""

    no_seat: NoSeat


class TroubleKind(Enum):
    """The kinds of trouble. The text below each names its facts, or else says what it means."""

    LINK_CLOSED = "link-closed"
    """A name, and what the other side did."""
    LEFT_OUT = "left-out"
    """The number of lines by or about outsiders that were left out."""
    TABLE_UNFIT = "table-unfit"
    """The rules allow no table of those who are here."""
    NOBODY_CALLED = "nobody-called"
    """The name asked for as first player, which nobody has, and the name of the actual first
    player."""
    OTHER_COURSE = "other-course"
    """The others show a different version of the game from the one that this seat has signed."""
    CLAIMS_MORE = "claims-more"
    """The name of somebody whose program claims to have more of the game than it shows."""
    LOST_END = "lost-end"
    """The record has lost what this seat signed last."""
    DISK_FULL = "disk-full"
    """The disk's error text."""
    DISK_ROOM = "disk-room"
    SEAT_PAUSED = "seat-paused"
    """The disk's error text."""
    RECORD_DAMAGED = "record-damaged"
    """The octet where the damage is, and what is wrong there."""
    JOURNAL_DAMAGED = "journal-damaged"
    """The octet where the damage is, and what is wrong there."""
    JOURNAL_DOUBT = "journal-doubt"
    """This seat may have signed more than is known here. The fact: how many others it takes to go
    on without it."""
    NO_WAY_ON = "no-way-on"
    """This seat may have signed more than is known here, and the others are too few to go on
    without it."""
    NOT_COPIED = "not-copied"
    """The disk's error text for the copy, and where the record is."""
    CODE_ASKED = "code-asked"
    """The source of a newcomer who is asked for the join code, and that code."""
    WRONG_CODE = "wrong-code"
    """The source of a wrong join code."""
    CODE_CHANGED = "code-changed"
    """The source of wrong join codes, and the table's new code."""
    CODE_ELSEWHERE = "code-elsewhere"
    """The computer that announces the table now has a different code from the one that this screen
    has shown to a room."""
    MOVE_REFUSED = "move-refused"
    """The code of the refusal: the program that chooses this seat's moves made a mistake."""
    OF_COMPUTER = "of-computer"
    """A sentence from this computer, its disk or its network."""


class OtherRules(FrozenStruct):
    """The table plays a `revision` of the rules that is not `ours`; this peer leaves it."""

    revision: int
    ours: int


class Trouble(FrozenStruct):
    """Something went wrong that a person should know."""

    kind: TroubleKind
    facts: tuple[str | Saying, ...] = ()
    """The facts listed at the `kind`, in that order."""
    of_bot: bool = False
    """True if it happened to a bot of this computer."""


Notice = (
    LobbyChanged | TableClosed | GameStarted | DealStage | Dealt | Played | YourTurn | MayCall
    | Reshuffled | SaidFarewell | SeatsCame | VotesCame | VoteWithheld | NobodyDecides | SeatsLeft
    | MovesUndone | RoundOver | GameOver
    | ChatHeard | AgainHeard | LinkChanged | AnswerAwaited | VoteCast | VoteTakenBack
    | WatcherChanged
    | CaughtUp | FellBehind | SeatLater | SeatAsked | StrangersLead | StandIn | Announcing
    | FaultFound | PlaysOn | SeatRefused | OtherRules | Trouble | HostMoved | ComputerSlept
    | ProgramStopped | NetworkChanged
)  # fmt: skip
