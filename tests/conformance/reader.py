"""A reader of logs, written from protocol.md alone: sections 4 and 7, and 6 for files.

`Reader.take` judges one entry and says what becomes of it. Nothing here imports `netgame`.
"""

from copy import copy

from tests.conformance import octets, proofs
from tests.conformance.fold.leaving import may_say_missing
from tests.conformance.fold.phases import check, complete, complete_without, due
from tests.conformance.fold.state import Fold, Refused
from tests.conformance.octets import Malformed, mask, seats_of
from tests.netgame.crypto.oracle import hashed

ACCEPT = {"outcome": "accept"}
IGNORE = {"outcome": "ignore"}
HOLD = {"outcome": "hold"}


def convicted(check, step, key):
    """Give a fault as the vectors say it."""
    return {"outcome": "fault", "check": check, "step": step, "culprit": key.hex()}


def is_fork(one, other):
    """Whether no honest author has signed both (4.2)."""
    at = [(each.table, each.step, each.seat) for each in (one, other)]
    if at[0] != at[1] or one.body == other.body:
        return False
    votes = [each.payload for each in (one, other) if each.kind == "missing"]
    if one.stage == other.stage or (len(votes) == 1 and votes[0].unplayed):
        return True
    said = {(each.ballot, each.whole, each.seats) for each in votes}
    return len(votes) == 2 and len(said) == 1


class Reader:
    """A log, as far as it has been read."""

    def __init__(self, table):
        self.fold = Fold(table)
        self.steps, self.heads = (), (self.fold.head,)
        self.slots, self.missing, self.before = {}, {}, ()

    def fork(self):
        """Give another that stands at the same place."""
        other = copy(self)
        other.fold = copy(self.fold)
        return other

    # ---- section 7 ----------------------------------------------------------------------------

    def take(self, body, signature):
        """Judge an entry, and let it count if it is good."""
        try:
            entry = octets.entry(body, signature)
        except Malformed:
            return {"outcome": "drop"}
        fold = self.fold
        if entry.step > fold.step:
            return HOLD
        if self._stands(entry):
            return IGNORE
        if entry.table != fold.id_at(entry.step):
            return IGNORE
        key = self._author(entry)
        if key is None:
            return IGNORE
        if not proofs.signed(key, "boneyard/v1/entry", body, signature):
            return {"outcome": "witness", "check": "signature", "step": entry.step}
        return self._take_signed(entry, key)

    def entries_of(self, step):
        """Give what stands in a step that is done or due."""
        if step < self.fold.step:
            return self.steps[step]
        return (*self.slots.values(), *self.missing.values())

    def _stands(self, entry):
        here = self.entries_of(entry.step)
        return any((e.body, e.signature) == (entry.body, entry.signature) for e in here)

    def _author(self, entry):
        """Give the key whose slot this is; of step 0 the one that gives the table's id."""
        if self.fold.host is not None:
            done = 0 < entry.step < self.fold.step
            then = self.before[entry.step] if done else self.fold
            return then.author(entry.step, entry.seat)
        said = entry.payload
        if said.tag != "open-table" or entry.seat != 255 or not proofs.is_key(said.host):
            return None
        return said.host if hashed("table", said.host, said.nonce) == entry.table else None

    def _take_signed(self, entry, key):
        fold, step = self.fold, entry.step
        here = self.entries_of(step)
        if any(each.body == entry.body for each in here):
            return IGNORE
        if any(is_fork(each, entry) for each in here):
            return convicted("fork", step, key)
        is_vote, linked = entry.kind == "missing", entry.prev == self.heads[step]
        if not is_vote and step < fold.step and entry.seat in self.closed_without(step):
            return IGNORE
        if linked and is_vote != (entry.stage > 0):
            return convicted("kind", step, key)
        if is_vote:
            return self._take_missing(entry, key, linked)
        if not linked:
            return HOLD
        if step < fold.step or entry.seat not in due(fold)[0]:
            return convicted("turn", step, key)
        try:
            check(fold, entry)
        except Refused as refused:
            return convicted(refused.check, step, key)
        self.slots = {**self.slots, entry.seat: entry}
        return self._settled()

    def _take_missing(self, entry, key, linked):
        fold, step = self.fold, entry.step
        then = self.before[step] if step < fold.step else fold
        if linked and not may_say_missing(then, entry.seat, entry.payload):
            return convicted("shape", step, key)
        if step < fold.step:
            return IGNORE
        if not linked:
            return HOLD
        owes = entry.seat in due(fold)[0] and entry.seat not in self.slots
        said = entry.payload
        if owes and not (said.unplayed or said.whole):
            return IGNORE
        naming = (said.ballot, said.whole, seats_of(said.seats))
        self.missing = {**self.missing, (entry.seat, naming): entry}
        return self._settled()

    def closed_without(self, step):
        """Give the seats without which a done step was closed (4.7)."""
        said = [each for each in self.steps[step] if each.kind == "missing"]
        return seats_of(said[0].payload.seats) if said else frozenset()

    # ---- steps (4.2, 4.7) ---------------------------------------------------------------------

    def _settled(self):
        """Close the due step if it is whole, or if all that stay have given the rest up."""
        fold = self.fold
        authors, here = frozenset(due(fold)[0]), frozenset(fold.present)
        sets = {those for _, those in self.missing if not those[1]}
        for naming in sorted(sets, key=lambda each: (-each[0], -len(each[2]), sorted(each[2]))):
            seats = naming[2]
            said = [self.missing.get((seat, naming)) for seat in here - seats]
            unplayed = any(each is not None and each.payload.unplayed for each in said)
            if None not in said and (unplayed or authors - seats <= self.slots.keys()):
                kept = [e for seat, e in sorted(self.slots.items()) if seat not in seats]
                said = [e for (_, those), e in self.missing.items() if those == naming]
                self.before = (*self.before, copy(fold))
                complete_without(fold, kept, [*kept, *said], seats)
                return self._closed([*kept, *said])
        if authors <= self.slots.keys():
            entries = list(self.slots.values())
            self.before = (*self.before, copy(fold))
            complete(fold, entries)
            return self._closed(entries)
        return ACCEPT

    def _closed(self, entries):
        self.steps, self.heads = (*self.steps, tuple(entries)), (*self.heads, self.fold.head)
        self.slots, self.missing = {}, {}
        then, slots = self.before[-1], [each for each in entries if each.stage == 0]
        wrote = {then.author(then.step, each.seat): then.step for each in slots}
        self.fold.wrote = {**self.fold.wrote, **wrote}
        if self.fold.late is None:
            return ACCEPT
        check, entry, *seat = self.fold.late
        at = entry.seat if entry is not None else seat[0]
        step = entry.step if entry is not None else self.fold.step - 1
        return convicted(check, step, self.fold.seats[at])

    # ---- what the vectors say -----------------------------------------------------------------

    @property
    def filled(self):
        """Give the mask of the slots of the due step that are filled."""
        return mask(self.slots)

    @property
    def due(self):
        """Give the mask of the slots that the due step has, and the kinds that may fill them."""
        authors, kinds = due(self.fold)
        return mask(authors), sorted(kinds)


def testimony(reader, case, body, signature):
    """Whether a member of the table says who sent an entry with a wrong signature (6.3)."""
    sender, witness = bytes.fromhex(case["sender"]), bytes.fromhex(case["witness"])
    known = witness in (reader.fold.seats or reader.fold.members)
    said = sender + signature + body
    return known and proofs.signed(
        witness, "boneyard/v1/witness", said, bytes.fromhex(case["testimony"])
    )
