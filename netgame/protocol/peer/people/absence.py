"""Which seats are away or keep the table waiting, and for how long [peer.md §8.2].

A network may keep two players apart who both reach a third: many a guest Wi-Fi does so on purpose.
Their entries still come to each other, pulled from those in between. So a seat without a link is
here, through others, once an entry of its key has come to stand in our log. An entry of the step in
which its link was lost does not count: it may have come over that link. A forwarded link that is
lost makes nobody away: whoever forwarded it may have cut it. A peer without a seat reads a log of
long ago, and goes by what members say instead. When the last of our own links is lost, nobody can
be heard through others, and all are away.

Each seat that has not left for good is in one state of `CONTACTS`, and the table in one of
`FORMATIONS`.
"""

from enum import Enum
from typing import Final, NamedTuple, TypeAlias, assert_never

from msgspec import Struct, field

from netgame.frozen import FrozenStruct
from netgame.limits import CLOCK_CHECK_S, DROP_S, NEWCOMER_S, NEWCOMER_STEP_S, UNANSWERED_S
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.second_hand import SecondHand
from netgame.protocol.peer.state_table import after
from netgame.protocol.state import phases
from netgame.protocol.state.session import due
from netgame.protocol.state.state import State

_RETURNS_MAX: Final = 3
"""How often in a step a returning player is given time; coming and going gains no more."""
_CUT_S: Final = UNANSWERED_S - DROP_S - CLOCK_CHECK_S
"""How long a forwarded link has been lost when its peer is silent for `UNANSWERED_S`: a link to one
that sleeps is lost after `DROP_S`, looked at every `CLOCK_CHECK_S`."""
_STEPS_READ: Final = 16
"""When one input brings many steps, only so many are looked at: older ones are on the disk."""


class Linked(FrozenStruct):
    """The seat has a link here, or is our own."""


class HeardThrough(FrozenStruct):
    """The seat has no link here, and is heard through others."""


class Away(FrozenStruct):
    """The seat has no link here since then, and is not heard through others."""

    since: float


class ContactEvent(Enum):
    """How a seat is found when this peer looks."""

    GREETED = "it has said `hello` over its link"
    HEARD = "it has not, others have, and it has been heard since its last `hello`"
    UNGREETED = "it has a link, has yet to say `hello`, and is not heard"
    LOST = "it has no link, and is not heard"


Contact: TypeAlias = Linked | HeardThrough | Away

CONTACTS: Final[dict[tuple[type[Contact], ContactEvent], type[Contact]]] = {
    (Linked, ContactEvent.HEARD): HeardThrough,
    (Linked, ContactEvent.LOST): Away,
    (HeardThrough, ContactEvent.GREETED): Linked,
    (HeardThrough, ContactEvent.UNGREETED): Linked,
    (HeardThrough, ContactEvent.LOST): Away,
    (Away, ContactEvent.GREETED): Linked,
    (Away, ContactEvent.HEARD): HeardThrough,
}
"""A new seat begins as `Linked`. A link that takes the place of another keeps its seat here, though
its `hello` is to come; one of a seat that was away does not bring it back before that."""


class SeatsStand(FrozenStruct):
    """No newcomer is to sign, or the coin has fallen."""


class SeatsForm(FrozenStruct):
    """The table has been forming since then, with some newcomers or with others."""

    since: float


class FormationEvent(Enum):
    """How this peer finds the seats when it looks."""

    NEWCOMERS = "a roster or coin is due, and somebody is new"
    NO_NEWCOMERS = "no such step is due, or nobody is new"


Formation: TypeAlias = SeatsStand | SeatsForm

FORMATIONS: Final[dict[tuple[type[Formation], FormationEvent], type[Formation]]] = {
    (SeatsStand, FormationEvent.NEWCOMERS): SeatsForm,
    (SeatsForm, FormationEvent.NO_NEWCOMERS): SeatsStand,
}


class _Return(NamedTuple):
    """The returns of a seat in the due step."""

    times: int
    """How often it has come back."""
    at: float
    """When it came back for the last time that counts."""


class DueStep(Struct):
    """The step that is due, and the wait for it."""

    at: tuple[bytes, int] = (b"", -1)
    """The id of its epoch, and its number."""
    since: float = 0.0
    """When it fell due here."""
    silent: frozenset[bytes] = frozenset()
    """The keys that were away, or cut off, when it fell due."""
    returns: dict[bytes, _Return] = {}
    """By key, for those that have been away and come back in it."""

    def note_return(self, key: bytes, now: float) -> None:
        """Note that a seat is back; after `_RETURNS_MAX` times that gives it no more time."""
        before = self.returns.get(key, _Return(0, now))
        counts = before.times < _RETURNS_MAX
        self.returns[key] = _Return(before.times + 1, now if counts else before.at)


class Absence(PeerPart):
    """The contact to each seat, and how long the due step and the seats have been waited for.

    After each look every seat that has not left for good has one contact. Ours is `Linked`. While
    nobody has greeted us none is `HeardThrough`, and a seat that has greeted us is `Linked`. No
    `since` is later than the look.
    """

    second_hand: SecondHand
    contacts: dict[bytes, Contact] = {}
    _heard: frozenset[bytes] = frozenset()
    """All keys of which an entry has come through others since their last link, or whose last link
    was a forwarded one, whether or not we have a link to anybody now."""
    _cut_at: dict[bytes, float] = {}
    """When the forwarded link to a key was lost, of keys that have not been heard since."""
    _due: DueStep = field(default_factory=DueStep)
    """As of the last look."""
    _seats: Formation = SeatsStand()
    """As of the last look."""

    def lose_forwarded(self, key: bytes) -> None:
        """Count a seat as heard through others from now on, as its forwarded link is gone.

        Whoever forwarded that may have cut it, and makes nobody away by it. What the seat owes now,
        and writes later, shows that it is there.
        """
        self._heard |= {key}
        self._cut_at[key] = self.context.now
        if self._due.at == self.context.due() and self.owes(key):
            self._due.silent |= {key}

    def look(self) -> None:
        """Note which seats have no link now, and since when the due step has been due."""
        context, state = self.context, self.context.state
        greeted = context.links.greeted()
        came = self._heard_since()
        self._heard = (self._heard | came) - greeted
        for key in self._cut_at.keys() & (came | greeted):
            del self._cut_at[key]
        sits = context.sits(context.key)
        heard = self._heard if sits else self.second_hand.reached()
        if context.due() != self._due.at:
            self._due = DueStep(context.due(), context.now, self._unheard())
        event = FormationEvent.NEWCOMERS if newcomers(state) else FormationEvent.NO_NEWCOMERS
        self._seats = after(FORMATIONS, self._seats, event, since=context.now)
        before, self.contacts = self.contacts, {}
        for key in state.company.now.here:
            contact = before.get(key, Linked())
            found = self._found(PeerKey(key), greeted, heard)
            self.contacts[key] = after(CONTACTS, contact, found, since=context.now)
            if isinstance(contact, Away) and not isinstance(self.contacts[key], Away):
                self._due.note_return(key, context.now)

    def _found(self, key: PeerKey, greeted: set[PeerKey], heard: frozenset[bytes]) -> ContactEvent:
        if key in greeted or key == self.context.key:
            return ContactEvent.GREETED
        if greeted and key in heard:
            return ContactEvent.HEARD
        return ContactEvent.UNGREETED if key in self.context.links.peers else ContactEvent.LOST

    def _away(self) -> frozenset[bytes]:
        """The keys that were away at the last look."""
        found = self.contacts.items()
        return frozenset(key for key, contact in found if isinstance(contact, Away))

    def _unheard(self) -> frozenset[bytes]:
        """The keys that were away at the last look, or whose forwarded link is lost."""
        return self._away() | self._cut_at.keys()

    @property
    def through(self) -> frozenset[bytes]:
        """The keys that have no link here, and are heard through others."""
        found = self.contacts.items()
        return frozenset(key for key, contact in found if isinstance(contact, HeardThrough))

    def _heard_since(self) -> frozenset[bytes]:
        """The keys of which an entry has come to stand since the last look, by way of others.

        They were away, or cut off, before the step of that entry fell due.
        """
        context = self.context
        ledger = self.context.ledger
        epoch, due_step = self.context.due()
        unheard = self._unheard()
        if not unheard:
            return frozenset()
        first = min(self._due.at[1], due_step)  # a cut may have gone back behind the last look
        found = set[bytes | None]()
        for step in range(max(first, due_step - _STEPS_READ), due_step + 1):
            silent = self._due.silent if (epoch, step) == self._due.at else unheard
            entries = ledger.steps[step] if step < due_step else ledger.slots.values()
            found |= silent & {context.state.author_key(step, entry.seat) for entry in entries}
        return frozenset(filter(None, found))

    def are_some_apart(self) -> bool:
        """Whether a seat has no link here."""
        return any(not isinstance(contact, Linked) for contact in self.contacts.values())

    def is_away(self, key: bytes, seconds: float = 0.0) -> bool:
        """Whether this key has been out of reach, by a link and through others, for this long."""
        contact = self.contacts.get(key)
        return isinstance(contact, Away) and self.context.reached(contact.since + seconds)

    def has_settled(self, key: bytes, seconds: float) -> bool:
        """Whether this key has been back for this long; True if it was not away in this step."""
        back = self._due.returns.get(key)
        return back is None or self.context.reached(back.at + seconds)

    def owes(self, key: bytes, seconds: float = 0.0) -> bool:
        """Whether the due step awaits an entry of this key, and has been due for this long."""
        context, seat = self.context, self.context.state.seat_of(key)
        if seat not in due(context.state).authors or seat in context.ledger.written():
            return False
        return context.reached(self._due.since + seconds)

    def unanswered(self) -> frozenset[bytes]:
        """The keys that keep the table waiting without a sign of life, though none of them is away.

        A program that has a link here, or none of its own, writes by itself what takes no choice:
        what it owes for `UNANSWERED_S` will hardly come. One whose forwarded link is lost may be
        asleep, whatever it owes, as a member forwards for a tab that nobody can dial; or its
        forwarder has cut it off.
        """
        found = self.contacts.items()
        return frozenset(key for key, contact in found if self._is_unanswered(key, contact))

    def _is_unanswered(self, key: bytes, contact: Contact) -> bool:
        match contact:
            case Away():
                return False
            case HeardThrough() if key in self._cut_at and self.context.sits(self.context.key):
                is_lost = self.context.reached(self._cut_at[key] + _CUT_S)
                return is_lost and self.owes(key, _CUT_S)
            case HeardThrough() | Linked():
                is_own = key == self.context.key
                chooses = isinstance(self.context.state.now, phases.Choosing)
                return not (is_own or chooses) and self.owes(key, UNANSWERED_S)
            case _:
                assert_never(contact)

    def keeps_seats_waiting(self, key: bytes) -> bool:
        """Whether this newcomer owes the due step, and the time of the whole seating is used up.

        That time is not counted anew where seats are given again without somebody who was silent:
        else each of several could use up all of it.
        """
        seats = self._seats
        if isinstance(seats, SeatsStand) or not self.owes(key, NEWCOMER_STEP_S):
            return False
        return self.context.reached(seats.since + NEWCOMER_S)


def newcomers(state: State) -> frozenset[int]:
    """The seats new to a table that forms, signed or not; the first time, all but the host's.

    Empty unless the table forms, and once its coin has fallen.
    """
    match state.now:
        case phases.CoinFallen():
            return frozenset()
        case phases.Forming(phases.FirstTable()):
            return frozenset(state.present) - {state.seat_of(state.host)}
        case _:
            return state.newcomers
