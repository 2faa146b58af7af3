"""When this seat says that others are missing [protocol.md §4.7].

People decide with a vote; a program that nobody attends follows them, and everybody's gives up by
itself who has been away for as long as the table has agreed on, or has said farewell.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from netgame.limits import NEWCOMER_S, SUSPECT_S
from netgame.protocol.fold.leavers import are_outvoted, is_word, newcomers, poll_of
from netgame.protocol.fold.options import Patience
from netgame.protocol.fold.state import State
from netgame.protocol.ledger.votes import Naming
from netgame.protocol.peer.next_vote import VoteScene, Wishes, choose
from netgame.wire.messages import Leave

PATIENCE_S: Final[dict[Patience, float]] = {
    Patience.FIVE_MINUTES: 300.0,
    Patience.MINUTE: 60.0,
    Patience.VOTE: float("inf"),
}

_IDLE_S: Final = 60.0
"""A seat that is linked and writes nothing is given up with a vote after this long in one step."""


class AwayWatch:
    """Who is away, since when, and whom a person here wants to go on without.

    Times are monotonic seconds.
    """

    def __init__(self) -> None:
        self.wanted: frozenset[int] = frozenset()
        self._down: dict[int, float] = {}
        self._leaves: dict[bytes, Leave] = {}
        self._step, self._since = -1, 0.0
        self._numbering = (-1, 0)

    def look(self, state: State, linked: frozenset[int], now: float) -> None:
        """Remember who has no link now, and since when the due step has been due."""
        numbering = (state.seats_step, len(state.former))
        if numbering != self._numbering:
            is_formed_again = numbering[0] == self._numbering[0]
            self._numbering = numbering
            self._take_seats(state, state.former[-1][2] if is_formed_again else state.roster)
        if state.step != self._step:
            self._step, self._since = state.step, now
            self.wanted &= frozenset(state.present)
        self._down = {
            seat: self._down.get(seat, now) for seat in state.present if seat not in linked
        }

    def _take_seats(self, state: State, keys: Sequence[bytes]) -> None:
        """What was noted of places, which had these keys, is now of the seats of who had them."""
        seats = {place: state.seat_of(key) for place, key in enumerate(keys)}
        self.wanted = frozenset(seat for at in self.wanted if (seat := seats.get(at)) is not None)
        down = ((seats.get(place), since) for place, since in self._down.items())
        self._down = {seat: since for seat, since in down if seat is not None}

    def part(self, key: bytes, leave: Leave) -> None:
        """A member says that it leaves for good: once its link is down nobody waits for it."""
        self._leaves[key] = leave

    def meet(self, key: bytes) -> None:
        """A member is linked anew: it has not left after all."""
        self._leaves.pop(key, None)

    def have_left(self, state: State, seats: frozenset[int]) -> tuple[Leave, ...] | None:
        """The word of each of these seats that it has left, in order; None without one of them."""
        if seats and not self._leaves:
            return None
        poll = poll_of(state)
        keys = (state.author_key(state.step, seat) or b"" for seat in sorted(seats))
        given = [(key, self._leaves[key]) for key in keys if key in self._leaves]
        leaves = tuple(leave for key, leave in given if is_word(poll, key, leave))
        return leaves if seats <= self._down.keys() and len(leaves) == len(seats) else None

    def _has_parted(self, state: State, seat: int) -> bool:
        return state.author_key(state.step, seat) in self._leaves

    def say(self, state: State, scene: VoteScene, now: float, *, attended: bool) -> Naming | None:
        """What to say of who is missing now, or None.

        Who sits here as a person follows others only into what they have asked for in part: nobody
        is left behind. To take every entry gives nobody up, and so is no matter of theirs.
        """
        limit = PATIENCE_S[state.options.patience]
        away = frozenset(
            each
            for each, since in self._down.items()
            if self._has_parted(state, each) or now - since >= limit
        )
        overdue = self._overdue(state, scene, now) - {scene.seat}
        gone = (self.wanted | away | overdue) & scene.poll.present - {scene.seat}
        is_idle = now - self._since >= _IDLE_S

        def follows(seats: frozenset[int]) -> bool:
            if attended and not (self.wanted and self.wanted <= seats):
                return False
            return self._are_away(seats - self._waited_for(scene, now), now)

        def is_sayable(seats: frozenset[int]) -> bool:
            return are_outvoted(scene.poll, seats) or bool(self.have_left(state, seats))

        wishes = Wishes(
            own=(gone, self.wanted, away, overdue),
            gone=gone,
            lost=gone if is_idle else gone & (self._down.keys() | overdue),
            follows=follows,
            follows_whole=lambda seats: is_idle or self._are_away(seats, now),
            is_idle=is_idle,
            is_sayable=is_sayable,
        )
        return choose(scene, wishes)

    def _overdue(self, state: State, scene: VoteScene, now: float) -> frozenset[int]:
        """Newcomers that do not sign, or, when that has held all up as long again, do not vote."""
        waited = now - self._since
        new = newcomers(state) - scene.votes.speakers()
        if waited < NEWCOMER_S or not new & scene.lacking:
            return frozenset()
        return new if waited >= 2 * NEWCOMER_S else new & scene.lacking

    def _waited_for(self, scene: VoteScene, now: float) -> frozenset[int]:
        """Who has kept all waiting for long: without its entry or, as long again, without its vote.

        Who is here and owes nothing has not, whatever somebody says of it; but people judge that.
        """
        waited = now - self._since
        if waited < _IDLE_S:
            return frozenset()
        found = scene.lacking | self.wanted
        return found | scene.silent if waited >= 2 * _IDLE_S else found

    def _are_away(self, seats: frozenset[int], now: float) -> bool:
        """Whether each of these is away for us too."""
        return all(now - self._down.get(each, now) >= SUSPECT_S for each in seats)
