"""What this seat writes in the due step: what it owes, what it calls, what a person decides."""

from dataclasses import dataclass

from engine.play.judge import why_illegal_holding
from engine.refusals import Refusal, RefusalReason
from engine.table.moves import Catch, Move, Quiet
from engine.table.trains import Seat
from netgame.limits import CALL_S
from netgame.protocol import notices
from netgame.protocol.fold.acts import turn_entry
from netgame.protocol.fold.latecomers import fitting
from netgame.protocol.fold.phases import Phase, Playing, SealingOpenings
from netgame.protocol.peer.entries.pen import Pen
from netgame.protocol.peer.people.applicants import Applicants
from netgame.protocol.peer.place import Place
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.peer.secrets.dealer import Making
from netgame.protocol.peer.standing.calls import Calling
from netgame.wire.messages import Payload, RoundOver


@dataclass(eq=False)
class Writer:
    """Fills our slots; `_announced` is the step in which the person here was told of their turn."""

    place: Place
    author: Author
    pen: Pen
    calling: Calling
    applicants: Applicants
    _announced: int | None = None

    def write_owed(self) -> None:
        """Fill our slot if what it takes needs no decision; else say that it is our turn."""
        state = self.place.state
        if self.place.in_lobby or not self.pen.may_write():
            return
        if state.phase is Phase.CALLS:
            self._write_call()
            return
        owed = self.author.owed(state, chain_checked=self.place.ledger.has_passed())
        if owed is not None:
            self.pen.write(self._with_latecomers(owed))
        elif self._may_decide() and self._announced != state.step:
            self._announced = state.step
            self.place.outbox.notify(notices.YourTurn())

    def _with_latecomers(self, owed: Payload | Making) -> Payload | Making:
        """The chair seats who has asked for a seat, with its scores."""
        state = self.place.state
        if not isinstance(owed, RoundOver) or self.place.seat != state.chair:
            return owed
        return RoundOver(owed.scores, fitting(state, self.applicants.wishes()))

    def _write_call(self) -> None:
        """Say what this seat calls, or tell the person here that they may."""
        state, seat = self.place.state, self.place.seat
        table = state.table
        assert table is not None
        assert seat is not None
        asked = self.calling.is_waiting()
        call = self.calling.answer(table, Seat(seat))
        if call is not None:
            self.pen.write(turn_entry(call))
        elif not asked:
            self.place.outbox.notify(notices.MayCall(CALL_S))

    def try_move(self, move: Move) -> Refusal | None:
        """Make our move, or say which rule is against it."""
        state = self.place.state
        table, hand = self.author.table(state), self.author.hand(state)
        if table is None or hand is None or not self.can_move():
            return Refusal(RefusalReason.ANOTHERS_TURN)
        if isinstance(move, Catch | Quiet):
            return Refusal(RefusalReason.NOTHING_TO_CALL)  # a step of its own asks for these
        refusal = why_illegal_holding(table, hand, move)
        if refusal is not None:
            return refusal
        if state.phase is Phase.OPENING_COMMIT:
            self._announced = None
            sealed = self.author.plan(state, move)
            if sealed is not None:
                self.pen.write(sealed)
        else:
            self.pen.write(self.author.turn(state, move))
        return None

    def can_move(self) -> bool:
        """Whether the table waits for a move of this seat."""
        return self._may_decide() and self.pen.may_write()

    def _may_decide(self) -> bool:
        """Whether the step that is due is one in which seats decide something."""
        return isinstance(self.place.state.now, Playing | SealingOpenings)
