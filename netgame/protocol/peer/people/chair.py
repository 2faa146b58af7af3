"""Whom this peer, as the chair, gives a seat at the next round, and why not [peer.md §6].

All of it is the policy of one honest program: no log shows it, and others take the seats that a
chair gives, whoever gets them.

    known      our own key, those that sat when the game began (whoever opened the table saw them
               come), and keys that our door knows: by a join code, now or before, or a bot of ours;
               where a code is asked for, also the keys that the host vouches for
    stranger   every other key

So a bot counts with whoever runs it: it sat when the game began, or nobody knows it. What it says
of itself in its request counts for nothing. Strangers who were ever given a seat stay fewer than
the other players who are there: together they can then decide nothing, though keys are free.
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
"""What may stand against a key that has done nothing wrong."""


class Asking(FrozenStruct):
    """Somebody to whom the chair gives no seat, and to whom its person can say yes."""

    key: PeerKey
    name: str
    why: WhyNoSeat

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the key."""
        return fingerprint(self.key)


class Chair(PeerPart):
    """Decides which keys may be seated; the person here lets one in (`allow`) or out (`kick`)."""

    watchers: Watchers
    knows: Callable[[bytes], bool] = lambda _key: False
    """Says whether our door knows a key, which then needs no code there."""
    convicted: set[bytes] = set()
    """Keys that have broken the rules at an earlier table."""
    kicked: Mapping[PeerKey, str] = {}
    """Keys that get no seat from us, as host or chair, with the names that they had."""
    _allowed: dict[bytes, int] = {}
    """For each key that was let in, how many polls had been decided then: what it does later counts
    again."""
    _pardoned: dict[bytes, int] = {}
    """For each of these, how many faults of it were known then."""
    _vouched: set[bytes] = set()
    """The keys for which the host has vouched."""
    _looked_at: Epoch | None = None
    """The epoch in which strangers were last counted."""
    _leads: bool = False
    """They were the majority then, and the person here was told."""

    # ---- who is a stranger ----

    def is_stranger(self, key: bytes) -> bool:
        """Whether nothing shows this computer who has this key; see above for what would."""
        return key not in self._vouched and not self._knows_itself(key)

    def is_new(self, key: bytes) -> bool:
        """Whether nothing but somebody else's word shows this computer who has this key.

        Not if the person here has said yes to it.
        """
        return key not in self._allowed and not self._knows_itself(key)

    def _knows_itself(self, key: bytes) -> bool:
        context = self.context
        if key == context.key or self.knows(key):
            return True
        return key in _first_seated(context.state.company.epochs)

    def note_guest(self, key: PeerKey) -> None:
        """Note, while this key asks for a seat, whether the host vouches for it.

        It means something only where the host asks for a code. Others' word is not enough: they
        could bring as many keys of their own as they like.
        """
        state = self.context.state
        if not state.options.is_open and self.watchers.vouches(PeerKey(state.host), key):
            self._vouched.add(key)

    def _strangers(self) -> tuple[int, int]:
        """How many strangers were ever given a seat, and how many of the others are there."""
        now = self.context.state.company.now
        strangers = {key for key in now.keys if self.is_stranger(key)}
        return len(strangers), len(set(now.here) - strangers)

    # ---- whether a key may be seated ----

    def kick(self, key: PeerKey, name: str) -> None:
        """Give this key no seat from now on, and tell it so."""
        self.kicked = {**self.kicked, key: name}
        self.turns_away(key)

    def turns_away(self, key: PeerKey) -> bool:
        """Whether this key was kicked here; if so, it is told by whoever gives the seats now."""
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
        """Let this key in, whatever stands against it by now, a kick included.

        How many strangers may sit stays as it is.
        """
        self.kicked = {each: name for each, name in self.kicked.items() if each != key}
        self._allowed[key] = len(self.context.ledger.decisions)
        self._pardoned[key] = self.context.guilty.get(key, 0)
        self.convicted.discard(key)

    def is_convicted(self, key: bytes) -> bool:
        """Whether this key has broken the rules, here or before, and nobody has let it in since."""
        faults = self.context.guilty.get(key, 0)
        return key in self.convicted or faults > self._pardoned.get(key, 0)

    def why_barred(self, key: bytes) -> WhyNoSeat | None:
        """The refusal that this key has earned, until it is allowed in; None if nothing.

        In the lobby only a conviction counts. A stranger who was given a seat before, by whomever,
        needs no further yes.
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
        """How often this key has gone as a newcomer, and while it owed shares of the hands.

        Only what was decided since it was last allowed counts. A newcomer goes by its silence.
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
        """For each key that asks for a seat at the next round: None if it gets one, else why not.

        `asked` are signed requests in the order in which they came, one a key; those for another
        seating are left out. A player who comes back has a seat kept, and takes no room; only new
        keys compete for it.
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
                # A yes would not help where there are too many already, so it is not asked for.
                if is_stranger and more >= others and why in _FOR_STRANGERS:
                    why = WhyNoSeat.STRANGERS
                if why is None and is_new and not has_room(state, new + 1):
                    why = WhyNoSeat.OTHERS_FIRST
                refusal = None if why is None else NoSeat(why)
                if refusal is None:
                    strangers, new = more, new + is_new
            found[key] = refusal
        return found

    # ---- what the person here is told ----

    def tell(self) -> None:
        """Tell the player once when strangers become the majority of those who decide who goes on.

        It is told again after they were fewer. Nothing is told to somebody without a seat.
        """
        context, now = self.context, self.context.state.company.now
        if now is self._looked_at:
            return  # this is asked after every input, and only an epoch changes the answer
        self._looked_at = now
        votes = [key for key in now.here if now.voters & now.bit_of(key)]
        strangers = [key for key in votes if self.is_stranger(key)]
        leads = context.sits(context.key) and 2 * len(strangers) > len(votes)
        if leads and not self._leads:
            names = context.state.names_of(map(now.keys.index, strangers))
            context.outbox.notify(StrangersLead(names, len(votes)))
        self._leads = leads


def _first_seated(epochs: Iterable[Epoch]) -> tuple[bytes, ...]:
    """The keys with which the lobby closed; empty while it is open."""
    return next((epoch.keys for epoch in epochs if epoch.keys), ())
