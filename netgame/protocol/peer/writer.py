"""How one peer writes: what it owes the due step, what a person decides, when it speaks.

The part of a peer between `Progress`, which judges what comes, and `Seating`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from engine.play.legality import Refusal, RefusalReason, why_illegal_holding
from engine.table.moves import Call, Catch, Move, Quiet
from engine.table.trains import Seat
from netgame.limits import (
    ANSWERED_STEPS,
    CALL_S,
    HEAD_DELAY_S,
    HEAD_S,
    LEAVE_AFTER_S,
    MISSING_MAX,
    WATCHERS_GRACE_S,
)
from netgame.protocol import notices
from netgame.protocol.fold.deal import why_bad_chain
from netgame.protocol.fold.deck import Deal, DealPhase
from netgame.protocol.fold.latecomers import fitting
from netgame.protocol.fold.leavers import (
    are_outvoted,
    may_leave_unplayed,
    may_say_missing,
    poll_of,
)
from netgame.protocol.fold.phases import Phase, Playing, SealingOpenings
from netgame.protocol.fold.session import due
from netgame.protocol.fold.turn import bare_entry
from netgame.protocol.log.entry import Entry, filled_mask, read_entry, said, sign_entry
from netgame.protocol.log.fault import Finding
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.author import Making
from netgame.protocol.peer.effects import Effect, PeerKey
from netgame.protocol.peer.next_vote import VoteScene
from netgame.protocol.peer.progress import Progress
from netgame.protocol.peer.sight import build_view
from netgame.protocol.peer.sync import batches, is_ahead
from netgame.protocol.peer.view import TableView
from netgame.wire import messages as wire
from netgame.wire.codec import encode

_BEHIND_TOLD_S = 10.0
"""A seat whose own entries do not come back says so after this long."""

_NO_SECRET = "The secret of this seat is no longer on this computer, so nobody can play on for it."
_VOID = (
    "The others show another course of this game than the one your seat has signed on this "
    "computer. So that nobody can see your tiles, it signs nothing more in this round; the others "
    "can go on without it, and you can come back with the next round."
)
_BEHIND = (
    "The record of this table has lost its end. Your seat signs nothing until the others show "
    "the game up to where it had come."
)


class Writing(Progress):
    """The entries of one process at one table; see `Core` for the inputs."""

    def view(self) -> TableView:
        """A snapshot of what the person here may see."""
        return build_view(
            self.state,
            self.author,
            {key for key, peer in self.peers.items() if peer.greeted},
            self.fault,
            self._deal_note,
            can_move=self._is_my_turn(),
        )

    def flush(self) -> tuple[Effect, ...]:
        """Follow up on what has changed, and hand over all effects in order."""
        self._advance()
        self._pace()
        out, self._out = tuple(self._out), []
        return out

    # ---- what a person here may call, and whom they vote to give up ----

    def attend(self, now: float) -> tuple[Effect, ...]:
        """A person sits here: calls are theirs to make, and they get the time for it."""
        self.now = now
        self.calling.attended = True
        return self.flush()

    def call(self, move: Call, now: float) -> tuple[Effect, ...] | Refusal:
        """Tell of the last tile, or catch who has not; a refusal changes nothing."""
        self.now = now
        refusal = self.calling.say(self.state.table, move)
        return self.flush() if refusal is None else refusal

    def go_on_without(self, keys: Iterable[bytes], now: float) -> tuple[Effect, ...]:
        """Vote to give up who holds these keys, wherever the table waits for them.

        All others have to, and they must be more than half of who is still there.
        """
        self.now = now
        found = (self.state.seat_of(key) for key in keys)
        self.give_up(frozenset(seat for seat in found if seat is not None))
        return self.flush()

    # ---- writing ----

    def _advance(self) -> None:
        """Take what waited for the due step and write what we owe, until nothing moves."""
        while self.fault is None and self.table_id:
            step = self.state.step
            if self._is_elsewhere:
                return
            if self.author.has_lost_secret(self.state) and not self._is_quiet():
                self._table_is_gone(_NO_SECRET)
                return
            self._offer_kept(step)
            self._say_again(step)
            self._offer_aside(step)
            self._prove_and_check_deck()
            self._write_owed()
            self._give_up()
            if self.state.step == step:
                return

    def _offer_kept(self, step: int) -> None:
        """Judge what came before its step was due."""
        for entry in self._held.take(step):
            self.offer(entry.signed, None)
        for peer in self.peers.values():
            if peer.evidence and peer.evidence[0].step <= step:
                ripe, peer.evidence = peer.evidence, ()
                for entry in ripe:
                    self.offer(entry.signed, None)

    def _offer_aside(self, step: int) -> None:
        """Judge once more what did not count, as its seat had been named, and may count now."""
        for entry in tuple(self.aside.of(step).values()):
            if self.state.step == step and not self.ledger.holds(entry):
                self.offer(entry.signed, None)

    def _answer(self, entry: Entry, sender: PeerKey) -> None:
        """Others can close a step as we have, with all entries, once we say that we have."""
        step, asked, peer = entry.step, said(entry, wire.Missing), self.peers.get(sender)
        if self._has_left or self._is_quiet() or self.journal.is_void(self.ledger):
            return
        is_open = peer is not None and peer.head is not None and peer.head.step <= step
        if not is_open or step < self.state.step - ANSWERED_STEPS:
            return
        own = self.ledger.seat_at(step, self.key)
        answer = self.journal.answer(step, asked.ballot, asked.seats)
        if answer is None and own is not None and self.journal.may_answer(step):
            stage, place = self.journal.next_stage(step), (step, self.ledger.head_before(step), own)
            body = wire.Body(self.state.log_id_at(step), *place, stage, asked)
            answer = read_entry(sign_entry(self.signer, body))
            self.journal.keep(answer)
            self.emit(fx.Journalled(encode(wire.RecordEntry(answer.signed))))
        if answer is not None:
            self.send(sender, wire.Entries((answer.signed,)))

    def _say_again(self, step: int) -> None:
        """What this key has signed for the due step is said again, in the same octets."""
        for entry in self.journal.to_be_said_again(self.ledger):
            if self.state.step == step and not self.ledger.holds(entry):
                self.offer(entry.signed, None)
        self._tell_standing()

    def _tell_standing(self) -> None:
        """Say once why this seat signs nothing, if what it has signed does not stand in the log."""
        own, sentence = self.author.seat(self.state), ""
        if own is None or own not in self.state.present or self._is_quiet():
            return
        if self.journal.is_void(self.ledger):
            sentence = _VOID
        elif self.journal.is_behind(self.ledger) and self.now >= self._behind_told_at:
            sentence = _BEHIND
        if sentence and sentence != self._standing_told:
            self._standing_told = sentence
            self.notify(notices.Trouble(sentence))

    def _prove_and_check_deck(self) -> None:
        """Start, once each, the proof of our link of the chain and the check of the others'."""
        deal = self.state.deal
        if deal is None or self.fault is not None:
            return
        this = (self.state.log_id, deal.born)
        if self._proving != this:
            making = self.author.shuffle_proof(self.state)
            if making is not None:
                self._proving = this
                self.work(making.run, lambda made: self._proof_made(deal.born, made), long=True)
        if deal.phase is DealPhase.CHECKED and self._chain != this:
            self._chain = this
            proofs, own = self.ledger.proofs(deal), self.author.seat(self.state)
            entropy = self.author.fresh()
            self.work(
                lambda: why_bad_chain(deal, proofs, entropy, own),
                lambda found: self._chain_checked(deal, found),
                long=True,
                checks=this,
            )

    def _proof_made(self, born: int, made: object) -> None:
        self.author.keep_proof(born, cast("wire.Proof", made))

    def _chain_checked(self, deal: Deal, found: object) -> None:
        """The proofs of a deal's chain have been checked; it may have been thrown away since."""
        if self.fault is not None:
            return
        if found is not None:
            seat, finding = cast("tuple[int, Finding]", found)
            self.convict(self.ledger.chain_fault(deal, seat, finding))
        elif deal == self.state.deal:
            self._moved_on(self.ledger.pass_chain(self.ledger.chain))

    def may_write(self) -> bool:
        """Whether our slot of the due step is ours to fill now."""
        state = self.state
        seat = self.author.seat(state)
        if self.fault is not None or seat is None or seat not in due(state).authors:
            return False
        if self._has_left or self._is_quiet() or self._writing == state.step:
            return False
        if self.journal.has_filled(state.step) or not self.journal.may_sign(self.ledger):
            return False
        return self.ledger.slot(state.step, seat) is None

    def _is_quiet(self) -> bool:
        """Whether this seat, just started again, has to hear more before it signs anything."""
        if self.quiet.is_over:
            return False
        own, step = self.author.seat(self.state), self.state.step
        without = frozenset[int]() if own is None else self.ledger.missing.named_by(own)
        others = {member.key for member in self.state.members} - {self.key}
        heads = [
            peer.head
            for key, peer in self.peers.items()
            if peer.greeted and peer.head and self._is_asked(key, without)
        ]
        filled = frozenset(self.ledger.slots) | without  # whose entries we take no more
        if self.quiet.lasts(
            {key for key in others if self._is_asked(key, without)},
            step,
            self.now,
            is_answered=bool(heads),
            is_behind=any(is_ahead(head, step, filled) for head in heads),
            has_signed=self.journal.mark >= 0,
        ):
            return True
        self._behind_told_at = self.now + _BEHIND_TOLD_S
        return False

    def _is_asked(self, key: bytes, without: frozenset[int]) -> bool:
        """Whether the head of this peer says what we may have forgotten.

        Who has left, or is given up by us, may go on by itself for ever.
        """
        if self.state.phase is Phase.LOBBY:
            return self._belongs(key)
        return self.state.seat_of(key) in frozenset(self.state.present) - without

    def _give_up(self) -> None:
        """Say that somebody is missing, if it is time to; once for the same seats."""
        state, seat = self.state, self.author.seat(self.state)
        linked = (state.seat_of(key) for key, peer in self.peers.items() if peer.greeted)
        here = frozenset(each for each in (*linked, seat) if each is not None)
        self.watch.look(state, here, self.now)
        if seat is None or seat not in state.present or self.fault is not None:
            return
        if self._has_left or self._is_quiet():
            return
        if not self.journal.may_sign(self.ledger):
            return
        if seat in due(state).authors and seat not in self.ledger.slots:
            self._give_up_unplayed(seat)
            return  # what we say is missing shows others that ours is not: so ours comes first
        scene = self._scene(seat)
        naming = self.watch.say(state, scene, self.now, attended=self.calling.attended)
        if naming is not None:
            ballot, seats, whole = naming
            leaves = () if are_outvoted(scene.poll, seats) else self.watch.have_left(state, seats)
            mask = filled_mask(tuple(seats))
            self._say_missing(
                seat, wire.Missing(mask, ballot, leaves or (), whole=whole, unplayed=False)
            )

    def _scene(self, seat: int) -> VoteScene:
        """What decides whether this seat says that somebody is missing."""
        ledger, authors = self.ledger, frozenset(due(self.state).authors)
        aside = self.aside.of(self.state.step).keys()
        lacking = authors - ledger.slots.keys() - ledger.pending.keys() - aside
        return VoteScene(poll_of(self.state), seat, lacking, not lacking, ledger.missing)

    def _give_up_unplayed(self, seat: int) -> None:
        """Everybody else has left for good: the turn that is ours need not be played."""
        state, others = self.state, frozenset(self.state.present) - {seat}
        leaves = self.watch.have_left(state, others)
        if leaves and self.may_write() and may_leave_unplayed(poll_of(state), others):
            mask = filled_mask(tuple(others))
            self._say_missing(seat, wire.Missing(mask, 0, leaves, whole=False, unplayed=True))

    def _say_missing(self, seat: int, payload: wire.Missing) -> None:
        state, stage = self.state, self.ledger.missing.next_stage(seat)
        if stage <= MISSING_MAX and may_say_missing(poll_of(state), seat, payload):
            self._offer_signed(
                wire.Body(state.log_id, state.step, state.head, seat, stage, payload)
            )

    def give_up(self, seats: frozenset[int]) -> None:
        """A person here votes to go on without these, in whatever step waits for them."""
        self.watch.wanted = seats & frozenset(self.state.present)

    def _write_owed(self) -> None:
        """Fill our slot if what it takes needs no decision; else say that it is our turn."""
        state = self.state
        if state.phase is Phase.LOBBY or not self.may_write():
            return
        if state.phase is Phase.CALLS:
            self._write_call()
            return
        owed = self.author.owed(state, chain_checked=self.ledger.has_passed())
        if owed is not None:
            self.write(self._with_latecomers(owed))
        elif self._may_decide() and self._announced != state.step:
            self._announced = state.step
            self.notify(notices.YourTurn())

    def _with_latecomers(self, owed: wire.Payload | Making) -> wire.Payload | Making:
        """The chair seats who has asked for a seat, with its scores."""
        state = self.state
        if not isinstance(owed, wire.RoundOver) or self.author.seat(state) != state.chair:
            return owed
        asked = tuple(wire.Admit(*each) for each in self._asking())
        return wire.RoundOver(owed.scores, fitting(state, asked))

    def _asking(self) -> Iterator[tuple[bytes, bytes]]:
        """The requests of who watches and would sit, in the order in which they came."""
        return ((each.request, each.signature) for each in self.applicants.values())

    def _write_call(self) -> None:
        """Say what this seat calls, or tell the person here that they may."""
        step, table, seat = self.state.step, self.state.table, self.author.seat(self.state)
        assert table is not None
        assert seat is not None
        asked = self.calling.is_waiting(step)
        call = self.calling.answer(table, Seat(seat), step, self.now)
        if call is not None:
            self.write(bare_entry(call))
        elif not asked:
            self.notify(notices.MayCall(CALL_S))

    def write(self, payload: wire.Payload | Making) -> None:
        """Write our entry for the due step, now or when it is made."""
        state, step = self.state, self.state.step
        self._writing = step
        if isinstance(payload, Making):
            self.work(payload.run, lambda made: self._sign(step, cast("wire.Payload", made)))
            return
        seat = wire.CHAIR if state.phase is Phase.LOBBY else self.author.seat(state)
        assert seat is not None
        self._offer_signed(wire.Body(state.log_id, step, state.head, seat, 0, payload))

    def _offer_signed(self, body: wire.Body) -> None:
        """Sign, note in the journal, and judge as if it had come from anybody."""
        signed = sign_entry(self.signer, body)
        self.journal.add(read_entry(signed))
        self.offer(signed, None)

    def _sign(self, step: int, payload: wire.Payload) -> None:
        if self.fault is None and self.state.step == step:
            self.write(payload)

    def try_move(self, move: Move) -> Refusal | None:
        """Make our move, or say which rule is against it."""
        state = self.state
        table, hand = self.author.table(state), self.author.hand(state)
        if table is None or hand is None or not self._is_my_turn():
            return Refusal(RefusalReason.ANOTHERS_TURN)
        if isinstance(move, Catch | Quiet):  # a step of its own asks for these
            return Refusal(RefusalReason.NOTHING_TO_CALL)
        refusal = why_illegal_holding(table, hand, move)
        if refusal is not None:
            return refusal
        if state.phase is Phase.OPENING_COMMIT:
            self._announced = None
            sealed = self.author.plan(state, move)
            if sealed is not None:
                self.write(sealed)
        else:
            self.write(self.author.turn(state, move))
        return None

    def _is_my_turn(self) -> bool:
        return self._may_decide() and self.may_write()

    def _may_decide(self) -> bool:
        """Whether the step that is due is one in which seats decide something."""
        state = self.state
        return isinstance(state.now, Playing | SealingOpenings)

    # ---- time ----

    def _pace(self) -> None:
        """Tell our head soon after it changed and every second; leave when all is done."""
        state = self.state
        mark = (state.step, self.ledger.filled())
        if mark != self._told and self._tell_at is None:
            self._tell_at = self.now + HEAD_DELAY_S
        if state.phase is Phase.OVER and self._leave_at is None:
            self._leave_at = self.now + LEAVE_AFTER_S
            self._tell_at = self.now
        if self.now >= self._beat_at or self._tell_is_due():
            self._told, self._tell_at, self._beat_at = mark, None, self.now + HEAD_S
            self.tell_all(wire.Head(state.step, state.head, mark[1]))
            for piece in batches(each.signed for each in self.ledger.missing.values()):
                self.tell_all(wire.Entries(piece))
        if not self._finished and self._leave_at is not None and self._may_leave():
            self._finished = True
            self.emit(fx.Finished())
        at = min(self._beat_at, self._tell_at or self._beat_at)
        self.emit(fx.Wake(min(at, self.calling.wake_at(state.step, self.now) or at)))

    def _tell_is_due(self) -> bool:
        return self._tell_at is not None and self.now >= self._tell_at

    def _may_leave(self) -> bool:
        """Whether every member is known to have the whole log, or has been waited for enough."""
        assert self._leave_at is not None
        if self.now >= self._leave_at:
            return True
        others = (member.key for member in self.state.members if member.key != self.key)
        if self.fault is not None or not all(self._has_all(key) for key in others):
            return False
        patient = self.now < self._leave_at - LEAVE_AFTER_S + WATCHERS_GRACE_S
        return not (patient and self._watcher_lacks_something())

    def _watcher_lacks_something(self) -> bool:
        """Whether somebody who looks on over a link to us has not got all of the log yet."""
        own, here = (self.state.step, self.state.head), self.peers.items()
        guests = [peer for key, peer in here if peer.greeted and not self._belongs(key)]
        heads = [peer.head for peer in guests if not peer.dropped]
        return any(head is None or (head.step, head.digest) != own for head in heads)

    def _has_all(self, key: bytes) -> bool:
        head = self._last_heads.get(key)
        return head is not None and (head.step, head.digest) == (self.state.step, self.state.head)
