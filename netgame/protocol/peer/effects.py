"""The effects that a core asks its shell to carry out, in order.

Cores decide, shells do. Every input of `Core` returns a tuple of these effects; the shell carries
them out one after the other, so everything before a `Send` is done when that is sent.
"""

from collections.abc import Callable, Hashable
from typing import NewType, TypeAlias

from netgame.frozen import FrozenStruct
from netgame.protocol.notices import Notice

PeerKey = NewType("PeerKey", bytes)
"""A peer's Ed25519 public key, 32 octets."""


class Persist(FrozenStruct):
    """Append the payload `record` to the table's record; `sync` it to the disk before going on."""

    record: bytes
    sync: bool = True


class Journalled(FrozenStruct):
    """Append the payload `record` to the journal of what this peer signed; sync before going on."""

    record: bytes


class Send(FrozenStruct):
    """Queue one frame body on the link to `peer`; nothing happens if there is none."""

    peer: PeerKey
    frame: bytes


class Work(FrozenStruct):
    """Run `run` off the event loop, then hand its result to `Core.work_done(job, result)`."""

    job: int
    run: Callable[[], object]
    long: bool = False
    """It takes ten times as long as all else and is seldom waited for; nothing else may queue
    behind it."""
    checks: tuple[bytes, int] | None = None
    """The chain of shuffles that it checks, if any."""
    same: Hashable = None
    """Determines the result, if given: of peers in one process with equal values only one need run
    it."""


class Wake(FrozenStruct):
    """Call `Core.wake` at this monotonic time, in seconds; only the latest one counts.

    The time is infinite while no part waits for one.
    """

    at: float


class Await(FrozenStruct):
    """Find out soon if a link to one of these, who sit at the table, is dead; replaces the last."""

    peers: frozenset[PeerKey]


class Dial(FrozenStruct):
    """Try to reach `peer` at one of `addresses` (`host:port`), with pauses, until linked.

    If there are none, or none works, others are asked to forward a link.
    """

    peer: PeerKey
    addresses: tuple[str, ...]


class Drop(FrozenStruct):
    """Close the link to `peer`, if there is one, once its queue is sent.

    One that `floods` is kept out for a while.
    """

    peer: PeerKey
    reason: str
    floods: bool = False


class SaveEvidence(FrozenStruct):
    """Write this file beside the record."""

    name: str
    content: bytes


class Notify(FrozenStruct):
    """Tell the person or bot at this seat."""

    notice: Notice


class Finished(FrozenStruct):
    """This peer's part at the table is over: the process may leave.

    The game is over and, as far as this peer can see, everywhere; or a fault has stopped the table;
    or the player was told why it is closed to us.
    """


Effect = (
    Persist | Journalled | Send | Work | Wake | Await | Dial | Drop | SaveEvidence
    | Notify | Finished
)  # fmt: skip
Effects: TypeAlias = tuple[Effect, ...]
"""Effects of one input, in the order in which they are to be carried out."""
