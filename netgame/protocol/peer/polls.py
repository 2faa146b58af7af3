"""The polls that decide who goes on: when they begin, and what this seat signs [peer.md §8.2].

`epochs.cut` and `epochs.voter` say what may be signed; this module says when. A ballot costs
everybody a moment in which no later step is signed, so a seat opens one only for a reason:

    a seat has parted             it goes
    a coin has fallen             nobody goes, and its session begins
    more than half miss a seat    it goes, if they still say so when they promise
    we have promised              and nothing came of it: the promise binds us until the poll ends

Seats tell each other whom they miss; this is unsigned and binds nobody (`people.wishes`).

The lowest voter that is here opens the first ballot of a poll at once; other voters, and later
ballots, wait for random pauses that double. While a quorum is up and linked, some owner therefore
gets a pause to itself. A seat promises the same owner another ballot only after a pause that
doubles too, or a liar could outbid everybody for ever.

One ugly detail: an owner that sees a quorum waits half a second for the promises of other linked
seats. Otherwise logs that are a moment ahead are left out, and their seats refuse the value.
"""

import math
from functools import reduce
from operator import or_

from netgame import limits
from netgame.protocol.epochs.cut import is_quorum, seats_of
from netgame.protocol.epochs.voter import (
    LogEnd,
    Voter,
    best_proposal,
    furthest_counter,
    may_accept,
    may_promise,
    takes_back,
)
from netgame.protocol.ledger.poll import Poll, key_of
from netgame.protocol.log.entry import ReceivedStatement, sign_statement
from netgame.protocol.notices import LinkEnd, NobodyDecides, SaidFarewell
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.linked import Peer, batches
from netgame.protocol.peer.people.names import ScreenNames
from netgame.protocol.peer.people.presence import Presence
from netgame.protocol.peer.people.wishes import Wishes
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.peer.status.journal import Journal
from netgame.protocol.peer.status.lifetime import Lifetime
from netgame.protocol.peer.status.recovery import Recovery
from netgame.protocol.peer.sync.decisions import Decisions
from netgame.protocol.state import phases
from netgame.wire.messages import Statements
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


class Polls(PeerPart):
    """Decides when this seat signs which statement in a poll; sends statements to others."""

    journal: Journal
    recovery: Recovery
    lifetime: Lifetime
    presence: Presence
    names: ScreenNames
    author: Author
    decisions: Decisions
    wishes: Wishes
    _farewells: set[bytes] = set()
    """The names of the partings of which the player here was told."""
    _decided: int = 0
    """The number of decided polls whose partings the player has been told of."""
    _poll: Poll | None = None
    """The poll that is open here, as of the last look."""
    _armed: object = None
    """The reasons to open a ballot; None without any."""
    _open_at: float = 0.0
    """The time at which to open a ballot."""
    _agreed: frozenset[tuple[bytes, bytes]] = frozenset()
    """As of the last look, each key that enough seats missed, with each key that missed it."""
    _asked_from: int = 0
    """The number of polls decided when the last new pair appeared."""
    _tries: int = 0
    """The number of its own ballots that this seat has promised in this poll."""
    _promised_at: float = -math.inf
    """The time of this seat's last promise in this poll, to any owner."""
    _given: dict[int, tuple[int, float]] = {}
    """For each owner, the number of our promises in this epoch, and the time of the last."""
    _seen_at: dict[bytes, float] = {}
    """The time at which each statement was first seen."""
    _is_forsaken: bool = False
    """The player was told that nobody with a vote is left."""
    _fruitless: object = None
    """The ballot, number of statements and step at which our ballot last allowed no value."""

    def left_out(self) -> int:
        """Return the bit set of the seats that our promises in the open poll leave out.

        0 if we have promised nothing, or have no seat.
        """
        promises = self.context.ledger.poll.cut.of(Promise).values()
        own = (each.without for each in promises if each.seat == self.context.seat)
        return reduce(or_, own, 0)

    # ---- signing statements ----

    def act(self) -> None:
        """Sign the statements that are due in the open poll, one after the other.

        Sign nothing in the lobby, without a vote, while a fault stops us, or while this key may not
        sign. Sign nothing, either, while the poll has no statements, nobody is missed and no coin
        has fallen. A seat that left before it could part does so now, even without a vote.
        """
        ledger = self.context.ledger
        if ledger.poll is not self._poll:
            self._begin(ledger.poll)
        seat = self.context.seat
        if seat is None or self.context.in_lobby:
            return
        if self.lifetime.has_left:
            self.part()  # it could not part when it left
        if not ledger.poll.cut.company & bit(seat):
            return
        has_fallen = isinstance(self.context.state.now, phases.CoinFallen)
        if not (ledger.poll.said or has_fallen) and self.wishes.are_none():
            self._agreed = frozenset()
            return
        if self.context.fault is not None or not self.journal.may_say() or self.recovery.lasts:
            return
        while self._say_next(seat) and ledger.poll is self._poll:
            pass

    def _begin(self, poll: Poll) -> None:
        """Begin a poll, or resume one after a restart; take in our journal's statements.

        The pauses before our ballots start over with a new poll, those between promises
        with a new epoch, and all of them after a restart. Tell the player of partings
        that reached us only as part of a decision's certificate.
        """
        was, self._poll = self._poll, poll
        decisions = self.context.ledger.decisions
        if was is not None:
            for each in (said for decision in decisions[self._decided :] for said in decision.said):
                self._tell_parting(each)
        self._decided = len(decisions)
        self._armed = None
        if was is None or (was.id, was.number) != (poll.id, poll.number):
            self._tries = 0
            self._promised_at = -math.inf
            self._seen_at = {}
            over = {each.name for decision in decisions[-1:] for each in decision.said}
            for peer in self.context.links.peers.values():
                # Keep these: a peer that has them may have decided without having told us yet.
                peer.shown &= over
        if was is None or was.id != poll.id:
            self._given = {}
        for each in tuple(self.journal.statements.values()):
            self.decisions.hear(each.signed, None)

    def _say_next(self, seat: int) -> bool:
        """Sign one statement if one is due; return True if one was signed."""
        voter = self.journal.bound(seat)
        if voter.left:
            return False
        own = self.wishes.misses()
        statement = (
            self._accept(voter)
            or self._proposal(voter)
            or self._promise(voter, own)
            or self._opening(voter, own)
        )
        if statement is None:
            return False
        self._sign(statement)
        return True

    def _sign(self, statement: Statement) -> None:
        said = sign_statement(self.context.signer, statement)
        if isinstance(statement, Accept):
            # A later promise names the accepted proposal, and others must be able to check it all.
            for each in self.context.ledger.poll.behind(statement.proposal):
                self.journal.write_statement(each)
        self.journal.write_statement(said)
        self.decisions.hear(said.signed, None)

    def _accept(self, voter: Voter) -> Statement | None:
        poll = self.context.ledger.poll
        for name, each in poll.cut.of(Proposal).items():
            if not may_accept(poll.cut, voter, name):
                continue
            if not takes_back(poll.cut, each, self._end()):
                return Accept(poll.id, poll.number, voter.seat, name)
            # It would undo part of our log; a ballot of ours takes that part into account.
            self._open_at = min(self._open_at, self.context.now)
        return None

    def _proposal(self, voter: Voter) -> Statement | None:
        poll, ballot = self.context.ledger.poll, voter.promised
        if ballot == NO_BALLOT or ballot.owner != voter.seat:
            return None
        if any(each.ballot == ballot for each in poll.cut.of(Proposal).values()):
            return None
        promised = seats_of(poll.cut.promises(ballot).values())
        parted = seats_of(poll.cut.partings(ballot).values())
        if not is_quorum(poll.cut.company, promised & ~parted, parted):
            return None
        awaited = poll.cut.company & ~parted & sum(map(bit, self.context.links.seats()))
        until = self._promised_at + limits.BALLOT_WAIT_S
        if awaited & ~promised and not self.context.reached(until):
            return None
        at = ballot, len(poll.said), self.context.state.step
        found = None if at == self._fruitless else best_proposal(poll.cut, ballot)
        if found is None:
            self._fruitless = at  # the 3,000 quorums of 14 seats are tried only once
            return None
        value, counted = found
        return Proposal(poll.id, poll.number, ballot, *value, counted)

    def _promise(self, voter: Voter, own: frozenset[bytes]) -> Statement | None:
        """Return a promise for the highest opened ballot whose owner's pauses are over, or None.

        We promise nothing to an owner that we miss: an owner that more than half miss could decide,
        over and over, that nobody goes. The promise is noted as given; the caller must sign it.
        """
        poll = self.context.ledger.poll
        missed = self._without(own)
        allowed = (
            each
            for each in poll.opened()
            if may_promise(poll.cut, voter, each) and not missed & bit(each.owner)
        )
        ballot = max(filter(self._may_promise, allowed), default=None)
        return None if ballot is None else self._promise_of(voter, ballot, own)

    def _promise_of(self, voter: Voter, ballot: Ballot, own: frozenset[bytes]) -> Promise:
        poll = self.context.ledger.poll
        times, _ = self._given.get(ballot.owner, (0, 0.0))
        self._given[ballot.owner] = times + 1, self.context.now
        self._promised_at = self.context.now
        self._tries += ballot.owner == voter.seat
        end = self._end().of(voter)
        return Promise(
            poll.id, poll.number, voter.seat, ballot, *end, self._without(own), voter.accepted
        )

    def _without(self, keys: frozenset[bytes]) -> int:
        """Return the bit set of the seats that these keys have now."""
        return sum(map(self.context.state.company.now.bit_of, keys))

    def _may_promise(self, ballot: Ballot) -> bool:
        """Return True if the pauses since our last promise, to anybody and to this owner, are over.

        The second pause doubles through all polls of an epoch. An owner whose ballots decide
        nothing therefore leaves more and more room to others, however high it bids.
        """
        times, last = self._given.get(ballot.owner, (0, -math.inf))
        pause = limits.BALLOT_PAUSE_MIN_S * 2 ** min(times - 1, 10)
        own = last + min(pause, limits.BALLOT_PAUSE_MAX_S)
        return self.context.reached(max(own, self._promised_at + limits.BALLOT_PAUSE_MIN_S))

    def _opening(self, voter: Voter, own: frozenset[bytes]) -> Statement | None:
        """Return a promise that opens a ballot of our own, or None.

        None without a reason for a ballot, before the pause is over, while no quorum is linked, and
        while we may not promise it. The pause starts over when the reasons change, and may be cut
        short when more seats agree on whom they miss. The promise is noted as given; the caller
        must sign it.
        """
        poll, state = self.context.ledger.poll, self.context.state
        is_over = isinstance(state.now, phases.Over)
        has_fallen = isinstance(state.now, phases.CoinFallen)
        before, self._agreed = self._agreed, self.wishes.agreed(own)
        reason = poll.cut.parted(), has_fallen, bool(self._agreed), voter.promised
        if is_over or not any((*reason[:3], voter.promised > NO_BALLOT)):
            self._armed = None
            return None
        has_grown = bool(self._agreed - before)
        if has_grown:
            self._asked_from = len(self.context.ledger.decisions)
        if reason != self._armed:
            self._armed = reason
            is_asked_again = not any((*reason[:2], voter.promised > NO_BALLOT))
            pause = self._pause(voter) + (self._rest() if is_asked_again else 0.0)
            self._open_at = self.context.now + pause
        elif has_grown:
            # Never later: a liar whose wish comes and goes could put the ballot off for ever.
            self._open_at = min(self._open_at, self.context.now + self._pause(voter))
        if not self.context.reached(self._open_at):
            return None
        counters = (each.ballot.counter for each in poll.cut.of(Promise).values())
        counter = max((*counters, voter.promised.counter), default=0) + 1
        ballot = Ballot(min(counter, furthest_counter(poll.cut, voter)), voter.seat)
        if not (may_promise(poll.cut, voter, ballot) and self._may_pass(ballot)):
            return None
        return self._promise_of(voter, ballot, own) if self._may_promise(ballot) else None

    def _may_pass(self, ballot: Ballot) -> bool:
        """Return True if a quorum is linked here; otherwise a ballot would bind only us."""
        cut = self.context.ledger.poll.cut
        parted = seats_of(cut.partings(ballot).values())
        return is_quorum(cut.company, self._here(ballot.owner, parted), parted)

    def _here(self, seat: int, parted: int) -> int:
        """Return the bit set of the voters, except those in `parted`, that are `seat` or linked."""
        linked = sum(map(bit, {seat, *self.context.links.seats()}))
        return self.context.ledger.poll.cut.company & ~parted & linked

    def _pause(self, voter: Voter) -> float:
        """Return how many seconds to wait, so that others can open a ballot first.

        At first 0 for the lowest voter among us and those linked. Otherwise random, and about twice
        as long after each of the first five tries.
        """
        poll = self.context.ledger.poll
        is_first = seats_in(self._here(voter.seat, poll.cut.parted()))[:1] == (voter.seat,)
        tries = min(self._tries + (voter.promised > NO_BALLOT), 5)
        if is_first and not tries:
            return 0.0
        chance = self.author.fresh("pause", poll.id, poll.number, tries)(2)
        share = 0.5 + int.from_bytes(chance, "big") / 2**16
        return float(limits.BALLOT_PAUSE_MIN_S * 2**tries * share)

    def _rest(self) -> float:
        """Return how many more seconds to wait after polls of this step in which nobody was let go.

        They double with each such poll, up to five; 0 if there was none. Polls decided before the
        latest voter agreed do not count: they were held without that vote, and a liar could have
        opened them to put this ballot off.
        """
        ledger, step = self.context.ledger, self.context.state.step
        asked = ledger.decisions[self._asked_from :][-5:]
        found = [d for d in asked if (d.book.id, d.step) == (ledger.poll.id, step)]
        return float(limits.BALLOT_PAUSE_MIN_S * 2 ** len(found)) if found else 0.0

    def _end(self) -> LogEnd:
        state = self.context.state
        return LogEnd(state.step, state.head, self.journal.has_filled())

    def part(self) -> None:
        """Leave this seat for good, by signing a parting, which binds for ever.

        In the lobby, for a newcomer, and while a fault stops us, nothing is signed: this process
        just stops writing. Nothing happens for a host in the lobby, in a game without a seat, once
        the game is over, or while this key may sign nothing in the poll. No second parting is
        signed.
        """
        context, ledger, seat = self.context, self.context.ledger, self.context.seat
        is_newcomer = seat in context.state.newcomers
        if (context.in_lobby and not context.is_host) or is_newcomer:
            self.lifetime.has_left = True
        if context.in_lobby or is_newcomer or seat not in context.state.present:
            return
        if isinstance(context.state.now, phases.Over) or not self.journal.may_say():
            return
        if context.fault is not None:  # a stopped seat signs nothing: it just writes no more
            self.lifetime.has_left = True
            return
        voter, poll = self.journal.bound(seat), ledger.poll
        self.lifetime.has_left = True
        ledger.pending.pop(seat, None)  # it has not been sent, and never will be
        if voter.left:
            return
        at = (poll.id, poll.number, seat, voter.promised, *self._end().of(voter))
        self._sign(Parting(*at, voter.accepted))

    # ---- telling others and the player here ----

    def tell(self) -> None:
        """Send each peer the statements that it has not seen.

        Tell the player once of each parting, and once if nobody with a vote is left.
        """
        for key, peer in self.context.links.at_table():
            self._show(key, peer)
        for each in self.context.ledger.poll.partings():
            self._tell_parting(each)
        self._tell_nobody_decides()

    def _tell_nobody_decides(self) -> None:
        """Tell the player, once, if nobody with a vote is left.

        Do nothing in the lobby, once the game is over, or if we have no seat or have left it.
        """
        context = self.context
        is_over = isinstance(context.state.now, phases.Over)
        if context.in_lobby or is_over or not context.sits(context.key) or self._is_forsaken:
            return
        if not self.lifetime.has_left and not self.wishes.have_say():
            self._is_forsaken = True
            context.outbox.notify(NobodyDecides())

    def _show(self, key: PeerKey, peer: Peer) -> None:
        """Send a peer the new statements of its open poll, if its log has reached that epoch.

        We may already have decided that poll, by an accept that nobody else has yet. Partings are
        sent in any epoch. Nothing is sent before the peer has told us its head.
        """
        ledger = self.context.ledger
        if peer.head is None:
            return
        poll = ledger.poll
        said = tuple(ledger.poll.said.values())
        if peer.head.polls < len(ledger.decisions):
            decision = ledger.decisions[peer.head.polls]
            poll, said = decision.book, decision.said
        elif peer.head.polls > len(ledger.decisions):
            said = ()
        ripe = peer.head.step >= self.context.state.company.began(poll.id)
        # A parting may be sent in any epoch: a peer that does not know its epoch keeps it.
        said = (*(said if ripe else ()), *ledger.poll.partings())
        new = [each for each in said if each.name not in peer.shown]
        due = [each for each in new if self._is_to_be_sent(each)]
        peer.shown.update(each.name for each in due)
        for piece in batches(each.signed for each in due):
            self.context.outbox.send(key, Statements(piece))

    def _is_to_be_sent(self, said: ReceivedStatement) -> bool:
        """Return True if a statement is to be sent now.

        A statement in our journal is sent at once. Others wait for `HEAD_S`, because their signers
        send them at once if they can.
        """
        since = self._seen_at.setdefault(said.name, self.context.now)
        return said.name in self.journal.statements or self.context.reached(since + limits.HEAD_S)

    def _tell_parting(self, said: ReceivedStatement) -> None:
        """Tell the player, once, that another seat has left for good; note why its link ends.

        Do nothing for a statement that is not a parting.
        """
        if said.name in self._farewells or not isinstance(said.statement, Parting):
            return
        self._farewells.add(said.name)
        key = key_of(self.context.state.company, said.statement)
        if key and key != self.context.key:
            self.presence.note_end(PeerKey(key), LinkEnd.LEFT)
            name = self.names.name_of(PeerKey(key))
            self.context.outbox.notify(SaidFarewell(name, *self.wishes.fewer_needed(key)))
