"""Watchers without a seat: let in, vouched for, heard, and seated at the next round.

A watcher gets entries and heads, may pull and chat, and signs nothing. Nothing waits for it, and
nothing it says can slow a member down: entries of later steps count from it only with the right
author's signature, and it is asked for entries only by a peer that has no member to ask. An
applicant is a watcher that has asked for a seat since the lobby. [peer.md §3.7]
"""

from typing import Final

from netgame.errors import Malformed
from netgame.limits import WATCHERS_MAX
from netgame.protocol.fold.latecomers import (
    fitting,
    is_coming,
    next_open_round,
    why_not_seated_later,
)
from netgame.protocol.fold.lobby import is_for_now
from netgame.protocol.fold.phases import Phase
from netgame.protocol.log.entry import read_entry
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.joiner import LATER, ONLY_WATCH
from netgame.protocol.peer.people.presence import Presence
from netgame.protocol.peer.place import PeerPart
from netgame.protocol.seating import NoSeat, WhyNoSeat, promise_text
from netgame.wire.codec import decode
from netgame.wire.messages import Admit, Guests, JoinAnswer, JoinAsk, JoinRequest, SignedEntry

TOO_MANY: Final = "watchers"
"""Code of the answer to a watcher where the table has as many as it may."""


class Watchers(PeerPart):
    """Decides who may watch here, and what is taken from guests.

    `_vouched` are the guests that each member says it has let in.
    """

    _vouched: dict[PeerKey, tuple[bytes, ...]] = {}

    def may_come(self, key: bytes) -> bool:
        """Whether this key needs no join code here: it belongs here, or a member has let it in.

        The word of somebody who is no member any more counts for nothing.
        """
        vouched = (keys for by, keys in self._vouched.items() if self.place.belongs(by))
        return self.place.belongs(key) or any(key in keys for keys in vouched)

    def may_watch(self, key: PeerKey) -> bool:
        """Whether a peer without a seat may watch here; if not, it is told so and dropped.

        Always where we do not belong here ourselves.
        """
        if not self.place.belongs(self.place.key):
            return True  # our log may not have come to where it sits, or where we do
        if len(self.place.links.guests()) < WATCHERS_MAX:
            return True
        self._turn_away(key)
        return False

    def thin(self) -> None:
        """When the game begins, drop guests of the lobby beyond the limit of watchers."""
        if not self.place.in_lobby and self.place.belongs(self.place.key):
            for key in self.place.links.guests()[WATCHERS_MAX:]:
                self._turn_away(key)

    def _turn_away(self, key: PeerKey) -> None:
        sentence = f"{WATCHERS_MAX} people watch this table already."
        self.place.outbox.send(key, JoinAnswer(TOO_MANY, sentence))
        self.place.links.drop(key, "too many watch this table already")

    def hear_guests(self, key: PeerKey, guests: tuple[bytes, ...]) -> None:
        """Take the guests that a member has let in: they need no code here either.

        They replace those it named before; what others than members say is ignored.
        """
        if self.place.belongs(key):
            self._vouched[key] = guests

    def tell_guests(self) -> None:
        """In a game, tell members which guests we have let in, when that changes.

        Does nothing where we do not belong here ourselves.
        """
        if self.place.in_lobby or not self.place.belongs(self.place.key):
            return
        guests: tuple[bytes, ...] = tuple(sorted(self.place.links.guests())[:WATCHERS_MAX])
        for key, peer in self.place.links.peers.items():
            if peer.greeted and self.place.belongs(key) and peer.guests != guests:
                peer.guests = guests
                self.place.outbox.send(key, Guests(guests))

    def vetted(self, key: PeerKey, entries: tuple[SignedEntry, ...]) -> tuple[SignedEntry, ...]:
        """The entries from this peer that may be judged or held; all, unless it is a guest.

        From a guest, none are taken after one that ends its link.
        """
        if not self.place.is_guest(key):
            return entries
        peer = self.place.links.peers[key]
        return tuple(
            signed for signed in entries if not peer.dropped and self._is_vetted(key, signed)
        )

    def _is_vetted(self, key: PeerKey, signed: SignedEntry) -> bool:
        """Whether an entry is of the due step or before, or signed by its author.

        An entry with a wrong signature ends the link. One of an author after the next coin, who is
        not known yet, is just ignored. One that cannot be read is left to its judge.
        """
        try:
            entry = read_entry(signed)
        except Malformed:
            return True  # to be judged: it ends the link
        state = self.place.state
        if entry.step <= state.step:
            return True
        author = state.author_key(entry.step, entry.seat)
        if author is None or entry.id != state.log_id:
            return False
        if not entry.is_by(author):
            self.place.links.drop_forger(key)
            return False
        return True


class Applicants(PeerPart):
    """Requests for a seat while the game is on: kept by every member, answered by the chair.

    The chair alone promises seats, as it alone gives them: another could not know of all who ask. A
    new chair answers those that wait. `waiting` is in the order of first requests, `_answered` has
    our answer to each as the chair.
    """

    presence: Presence
    waiting: dict[PeerKey, JoinAsk] = {}
    _answered: dict[PeerKey, JoinAnswer] = {}

    def wishes(self) -> tuple[Admit, ...]:
        """The signed requests of those who wait for a seat, in the order in which they came."""
        return tuple(Admit(each.request, each.signature) for each in self.waiting.values())

    def hear(self, key: PeerKey, ask: JoinAsk) -> None:
        """Take a request from somebody without a seat; a repeated one is answered again.

        `answer` sends the answer. Ignored after a fault, and where we do not belong here ourselves;
        one that is not good is refused, or its sender dropped.
        """
        place = self.place
        if place.fault is not None or not place.belongs(place.key) or place.sits(key):
            return
        request = place.links.request_of(key, ask)
        if request is not None:
            self.presence.note(key, request.name)
            self.waiting[key] = ask
            self._answered.pop(key, None)

    def coming(self) -> tuple[str, ...]:
        """The names of those who get a seat at the next round, as our log says.

        They are in the order of their requests; somebody without a name here is left out.
        """
        state, granted = self.place.state, {each.request for each in self._granted()}
        names = {member.key: member.name for member in state.members} | self.presence.watchers()
        return tuple(
            names[key]
            for key, ask in self.waiting.items()
            if key in names and (ask.request in granted or is_coming(state, key))
        )

    def _granted(self) -> tuple[Admit, ...]:
        return fitting(self.place.state, self.wishes()) if self.place.state.seats else ()

    def withdraw(self, key: PeerKey) -> None:
        """Drop the request of this peer, which wants no seat any more."""
        self.waiting.pop(key, None)
        self._answered.pop(key, None)

    def answer(self) -> None:
        """Tell each applicant, as the chair, when the state of its request changes.

        A seated one is an applicant no more. Nothing is sent after a fault, or while our scores
        are signed.
        """
        place, state = self.place, self.place.state
        for key in [key for key in self.waiting if place.sits(key)]:
            self.withdraw(key)
        if not state.seats or place.seat != state.chair or place.fault is not None:
            self._answered.clear()  # another chair may answer otherwise before we chair again
            return
        if not self.waiting or self._has_signed_scores():
            return
        granted = {each.request for each in self._granted()}
        for key, ask in self.waiting.items():
            answer = self._answer_to(ask, granted=ask.request in granted)
            if answer is not None and self._answered.get(key) != answer:
                self._answered[key] = answer
                place.outbox.send(key, answer)

    def _has_signed_scores(self) -> bool:
        """Whether our scores are signed and their step is not done: they give no more seats.

        Whoever asks now asks again when the log shows them.
        """
        state, seat = self.place.state, self.place.seat
        if state.phase is not Phase.SCORE or seat is None:
            return False
        return self.place.ledger.slot(state.step, seat) is not None

    def _answer_to(self, ask: JoinAsk, *, granted: bool) -> JoinAnswer | None:
        """The answer to a request: a seat at the next round, or why there is none.

        None while it is for another seating, as a new one will come, or once the scores give it a
        seat.
        """
        state, request = self.place.state, decode(ask.request, JoinRequest)
        if not is_for_now(state, request) or is_coming(state, request.key):
            return None
        if granted:
            return JoinAnswer(LATER, promise_text(next_open_round(state)))
        refusal = why_not_seated_later(state, request) or NoSeat(WhyNoSeat.OTHERS_FIRST)
        return JoinAnswer(ONLY_WATCH, refusal.sentence)
