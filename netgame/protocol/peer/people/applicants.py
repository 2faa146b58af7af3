"""Those who ask for a seat since the lobby: kept by every member, answered by the chair.

An applicant is a watcher that has asked for a seat. `Chair` decides who gets one.
[peer.md §6]
"""

from typing import Final

from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.chair import Asking, Chair
from netgame.protocol.peer.people.names import ScreenNames
from netgame.protocol.seating import LATER, NoSeat, SeatAsked, WhyNoSeat
from netgame.protocol.state.latecomers import is_coming, next_open_round
from netgame.protocol.state.phases import Phase
from netgame.wire.messages import Admit, JoinAnswer, JoinAsk


class Applicants(PeerPart):
    """Requests for a seat while the game is on: kept by every member, answered by the chair.

    The chair alone promises seats, as it alone gives them: another could not know of all who ask. A
    new chair answers those that wait.
    """

    names: ScreenNames
    chair: Chair
    waiting: dict[PeerKey, JoinAsk] = {}
    """In the order of first requests."""
    _answered: dict[PeerKey, JoinAnswer] = {}
    """Our answer to each, as the chair."""
    _told: dict[PeerKey, WhyNoSeat] = {}
    """Why our person was asked to say yes to each."""

    def granted(self) -> tuple[Admit, ...]:
        """The signed requests that we grant as the chair, in the order in which they came."""
        verdicts = self._verdicts()
        return tuple(
            _admit(ask) for key, ask in self.waiting.items() if verdicts.get(key, _STALE) is None
        )

    def _verdicts(self) -> dict[bytes, NoSeat | None]:
        return self.chair.verdicts(map(_admit, self.waiting.values()))

    def hear(self, key: PeerKey, ask: JoinAsk) -> None:
        """Take a request from somebody without a seat; a repeated one is answered again.

        `answer` sends the answer. Ignored after a fault, and where we do not belong here ourselves;
        one that is not good is refused, or its sender dropped.
        """
        context = self.context
        if context.fault is not None or not context.belongs(context.key) or context.sits(key):
            return
        request = context.links.request_of(key, ask)
        if request is not None:
            self.names.note(key, request.name)
            self.waiting[key] = ask
            self._answered.pop(key, None)

    def coming(self) -> tuple[str, ...]:
        """The names of those who get a seat at the next round, as far as this program can tell.

        They are in the order of their requests; somebody without a name here is left out.
        """
        if not self.waiting:
            return ()
        state, verdicts, names = self.context.state, self._verdicts(), self._names()
        return tuple(
            names[key]
            for key in self.waiting
            if key in names and (verdicts.get(key, _STALE) is None or is_coming(state, key))
        )

    def asking(self) -> tuple[Asking, ...]:
        """Those who ask for a seat, and get one once our person says yes; none if we do not chair.

        They are in the order of their requests; somebody without a name here is left out.
        """
        if not self.waiting or not self._chairs():
            return ()
        verdicts, names = self._verdicts(), self._names()
        found = ((key, verdicts.get(key)) for key in self.waiting if key in names)
        return tuple(
            Asking(key, names[key], no_seat.why)
            for key, no_seat in found
            if no_seat is not None and no_seat.why.may_be_lifted
        )

    def _names(self) -> dict[bytes, str]:
        """The names of members, and of those who watch here."""
        names = {member.key: member.name for member in self.context.state.members}
        return names | self.names.watchers()

    def _chairs(self) -> bool:
        """Whether we chair the table, and it gives seats at all."""
        context, state = self.context, self.context.state
        return bool(state.seats) and context.seat == state.chair and context.fault is None

    def withdraw(self, key: PeerKey) -> None:
        """Drop the request of this peer, which wants no seat any more."""
        for noted in (self.waiting, self._answered, self._told):
            noted.pop(key, None)

    def kick(self, key: PeerKey) -> None:
        """Give somebody without a seat none, as the chair; a promise is taken back.

        Nothing happens if another seat is the chair, or this key sits.
        """
        if self._chairs() and not self.context.sits(key):
            self.withdraw(key)
            self.chair.kick(key, self._names().get(key, ""))

    def answer(self) -> None:
        """Tell each applicant, as the chair, when the state of its request changes.

        Our person is told of each to whom they can say yes. A seated one is an applicant no more.
        Nothing is sent after a fault, or while our scores are signed.
        """
        context = self.context
        for key in [key for key in self.waiting if context.sits(key)]:
            self.withdraw(key)
        for key in self.waiting:
            self.chair.note_guest(key)
        if not self._chairs():
            self._answered.clear()  # another chair may answer otherwise before we chair again
            return
        if not self.waiting or self._has_signed_scores():
            return
        verdicts = self._verdicts()
        for key in self.waiting:
            if key in verdicts and not is_coming(context.state, key):
                self._answer(key, verdicts[key])
        self._ask_person()

    def _ask_person(self) -> None:
        """Tell our person of each who gets a seat if they say yes, once for each reason."""
        for each in self.asking():
            if self._told.get(each.key) is not each.why:
                self._told[each.key] = each.why
                self.context.notify_of(each.key, SeatAsked(each.name, each.fingerprint, each.why))

    def _answer(self, key: PeerKey, no_seat: NoSeat | None) -> None:
        """Send this key our answer, if it is not the last one sent."""
        if no_seat is None:
            answer = JoinAnswer(LATER, (next_open_round(self.context.state),))
        else:
            answer = no_seat.answer()
        if self._answered.get(key) != answer:
            self._answered[key] = answer
            self.context.outbox.send(key, answer)

    def _has_signed_scores(self) -> bool:
        """Whether our scores are signed and their step is not done: they give no more seats.

        Whoever asks now asks again when the log shows them.
        """
        state, seat = self.context.state, self.context.seat
        if state.phase is not Phase.SCORE or seat is None:
            return False
        return self.context.ledger.slot(state.step, seat) is not None


_STALE: Final = NoSeat(WhyNoSeat.FORMING)
"""Stands for the verdict on a request for another seating."""


def _admit(ask: JoinAsk) -> Admit:
    return Admit(ask.request, ask.signature)
