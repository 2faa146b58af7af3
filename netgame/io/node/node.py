"""A peer at a table: one core, and the tasks that carry out what it decides.

    links, timer, work, person --> inbox --> one task: core, then its effects in order
                                                persist (and sync), send, work, wake, dial, notify

Only that one task touches the core, so the core needs no locks; what stands before a `Send` in
its effects is done, and on the disk, when the frame leaves. A full disk makes the seat wait until
there is room; one that fails pauses it for good: nothing more is signed or sent, and the person is
told [protocol.md §8].
"""

from __future__ import annotations

import logging
import math
import os
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Generic, TypeAlias, TypeVar, assert_never, cast

import trio
import trio.lowlevel

from engine.play.legality import Refusal
from engine.rules.choose import RuleProblem
from engine.rules.spec import SpecProblem
from engine.table.moves import Call, Move
from netgame.errors import DiskFull, DiskTrouble, Malformed, NetgameError
from netgame.io.disk.identity import Identity
from netgame.io.disk.keeper import Keeper
from netgame.io.disk.store import TableFolder
from netgame.io.door.admission import Door
from netgame.io.door.channel import Channel
from netgame.io.door.codes import JoinCode
from netgame.io.door.link_pool import FrameCame, LinkDown, LinkPool, LinkUp
from netgame.io.links.link import Link
from netgame.io.network.addresses import Address, parse_address
from netgame.io.network.listen import Listen, open_listeners, port_of
from netgame.io.tasks import unwrapped
from netgame.limits import DRAIN_TIMEOUT_S, INBOX_MAX, LIFE_BYTES
from netgame.protocol.notices import Notice, Trouble
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import (
    Dial,
    Drop,
    Effect,
    Finished,
    Journalled,
    Notify,
    PeerKey,
    Persist,
    SaveEvidence,
    Send,
    StartAnew,
    Wake,
    Work,
)
from netgame.protocol.peer.view import TableView

log = logging.getLogger("netgame.io")

_Limiters: TypeAlias = tuple[trio.CapacityLimiter, trio.CapacityLimiter]
_WORKERS: Final = trio.lowlevel.RunVar[_Limiters]("_WORKERS")


@dataclass(frozen=True, slots=True)
class _WorkDone:
    job: int
    result: object


@dataclass(frozen=True, slots=True)
class _Woken:
    """The time asked for has come."""


T = TypeVar("T")


class _Request(Generic[T]):
    """Something a person or bot asks of the core; `answer` is why not, once `done` is set."""

    def __init__(self, ask: Callable[[Core, float], tuple[Effect, ...] | T]) -> None:
        self.ask = ask
        self.answer: T | None = None
        self.error: NetgameError | None = None
        self.done = trio.Event()


_LinkEffect = Send | Dial | Drop
_OtherEffect = _LinkEffect | StartAnew | Work | Wake | SaveEvidence | Notify | Finished
_Input = LinkUp | LinkDown | FrameCame | _WorkDone | _Woken | _Request[object]


class Node:
    """One seat's process at a table; made by `open_node`.

    `bots` leave with this seat; `notices` brings what happens, in order and without bound;
    `finished` is set when the game is over and settled; `paused` is the sentence that says why
    this seat writes no more, if so, and `waiting` why it does nothing just now.
    """

    def __init__(
        self,
        core: Core,
        channel: Channel,
        folder: TableFolder | Callable[[bytes], TableFolder],
        port: int,
        aliases: Mapping[str, str],
        door: Door | None = None,
    ) -> None:
        self.port = port
        self.door = door or Door()
        self.door.table_id = lambda: core.table_id
        self.door.belongs = core.may_come
        self.key = channel.identity.public
        self.bots: list[Node] = []
        self.finished = trio.Event()
        self.paused: str | None = None
        self.trouble: DiskTrouble | None = None
        self.waiting: str | None = None
        self._core = core
        self._keeper = Keeper(
            folder, lambda: core.view().table_id, self._wait_for_room, self._go_on
        )
        self._open_requests: set[_Request[object]] = set()
        self._aliases = aliases
        self._inbox, self._outlet = trio.open_memory_channel[_Input](INBOX_MAX)
        self._teller, self.notices = trio.open_memory_channel["Notice"](math.inf)
        self._pool = LinkPool(channel, self._inbox.send, self.door)
        self.neighbours = self._pool.neighbours
        self._live: dict[PeerKey, Link] = {}
        self._timer = trio.CancelScope()
        self._wake_at = math.inf
        self._changed = trio.Event()
        self._nursery: trio.Nursery | None = None

    @property
    def folder(self) -> TableFolder | None:
        """The table's folder; None until the first entry is kept."""
        return self._keeper.folder

    # ---- what a person or a bot may do ----------------------------------------------------

    def view(self) -> TableView:
        """Return a snapshot of the table as this seat may see it."""
        return self._core.view()

    def when_changed(self) -> trio.Event:
        """Return an event that is set when the next notice is told: time to look at `view`.

        Take it before looking, then nothing that happens meanwhile is missed.
        """
        return self._changed

    async def propose(self, move: Move) -> Refusal | None:
        """Make a move; the refusal says why not, and then nothing has happened.

        The move is on the disk and under way when this returns None, unless the seat is `waiting`
        or `paused`, which has been told then. It stands in the log once `Played` says so.
        """
        return await self._ask(lambda core, now: core.propose(move, now))

    async def call(self, move: Call) -> Refusal | None:
        """Tell of the last tile, or catch who has not; None if it is said or will be."""
        return await self._ask(lambda core, now: core.call(move, now))

    async def take_seat(self) -> None:
        """Ask for a seat, after only looking at the table so far."""
        await self._ask(lambda core, now: core.take_seat(now))

    async def look_on(self) -> None:
        """Wait for a seat at the next round no longer, and watch."""
        await self._ask(lambda core, now: core.look_on(now))

    async def attend(self) -> None:
        """Say that a person sits here, whose calls are waited for."""
        await self._ask(lambda core, now: core.attend(now))

    async def go_on_without(self, keys: Iterable[bytes]) -> None:
        """Vote to give up who holds these keys, wherever the table waits for them."""
        await self._ask(lambda core, now: core.go_on_without(keys, now))

    async def farewell(self) -> None:
        """Say to everybody that this seat is left for good, and its bots' seats; then leave."""
        for bot in self.bots:
            await bot.farewell()
            await bot.say_goodbye()
        await self._ask(lambda core, now: core.farewell(now))

    async def chat(self, text: str) -> None:
        """Say one line to everybody at the table."""
        await self._ask(lambda core, now: core.chat(text, now))

    async def begin(self, lead: str | None = None) -> RuleProblem | SpecProblem | None:
        """Start with who sits (host only), or say why not; `lead` as in `Core.begin`."""
        return await self._ask(lambda core, now: core.begin(now, lead))

    async def dial(
        self,
        address: str | Sequence[str],
        expected_key: PeerKey | None = None,
        code: JoinCode | None = None,
    ) -> PeerKey:
        """Open a link to `HOST:PORT`, or to the first of several that answers.

        With `code` both ends show that they know it. Returns the peer's key. Raises `Malformed`
        (not an address), `Disconnected`, `TimedOut`, `Refused`.
        """
        texts = (address,) if isinstance(address, str) else tuple(address)
        addresses: tuple[Address, ...] = tuple(parse_address(text) for text in texts)
        return await self._pool.connect(addresses, expected_key, code)

    def tell(self, notice: Notice) -> None:
        """Put something among the notices that happens beside the table itself."""
        self._tell(notice)

    def tell_trouble(self, sentence: str) -> None:
        """Put a sentence among the notices, for what goes wrong there."""
        self._tell(Trouble(sentence))

    def doubtful(self) -> frozenset[PeerKey]:
        """Return the peers whose link is up but has been silent for suspiciously long."""
        now = trio.current_time()
        return frozenset(peer for peer, link in self._live.items() if link.doubtful(now))

    def flooders(self) -> int:
        """Count the peers that get no link now because they have sent far too much."""
        return self._pool.flooders()

    def cut_links(self, reason: str = "cut") -> None:
        """End every link at once, as a pulled cable would; they are dialled again."""
        self._pool.drop_all(reason)

    def addresses_of(self, peer: bytes) -> tuple[str, ...]:
        """Return where the log says that this peer listens."""
        member = self._core.state.member(peer)
        return member.addresses if member else ()

    def knows(self, peer: PeerKey) -> bool:
        """Whether the log says that this key opened the table or sits at it."""
        state = self._core.state
        return peer == state.host or state.member(peer) is not None

    async def _ask(self, ask: Callable[[Core, float], tuple[Effect, ...] | T]) -> T | None:
        trouble = self.paused or self.waiting
        if trouble is not None:
            self._tell(Trouble(trouble))
            return None
        request: _Request[T] = _Request(ask)
        open_request = cast("_Request[object]", request)
        self._open_requests.add(open_request)
        try:
            await self._inbox.send(open_request)
            await request.done.wait()
        finally:
            self._open_requests.discard(open_request)
        if request.error is not None:
            raise request.error
        return request.answer

    # ---- the one task that owns the core --------------------------------------------------

    async def run(
        self,
        listeners: Sequence[trio.SocketListener],
        task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Sit at the table until cancelled."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            await nursery.start(self._pool.run, listeners)
            nursery.start_soon(self._ring)
            await self._carry_out(self._core.start(trio.current_time(), os.urandom(LIFE_BYTES)))
            self._keeper.patient = True
            task_status.started()
            async for event in self._outlet:
                await self._take(event)

    async def _take(self, event: _Input) -> None:
        """Hand one input to the core and carry out what it decides."""
        if isinstance(event, _Request):
            await self._take_request(event)
        elif self.paused is None:
            try:
                effects = self._decide(event)
            except Malformed as error:
                # Only a frame can be malformed, and only its sender suffers for it.
                if not isinstance(event, FrameCame):
                    raise
                event.link.finish(str(error))
            else:
                await self._carry_out(effects)

    def _decide(
        self, event: LinkUp | LinkDown | FrameCame | _WorkDone | _Woken
    ) -> tuple[Effect, ...]:
        now = trio.current_time()
        match event:
            case LinkUp(link):
                return self._link_up(link, now)
            case LinkDown(link):
                if self._live.get(link.peer) is not link:
                    return ()
                del self._live[link.peer]
                return self._core.link_down(link.peer, now)
            case FrameCame(link, body):
                # A link that was replaced may have left frames in the inbox.
                if self._live.get(link.peer) is not link:
                    return ()
                return self._core.frame(link.peer, body, now)
            case _WorkDone(job, result):
                return self._core.work_done(job, result, now)
            case _Woken():
                return self._core.wake(now)
            case _:
                assert_never(event)

    def _link_up(self, link: Link, now: float) -> tuple[Effect, ...]:
        # A link that takes another's place is only new to the core: nobody has left the table.
        self._live[link.peer] = link
        return self._core.link_up(link.peer, now)

    async def _take_request(self, request: _Request[T]) -> None:
        if self.paused is None:
            try:
                answer = request.ask(self._core, trio.current_time())
            except NetgameError as error:
                request.error = error
            else:
                if isinstance(answer, tuple):
                    await self._carry_out(answer)
                else:
                    request.answer = answer
        else:
            self._tell(Trouble(self.paused))
        request.done.set()

    # ---- effects --------------------------------------------------------------------------

    async def _carry_out(self, effects: tuple[Effect, ...]) -> None:
        """Do what the core decided, in order; several records in a row share one sync."""
        try:
            for effect in effects:
                if isinstance(effect, Persist | Journalled):
                    await self._keeper.keep(effect)
                else:
                    await self._keeper.settle()
                    await self._do(effect)
            await self._keeper.settle()
        except DiskTrouble as trouble:
            self._pause(trouble)

    async def _do(
        self,
        effect: _LinkEffect | StartAnew | Work | Wake | SaveEvidence | Notify | Finished,
    ) -> None:
        match effect:
            case StartAnew():
                await self._keeper.restart()
            case SaveEvidence(name, content):
                await self._keeper.save_evidence(name, content)
            case Work(job, run, long):
                assert self._nursery is not None
                self._nursery.start_soon(self._work, job, run, _workers(long=long))
            case Wake(at):
                self._wake_at = at
                self._timer.deadline = at
            case Notify(notice):
                self._tell(notice)
            case Finished():
                await self._keeper.finish()
                self.finished.set()
            case _:
                self._do_on_link(effect)

    def _do_on_link(self, effect: _LinkEffect) -> None:
        match effect:
            case Send(peer, frame):
                if peer in self._live:
                    self._live[peer].send(frame)
            case Dial(peer, addresses):
                real = tuple(self._aliases.get(address, address) for address in addresses)
                self._pool.keep_dialling(peer, real)
            case Drop(peer, reason):
                if peer in self._live:
                    self._live[peer].finish(reason)
            case _:
                assert_never(effect)

    async def _work(
        self, job: int, run: Callable[[], object], limiter: trio.CapacityLimiter
    ) -> None:
        # Abandoned when this peer leaves: what it made is of no use to anybody then.
        result = await trio.to_thread.run_sync(run, limiter=limiter, abandon_on_cancel=True)
        await self._inbox.send(_WorkDone(job, result))

    async def _ring(self) -> None:
        while True:
            with trio.CancelScope(deadline=self._wake_at) as self._timer:
                await trio.sleep_forever()
            if trio.current_time() >= self._wake_at:
                self._wake_at = math.inf
                await self._inbox.send(_Woken())

    def _tell(self, notice: Notice) -> None:
        self._teller.send_nowait(notice)
        changed, self._changed = self._changed, trio.Event()
        changed.set()

    def _wait_for_room(self, full: DiskFull) -> None:
        """Say once why nothing happens, and let nobody wait for an answer meanwhile."""
        self.waiting = f"Your seat waits: {full}. It goes on by itself when there is room."
        self._tell(Trouble(self.waiting))
        for request in tuple(self._open_requests):
            request.done.set()

    def _go_on(self) -> None:
        self.waiting = None
        self._tell(Trouble("There is room on the disk again; your seat goes on."))

    def _pause(self, trouble: DiskTrouble) -> None:
        """Stop writing and sending for good: what the disk holds is not known any more."""
        self.trouble = trouble
        self.paused = f"Your seat is paused: {trouble}. Mend that, then come back to the table."
        self._tell(Trouble(self.paused))
        self._pool.close_all("this seat cannot write its record")

    async def say_goodbye(self) -> None:
        """Let what is queued leave, and close every link politely; bounded in time."""
        if self.paused is None and self.waiting is None:
            await self._ask(lambda core, now: core.leave(now))
        self._pool.close_all("this peer leaves")
        with trio.move_on_after(DRAIN_TIMEOUT_S):
            await self._pool.wait_empty()

    def close(self) -> None:
        """Give the table's folder back."""
        self._keeper.close()


def _workers(*, long: bool) -> trio.CapacityLimiter:
    """Two limiters for all nodes of a process, so that no turn waits for the next round's deal.

    Threads beyond the cores would only wait for each other.
    """
    try:
        limiters = _WORKERS.get()
    except LookupError:
        cores = max(1, os.cpu_count() or 1)
        limiters = trio.CapacityLimiter(cores), trio.CapacityLimiter(cores)
        _WORKERS.set(limiters)
    return limiters[long]


@asynccontextmanager
async def open_node(
    make_core: Callable[[int], Core],
    identity: Identity,
    folder: TableFolder | Callable[[bytes], TableFolder],
    listen: Listen,
    aliases: Mapping[str, str] = MappingProxyType({}),
    door: Door | None = None,
) -> AsyncIterator[Node]:
    """Listen, make the core (it is told the port), and sit at the table within the block.

    `folder` is the table's, or opens it once the table's id is known. `aliases` says where to
    dial when a peer names an address in it: a demonstration has fixed addresses in its log. Without
    a `door` only members of the table may come in.
    Raises `PortTrouble`, `DiskTrouble` on entry; leaving the block closes links and folder.
    """
    listeners = await open_listeners(listen)
    node: Node | None = None
    try:
        port = port_of(listeners)
        node = Node(make_core(port), Channel(identity), folder, port, aliases, door)
        with unwrapped():
            async with trio.open_nursery() as nursery:
                await nursery.start(node.run, listeners)
                if node.trouble is not None:
                    raise node.trouble
                yield node
                await node.say_goodbye()
                nursery.cancel_scope.cancel()
    finally:
        with trio.CancelScope(shield=True):
            for listener in listeners:
                await listener.aclose()
        if node is not None:
            node.close()
        elif isinstance(folder, TableFolder):
            folder.close()
