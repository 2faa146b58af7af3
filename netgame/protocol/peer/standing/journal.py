"""Whether this key may sign: what it has signed, and who must be heard first [protocol.md §8].

The journal is a second file beside the record, with every entry of this key, synced before the
entry leaves. Its *mark* is the last step it speaks of. A record that ends before the mark has lost
its tail; a log that has closed a step without what the journal holds for it is another branch.

Where the file itself was damaged, a `Sealed` stands in it (`log.salvage`): nothing new is signed up
to the step that it names. If it names none, this key is in *doubt*, and signs nothing at all until
the table has gone on without it, or its person takes the risk (`trust`).

A seat that forgot its last entry and wrote another would look like a cheater. So after a start it
hears where everybody stands first; and for longer where a second program may play with its key.
"""

import math
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from netgame.limits import ANSWERED_MAX, ANSWERED_STEPS, DIAL_BACKOFF_MAX_S, MISSING_MAX
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import Entry, read_entry
from netgame.protocol.peer.place import Place
from netgame.protocol.peer.sync import is_ahead
from netgame.wire.codec import decode_any
from netgame.wire.messages import JournalFrame, Missing, RecordEntry, Sealed

ASK_FIRST_S: Final = 3.0
"""After a restart a seat waits this long for heads of members it cannot reach."""

_LISTEN_S: Final = DIAL_BACKOFF_MAX_S + 1.0
"""A seat that may not be alone with its key is silent so long once it is level: another program,
run from a copy of its folder, has its links again by then and has told what it wrote meanwhile."""


class Journal:
    """Own entries of one table, by step; a seat fills one slot a step, and may vote beside it."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.mark = -1
        self._by_step: dict[int, dict[bytes, Entry]] = {}
        self._kept: set[bytes] = set()
        self._recent = deque[Entry]()
        self._unplaced: list[Entry] = []
        self._astray: list[Entry] = []
        self._given_up: set[int] = set()
        self._sealed: int | None = -1

    # ---- what is in it ----

    def recall(self, ledger: Ledger, payloads: Iterable[bytes]) -> None:
        """Take over what this key has signed, as the log says, and the file with these `payloads`.

        Raises `Malformed` if they are no entries.
        """
        for step in (*ledger.steps, tuple(ledger.holding())):
            for entry in step:
                if ledger.state.author_key(entry.step, entry.seat) == self.key:
                    self.add(entry)
        for payload in payloads:
            match decode_any(payload, JournalFrame):
                case Sealed(step):
                    self._sealed = step
                case RecordEntry(signed):
                    entry = read_entry(signed)
                    self.keep(entry)
                    self._unplaced.append(entry)

    def add(self, entry: Entry) -> None:
        """This key has signed `entry`."""
        self._by_step.setdefault(entry.step, {})[entry.signed.body] = entry
        self.mark = max(self.mark, entry.step)

    def keep(self, entry: Entry) -> bool:
        """Note that an own entry goes to the file now; whether it was not there yet."""
        self.add(entry)
        known = _name(entry)
        if known in self._kept:
            return False
        self._kept.add(known)
        self._recent.append(entry)
        return True

    def to_be_kept(self) -> tuple[Entry, ...]:
        """What the record told of and the file did not hold: it goes there now."""
        entries = (each for step in sorted(self._by_step) for each in self._by_step[step].values())
        return tuple(entry for entry in entries if self.keep(entry))

    def knows(self, entry: Entry) -> bool:
        """Whether this key is known to have signed these octets."""
        return _name(entry) in self._kept or entry.signed.body in self._by_step.get(entry.step, {})

    # ---- votes on steps that are done ----

    def next_stage(self, step: int) -> int:
        """The first stage of a step of which this key has signed nothing."""
        used = {entry.stage for entry in self._by_step.get(step, {}).values()}
        return next(stage for stage in range(1, len(used) + 2) if stage not in used)

    def may_answer(self, step: int) -> bool:
        """Whether this key has signed few votes enough to close this step whole."""
        if self._sealed is None or step <= self._sealed:
            return False
        votes = sum(_is_whole(entry) for entry in self._by_step.get(step, {}).values())
        return votes < ANSWERED_MAX and self.next_stage(step) <= MISSING_MAX

    def answer(self, step: int, ballot: int, seats: bytes) -> Entry | None:
        """What this key has signed already to close this step whole though `seats` say nothing."""
        for entry in self._by_step.get(step, {}).values():
            said = entry.payload
            if isinstance(said, Missing) and (said.ballot, said.seats) == (ballot, seats):
                return entry if said.whole else None
        return None

    def whole_votes(self) -> Iterator[Entry]:
        """All that this key has signed to close steps whole."""
        for entries in self._by_step.values():
            yield from filter(_is_whole, entries.values())

    # ---- against the log ----

    def to_be_said_again(self, ledger: Ledger) -> tuple[Entry, ...]:
        """What this key has signed for the due step, after this very head.

        Of a step that the others have closed without it, nothing: saying it again here would
        close the step otherwise than they did, once more.
        """
        step, head = ledger.state.step, ledger.state.head
        if step in self._given_up:
            return ()
        return tuple(entry for entry in self._by_step.get(step, {}).values() if entry.prev == head)

    def may_sign(self, ledger: Ledger) -> bool:
        """Whether something new can be signed for the due step.

        Not before everything that this key has signed stands in the log, and never on a branch on
        which it does not, unless the table has closed a step without this seat since.
        """
        step = ledger.state.step
        if self.is_in_doubt(ledger) or step <= (self._sealed or 0):
            return False
        if self.mark > step or self.is_void(ledger):
            return False
        return not self._elsewhere(ledger)

    def is_in_doubt(self, ledger: Ledger) -> bool:
        """Whether this key may have signed more than anybody here can tell."""
        return self._sealed is None and not self._is_given_up(ledger, self.mark)

    def trust(self) -> Sealed | None:
        """Sign again, whatever has been lost; what goes to the file, if there was any doubt."""
        if self._sealed is not None:
            return None
        self._sealed = 0
        return Sealed(0)

    def has_filled(self, step: int) -> bool:
        """Whether this key has signed an entry for its slot of this step, or left it unplayed."""
        here = (entry.payload for entry in self._by_step.get(step, {}).values())
        return any(not isinstance(payload, Missing) or payload.unplayed for payload in here)

    def is_void(self, ledger: Ledger) -> bool:
        """Whether the log is another branch than this key has signed for, and counts on it."""
        self._place(ledger)
        strange = (*self._astray, *self._elsewhere(ledger))
        return any(not self._is_given_up(ledger, entry.step) for entry in strange)

    def _elsewhere(self, ledger: Ledger) -> tuple[Entry, ...]:
        """What this key has signed for the due step, but after another head."""
        step, head = ledger.state.step, ledger.state.head
        return tuple(each for each in self._by_step.get(step, {}).values() if each.prev != head)

    def read_anew(self, given_up: int) -> None:
        """The log is read again from its first entry: nothing has its place yet.

        The others have closed the step `given_up` otherwise than this peer had read it, and what it
        had read is recalled.
        """
        self._given_up.add(given_up)
        self._astray = []
        self._unplaced = [each for step in self._by_step.values() for each in step.values()]
        self._recent = deque(e for e in self._unplaced if _name(e) in self._kept)

    def _place(self, ledger: Ledger) -> None:
        """Find what the journal held before this life in the steps that are done.

        What stands there for long stays in the log alone: nobody is answered about it any more.
        """
        step = ledger.state.step
        while self._recent and self._recent[0].step < step - ANSWERED_STEPS:
            entry = self._recent.popleft()
            if not isinstance(entry.payload, Missing) and _stands(entry, ledger):
                self._by_step[entry.step].pop(entry.signed.body)
                if not self._by_step[entry.step]:
                    del self._by_step[entry.step]
        if not self._unplaced:
            return
        ripe = [entry for entry in self._unplaced if entry.step < step]
        self._unplaced = [entry for entry in self._unplaced if entry.step >= step]
        self._astray += [entry for entry in ripe if not _stands(entry, ledger)]

    def _is_given_up(self, ledger: Ledger, step: int) -> bool:
        """Whether the table has gone on without this seat, at `step` or after, or still had."""
        given_up = -1
        for number in range(ledger.state.step):
            seats = ledger.given_up(number)
            if any(ledger.state.author_key(number, seat) == self.key for seat in seats):
                given_up = number
        if given_up < 0 or given_up >= step:
            return given_up >= 0
        between = (e for at in ledger.steps[given_up + 1 : step + 1] for e in at)
        return not any(self.knows(entry) for entry in between)


def _name(entry: Entry) -> bytes:
    """A digest of what was signed, as a long game has many: two of them are never the same."""
    return sha256(entry.signed.body).digest()


def _is_whole(entry: Entry) -> bool:
    return isinstance(entry.payload, Missing) and entry.payload.whole


def _stands(entry: Entry, ledger: Ledger) -> bool:
    """Whether an entry is in its done step; a vote need only be about that step."""
    if isinstance(entry.payload, Missing):
        return entry.prev == ledger.head_before(entry.step)
    return any(entry.signed.body == each.signed.body for each in ledger.steps[entry.step])


@dataclass(eq=False)
class Silence:
    """Who has told where they stand since the start, and what keeps this seat silent.

    `_heard` are the keys whose heads have come, `ended_at` is when the last silence was over.
    Silent at least until `until` while somebody has not been heard; None where nothing keeps this
    seat silent any more, or ever has. `_level_since` has the step and time from which on we had
    all that others told of; `_met_rival` had a link to another process with our key.
    """

    place: Place
    journal: Journal
    ended_at: float = -math.inf
    _heard: set[bytes] = field(default_factory=set)
    until: float | None = None
    _level_since: tuple[int, float] | None = None
    _met_rival: set[bytes] = field(default_factory=set)

    def begin(self, until: float) -> None:
        """Be silent: at least until then while somebody has not been heard."""
        self.until, self._level_since = until, None

    def hear(self, key: bytes) -> None:
        """This peer has told where it stands."""
        self._heard.add(key)

    def forget(self, key: bytes) -> None:
        """The link to somebody who does not belong to the table is gone."""
        self._heard.discard(key)

    def met_rival(self, key: bytes) -> None:
        """This peer had a link to another process with our key when ours came."""
        if self.until is not None:
            self._met_rival.add(key)

    def lasts(self) -> bool:
        """Whether this seat has to hear more before it signs anything."""
        if self.until is None:
            return False
        place = self.place
        own, now = place.seat, place.now
        without = frozenset[int]() if own is None else place.ledger.missing.named_by(own)
        members = {member.key for member in place.state.members} - {place.key}
        asked = {key for key in members if self._is_asked(key, without)}
        heads = [
            peer.head
            for key, peer in place.links.peers.items()
            if peer.greeted and peer.head and self._is_asked(key, without)
        ]
        filled = frozenset(place.ledger.slots) | without  # whose entries we take no more
        links_anew = {key for key, peer in place.links.peers.items() if peer.head is None}
        is_unheard = not asked <= self._heard - links_anew
        if is_unheard and (not place.reached(self.until) or not heads):
            return True
        if any(is_ahead(head, place.state.step, filled) for head in heads):
            return True
        if self._level_since is None:
            self._level_since = place.state.step, now
        may_be_two = self.journal.mark >= 0 and (is_unheard or bool(asked & self._met_rival))
        if may_be_two and not place.reached(self._level_since[1] + _LISTEN_S):
            return True
        self.until, self.ended_at = None, now
        return False

    def _is_asked(self, key: bytes, without: frozenset[int]) -> bool:
        """Whether the head of this peer says what we may have forgotten.

        Who has left, or is given up by us, may go on by itself for ever.
        """
        if self.place.in_lobby:
            return self.place.belongs(key)
        state = self.place.state
        return state.seat_of(key) in frozenset(state.present) - without

    def has_been_level(self, step: int) -> bool:
        """Whether an own entry of this step that we did not sign was made after we had caught up.

        What was forgotten, and what somebody held back, is shown before.
        """
        return self.until is None or (
            self._level_since is not None and step >= self._level_since[0]
        )
