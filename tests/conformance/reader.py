"""A reader of logs, written from protocol.md alone: sections 4 and 7.

`Reader.take` judges one entry and `Reader.hear` one statement; each returns the outcome. Nothing
here imports `netgame`.
"""

from copy import copy

from tests.conformance import octets, proofs
from tests.conformance.fold.coin import begin_session
from tests.conformance.fold.leaving import open_epoch
from tests.conformance.fold.phases import check, complete, due
from tests.conformance.fold.state import Fold, Refused
from tests.conformance.octets import Malformed, mask, pair_of
from tests.conformance.poll import Poll, is_against, seats_of, statement
from tests.netgame.crypto.oracle import hashed

ACCEPT = {"outcome": "accept"}
IGNORE = {"outcome": "ignore"}
HOLD = {"outcome": "hold"}
DROP = {"outcome": "drop"}


TAKEN = {"taken": True}
"""Added to a fault if the entry or statement that shows it is kept all the same."""


def convicted(check, step, key):
    """Return a fault in the form of the vectors."""
    return {"outcome": "fault", "check": check, "step": step, "culprit": key.hex()}


def is_fork(one, other):
    """Return True if no honest author can have signed both entries (4.2)."""
    at = [(each.id, each.step, each.seat) for each in (one, other)]
    return at[0] == at[1] and one.body != other.body


class Reader:
    """A log as read so far.

    `before` has the fold as it was when each step was due; `values` has the decisions of polls: who
    goes, and at which step. `companies` has, for each epoch in order, its id, the keys of all
    seats, the keys present, the voters, and the seats that may part. `wall` is the first step that
    a cut can go back to (4.7).
    """

    def __init__(self, table):
        self.fold = Fold(table)
        self.steps, self.heads = (), (self.fold.head,)
        self.slots, self.before = {}, ()
        self.companies, self.wall = (), 0
        self.void, self.books, self.values, self.certificates = {}, {}, (), ()
        self.poll = Poll((table, 0), frozenset(), frozenset(), self)

    def fork(self):
        """Return an independent copy in the same state."""
        other = copy(self)
        other.fold = copy(self.fold)
        other.poll = self.poll.copy(other)
        other.books = {of: book.copy(other) for of, book in self.books.items()}
        return other

    # ---- section 7 ----------------------------------------------------------------------------

    def take(self, body, signature):
        """Return the outcome of an entry, and add the entry to the log if it is good."""
        try:
            entry = octets.entry(body, signature)
        except Malformed:
            return DROP
        fold = self.fold
        if entry.step > fold.step:
            return HOLD
        if self._stands(entry):
            return IGNORE
        if entry.id != fold.id_at(entry.step):
            known = entry.id == fold.table_id or any(of[0] == entry.id for of in self.companies)
            may_come = not known and entry.step == fold.step > 0
            return HOLD if may_come else self._take_void(entry)
        if entry.id == self.poll.of[0] and entry.poll > self.poll.of[1]:
            return HOLD
        key = self._author(entry)
        if key is None:
            return IGNORE
        if not proofs.signed(key, "boneyard/v4/entry", body, signature):
            return DROP
        return self._take_signed(entry, key)

    def entries_of(self, step):
        """Return the entries of a step that is done or due."""
        return self.steps[step] if step < self.fold.step else tuple(self.slots.values())

    def _stands(self, entry):
        here = self.entries_of(entry.step)
        return pair_of(entry) in map(pair_of, here)

    def _take_void(self, entry):
        """Return the outcome of an entry that is not of the epoch of its step.

        It proves a fork if its seat signed another one for that slot, and is ignored otherwise.
        """
        other, key = self.void.get((entry.id, entry.step, entry.seat)), self._key(entry)
        if other is None or key is None or not is_fork(other, entry):
            return IGNORE
        if not proofs.signed(key, "boneyard/v4/entry", entry.body, entry.signature):
            return IGNORE
        return convicted("fork", entry.step, key)

    def _key(self, entry):
        """Return the key of an entry's seat in the epoch that the entry names, or None."""
        keys = next((keys for of, keys, *_ in reversed(self.companies) if of == entry.id), ())
        return keys[entry.seat] if entry.seat < len(keys) else None

    def _author(self, entry):
        """Return the key that owns an entry's slot.

        In step 0, return the host's key in the entry, or None if the table's id does not fit it.
        """
        if self.fold.host is not None:
            done = 0 < entry.step < self.fold.step
            then = self.before[entry.step] if done else self.fold
            return then.author(entry.step, entry.seat)
        said = entry.payload
        if said.tag != "open-table" or entry.seat != 255 or not proofs.is_key(said.host):
            return None
        return said.host if hashed("table", said.host, said.nonce) == entry.id else None

    def _take_signed(self, entry, key):
        fold, step = self.fold, entry.step
        here = [each for each in self.entries_of(step) if each.seat == entry.seat]
        if any(each.body == entry.body for each in here):
            return IGNORE
        if here:
            return convicted("fork", step, key)
        if entry.prev != self.heads[step]:
            return HOLD
        if step < fold.step or entry.seat not in due(fold)[0]:
            return convicted("turn", step, key)
        is_ruled_out = any(is_against(each, entry) for each in self.poll.by(entry.seat))
        try:
            check(fold, entry)
        except Refused as refused:
            return convicted("cut" if is_ruled_out else refused.check, step, key)
        self.slots = {**self.slots, entry.seat: entry}
        found = self._settled()
        if is_ruled_out and found == ACCEPT:  # it counts all the same
            return convicted("cut", step, key) | TAKEN
        return found

    # ---- steps (4.2) --------------------------------------------------------------------------

    def _settled(self):
        """Complete the due step if all its entries are there.

        Return the fault that this reveals in the log, or `ACCEPT`.
        """
        fold, authors = self.fold, frozenset(due(self.fold)[0])
        if not authors <= self.slots.keys():
            return ACCEPT
        entries, voters = tuple(self.slots.values()), self._voters()
        is_new = fold.roster is None
        if voters <= authors:
            self.wall = fold.step
        self.before = (*self.before, copy(fold))
        complete(fold, entries)
        self._stand(entries)
        if is_new and fold.roster is not None:  # the lobby is closed
            self.wall = fold.step
            self._begin_poll(0)
        found = self._late()
        self.follow()
        return found

    def _stand(self, entries):
        self.steps, self.heads = (*self.steps, entries), (*self.heads, self.fold.head)
        self.slots = {}
        self._note_company()
        self.poll.guests = self.fold.guests

    def _late(self):
        """Return the fault that the finished step has revealed in the log, or `ACCEPT`."""
        if self.fold.late is None:
            return self._shown()
        check, entry, *seat = self.fold.late
        at = entry.seat if entry is not None else seat[0]
        step = entry.step if entry is not None else self._last_of(at)
        return convicted(check, step, self.fold.seats[at])

    def _last_of(self, seat):
        """Return the last finished step with an entry of a seat."""
        done = range(self.fold.step - 1, -1, -1)
        return next(step for step in done if any(e.seat == seat for e in self.steps[step]))

    # ---- who goes on (4.7) --------------------------------------------------------------------

    def _voters(self):
        return frozenset(self.fold.present) - self.fold.guests

    def _note_company(self):
        fold = self.fold
        keys = fold.seats or fold.roster
        if keys is not None:
            here = frozenset(keys[seat] for seat in fold.present)
            company = (fold.id, keys, here, self._voters(), fold.since_coin)
            if company not in self.companies[-1:]:
                self.companies = (*self.companies, company)

    def _begin_poll(self, number):
        self.poll = self._poll_with(number, self._carried())

    def _carried(self):
        """Return the partings that are not false; call this before a decision changes the log."""
        old = [e for e in self.poll.held.values() if e.tag == "parting"]
        return [e for e in old if self.poll.worth(e) is not False]

    def _poll_with(self, number, partings):
        of, voters, seated = (self.fold.id, number), self._voters(), []
        for each in partings:
            seat = self._seat_now(each)
            if seat is not None:
                seated.append((each, seat, each.id == of[0]))
        return Poll(of, voters, self.fold.guests, self, seated)

    def _seat_now(self, parting):
        """Return the present seat of a parting's author, or None if the author has left since."""
        key, since = self._voter_key(parting), False
        for of, _, here, *_ in self.companies:
            since = since or of == parting.id
            if since and key not in here:
                return None
        keys = self.companies[-1][1]
        return keys.index(key) if key in keys else None

    def _voter_key(self, each):
        """Return the key that must sign a statement, or None if its seat may not make one."""
        found = next((c for c in reversed(self.companies) if c[0] == each.id), None)
        if found is None:
            return None
        _, keys, _, voters, may_part = found
        may = may_part if each.tag == "parting" else voters
        return keys[each.author] if each.author in may else None

    def holds(self, step, head):
        """Return True if the log has this head at this step and the step is not before the wall."""
        return self.wall <= step <= self.fold.step and self.heads[step] == head

    def is_final(self, step):
        """Return True if this step is due and nobody may go at it: after a coin or at the end."""
        return step == self.fold.step and self.fold.phase in ("coin-fallen", "over")

    def hear(self, body, signature):
        """Return the outcome of a statement; if it counts, carry out what it decides."""
        try:
            each = statement(body, signature)
        except Malformed:
            return DROP
        here = self.poll.held.get(each.name)
        if here is not None and here.signature == signature:
            return IGNORE
        key = self._voter_key(each)
        if key is None or (each.id == self.poll.of[0] and each.poll > self.poll.of[1]):
            return IGNORE
        if not proofs.signed(key, "boneyard/v4/cut", body, signature):
            return DROP
        fault = convicted("cut", each.told_step, key)
        if each.of != self.poll.of:
            return self._hear_old(each, key, fault)
        if self.poll.is_ruled_out(each):
            self._put_aside(each)
            return fault | TAKEN
        if self.poll.worth(each) is False:
            return fault
        against = self._entry_against(each)
        self.poll.held[each.name] = each
        found = self._shown() if self.poll.is_named(each) else ACCEPT
        self.follow()
        if against is None or (found != ACCEPT and "taken" not in found):
            return found
        return convicted("cut", against.step, key) | TAKEN

    def _put_aside(self, each):
        """Put aside a statement that others of its seat rule out; then carry out any decision.

        Other peers may count the statement, so it may still help to decide the poll.
        """
        self.poll.aside[each.name] = each
        self.follow()

    def _shown(self):
        """Judge the held statements again; return the fault that one now shows, or `ACCEPT`.

        Of two statements that exclude each other, the later is put aside.
        """
        held, found = self.poll.held, self._false()
        for each in [*held.values()][::-1]:
            if self.poll.is_ruled_out(each):
                self.poll.aside[each.name] = held.pop(each.name)
                fault = convicted("cut", each.told_step, self._voter_key(each)) | TAKEN
                found = fault if found == ACCEPT or "taken" in found else found
        return found

    def _false(self):
        """Return the fault of a statement shown to be false, or `ACCEPT`."""
        for each in self.poll.held.values():
            if self.poll.worth(each) is False:
                return convicted("cut", each.told_step, self._voter_key(each) or b"")
        return ACCEPT

    def _hear_old(self, each, key, fault):
        """Return the outcome of a statement of an earlier poll.

        It can still convict its author, and a parting still counts.
        """
        book = self.books.get(each.of)
        is_known = book is not None and each.name in book.held
        if book is not None:
            book.held.setdefault(each.name, each)
        polls = [poll for poll in (self.poll, *self.books.values()) if poll.of[0] == each.id]
        is_parting = each.tag == "parting" and self._seat_now(each) is not None
        if any(poll.is_ruled_out(each) for poll in polls if is_parting or poll is book):
            if is_parting:
                self._put_aside(each)
            return IGNORE if is_known else fault | TAKEN
        if not is_parting or is_known:
            return IGNORE
        against = self._entry_against(each)
        poll = self.poll
        old = [e for e in poll.held.values() if e.name in poll.carried]
        self.poll = self._poll_with(poll.of[1], [*old, each])
        self.poll.held |= poll.held
        self.poll.aside = poll.aside
        found = self._shown()
        self.follow()
        return found if against is None else convicted("cut", against.step, key) | TAKEN

    def _entry_against(self, each):
        """Return the latest entry, valid or void, that contradicts a statement, or None."""
        stands = (entry for step in (*self.steps, self.slots.values()) for entry in step)
        here = [entry for entry in (*stands, *self.void.values()) if is_against(each, entry)]
        return max(here, key=lambda entry: entry.step, default=None)

    def follow(self):
        """Carry out what the polls have decided, as far as the log reaches."""
        while (value := self._decided()) is not None and value.step <= self.fold.step:
            goes, step = seats_of(value.goes), value.step
            self.values = (*self.values, (goes, step))
            self.certificates = (*self.certificates, self.poll.certificate(value))
            self.books[self.poll.of] = self.poll
            was, carried = self.fold.id, self._carried()
            if goes:
                self._cut(step, goes)
            elif self.fold.phase == "coin-fallen" and step == self.fold.step:
                begin_session(self.fold)
                self._note_company()
                self.wall = self.fold.step
            number = 0 if self.fold.id != was else self.poll.of[1] + 1
            self.poll = self._poll_with(number, carried)

    def _decided(self):
        """Return the proposal that the poll has decided, or None.

        If necessary, statements that were put aside take the place of others in the poll.
        """
        poll = self.poll
        accepts = [e for e in (*poll.held.values(), *poll.aside.values()) if e.tag == "accept"]
        if poll.decided() is None and poll.aside:
            for fitting in filter(None, map(poll.fitting, accepts)):
                old = [each for each in fitting.values() if each.of != poll.of]
                other = self._poll_with(poll.of[1], old)
                other.held |= fitting
                if other.decided() is not None:
                    self.poll = other
                    break
        return self.poll.decided()

    def _cut(self, step, goes):
        """Void the log from a step on, put the cut in place of that step, and begin a new epoch."""
        done = (entry for entries in self.steps[step:] for entry in entries)
        gone = (*done, *self.slots.values())
        self.void = {**self.void, **{(e.id, e.step, e.seat): e for e in gone}}
        folds = (*self.before, self.fold)
        self.steps, self.heads = self.steps[:step], self.heads[: step + 1]
        self.before, self.fold = folds[: step + 1], copy(folds[step])
        open_epoch(self.fold, goes)
        self._stand(())
        self.wall = self.fold.step

    # ---- what the vectors say -----------------------------------------------------------------

    @property
    def polls(self):
        """The number of polls decided."""
        return len(self.values)

    @property
    def filled(self):
        """The mask of the filled slots of the due step."""
        return mask(self.slots)

    @property
    def due(self):
        """The mask of the slots of the due step, and the kinds that may fill them."""
        authors, kinds = due(self.fold)
        return mask(authors), sorted(kinds)
