"""The cost of a frame of useless entries, and how many frames a peer may send before it is dropped.

The cost is the processor time of one core in its lobby, without sockets. The reference is the time
to read such a frame and its entries in the same run: every frame costs at least that.
"""

import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from bench.figure import Figure, middle, timed, until_steady
from netgame.crypto.signing import SigningKey, make_signing_key
from netgame.limits import FRAME_BYTES_MAX
from netgame.protocol.log.entry import REQUEST_DOMAIN, read_entry
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import Drop, PeerKey
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any, encode

ENTRIES: Final = 256
"""Entries in a frame: about as many of the smallest as fit into one."""
FRAMES: Final = 160
"""Frames to send, unless the link is dropped earlier."""
MOST: Final = 8
_READ: Final = "read"
_FAR: Final = 100_000

GOALS: Final = {
    "later": ("later steps, from a member", 4.0),
    "strays": ("another table, from a member", 4.0),
    "repeats": ("what stands in the log, fewer and longer, from a member", 4.0),
    "watcher": ("later steps with wrong signatures, from a watcher", 4.0),
}
"""For each flood its name, and the most that its frame may cost, in readings of a frame."""

_Frames = Callable[[Core, int], bytes]


class _Cost(NamedTuple):
    """Milliseconds for a frame, and how many frames were sent until the link was dropped."""

    frame_ms: float
    frames: int


def measure(most: int = MOST, frames: int = FRAMES) -> list[Figure]:
    """Send at most `frames` frames of each flood to a new core, and measure their cost.

    Repeat until the medians are steady, at most `most` times.
    """
    taken: dict[str, list[int]] = {kind: [] for kind in GOALS}

    def sample() -> dict[str, float]:
        costs = {kind: _flood(kind, frames) for kind in GOALS}
        for kind, cost in costs.items():
            taken[kind].append(cost.frames)
        return {_READ: _reading_ms(), **{kind: cost.frame_ms for kind, cost in costs.items()}}

    times = until_steady(sample, most)
    figures = [middle(f"a frame of {ENTRIES} entries read", times[_READ], "ms")]
    for kind, (name, goal) in GOALS.items():
        ratios = [ms / read for ms, read in zip(times[kind], times[_READ], strict=True)]
        figures.append(middle(f"a frame of {name}", times[kind], "ms"))
        figures.append(middle(f"a frame of {name}", ratios, "readings", goal))
        figures.append(middle(f"frames of {name}, until dropped", taken[kind], "", frames - 1))
    return figures


def _flood(kind: str, frames: int) -> _Cost:
    """Send a new table frames of one kind until it drops the link; return what they cost.

    At most `frames` frames are sent.
    """
    core, member = _table()
    is_guest = kind == "watcher"
    sender = _linked(core, make_signing_key(secrets.token_bytes(32))) if is_guest else member
    make = {"later": _later, "watcher": _later, "strays": _stray, "repeats": _repeat}[kind]
    bodies = [make(core, number) for number in range(frames)]
    sent, seconds = timed(lambda: _until_dropped(core, sender, bodies))
    return _Cost(seconds * 1e3 / sent, sent)


def _until_dropped(core: Core, sender: PeerKey, bodies: Sequence[bytes]) -> int:
    """Send frames until the link is dropped or none is left; return how many were sent."""
    for sent, body in enumerate(bodies, 1):
        if any(isinstance(each, Drop) for each in core.frame(sender, body, 10 + sent / 1000)):
            return sent
    return len(bodies)


def _reading_ms() -> float:
    """Return the milliseconds that it takes to read a frame of later steps and its entries."""
    core, _ = _table()
    bodies = [_later(core, number) for number in range(20)]
    _, seconds = timed(lambda: [*map(_read_frame, bodies)])
    return seconds * 1e3 / len(bodies)


def _read_frame(body: bytes) -> None:
    message = decode_any(body, wire.LinkMessage)
    assert isinstance(message, wire.Entries)
    for signed in message.entries:
        read_entry(signed)


def _table() -> tuple[Core, PeerKey]:
    """Return a host's core in its lobby, and the key of a guest that has a seat there."""
    host, ben = (make_signing_key(secrets.token_bytes(32)) for _ in range(2))
    core = Core(host, "Ann", secrets.token_bytes, bytes(32), ("127.0.0.1:4747",))
    core.open_table(secrets.token_bytes(32), wire.Settings("standard", (), 6, 3, 1, 0))
    core.start(0.0)
    member, state = _linked(core, ben), core.state
    where = ("127.0.0.1:4748",)
    asked = wire.JoinRequest(state.log_id, state.step, member, "Ben", where, wire.PlayedBy.TERMINAL)
    request = encode(asked)
    core.frame(member, encode(wire.JoinAsk(request, ben.sign(REQUEST_DOMAIN, request))), 2.0)
    assert core.state.member(member) is not None
    return core, member


def _linked(core: Core, signer: SigningKey) -> PeerKey:
    """Link a peer and have it name the core's table; return its key."""
    key = PeerKey(signer.public_bytes)
    core.link_up(key, 1.0)
    core.frame(key, encode(wire.Hello(core.state.table_id)), 1.0)
    return key


def _later(core: Core, number: int) -> bytes:
    """Return a frame of entries of future steps.

    The steps are nearer than those of the frame before, so that the core keeps these entries and
    discards the farther ones.
    """
    first = _FAR - number * ENTRIES
    return _frame(_made_up(core.state.log_id, first - at) for at in range(ENTRIES))


def _stray(core: Core, number: int) -> bytes:
    table = number.to_bytes(64)
    return _frame(_made_up(table, core.state.step) for _ in range(ENTRIES))


def _repeat(core: Core, _: int) -> bytes:
    admitted = tuple(core.ledger.entries_from(0))[-1]
    return _frame(admitted for _ in range(FRAME_BYTES_MAX // (len(admitted.body) + 80)))


def _made_up(table: bytes, step: int) -> wire.SignedEntry:
    """Return an entry in the chair's name with a worthless signature."""
    body = wire.Body(table, step, bytes(64), wire.CHAIR, 0, wire.Checked(0))
    return wire.SignedEntry(encode(body), bytes(64))


def _frame(entries: Iterable[wire.SignedEntry]) -> bytes:
    return encode(wire.Entries(tuple(entries)))
