"""What a seat says next of who is missing, and in which ballot [protocol.md §4.7].

A seat goes into the next ballot when what it has said in its own can no longer be agreed, because
somebody whose say that takes has gone; it says there only what takes nobody who has gone.
"""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple

from netgame.limits import BALLOT_MAX, FOLLOWED_MAX
from netgame.protocol.ledger.votes import Naming, Poll, Votes

_AHEAD_MAX = 2
"""A program follows nobody further than this from its own ballot, so that none uses them all up."""


class VoteScene(NamedTuple):
    """The due step as `seat` has it.

    `lacking` are the seats whose entry is not here at all; `is_whole` says that every entry is,
    though some do not count, as their seats have been named.
    """

    poll: Poll
    seat: int
    lacking: frozenset[int]
    is_whole: bool
    votes: Votes

    @property
    def ballot(self) -> int:
        """The ballot this seat is in."""
        return max(self.votes.ballot_of(self.seat), 0)

    @property
    def silent(self) -> frozenset[int]:
        """Who has not said all that this seat says in its ballot; if it does not, anything."""
        said = [each for each in self.votes.by(self.seat) if each.ballot == self.ballot]
        if not said:
            return self.poll.present - self.votes.speakers()
        return frozenset[int]().union(*(self.votes.lacks(e, self.poll.present) for e in said))


class Wishes(NamedTuple):
    """Whom this seat would go on without.

    `own` are sets it has found itself, the dearest first, `gone` all of them together, of whom
    `lost` will not speak again soon. It follows others into sets that `follows` accepts, and
    `follows_whole` where all entries are taken. `is_idle`: the step has been due for long.
    `is_sayable`: enough would stay, or all these have given their word.
    """

    own: tuple[frozenset[int], ...]
    gone: frozenset[int]
    lost: frozenset[int]
    follows: Callable[[frozenset[int]], bool]
    follows_whole: Callable[[frozenset[int]], bool]
    is_idle: bool
    is_sayable: Callable[[frozenset[int]], bool]


def choose(scene: VoteScene, wishes: Wishes) -> Naming | None:
    """What to say now, or None."""
    found = chain(_own(scene, wishes), _next(scene, wishes), _followed(scene, wishes))
    return next((naming for naming in found if _may_say(scene, wishes, naming)), None)


def _own(scene: VoteScene, wishes: Wishes) -> Iterator[Naming]:
    """In this ballot nobody is named who has said in it what we have: it could be closed both ways.

    What is said again names at least whom it named before.
    """
    heard = scene.votes.heard(scene.ballot, scene.seat)
    named = scene.votes.named_by(scene.seat, scene.ballot)
    for seats in wishes.own:
        yield Naming(scene.ballot, seats - heard)
        if named and named <= wishes.gone:
            yield Naming(scene.ballot, (seats - heard) | named)


def _next(scene: VoteScene, wishes: Wishes) -> Iterator[Naming]:
    """In the next ballot, or whole, once this one comes to nothing without who has gone."""
    if not _is_blocked(scene, wishes.lost):
        return
    if not scene.is_whole:
        yield Naming(scene.ballot + 1, wishes.gone)
    elif _has_said(scene, scene.ballot, whole=True):
        yield Naming(scene.ballot, wishes.gone, whole=True)
    else:
        yield Naming(scene.ballot + 1, wishes.gone, whole=True)


def _followed(scene: VoteScene, wishes: Wishes) -> Iterator[Naming]:
    """What others have said, in their ballot or, where this seat has said otherwise, the next."""
    votes, seat, ballot = scene.votes, scene.seat, scene.ballot
    if len(votes.by(seat)) >= FOLLOWED_MAX:
        return
    may_move = wishes.is_idle or _is_blocked(scene, wishes.lost)
    for sayer, naming in votes:
        follows = wishes.follows_whole if naming.whole else wishes.follows
        near = ballot <= naming.ballot <= ballot + _AHEAD_MAX
        if sayer == seat or not near or not follows(naming.seats):
            continue
        yield naming
        if naming.ballot == ballot and may_move and (seat, naming) not in votes:
            yield naming._replace(ballot=ballot + 1)


def _is_blocked(scene: VoteScene, lost: frozenset[int]) -> bool:
    """Whether nothing that this seat has said in its ballot can be agreed without who is lost."""
    votes, ballot, present = scene.votes, scene.ballot, scene.poll.present
    said = [naming for naming in votes.by(scene.seat) if naming.ballot == ballot]
    return bool(said) and all(votes.lacks(naming, present) & lost for naming in said)


def _has_said(scene: VoteScene, ballot: int, *, whole: bool) -> bool:
    """Whether this seat has said something of this kind in a ballot."""
    said = scene.votes.by(scene.seat)
    return any(naming.ballot == ballot and naming.whole == whole for naming in said)


def _may_say(scene: VoteScene, wishes: Wishes, naming: Naming) -> bool:
    """Whether this seat can say so beside all that it has said."""
    votes, seat, (ballot, seats, whole) = scene.votes, scene.seat, naming
    if not seats or seat in seats or not seats <= scene.poll.present or ballot > BALLOT_MAX:
        return False
    if (seat, naming) in votes or _has_said(scene, ballot, whole=not whole):
        return False
    if not wishes.is_sayable(seats) or not _leaves_enough(scene, naming):
        return False
    if whole:
        return scene.is_whole and votes.ballot_of(seat) >= 0 and ballot > 0
    fits = votes.named_by(seat, ballot) <= seats and not seats & votes.heard(ballot, seat)
    return fits and bool(seats & scene.lacking)


def _leaves_enough(scene: VoteScene, naming: Naming) -> bool:
    """Whether those named now could not go on by themselves as said in an earlier ballot.

    Else they might have closed the step so, give up who has said otherwise since, and play on.
    """
    counted = scene.poll.counted
    earlier = (each for each in scene.votes.by(scene.seat) if each.ballot < naming.ballot)
    return all(
        2 * len((naming.seats - each.seats) & counted) <= len(counted - each.seats)
        for each in earlier
        if not each.whole
    )
