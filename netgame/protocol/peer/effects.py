"""The effects that a core asks its shell to carry out, in order.

A core decides, and its shell acts. Every input of `Core` returns a tuple of these effects. The
shell carries them out one by one, so all effects before a `Send` are done by the time it is sent.
"""

from collections.abc import Callable, Hashable
from typing import NewType, TypeAlias

from netgame.frozen import FrozenStruct
from netgame.protocol.notices import Notice

PeerKey = NewType("PeerKey", bytes)
"""A peer's Ed25519 public key, 32 octets."""


class Persist(FrozenStruct):
    """Append the payload `record` to the table's record; if `sync`, sync it before going on."""

    record: bytes
    sync: bool = True


class Journalled(FrozenStruct):
    """Append the payload `record` to the journal of what this key signed; sync before going on."""

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
    """True if it takes about ten times as long as other work, and is rarely urgent. No other work
    may queue behind it."""
    checks: tuple[bytes, int] | None = None
    """The id of the chain of shuffles that it checks, if any."""
    same: Hashable = None
    """If given, it determines the result: among peers of one process with equal values only one
    needs to run the work."""


class Wake(FrozenStruct):
    """Call `Core.wake` at this monotonic time, in seconds; only the last `Wake` counts.

    The time is infinite while no part waits for one.
    """

    at: float


class Await(FrozenStruct):
    """Make sure that a dead link to one of `peers` is noticed soon; this set replaces the last."""

    peers: frozenset[PeerKey]


class Dial(FrozenStruct):
    """Try to reach `peer` at one of `addresses` (`host:port`), with pauses, until linked.

    If there are no addresses, or none works, ask other peers to forward a link.
    """

    peer: PeerKey
    addresses: tuple[str, ...]


class Drop(FrozenStruct):
    """Close the link to `peer`, if there is one, once its queue is sent.

    A peer that `floods` is kept out for a while.
    """

    peer: PeerKey
    reason: str
    floods: bool = False


class SaveEvidence(FrozenStruct):
    """Write an evidence file of this name and content beside the record."""

    name: str
    content: bytes


class Notify(FrozenStruct):
    """Give the person or bot at this seat a notice."""

    notice: Notice


class Finished(FrozenStruct):
    """Nothing is left for this peer to do at the table: the process may leave.

    The game is over and, as far as this peer can see, everybody knows; or a fault has stopped the
    table; or the player was told why the table is closed to us.
    """


Effect = (
    Persist | Journalled | Send | Work | Wake | Await | Dial | Drop | SaveEvidence
    | Notify | Finished
)  # fmt: skip
Effects: TypeAlias = tuple[Effect, ...]
"""The effects of one input, in the order in which the shell carries them out."""
