"""When the seats of a table decide who goes on, and what this one says in it [protocol.md §4.7].

`epochs.cut` and `epochs.voter` say what may be signed; here is when. A ballot costs everybody a
moment in which no later step is signed, so one is opened only with a reason:

    a seat has parted             it goes
    a coin has fallen             nobody goes, and its session begins
    more than half miss a seat    it goes, if they still say so when they promise
    we have promised              and nothing came of it: whoever is bound wants to be free

Who misses whom is told without a signature and binds nobody. A program misses a seat that is away
for as long as the table has agreed on, a newcomer that does not sign, and whom its person names
(`without ben`) while that one is away or keeps the table waiting. Where nobody attends, it follows
what the people of others name, if it finds the same.

The lowest seat that is here opens the first ballot of a poll, at once; others, and later ballots,
wait for pauses that double and hang on chance. So while a quorum is up and linked, some owner has
its pause to itself. A promise follows the last one only after a pause that doubles, too, or a liar
could outbid everybody for ever.

What is ugly: an owner that sees a quorum waits half a second for the promises of whoever else is
linked. Without that, logs that are a moment ahead are left out, and their seats refuse the value.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from netgame import limits
from netgame.limits import NEWCOMER_S, SUSPECT_S
from netgame.protocol.epochs.cut import is_quorum
from netgame.protocol.epochs.voter import (
    Abstention,
    LogEnd,
    Voter,
    best_proposal,
    why_no_accept,
    why_no_promise,
)
from netgame.protocol.fold import phases
from netgame.protocol.fold.options import Patience
from netgame.protocol.fold.session import due
from netgame.protocol.fold.state import State
from netgame.protocol.ledger.poll import Poll
from netgame.protocol.log.entry import Said, filled_mask, read_mask, sign_statement
from netgame.protocol.notices import LinkEnd, SaidFarewell, VoteCast
from netgame.protocol.peer.effects import Journalled, PeerKey
from netgame.protocol.peer.people.presence import Presence
from netgame.protocol.peer.place import Place
from netgame.protocol.peer.receipt.decisions import Decisions
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.peer.standing.journal import Journal, Silence, bound
from netgame.protocol.peer.standing.stay import Stay
from netgame.protocol.peer.sync import Peer, batches
from netgame.wire.codec import encode
from netgame.wire.messages import Missed, RecordStatement, Statements
from netgame.wire.statements import (
    NO_BALLOT,
    Accept,
    Ballot,
    Parting,
    Promise,
    Proposal,
    Statement,
    bit,
    seats_in,
)

PATIENCE_S: Final[dict[Patience, float]] = {
    Patience.FIVE_MINUTES: 300.0,
    Patience.MINUTE: 60.0,
    Patience.VOTE: float("inf"),
}

_IDLE_S: Final = 60.0
"""A seat that is linked and writes nothing may be gone on without after this long in one step."""


@dataclass(eq=False)
class Absence:
    """Who is away and since when, and how long the due step has waited; by key."""

    place: Place
    down: dict[bytes, float] = field(default_factory=dict)
    _step: tuple[bytes, int] = (b"", -1)
    _since: float = 0.0

    def look(self) -> None:
        """Remember who has no link now, and since when the due step has been due."""
        place, state = self.place, self.place.state
        if (state.log_id, state.step) != self._step:
            self._step, self._since = (state.log_id, state.step), place.now
        here = {place.key, *place.links.greeted()}
        keys = [state.company.now.keys[seat] for seat in state.present]
        self.down = {key: self.down.get(key, place.now) for key in keys if key not in here}

    def is_away(self, key: bytes, seconds: float) -> bool:
        """Whether this key has had no link for so long."""
        return key in self.down and self.place.reached(self.down[key] + seconds)

    def owes(self, key: bytes, seconds: float = 0.0) -> bool:
        """Whether the table has waited for this key so long."""
        state, ledger = self.place.state, self.place.ledger
        seat = state.seat_of(key)
        if seat not in due(state).authors or seat in ledger.slots or seat in ledger.pending:
            return False
        return self.place.reached(self._since + seconds)


def newcomers(state: State) -> frozenset[int]:
    """Who has yet to sign for the first time, while the table forms: all but the host at first."""
    match state.now:
        case phases.CoinFallen():
            return frozenset()
        case phases.Forming(phases.FirstTable()):
            return frozenset(state.present) - {state.seat_of(state.host)}
        case _:
            return state.newcomers


@dataclass(eq=False)
class Polls:
    """Wishes, pauses and statements of this seat; its person would go without the `wanted` keys.

    `_missed` has whom others miss, as they tell it, with the id of their epoch. The poll `_poll` is
    open here; a ballot is opened at `_open_at`, which was set for what is in `_armed`. `_promised`
    has when this seat has promised in it.
    """

    place: Place
    journal: Journal
    silence: Silence
    stay: Stay
    presence: Presence
    author: Author
    decisions: Decisions
    absence: Absence
    wanted: frozenset[bytes] = frozenset()
    _missed: dict[bytes, tuple[bytes, frozenset[bytes]]] = field(default_factory=dict)
    _told_missed: dict[PeerKey, Missed] = field(default_factory=dict)
    _told: set[tuple[bytes, frozenset[bytes]]] = field(default_factory=set)
    _farewells: set[bytes] = field(default_factory=set)
    _poll: Poll | None = None
    _armed: object = None
    _open_at: float = 0.0
    _promised: list[float] = field(default_factory=list)

    # ---- whom one misses ----

    def give_up(self, keys: Iterable[bytes]) -> None:
        """A person here would go on without these; it lapses for who is back, and owes nothing."""
        state = self.place.state
        present = {state.company.now.keys[seat] for seat in state.present}
        self.wanted = frozenset(keys) & present - {self.place.key}

    def is_missed(self, key: bytes) -> bool:
        """Whether people may be asked to go on without this one: away, or waited for too long."""
        self.absence.look()
        return key in self.absence.down or self.absence.owes(key, _IDLE_S)

    def has_parted(self, key: bytes) -> bool:
        """Whether this member has said that it leaves its seat for good."""
        seat = self.place.state.seat_of(key)
        return seat is not None and bool(self.place.ledger.poll.parted() & bit(seat))

    def hear_missed(self, key: PeerKey, missed: Missed) -> None:
        """A member tells whom it misses."""
        epoch = self.place.state.company.of_id(missed.id)
        if epoch is None or not self.place.sits(key):
            return
        seats = read_mask(missed.seats)
        keys = frozenset(epoch.keys[seat] for seat in seats if seat < len(epoch.keys))
        self._missed[key] = missed.id, keys - {key}

    def forget(self, key: PeerKey) -> None:
        """The link to a peer is gone: what it missed nobody knows any more."""
        self._missed.pop(key, None)
        self._told_missed.pop(key, None)

    def misses(self) -> frozenset[bytes]:
        """Whom this program would go on without now."""
        place, state, absence = self.place, self.place.state, self.absence
        absence.look()
        own = place.seat
        if own not in state.present or isinstance(state.now, phases.FINAL) or place.in_lobby:
            return frozenset()
        keys = {state.company.now.keys[seat] for seat in state.present} - {place.key}
        self.wanted = frozenset(
            k for k in self.wanted & keys if k in absence.down or absence.owes(k)
        )
        late = (key for key in keys if absence.is_away(key, PATIENCE_S[state.options.patience]))
        new = (state.company.now.keys[seat] for seat in newcomers(state))
        overdue = (key for key in new if key in keys and absence.owes(key, NEWCOMER_S))
        followed = frozenset[bytes]() if place.attended else self._followed() & keys
        return self.wanted | frozenset(late) | frozenset(overdue) | followed

    def _followed(self) -> frozenset[bytes]:
        """Whom others miss, where this program finds the same."""
        named = frozenset[bytes]().union(*(keys for _, keys in self._missed.values()))
        absence = self.absence
        return frozenset(
            key for key in named if absence.is_away(key, SUSPECT_S) or absence.owes(key, _IDLE_S)
        )

    def _missing(self, key: bytes, own: frozenset[bytes]) -> frozenset[bytes]:
        """Who misses this key, of those who decide and have not parted."""
        state, ledger = self.place.state, self.place.ledger
        told = {
            each for each, (of, keys) in self._missed.items() if of == state.log_id and key in keys
        }
        if key in own:
            told.add(self.place.key)
        seats = (seat for each in told if (seat := state.seat_of(each)) is not None)
        say = ledger.poll.cut.company & ~ledger.poll.parted()
        return frozenset(state.company.now.keys[seat] for seat in seats if say & bit(seat))

    def needed(self) -> int:
        """How many have to agree: more than half of those who decide and have not parted."""
        poll = self.place.ledger.poll
        return (poll.cut.company & ~poll.parted()).bit_count() // 2 + 1

    def _are_missed(self, own: frozenset[bytes]) -> bool:
        """Whether more than half miss somebody."""
        state = self.place.state
        keys = (state.company.now.keys[seat] for seat in state.present)
        return any(len(self._missing(key, own)) >= self.needed() for key in keys)

    # ---- what is said ----

    def act(self) -> None:
        """Say what there is to say in the open poll, one thing after the other."""
        ledger = self.place.ledger
        if ledger.poll is not self._poll:
            self._begin(ledger.poll)
        seat = self.place.seat
        if seat is None or not ledger.poll.cut.company & bit(seat) or self.place.in_lobby:
            return
        may_say = self.journal.may_say() and not self.journal.is_behind(ledger)
        if self.place.fault is not None or not may_say or self.silence.lasts():
            return
        while self._say_next(seat) and ledger.poll is self._poll:
            pass

    def _begin(self, poll: Poll) -> None:
        """A poll begins, or has begun before this process: what our journal says of it is said."""
        was, self._poll = self._poll, poll
        self._armed = None
        if was is None or (was.id, was.number) != (poll.id, poll.number):
            self._promised = []
            for peer in self.place.links.peers.values():
                peer.shown.clear()
        for each in tuple(self.journal.statements()):
            self.decisions.hear(each.signed, None)

    def _say_next(self, seat: int) -> bool:
        """Sign one statement, if one is due; whether it was."""
        voter = bound(self.journal, self.place.ledger, seat)
        if voter.left:
            return False
        own = self.misses()
        statement = (
            self._accept(voter) or self._proposal(voter) or self._promise(voter, own)
            or self._opening(voter, own)
        )  # fmt: skip
        if statement is None:
            return False
        self._sign(statement)
        return True

    def _sign(self, statement: Statement) -> None:
        said = sign_statement(self.place.signer, statement)
        if isinstance(statement, Accept):
            for each in self.place.ledger.poll.behind(statement.proposal):
                self._note(each)
        self._note(said)
        self.decisions.hear(said.signed, None)

    def _note(self, said: Said) -> None:
        if self.journal.keep_statement(said):
            self.place.outbox.emit(Journalled(encode(RecordStatement(said.signed))))

    def _accept(self, voter: Voter) -> Statement | None:
        poll = self.place.ledger.poll
        for name, each in poll.cut.statements.items():
            if not isinstance(each, Proposal) or each.ballot != voter.promised:
                continue
            why = why_no_accept(poll.cut, voter, name, self._end())
            if why is None:
                return Accept(poll.id, poll.number, voter.seat, name)
            if why is Abstention.BEHIND:
                self._open_at = min(self._open_at, self.place.now)
        return None

    def _proposal(self, voter: Voter) -> Statement | None:
        poll, ballot = self.place.ledger.poll, voter.promised
        if ballot == NO_BALLOT or ballot.owner != voter.seat:
            return None
        if any(
            isinstance(e, Proposal) and e.ballot == ballot for e in poll.cut.statements.values()
        ):
            return None
        promised = poll.cut.seats(poll.cut.promises(ballot).values())
        parted = poll.cut.seats(poll.cut.partings(ballot).values())
        if not is_quorum(poll.cut.company, promised & ~parted, parted):
            return None
        awaited = poll.cut.company & ~parted & sum(map(bit, self.place.links.seats()))
        if awaited & ~promised and not self.place.reached(
            self._promised[-1] + limits.BALLOT_WAIT_S
        ):
            return None
        found = best_proposal(poll.cut, ballot)
        return (
            None if found is None else Proposal(poll.id, poll.number, ballot, *found[0], found[1])
        )

    def _promise(self, voter: Voter, own: frozenset[bytes]) -> Statement | None:
        """Promise the highest ballot that somebody has opened, unless the last is too fresh."""
        poll = self.place.ledger.poll
        opened = [
            each.ballot
            for each in poll.cut.statements.values()
            if isinstance(each, Promise) and each.seat == each.ballot.owner
        ]
        allowed = (b for b in opened if why_no_promise(poll.cut, voter, b) is None)
        ballot = max(allowed, default=None)
        if ballot is None or not self._may_promise():
            return None
        return self._promise_of(voter, ballot, own)

    def _promise_of(self, voter: Voter, ballot: Ballot, own: frozenset[bytes]) -> Promise:
        poll, state, end = self.place.ledger.poll, self.place.state, self._end()
        last = end.last if voter.last is None else voter.last
        without = sum(bit(seat) for key in own if (seat := state.seat_of(key)) is not None)
        self._promised.append(self.place.now)
        place = (end.step, end.head, last, without, voter.accepted)
        return Promise(poll.id, poll.number, voter.seat, ballot, *place)

    def _may_promise(self) -> bool:
        """Whether the pause since our last promise in this poll is over."""
        if not self._promised:
            return True
        pause = limits.BALLOT_PAUSE_MIN_S * 2 ** min(len(self._promised) - 1, 10)
        return self.place.reached(self._promised[-1] + min(pause, limits.BALLOT_PAUSE_MAX_S))

    def _opening(self, voter: Voter, own: frozenset[bytes]) -> Statement | None:
        """Open a ballot, if there is a reason for one and it is our time."""
        poll, state = self.place.ledger.poll, self.place.state
        is_over = isinstance(state.now, phases.Over)
        has_fallen = isinstance(state.now, phases.CoinFallen)
        reason = poll.parted(), has_fallen, self._are_missed(own), voter.promised
        if is_over or not any((*reason[:3], voter.promised > NO_BALLOT)):
            self._armed = None
            return None
        if reason != self._armed:
            self._armed = reason
            self._open_at = self.place.now + self._pause(voter)
        if not self.place.reached(self._open_at) or not self._may_promise():
            return None
        counters = (
            e.ballot.counter for e in poll.cut.statements.values() if isinstance(e, Promise)
        )
        counter = max((*counters, voter.promised.counter), default=0) + 1
        ballot = Ballot(counter, voter.seat)
        if why_no_promise(poll.cut, voter, ballot) is not None or not self._may_pass(ballot):
            return None
        return self._promise_of(voter, ballot, own)

    def _may_pass(self, ballot: Ballot) -> bool:
        """Whether a quorum is here for a ballot: without one, it would bind us and nobody else."""
        poll, place = self.place.ledger.poll, self.place
        parted = poll.cut.seats(poll.cut.partings(ballot).values())
        here = poll.cut.company & ~parted & sum(map(bit, {place.seat or 0, *place.links.seats()}))
        return is_quorum(poll.cut.company, here, parted)

    def _pause(self, voter: Voter) -> float:
        """How long to leave it to others: nothing for the lowest seat that is here, at first."""
        poll, place = self.place.ledger.poll, self.place
        here = poll.cut.company & ~poll.parted() & sum(map(bit, {voter.seat, *place.links.seats()}))
        is_first = seats_in(here)[:1] == (voter.seat,)
        tries = min(len(self._promised), 5)
        if is_first and not tries:
            return 0.0
        chance = self.author.fresh("pause", poll.id, poll.number, tries)(2)
        share = 0.5 + int.from_bytes(chance, "big") / 2**16
        return float(limits.BALLOT_PAUSE_MIN_S * 2**tries * share)

    def _end(self) -> LogEnd:
        """Where our own log ends."""
        state = self.place.state
        return LogEnd(state.step, state.head, self.journal.has_filled(self.place.ledger))

    def part(self) -> None:
        """Leave this seat for good, by a promise that is good for ever."""
        place, ledger, seat = self.place, self.place.ledger, self.place.seat
        if place.in_lobby or seat is None or not ledger.poll.cut.company & bit(seat):
            return
        if isinstance(place.state.now, phases.Over) or not self.journal.may_say():
            return
        voter, end, poll = bound(self.journal, ledger, seat), self._end(), ledger.poll
        self.stay.has_left = True
        ledger.pending.pop(seat, None)  # it has not been sent, and never is
        if voter.left:
            return
        last = end.last if voter.last is None else voter.last
        at = (poll.id, poll.number, seat, voter.promised, end.step, end.head, last)
        self._sign(Parting(*at, voter.accepted))

    # ---- what others are told, and the person here ----

    def tell(self) -> None:
        """Show each peer what it has not seen of the poll that is open for it, and whom we miss."""
        ledger, state = self.place.ledger, self.place.state
        misses = self.misses()
        seats = tuple(seat for key in misses if (seat := state.seat_of(key)) is not None)
        missed = Missed(state.log_id, filled_mask(seats))
        for key, peer in self.place.links.at_table():
            self._show(key, peer)
            told = self._told_missed.get(key)
            if missed != told and (seats or (told is not None and any(told.seats))):
                self._told_missed[key] = missed
                self.place.outbox.send(key, missed)
        for each in ledger.poll.partings():
            self._tell_parting(each)
        self._tell_votes(misses)

    def _show(self, key: PeerKey, peer: Peer) -> None:
        """Send a peer the statements of the poll at which it is, if its log can use them."""
        ledger = self.place.ledger
        if peer.head is None or peer.head.polls > len(ledger.decisions):
            return
        if peer.head.polls < len(ledger.decisions):
            decision = ledger.decisions[peer.head.polls]
            ripe, said = peer.head.step >= decision.step, decision.said
        else:
            ripe = peer.head.step >= self.place.state.company.began(ledger.poll.id)
            said = tuple(ledger.poll.said.values())
        new = [each for each in said if each.name not in peer.shown] if ripe else []
        peer.shown.update(each.name for each in new)
        for piece in batches(each.signed for each in new):
            self.place.outbox.send(key, Statements(piece))

    def _tell_parting(self, said: Said) -> None:
        """Somebody has left for good: tell the person here, once."""
        state, cut = self.place.state, self.place.ledger.poll.cut
        if said.name in self._farewells or not isinstance(said.statement, Parting):
            return
        self._farewells.add(said.name)
        key = state.company.now.keys[cut.seat(said.statement)]
        if key != self.place.key:
            self.presence.note_end(PeerKey(key), LinkEnd.LEFT)
            self.place.outbox.notify(SaidFarewell(self.presence.name_of(PeerKey(key))))

    def _tell_votes(self, own: frozenset[bytes]) -> None:
        """Tell who would go on without whom, each once; not what needs no say of a person."""
        place, state = self.place, self.place.state
        said = {key: keys for key, (of, keys) in self._missed.items() if of == state.log_id}
        if place.sits(place.key) and own:
            said[place.key] = own
        for sayer, keys in sorted(said.items()):
            patience = PATIENCE_S[state.options.patience]
            people = frozenset(
                key for key in keys if self._sits(key) and not self.absence.is_away(key, patience)
            )
            if not people or not self._sits(sayer):
                self._told = {each for each in self._told if each[0] != sayer}
                continue
            if (sayer, people) in self._told:
                continue
            self._told.add((sayer, people))
            self._tell_vote(sayer, people, own)

    def _sits(self, key: bytes) -> bool:
        return self.place.sits(key)

    def _tell_vote(self, sayer: bytes, people: frozenset[bytes], own: frozenset[bytes]) -> None:
        state = self.place.state
        agreed = min(len(self._missing(key, own)) for key in people)
        without = sorted(seat for key in people if (seat := state.seat_of(key)) is not None)
        may_agree = self._sits(self.place.key) and self.place.key not in people
        self.place.outbox.notify(
            VoteCast(
                self.presence.name_of(PeerKey(sayer)),
                tuple(map(state.name_of, without)),
                *(agreed, self.needed()),
                own=sayer == self.place.key,
                may_agree=may_agree and not people <= own,
            )
        )
