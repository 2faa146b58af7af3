"""The chair's policy: who gets a seat at the next round, and who does not [peer.md §6].

All of it is the policy of one honest program: no log shows it, and others accept the seats that a
chair gives, no matter who gets them.

    known      our own key; those that sat when the game began (the player who opened the table
               saw them come); and keys that our door knows: those that have ever given a
               join code, and our own bots; at a table that asks for a code, also the keys
               that the host vouches for
    stranger   every other key

A bot is judged like any other key: that its request calls it a bot makes no difference.
Strangers who were ever given a seat stay fewer than the other players who are there, so together
they can decide nothing, though keys are free.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from netgame.frozen import FrozenStruct
from netgame.protocol.epochs.company import Epoch
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.watchers import Watchers
from netgame.protocol.seating import NoSeat, StrangersLead, WhyNoSeat
from netgame.protocol.state.latecomers import has_room, why_not_seated_later
from netgame.protocol.state.lobby import is_for_now
from netgame.protocol.state.phases import Phase
from netgame.protocol.text import fingerprint
from netgame.wire.codec import decode
from netgame.wire.messages import Admit, JoinRequest
from netgame.wire.statements import bit

_FOR_STRANGERS: Final = (None, WhyNoSeat.STRANGER, WhyNoSeat.NOBODY_THERE)
"""The answers, a refusal or None, for a key that has done nothing wrong."""


class Asking(FrozenStruct):
    """An applicant to whom the chair gives no seat unless its person says yes."""

    key: PeerKey
    name: str
    why: WhyNoSeat

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the key."""
        return fingerprint(self.key)


class Chair(PeerPart):
    """Decides which keys may be seated; the person here can `allow` or `kick` a key."""

    watchers: Watchers
    knows: Callable[[bytes], bool] = lambda _key: False
    """Returns True if our door knows a key, which then needs no code there."""
    convicted: set[bytes] = set()
    """Keys that have broken the rules at an earlier table."""
    kicked: Mapping[PeerKey, str] = {}
    """Keys that get no seat from us, as host or chair, with the names that they had."""
    _allowed: dict[bytes, int] = {}
    """The number of decided polls when each key was allowed: only later polls count against it."""
    _pardoned: dict[bytes, int] = {}
    """The number of known faults of each key when it was allowed."""
    _vouched: set[bytes] = set()
    """The keys for which the host has vouched."""
    _looked_at: Epoch | None = None
    """The epoch in which strangers were last counted."""
    _leads: bool = False
    """True if strangers had the majority at that time, and the player here was told."""

    # ---- strangers ----

    def is_stranger(self, key: bytes) -> bool:
        """Return True if this key is a stranger, as the module's docstring defines it."""
        return key not in self._vouched and not self._knows_itself(key)

    def is_new(self, key: bytes) -> bool:
        """Return True if we do not know this key ourselves, and our person has not allowed it.

        The host's word for it does not count here.
        """
        return key not in self._allowed and not self._knows_itself(key)

    def _knows_itself(self, key: bytes) -> bool:
        context = self.context
        if key == context.key or self.knows(key):
            return True
        return key in _first_seated(context.state.company.epochs)

    def note_guest(self, key: PeerKey) -> None:
        """Remember this key, which asks for a seat, if the host vouches for it.

        The host's word counts only at a table that asks for a code. Nobody else's word counts:
        others could bring as many keys of their own as they like.
        """
        state = self.context.state
        if not state.options.is_open and self.watchers.vouches(PeerKey(state.host), key):
            self._vouched.add(key)

    def _strangers(self) -> tuple[int, int]:
        """Return the number of strangers ever given a seat, and of other players who are there."""
        now = self.context.state.company.now
        strangers = {key for key in now.keys if self.is_stranger(key)}
        return len(strangers), len(set(now.here) - strangers)

    # ---- may a key be seated? ----

    def kick(self, key: PeerKey, name: str) -> None:
        """Give this key no seat from now on, and tell it so."""
        self.kicked = {**self.kicked, key: name}
        self.turns_away(key)

    def turns_away(self, key: PeerKey) -> bool:
        """Return whether this key was kicked here; if so, and we are host or chair, tell it so."""
        if key not in self.kicked:
            return False
        context = self.context
        gives = context.is_host or (
            context.seat is not None and context.seat == context.state.chair
        )
        if gives:
            context.outbox.send(key, NoSeat(WhyNoSeat.KICKED).answer())
        return True

    def allow(self, key: bytes) -> None:
        """Let this key in, no matter what it has done so far, and even if it was kicked.

        This does not change how many strangers may sit.
        """
        self.kicked = {each: name for each, name in self.kicked.items() if each != key}
        self._allowed[key] = len(self.context.ledger.decisions)
        self._pardoned[key] = self.context.guilty.get(key, 0)
        self.convicted.discard(key)

    def is_convicted(self, key: bytes) -> bool:
        """Return True if this key broke the rules, here or earlier, unless it was allowed since."""
        faults = self.context.guilty.get(key, 0)
        return key in self.convicted or faults > self._pardoned.get(key, 0)

    def why_barred(self, key: bytes) -> WhyNoSeat | None:
        """Return the refusal that this key gets until it is allowed in, or None.

        In the lobby only a conviction counts. A stranger is barred only at a table that asks for no
        code, and not if any chair has given it a seat before.
        """
        state = self.context.state
        silent, left = self._gone(key)
        if self.is_convicted(key):
            return WhyNoSeat.CONVICTED
        if silent:
            return WhyNoSeat.SILENT
        if left > 1:
            return WhyNoSeat.LEFT_TWICE
        is_known = key in self._allowed or state.seat_of(key) is not None
        if self.context.in_lobby or not state.options.is_open or is_known:
            return None
        if not self.is_stranger(key):
            return None
        return WhyNoSeat.STRANGER if self.context.attended else WhyNoSeat.NOBODY_THERE

    def _gone(self, key: bytes) -> tuple[int, int]:
        """Return two counts of polls that removed this key.

        In the first it was a newcomer, in the second it owed shares of hands. Only decisions since
        it was last allowed count.
        """
        context = self.context
        silent = 0
        left = 0
        for decision in context.ledger.decisions[self._allowed.get(key, 0) :]:
            epoch = context.state.company.of_id(decision.book.id)
            seat = None if epoch is None else epoch.seat_of(key)
            if epoch is not None and seat is not None and decision.goes & bit(seat):
                silent += seat in context.state.company.newcomers(epoch.id)
                left += decision.phase is Phase.SHARES and seat in decision.owing
        return silent, left

    def verdicts(self, asked: Iterable[Admit]) -> dict[bytes, NoSeat | None]:
        """Return, by key, None if the key gets a seat at the next round, else why it gets none.

        `asked` are signed requests in the order in which they came, one per key; those for another
        seating are left out. A returning player has a kept seat and takes no room; only new keys
        compete for room.
        """
        state = self.context.state
        strangers, others = self._strangers()
        found: dict[bytes, NoSeat | None] = {}
        new = 0
        for each in asked:
            request = decode(each.request, JoinRequest)
            if not is_for_now(state, request):
                continue
            key, is_new = request.key, state.seat_of(request.key) is None
            is_stranger = self.is_stranger(key)
            refusal = why_not_seated_later(state, request)
            if refusal is None:
                more = strangers + (is_new and is_stranger)
                why = self.why_barred(key)
                # A yes would not help if there are too many strangers, so nobody is asked for one.
                if is_stranger and more >= others and why in _FOR_STRANGERS:
                    why = WhyNoSeat.STRANGERS
                if why is None and is_new and not has_room(state, new + 1):
                    why = WhyNoSeat.OTHERS_FIRST
                refusal = None if why is None else NoSeat(why)
                if refusal is None:
                    strangers, new = more, new + is_new
            found[key] = refusal
        return found

    # ---- telling the player ----

    def tell(self) -> None:
        """Tell the player once when strangers become the majority of those who decide who goes on.

        Tells the player again if strangers lose the majority and regain it. A player without a seat
        is told nothing.
        """
        context, now = self.context, self.context.state.company.now
        if now is self._looked_at:
            return  # this runs after every input, and only an epoch changes the answer
        self._looked_at = now
        votes = [key for key in now.here if now.voters & now.bit_of(key)]
        strangers = [key for key in votes if self.is_stranger(key)]
        leads = context.sits(context.key) and 2 * len(strangers) > len(votes)
        if leads and not self._leads:
            names = context.state.names_of(map(now.keys.index, strangers))
            context.outbox.notify(StrangersLead(names, len(votes)))
        self._leads = leads


def _first_seated(epochs: Iterable[Epoch]) -> tuple[bytes, ...]:
    """Return the keys that sat when the lobby closed; empty while it is open."""
    return next((epoch.keys for epoch in epochs if epoch.keys), ())
