"""When this seat may sign, and how an entry of ours comes to be: made, signed, noted, judged."""

from dataclasses import dataclass
from typing import cast

from netgame.protocol.fold.session import due
from netgame.protocol.log.entry import read_entry, sign_entry
from netgame.protocol.notices import Trouble, TroubleKind
from netgame.protocol.peer.place import Place
from netgame.protocol.peer.receipt.receipt import Receipt
from netgame.protocol.peer.secrets.dealer import Making
from netgame.protocol.peer.standing.journal import Journal
from netgame.protocol.peer.standing.silence import Silence
from netgame.protocol.peer.standing.stay import Stay
from netgame.wire.messages import CHAIR, Body, Payload

_BEHIND_TOLD_S = 10.0
"""A seat whose own entries do not come back says so after this long."""


@dataclass(eq=False)
class Pen:
    """Signs for one seat; `begun` is the step for which our entry is being made, or has been."""

    place: Place
    journal: Journal
    silence: Silence
    stay: Stay
    receipt: Receipt
    begun: int | None = None
    _told: TroubleKind | None = None

    def may_sign(self) -> bool:
        """Whether this key may sign anything new for the due step."""
        if self.stay.has_left or self.silence.lasts():
            return False
        return self.journal.may_sign(self.place.ledger)

    def may_write(self) -> bool:
        """Whether our slot of the due step is ours to fill now."""
        state, seat = self.place.state, self.place.seat
        if self.place.fault is not None or seat is None or seat not in due(state).authors:
            return False
        if not self.may_sign() or self.begun == state.step or self.journal.has_filled(state.step):
            return False
        return self.place.ledger.slot(state.step, seat) is None

    def write(self, payload: Payload | Making) -> None:
        """Write our entry for the due step, now or when it is made."""
        step = self.begun = self.place.state.step
        if isinstance(payload, Making):
            self.place.outbox.work(payload.run, lambda made: self.made(step, cast("Payload", made)))
            return
        seat = CHAIR if self.place.in_lobby else self.place.seat
        assert seat is not None
        self.enter(seat, 0, payload)

    def made(self, step: int, payload: Payload) -> None:
        """Our entry for this step is made: write it, if the step is still due."""
        if self.place.fault is None and self.place.state.step == step:
            self.write(payload)

    def enter(self, seat: int, stage: int, payload: Payload) -> None:
        """Sign for the due step, note in the journal, and judge as if it had come from anybody."""
        state = self.place.state
        body = Body(state.log_id, state.step, state.head, seat, stage, payload)
        signed = sign_entry(self.place.signer, body)
        self.journal.add(read_entry(signed))
        self.receipt.offer(signed, None)

    def say_again(self, step: int) -> None:
        """What this key has signed for the due step is said again, in the same octets."""
        self.receipt.offer_again(step, self.journal.to_be_said_again(self.place.ledger))
        self._tell_trouble()

    def _tell_trouble(self) -> None:
        """Say once why this seat signs nothing, if what it has signed does not stand in the log."""
        place, kind = self.place, None
        if not place.sits(place.key) or self.silence.lasts():
            return
        if self.journal.is_void(place.ledger):
            kind = TroubleKind.OTHER_COURSE
        elif (
            self.journal.is_behind(place.ledger)
            and place.now >= self.silence.ended_at + _BEHIND_TOLD_S
        ):
            kind = TroubleKind.LOST_END
        if kind is not None and kind is not self._told:
            self._told = kind
            place.outbox.notify(Trouble(kind))
