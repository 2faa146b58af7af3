"""The applicants for a seat once the lobby is closed [peer.md §6].

An applicant is a watcher that has asked for a seat. `Chair` decides who gets one.
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
    """Requests for a seat during the game: every member keeps them, and the chair answers them.

    Only the chair promises seats, because it alone gives them, and no other seat can know of all
    applicants. A new chair answers everybody who waits.
    """

    names: ScreenNames
    chair: Chair
    waiting: dict[PeerKey, JoinAsk] = {}
    """The last request of each applicant, in the order of their first requests."""
    _answered: dict[PeerKey, JoinAnswer] = {}
    """The last answer that we sent to each applicant as the chair."""
    _told: dict[PeerKey, WhyNoSeat] = {}
    """For each applicant, the reason that our person was last told for needing their yes."""

    def granted(self) -> tuple[Admit, ...]:
        """Return the signed requests that we grant as the chair, in the order of first requests."""
        verdicts = self._verdicts()
        return tuple(
            _admit(ask) for key, ask in self.waiting.items() if verdicts.get(key, _STALE) is None
        )

    def _verdicts(self) -> dict[bytes, NoSeat | None]:
        return self.chair.verdicts(map(_admit, self.waiting.values()))

    def hear(self, key: PeerKey, ask: JoinAsk) -> None:
        """Take a request from somebody without a seat; `answer` answers it, even if repeated.

        Ignored while a fault stops us, and if we do not belong here ourselves. For a bad request
        the sender is refused or dropped.
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
        """Return the names of those who get a seat at the next round, as far as we can tell.

        They are in the order of their requests; an applicant without a name here is left out.
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
        """Return the applicants who need our person's yes for a seat; none if we are not the chair.

        They are in the order of their requests; an applicant without a name here is left out.
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
        """Return the names of members, and of those who watch here."""
        names = {member.key: member.name for member in self.context.state.members}
        return names | self.names.watchers()

    def _chairs(self) -> bool:
        """Return True if we chair the table, and no fault stops us."""
        context, state = self.context, self.context.state
        return bool(state.seats) and context.seat == state.chair and context.fault is None

    def withdraw(self, key: PeerKey) -> None:
        """Drop the request of this peer, if there is one."""
        for noted in (self.waiting, self._answered, self._told):
            noted.pop(key, None)

    def kick(self, key: PeerKey) -> None:
        """As the chair, refuse this key a seat from now on, and take back any promise.

        Does nothing if another seat is the chair, a fault stops us, or this key sits.
        """
        if self._chairs() and not self.context.sits(key):
            self.withdraw(key)
            self.chair.kick(key, self._names().get(key, ""))

    def answer(self) -> None:
        """As the chair, answer each applicant, again whenever the answer changes.

        Tells our person of each to whom they can say yes. A request ends once its sender sits.
        Sends nothing while a fault stops us, or after we have signed scores and before all have.
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
        """Tell our person of each applicant who needs their yes, once for each reason."""
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
        """Return True if our scores are signed and their step is not done.

        Those scores can name no more seats. Applicants who ask now will ask again when the log has
        the scores.
        """
        state, seat = self.context.state, self.context.seat
        if state.phase is not Phase.SCORE or seat is None:
            return False
        return self.context.ledger.slot(state.step, seat) is not None


_STALE: Final = NoSeat(WhyNoSeat.FORMING)
"""The verdict that we assume on a request for another seating."""


def _admit(ask: JoinAsk) -> Admit:
    return Admit(ask.request, ask.signature)
