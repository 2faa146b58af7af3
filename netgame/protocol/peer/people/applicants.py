"""Who asks for a seat while the game is on: answered by every member, seated by the chair.

An applicant is a watcher that has sent its `JoinAsk` since the lobby: it asks for a seat at the
next round. [protocol.md §3.7]
"""

from dataclasses import dataclass, field

from netgame.limits import WATCHERS_MAX
from netgame.protocol.fold.latecomers import next_open_round, why_not_seated_later
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.joiner import LATER, ONLY_WATCH
from netgame.protocol.peer.people.presence import Names
from netgame.protocol.peer.place import Place
from netgame.wire.codec import decode
from netgame.wire.messages import Admit, JoinAnswer, JoinAsk, JoinRequest


@dataclass(eq=False)
class Applicants:
    """`waiting` have been promised a seat, `_asking` have no answer yet.

    `_promised_at` has the round and the number of seats for which the promises were last looked at.
    """

    place: Place
    names: Names
    waiting: dict[PeerKey, JoinAsk] = field(default_factory=dict)
    _asking: dict[PeerKey, JoinAsk] = field(default_factory=dict)
    _promised_at: tuple[int, int] = (-1, 0)

    def wishes(self) -> tuple[Admit, ...]:
        """What those have signed who wait for a seat, in the order in which they came."""
        return tuple(Admit(each.request, each.signature) for each in self.waiting.values())

    def hear(self, key: PeerKey, ask: JoinAsk) -> None:
        """Somebody without a seat asks a member for one."""
        place = self.place
        if place.fault is None and place.belongs(place.key) and not place.sits(key):
            self._asking[key] = ask

    def withdraw(self, key: PeerKey) -> None:
        """Whatever this peer has asked for, it wants no seat any more."""
        self.waiting.pop(key, None)
        self._asking.pop(key, None)

    def answer(self) -> None:
        """Answer who asks for a seat, once there are seats; forget who has one."""
        if self._asking and self.place.state.seats:
            asking, self._asking = self._asking, {}
            for key, ask in asking.items():
                self._take(key, ask)
        for key in [key for key in self.waiting if self.place.sits(key)]:
            del self.waiting[key]
        self._keep_promises()

    def _take(self, key: PeerKey, ask: JoinAsk) -> None:
        """Somebody wants a seat at the next round: keep what is signed for it, and answer."""
        if self.waiting.get(key) == ask:
            return
        request = self.place.links.request_of(key, ask)
        if request is None:
            return
        self.names.note(key, request.name)
        refusal = why_not_seated_later(self.place.state, request)
        if refusal is None and len(self.waiting.keys() | {key}) <= WATCHERS_MAX:
            self.waiting[key] = ask
            self.place.outbox.send(key, JoinAnswer(LATER, self._later_sentence()))
        else:
            self.waiting.pop(key, None)
            sentence = refusal[1] if refusal else f"{WATCHERS_MAX} wait for a seat already."
            self.place.outbox.send(key, JoinAnswer(ONLY_WATCH, sentence))

    def _later_sentence(self) -> str:
        number = next_open_round(self.place.state)
        return (
            f"The game has begun: you watch round {number} and get a seat when round "
            f"{number + 1} is dealt."
        )

    def _keep_promises(self) -> None:
        """Tell who waits for a seat, and gets none after all, as soon as the log says so."""
        state = self.place.state
        at = (-1 if state.table is None else state.table.round_number, len(state.seats))
        if at == self._promised_at:
            return
        self._promised_at = at
        for key, ask in tuple(self.waiting.items()):
            refusal = why_not_seated_later(state, decode(ask.request, JoinRequest))
            if refusal is not None:
                del self.waiting[key]
                self.place.outbox.send(key, JoinAnswer(ONLY_WATCH, refusal[1]))
