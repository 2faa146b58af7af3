"""Seats that together continue a log from any place, and may sign whatever they like.

There is one ledger and an author for every seat, without network or judge between them. They make
records in which all seats, or all but one, conspire. An honest seat's entry is made as an honest
program makes it; `bend` may replace it. `frames` collects everything signed, for a verifier that
must reach a verdict on it.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from engine.play.calls import call_by_itself
from engine.play.legal_moves import legal_moves
from engine.table.moves import Catch, Move, Quiet
from engine.table.trains import Seat
from lab.simulation.cheats.cheat import due_body
from lab.simulation.computers.clock import bug_at
from netgame.crypto.group import Entropy
from netgame.crypto.signing import SigningKey
from netgame.errors import Malformed, NetgameError
from netgame.limits import SHUFFLE_TILES_MAX as TILES_MAX
from netgame.protocol.epochs.cut import Validity
from netgame.protocol.epochs.voter import best_proposal
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import sign_entry, sign_statement
from netgame.protocol.log.fault import Accepted, Fault
from netgame.protocol.notices import DealPhase
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.peer.secrets.keyring import PendingPayload
from netgame.protocol.state.acts import turn_entry
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.session import due
from netgame.protocol.state.state import State
from netgame.wire.messages import Body, Payload, SignedEntry, SignedStatement
from netgame.wire.statements import Accept, Ballot, Promise, Proposal, Statement, bit, seats_in

Party = tuple["SigningKey", bytes]
"""A seat that conspires: its identity, and its secret of the table."""
Bend = Callable[[int, Statement], Statement]
"""Makes the statement that a seat signs instead of the given one."""


class HonestCrash(Exception):
    """An honest program would have crashed on this log, which must not happen on a good log."""


class _Mute(Exception):
    """An author has nothing to sign now."""


@contextmanager
def _honestly(*refusals: type[Exception]) -> Iterator[None]:
    """Run an honest program's work in the block, which may raise these refusals.

    Any other exception becomes a `HonestCrash`.
    """
    try:
        yield
    except refusals:
        raise
    except Exception as bug:
        raise HonestCrash(bug_at(bug)) from bug


class Conspiracy:
    """The conspiring seats of `parties`; they continue `ledger`, and `pick` chooses their moves."""

    def __init__(
        self,
        ledger: Ledger,
        parties: Mapping[bytes, Party],
        entropy: Entropy,
        pick: Callable[[int], int],
    ) -> None:
        self.ledger = ledger
        self.parties = parties
        self.entropy = entropy
        self.pick = pick
        self.frames: list[SignedEntry | SignedStatement] = []
        self.authors = {key: Author(key, secret, entropy) for key, (_, secret) in parties.items()}

    @property
    def state(self) -> State:
        """The state after everything that the log has accepted."""
        return self.ledger.state

    def author_of(self, seat: int) -> Author | None:
        """Return the conspirator who writes for a seat in the due step, or None if nobody does."""
        key = self.state.author_key(self.state.step, seat)
        return None if key is None else self.authors.get(key)

    def waiting(self) -> list[int]:
        """Return the seats whose entries for the due step are still missing."""
        return [seat for seat in due(self.state).authors if seat not in self.ledger.slots]

    def owed(self, seat: int) -> Payload | None:
        """Return the payload that an honest program would write for this seat now, or None.

        Raises `HonestCrash` if the program would crash.
        """
        author = self.author_of(seat)
        if author is None or self.state.phase is Phase.LOBBY:
            return None
        try:
            with _honestly(NetgameError, _Mute):
                said = self._said(author, seat)
                return said.run() if isinstance(said, PendingPayload) else said
        except (NetgameError, _Mute):
            return None

    def _said(self, author: Author, seat: int) -> Payload | PendingPayload:
        state = self.state
        if state.deal is not None and state.deal.phase is DealPhase.PROOF:
            making = author.dealer.shuffle_proof(state)
            if making is not None:
                author.dealer.keep_proof(state.deal.born, making())
        if state.phase is Phase.CALLS and state.table is not None:
            return turn_entry(call_by_itself(state.table, Seat(seat)))
        said = author.owed(state, chain_checked=True)
        if said is not None:
            return said
        if state.phase is Phase.OPENING_COMMIT:
            return self._opening(author)
        return author.turn(state, self._move(author))

    def _opening(self, author: Author) -> Payload:
        """Return the commitment to a whole opening, planned move by move."""
        for _ in range(TILES_MAX):
            opening = author.plan(self.state, self._move(author))
            if opening is not None:
                return author.seal(self.state, opening)
        raise _Mute

    def _move(self, author: Author) -> Move:
        table = author.table(self.state)
        hand = author.hand(self.state)
        if table is None or hand is None:
            raise _Mute
        moves = [each for each in legal_moves(table, hand) if not isinstance(each, Catch | Quiet)]
        if not moves:
            raise _Mute
        return moves[self.pick(len(moves))]

    def signed(
        self, seat: int, payload: Payload, bend: Callable[[Body], Body] = lambda body: body
    ) -> SignedEntry | None:
        """Return an entry of this seat in the due step, whose body `bend` may change.

        Return None if no conspirator can sign it.
        """
        key = self.state.author_key(self.state.step, seat)
        if key is None or key not in self.parties:
            return None
        return sign_entry(self.parties[key][0], bend(due_body(self.ledger, seat, payload)))

    def say(self, signed: SignedEntry) -> bool:
        """Put an entry into the log, without checking its proof. Return True if the log accepts it.

        Raises `HonestCrash` if an honest program would crash on it.
        """
        self.frames.append(signed)
        judged = self.ledger.judge(signed)
        if not isinstance(judged, Accepted):
            return False
        with _honestly():
            self.ledger.settle(judged.entry)
        return True

    # ---- who goes on ----

    def agree(self, without: Mapping[int, int], bend: Bend | None) -> bool:
        """Hold a poll among all who can sign. Return True if it decides.

        `without` maps a seat to the mask of the seats it would go on without. `bend` may replace
        any statement before it is signed. Nothing is signed if the poll has statements already.
        """
        poll, number = self.ledger.poll, len(self.ledger.decisions)
        voters = [seat for seat in seats_in(poll.cut.company) if self._signer(seat) is not None]
        if not voters or poll.said:
            return False
        ballot = Ballot(1, voters[0])
        for seat in voters:
            signed = self.ledger.slot(self.state.step, seat) is not None
            end = self.state.step, self.state.head, self.state.step - (not signed)
            names = without.get(seat, 0) & ~bit(seat)
            self._state(seat, Promise(poll.id, poll.number, seat, ballot, *end, names, b""), bend)
        found = best_proposal(poll.cut, ballot)
        if found is not None and self.ledger.poll is poll:
            value, counted = found
            made = Proposal(poll.id, poll.number, ballot, *value, counted)
            self._state(ballot.owner, made, bend)
        for name in [n for n, e in poll.cut.statements.items() if isinstance(e, Proposal)]:
            for seat in voters:
                if self.ledger.poll is poll and poll.cut.validity(name) is Validity.COUNTS:
                    self._state(seat, Accept(poll.id, poll.number, seat, name), bend)
        return len(self.ledger.decisions) > number

    def _signer(self, seat: int) -> SigningKey | None:
        key = self.state.company.now.keys[seat]
        return self.parties[key][0] if key in self.parties else None

    def _state(self, seat: int, statement: Statement, bend: Bend | None) -> None:
        """Sign a statement, or its bent form, and have the log hear it.

        Do nothing if the bent form is malformed.
        """
        signer = self._signer(seat)
        assert signer is not None
        bent = statement if bend is None else bend(seat, statement)
        try:
            said = sign_statement(signer, bent)
        except Malformed:
            return
        self.frames.append(said.signed)
        with _honestly():
            if not isinstance(self.ledger.hear(said), Fault):
                self.ledger.decide()
