"""Who looks on without a seat: let in, vouched for, heard, and seated at the next round.

A watcher gets entries and heads, may pull and talk, and signs nothing. Nothing waits for it, and
nothing that it says can slow a member down: entries of later steps count from it only with the
signature of who must write them, and it is asked for entries only by who has no member to ask.
An applicant is a watcher that has asked for a seat since the lobby. [peer.md §3.7]
"""

from dataclasses import dataclass, field
from typing import Final

from netgame.errors import Malformed
from netgame.limits import WATCHERS_MAX
from netgame.protocol.fold.latecomers import next_open_round, why_not_seated_later
from netgame.protocol.log.entry import read_entry
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.joiner import LATER, ONLY_WATCH
from netgame.protocol.peer.people.presence import Presence
from netgame.protocol.peer.place import Place
from netgame.wire.codec import decode
from netgame.wire.messages import Admit, Guests, JoinAnswer, JoinAsk, JoinRequest, SignedEntry

TOO_MANY: Final = "watchers"
"""Code of the answer to who would look on where so many do already."""


@dataclass(eq=False)
class Watchers:
    """`_vouched` are the keys each member has let in, `_told` those of ours that each was told."""

    place: Place
    _vouched: dict[PeerKey, tuple[bytes, ...]] = field(default_factory=dict)
    _told: dict[PeerKey, tuple[bytes, ...]] = field(default_factory=dict)

    def may_come(self, key: bytes) -> bool:
        """Whether this key needs no join code here: it sits, or a member has let it in."""
        return self.place.belongs(key) or any(key in keys for keys in self._vouched.values())

    def may_watch(self, key: PeerKey) -> bool:
        """Whether a peer without a seat may look on here; if not, it is told so and dropped."""
        if not self.place.belongs(self.place.key):
            return True  # our log may not have come to where it sits, or where we do
        if len(self.place.links.guests()) < WATCHERS_MAX:
            return True
        self._turn_away(key)
        return False

    def thin(self) -> None:
        """When the game begins, all that the lobby let in without a seat watch: not too many."""
        if not self.place.in_lobby and self.place.belongs(self.place.key):
            for key in self.place.links.guests()[WATCHERS_MAX:]:
                self._turn_away(key)

    def _turn_away(self, key: PeerKey) -> None:
        sentence = f"{WATCHERS_MAX} people watch this table already."
        self.place.outbox.send(key, JoinAnswer(TOO_MANY, sentence))
        self.place.links.drop(key, "too many watch this table already")

    def hear_guests(self, key: PeerKey, guests: tuple[bytes, ...]) -> None:
        """Let in by a member, these need no code here either."""
        if self.place.belongs(key):
            self._vouched[key] = guests

    def tell_guests(self) -> None:
        """Tell members whom we have let in, when that changes."""
        if self.place.in_lobby or not self.place.belongs(self.place.key):
            return
        guests: tuple[bytes, ...] = tuple(sorted(self.place.links.guests())[:WATCHERS_MAX])
        for key, peer in self.place.links.peers.items():
            if peer.greeted and self.place.belongs(key) and self._told.get(key, ()) != guests:
                self._told[key] = guests
                self.place.outbox.send(key, Guests(guests))

    def forget(self, key: PeerKey) -> None:
        """The link to a peer is gone: it is told again."""
        self._told.pop(key, None)

    def vetted(self, key: PeerKey, entries: tuple[SignedEntry, ...]) -> tuple[SignedEntry, ...]:
        """What may be judged or held of what this peer has sent: from a member everything."""
        if self.place.belongs(key) or not self.place.belongs(self.place.key):
            return entries
        peer = self.place.links.peers[key]
        return tuple(
            signed for signed in entries if not peer.dropped and self._is_vetted(key, signed)
        )

    def _is_vetted(self, key: PeerKey, signed: SignedEntry) -> bool:
        """Whether an entry is due or over, or signed by who must write it; else the link ends.

        Who must write after the next coin we do not know yet: such an entry is ignored.
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


@dataclass(eq=False)
class Applicants:
    """Who asks for a seat while the game is on: answered by every member, seated by the chair.

    `waiting` have been promised a seat, `_asking` have no answer yet.
    `_promised_at` has the round and the number of seats for which the promises were last looked at.
    """

    place: Place
    presence: Presence
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
            self._promise(key)
            return
        request = self.place.links.request_of(key, ask)
        if request is None:
            return
        self.presence.note(key, request.name)
        refusal = why_not_seated_later(self.place.state, request)
        if refusal is None and len(self.waiting.keys() | {key}) <= WATCHERS_MAX:
            self.waiting[key] = ask
            self._promise(key)
        else:
            self.waiting.pop(key, None)
            sentence = refusal[1] if refusal else f"{WATCHERS_MAX} wait for a seat already."
            self.place.outbox.send(key, JoinAnswer(ONLY_WATCH, sentence))

    def _promise(self, key: PeerKey) -> None:
        """Say when there will be a seat."""
        number = next_open_round(self.place.state)
        seated = f"you watch round {number} and get a seat when round {number + 1} is dealt."
        self.place.outbox.send(key, JoinAnswer(LATER, f"The game has begun: {seated}"))

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
