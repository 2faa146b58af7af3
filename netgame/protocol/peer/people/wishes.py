"""The wishes to go on without some seats, which programs tell each other [peer.md §8.2].

Wishes are not signed and bind nobody: they show when a ballot is worth opening. `WhyMissed` lists
the reasons why a program misses a seat, that is, would go on without it. A seat that is heard
through others counts as present until a peer that may know better says otherwise.

When a broken network heals, links come back one after the other. A program that has not found a
seat again goes on naming it for a moment. So a wish about somebody who is present is shown to the
player only after a while. A wish about somebody who was away ends when they are back, even if it is
their turn: they have not kept anybody waiting yet.

No person attends a bot, or a seat that plays by itself: such a program must not add the second vote
by which a person is removed. It follows a wish only after a minute, and never a follower's wish, so
that its own wish ends with the one that it follows.
"""

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Final, TypeAlias, assert_never

from netgame.frozen import FrozenStruct
from netgame.limits import FRUITLESS_POLLS_MAX, IDLE_S, SUSPECT_S
from netgame.protocol.agreement import Agreed, agreed_on
from netgame.protocol.log.entry import filled_mask
from netgame.protocol.notices import VoteCast, VoteTakenBack
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.absence import Absence, Away, HeardThrough, Linked, newcomers
from netgame.protocol.peer.people.names import ScreenNames
from netgame.protocol.peer.people.others_wishes import OthersWishes
from netgame.protocol.peer.state_table import after
from netgame.protocol.peer.status.news import News
from netgame.protocol.state import phases
from netgame.protocol.state.options import Patience
from netgame.wire.messages import Missed

PATIENCE_S: Final[dict[Patience, float]] = {
    Patience.FIVE_MINUTES: 300.0,
    Patience.MINUTE: 60.0,
    Patience.VOTE: float("inf"),
}
"""The seconds for each value of the option, the same for all programs of a table."""


class Unnamed(FrozenStruct):
    """Our player has not named the seat."""


class NamedAway(FrozenStruct):
    """Our player named the seat while it was away."""


class NamedHere(FrozenStruct):
    """Our player named the seat while it was linked, or heard through others."""


class NamedEvent(Enum):
    """The events that change whom our player has named."""

    NAMED_AWAY = "the person names it, and it is away"
    NAMED_HERE = "the person names it, and it is not away"
    TAKEN_BACK = "the person names others without it, or nobody"
    BACK = "it is not away"
    UNAWAITED = "it is not away, owes nothing, and does not hold up the polls"
    OUT = "it has gone, or this seat has been let go itself"


Named: TypeAlias = Unnamed | NamedAway | NamedHere

NAMINGS: Final[dict[tuple[type[Named], NamedEvent], type[Named]]] = {
    (Unnamed, NamedEvent.NAMED_AWAY): NamedAway,
    (Unnamed, NamedEvent.NAMED_HERE): NamedHere,
    (NamedAway, NamedEvent.NAMED_HERE): NamedHere,
    (NamedAway, NamedEvent.BACK): Unnamed,
    (NamedHere, NamedEvent.UNAWAITED): Unnamed,
    (NamedAway, NamedEvent.TAKEN_BACK): Unnamed,
    (NamedHere, NamedEvent.TAKEN_BACK): Unnamed,
    (NamedAway, NamedEvent.OUT): Unnamed,
    (NamedHere, NamedEvent.OUT): Unnamed,
}
"""A `NamedHere` seat that is named again while it is away stays `NamedHere`: it kept the table
waiting before its link was lost, and naming it twice must not end the wish sooner."""


class WhyMissed(Enum):
    """The reasons why this program would go on without a seat."""

    NAMED = "named"
    """Our player named it."""
    LATE = "late"
    """It has kept the table waiting as long as agreed, or was away that long while another did."""
    NEWCOMER = "newcomer"
    """It is new, and keeps the seats from being drawn."""
    FOLLOWED = "followed"
    """Others miss it, no person attends here, and this program finds the same."""
    CONVICTED = "convicted"
    """It is convicted of a fault that stops nobody."""


class Wishes(PeerPart):
    """The wishes to go on without seats: those that others told us, and our own.

    We miss only other seats that have not left for good. While we have no seat, in the lobby, once
    the coin has fallen and once the game is over, we miss nobody.
    """

    names: ScreenNames
    absence: Absence
    others: OthersWishes
    news: News
    _named: dict[bytes, Named] = {}
    """The keys that our player has named, each `NamedAway` or `NamedHere`."""
    _taken_back: frozenset[bytes] = frozenset()
    """The keys that our player named and no longer names."""
    _told_missed: dict[PeerKey, Missed] = {}
    """The wishes that we last sent each linked peer."""
    _told: dict[bytes, frozenset[bytes]] = {}
    """The keys that each member named when our player was last told of its wish."""

    @property
    def wanted(self) -> frozenset[bytes]:
        """The keys that our player has named."""
        return frozenset(self._named)

    def give_up(self, keys: Iterable[bytes]) -> None:
        """Wish to go on without exactly these seats: take back wishes about any others.

        Keys that no other seat has are ignored. A wish about a seat that was away when named ends
        once it is back. Any other ends once the seat is here, owes nothing and holds up no poll.
        """
        self.absence.look()
        named = frozenset(keys) & self._others()
        before = frozenset(self._named)
        self._taken_back = (self._taken_back | before) - named
        self._name(lambda key, _state: None if key in named else NamedEvent.TAKEN_BACK)
        for key in named:
            is_away = self.absence.is_away(key)
            event = NamedEvent.NAMED_AWAY if is_away else NamedEvent.NAMED_HERE
            self._named[key] = after(NAMINGS, self._named.get(key, Unnamed()), event)
        self._told.pop(self.context.key, None)
        self._tell_back(self.context.key, before - named - self.misses())

    def _name(self, event_of: Callable[[bytes, Named], NamedEvent | None]) -> None:
        """Apply an event, if any, to each named key, and forget the keys that become `Unnamed`."""
        for key, state in tuple(self._named.items()):
            event = event_of(key, state)
            if event is not None:
                self._named[key] = after(NAMINGS, state, event)
            if isinstance(self._named[key], Unnamed):
                del self._named[key]

    def _found_of(self, key: bytes, state: Named) -> NamedEvent | None:
        """Return the event that ends the naming of a key, or None if the wish remains."""
        if key not in self._others():
            return NamedEvent.OUT
        if self.absence.is_away(key):
            return None
        if isinstance(state, NamedAway):
            return NamedEvent.BACK
        return None if self.absence.owes(key) or self._holds_up(key) else NamedEvent.UNAWAITED

    def _others(self) -> frozenset[bytes]:
        """Return the keys of the other seats that have not left for good."""
        return frozenset(self.context.state.company.now.here) - {self.context.key}

    def is_missed(self, key: bytes) -> bool:
        """Return True if players may be asked to go on without this seat.

        They may if it is away, has kept us waiting for `IDLE_S`, holds up polls, or is convicted.
        """
        self.absence.look()
        return (
            key in self.context.convicted
            or self.absence.is_away(key)
            or self.absence.owes(key, IDLE_S)
            or self._holds_up(key)
        )

    def _holds_up(self, key: bytes) -> bool:
        """Return True if this key claims more log than it sends, or has opened polls in vain.

        The latter: in this epoch, `FRUITLESS_POLLS_MAX` or more polls that it opened let nobody go.
        """
        if self.context.links.claims_more(key):
            return True
        state, decisions = self.context.state, self.context.ledger.decisions
        for_nothing = (e.book for e in decisions if not e.goes and e.book.id == state.log_id)
        first = (book.first_opened.owner for book in for_nothing if book.first_opened is not None)
        return sum(seat == state.seat_of(key) for seat in first) >= FRUITLESS_POLLS_MAX

    def _look(self) -> None:
        """Update who is away, and read the wishes of others whose epoch our log has reached."""
        self.absence.look()
        for sayer in self.others.read():
            self._told.pop(sayer, None)  # the next wish is news

    def _mask(self, keys: Iterable[bytes]) -> bytes:
        seats = map(self.context.state.seat_of, keys)
        return filled_mask(seat for seat in seats if seat is not None)

    def forget(self, key: PeerKey) -> None:
        """Forget the wishes of a peer, because its link is gone."""
        self.others.forget(key)
        self._told_missed.pop(key, None)

    def lose(self, key: PeerKey) -> None:
        """Forget a peer whose link is lost; once it is back, the player is told its wishes anew."""
        self.forget(key)
        self._told.pop(key, None)

    def are_none(self) -> bool:
        """Return True if each seat is `Linked`, none is new or convicted, and nobody has a wish.

        False, too, until peers that we told of a wish know that we have none any more.
        """
        self._look()
        some = self._named or self.others.all() or self._told_missed or self.context.convicted
        return not (some or self.absence.are_some_apart() or newcomers(self.context.state))

    def is_anybody_missed(self) -> bool:
        """Return True if some seat is not `Linked`, or others say that they miss one."""
        self._look()
        wishes = self.others.all().values()
        return self.absence.are_some_apart() or any(wish.since for wish in wishes)

    def misses(self) -> frozenset[bytes]:
        """Return the keys that this program would go on without now."""
        return frozenset[bytes]().union(*self.reasons().values())

    def reasons(self) -> dict[WhyMissed, frozenset[bytes]]:
        """Return, by reason, the keys that this program would go on without now.

        Drops the player's outdated wishes first, in every phase. Empty in the lobby, while we have
        no seat, once the coin has fallen and once the game is over. A key may have several reasons.
        """
        context, state = self.context, self.context.state
        self._look()
        if context.seat not in state.present:
            self._name(lambda _key, _state: NamedEvent.OUT)  # the others went on without us
            return {}
        self._name(self._found_of)
        if isinstance(state.now, phases.FINAL):
            return {}
        others = self._others()
        return {why: self._missed_for(why) & others for why in WhyMissed}

    def _missed_for(self, why: WhyMissed) -> frozenset[bytes]:
        match why:
            case WhyMissed.NAMED:
                return self.wanted
            case WhyMissed.LATE:
                return self._late()
            case WhyMissed.NEWCOMER:
                return self._overdue()
            case WhyMissed.FOLLOWED:
                return frozenset() if self.context.attended else self._followed()
            case WhyMissed.CONVICTED:
                return self.context.convicted
            case _:
                assert_never(why)

    def _overdue(self) -> frozenset[bytes]:
        """Return the keys of the other newcomers that keep the seats from being drawn."""
        state, others = self.context.state, self._others()
        new = (state.company.now.keys[seat] for seat in newcomers(state))
        return frozenset(k for k in new if k in others and self.absence.keeps_seats_waiting(k))

    def _late(self) -> frozenset[bytes]:
        """Return the keys that the table has waited for as long as agreed, named by anybody or not.

        If there are any, all others that have been away that long are included, too.
        """
        others = self._others()
        patience = PATIENCE_S[self.context.state.options.patience]
        late = frozenset(key for key in others if self._keeps_waiting(key, patience))
        away = (key for key in others if self.absence.is_away(key, patience))
        return late.union(away) if late else late

    def _keeps_waiting(self, key: bytes, patience: float) -> bool:
        """Return True if this key has owed the due step for this long, and has no link here.

        A seat that is heard through others may just be thinking, which a peer linked to it can tell
        better than we. So another voter must miss it, too. If enough voters are linked here to
        decide, twice the patience will do: each of them may be waiting for another's word.
        """
        absence, contact = self.absence, self.absence.contacts[key]
        match contact:
            case Linked():
                return False
            case Away():
                return absence.is_away(key, patience) and absence.owes(key, patience)
            case HeardThrough():
                if not absence.owes(key, patience):
                    return False
                is_named = bool(self.who_miss(key, frozenset()))
                return is_named or (self._is_quorum_linked() and absence.owes(key, 2 * patience))
            case _:
                assert_never(contact)

    def _is_quorum_linked(self) -> bool:
        """Return True if at least `needed` voters are linked here, this seat included."""
        linked = (self.context.key, *self.context.links.greeted())
        return sum(map(self.decides, linked)) >= self.needed()

    def _followed(self) -> frozenset[bytes]:
        """Return the keys that peers miss of their own accord, and that seem missing to us, too."""
        named = {
            key
            for by, wish in self.others.direct.items()
            for key in wish.since.keys() - wish.followed
            if self._has_stood(by, key)
        }
        absence = self.absence
        return frozenset(
            key
            for key in named
            if absence.is_away(key, IDLE_S) or absence.owes(key, IDLE_S) or self._holds_up(key)
        )

    def _only_followed(self) -> frozenset[bytes]:
        """Return the keys that we miss only because others do."""
        reasons = self.reasons()
        followed = reasons.pop(WhyMissed.FOLLOWED, frozenset[bytes]())
        return followed.difference(*reasons.values())

    def _has_stood(self, sayer: bytes, key: bytes) -> bool:
        """Return True if a peer's wish is not just due to a link that has yet to be restored.

        True if the key is away here, too, or the peer has no link here. Otherwise the peer's link
        and the key's return must both be `SUSPECT_S` old.
        """
        peer = self.context.links.peers.get(PeerKey(sayer))
        absence = self.absence
        if absence.is_away(key) or peer is None:
            return True
        has_held = self.context.reached(peer.came_at + SUSPECT_S)
        return has_held and absence.has_settled(key, SUSPECT_S)

    def who_miss(self, key: bytes, own: frozenset[bytes]) -> frozenset[bytes]:
        """Return the keys that miss this one, have a vote and have not parted.

        `own` are the keys that we miss.
        """
        state = self.context.state
        told = {
            each
            for each, wish in self.others.all().items()
            if wish.epoch == state.log_id and key in wish.since
        }
        if key in own:
            told.add(self.context.key)
        say, bit_of = self.have_say(), state.company.now.bit_of
        return frozenset(each for each in told if say & bit_of(each))

    def needed(self) -> int:
        """Return how many must agree: more than half of the voters that have not parted."""
        return self.have_say().bit_count() // 2 + 1

    def fewer_needed(self, parted: bytes) -> tuple[int, int]:
        """Return how many voters must agree, and out of how many, once `parted` has parted.

        (0, 0) if its parting did not lower the first number, or if nobody else is missed.
        """
        say = self.have_say().bit_count()
        if not self.context.ledger.poll.cut.company & self.context.state.company.now.bit_of(parted):
            return 0, 0  # it had no vote
        is_fewer = (say + 1) // 2 + 1 > self.needed()  # before it parted, one more had a say
        return (self.needed(), say) if is_fewer and self.missed_by().keys() - {parted} else (0, 0)

    def have_say(self) -> int:
        """Return the bit set of the seats that have a vote on who goes on and have not parted."""
        poll = self.context.ledger.poll
        return poll.cut.company & ~poll.cut.parted()

    def decides(self, key: bytes) -> bool:
        """Return True if this key has a vote on who goes on, and has not parted."""
        return bool(self.have_say() & self.context.state.company.now.bit_of(key))

    def missed_by(self) -> dict[bytes, frozenset[bytes]]:
        """Return the keys that are missed, each with the voters that miss it.

        The player here sees these, so others' wishes that may be outdated are left out.
        """
        if not (self._named or self.is_anybody_missed()):
            return {}
        own = self.misses()
        shown = frozenset[bytes]().union(*self._said(own).values())
        return {
            key: by
            for key in self.context.state.company.now.here
            if key in shown and (by := self.who_miss(key, own))
        }

    def agreed(self, own: frozenset[bytes]) -> frozenset[tuple[bytes, bytes]]:
        """Return each key that at least `needed` voters miss, paired with each of these voters.

        `own` are the keys that we miss.
        """
        votes = ((key, self.who_miss(key, own)) for key in self.context.state.company.now.here)
        needed = self.needed()
        return frozenset((key, by) for key, who in votes if len(who) >= needed for by in who)

    # ---- telling others and the player here ----

    def tell(self) -> None:
        """Tell each peer whom we miss, and the player here who misses whom, if that has changed."""
        if self.are_none():
            return
        misses = self.misses()
        missed = Missed(
            self.context.state.log_id,
            self._mask(misses),
            self._mask(misses & self._only_followed()),
            self._mask(self._taken_back - misses),
        )
        for key, _ in self.context.links.at_table():
            if missed != self._told_missed.get(key) and (misses or key in self._told_missed):
                self._told_missed[key] = missed
                self.context.outbox.send(key, missed)
        if not misses:
            self._told_missed.clear()
        if not self.news.is_catching_up:
            self._tell_votes(misses)

    def _said(self, own: frozenset[bytes]) -> dict[bytes, frozenset[bytes]]:
        """Return the keys that each voter misses, as far as the player here should see them.

        `own` are the keys that we miss. Wishes told in another epoch are left out.
        """
        context, state = self.context, self.context.state
        log_id, present = state.log_id, state.company.now.here

        def concerns(sayer: bytes, key: bytes, since: float) -> bool:
            if key == context.key or key not in present:
                return key in present
            is_open = self.is_missed(key) or context.reached(since + SUSPECT_S)
            return is_open and self._has_stood(sayer, key)

        said = {
            sayer: frozenset(k for k, since in wish.since.items() if concerns(sayer, k, since))
            for sayer, wish in self.others.all().items()
            if wish.epoch == log_id
        }
        said[context.key] = own
        return {sayer: said[sayer] for sayer in sorted(said) if self.decides(sayer)}

    def _tell_votes(self, own: frozenset[bytes]) -> None:
        """Tell the player each new wish once, except about seats that nobody needs to name.

        If somebody names fewer seats, tell that only if they took back their vote: most seats drop
        out because they have gone or are back.
        """
        late, wishes = self._late(), self.others.all()
        for sayer, keys in self._said(own).items():
            people = keys - late - self.context.convicted
            misses = own if sayer == self.context.key else wishes[sayer].since.keys()
            told = self._told.get(sayer, frozenset())
            if sayer != self.context.key:
                self._tell_back(sayer, (told - misses) & wishes[sayer].taken_back)
            before = told & misses
            self._told[sayer] = before | people
            if people - before:
                self._tell_vote(sayer, people, own)

    def _tell_vote(self, sayer: bytes, people: frozenset[bytes], own: frozenset[bytes]) -> None:
        context = self.context
        is_in_reach = context.key not in people and all(map(self.is_missed, people))
        context.outbox.notify(
            VoteCast(
                self.names.name_of(PeerKey(sayer)),
                self._names(people),
                self.needed(),
                own=sayer == context.key,
                may_agree=self.decides(context.key) and is_in_reach and not people <= own,
                agreed=self._agreed(people, own),
            )
        )

    def _tell_back(self, sayer: bytes, keys: frozenset[bytes]) -> None:
        """Tell the player that `sayer` has taken back a vote on these seats, except those gone."""
        if back := keys.intersection(self.context.state.company.now.here):
            name = self.names.name_of(PeerKey(sayer))
            told = VoteTakenBack(name, self._names(back), own=sayer == self.context.key)
            self.context.outbox.notify(told)

    def _names(self, keys: Iterable[bytes]) -> tuple[str, ...]:
        """Return the names of these keys, in seat order."""
        state = self.context.state
        return tuple(map(state.name_of, sorted(map(state.company.now.keys.index, keys))))

    def _agreed(self, people: frozenset[bytes], own: frozenset[bytes]) -> tuple[Agreed, ...]:
        """Return these people's names, grouped by the players who would go on without them.

        The group that most players would go on without comes first; names are in seat order.
        """
        state, keys = self.context.state, self.context.state.company.now.keys
        return agreed_on(
            (state.name_of(seat), self._names(self.who_miss(keys[seat], own)))
            for seat in sorted(map(keys.index, people))
        )
