"""Which seats are away or keep the table waiting, and for how long [peer.md §8.2].

A network may keep two players apart who both reach a third: many a guest Wi-Fi does so on purpose.
Their entries still come to each other, pulled from those in between. So a seat without a link is
here, through others, once an entry of its key has come to stand in our log. An entry of the step in
which its link was lost does not count: it may have come over that link. When the last of our own
links is lost, nobody can be heard through others, and all are away.
"""

from typing import Final

from netgame.limits import NEWCOMER_S, NEWCOMER_STEP_S
from netgame.protocol.fold import phases
from netgame.protocol.fold.session import due
from netgame.protocol.fold.state import State
from netgame.protocol.peer.place import PeerPart

_RETURNS_MAX: Final = 3
"""How often in a step a returning player is given time; coming and going gains no more."""
_STEPS_READ: Final = 16
"""When one input brings many steps, only so many are looked at: older ones are on the disk."""


class Absence(PeerPart):
    """The keys that are away and since when, and how long the due step has waited.

    Those `through` others have no link here, and are not away. `_heard` are all whose entries have
    come so since their last link, whether or not we have a link to anybody now; `_silent` are those
    that were away when the due step fell due. `_back` says how often each has come back in this
    step, and when, for the last time that counts. The table has been forming since
    `_forming_since`, with some newcomers or with others.
    """

    down: dict[bytes, float] = {}
    through: frozenset[bytes] = frozenset()
    _heard: frozenset[bytes] = frozenset()
    _silent: frozenset[bytes] = frozenset()
    _back: dict[bytes, tuple[int, float]] = {}
    _step: tuple[bytes, int] = (b"", -1)
    _since: float = 0.0
    _forming_since: float | None = None

    def look(self) -> None:
        """Note which seats have no link now, and since when the due step has been due.

        A link that replaces another keeps its seat here, though its hello has yet to come.
        """
        place, state = self.place, self.place.state
        greeted = place.links.greeted()
        self._heard = (self._heard | self._heard_since()) - greeted
        if place.due() != self._step:
            self._step, self._since = place.due(), place.now
            self._silent = frozenset(self.down)
            self._back.clear()
        if not newcomers(state):
            self._forming_since = None
        elif self._forming_since is None:
            self._forming_since = place.now
        linked = {place.key, *greeted, *(place.links.peers.keys() - self.down.keys())}
        self.through = frozenset(state.company.now.here) & self._heard if greeted else frozenset()
        here = linked | self.through
        for key in here & self.down.keys():
            times, at = self._back.get(key, (0, place.now))
            self._back[key] = times + 1, place.now if times < _RETURNS_MAX else at
        gone = (key for key in state.company.now.here if key not in here)
        self.down = {key: self.down.get(key, place.now) for key in gone}

    def _heard_since(self) -> frozenset[bytes]:
        """The keys of which an entry has come to stand since the last look, by way of others.

        They were away before the step of that entry fell due.
        """
        place, ledger, (epoch, due_step) = self.place, self.place.ledger, self.place.due()
        if not self.down:
            return frozenset()
        first = min(self._step[1], due_step)  # a cut may have gone back behind the last look
        found = set[bytes | None]()
        for step in range(max(first, due_step - _STEPS_READ), due_step + 1):
            silent = self._silent if (epoch, step) == self._step else self.down.keys()
            entries = ledger.steps[step] if step < due_step else ledger.slots.values()
            found |= silent & {place.state.author_key(step, entry.seat) for entry in entries}
        return frozenset(filter(None, found))

    def are_some_apart(self) -> bool:
        """Whether a seat has no link here."""
        return bool(self.down or self.through)

    def is_away(self, key: bytes, seconds: float) -> bool:
        """Whether this key has been out of reach, by a link and through others, for this long."""
        return key in self.down and self.place.reached(self.down[key] + seconds)

    def has_settled(self, key: bytes, seconds: float) -> bool:
        """Whether this key has been back for this long; True if it was not away in this step."""
        return key not in self._back or self.place.reached(self._back[key][1] + seconds)

    def owes(self, key: bytes, seconds: float = 0.0) -> bool:
        """Whether the due step awaits an entry of this key, and has been due for this long."""
        place, seat = self.place, self.place.state.seat_of(key)
        if seat not in due(place.state).authors or seat in place.ledger.written():
            return False
        return place.reached(self._since + seconds)

    def keeps_seats_waiting(self, key: bytes) -> bool:
        """Whether this newcomer owes the due step, and the time of the whole seating is used up.

        That time is not counted anew where seats are given again without somebody who was silent:
        else each of several could use up all of it.
        """
        since = self._forming_since
        if since is None or not self.owes(key, NEWCOMER_STEP_S):
            return False
        return self.place.reached(since + NEWCOMER_S)


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
