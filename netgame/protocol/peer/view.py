"""The view of a table that the player at one seat may have."""

from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, Self

from engine.rules.spec import TableSpec
from engine.table.table import Hand, Table
from engine.table.trains import Seat
from netgame.protocol.ledger.departures import GoneSeat
from netgame.protocol.ledger.verdict import all_departures, fault_sentence
from netgame.protocol.log.fault import Offence, ProofKind
from netgame.protocol.notices import DealStage, NetworkState
from netgame.protocol.peer.parts import Parts
from netgame.protocol.peer.people.chair import Asking
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.seating import NoSeat
from netgame.protocol.state.latecomers import why_nobody_comes
from netgame.protocol.state.phases import History, Phase
from netgame.protocol.state.session import due
from netgame.protocol.text import fingerprint
from netgame.wire.messages import Settings


class TableStage(Enum):
    """The stage of the game in a player's terms, with its phases.

    `HALTED` has no phases: a fault stops this seat, in any phase, for good or for a while.
    """

    _value_: str
    phases: tuple[Phase, ...]

    LOBBY = "lobby", Phase.LOBBY
    FORMING = (
        "forming", Phase.ROSTER, Phase.COIN_COMMIT, Phase.COIN_REVEAL, Phase.COIN_FALLEN
    )  # fmt: skip
    DEALING = (
        "dealing", Phase.DEAL, Phase.SHARES, Phase.HAND_OVER,
        Phase.REBUILD, Phase.BLIND, Phase.UNBLIND,
    )  # fmt: skip
    PLAYING = (
        "playing", Phase.PLAY, Phase.DRAWN, Phase.CALLS, Phase.OPENING_COMMIT, Phase.MIX_HAND
    )  # fmt: skip
    OPENING = "opening", Phase.OPEN
    SCORING = "scoring", Phase.SCORE, Phase.AUDIT
    OVER = "over", Phase.OVER
    HALTED = ("halted",)

    def __new__(cls, word: str, *phases: Phase) -> Self:
        """Make a member whose value is its word."""
        member = object.__new__(cls)
        member._value_, member.phases = word, phases
        return member


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A seat, as the player here may see it."""

    name: str
    """Clean, one word, unique at the table."""
    key: bytes
    fingerprint: str
    bot: bool
    """It says that a program plays."""
    connected: bool
    """It has a link to us; always True for our own seat."""
    left: bool = False
    """The player has left for good; the seat keeps its number and name."""
    parted: bool = False
    """The player has signed that they leave, and the table no longer waits for them."""
    decides: bool = False
    """It has a vote on who goes on, and has not parted."""
    no_vote: bool = False
    """It came late, and has no vote yet."""
    missed_by: tuple[str, ...] = ()
    """The names of those who would go on without it."""
    promised: bool = False
    """Our own seat has signed a promise in the open poll that leaves it out."""
    fault: str = ""
    """The sentence about its first fault found here; empty if there is none."""
    offence: Offence | None = None
    """The same fault in a player's terms."""
    found_in: int = 0
    """The round, from 0, in which that fault was found."""
    through: bool = False
    """It has no link here, but is heard through others."""
    unanswered: bool = False
    """It keeps the table waiting and does not answer, though it is not known to be away."""
    in_tab: bool = False
    """It says that a person plays in a browser tab."""
    listens: bool = True
    """It says that others can open a connection to it."""

    @property
    def in_reach(self) -> bool:
        """True if its entries reach us, by a link or through others."""
        return self.connected or self.through

    @property
    def watches(self) -> bool:
        """True if the player is here and watches after their seat was given up; False for a bot."""
        return self.left and self.connected and not self.bot


class Guest(NamedTuple):
    """A person who is linked to this table without a seat."""

    key: bytes
    name: str


@dataclass(frozen=True, slots=True)
class TableView:
    """A snapshot of what the player at this seat may see."""

    stage: TableStage
    table_id: bytes
    settings: Settings | None
    """None before the log has them."""
    spec: TableSpec | None
    """None in the lobby."""
    table: Table | None
    """None before the first deal."""
    seat: Seat | None
    """None before the first coin, and without a seat."""
    hand: Hand | None
    """None before the first deal, without a seat, and if the secret of its keys is lost."""
    seats: tuple[SeatInfo, ...]
    """In seat order; before the first coin, in order of joining."""
    host_key: bytes
    """Empty while no host is known."""
    is_host: bool
    seats_offered: int
    """0 before the log has the settings."""
    due: tuple[Seat, ...]
    """The seats that must write the due step, even those that have; empty before the first coin."""
    head: bytes
    step: int
    deal_note: DealStage | None
    """The last stage of a deal that the player was told of; None before that, and once seats come
    or go."""
    can_move: bool
    """The table waits for a move of ours, and we may sign one."""
    history: History = ()
    """The moves of the round, each with the table before it."""
    watchers: tuple[str, ...] = ()
    """The names of those linked here who watch without a seat, our own included."""
    guests: tuple[Guest, ...] = ()
    """The others here without a seat, as they came; then players whose seats were given up."""
    announces: bool = False
    """This computer announces the table."""
    needed: int = 0
    """The number of votes that removes a seat."""
    departures: tuple[GoneSeat, ...] = ()
    """The seats gone so far."""
    lacking: tuple[Seat, ...] = ()
    """The `due` seats whose entries are not here."""
    catching_up: bool = False
    """The view shows a past moment: the table has gone further, and the rest of the log is
    coming."""
    own: OwnPlace = OwnPlace.SEAT
    """This peer's place at the table."""
    no_seat: NoSeat | None = None
    """The reason why this peer would get no seat; None if it has one or could get one."""
    is_open: bool = False
    """Newcomers need no join code."""
    announcer: bytes = b""
    """The key of the peer that announces the table."""
    coming: tuple[str, ...] = ()
    """The names of those who get a seat at the next round, as far as this program can tell."""
    asking: tuple[Asking, ...] = ()
    """The applicants who get a seat if our person says yes."""
    chair: bytes = b""
    """The key of the chair, who gives the seats; empty in a lobby."""
    closed: NoSeat | None = None
    """The reason why nobody can get a seat at the next round; None if somebody may."""
    is_host_here: bool = True
    """The host is linked, even one without a seat, or this is the host."""
    has_host_left: bool = False
    """The host is known to have closed its program, or left its seat for good."""
    is_through: bool = False
    """This peer has left the table: nothing is left to do."""
    mixers: tuple[Seat, ...] = ()
    """The seats that mixed the deck in play, or that of the last round; empty before the first."""
    proofs: tuple[tuple[ProofKind, int], ...] = ()
    """The number of others' proofs that this process has checked and found good, by kind."""
    again: frozenset[bytes] = frozenset()
    """The keys of the others here who want another game."""
    openers: tuple[bytes, ...] = ()
    """The keys, in seat order, of the players who have said that they open a table for
    another game."""
    network: NetworkState = NetworkState.WORKS
    """The state of this computer's own network, as far as it is known."""

    @property
    def has_ended(self) -> bool:
        """True if nothing more happens here: the game is over, or a fault has stopped it for good.

        Until this peer leaves, a fault that stops it may still turn out to stop nobody.
        """
        is_stopped = self.stage is TableStage.HALTED and self.is_through
        return self.stage is TableStage.OVER or is_stopped

    @property
    def position(self) -> tuple[bytes, Table | None]:
        """The position in which a seat chooses a move: the head, and the table as the seat sees it.

        The log alone is not enough: when everybody lays an opening at once, a tile changes only the
        table that its own seat sees. The log has no tile of an opening until the opening is whole.
        """
        return self.head, self.table

    def name_of(self, key: bytes) -> str:
        """Return the name of the seat with this key, or "" if there is none."""
        return next((info.name for info in self.seats if info.key == key), "")

    @property
    def sits(self) -> bool:
        """True if this peer has a seat now; a seat that was given up does not count."""
        return self.own is OwnPlace.SEAT

    @property
    def has_no_vote_yet(self) -> bool:
        """True if this peer came late and sits without a vote."""
        return self.sits and self.seat is not None and self.seats[self.seat].no_vote

    @property
    def is_hosted_apart(self) -> bool:
        """True if the host is another peer that has no seat."""
        return bool(self.host_key) and not (self.is_host or self.name_of(self.host_key))

    @property
    def here(self) -> tuple[SeatInfo, ...]:
        """The seats that have neither left nor parted."""
        return tuple(info for info in self.seats if not (info.left or info.parted))


_STAGE_OF: Final = {phase: stage for stage in TableStage for phase in stage.phases}


def build_view(parts: Parts) -> TableView:
    """Return a snapshot of the table as the player here may see it."""
    context, state, author = parts.context, parts.context.state, parts.author
    stage = TableStage.HALTED if context.fault else _STAGE_OF[state.phase]
    seat = context.seat if state.seats else None
    authors = due(state).authors if state.seats else ()
    written = context.ledger.written()
    seats = _seats(parts)
    host_key = state.host or parts.joiner.host or b""
    return TableView(
        stage=stage,
        table_id=state.table_id,
        settings=state.settings if state.host else None,
        spec=state.spec,
        table=author.table(state),
        seat=None if seat is None else Seat(seat),
        hand=None if seat is None else author.hand(state),
        seats=seats,
        seats_offered=state.settings.seats,
        host_key=host_key,
        is_host=context.is_host,
        due=tuple(map(Seat, authors)),
        head=state.head,
        step=state.step,
        deal_note=parts.news.deal_note,
        can_move=parts.writer.can_move(),
        history=state.history,
        watchers=_watchers(parts, seats),
        guests=_guests(parts, seats),
        announces=parts.deputy.announces(),
        has_host_left=parts.deputy.has_host_left(),
        needed=parts.wishes.needed(),
        departures=all_departures(context.state, context.ledger.decisions),
        lacking=tuple(Seat(each) for each in authors if each not in written),
        catching_up=parts.news.is_catching_up,
        own=parts.joiner.own_place(),
        no_seat=parts.joiner.why_no_seat(),
        is_open=state.options.is_open,
        announcer=parts.deputy.announcer(),
        coming=parts.applicants.coming(),
        asking=parts.lobby_host.asking() if context.in_lobby else parts.applicants.asking(),
        chair=b"" if state.chair is None else state.company.now.keys[state.chair],
        closed=why_nobody_comes(state),
        is_host_here=host_key in context.links.greeted() | {context.key},
        is_through=parts.lifetime.is_over,
        mixers=() if state.deck is None else state.deck.mixers,
        proofs=parts.proofs.counted(),
        again=parts.another_game.who_is_in(),
        openers=parts.another_game.openers(),
        network=parts.own_network.state,
    )


def _seats(parts: Parts) -> tuple[SeatInfo, ...]:
    """Return the seats in order; before the first coin, the members in order of joining."""
    state, missed = parts.context.state, parts.wishes.missed_by()
    members = state.seats or state.members
    here = parts.context.links.greeted() | {parts.context.key}
    bit_of, decide = state.company.now.bit_of, parts.wishes.have_say()
    parted = parts.context.ledger.poll.cut.parted()
    left_out, through = parts.polls.left_out(), parts.absence.through
    without_vote = {state.company.now.keys[seat] for seat in state.guests}
    faults = parts.faults
    found = [*zip(faults.kept, faults.found_in, strict=True)][::-1]
    convicted = {each.key: (fault_sentence(state, each), each.offence, at) for each, at in found}
    return tuple(
        SeatInfo(
            member.name,
            member.key,
            fingerprint(member.key),
            member.bot,
            member.key in here,
            left=bool(state.seats) and number in state.gone,
            parted=bool(parted & seat),
            decides=bool(decide & seat),
            no_vote=member.key in without_vote,
            missed_by=tuple(
                each.name for each in members if each.key in missed.get(member.key, ())
            ),
            promised=bool(left_out & seat),
            fault=fault,
            offence=offence,
            found_in=found_in,
            through=member.key in through,
            unanswered=member.key in parts.presence.unanswered,
            in_tab=member.in_tab,
            listens=member.listens,
        )
        for number, member in enumerate(members)
        for seat in (bit_of(member.key),)
        for fault, offence, found_in in (convicted.get(member.key, ("", None, 0)),)
    )


def _watchers(parts: Parts, seats: tuple[SeatInfo, ...]) -> tuple[str, ...]:
    """Return the names of the watchers: ours if we watch, then the others in order of arrival.

    After them come the players who are here again after their seats were given up.
    """
    context = parts.context
    looks_on = parts.joiner.says_it_watches or not context.in_lobby
    own = (context.name,) if looks_on and not context.belongs(context.key) else ()
    back = (info.name for info in seats if info.watches)
    return (*own, *parts.names.watchers().values(), *back)


def _guests(parts: Parts, seats: tuple[SeatInfo, ...]) -> tuple[Guest, ...]:
    """Return the others without a seat: watchers as they came, then players who lost their seats.

    The latter are included only while they are linked.
    """
    back = (Guest(info.key, info.name) for info in seats if info.watches)
    guests = (*(Guest(*each) for each in parts.names.watchers().items()), *back)
    return tuple(each for each in guests if each.key != parts.context.key)
