"""The writer of this seat: fills its slot of the due step, and signs its entries."""

from functools import partial
from typing import assert_never

from engine.play.calls import call_by_itself, calls_due, has_just_played, offenders
from engine.play.judge import why_illegal, why_illegal_holding
from engine.refusals import Refusal, RefusalReason
from engine.table.moves import Call, Catch, Move, Quiet
from engine.table.table import Table
from engine.table.trains import Seat
from netgame.crypto.group import forget_points
from netgame.limits import CALL_S
from netgame.protocol import notices
from netgame.protocol.epochs.cut import is_quorum
from netgame.protocol.ledger.verdict import seat_name
from netgame.protocol.log.entry import read_entry, sign_entry
from netgame.protocol.log.fault import Finding, ProofKind
from netgame.protocol.notices import DealPhase, Trouble, TroubleKind
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.people.applicants import Applicants
from netgame.protocol.peer.people.franchise import Franchise
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.peer.secrets.keyring import PendingPayload
from netgame.protocol.peer.status.faults import Faults
from netgame.protocol.peer.status.journal import Astray, Behind, InDoubt, Journal, UpToDate
from netgame.protocol.peer.status.lifetime import Lifetime
from netgame.protocol.peer.status.proofs import CheckedProofs
from netgame.protocol.peer.status.recovery import Recovery
from netgame.protocol.peer.sync.intake import Intake
from netgame.protocol.state.acts import turn_entry
from netgame.protocol.state.deal import why_bad_chain
from netgame.protocol.state.deck import ChainId, Deal
from netgame.protocol.state.phases import Choosing, HearingCalls, Phase, ShowingOpenings
from netgame.protocol.state.session import due
from netgame.wire.messages import CHAIR, Body, Payload, Proof, RoundOver, SignedEntry
from netgame.wire.statements import bit

_BEHIND_TOLD_S = 10.0
"""After this long, a seat whose own entries do not come back tells its player."""


class EntrySigner(PeerPart):
    """Signs the entries of one seat."""

    journal: Journal
    recovery: Recovery
    lifetime: Lifetime
    intake: Intake
    begun: tuple[bytes, int] | None = None
    """The epoch and step of the last entry that we began to write."""
    _told: TroubleKind | None = None
    """The trouble that the player was told of, while it lasts."""
    _claimants: set[bytes] = set()
    """The keys whose claims the player was told of."""

    def may_sign(self) -> bool:
        """Return True if this key may sign something new for the due step, even if it owes nothing.

        False after a parting, during a recovery, if another process signs with our key, or if the
        journal or a promise in a poll forbids it.
        """
        if self.lifetime.has_left or self.lifetime.is_elsewhere or self.recovery.lasts:
            return False
        if not self.journal.may_sign():
            return False
        seat = self.context.seat
        return seat is None or self.journal.bound(seat).may_write(self.context.state.step)

    def may_write(self) -> bool:
        """Return True if our slot of the due step is empty and we may fill it now.

        False if we are not due, while a fault stops us, or once we began an entry for the step.
        """
        state, seat = self.context.state, self.context.seat
        if self.context.fault is not None or seat is None or seat not in due(state).authors:
            return False
        if self.begun == self.context.due() or not self.may_sign():
            return False
        return self.context.ledger.slot(state.step, seat) is None

    def write(self, payload: Payload | PendingPayload) -> None:
        """Write our entry for the due step, now or once its payload is made; see `signed`.

        The entry is noted in the journal, and judged like anybody's.
        """
        at = self.begun = self.context.due()
        if isinstance(payload, PendingPayload):
            self.context.outbox.work(payload.run, partial(self.made, at))
            return
        signed = self.signed(payload)
        self.journal.add(read_entry(signed))
        self.intake.offer(signed, None)

    def made(self, at: tuple[bytes, int], payload: Payload) -> None:
        """Write a payload that has been made, if its step is still due and we may sign.

        If we may not sign at the moment, the payload is made again later.
        """
        if self.context.due() != at:
            return
        if self.context.fault is None and self.may_sign():
            self.write(payload)
        else:
            self.begun = None

    def signed(self, payload: Payload) -> SignedEntry:
        """Return our signed entry for the due step: in the lobby as `CHAIR`, later for our seat."""
        state = self.context.state
        poll = self.context.ledger.poll.number
        seat = CHAIR if self.context.in_lobby else self.context.seat
        # After the lobby we only write where our seat owes an entry.
        assert seat is not None
        body = Body(state.log_id, state.step, state.head, seat, poll, payload)
        return sign_entry(self.context.signer, body)

    def say_again(self, step: int) -> None:
        """Offer again the entry that this key has signed for the due step, as the same octets.

        A seat that has parted, or that a fault stops, offers nothing. In any case, the journal then
        drops old entries from memory.
        """
        if not self.lifetime.has_left and self.context.fault is None:
            self.intake.offer_again(step, self.journal.to_be_said_again())
        self.journal.forget_done()

    def _tell_claims(self) -> None:
        """Tell the player, once each, whose claims of a longer log keep us from signing."""
        for key in self.recovery.claimants():
            if key not in self._claimants:
                self._claimants.add(key)
                name = seat_name(self.context.state, key)
                self.context.outbox.notify(Trouble(TroubleKind.CLAIMS_MORE, (name,)))

    def recover(self) -> None:
        """Check whether our seat has recovered, and tell the player why it signs nothing.

        A reason is told once while it lasts, and again if it ends and comes back. During a recovery
        only claims are told. Does nothing without a seat.
        """
        if not self.context.sits(self.context.key):
            return
        self.recovery.look()
        if self.recovery.lasts:
            self._tell_claims()
            return
        trouble, before = self._trouble(), self._told
        self._told = None if trouble is None else trouble.kind
        if trouble is not None and trouble.kind is not before:
            self.context.outbox.notify(trouble)

    def _trouble(self) -> Trouble | None:
        """Return the trouble that the journal shows, or None if there is none to tell yet."""
        match self.journal.state():
            case InDoubt():
                return self.doubt()
            case Astray():
                return Trouble(TroubleKind.OTHER_COURSE)
            case Behind():
                is_long = self.context.reached(self.recovery.ended_at + _BEHIND_TOLD_S)
                return Trouble(TroubleKind.LOST_END) if is_long else None
            case UpToDate():
                return None
            case never:
                assert_never(never)

    def doubt(self) -> Trouble:
        """Return the trouble of a seat in doubt, with the number of votes needed to remove it.

        If the others are too few for that, return a trouble that says so.
        """
        cut, seat = self.context.ledger.poll.cut, self.context.seat
        parted = cut.parted()
        say = cut.company & ~parted
        others = say if seat is None else say & ~bit(seat)
        if not is_quorum(cut.company, others, parted):
            return Trouble(TroubleKind.NO_WAY_ON)
        return Trouble(TroubleKind.JOURNAL_DOUBT, (str(say.bit_count() // 2 + 1),))


class Calling(PeerPart):
    """The calls of this seat when all may speak. [docs/rules.md §7.7, protocol.md §4.4]

    An unattended seat announces its last tile, and catches a seat that has let a turn go by. An
    attended seat waits for its player in the first step after the offender's turn.
    """

    _said: tuple[int, Call] | None = None
    """The round, and the call that the player made in it."""
    _at: tuple[bytes, int] = (b"", -1)
    """The epoch and step in which the player last got time to call."""
    _until: float = 0.0
    """The end of that time."""

    def say(self, move: Call) -> Refusal | None:
        """Remember a call for the step in which all may speak; return its refusal, if any."""
        table = self.context.state.table
        if table is None or not calls_due(table):
            return Refusal(RefusalReason.NOTHING_TO_CALL)
        refusal = why_illegal(table, move)
        if refusal is None:
            self._said = table.round_number, move
        return refusal

    def answer(self, table: Table, seat: Seat) -> Call | None:
        """Return the call for this step, or None while the player here may still make one.

        A call that the player made is returned if it is still allowed, and forgotten either way.
        Otherwise the call is `Quiet` once the player's time is over, or at once if no seat with an
        unannounced last tile has just played. An unattended seat calls by itself, at once.
        """
        if not self.context.attended:
            return call_by_itself(table, seat)
        said, self._said = self._said, None
        if said is not None and said[0] == table.round_number and not why_illegal(table, said[1]):
            return said[1]
        return None if self._is_open(table) else Quiet(seat)

    def is_waiting(self) -> bool:
        """Return True if the player has been given time to call in this step."""
        return self.context.due() == self._at

    def _is_open(self, table: Table) -> bool:
        if not self.is_waiting():
            if not any(has_just_played(table, offender) for offender in offenders(table)):
                return False
            self._at, self._until = self.context.due(), self.context.now + CALL_S
        return not self.context.reached(self._until)


class DeckWork(PeerPart):
    """The slow work on a deck in the making: proving our shuffle and checking the chain."""

    author: Author
    faults: Faults
    intake: Intake
    proofs: CheckedProofs
    _proving: ChainId | None = None
    """The chain whose link we prove, or have proved."""
    _checking: ChainId | None = None
    """The chain that we check, or have checked."""

    def begin(self) -> None:
        """Start, once each, the proof of our link and the check of the chain.

        Does nothing without a deal in the making, or while the log shows a fault.
        """
        ledger, state = self.context.ledger, self.context.state
        deal = state.deal
        if deal is None or self.faults.is_closed():
            return
        this = (state.log_id, deal.born)
        if self._proving != this:
            making = self.author.dealer.shuffle_proof(state)
            if making is not None:
                self._proving = this
                self.context.outbox.work(
                    making, partial(self.author.dealer.keep_proof, deal.born), long=True
                )
        if deal.phase is DealPhase.CHECKED and self._checking != this:
            self._checking = this
            proofs = ledger.proofs(deal)
            entropy = self.author.fresh()
            is_bot = self.context.bot
            own = self._unchecked()
            self.context.outbox.work(
                lambda: why_bad_chain(deal, proofs, entropy, own),
                partial(self.checked, deal, proofs),
                long=True,
                checks=this,
                same=(deal, proofs) if is_bot else None,
            )

    def _unchecked(self) -> int | None:
        """Return the seat whose link we need not check: our own.

        None for a bot: the bots of one process share one check, so it covers every link.
        """
        return None if self.context.bot else self.context.seat

    def checked(
        self, deal: Deal, proofs: tuple[Proof, ...], found: tuple[int, Finding] | None
    ) -> None:
        """Take the result of checking a deal's chain: None if it is good, else who failed and why.

        A false proof convicts as long as the log has it, even if the deal was dropped meanwhile. A
        good chain counts only while that deal is still in the making.
        """
        ledger = self.context.ledger
        if self.faults.is_closed():
            return
        if found is None:
            own = self._unchecked()
            self.proofs.note(ProofKind.SHUFFLE for seat in deal.authors if seat != own)
        if found is not None:
            fault = ledger.chain_fault(deal, proofs, *found)
            if fault is not None:
                self.faults.convict(fault)
        elif deal == self.context.state.deal:
            forget_points()  # nobody needs the points of the chain's proofs again
            self.intake.moved_on(ledger.pass_chain(ledger.chain))


class Writer(PeerPart):
    """Fills the slots of this seat, by itself or with the player's moves."""

    author: Author
    entry_signer: EntrySigner
    calling: Calling
    applicants: Applicants
    franchise: Franchise
    _announced: tuple[bytes, int, int] | None = None
    """The epoch, poll and step of the last turn announced."""

    def write_owed(self) -> None:
        """Fill our slot if that takes no decision; otherwise tell the player that it is their turn.

        The player is told once a turn. If the journal has lost the player's opening, they are told
        of that once instead. Does nothing in the lobby, or if we may not write.
        """
        state, seat = self.context.state, self.context.seat
        if self.context.in_lobby or seat is None or not self.entry_signer.may_write():
            return
        if isinstance(state.now, HearingCalls):
            self._write_call(state.now.round.table, Seat(seat))
            return
        owed = self.author.owed(state, chain_checked=self.context.ledger.has_passed())
        if owed is not None:
            self.entry_signer.write(self._with_grants(owed))
            return
        now = state.log_id, self.context.ledger.poll.number, state.step
        if self._announced == now:
            return
        if self._may_decide():
            self._announced = now
            self.context.outbox.notify(notices.YourTurn())
        elif isinstance(state.now, ShowingOpenings):
            self._announced = now
            self.context.outbox.notify(self.entry_signer.doubt())

    def _with_grants(self, owed: Payload | PendingPayload) -> Payload | PendingPayload:
        """Return our scores with the guests that we name for a vote and, as chair, those we seat.

        Any other payload is returned as it is.
        """
        if not isinstance(owed, RoundOver):
            return owed
        chairs = self.context.seat == self.context.state.chair
        coming = self.applicants.granted() if chairs else ()
        return RoundOver(owed.scores, coming, self.franchise.names())

    def _write_call(self, table: Table, seat: Seat) -> None:
        """Write this seat's call, or tell the player once that they may call."""
        asked = self.calling.is_waiting()
        call = self.calling.answer(table, seat)
        if call is not None:
            self.entry_signer.write(turn_entry(call))
        elif not asked:
            self.context.outbox.notify(notices.MayCall(CALL_S))

    def try_move(self, move: Move) -> Refusal | None:
        """Make our move, or return its refusal.

        A sealed opening is written once it is whole; until then its moves are only kept. Calls
        other than a tap are refused.
        """
        state = self.context.state
        table, hand = self.author.table(state), self.author.hand(state)
        if table is None or hand is None or not self.can_move():
            return Refusal(RefusalReason.ANOTHERS_TURN)
        if isinstance(move, Catch | Quiet):
            return Refusal(RefusalReason.NOTHING_TO_CALL)  # these belong in a step of their own
        refusal = why_illegal_holding(table, hand, move)
        if refusal is not None:
            return refusal
        if state.phase is Phase.OPENING_COMMIT:
            # The next tile of an opening is announced as a turn of its own, in the same step.
            self._announced = None
            opening = self.author.plan(state, move)
            if opening is not None:
                self.entry_signer.journal.write_opening(opening)
                self.entry_signer.write(self.author.seal(state, opening))
        else:
            self.entry_signer.write(self.author.turn(state, move))
        return None

    def can_move(self) -> bool:
        """Return True if the table waits for a move of this seat, and it may sign one."""
        return self._may_decide() and self.entry_signer.may_write()

    def _may_decide(self) -> bool:
        """Return True if the due step is one in which players choose what their seats write."""
        return isinstance(self.context.state.now, Choosing)
