"""The done steps of a log: the last entries in memory, older ones read from the record when needed.

A peer seldom needs old steps: only when somebody asks for the log, or fills a slot twice.
"""

from array import array
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias, overload

from netgame.errors import DiskTrouble
from netgame.limits import ENTRIES_AT_HAND
from netgame.protocol.log.entry import Entries, Entry, Slot, read_entry
from netgame.wire.codec import decode, encode
from netgame.wire.messages import RecordEntry

ReadRecord: TypeAlias = Callable[[int], bytes | None]
"""Returns the n-th payload of our record, counted from 0, or None if there is none."""
NO_RECORD: Final[ReadRecord] = dict[int, bytes]().get


class Steps(Sequence[Entries]):
    """The entries of each done step, in log order; old ones are kept as record numbers only.

    An entry leaves memory only once the record gives it back unchanged.
    """

    def __init__(self, record: ReadRecord) -> None:
        self._record = record
        self._next = 1
        """The record number of the next payload to be written; number 0 is the header."""
        self._at_hand: dict[int, Entry] = {}
        """The entries in memory, by their record numbers."""
        self._due: dict[Slot, int] = {}
        """The numbers of the entries of the due step."""
        self._numbers = array("L")
        """The numbers of the entries of all done steps, one after the other."""
        self._ends = array("L", [0])
        """The end of each done step in `_numbers`; the first value is 0."""
        self._seen: tuple[int, Entries] = (-1, ())
        """The last step that was read, with its entries."""

    def write(self, entry: Entry) -> None:
        """Note an entry of the due step that is written to the record, even if it will not count.

        The entry takes the record's next number. Of two entries for one slot, the later counts. If
        more than `ENTRIES_AT_HAND` entries are in memory, the oldest are dropped from it, as far as
        the record has them.
        """
        self._due[entry.slot] = self._next
        self._at_hand[self._next] = entry
        self._next += 1
        while len(self._at_hand) > ENTRIES_AT_HAND:
            number, oldest = next(iter(self._at_hand.items()))
            if self._record(number) != encode(RecordEntry(oldest.signed)):
                break
            del self._at_hand[number]

    def close(self, entries: Entries) -> None:
        """Close the due step with these entries; there are none if a cut closes it.

        Raises KeyError for an entry that was not given to `write` in this step.
        """
        self._numbers.extend(self._due[entry.slot] for entry in entries)
        self._ends.append(len(self._numbers))
        self._due = {}

    def note(self) -> None:
        """Count a payload of the record that is not an entry."""
        self._next += 1

    def cut(self, step: int) -> None:
        """Forget everything from this step on, and the entries of the due step: all of it is void.

        At most `step` steps are left. Record numbers keep rising, because void entries stay in
        the record.
        """
        del self._ends[step + 1 :]
        del self._numbers[self._ends[-1] :]
        self._due, self._seen = {}, (-1, ())

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, step: int) -> Entries: ...
    @overload
    def __getitem__(self, step: slice) -> Sequence[Entries]: ...
    def __getitem__(self, step: int | slice) -> Entries | Sequence[Entries]:
        """Return the entries of a step, in the order in which it was closed.

        For a slice, return a list of these. Raises `DiskTrouble` if the record has lost an entry
        that has left memory, `Malformed` if it gives back octets that are not an entry, and
        IndexError for a step that is not done. Numbers below 0 count from the end.
        """
        if isinstance(step, slice):
            return [self[each] for each in range(*step.indices(len(self)))]
        step = range(len(self))[step]
        if step != self._seen[0]:  # a peer that repeats an old entry does so more than once
            numbers = self._numbers[self._ends[step] : self._ends[step + 1]]
            self._seen = step, tuple(map(self._entry, numbers))
        return self._seen[1]

    def _entry(self, number: int) -> Entry:
        if number in self._at_hand:
            return self._at_hand[number]
        payload = self._record(number)
        if payload is None:
            raise DiskTrouble(f"entry {number} of the record cannot be read any more")
        return read_entry(decode(payload, RecordEntry).entry)
