"""The journal of all that this key has signed, and whether it may sign more [peer.md §8.1].

The journal is a second file beside the record. It contains every entry and statement of this key,
each synced before it is sent, and every opening, synced before the entry that commits to it. Three
rules keep this key from contradicting itself.

*Never half of a pair.* If the journal has an entry for a slot, this key fills the slot with those
octets or not at all; what it may sign in a poll follows from its earlier statements there
(`epochs.voter`). With an accept the journal keeps everything that the proposal goes back to: a
later promise names the proposal, and others must be able to check it even if its owner is gone.

*Nothing new before the mark.* The mark is the last slot in the journal. A record that ends before
the mark has lost its tail, which others will send; until then this key signs nothing new. The mark
has the id of its epoch, and no longer matters once the log has gone on to another epoch.

*Nothing at all in doubt.* If the file was damaged (`log.mending`), or others show a statement of
this key that it lacks, nobody knows what else is missing. This key then signs neither entries nor
statements until an epoch opens while this process looks on: nothing missing can be of that epoch. A
`Doubt` in the file tells the next process.

`Journal.state` says which rule applies to this key now. It works that out each time, from the log
and the journal, and from the doubt; `MOVES` lists the events that lead from one state to the next.
"""

from collections import ChainMap
from collections.abc import Iterable
from hashlib import sha256
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from netgame.frozen import FrozenStruct
from netgame.protocol.epochs.voter import Voter, voter
from netgame.protocol.ledger.poll import seat_now
from netgame.protocol.log.entry import Entry, ReceivedStatement, Slot, read_entry, read_statement
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import Journalled
from netgame.wire.codec import decode_any, encode
from netgame.wire.messages import Doubt, JournalFrame, Opening, RecordEntry, RecordStatement, Sealed
from netgame.wire.statements import Parting, author

_STEPS_KEPT: Final = 8
"""An entry of our own leaves memory this many steps after its step."""


class SlotMark(NamedTuple):
    """The last step or poll in which a key signed: its epoch's id, and the step or poll number."""

    id: bytes
    step: int


NOWHERE: Final = SlotMark(b"", -1)


class UpToDate(FrozenStruct):
    """The log has reached everything that this key signed.

    `own` is this key's entry for the due step, or None.
    """

    own: Entry | None


class Behind(FrozenStruct):
    """The log has yet to reach something that this key signed; `own` is as in `UpToDate`."""

    own: Entry | None


class Astray(FrozenStruct):
    """This key signed an entry for the due step that follows a different head from our log's.

    Somebody must have cheated, because honest seats make only one log.
    """


class InDoubt(FrozenStruct):
    """This key may have signed something that nobody here knows of."""


JournalState: TypeAlias = UpToDate | Behind | Astray | InDoubt


class Move(NamedTuple):
    """A change of state: the states before, the event, and the state after."""

    before: tuple[type[JournalState], ...]
    what: str
    then: type[JournalState]


MOVES: Final = (
    Move((UpToDate, Astray), "a process starts with a record that ends before the marks", Behind),
    Move((Behind,), "the log comes to the marks, or goes on in another epoch", UpToDate),
    Move((UpToDate, Behind), "the due step has an own entry behind another head", Astray),
    Move((Astray,), "the log goes on in another epoch", UpToDate),
    Move((UpToDate, Behind, Astray), "a process starts with a damaged journal", InDoubt),
    Move((UpToDate, Behind, Astray), "an own statement comes that the journal lacks", InDoubt),
    Move((InDoubt,), "an epoch opens while this process looks on and does not recover", UpToDate),
    Move((InDoubt,), "the same, and the log does not know the epoch of a mark", Behind),
)
"""The changes of a journal's state, for readers of this module and of docs/peer.md §8.1. No code
runs this table; tests/netgame/protocol/peer/test_journal_states.py makes each row happen."""


class Journal(PeerPart):
    """Everything that this key has signed at one table; tells whether it may sign more."""

    mark: SlotMark = NOWHERE
    """The last step in which this key signed an entry; `NOWHERE` before the first."""
    _poll_mark: SlotMark = NOWHERE
    """The last poll in which this key signed; `NOWHERE` before the first."""
    _slots: dict[Slot, Entry] = {}
    """The newest entries of this key."""
    statements: dict[bytes, ReceivedStatement] = {}
    """The statements in memory by name, each after those that it goes back to."""
    _kept: set[bytes] = set()
    """The digests of all entries and statements in the file."""
    _is_in_doubt: bool = False
    """This key may have signed more than the file has."""

    # ---- what is in it ----

    def recall(self, payloads: Iterable[bytes]) -> tuple[Opening, ...]:
        """Take over what this key has signed, from the log and from the `payloads` of the file.

        The last `Doubt` among them says whether this key is in doubt. Returns the openings in the
        file: this key may have committed to any of them. Writes nothing. Raises `Malformed` for a
        payload that does not belong in a journal.
        """
        ledger = self.context.ledger
        for step in (*ledger.steps, tuple(ledger.holding())):
            for entry in step:
                if ledger.key_of(entry) == self.context.key:
                    self.add(entry)
        openings = list[Opening]()
        for payload in payloads:
            match decode_any(payload, JournalFrame):
                case Doubt(is_over):
                    self._is_in_doubt = not is_over
                case RecordStatement(statement):
                    self.keep_statement(read_statement(statement))
                case RecordEntry(signed):
                    self.keep(read_entry(signed))
                case Sealed(opening):
                    openings.append(opening)
        return tuple(openings)

    def write_opening(self, opening: Opening) -> None:
        """Write down an opening that this key is about to commit to."""
        self._write(Sealed(opening))

    def add(self, entry: Entry) -> None:
        """Note in memory that this key signed `entry`; move the mark to it if it is later."""
        self._slots[entry.slot] = entry
        mark = SlotMark(entry.id, entry.step)
        if self._is_later(mark):
            self.mark = mark

    def _is_later(self, mark: SlotMark) -> bool:
        """Return True if `mark` comes after our present mark.

        Steps can be compared within one epoch only: a cut goes back, and the entries that it makes
        void may have later steps.
        """
        if self.mark == NOWHERE:
            return True
        if mark.id == self.mark.id:
            return mark.step > self.mark.step
        number_of = self.context.state.company.number_of
        epoch, before = number_of(mark.id), number_of(self.mark.id)
        # -1: the log has yet to come to the epoch. Of two such marks, the file has the later last.
        return epoch < 0 or 0 <= before < epoch

    def keep(self, entry: Entry) -> bool:
        """`add` our entry, which is in the file or will be; return True if it is not there yet."""
        self.add(entry)
        return self._is_new(entry.signed.body)

    def keep_statement(self, said: ReceivedStatement) -> bool:
        """Note a statement that is in the file or will be; return True if it is not there yet.

        Sets the poll mark to its poll.
        """
        self.statements[said.name] = said
        self._poll_mark = SlotMark(said.statement.id, said.statement.poll)
        return self._is_new(said.signed.body)

    def _is_new(self, body: bytes) -> bool:
        name = sha256(body).digest()  # digests only: a long game has many entries
        is_new = name not in self._kept
        self._kept.add(name)
        return is_new

    def write(self, entry: Entry) -> None:
        """Write an entry of our own to the file, unless it is there."""
        if self.keep(entry):
            self._write(RecordEntry(entry.signed))

    def write_statement(self, said: ReceivedStatement) -> None:
        """Write a statement to the file, unless it is there."""
        if self.keep_statement(said):
            self._write(RecordStatement(said.signed))

    def write_lacking(self) -> None:
        """Write our entries that are in memory but not in the file, in the order of their steps.

        The mark does not move: `add` has already moved it.
        """
        for entry in sorted(self._slots.values(), key=lambda entry: entry.step):
            if self._is_new(entry.signed.body):
                self._write(RecordEntry(entry.signed))

    def _write(self, frame: JournalFrame) -> None:
        self.context.outbox.emit(Journalled(encode(frame)))

    def knows(self, entry: Entry) -> bool:
        """Return True if we know that this key signed an entry with these octets."""
        own = self._slots.get(entry.slot)
        is_here = own is not None and own.signed.body == entry.signed.body
        return is_here or sha256(entry.signed.body).digest() in self._kept

    # ---- may it sign? ----

    def state(self) -> JournalState:
        """Return the state of this journal, worked out by comparing it with the log."""
        if self._is_in_doubt:
            return InDoubt()
        own = self._slots.get(self._due_slot())
        if own is not None and own.prev != self.context.state.head:
            return Astray()
        return Behind(own) if self._is_behind() else UpToDate(own)

    def to_be_said_again(self) -> tuple[Entry, ...]:
        """Return our signed entry for the due step, to be sent again.

        Empty if we have signed none, if it follows a different head from ours, or while in doubt.
        """
        state = self.state()
        own = state.own if isinstance(state, UpToDate | Behind) else None
        return () if own is None else (own,)

    def may_sign(self) -> bool:
        """Return True if the journal lets this key sign a new entry for the due step."""
        return self.state() == UpToDate(None)

    def may_say(self) -> bool:
        """Return True if the journal lets this key sign in the open poll."""
        return isinstance(self.state(), UpToDate)

    def is_in_doubt(self) -> bool:
        """Return True if this key may have signed something that this journal does not have."""
        return self._is_in_doubt

    def _is_behind(self) -> bool:
        """Return True if the log has yet to reach the step or poll in which this key last signed.

        True, too, if that step or poll is of an epoch that our log does not know.
        """
        state, poll, mark = self.context.state, self.context.ledger.poll, self.mark
        marks = [each for each in (mark, self._poll_mark) if each != NOWHERE]
        if any(state.company.of_id(each.id) is None for each in marks):
            return True
        polls = self._poll_mark.id == poll.id and self._poll_mark.step > poll.number
        return polls or (mark.id == state.log_id and mark.step > state.step)

    def has_filled(self) -> bool:
        """Return True if this key has signed an entry for the due slot."""
        return self._due_slot() in self._slots

    def bound(self, seat: int) -> Voter:
        """Return what binds this key, which has the seat `seat`, in the open poll.

        That follows from its statements in the poll and from its partings.
        """
        poll, company = self.context.ledger.poll, self.context.state.company
        kept = {name: each.statement for name, each in self.statements.items()}
        own = (each for each in kept.values() if poll.is_of(each) and author(each) == seat)
        known = voter(
            seat, own, ChainMap(kept, poll.cut.statements)
        )  # the poll forgets old ballots
        said = self.statements.values()
        partings = (each for each in said if isinstance(each.statement, Parting))
        left = any(seat_now(company, each) == seat for each in partings)
        return replace(known, left=known.left or left)

    def meet(self, said: ReceivedStatement) -> None:
        """Note a statement of this key that a peer sent; an unknown one puts the key in doubt.

        There may be more that we do not know. The statement is kept with the key's other
        statements, and binds it as they do.
        """
        if said.name in self.statements:
            return
        self.statements[said.name] = said
        if not self._is_in_doubt:
            self._is_in_doubt = True
            self._write(Doubt(is_over=False))

    def begin_epoch(self) -> None:
        """End any doubt, because an epoch opens while this process looks on; write that down.

        Must not be called while this peer is recovering.
        """
        if self._is_in_doubt:
            self._is_in_doubt = False
            self._write(Doubt(is_over=True))

    def forget_done(self) -> None:
        """Drop from memory the entries that are more than `_STEPS_KEPT` steps old."""
        oldest = self.context.state.step - _STEPS_KEPT
        self._slots = {slot: entry for slot, entry in self._slots.items() if slot.step >= oldest}

    def _due_slot(self) -> Slot:
        seat = self.context.seat
        return Slot(*self.context.due(), -1 if seat is None else seat)
