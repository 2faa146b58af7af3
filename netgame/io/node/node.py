"""A peer at a table: one core, and the tasks that carry out its effects.

    links, alarm, workers, person --> inbox --> one task: core, then its effects in order
           or at once         persist (and sync), send, work, wake, dial, notify

No other task ever waits while it uses the core, so the core needs no locks. An input that comes
while the task rests goes to the core at once, and the task gets only the effects that must wait for
the disk. When a frame leaves, everything that this seat has signed is synced to the disk; entries
of others are only appended. A full disk makes the seat wait until there is room. A disk that fails
pauses the seat for good: it signs and sends nothing more, and the player is told [peer.md §8.1].

The ugly part: an input has two ways in, at once (`_begin`) and through the inbox (`_take`); which
one depends on whether effects still wait. Without the first, every move would cost each peer a task
switch.
"""

import math
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, ParamSpec, TypeAlias, TypeVar

import trio
import trio.lowlevel

from engine.refusals import Refusal
from engine.table.moves import Call, Move
from netgame.errors import DiskTrouble, Malformed, NetgameError
from netgame.io.disk.keeper import Keeper
from netgame.io.disk.store import TableFolder
from netgame.io.door.admission import Door
from netgame.io.door.channel import Channel
from netgame.io.door.link_pool import LinkPool
from netgame.io.entropy import fresh_octets
from netgame.io.network.addresses import Address
from netgame.io.network.beside import Switchboard
from netgame.io.network.streams import Listener
from netgame.io.node.executor import Executor
from netgame.io.node.question import Answer, Granted, Question, Waiting
from netgame.io.work import apart
from netgame.limits import DRAIN_TIMEOUT_S, INBOX_MAX, LIFE_BYTES
from netgame.protocol.notices import Notice, Trouble, TroubleKind
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.driver import Event, FrameCame, decide
from netgame.protocol.peer.effects import Effects, PeerKey
from netgame.protocol.peer.parts import kick, leave_for_good, rename
from netgame.protocol.peer.view import TableView
from netgame.saying import Saying

if TYPE_CHECKING:
    from netgame.io.page.serving import PageDoor

_Left: TypeAlias = Effects | Exception
"""The rest of an input that was taken at once: effects still to be carried out, or an error."""
T = TypeVar("T")
P = ParamSpec("P")


class Node:
    """One peer at a table, with its core, links and tasks; made by `opening.open_node`."""

    def __init__(
        self,
        core: Core,
        channel: Channel,
        folder: TableFolder | Callable[[bytes], TableFolder],
        aliases: Mapping[str, str] | None,
        door: Door,
        beside: Switchboard,
    ) -> None:
        self.port = 0
        """The port on which it listens; 0 if there is none."""
        self.key = channel.identity.public
        self.bots: list[Node] = []
        """The bots that leave with this seat."""
        self.is_hidden = False
        """True if only this computer can reach it."""
        self.page: PageDoor | None = None
        """The page for browsers that is served beside the table, if any."""
        self.serve_page: Callable[[], Awaitable[None]] = trio.lowlevel.checkpoint
        """Begins to serve the page at a guest's seat, if its install has one; otherwise does
        nothing.
        """
        self.finished = trio.Event()
        """Set when nothing is left to do here: the game is over and settled, or this peer's part in
        it has ended.
        """
        self.paused: Trouble | None = None
        """The reason why this seat writes no more; None while it writes."""
        self.waiting: Trouble | None = None
        """The reason why it does nothing just now; None while it works."""
        self.door = door
        self.door.table_id = lambda: core.state.table_id
        self.door.sits = core.context.belongs
        core.parts.chair.knows = self.door.knows
        self.door.may_come = core.parts.watchers.may_come
        self.door.tell = self.tell
        self._core = core
        self.parts = core.parts
        """The parts of its core, to look at only: `ask` makes them act."""
        self._open_questions: set[Question] = set()
        self._teller, notices = trio.open_memory_channel[Notice](math.inf)
        self.notices = notices
        """Yields all notices, in order and without limit."""
        self._changed, self._moved, self._is_idle = trio.Event(), trio.Event(), False
        self._inbox, self._outlet = trio.open_memory_channel[Event | Question | _Left](INBOX_MAX)
        self.pool = LinkPool(channel, self._deliver, self.door, self.tell, beside)
        """All links of this node."""
        self.pool.forwarding.host = lambda: core.state.host
        self._keeper = Keeper(folder, lambda: core.state.table_id, self._wait_for_room, self._go_on)
        core.context.record = self._keeper.read
        self._executor = Executor(
            self._keeper, self.pool, aliases, self.tell, self.finished, self._deliver
        )

    @property
    def name(self) -> str:
        """The name that this seat asks for."""
        return self._core.context.name

    @property
    def folder(self) -> TableFolder | None:
        """The table's folder; None until the first entry is kept, unless this seat came back."""
        return self._keeper.folder

    @property
    def page_address(self) -> str:
        """The address to type into a browser to join this table; empty if no page is served.

        The join code, if the door shows one, follows a `#`: browsers do not send that part.
        """
        if self.page is None:
            return ""
        code = self.door.shown
        return f"{self.page.addresses()[0]}{f'#{code}' if code else ''}"

    @property
    def kicked(self) -> Mapping[PeerKey, str]:
        """The keys that this peer refuses a seat, with their names: see `kick` and `allow`."""
        return self.parts.chair.kicked

    # ---- looking at the table ---------------------------------------------------------------

    def view(self) -> TableView:
        """Return a snapshot of the table as this seat may see it."""
        return self._core.view()

    def when_changed(self) -> trio.Event:
        """Return an event that is set at the next notice; take it before looking."""
        return self._changed

    def when_moved(self) -> trio.Event:
        """Return an event that is set when the view may have changed, even without a notice."""
        if self._moved.is_set():
            self._moved = trio.Event()
        return self._moved

    async def until(self, find: Callable[[TableView], T]) -> T:
        """Return the first true result of `find`, called at once and then at each notice."""
        while not (found := find(self._core.view())):
            await self._changed.wait()
        return found

    def tell(self, notice: Notice) -> None:
        """Add a notice to `notices`, and set the event that `when_changed` returned."""
        self._teller.send_nowait(notice)
        changed, self._changed = self._changed, trio.Event()
        changed.set()

    def tell_trouble(self, sentence: Saying) -> None:
        """Tell the player, in this sentence, of trouble with this computer."""
        self.tell(Trouble(TroubleKind.OF_COMPUTER, (sentence,)))

    async def on_disk(self, work: Callable[[], T], otherwise: T) -> T:
        """Run blocking work in a thread, and return its result.

        On `DiskTrouble`, tell the player and return `otherwise`; other errors are raised.
        """
        try:
            return await apart(work)
        except DiskTrouble as trouble:
            self.tell_trouble(trouble.said)
            return otherwise

    def addresses_of(self, peer: bytes) -> tuple[Address, ...]:
        """Return the addresses to try for a peer; empty for an unknown one.

        They are those in the log and, for the host, those where it was found. Addresses that may
        not be dialled are left out.
        """
        joiner = self.parts.joiner
        member = self._core.state.member(peer)
        found_at = joiner.host_addresses if peer == joiner.host else ()
        named = found_at if member is None else (*member.addresses, *found_at)
        return self.pool.neighbours.dialled(PeerKey(peer), dict.fromkeys(named))

    def knows(self, peer: PeerKey) -> bool:
        """Return True if this key is, according to the log, the host's or a member's."""
        return self._core.context.belongs(peer)

    def is_missed(self, peer: bytes) -> bool:
        """Return True if players may be asked to go on without this peer.

        That is so if it is away or convicted, has long kept the table waiting, or holds up the
        polls.
        """
        return self._core.is_missed(peer, trio.current_time())

    # ---- actions of a person or a bot -------------------------------------------------------

    async def propose(self, move: Move) -> Answer:
        """Make a move, and return the answer as `ask` does.

        `Granted` means that the move is on its way; the notice `Played` comes once it is in the
        log. A `Refusal` names the rule that forbids it, or says that it is not this seat's turn.
        """
        return await self.ask(self.parts.writer.try_move, move)

    async def call(self, move: Call) -> Answer:
        """Announce this seat's last tile, or catch another seat that failed to.

        Returns a `Refusal` if the call is illegal or comes at the wrong time.
        """
        return await self.ask(self.parts.calling.say, move)

    async def take_seat(self) -> None:
        """Ask for a seat; once the game runs, for the next round. A notice brings the answer."""
        await self.ask(self.parts.joiner.take_seat)

    async def look_on(self) -> None:
        """Stop asking for a seat, and watch; a peer that already has a seat keeps it."""
        await self.ask(self.parts.joiner.look_on)

    async def rename(self, name: str) -> None:
        """Take another name, cleaned and cut to length.

        In the lobby it counts at once, later only with the next seat that this peer takes.
        """
        await self.ask(rename, self.parts, name)

    async def attend(self) -> None:
        """Note for good that a person sits here, so that the table waits for their calls."""
        await self.ask(self.parts.context.attend)

    async def go_on_without(self, keys: Iterable[bytes]) -> None:
        """Vote to go on without exactly these keys, while they are away or keep the table waiting.

        This replaces an earlier vote. This peer's own key, and keys without a seat, are ignored.
        """
        await self.ask(self.parts.wishes.give_up, keys)

    async def farewell(self) -> None:
        """Leave for good together with all bots here, and tell everybody at the table.

        The links of the bots are closed; this peer's own stay open.
        """
        await self.ask(leave_for_good, self.parts)  # leave first, or the last to go would have won
        for bot in self.bots:
            await bot.farewell()
            await bot.say_goodbye()

    async def chat(self, text: str) -> None:
        """Send a chat line, cleaned and cut, to all, and show it here; ignore a blank one."""
        await self.ask(self.parts.talk.say, text)

    async def play_again(self, *, opens: bool = False) -> None:
        """Tell all that the player here wants another game or, if `opens`, opens a table for it."""
        await self.ask(self.parts.another_game.say, opens=opens)

    async def begin(self, lead: str | None = None) -> Answer:
        """Close the lobby and start the game.

        Returns a `Refusal` if the rules do not allow a table with the seated players. Does nothing,
        and returns `Granted`, unless this peer is the host in its lobby. `lead` names the first
        player, where the rules let the table choose.
        """
        return await self.ask(self.parts.lobby_host.begin, lead)

    async def kick(self, key: PeerKey) -> None:
        """Refuse this key a seat: as the host in an open lobby, or as the chair of a game.

        In the lobby, the seat that this key has is taken back; nothing happens if it has none. In a
        game, nothing happens if it has a seat.
        """
        await self.ask(kick, self.parts, key)

    async def allow(self, key: PeerKey) -> None:
        """Let this key have a seat, as the host or the chair, even if it was kicked or barred."""
        await self.ask(self.parts.chair.allow, key)

    async def ask(
        self, wish: Callable[P, Refusal | None], *args: P.args, **kwargs: P.kwargs
    ) -> Answer:
        """Have a part carry out `wish`, after earlier inputs, and wait until the result is on disk.

        Returns `Granted`, or the part's `Refusal`, in which case nothing has changed. If the seat
        is paused or its disk is full before there is an answer, tells the player and returns
        `Waiting`. Raises the `NetgameError` of the wish, and `trio.BrokenResourceError` once `run`
        has ended.
        """
        trouble = self.paused or self.waiting
        if trouble is not None:
            self.tell(trouble)
            return Waiting()
        question = Question(partial(wish, *args, **kwargs))
        self._open_questions.add(question)
        try:
            self._is_idle = False
            await self._inbox.send(question)
            await question.done.wait()
        finally:
            self._open_questions.discard(question)
        if question.error is not None:
            raise question.error
        return question.answer

    async def run(self, listeners: Sequence[Listener], task_status: trio.TaskStatus[None]) -> None:
        """Run this peer until cancelled; report `started` once the first effects are carried out.

        Until then `DiskTrouble` is raised, in an exception group; afterwards it pauses the seat.
        """
        async with self._outlet, trio.open_nursery() as nursery:
            await nursery.start(self.pool.run, listeners)
            self._executor.nursery = nursery
            nursery.start_soon(self._executor.run)
            started = self._core.start(trio.current_time(), fresh_octets(LIFE_BYTES))
            await self._executor.carry_out(started)
            self._keeper.patient = True
            task_status.started()
            try:
                while True:
                    self._is_idle = not self._outlet.statistics().current_buffer_used
                    given = await self._outlet.receive()
                    self._is_idle = False
                    await self._take(given)
            finally:
                self._is_idle = False

    async def _deliver(self, event: Event) -> None:
        """Give an input to the core: at once if no other is waiting, else through the inbox."""
        given: Event | _Left | None = event
        if self._is_idle:
            self._is_idle, given = False, self._begin(event)
        if given is None:
            self._is_idle = True
            return
        try:
            self._inbox.send_nowait(given)
        except trio.WouldBlock:
            await self._inbox.send(given)

    def _begin(self, event: Event) -> _Left | None:
        """Give an input to the core, and carry out its effects as far as they need not wait.

        Returns None if nothing is left to do or the seat is paused. Otherwise returns the effects
        left, which are empty if only a sync is due, or the error raised. `DiskTrouble` is not
        returned; it pauses the seat.
        """
        try:
            rest = self._executor.begin(self._decided(event))
        except DiskTrouble as trouble:
            self._pause(trouble)
            return None
        except Exception as error:
            return error
        return None if self.paused or (rest == () and self._keeper.is_settled()) else rest

    async def _take(self, given: Event | Question | _Left) -> None:
        """Give one input to the core, unless the core already has it, and carry out its effects.

        Raises an error that `_begin` has left; `DiskTrouble` pauses the seat.
        """
        try:
            match given:
                case Exception():
                    raise given  # here, so that its link is not blamed
                case tuple():
                    await self._executor.carry_out(given)
                case Question():
                    try:
                        await self._grant(given)
                    finally:
                        given.done.set()
                case _:
                    await self._executor.carry_out(self._decided(given))
        except DiskTrouble as trouble:
            self._pause(trouble)

    async def _grant(self, question: Question) -> None:
        """Carry out a wish; put the answer, or the wish's `NetgameError`, into the question.

        If this seat is paused, tell the player so and leave the question as it is. Raises
        `DiskTrouble`.
        """
        if self.paused is not None:
            self.tell(self.paused)
            return
        self._moved.set()
        try:
            decided = self._core.act(question.wish, trio.current_time())
        except NetgameError as error:
            question.error = error
            return
        if not isinstance(decided, tuple):
            question.answer = decided
            return
        await self._executor.carry_out(decided)
        question.answer = Granted()

    def _decided(self, event: Event) -> Effects:
        """Give an input to the core and return its effects; none if the seat is paused.

        A malformed frame has no effects, and its link is closed.
        """
        if self.paused is not None:
            return ()
        self._moved.set()
        try:
            return decide(self._core, self._executor.links, event, trio.current_time())
        except Malformed as error:
            # Only a frame can be malformed, and only its sender suffers for it.
            if not isinstance(event, FrameCame):
                raise
            event.link.finish(str(error))
        return ()

    def _pause(self, trouble: DiskTrouble) -> None:
        """Stop writing for good, because the disk's state is unknown.

        The player is told, and all links are closed.
        """
        self.paused = Trouble(TroubleKind.SEAT_PAUSED, (trouble.said,))
        self.tell(self.paused)
        self.pool.close_all("this seat cannot write its record")

    def _wait_for_room(self, full: DiskTrouble) -> None:
        """Tell the player that the disk is full, and answer all open questions with `Waiting`."""
        self.waiting = Trouble(TroubleKind.DISK_FULL, (full.said,))
        self.tell(self.waiting)
        for question in self._open_questions:
            question.done.set()

    def _go_on(self) -> None:
        self.waiting = None
        self.tell(Trouble(TroubleKind.DISK_ROOM))

    async def say_goodbye(self) -> None:
        """Send queued frames and close every link; return after `DRAIN_TIMEOUT_S` at the latest.

        A host in its lobby first tells all that the table is closed, unless paused or waiting.
        """
        if self.paused is None and self.waiting is None:
            await self.ask(self.parts.lobby_host.close)
        self.pool.close_all("this peer leaves")
        with trio.move_on_after(DRAIN_TIMEOUT_S):
            await self.pool.wait_empty()

    def close(self) -> None:
        """Release the table's folder, if it is open; links and tasks stay as they are."""
        self._keeper.close()
