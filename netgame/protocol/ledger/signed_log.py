"""A log read without the rules of the game: who has signed what, linked to what [§6.2].

`verify` reads a record made under another revision of the rules in this way. It cannot say there
which moves are legal, who is due or what a round scores. It can check all that needs no rules:

* an entry is encoded canonically, under the id of an epoch that the log has opened;
* its author has a key there, and has signed it;
* nobody has signed two bodies for one slot;
* `prev` is the digest of the step before, made of the entries as they stand.

A step is therefore the entries of that number that stand in a row. It is done when an entry of the
next step or a decision follows. Seats are given by entries that mean the same under any rules:
`admit`, `dismiss` and `close`, a coin, and the requests that scores have granted. They are taken by
the polls. A statement that cannot count here is passed over: under other rules the game may have
been over where it was signed, so that it counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sized
from typing import NamedTuple

from netgame.crypto.coin import table_id
from netgame.errors import Malformed
from netgame.limits import SEATS_MAX
from netgame.protocol.epochs.company import Company, Epoch
from netgame.protocol.fold.lobby import member_of, read_request, session_of
from netgame.protocol.fold.phases import Member
from netgame.protocol.ledger.poll import Decision, Poll, key_at, key_of
from netgame.protocol.log.entry import (
    GENESIS,
    Entries,
    Entry,
    ReceivedStatement,
    Slot,
    epoch_digest,
    is_fork,
    read_entry,
    step_digest,
)
from netgame.protocol.log.fault import Fault, fork
from netgame.wire import messages as wire
from netgame.wire.statements import Proposal, bit


class Unsigned(Malformed):
    """An entry that no log can hold, whatever the rules are.

    `fault` is set if it convicts somebody.
    """

    def __init__(self, text: str, fault: Fault | None = None) -> None:
        super().__init__(text)
        self.fault = fault


def _refuse_crowd(seats: Sized) -> None:
    """Raise `Unsigned` for more seats than a table has under any rules."""
    if len(seats) > SEATS_MAX:
        raise Unsigned("more seats than a table can have")


class _Newcomers(NamedTuple):
    """The epoch before the last scores gave seats, and the keys that they gave seats to."""

    before: Epoch
    keys: tuple[bytes, ...]


class SignedLog:
    """The log of the table that an offer opens, as far as it has been read.

    `host`, `company` and `member` are as in a `State`; `entries` counts those taken, `rounds` the
    rounds scored. The due step is the last one of which entries stand, in `_due`; `_heads` has the
    digest before each step. While a table forms, `_coin` is the digest of the step in which all
    committed to it.
    """

    def __init__(self, offer: wire.OpenTable) -> None:
        self.host, self.settings = offer.host, offer.settings
        self.company = Company.of_table(table_id(offer.host, offer.nonce))
        self.members: tuple[Member, ...] = ()
        self.entries = self.rounds = 0
        self.decisions: list[Decision] = []
        self._heads = [GENESIS]
        self._due: dict[int, Entry] = {}
        self._signed: dict[Slot, Entry] = {}
        self._coin = b""
        self._newcomers: _Newcomers | None = None
        self.poll = Poll.begin(self.company, 0, self)

    # ---- how far it is ----

    @property
    def step(self) -> int:
        """The number of the due step, to which the last entries belong, if it has any yet."""
        return len(self._heads) - 1

    @property
    def head(self) -> bytes:
        """The head if the due step were closed as it stands; the last one if it has no entry."""
        return step_digest(self._heads[-1], self._due.values()) if self._due else self._heads[-1]

    def member(self, key: bytes) -> Member | None:
        """The member who sits or has sat with this key; None if nobody has, or was dismissed."""
        return next((each for each in self.members if each.key == key), None)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats in order, those that left included, or of the lobby's members."""
        keys = self.company.now.keys or tuple(each.key for each in self.members)
        return tuple(each.name for key in keys if (each := self.member(key)) is not None)

    # ---- entries ----

    def take(self, signed: wire.SignedEntry) -> bytes:
        """Take the next entry, close the step before if it has ended, and return its author's key.

        Raises `Malformed` if no log can hold the entry; for a fork, `Unsigned` with the fault. The
        step before may be closed even then.
        """
        entry = read_entry(signed)
        if self._ends_due(entry.step, entry.prev):
            self.close()  # who sits now may depend on that; if the entry is refused, all is
        key = key_at(self.company, entry.id, entry.seat) or self._key_of_chair(entry)
        if key is None:
            raise Unsigned("an entry of an epoch or a seat that is not there")
        if not entry.is_by(key):
            raise Unsigned(f"the signature of an entry of step {entry.step} does not fit")
        self._refuse_fork(entry, key)
        place = (entry.id, entry.step, entry.prev)
        is_due = place == (self.company.now.id, self.step, self._heads[-1])
        if not is_due or entry.seat not in (wire.CHAIR, *self.company.now.present):
            raise Unsigned("an entry that does not follow from those before it")
        self._due[entry.seat] = self._signed[entry.slot] = entry
        self.entries += 1
        return key

    def _key_of_chair(self, entry: Entry) -> bytes | None:
        """The host's key for its entry in a lobby, where it writes alone; else None."""
        is_lobby = not self.company.at(entry.step).keys
        return self.host if is_lobby and entry.seat == wire.CHAIR else None

    def _refuse_fork(self, entry: Entry, key: bytes) -> None:
        other = self._signed.get(entry.slot)
        if other is None:
            return
        if not is_fork(other, entry):
            raise Unsigned("an entry that is there already")
        fault = fork(other, entry, key)
        raise Unsigned(fault.finding.says, fault)

    # ---- what a done step says of who sits ----

    def _ends_due(self, step: int, head: bytes) -> bool:
        """Whether the due step, as it stands, is done for a reader at `step` behind `head`."""
        return bool(self._due) and (step, head) == (self.step + 1, self.head)

    def close(self) -> None:
        """Close the due step with the entries that stand in it, of which there must be one.

        Raises `Malformed` if they give a seat by a request that is not good, or too many seats.
        """
        done, before = tuple(self._due.values()), self._heads[-1]
        self._heads.append(self.head)
        self._due = {}
        for entry in done:
            self._follow(entry)
        if isinstance(done[0].payload, wire.CoinCommit):
            self._coin = step_digest(before, done)
        self.rounds += isinstance(done[0].payload, wire.RoundOver)

    def _follow(self, entry: Entry) -> None:
        """Apply what one entry of a done step changes under any rules, if anything.

        Only the chair, which writes in the lobby alone, admits, dismisses and closes; scores give
        seats only once a coin has fallen. Raises `Malformed` as `close` does.
        """
        match entry.seat, entry.payload:
            case wire.CHAIR, wire.Admit(request, signature):
                self._admit(read_request(request, signature))
            case wire.CHAIR, wire.Dismiss(key):
                self.members = tuple(each for each in self.members if each.key != key)
            case wire.CHAIR, wire.Close():
                keys = tuple(sorted(each.key for each in self.members))
                self.company = self.company.then(self.step, keys=keys)
                self.poll = Poll.begin(self.company, 0, self)
            case _, wire.RoundOver(latecomers=asked) if asked and self.company.sessions:
                requests = [read_request(admit.request, admit.signature) for admit in asked]
                before = self.company.now
                for each in requests:
                    if before.seat_of(each.key) is None:
                        self._admit(each)
                self._seat(before, tuple(each.key for each in requests))
            case _:
                pass

    def _admit(self, request: wire.JoinRequest) -> None:
        others = tuple(each for each in self.members if each.key != request.key)
        self.members = (*others, member_of(others, request))
        _refuse_crowd(self.company.now.keys or self.members)

    def _seat(self, before: Epoch, keys: Iterable[bytes]) -> None:
        """Give these keys seats as guests: those they had before, or new ones behind all others."""
        self._newcomers = _Newcomers(before, tuple(keys))
        self.company = self.company.with_guests(self.step, self._newcomers.keys)
        _refuse_crowd(self.company.now.keys)
        self.poll.cut.guests = sum(map(bit, self.company.now.guests))

    # ---- who goes on ----

    def hear(self, said: ReceivedStatement) -> bool:
        """Take a statement, and carry out what it decides.

        False if its author has no vote in an epoch of this log, or has not signed it. True for any
        other, even one that does not count. A decision may close a step: raises as `close` does.
        """
        statement, poll = said.statement, self.poll
        if not said.is_by(key_of(self.company, statement)):
            return False
        if poll.is_of(statement):
            poll.add(said)
        else:
            self.poll = poll.with_parting(self.company, said) or poll
        self._decide()
        return True

    def holds(self, step: int, head: bytes) -> bool:
        """Whether `step` is due behind this head somewhere in this log."""
        is_behind = step < len(self._heads) and self._heads[step] == head
        return is_behind or self._ends_due(step, head)

    def is_final(self, step: int) -> bool:
        """Whether a coin has fallen where `step` is due, right behind the entries that stand last.

        Only the rules know whether a game is over.
        """
        kinds = {type(each.payload) for each in self._due.values()}
        return step == self.step + 1 and kinds == {wire.CoinReveal}

    def _decide(self) -> None:
        poll = self.poll
        proposal = poll.cut.decided()
        if proposal is None:
            return
        if self._ends_due(proposal.step, proposal.head):
            is_coin = self.is_final(proposal.step)
            shown = tuple(self._due.values())
            self.close()
            if is_coin:  # where one has fallen nobody can go
                self._open_session(shown)
        elif proposal.step > self.step:
            return
        self.decisions.append(poll.decision(proposal, self.rounds))
        if proposal.goes:
            self._cut(proposal)
        self.poll = poll.following(self.company)

    def _cut(self, value: Proposal) -> None:
        """Make everything from the decided step on void, and go on without the seats that go."""
        del self._heads[value.step + 1 :]
        self._due, self._coin = {}, b""
        head = self._heads[-1]
        self.company = self.company.without(value.goes, value.step, head)
        self._heads.append(epoch_digest(head, self.company.now.id))
        if self._newcomers is not None:
            self._seat_again(self._newcomers)

    def _seat_again(self, was: _Newcomers) -> None:
        """Seat the newcomers that stay anew, as if those that go had never come."""
        staying = tuple(filter(self.company.now.has, was.keys))
        self.company, self._newcomers = self.company.without_guests(self.step, was.before), None
        if staying:
            self._seat(was.before, staying)

    def _open_session(self, shown: Entries) -> None:
        """Begin the session of the coin that these entries reveal."""
        session = session_of(self.company.now, self.settings, self._coin, shown)
        self.company, self._newcomers = self.company.with_session(self.step, session), None
