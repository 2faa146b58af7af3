"""The four statements that seats sign when seats may have to go, each named by its digest.

A seat signs at most one promise and one accept per ballot, and at most one proposal per ballot that
it owns. It signs at most one parting, and nothing after that until a coin seats its key again. Each
statement belongs to one poll of one epoch. Sets of seats are bit sets, seat 0 in the lowest bit.
[protocol.md §4.7]
"""

from typing import Annotated, Final, NamedTuple, TypeAlias

from msgspec import Meta

from netgame.wire import fields
from netgame.wire.fields import Digest, Message, Step

SEAT_BITS: Final = 32
COUNTER_MAX: Final = 2**32 - 1

Seat = Annotated[int, Meta(ge=0, lt=SEAT_BITS)]
Name = Annotated[bytes, Meta(max_length=64)]
NOTHING: Final = b""
"""Replaces a proposal's name where nothing has been accepted."""


class Ballot(NamedTuple):
    """One attempt by its `owner` to decide a poll; ordered by counter, then owner."""

    counter: Annotated[int, Meta(ge=0, le=COUNTER_MAX)]
    owner: Seat


NO_BALLOT: Final = Ballot(0, 0)
"""Below every ballot; counters begin at 1."""


class Promise(Message):
    """`seat` promises to take part in nothing below `ballot`, and says where its log ends."""

    id: Digest
    poll: fields.Poll
    seat: Seat
    ballot: Ballot
    step: Step
    """The step that is due in its log."""
    head: Digest
    """The digest of the step before."""
    last: Step
    """The seat signs no entry after this step in this poll."""
    without: fields.Seats
    """The seats that it would go on without."""
    accepted: Name
    """The proposal that the seat accepted last; empty if there is none."""


class Parting(Message):
    """`seat` leaves for good: a promise for every ballot to come, in later polls and epochs too.

    The other fields mean the same as in `Promise`.
    """

    id: Digest
    poll: fields.Poll
    seat: Seat
    promised: Ballot
    """The highest ballot that the seat had promised in this poll. The parting counts in no quorum
    of a lower one."""
    step: Step
    head: Digest
    last: Step
    accepted: Name


class Proposal(Message):
    """The value that some promises and partings allow: who goes, and after which head."""

    id: Digest
    poll: fields.Poll
    ballot: Ballot
    """The owner of this ballot signs the proposal."""
    goes: fields.Seats
    step: Step
    head: Digest
    counted: Annotated[tuple[Digest, ...], Meta(min_length=1, max_length=SEAT_BITS)]
    """The names of the promises and partings that allow the value."""


class Accept(Message):
    """`seat` agrees to the proposal whose name is `proposal`."""

    id: Digest
    poll: fields.Poll
    seat: Seat
    proposal: Digest


Statement: TypeAlias = Promise | Parting | Proposal | Accept


def author(statement: Statement) -> int:
    """Return the seat that signs a statement: for a proposal, the owner of its ballot."""
    return statement.ballot.owner if isinstance(statement, Proposal) else statement.seat


def bit(seat: int) -> int:
    """Return the bit set with this seat alone, 2 ** seat."""
    return 1 << seat


def seats_in(seats: int) -> tuple[int, ...]:
    """Return the seats of a bit set, ascending; () for 0."""
    return tuple(seat for seat in range(seats.bit_length()) if seats >> seat & 1)
