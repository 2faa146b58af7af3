"""Judge record and evidence files by protocol.md 6 alone.

`verify` returns the verdict on a file: `record`, `evidence`, `refused`, `other version` or `other
revision`. For a refused file it also tells where the file fails, and for evidence the convicted key
and the check.
"""

from engine.rules.revision import RULES_REVISION
from tests.conformance import octets, proofs
from tests.conformance.fold.phases import due
from tests.conformance.octets import HEAD, VERSION, Malformed, pair_of, whole_frames
from tests.conformance.poll import is_against, statement
from tests.conformance.reader import ACCEPT, IGNORE, Reader, convicted, is_fork

STATEMENTS_PER_SEAT = 64


class NotGood(Exception):
    """A file must be refused; `where` has the frame, octet and step, as far as they are known."""

    def __init__(self, **where):
        super().__init__(where)
        self.where = where


def verify(file):
    """Return the verdict on the octets of a file, in the form of the vectors."""
    payloads, damage = whole_frames(file)
    reading, at = Reading(), 0
    try:
        for number, payload in enumerate(payloads):
            if number == 0:
                version = _header(payload)
                if version != VERSION:
                    return {"verdict": "other version"}
            elif number == 1 and _is_of_other_rules(payload):
                return {"verdict": "other revision"}
            else:
                step = reading.reader.fold.step if reading.reader else 0
                reading.take(payload, {"frame": number, "octet": at, "step": step})
            at += HEAD + len(payload)
        if reading.closing is None:
            reading.refuse_what_is_found()
        if damage is not None or not payloads:
            raise NotGood(octet=damage)
    except NotGood as problem:
        return {"verdict": "refused", "at": problem.where}
    return {"verdict": "record"} if reading.closing is None else reading.judged()


def _header(payload):
    try:
        return octets.message(payload, "boneyard-record").version
    except Malformed:
        raise NotGood(frame=0, octet=0, step=0) from None


def _is_of_other_rules(payload):
    """Return True if this frame offers a table under a different revision of the rules."""
    try:
        said = octets.entry(*pair_of(octets.message(payload, "entry").entry)).payload
    except Malformed:
        return False
    return said.tag == "open-table" and said.settings.revision != RULES_REVISION


class Reading:
    """The part of a file read so far.

    `found` is None until a fault is found; then it has the fault, the entry that shows it, and the
    head after that entry. `closing` is the closing frame of evidence, once it has been read.
    """

    def __init__(self):
        self.reader, self.closing = None, None
        self.found, self.places, self.last_checked = None, {}, set()
        self.said = {}

    def take(self, payload, place):
        """Take one more frame, or raise NotGood."""
        try:
            said = octets.message(payload, "entry", "statement", "evidence-of")
            if self.closing is not None:
                raise NotGood(**place)
            if said.tag == "evidence-of":
                self.closing = said
            elif said.tag == "entry":
                self._take_entry(said.entry, place)
            else:
                self._take_statement(said.statement, place)
        except Malformed:
            raise NotGood(**place) from None

    def refuse_what_is_found(self):
        """If a fault was found, raise NotGood with the place of the entry that shows it."""
        if self.found is not None:
            raise NotGood(**self.places[self.found[1]])

    def _take_statement(self, signed, place):
        each = statement(*pair_of(signed))
        where = each.of, each.author, each.tag == "parting"
        of_seat = self.said.setdefault(where, set())
        of_seat.add(each.name)
        if len(of_seat) > STATEMENTS_PER_SEAT:
            raise NotGood(**place)
        reader = self.reader
        is_here = reader is not None and each.name in reader.poll.held
        if not is_here:
            key = reader and reader._voter_key(each)
            if not key or (each.id == reader.poll.of[0] and each.poll > reader.poll.of[1]):
                raise NotGood(**place)
        decided = reader.polls
        heard = reader.hear(*pair_of(signed))
        if heard not in (ACCEPT, IGNORE) and not heard.get("taken"):
            raise NotGood(**place)
        if reader.polls > decided:
            if self.found is not None and self.found[2] not in reader.heads:
                self.found = None  # the cut has voided the entries that show it
            self.refuse_what_is_found()

    def _take_entry(self, signed, place):
        body = pair_of(signed)
        if self.reader is None:
            self.reader = Reader(octets.entry(*body).id)
        reader = self.reader
        if reader.fold.phase == "over":
            raise NotGood(**place)
        step, probe = reader.fold.step, reader.fork()
        judged = probe.take(*body)
        is_done = probe.fold.step > step
        if self.found is not None:
            self._take_behind_fault(body, judged, is_done, probe)
            return
        is_late = is_done and judged["outcome"] == "fault" and "taken" not in judged
        if judged != ACCEPT and not is_late and "taken" not in judged:
            raise NotGood(**place)
        self.reader, self.places[body] = probe, place
        if is_late:
            entries = [entry for done in probe.steps for entry in done]
            shown = next(e for e in reversed(entries) if self._shows(e, judged))
            self.found = judged, pair_of(shown), probe.heads[step + 1]

    def _shows(self, entry, judged):
        """Return True if an entry is by the culprit, in the step that the fault names."""
        key = self.reader.before[entry.step].author(entry.step, entry.seat)
        return entry.step == judged["step"] and key.hex() == judged["culprit"]

    def _take_behind_fault(self, body, judged, is_done, probe):
        """Take an entry that follows a fault in the file.

        Raise NotGood unless it is a new `checked` entry after a bad shuffle proof. The entry that
        would complete this step is accepted, but not added to the log.
        """
        is_open = self.found[0]["check"] == "shuffle" and due(self.reader.fold)[1] == ("checked",)
        if not is_open or judged != ACCEPT or body in self.last_checked:
            self.refuse_what_is_found()
        if is_done:
            self.last_checked.add(body)
        else:
            self.reader = probe

    # ---- evidence (6.3) -----------------------------------------------------------------------

    def judged(self):
        """Return the verdict on evidence: judge the closing frame by the frames before it."""
        closing = self.closing
        entries = list(map(pair_of, closing.entries))
        statements = list(map(pair_of, closing.statements))
        if self.reader is None and entries:
            try:
                self.reader = Reader(octets.entry(*entries[0]).id)
            except Malformed:
                return {"verdict": "refused", "at": None}
        fault, needed = None, set()
        if self.reader is not None:
            fault, needed = self._proved(entries, statements)
        shown = [*entries, *statements]
        is_all = len(set(shown)) == len(shown) and needed.issuperset(shown)
        if fault is None or not is_all or fault["check"] != closing.check:
            return {"verdict": "refused", "at": None}
        return {"verdict": "evidence", "check": fault["check"], "accused": fault["culprit"]}

    def _proved(self, entries, statements):
        """Return the fault that the entries and statements prove, and the set of those it needs.

        Return None and an empty set if they prove no fault.
        """
        if self.found is not None and entries == [self.found[1]] and not statements:
            return self.found[0], set(entries)
        ways = (self._in_a_poll, self._forked) if statements else (self._forked,)
        for way in (*ways, self._alone):
            found = way(entries, statements)
            if found is not None:
                return found
        return None, set()

    def _forked(self, entries, _):
        """Return a fork and its two entries if one seat signed both for one slot, else None.

        The log so far need only show whose entries they are.
        """
        if len(entries) != 2:
            return None
        try:
            one, other = (octets.entry(*each) for each in entries)
        except Malformed:
            return None
        key = self._key_of(one)
        if key is None or not is_fork(one, other):
            return None
        if not all(proofs.signed(key, "boneyard/v4/entry", *each) for each in entries):
            return None
        return convicted("fork", one.step, key), set(entries)

    def _key_of(self, entry):
        reader = self.reader
        known = [reader.fold.table_id, *(of[0] for of in reader.companies)]
        if entry.id not in known:
            return None
        return reader._key(entry) or reader._author(entry)

    def _alone(self, entries, _):
        """Judge each entry alone, as the next one of the log so far.

        Return the first fault and the entries that prove it, or None.
        """
        for each in entries:
            probe = self.reader.fork()
            judged = probe.take(*each)
            if judged["outcome"] == "fault" and probe.fold.step == self.reader.fold.step:
                beside = set()
                if judged["check"] == "fork":
                    mine = octets.entry(*each)
                    stands = [*probe.entries_of(mine.step), *probe.void.values()]
                    beside = {pair_of(e) for e in stands if is_fork(mine, e)}
                return judged, {each, *beside}
        return None

    def _in_a_poll(self, entries, statements):
        """Return the fault that statements prove, and everything that proves it, or None.

        The statements are two that exclude each other, one that contradicts an entry, or a false
        one, each with the statements to which it refers.
        """
        try:
            said = [statement(*each) for each in statements]
        except Malformed:
            return None
        keys = [self.reader._voter_key(each) for each in said]
        signed = zip(keys, statements, strict=True)
        if not all(key and proofs.signed(key, "boneyard/v4/cut", *each) for key, each in signed):
            return None
        if entries:
            return self._beside(keys, said, entries)
        if len(said) > 1 and keys[0] == keys[1]:
            found = self._pair(keys[0], said)
            if found is not None:
                return found
        return self._not_true(keys[-1], said)

    def _beside(self, keys, said, entries):
        if len(said) > 1 or len(entries) > 1:
            return None
        try:
            entry = octets.entry(*entries[0])
        except Malformed:
            return None
        key = self.reader._key(entry)
        if key != keys[0] or not proofs.signed(key, "boneyard/v4/entry", *entries[0]):
            return None
        if not is_against(said[0], entry):
            return None
        return convicted("cut", entry.step, key), {entries[0], pair_of(said[0])}

    def _pair(self, key, said):
        one, other, *named = said
        book = self._book(e for e in named if e.tag == "proposal")
        if not book.is_pair(one, other):
            return None
        names = {name for each in (one, other) if each.tag != "proposal" for name in each.names}
        needed = [one, other, *(each for each in named if each.name in names)]
        return convicted("cut", other.told_step, key), set(map(pair_of, needed))

    def _not_true(self, key, said):
        *before, last = said
        if last.of != self.reader.poll.of:
            return None
        book = self._book(before)
        if book.worth(last) is not False:
            return None
        needed, stack = {last.name: last}, [last]
        while stack:
            for name in stack.pop().names:
                if name in book.held and name not in needed:
                    needed[name] = book.held[name]
                    stack.append(needed[name])
        shown = set(map(pair_of, needed.values()))
        return convicted("cut", last.told_step, key), shown

    def _book(self, said):
        """Return a copy of the open poll that has only these statements.

        Partings from earlier polls count there for the present seats of their authors.
        """
        said, reader = list(said), self.reader
        of = reader.poll.of
        old = [each for each in said if each.tag == "parting" and each.of != of]
        poll = reader._poll_with(of[1], old)
        poll.held |= {each.name: each for each in said}
        return poll
