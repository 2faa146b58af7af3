"""The context that all parts of a peer share: its log, its links, and the effects that it asks for.

The log is set when a table is opened, found or restored. Only `Faults` sets the faults, and each
input sets the time.
"""

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from msgspec import Struct

from netgame.errors import Malformed
from netgame.limits import (
    CLAIM_S,
    LEFT_OUT_S,
    NAME_CELLS_MAX,
    REQUESTS_KEPT,
    STRANGER_LINES_BURST,
    STRANGER_LINES_PER_S,
)
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.verdict import seat_name
from netgame.protocol.log.entry import REQUEST_DOMAIN, Signer
from netgame.protocol.log.fault import Fault
from netgame.protocol.log.steps import NO_RECORD
from netgame.protocol.notices import Notice, Trouble, TroubleKind
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.effects import Drop, Effect, Effects, PeerKey
from netgame.protocol.peer.linked import Peer, is_ahead
from netgame.protocol.seating import NoSeat, WhyNoSeat
from netgame.protocol.state.lobby import read_request
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.state import State
from netgame.protocol.text import clean_text
from netgame.rates import TokenBucket
from netgame.wire.codec import encode
from netgame.wire.messages import (
    Entries,
    Head,
    JoinAsk,
    JoinRequest,
    LinkMessage,
    PlayedBy,
    SignedEntry,
)

T = TypeVar("T")


class Outbox:
    """The effects of one input, in the order in which the parts asked for them.

    It also remembers which part waits for the result of each piece of work.
    """

    def __init__(self) -> None:
        self._effects: list[Effect] = []
        self._jobs: dict[int, tuple[Callable[[Any], None], bool]] = {}
        self._last_job = 0

    def emit(self, effect: Effect) -> None:
        """Append an effect."""
        self._effects.append(effect)

    def notify(self, notice: Notice) -> None:
        """Give the player here a notice."""
        self.emit(fx.Notify(notice))

    def send(self, peer: PeerKey, message: LinkMessage) -> None:
        """Send a message to one peer; it is lost if there is no link by then."""
        self.emit(fx.Send(peer, encode(message)))

    def work(
        self,
        run: Callable[[], T],
        then: Callable[[T], None],
        *,
        long: bool = False,
        checks: tuple[bytes, int] | None = None,
        same: Hashable = None,
    ) -> None:
        """Have the shell call `run`, and call `then` with its result; see `Work`."""
        self._last_job += 1
        self._jobs[self._last_job] = then, long
        self.emit(fx.Work(self._last_job, run, long, checks, same))

    def finish(self, job: int, result: object) -> bool:
        """Give the result of some work to the part that asked for it.

        Returns whether the work was long. Raises KeyError if this job never began, or has already
        had its result.
        """
        then, is_long = self._jobs.pop(job)
        then(result)
        return is_long

    def take(self) -> Effects:
        """Return all effects in order, and start over without any."""
        taken, self._effects = tuple(self._effects), []
        return taken


class PeerContext:
    """The context of one process at one table; all its parts share and change it."""

    def __init__(
        self, signer: Signer, name: str, addresses: Sequence[str], played_by: PlayedBy
    ) -> None:
        self.signer = signer
        self.key = PeerKey(signer.public_bytes)
        self.rename(name)
        self.addresses = tuple(addresses)
        self.played_by = played_by
        self.bot = played_by is PlayedBy.BOT
        self.attended = False
        """A person sits here."""
        self.now = 0.0
        """The monotonic time of this input, in seconds."""
        self.wake_at = math.inf
        """The earliest time that a part waits for."""
        self.stirred = True
        """Something has changed since the duties were last looked at."""
        self.record = NO_RECORD
        """Returns the n-th payload of our record, or None if there is none."""
        self.ledger = Ledger(b"")
        self.fault: Fault | None = None
        """The proved fault that stops this seat now, or None."""
        self.convicted = frozenset[bytes]()
        """The keys that have signed a proved fault since they sat down."""
        self.guilty: dict[bytes, int] = {}
        """The number of faults of each key found at this table."""
        self.asked: tuple[bytes, ...] = ()
        """The last requests for a seat that this process signed, as octets."""
        self.outbox = Outbox()
        self.links = Links(self)
        self._stranger_lines = TokenBucket(STRANGER_LINES_PER_S, STRANGER_LINES_BURST, 0.0)
        self._left_out = 0
        self._left_out_since = 0.0

    def begin_log(self, table: bytes) -> None:
        """Begin the empty log of a table; it replaces any other log."""
        # Looked up at each call: the shell sets `record` when it has opened the file.
        self.ledger = Ledger(table, lambda number: self.record(number))

    @property
    def state(self) -> State:
        """The state of the table as of the log so far."""
        return self.ledger.state

    @property
    def table_id(self) -> bytes:
        """The table's id; empty while this peer has none."""
        return self.state.table_id

    @property
    def in_lobby(self) -> bool:
        """True while the table is in the lobby, or is not even open."""
        return self.state.phase is Phase.LOBBY

    @property
    def is_host(self) -> bool:
        """True if this key opened the table."""
        return self.key == self.state.host

    @property
    def seat(self) -> int | None:
        """This peer's seat, or its place in the roster before the first coin; None without either.

        A seat that was given up still counts as its own.
        """
        return self.state.seat_of(self.key)

    def due(self) -> tuple[bytes, int]:
        """Return the id of the present epoch, and the step that is due."""
        return self.state.log_id, self.state.step

    def rename(self, name: str) -> None:
        """Use another name in requests from now on.

        The name is made fit for a screen; it becomes "player" if nothing is left of it.
        """
        self.name = clean_text(name, NAME_CELLS_MAX, "player")

    def attend(self) -> None:
        """Note that a person sits here, who makes the calls and gets time for them."""
        self.attended = True

    def notify_of(self, key: bytes, notice: Notice) -> bool:
        """Give the player a notice that this key's owner caused; return whether there was room.

        All keys that do not belong to the table share one allowance, because keys are free. A
        notice for which there is no room is counted for `tell_left_out`.
        """
        is_ours = key == self.key or self.belongs(key)
        has_room = is_ours or self._stranger_lines.take_all(1, self.now)
        if has_room:
            self.outbox.notify(notice)
        else:
            self._left_out_since = self._left_out_since if self._left_out else self.now
            self._left_out += 1
        return has_room

    def tell_left_out(self) -> None:
        """Tell the player how many notices had no room, if any, `LEFT_OUT_S` after the first."""
        if self._left_out and self.reached(self._left_out_since + LEFT_OUT_S):
            self.outbox.notify(Trouble(TroubleKind.LEFT_OUT, (str(self._left_out),)))
            self._left_out = 0

    def reached(self, at: float) -> bool:
        """Return whether this time has come; if not, ask to be woken when it does."""
        self.wake_at = self.wake_at if self.now >= at else min(self.wake_at, at)
        return self.now >= at

    def belongs(self, key: bytes) -> bool:
        """Return True if this key is a member of the table or its host.

        A player whose seat was given up in the game is still a member.
        """
        return key == self.state.host or self.state.member(key) is not None

    def is_guest(self, key: bytes) -> bool:
        """Return True if we belong to the table and this key does not."""
        return self.belongs(self.key) and not self.belongs(key)

    def sits(self, key: bytes) -> bool:
        """Return True if this key has a seat and has not left for good; False in the lobby."""
        return self.state.company.now.has(key)

    def head(self) -> Head:
        """Return our head, as we tell it to others."""
        state, ledger = self.state, self.ledger
        return Head(state.step, state.head, ledger.filled(), len(ledger.decisions))

    def join_request(self) -> JoinRequest:
        """Return our unsigned request for a seat in the seating that our log shows as open."""
        state = self.state
        place = state.session, state.step
        return JoinRequest(*place, self.key, self.name, self.addresses, self.played_by)

    def signed_request(self) -> tuple[bytes, bytes]:
        """Return the octets of our request for the open seating, and our signature of them.

        The octets are added to `asked`.
        """
        octets = encode(self.join_request())
        self.asked = (*self.asked, octets)[-REQUESTS_KEPT:]
        return octets, self.signer.sign(REQUEST_DOMAIN, octets)


class PeerPart(Struct, eq=False, dict=True):
    """One part of a peer: it is mutable, and equal only to itself.

    The option `dict` lets the laboratory replace a method of a part with a cheat's.
    """

    context: PeerContext


class Links(PeerPart):
    """The state of each linked peer, and the messages that go to several of them."""

    peers: dict[PeerKey, Peer] = {}
    """The linked peers, in the order in which their links came up."""
    _together: list[SignedEntry] | None = None
    """The entries written so far within `together`; None outside it."""
    _head: Head | None = None
    """Our head when `_still_since` last looked at it."""
    _head_since: float = 0.0
    """The time since which that has been our head."""

    def come(self, key: PeerKey) -> None:
        """Note a new link to this peer, which may replace an old one; the peer's state starts over.

        The process at the old link, if any, becomes its `rival`.
        """
        before = self.peers.get(key, Peer())
        # An old link that never got a `hello` passes on the rival of the link before it.
        self.peers[key] = Peer(came_at=self.context.now, rival=before.life or before.rival)

    def greeted(self) -> set[PeerKey]:
        """Return the peers that we have welcomed at our table, dropped ones included."""
        return {key for key, peer in self.peers.items() if peer.greeted}

    def seats(self) -> set[int]:
        """Return the seats of the peers that we have welcomed at our table.

        Seats that were given up, and those of dropped peers, are included.
        """
        seats = (self.context.state.seat_of(key) for key in self.greeted())
        return {seat for seat in seats if seat is not None}

    def at_table(self) -> list[tuple[PeerKey, Peer]]:
        """Return the peers welcomed at our table and not dropped, in order of coming."""
        return [each for each in self.peers.items() if each[1].greeted and not each[1].dropped]

    def guests(self) -> list[PeerKey]:
        """Return the peers at our table that do not belong to it, in order of coming."""
        return [key for key, _ in self.at_table() if not self.context.belongs(key)]

    def is_level(self, key: PeerKey) -> bool:
        """Return True if our log has at least as many done steps as this peer's head claims.

        False until the peer is welcomed and has told a head, and while our log is empty.
        """
        peer = self.peers.get(key)
        if peer is None or not peer.greeted or peer.head is None:
            return False
        return self.context.state.step >= max(1, peer.head.step)

    def note_head(self, peer: Peer, head: Head) -> None:
        """Note the head that a peer tells, and since when its heads have been ahead of our log."""
        ours, now = self.context.head(), self.context.now
        self._still_since()
        was_ahead = peer.head is not None and is_ahead(peer.head, ours)
        if not is_ahead(head, ours):
            peer.ahead_at = math.inf
        elif not was_ahead:
            peer.ahead_at = now
        peer.head, peer.heard_at = head, now

    def claims_more(self, key: bytes) -> bool:
        """Return True if for `CLAIM_S` a peer has claimed a longer log, and ours has not moved.

        Either the peer lies, or nothing that it sends arrives. If the time is not up, we are woken
        when it is. Whatever else the peer sends does not count: anybody can make up statements and
        entries of later steps.
        """
        still_since = self._still_since()
        peer = self.peers.get(PeerKey(key))
        if peer is None or peer.head is None or not is_ahead(peer.head, self.context.head()):
            return False
        since = max(peer.ahead_at, still_since)
        return since < math.inf and self.context.reached(since + CLAIM_S)

    def _still_since(self) -> float:
        """Return the time at which a call of this function first found our present head."""
        head = self.context.head()
        if head != self._head:
            self._head, self._head_since = head, self.context.now
        return self._head_since

    def tell_all(self, message: LinkMessage) -> None:
        """Send a message to every peer at our table.

        Seats come first, because a seat that forgets its own entries asks only seats for them.
        """
        frame = encode(message)
        for key, _ in sorted(self.at_table(), key=lambda each: not self.context.sits(each[0])):
            self.context.outbox.emit(fx.Send(key, frame))

    def tell_entry(self, signed: SignedEntry) -> None:
        """Send everybody at our table an entry of ours; within `together`, do so at its end."""
        if self._together is None:
            self.tell_all(Entries((signed,)))
        else:
            self._together.append(signed)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Send all entries written within the block as one message, so that nobody sees half of it.

        The message leaves when the block ends. If nothing was written, or the block raises, nothing
        is sent.
        """
        written: list[SignedEntry] = []
        self._together = written
        try:
            yield
        finally:
            self._together = None
        if written:
            self.tell_all(Entries(tuple(written)))

    def drop(self, peer: PeerKey, reason: str, *, floods: bool = False) -> None:
        """End a link whose other side breaks the protocol, and tell the player.

        Does nothing if there is no link, or if we have already ended it.
        """
        if self.hang_up(peer, reason, floods=floods):
            name = seat_name(self.context.state, peer)
            closed = Trouble(TroubleKind.LINK_CLOSED, (name, reason))
            self.context.notify_of(peer, closed)

    def drop_forger(self, peer: PeerKey) -> None:
        """End the link of a peer that passed on a wrongly signed entry or statement."""
        self.drop(peer, "it passed on an entry with a wrong signature")

    def hang_up(self, peer: PeerKey, reason: str, *, floods: bool = False) -> bool:
        """End a link without telling the player; the other side may be honest.

        Returns False if there is no link, or if we have already ended it. Anything that still comes
        over an ended link is ignored.
        """
        if peer not in self.peers or self.peers[peer].dropped:
            return False
        self.peers[peer].dropped = True
        self.context.stirred = True
        self.context.outbox.emit(Drop(peer, reason, floods))
        return True

    def request_of(self, key: PeerKey, ask: JoinAsk) -> JoinRequest | None:
        """Return a peer's request for a seat of its own, or None if it is not good.

        A peer that asks on behalf of another key is refused; one whose request cannot be read or is
        wrongly signed is dropped.
        """
        try:
            request = read_request(ask.request, ask.signature)
        except Malformed as problem:
            self.drop(key, f"it sent {problem}")
            return None
        if request.key == key:
            return request
        self.context.outbox.send(key, NoSeat(WhyNoSeat.KEY).answer())
        return None
