"""The seats that are away or keep the table waiting, and for how long [peer.md §8.2].

A network may keep two players apart who both reach a third: many guest networks do so on purpose.
Their entries still reach each other, pulled from peers in between. So a seat without a link counts
as here, heard through others, once our log gets an entry of its key. An entry of the step in which
its link was lost does not count: it may have come over that link. A seat whose forwarded link is
lost does not count as away: the forwarder may have cut the link. A peer without a seat may be
reading entries of long ago, so it goes by what members say instead. When we lose our own last link,
nobody can be heard through others, and all are away.

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
"""A returning player gets new time this many times in a step; further returns gain nothing."""
_CUT_S: Final = UNANSWERED_S - DROP_S - CLOCK_CHECK_S
"""When a peer has been silent for `UNANSWERED_S`, its forwarded link has been lost for this long. A
link to a sleeping peer is lost after `DROP_S`, which is checked every `CLOCK_CHECK_S`."""
_STEPS_READ: Final = 16
"""When one input brings many steps, we look only at this many: older ones are on the disk."""


class Linked(FrozenStruct):
    """The seat has a link here, or is our own."""


class HeardThrough(FrozenStruct):
    """The seat has not greeted us over a link, and is heard through others."""


class Away(FrozenStruct):
    """The seat has had no link here since `since`, and is not heard through others."""

    since: float


class ContactEvent(Enum):
    """The ways in which `Absence.look` may find a seat."""

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
"""A new seat begins as `Linked`. A link that replaces another keeps its seat `Linked` even before
its `hello`; a new link of a seat that was away brings it back only with its `hello`."""


class SeatsStand(FrozenStruct):
    """No newcomer has to sign, or the coin has fallen."""


class SeatsForm(FrozenStruct):
    """The table has been forming since `since` with newcomers, perhaps not always the same ones."""

    since: float


class FormationEvent(Enum):
    """The ways in which `Absence.look` may find the seats as a whole."""

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
    """The number of times it has come back."""
    at: float
    """The time of the last return that counts."""


class DueStep(Struct):
    """The step that is due, the time since it fell due, and the seats that were away in it."""

    at: tuple[bytes, int] = (b"", -1)
    """The id of its epoch, and its number."""
    since: float = 0.0
    """The time at which it fell due here."""
    silent: frozenset[bytes] = frozenset()
    """The keys that were away, or had lost a forwarded link, when it fell due or later."""
    returns: dict[bytes, _Return] = {}
    """By key, the returns of seats that were away in it."""

    def note_return(self, key: bytes, now: float) -> None:
        """Note that a seat is back; only its first `_RETURNS_MAX` returns give it new time."""
        before = self.returns.get(key, _Return(0, now))
        counts = before.times < _RETURNS_MAX
        self.returns[key] = _Return(before.times + 1, now if counts else before.at)


class Absence(PeerPart):
    """The contact with each seat, and how long we have waited for the due step and the seats.

    After each look, every seat that has not left for good has one contact. Our own seat is
    `Linked`, and so is a seat that has greeted us. While nobody has greeted us, no seat is
    `HeardThrough`. No `since` is later than the look.
    """

    second_hand: SecondHand
    contacts: dict[bytes, Contact] = {}
    _heard: frozenset[bytes] = frozenset()
    """All keys whose entries have come through others since their last link, or whose last link was
    forwarded. They stay here even while we have no link to anybody."""
    _cut_at: dict[bytes, float] = {}
    """The time at which the forwarded link to a key was lost, for keys not heard since."""
    _due: DueStep = field(default_factory=DueStep)
    """The due step, as of the last look."""
    _seats: Formation = SeatsStand()
    """The state of the seats, as of the last look."""

    def lose_forwarded(self, key: bytes) -> None:
        """Count a seat as heard through others from now on, because its forwarded link is gone.

        The forwarder may have cut the link, and must not be able to make the seat count as away. If
        the seat owes the due step now, a later entry for it shows that the seat is there.
        """
        self._heard |= {key}
        self._cut_at[key] = self.context.now
        if self._due.at == self.context.due() and self.owes(key):
            self._due.silent |= {key}

    def look(self) -> None:
        """Bring the contact with each seat, the due step and the state of the seats up to date."""
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
        """Return the keys that were away at the last look."""
        found = self.contacts.items()
        return frozenset(key for key, contact in found if isinstance(contact, Away))

    def _unheard(self) -> frozenset[bytes]:
        """Return the keys that were away at the last look, or whose forwarded link is lost."""
        return self._away() | self._cut_at.keys()

    @property
    def through(self) -> frozenset[bytes]:
        """The keys that have not greeted us over a link, and are heard through others."""
        found = self.contacts.items()
        return frozenset(key for key, contact in found if isinstance(contact, HeardThrough))

    def _heard_since(self) -> frozenset[bytes]:
        """Return the keys whose entries our log got through others since the last look.

        Keys that were not away at that look, and had not lost a forwarded link, are left out.
        """
        context = self.context
        ledger = self.context.ledger
        epoch, due_step = self.context.due()
        unheard = self._unheard()
        if not unheard:
            return frozenset()
        first = min(self._due.at[1], due_step)  # a cut may have gone back before the last look
        found = set[bytes | None]()
        for step in range(max(first, due_step - _STEPS_READ), due_step + 1):
            silent = self._due.silent if (epoch, step) == self._due.at else unheard
            entries = ledger.steps[step] if step < due_step else ledger.slots.values()
            found |= silent & {context.state.author_key(step, entry.seat) for entry in entries}
        return frozenset(filter(None, found))

    def are_some_apart(self) -> bool:
        """Return True if some seat is not `Linked`."""
        return any(not isinstance(contact, Linked) for contact in self.contacts.values())

    def is_away(self, key: bytes, seconds: float = 0.0) -> bool:
        """Return True if this key is `Away`, and has been for this many seconds."""
        contact = self.contacts.get(key)
        return isinstance(contact, Away) and self.context.reached(contact.since + seconds)

    def has_settled(self, key: bytes, seconds: float) -> bool:
        """Return True unless this key came back in this step less than `seconds` ago.

        Only its first `_RETURNS_MAX` returns count.
        """
        back = self._due.returns.get(key)
        return back is None or self.context.reached(back.at + seconds)

    def owes(self, key: bytes, seconds: float = 0.0) -> bool:
        """Return True if the due step has awaited an entry of this key for `seconds`."""
        context, seat = self.context, self.context.state.seat_of(key)
        if seat not in due(context.state).authors or seat in context.ledger.written():
            return False
        return context.reached(self._due.since + seconds)

    def unanswered(self) -> frozenset[bytes]:
        """Return the keys that keep the table waiting without a sign of life, though none is away.

        A program writes by itself every entry that needs no choice by a player: one that it has
        owed for `UNANSWERED_S` is unlikely to come. A peer whose forwarded link is lost may be
        asleep, no matter what it owes: members forward links for browser tabs, which nobody can
        dial. Or its forwarder has cut it off.
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
        """Return True if this newcomer is late with its entry and the time of the seating is up.

        It is late if it has owed the due step for `NEWCOMER_STEP_S`. The time of the seating does
        not start over when the seats form again without somebody who was silent: otherwise each of
        several silent newcomers could use up all of it.
        """
        seats = self._seats
        if isinstance(seats, SeatsStand) or not self.owes(key, NEWCOMER_STEP_S):
            return False
        return self.context.reached(seats.since + NEWCOMER_S)


def newcomers(state: State) -> frozenset[int]:
    """Return the seats that are new to a table that is still forming.

    At the first table these are all seats but the host's. Seats that have already signed are
    included. Empty once the coin has fallen.
    """
    match state.now:
        case phases.CoinFallen():
            return frozenset()
        case phases.Forming(phases.FirstTable()):
            return frozenset(state.present) - {state.seat_of(state.host)}
        case _:
            return state.newcomers
