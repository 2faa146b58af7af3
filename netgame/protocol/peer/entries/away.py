"""Who is away, and when this seat says that others are missing [protocol.md §4.7].

People decide with a vote; a program that nobody attends follows them, and everybody's gives up by
itself who has been away for as long as the table has agreed on, or has said farewell.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from netgame.limits import HEAD_S, MISSING_MAX, NEWCOMER_S, SUSPECT_S
from netgame.protocol.fold.options import Patience
from netgame.protocol.fold.session import due
from netgame.protocol.ledger.votes import Naming, newcomers
from netgame.protocol.log.entry import filled_mask
from netgame.protocol.notices import VoteCast
from netgame.protocol.peer.entries.next_vote import VoteScene, Wishes, choose
from netgame.protocol.peer.entries.writer import Pen
from netgame.protocol.peer.place import Place
from netgame.protocol.peer.receipt.ballots import Ballots
from netgame.wire.messages import Leave, Missing

PATIENCE_S: Final[dict[Patience, float]] = {
    Patience.FIVE_MINUTES: 300.0,
    Patience.MINUTE: 60.0,
    Patience.VOTE: float("inf"),
}

_IDLE_S: Final = 60.0
"""A seat that is linked and writes nothing is given up with a vote after this long in one step."""


@dataclass(eq=False)
class AwayVotes:
    """Who is away, since when, whom a person here wants to go on without, and our votes on it.

    `_down` has the seats without a link and since when, `_leaves` the words of who has said
    farewell; the step `_step` has been due since `_since`. `_numbering` says which seats these are.
    `_told` are the votes of the due step that the person here has been told of, `_written` the
    seats whose entries it takes, `_missed` those of `wanted` that have been without a link since.
    """

    place: Place
    ballots: Ballots
    pen: Pen
    wanted: frozenset[int] = frozenset()
    _down: dict[int, float] = field(default_factory=dict)
    _leaves: dict[bytes, Leave] = field(default_factory=dict)
    _step: int = -1
    _since: float = 0.0
    _keys: tuple[bytes, ...] = ()
    _told: set[tuple[int, frozenset[int]]] = field(default_factory=set)
    _written: frozenset[int] = frozenset()
    _missed: frozenset[int] = frozenset()

    def _look(self) -> None:
        """Remember who has no link now, and since when the due step has been due."""
        state, now = self.place.state, self.place.now
        keys = state.company.now.keys
        if keys != self._keys:
            self._take_seats(self._keys)
            self._keys = keys
        here = {self.place.seat, *self.place.links.seats()}
        if state.step != self._step:
            self._step, self._since = state.step, now
            self._told.clear()
            self.wanted &= frozenset(state.present)
            self.wanted -= self._missed & self._written & here  # back, and playing on
            self._written = frozenset(due(state).authors)
        waited_for = frozenset(due(state).authors) - self.place.ledger.slots.keys()
        self.wanted -= (self._down.keys() & here) - waited_for
        self._down = {seat: self._down.get(seat, now) for seat in state.present if seat not in here}
        self._missed = self.wanted & (self._missed | self._down.keys())

    def _take_seats(self, keys: Sequence[bytes]) -> None:
        """What was noted of places, which had these keys, is now of the seats of who had them."""
        seats = {place: self.place.state.seat_of(key) for place, key in enumerate(keys)}
        self.wanted = frozenset(seat for at in self.wanted if (seat := seats.get(at)) is not None)
        down = ((seats.get(place), since) for place, since in self._down.items())
        self._down = {seat: since for seat, since in down if seat is not None}
        self._written = self._missed = frozenset()

    def give_up(self, keys: Iterable[bytes]) -> None:
        """A person here votes to go on without these, in whatever step waits for them.

        All others have to, more than half of who is there. Lapses for who is back before that.
        """
        state = self.place.state
        self.wanted = frozenset(state.present) & frozenset(map(state.seat_of, keys))

    def part(self, key: bytes, leave: Leave) -> None:
        """A member says that it leaves for good: once its link is down nobody waits for it."""
        self._leaves[key] = leave

    def has_parted(self, key: bytes) -> bool:
        """Whether this member has said that it leaves for good, and has not come back since."""
        return key in self._leaves

    def meet(self, key: bytes) -> None:
        """A member is linked anew: it has not left after all."""
        self._leaves.pop(key, None)

    def _have_left(self, seats: frozenset[int]) -> tuple[Leave, ...] | None:
        """The word of each of these seats that it has left, in order; None without one of them."""
        if seats and not self._leaves:
            return None
        poll = self.place.ledger.poll()
        words = ((seat, self._leaves.get(poll.keys[seat])) for seat in sorted(seats))
        leaves = tuple(word for seat, word in words if word and poll.is_word(seat, word))
        return leaves if seats <= self._down.keys() and len(leaves) == len(seats) else None

    def _gone_by_itself(self) -> frozenset[int]:
        """Who needs no vote of a person: away for as long as was agreed, or by its own word."""
        state = self.place.state
        limit = PATIENCE_S[state.options.patience]
        late = (each for each, since in self._down.items() if self.place.reached(since + limit))
        parted = (each for each in self._down if state.author_key(state.step, each) in self._leaves)
        return frozenset((*late, *parted))

    def _choose(self, scene: VoteScene) -> Naming | None:
        """What to say of who is missing now, or None.

        Who sits here as a person follows others only into what they have asked for in part, or
        where this program gives up all of them by itself: nobody is left behind. To take every
        entry gives nobody up, and so is no matter of theirs.
        """
        away = self._gone_by_itself()
        overdue = self._overdue(scene) - {scene.seat}
        gone = (self.wanted | away | overdue) & scene.poll.present - {scene.seat}
        is_idle = self.place.reached(self._since + _IDLE_S)

        def follows(seats: frozenset[int]) -> bool:
            asked_for = bool(self.wanted) and self.wanted <= seats
            if self.place.attended and not asked_for and not seats <= gone:
                return False
            return self._are_away(seats - self._waited_for(scene))

        def is_sayable(seats: frozenset[int]) -> bool:
            return scene.poll.outvotes(seats) or bool(self._have_left(seats))

        wishes = Wishes(
            own=(gone, self.wanted, away, overdue),
            gone=gone,
            lost=gone if is_idle else gone & (self._down.keys() | overdue),
            follows=follows,
            follows_whole=lambda seats: is_idle or self._are_away(seats),
            is_idle=is_idle,
            is_sayable=is_sayable,
        )
        return choose(scene, wishes)

    def _overdue(self, scene: VoteScene) -> frozenset[int]:
        """Newcomers that do not sign, or, when that has held all up as long again, do not vote."""
        new = newcomers(self.place.state) - scene.votes.speakers()
        if not new & scene.lacking or not self.place.reached(self._since + NEWCOMER_S):
            return frozenset()
        return new if self.place.reached(self._since + 2 * NEWCOMER_S) else new & scene.lacking

    def _waited_for(self, scene: VoteScene) -> frozenset[int]:
        """Who has kept all waiting for long: without its entry or, as long again, without its vote.

        Who is here and owes nothing has not, whatever somebody says of it; but people judge that.
        """
        if not self.place.reached(self._since + _IDLE_S):
            return frozenset()
        found = scene.lacking | self.wanted
        return found | scene.silent if self.place.reached(self._since + 2 * _IDLE_S) else found

    def _are_away(self, seats: frozenset[int]) -> bool:
        """Whether each of these is away for us too."""
        down, now = self._down, self.place.now
        return all(self.place.reached(down.get(each, now) + SUSPECT_S) for each in seats)

    # ---- votes ----

    def vote(self) -> None:
        """Say that somebody is missing, if it is time to; once for the same seats."""
        self._look()
        place, state, seat = self.place, self.place.state, self.place.seat
        if seat is None or seat not in state.present or place.fault is not None:
            return
        is_moot = not (self._down or self.wanted or place.ledger.missing or newcomers(state))
        if self.pen.silence.lasts() or is_moot or not self.pen.may_sign():
            return
        if seat in due(state).authors and seat not in place.ledger.slots:
            self._leave_unplayed(seat)
            return  # what we say is missing shows others that ours is not: so ours comes first
        scene = self._scene(seat)
        naming = self._choose(scene)
        if naming is not None:
            ballot, seats, whole = naming
            leaves = () if scene.poll.outvotes(seats) else self._have_left(seats)
            mask = filled_mask(tuple(seats))
            self._say(seat, Missing(mask, ballot, leaves or (), whole=whole, unplayed=False))

    def is_missed(self, key: bytes) -> bool:
        """Whether people may be asked to go on without this one: away, or waited for too long."""
        self._look()
        seat, slots = self.place.state.seat_of(key), self.place.ledger.slots
        is_late = self.place.reached(self._since + _IDLE_S) and seat not in slots
        return seat in self._down or (is_late and seat in due(self.place.state).authors)

    def tell(self) -> None:
        """Tell who votes to go on without whom, each once; not what needs no vote of a person."""
        place, state, votes = self.place, self.place.state, self.place.ledger.missing
        if not votes or state.step != self._step:
            return
        said = {(sayer, naming.seats) for sayer, naming in votes}
        present, no_matter = frozenset(state.present), self._gone_by_itself()
        for sayer, seats in sorted(said - self._told, key=lambda each: (each[0], sorted(each[1]))):
            self._told.add((sayer, seats))
            if seats <= no_matter:
                continue
            voices = {each for each, about in self._told if about == seats}
            may_agree = place.seat in present - seats and (place.seat, seats) not in said
            name, *without = map(state.name_of, (sayer, *sorted(seats)))
            vote = (tuple(without), len(voices), len(present - seats))
            own = sayer == place.seat
            place.outbox.notify(VoteCast(name, *vote, own=own, may_agree=may_agree))

    def _scene(self, seat: int) -> VoteScene:
        """What decides whether this seat says that somebody is missing."""
        ledger, state = self.place.ledger, self.place.state
        here = ledger.slots.keys() | ledger.pending.keys() | self.ballots.aside().keys()
        lacking = frozenset(due(state).authors) - here
        return VoteScene(ledger.poll(), seat, lacking, not lacking, ledger.missing)

    def _leave_unplayed(self, seat: int) -> None:
        """Everybody else has left for good: the turn that is ours need not be played."""
        state = self.place.state
        others = frozenset(state.present) - {seat}
        leaves = self._have_left(others)
        if leaves and self.pen.may_write() and self.place.ledger.poll().may_leave_unplayed(others):
            mask = filled_mask(tuple(others))
            self._say(seat, Missing(mask, 0, leaves, whole=False, unplayed=True))

    def _say(self, seat: int, vote: Missing) -> None:
        stage = self.place.ledger.missing.next_stage(seat)
        if stage <= MISSING_MAX and self.place.ledger.poll().may_say_missing(seat, vote):
            self.pen.enter(seat, stage, vote)
            self.place.reached(self.place.now + HEAD_S)
