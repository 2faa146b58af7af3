"""The four kinds of statement by which seats decide in a poll which of them have to go.

A seat signs at most one promise and one accept per ballot, and at most one proposal per ballot that
it owns. It signs at most one parting, and nothing after that until a coin gives its key a seat
again. Each statement belongs to one poll of one epoch, and its digest serves as its name. Sets of
seats are bit sets with seat 0 in the lowest bit. [protocol.md §4.7]
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
"""The value of `accepted` if the seat has accepted no proposal."""


class Ballot(NamedTuple):
    """One attempt of the seat `owner` to decide a poll; ballots compare by counter, then owner."""

    counter: Annotated[int, Meta(ge=0, le=COUNTER_MAX)]
    owner: Seat


NO_BALLOT: Final = Ballot(0, 0)
"""Lower than every real ballot, because their counters begin at 1."""


class Promise(Message):
    """`seat` promises to sign nothing for a lower ballot, and says where its log ends."""

    id: Digest
    poll: fields.Poll
    seat: Seat
    ballot: Ballot
    step: Step
    """The step that is due in its log."""
    head: Digest
    """The digest of the step before."""
    last: Step
    """In this poll the seat signs no entry of a later step than this."""
    without: fields.Seats
    """The seats that it would go on without."""
    accepted: Name
    """The proposal that the seat accepted last; empty if there is none."""


class Parting(Message):
    """`seat` leaves for good.

    The statement counts as its promise for every later ballot, in later polls and epochs too. All
    fields but `promised` mean the same as in `Promise`.
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
    """A decision that enough promises and partings allow: which seats go, and after which head."""

    id: Digest
    poll: fields.Poll
    ballot: Ballot
    """The seat that owns this ballot signs the proposal."""
    goes: fields.Seats
    step: Step
    head: Digest
    counted: Annotated[tuple[Digest, ...], Meta(min_length=1, max_length=SEAT_BITS)]
    """The names of the promises and partings that allow the decision."""


class Accept(Message):
    """`seat` accepts the proposal whose name (its digest) is `proposal`."""

    id: Digest
    poll: fields.Poll
    seat: Seat
    proposal: Digest


Statement: TypeAlias = Promise | Parting | Proposal | Accept


def author(statement: Statement) -> int:
    """Return the seat that signs a statement: for a proposal, the owner of its ballot."""
    return statement.ballot.owner if isinstance(statement, Proposal) else statement.seat


def bit(seat: int) -> int:
    """Return the bit set that contains only this seat: 2 ** seat."""
    return 1 << seat


def seats_in(seats: int) -> tuple[int, ...]:
    """Return the seats in a bit set, ascending; () for 0."""
    return tuple(seat for seat in range(seats.bit_length()) if seats >> seat & 1)
