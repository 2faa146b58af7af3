"""Whom the seats of a table would go on without, as they tell each other [peer.md §8.2].

None of it is signed, and it binds nobody: it says when a ballot is worth opening. A program misses
a seat that is away for as long as the table has agreed on, a newcomer that does not sign, and whom
its person names (`without ben`) while that one is away or keeps the table waiting. Where nobody
attends, it follows what the people of others name, if it finds the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from netgame.limits import FRUITLESS_POLLS_MAX, IDLE_S, NEWCOMER_S, SUSPECT_S
from netgame.protocol.fold import phases
from netgame.protocol.fold.options import Patience
from netgame.protocol.log.entry import filled_mask, read_mask
from netgame.protocol.notices import VoteCast
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.absence import Absence, newcomers
from netgame.protocol.peer.people.presence import Presence
from netgame.protocol.peer.place import Place
from netgame.wire.messages import Missed
from netgame.wire.statements import bit

PATIENCE_S: Final[dict[Patience, float]] = {
    Patience.FIVE_MINUTES: 300.0,
    Patience.MINUTE: 60.0,
    Patience.VOTE: float("inf"),
}
"""What the values of the option mean: the table has chosen one of them, and no program another."""


@dataclass(eq=False)
class Wishes:
    """Our person would go on without the `wanted` keys; `_missed` has whom others miss.

    Each with the id of the epoch that it was told in. Peers were sent `_told_missed`, and the
    person here was told of `_told`.
    """

    place: Place
    presence: Presence
    absence: Absence
    wanted: frozenset[bytes] = frozenset()
    _missed: dict[bytes, tuple[bytes, frozenset[bytes]]] = field(default_factory=dict)
    _told_missed: dict[PeerKey, Missed] = field(default_factory=dict)
    _told: set[tuple[bytes, frozenset[bytes]]] = field(default_factory=set)

    def give_up(self, keys: Iterable[bytes]) -> None:
        """A person here would go on without these; it lapses for who is back, and owes nothing."""
        self.wanted = frozenset(keys) & self._present() - {self.place.key}

    def _present(self) -> frozenset[bytes]:
        """The keys of the seats that are there."""
        state = self.place.state
        return frozenset(state.company.now.keys[seat] for seat in state.present)

    def is_missed(self, key: bytes) -> bool:
        """Whether people may be asked to go on without this one.

        It is away, the table has waited for it too long, or it holds all up in polls.
        """
        self.absence.look()
        return key in self.absence.down or self.absence.owes(key, IDLE_S) or self._holds_up(key)

    def _holds_up(self, key: bytes) -> bool:
        """Whether this key has had all decide again and again, for nothing."""
        state, decisions = self.place.state, self.place.ledger.decisions
        for_nothing = (e.book for e in decisions if not e.goes and e.book.id == state.log_id)
        seat = state.seat_of(key)
        return sum(book.opener() == seat for book in for_nothing) >= FRUITLESS_POLLS_MAX

    def hear(self, key: PeerKey, missed: Missed) -> None:
        """A member tells whom it misses."""
        epoch = self.place.state.company.of_id(missed.id)
        if epoch is None or not self.place.sits(key):
            return
        seats = read_mask(missed.seats)
        keys = frozenset(epoch.keys[seat] for seat in seats if seat < len(epoch.keys))
        self._missed[key] = missed.id, keys - {key}

    def forget(self, key: PeerKey) -> None:
        """The link to a peer is gone: what it missed nobody knows any more."""
        self._missed.pop(key, None)
        self._told_missed.pop(key, None)

    def are_none(self) -> bool:
        """Whether nobody is missed by anybody, and nobody can be: most of the time."""
        self.absence.look()
        some = self.wanted or self._missed or self._told_missed or self.absence.down
        return not (some or newcomers(self.place.state))

    def is_anybody_missed(self) -> bool:
        """Whether somebody is away, or others say so of somebody."""
        self.absence.look()
        return bool(self.absence.down) or any(keys for _, keys in self._missed.values())

    def misses(self) -> frozenset[bytes]:
        """Whom this program would go on without now."""
        place, state, absence = self.place, self.place.state, self.absence
        absence.look()
        own = place.seat
        if own not in state.present or isinstance(state.now, phases.FINAL) or place.in_lobby:
            return frozenset()
        keys = self._present() - {place.key}
        self.wanted = frozenset(
            key
            for key in self.wanted & keys
            if key in absence.down or absence.owes(key) or self._holds_up(key)
        )
        late = (key for key in keys if absence.is_away(key, PATIENCE_S[state.options.patience]))
        new = (state.company.now.keys[seat] for seat in newcomers(state))
        overdue = (key for key in new if key in keys and absence.owes(key, NEWCOMER_S))
        followed = frozenset[bytes]() if place.attended else self._followed() & keys
        return self.wanted | frozenset(late) | frozenset(overdue) | followed

    def _followed(self) -> frozenset[bytes]:
        """Whom others miss, where this program finds the same."""
        named = frozenset[bytes]().union(*(keys for _, keys in self._missed.values()))
        absence = self.absence
        return frozenset(
            key
            for key in named
            if absence.is_away(key, SUSPECT_S) or absence.owes(key, IDLE_S) or self._holds_up(key)
        )

    def who_miss(self, key: bytes, own: frozenset[bytes]) -> frozenset[bytes]:
        """Who misses this key, of those who decide and have not parted."""
        state = self.place.state
        told = {
            each for each, (of, keys) in self._missed.items() if of == state.log_id and key in keys
        }
        if key in own:
            told.add(self.place.key)
        seats = (seat for each in told if (seat := state.seat_of(each)) is not None)
        say = self.have_say()
        return frozenset(state.company.now.keys[seat] for seat in seats if say & bit(seat))

    def needed(self) -> int:
        """How many have to agree: more than half of those who decide and have not parted."""
        return self.have_say().bit_count() // 2 + 1

    def have_say(self) -> int:
        """The set of the seats that decide who goes on, and have not parted."""
        poll = self.place.ledger.poll
        return poll.cut.company & ~poll.parted()

    def decides(self, key: bytes) -> bool:
        """Whether this key has a say in who goes on."""
        seat = self.place.state.seat_of(key)
        return seat is not None and bool(self.have_say() & bit(seat))

    def missed_by(self) -> dict[bytes, frozenset[bytes]]:
        """Who is missed, and by whom of those who have a say in it, by key."""
        if not (self.wanted or self.is_anybody_missed()):
            return {}
        own = self.misses()
        return {key: by for key in self._present() if (by := self.who_miss(key, own))}

    def are_enough(self, own: frozenset[bytes]) -> bool:
        """Whether more than half miss somebody."""
        return any(len(self.who_miss(key, own)) >= self.needed() for key in self._present())

    # ---- what others are told, and the person here ----

    def tell(self) -> None:
        """Tell each peer whom we miss, and the person here who misses whom."""
        if self.are_none():
            return
        state, misses = self.place.state, self.misses()
        seats = tuple(seat for key in misses if (seat := state.seat_of(key)) is not None)
        missed = Missed(state.log_id, filled_mask(seats))
        for key, _ in self.place.links.at_table():
            if missed != self._told_missed.get(key) and (seats or key in self._told_missed):
                self._told_missed[key] = missed
                self.place.outbox.send(key, missed)
        if not seats:
            self._told_missed.clear()
        self._tell_votes(misses)

    def _tell_votes(self, own: frozenset[bytes]) -> None:
        """Tell who would go on without whom, each once; not what needs no say of a person."""
        place, state = self.place, self.place.state
        said = {key: keys for key, (of, keys) in self._missed.items() if of == state.log_id}
        if place.sits(place.key) and own:
            said[place.key] = own
        for sayer, keys in sorted(said.items()):
            patience = PATIENCE_S[state.options.patience]
            people = frozenset(
                key
                for key in keys
                if self.place.sits(key) and not self.absence.is_away(key, patience)
            )
            if not people or not self.place.sits(sayer):
                self._told = {each for each in self._told if each[0] != sayer}
                continue
            if (sayer, people) in self._told:
                continue
            self._told.add((sayer, people))
            self._tell_vote(sayer, people, own)

    def _tell_vote(self, sayer: bytes, people: frozenset[bytes], own: frozenset[bytes]) -> None:
        state = self.place.state
        agreed = frozenset.intersection(*(self.who_miss(key, own) for key in people))
        without = sorted(seat for key in people if (seat := state.seat_of(key)) is not None)
        may_agree = self.place.sits(self.place.key) and self.place.key not in people
        self.place.outbox.notify(
            VoteCast(
                self.presence.name_of(PeerKey(sayer)),
                tuple(map(state.name_of, without)),
                *(len(agreed), self.needed()),
                own=sayer == self.place.key,
                may_agree=may_agree and not people <= own,
                by=tuple(
                    state.name_of(seat)
                    for seat in sorted(map(state.company.now.keys.index, agreed))
                ),
            )
        )
