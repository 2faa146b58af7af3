"""One seat's process in the simulation: a core, its disk, its links, and a person who moves.

It is driven as `io.node` drives a core, by `peer.driver`: one input at a time, its effects in
order. Several records in a row share one sync, and everything before a `Send` is on the disk when
the frame leaves. The process can die between any two effects.

Inputs (frames, links that come and go, results of work, alarms, wishes of the person) wait in
`_inbox`. `_work_off` takes them one by one, has the core decide, and carries out its effects from
`_todo`. It is a script of virtual time and pauses for the disk alone: for a sync, or until a full
disk has room. `is_busy` is set from its start to its end, pauses included, so that no second script
starts; further inputs wait in `_inbox`. A sleeping computer stops the script at its next effect,
and waking up starts another.

At each `Point` the process asks the `Fate` of the game whether it dies. If so, `die` has started
another life by then: links, alarm, inputs and effects are new, nothing that the old life scheduled
happens any more (`Life`), and `Died` ends the script. Only the files live on. `come_back` makes a
core from the disk, as `resume` does.

The ugly part: a process outlives its lives, so it has both the computer's lasting parts (key,
files, clock) and those of one life, which `_begin_life` replaces.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from engine.refusals import Refusal
from lab.simulation.computers.cables import CableEnd
from lab.simulation.computers.checking import Checking
from lab.simulation.computers.clock import Script
from lab.simulation.computers.death import Died, Point
from lab.simulation.computers.life import ComputerClock, Life, WakeCall
from lab.simulation.computers.links import OpenLinks
from lab.simulation.computers.records import Records, writes_own
from lab.simulation.computers.surroundings import Starter
from netgame.crypto.signing import SIGNATURE_BYTES, SigningKey
from netgame.errors import DiskFull, DiskTrouble, Malformed
from netgame.limits import DISK_RETRY_S, LIFE_BYTES
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.notices import LinkEnd, Notice
from netgame.protocol.peer import driver
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import Effect, Journalled, PeerKey, Persist, SaveEvidence, Work
from netgame.protocol.peer.parts import Parts
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.state import State

_TRIES_AGAIN_S: Final = 2.0
"""Seconds after which a person who sees nothing happen joins again."""
_NOTED: Final = {driver.FrameCame: 1, driver.LinkUp: 3, driver.LinkDown: 4}
"""The kinds of input that go into the trace of a game."""

Errand = Callable[[Parts], Refusal | None]
"""A person's request to the parts of whichever core is there by then."""


class Process:
    """A process at a table; `remake` makes the core of each life but the first."""

    def __init__(
        self,
        starter: Starter[Process],
        number: int,
        signer: SigningKey,
        core: Core,
        remake: Callable[[Process, PeerKey | None], Core],
    ) -> None:
        self.starter = starter
        self.room = starter.room
        self._trouble = starter.trouble
        self.number = number
        self.signer = signer
        self.key: PeerKey = PeerKey(signer.public_bytes)
        self.records = Records()
        self.core = core
        self.remake = remake
        self.is_alive = True
        self.is_awake = True
        """True while its computer runs; False while the lid is shut."""
        self.is_paused = False
        """True while it waits for somebody to mend the disk."""
        self.is_finished = False
        """True once the game is over for it."""
        self.lives = 1
        self.door: PeerKey | None = None
        """The peer that it dials to come in; None if it never joined another."""
        self.codes: set[int] = set()
        """The numbers of the processes that have let this guest in by a join code."""
        self.wants_seat = True
        self.is_attended = self.room.chance.once_in(3)
        """True if a person is there from the beginning of each life."""
        self._clock = ComputerClock(self.room.time, self.room.chance.between(0.0, 1e6))
        self.told: list[Notice] = []
        self.sent: list[bytes] = []
        """Own entries and statements that have left, in all lives."""
        self.checking = Checking([], set())
        self._begin_life()

    def _begin_life(self) -> None:
        """Make anew everything that a process does not keep from its last life."""
        self.life = Life(self.room.time)
        self._alarm = WakeCall(self.life, self._clock, lambda: self.hear(driver.Woken()))
        self.wake = self._alarm.set
        self.links = OpenLinks(self, self.starter.network, self.life)
        self._inbox: deque[Callable[[], Sequence[Effect]]] = deque()
        self._todo: deque[Effect] = deque()
        self.is_busy = False
        self._fresh: list[bytes] = []
        """Its last entries and statements, until they have been sent to all."""
        self._person = self.starter.person(self)
        self.checking = Checking(self.checking.hasty, self.checking.said)

    @property
    def name(self) -> str:
        """The name of the process's owner."""
        return self.core.context.name

    @property
    def state(self) -> State:
        """The state of the game, as far as its core knows."""
        return self.core.state

    @property
    def ledger(self) -> Ledger:
        """The log, as far as its core has it."""
        return self.core.ledger

    @property
    def is_ready(self) -> bool:
        """True if the process runs: alive, awake, and with a working disk."""
        return self.is_alive and self.is_awake and not self.is_paused

    @property
    def is_through(self) -> bool:
        """True if the game is over for the process, and the process is alive."""
        return self.is_finished and self.is_alive

    @property
    def has_begun(self) -> bool:
        """True if the lobby is closed, as far as the process knows."""
        return bool(self.state.company.sessions)

    def clock(self) -> float:
        """Return the time on this computer's monotonic clock."""
        return self._clock.now()

    # ---- inputs ---------------------------------------------------------------------------

    def take(self, act: Callable[[], Sequence[Effect]]) -> None:
        """Queue one input for the core, unless the process is dead or paused."""
        if self.is_alive and not self.is_paused:
            self._inbox.append(act)
            self._go_on()

    def hear(self, event: driver.Event) -> None:
        """Queue an event for the core, unless the process is dead or paused."""
        self.take(partial(self._decided, event))

    def _decided(self, event: driver.Event) -> Sequence[Effect]:
        links = self.links.known
        if type(event) in _NOTED and not driver.is_outdated(event, links):
            body = event.body if isinstance(event, driver.FrameCame) else b""
            self.room.note(self.number, _NOTED[type(event)], len(body))
            self.room.overhear(body)
        try:
            return driver.decide(self.core, links, event, self.clock())
        except Malformed as error:
            assert isinstance(event, driver.FrameCame), "only a frame can be malformed"
            event.link.finish(str(error))
            return ()

    def act(self, errand: Errand) -> None:
        """Queue a person's wish to a part of the core, which may refuse it."""

        def wished() -> Sequence[Effect]:
            effects = self.core.act(partial(errand, self.core.parts), self.clock())
            return () if isinstance(effects, Refusal) else effects

        self.take(wished)

    def start(self) -> None:
        """Begin a life: give the core its record and its first input.

        If a person is there from the beginning, the core is told so.
        """
        self.core.context.record = self.records.disk.read
        life = self.starter.secret(f"life {self.lives}", self.number)[:LIFE_BYTES]
        self.take(lambda: self.core.start(self.clock(), life))
        if self.is_attended:
            self.act(lambda parts: parts.context.attend())

    def join(self, door: PeerKey) -> None:
        """Dial the host, or another peer at the table, until there is a link."""
        self.door = door
        self.keep_dialling(door)

    def link_came(self, end: CableEnd) -> None:
        """Take over a new connection whose peer has proved its key, or close it if unwanted."""
        self.links.came(end)

    def link_ended(self, end: CableEnd) -> None:
        """Note that this process's end of a link is closed.

        A process without a seat dials its door again after a while.
        """
        self.links.ended(end)
        if self.door is not None:
            self.life.later(_TRIES_AGAIN_S, self._try_again)

    def _try_again(self) -> None:
        """Dial the door again if the process has no seat yet."""
        if self.door is not None and self.state.member(self.key) is None:
            self.keep_dialling(self.door)

    def may_come(self, key: PeerKey) -> bool:
        """Return True if the peer with this key needs no join code to link to this process."""
        return self.core.parts.watchers.may_come(key)

    def turns_away(self, key: PeerKey) -> bool:
        """Return True if this peer has flooded a link and is still banned for it."""
        return self.links.turns_away(key)

    def _go_on(self) -> None:
        """Start working off the inputs, unless the script is already running."""
        if not self.is_busy:
            self.room.time.follow(self._work_off(), self.life.later)

    def _work_off(self) -> Script:
        """While awake, carry out all decided effects, then take the next input.

        The script pauses only for the disk. A death ends the script, and the pending work ends with
        that life.
        """
        self.is_busy = True
        try:
            while self.is_awake and (self._todo or self._inbox):
                if not self._todo:
                    self._todo.extend(self._inbox.popleft()())
                try:
                    yield from self._carry_out()
                except DiskFull:  # takes and sends nothing until it has written what failed
                    yield from self._wait_for_room()
        except Died:
            return
        except DiskTrouble:
            self._pause()
        self.is_busy = False

    # ---- effects --------------------------------------------------------------------------

    def _carry_out(self) -> Script:
        """Carry out the core's effects in order, until all are done or a sync has taken time.

        In the second case the rest stays in `_todo` for the next call.
        """
        while self._todo:
            effect = self._todo[0]
            if self.records.must_sync_before(effect) and (yield from self._sync()):
                return
            self._todo.popleft()
            self._passed(Point.BEFORE, effect)
            if not driver.carry_out(effect, self, self.links.known):
                if isinstance(effect, SaveEvidence):
                    self.records.save(effect.name, effect.content)
                else:
                    self.is_finished = True
            self._passed(Point.AFTER, effect)
        if self.records.must_sync and (yield from self._sync()):
            return
        if self._fresh:
            self._fresh = []
            self._passed(Point.SENT)
        self.starter.moved(self)

    def keep(self, effect: Persist | Journalled) -> None:
        """Append to the record or the journal, without a sync.

        Raises `DiskTrouble` or `DiskFull`, or `Died` if the process dies at this point.
        """
        is_own = writes_own(effect, self.key)
        if is_own:
            self._fresh.append(effect.record)
        if is_own and isinstance(effect, Persist):
            self.checking.wrote(effect.record)
            self._trouble.wrote(self, effect.record)
        elif is_own:
            self._trouble.said(self)
        self.records.append(effect)
        if is_own:
            self._passed(Point.WRITTEN)

    def _sync(self) -> Generator[float, None, bool]:
        """Sync the disk. Returns True if that took time, in which the computer may fall asleep."""
        pause = self.room.weather.sync_s()
        if pause:
            yield pause
        self.records.sync()
        self._passed(Point.SYNCED)
        return pause > 0

    def _wait_for_room(self) -> Script:
        """Wait until a full disk accepts what it refused."""
        while True:
            yield DISK_RETRY_S
            with suppress(DiskFull):
                if self.records.retry():
                    self._passed(Point.SYNCED)
                return

    def _passed(self, point: Point, effect: Effect | None = None) -> None:
        """Report that the process has reached this point. Raises `Died` if it dies there."""
        is_told = effect is None or self._trouble.counts_effects
        if is_told and self._trouble.strikes(self, point, effect):
            raise Died

    def tell(self, notice: Notice) -> None:
        """Give the person a notice."""
        self.told.append(notice)
        self._person(notice)

    def keep_dialling(self, peer: PeerKey, _: object = ()) -> None:
        """Dial a peer until there is a link."""
        self.links.keep_dialling(peer)

    def frame_left(self, body: bytes) -> None:
        """Note that a frame has gone into a link.

        If it contains any of the latest own entries or statements, these count as sent from now on.
        Raises `Died` if the process dies at this point.
        """
        leaving = [each for each in self._fresh if each[-SIGNATURE_BYTES:] in body]
        if leaving:
            self.sent += [each for each in leaving if each not in self.sent]
            self._passed(Point.SENT_ONCE)

    def work(self, work: Work) -> None:
        """Do a piece of work after a while, and give the core its result."""
        self.checking.begin(work.checks, self.state)

        def done() -> None:
            result = work.run()
            self.checking.end(work.checks)
            self.hear(driver.WorkDone(work.job, result))

        self.life.later(self.room.weather.work_s(self.number, checks=work.checks is not None), done)

    def _pause(self) -> None:
        """Stop writing and sending until somebody mends the disk, which has failed."""
        self.is_paused = True
        self._todo.clear()
        self._inbox.clear()
        self.links.finish_all()
        self._trouble.paused(self)

    # ---- dying, sleeping, coming back -----------------------------------------------------

    def die(self, *, power: bool = False, kept: int | None = None, quits: bool = False) -> None:
        """End this life and prepare the next; a dead process stays as it is.

        A `power` cut loses unsynced octets: the record keeps the first `kept` of them, or a random
        number if that is None. A process that `quits` says goodbye to its peers.
        """
        if not self.is_alive:
            return
        self.is_alive = False
        self.is_awake = True
        self.lives += 1
        self.life.is_over = True
        ends = tuple(self.links.ends.values())
        if power:
            self.records.power_went(self.room.chance, kept)
        self.records.process_died()
        self._begin_life()
        for end in ends:
            end.is_open = False
            # A process that dies resets its connections; a computer that dies says nothing.
            if power:
                end.link.stall()
            else:
                end.link.closed_by(end, LinkEnd.QUIT if quits else LinkEnd.BROKEN)

    def come_back(self) -> None:
        """Start again from the disk, as `resume` or `join` does, unless the seat has left for good.

        A process without a table joins a peer that is there, and tries again each second until it
        finds one.
        """
        if self.number in self.starter.left:
            return
        self.is_alive = True
        self.is_paused = False
        self.is_finished = False
        self.records.mend()
        self.core = self.remake(self, None)
        if self.state.phase is not Phase.LOBBY:
            self.start()
            if self.wants_seat and self.state.member(self.key) is None:
                self.act(lambda parts: parts.joiner.take_seat())
            return
        near = self.starter.somebody_near(self)
        if near is None:
            self.is_alive = False
            self.life.later(1.0, self.come_back)
            return
        self.begin_anew(near)

    def begin_anew(self, near: PeerKey) -> None:
        """Start again with a core that looks for a seat, and dial the peer `near`."""
        self.is_alive = True
        self.core = self.remake(self, near)
        self.start()
        self.join(near)

    def fall_asleep(self) -> None:
        """Shut the lid: inputs are queued, and no effect is carried out until `wake_up`."""
        self.is_awake = False

    def wake_up(self, slept: float) -> None:
        """Open the lid after `slept` seconds; within another second all links are ended.

        Like a real one, the process takes a moment to notice that it has slept. A process that is
        dead or awake ignores this.
        """
        if self.is_awake or not self.is_alive:
            return
        self.is_awake = True
        self._clock.stood_still(slept)
        self._alarm.set_anew()
        self._go_on()
        self.life.later(self.room.chance.between(0.0, 1.0), self.links.end_all)
