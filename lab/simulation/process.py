"""One seat's process in the simulation: a core, its disk, its links, and a person who moves.

Must do with effects what `io.node` does: one input at a time, its effects in order, several records
in a row sharing one sync, and whatever stands before a `Send` on the disk when the frame leaves.
Between any two effects the process can die.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Protocol, assert_never

from lab.simulation.cables import CableEnd
from lab.simulation.checking import Checking
from lab.simulation.death import Died, Point
from lab.simulation.disk import Disk
from lab.simulation.network import Network
from lab.simulation.room import Room
from netgame.crypto.signing import SigningKey
from netgame.errors import DiskFull, DiskTrouble, Malformed
from netgame.limits import (
    DIAL_BACKOFF_MAX_S,
    DIAL_BACKOFF_MIN_S,
    DISK_RETRY_S,
    LIFE_BYTES,
    LINK_SETTLED_S,
)
from netgame.protocol.fold.phases import Phase
from netgame.protocol.notices import Notice
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import Effect, PeerKey

_SIGNATURE_BYTES: Final = 64
_TRIES_AGAIN_S: Final = 2.0
"""A person who sees nothing happen joins once more."""


class Hearer(Protocol):
    """Whoever sits at a process and hears what its core tells."""

    def hear(self, notice: Notice) -> None:
        """Take in one notice."""


class Trouble(Protocol):
    """What goes wrong, told of every instant at which something can."""

    counts_effects: bool
    """Whether `before` and `after` want to hear of every effect."""

    def wrote(self, process: Process, record: bytes) -> None:
        """A process has appended an entry of its own."""

    def before(self, process: Process, effect: Effect) -> bool:
        """Whether the process dies before this effect; it is dead when this returns."""

    def after(self, process: Process, effect: Effect) -> bool:
        """Whether the process dies after this effect; it is dead when this returns."""

    def strikes(self, process: Process, point: Point) -> bool:
        """Whether the process dies at this point; it is dead when this returns."""

    def paused(self, process: Process) -> None:
        """Its disk has failed."""

    @property
    def takes_seats(self) -> bool:
        """Whether seats are left for good in this game, or given up while they are away."""

    def has_left(self, number: int) -> bool:
        """Whether this process was killed and never comes back."""


class Starter(Protocol):
    """Who starts the processes of a game, and what a new life of one begins with."""

    trouble: Trouble

    def secret(self, label: str, number: int) -> bytes:
        """Octets that are fixed by the seed."""

    def person(self, process: Process) -> Hearer:
        """Somebody who sits down at a process."""

    def somebody_near(self, process: Process) -> PeerKey | None:
        """Who a process that has lost its table joins; nobody if the table never began."""


class Process:
    """A process at a table; `make_core` makes its first core, as a host or a joiner does."""

    def __init__(
        self,
        room: Room,
        network: Network,
        starter: Starter,
        number: int,
        signer: SigningKey,
        make_core: Callable[[], Core],
        remake: Callable[[Process, PeerKey | None], Core],
    ) -> None:
        self.room = room
        self.network = network
        self.starter = starter
        self._time = room.time
        self._trouble = starter.trouble
        self.number = number
        self.signer = signer
        self.key: PeerKey = fx.PeerKey(signer.public_bytes)
        self.disk, self.journal = Disk(), Disk()
        self.core = make_core()
        self.remake = remake
        self.is_alive = True
        self.is_awake = True
        self.is_paused = False
        self.is_finished = False
        self.lives = 1
        self.door: PeerKey | None = None
        self.codes: set[int] = set()
        """Whose doors have opened to this guest by a join code."""
        self.wants_seat = True
        self.is_attended = room.chance.once_in(3)
        self.lag = -room.chance.between(0.0, 1e6)
        self.told: list[Notice] = []
        self.evidence: dict[str, bytes] = {}
        self.sent: list[bytes] = []
        self.checking = Checking([], set())
        self._forget()

    def _forget(self) -> None:
        """What a process does not take over from its last life."""
        self.links: dict[PeerKey, CableEnd] = {}
        self._live: dict[PeerKey, CableEnd] = {}
        self._dialling: dict[PeerKey, float] = {}
        self._inbox: deque[Callable[[], Sequence[Effect]]] = deque()
        self._todo: deque[Effect] = deque()
        self.is_busy = False
        self._unsynced = False
        self._unsaved: tuple[str, bytes] | None = None
        self._fresh: bytes | None = None
        self._wake_at: float | None = None
        self._alarm_at: float | None = None
        self._person = self.starter.person(self)
        self.checking = Checking(self.checking.hasty, self.checking.said)

    @property
    def name(self) -> str:
        """Whose process it is."""
        return self.core.name

    def clock(self) -> float:
        """This computer's monotonic clock: it began somewhere, and stops while it sleeps."""
        return self._time.now - self.lag

    # ---- inputs ---------------------------------------------------------------------------

    def take(self, act: Callable[[], Sequence[Effect]]) -> None:
        """Have the core take one input, after those that wait."""
        if self.is_alive and not self.is_paused:
            self._inbox.append(act)
            self._go_on()

    def start(self) -> None:
        """The first input of every life."""
        life = self.starter.secret(f"life {self.lives}", self.number)[:LIFE_BYTES]
        self.take(lambda: self.core.start(self.clock(), life))
        if self.is_attended:
            self.take(lambda: self.core.attend(self.clock()))

    def join(self, door: PeerKey) -> None:
        """Dial whoever opened the table, or sits at it."""
        self.door = door
        self.keep_dialling(door)

    def octets_came(self, end: CableEnd, octets: bytes) -> None:
        """A link brought octets: take the frames that are whole."""
        if end.is_draining:
            return
        for body in end.frames(octets):
            self.take(partial(self._frame, end, body))

    def _frame(self, end: CableEnd, body: bytes) -> Sequence[Effect]:
        if self._live.get(end.peer) is not end:
            return ()
        self.room.note(self.number, 1, len(body))
        try:
            return self.core.frame(end.peer, body, self.clock())
        except Malformed:
            end.finish()
            return ()

    def _go_on(self) -> None:
        """Carry out what is decided, then take the next input, unless asleep or waiting."""
        if self.is_busy:
            return
        self.is_busy = True
        try:
            while self.is_alive and self.is_awake and (self._todo or self._inbox):
                if not self._todo:
                    self._todo.extend(self._inbox.popleft()())
                if not self._carry_out():
                    return  # busy until the disk is done
        except Died:
            return
        except DiskFull:
            self._wait_for_room()
            return
        except DiskTrouble:
            self._pause()
        self.is_busy = False

    # ---- effects --------------------------------------------------------------------------

    def _carry_out(self) -> bool:
        """Do what the core decided, in order; False if the disk takes its time."""
        while self._todo:
            effect = self._todo[0]
            if self._waits_for_disk(effect) and not self._sync():
                return False
            self._todo.popleft()
            if self._trouble.counts_effects and self._trouble.before(self, effect):
                raise Died
            if isinstance(effect, fx.Persist | fx.Journalled):
                self._write(effect)
            else:
                self._do(effect)
            if self._trouble.counts_effects and self._trouble.after(self, effect):
                raise Died
        if self._unsynced and not self._sync():
            return False
        if self._fresh is not None:
            self._fresh = None
            self._passed(Point.SENT)
        return True

    def _waits_for_disk(self, effect: Effect) -> bool:
        """Whether a sync comes before it: of own entries always, at the end of the whole record."""
        if isinstance(effect, fx.Finished):
            return bool(self.disk.cached)
        return self._unsynced and not isinstance(effect, fx.Persist | fx.Journalled)

    def _write(self, effect: fx.Persist | fx.Journalled) -> None:
        self._unsynced |= isinstance(effect, fx.Journalled) or effect.sync
        if isinstance(effect, fx.Journalled):
            self.journal.append(effect.record)
            return
        if effect.sync:
            self._fresh = effect.record
            self.checking.wrote(effect.record)
            self._trouble.wrote(self, effect.record)
        self.disk.append(effect.record)
        if effect.sync:
            self._passed(Point.WRITTEN)

    def _sync(self) -> bool:
        """Sync the disk, at once or later."""
        pause = self.room.weather.sync_s()
        if pause:
            life = self.lives
            self._time.later(pause, lambda: self._goes_on(life, self._synced_now))
            return False
        self._synced_now()
        return True

    def _synced_now(self) -> None:
        self.journal.sync()
        self.disk.sync()
        self._unsynced = False
        self._passed(Point.SYNCED)

    def _wait_for_room(self) -> None:
        """The disk is full: nothing is taken and nothing sent until what failed is written."""
        life = self.lives
        self._time.later(DISK_RETRY_S, lambda: self._goes_on(life, self._room_again))

    def _room_again(self) -> None:
        if self._unsaved is not None:
            self._save(*self._unsaved)
            return
        self.disk.retry()
        self._unsynced = False
        self._passed(Point.SYNCED)

    def _save(self, name: str, content: bytes) -> None:
        """Write evidence beside the record; on a full disk it is what is waited for."""
        self._unsaved = name, content
        self.disk.save(content)
        self._unsaved = None
        self.evidence[name] = content

    def _goes_on(self, life: int, after: Callable[[], None]) -> None:
        """The disk has taken its time: finish with it, then go on with what waits."""
        if life != self.lives or not self.is_alive:
            return
        try:
            after()
        except Died:
            return
        except DiskFull:
            self._wait_for_room()
            return
        except DiskTrouble:
            self._pause()
        self.is_busy = False
        self._go_on()

    def _passed(self, point: Point) -> None:
        """Here a process can die."""
        if self._trouble.strikes(self, point):
            raise Died

    def _do(self, effect: Effect) -> None:
        match effect:
            case fx.Send(peer, frame):
                self._send(peer, frame)
            case fx.Work():
                self._work(effect)
            case fx.Wake(at):
                self._set_alarm(at)
            case fx.Notify(notice):
                self.told.append(notice)
                self._person.hear(notice)
            case fx.Finished():
                self.is_finished = True
            case _:
                self._do_beside(effect)

    def _do_beside(
        self,
        effect: fx.Dial | fx.Drop | fx.SaveEvidence | fx.StartAnew | fx.Persist | fx.Journalled,
    ) -> None:
        """What is asked for now and then."""
        match effect:
            case fx.Dial(peer):
                self.keep_dialling(peer)
            case fx.Drop(peer):
                if peer in self._live:
                    self._live[peer].finish()
            case fx.SaveEvidence(name, content):
                self._save(name, content)
            case fx.StartAnew():
                self.disk.restart()
            case fx.Persist() | fx.Journalled():
                raise AssertionError("records are written in their order, not here")
            case _:
                assert_never(effect)

    def _send(self, peer: PeerKey, frame: bytes) -> None:
        if peer not in self._live:
            return
        self.room.note(self.number, 2, len(frame))
        self._live[peer].send(frame)
        if self._fresh is not None and self._fresh[-_SIGNATURE_BYTES:] in frame:
            if not self.sent or self.sent[-1] is not self._fresh:
                self.sent.append(self._fresh)
            self._passed(Point.SENT_ONCE)

    def _work(self, work: fx.Work) -> None:
        life = self.lives
        self.checking.begin(work.checks, self.core.state)

        def done() -> None:
            if life == self.lives:
                result = work.run()
                self.checking.end(work.checks)
                self.take(lambda: self.core.work_done(work.job, result, self.clock()))

        self._time.later(
            self.room.weather.work_s(self.number, checks=work.checks is not None), done
        )

    def _set_alarm(self, at: float) -> None:
        """One alarm under way is enough: if it rings too early it is set again."""
        self._wake_at = at
        if self._alarm_at is None or at < self._alarm_at:
            self._alarm_at = at
            life = self.lives
            self._time.at(at + self.lag, lambda: self._ring(life, at))

    def _ring(self, life: int, at: float) -> None:
        if life != self.lives or self._alarm_at != at:
            return
        self._alarm_at = None
        wake_at, self._wake_at = self._wake_at, None
        if wake_at is not None and wake_at > self.clock() + 1e-9:
            self._set_alarm(wake_at)
        elif wake_at is not None:
            self.take(lambda: self.core.wake(self.clock()))

    def _pause(self) -> None:
        """The disk failed: write and send nothing more until somebody mends it."""
        self.is_paused = True
        self._todo.clear()
        self._inbox.clear()
        for end in tuple(self.links.values()):
            end.finish()
        self._trouble.paused(self)

    # ---- links ----------------------------------------------------------------------------

    def may_come(self, key: PeerKey) -> bool:
        """Whether a member vouches for this guest here."""
        return self.core.may_come(key)

    def keep_dialling(self, peer: PeerKey) -> None:
        """Dial with growing pauses until there is a link."""
        if self.is_alive and peer not in self._dialling and peer not in self.links:
            self._dialling[peer] = DIAL_BACKOFF_MIN_S
            self._dial(peer, self.lives)

    def _dial(self, peer: PeerKey, life: int) -> None:
        if life != self.lives or not self.is_alive or self.is_paused:
            return
        if peer in self.links:
            self._dialling.pop(peer, None)
            return
        self.network.dial(self, peer, lambda: self._missed(peer, life))

    def _missed(self, peer: PeerKey, life: int) -> None:
        """An attempt has failed, or led to a link."""
        if life != self.lives:
            return
        if peer in self.links:
            self._dialling.pop(peer, None)
            return
        pause = self._dialling.get(peer, DIAL_BACKOFF_MIN_S)
        self._dialling[peer] = min(pause * 2, DIAL_BACKOFF_MAX_S)
        pause *= self.room.chance.between(0.5, 1.0)
        self._time.later(pause, lambda: self._dial(peer, life))

    def link_came(self, end: CableEnd) -> None:
        """A connection is proved: keep it, unless the one already there stays."""
        rival = self.links.get(end.peer)
        if not self.is_alive or self.is_paused or (rival and self._rival_stays(rival, end)):
            end.is_open = False
            end.link.closed_by(end)
            return
        self.links[end.peer] = end
        self.take(lambda: self._link_up(end))
        if rival is not None:
            rival.end()

    def _rival_stays(self, rival: CableEnd, end: CableEnd) -> bool:
        if rival.dialled == end.dialled or end.since - rival.since > LINK_SETTLED_S:
            return False
        return rival.dialled == (self.key < end.peer)

    def _link_up(self, end: CableEnd) -> Sequence[Effect]:
        # A link that takes another's place is only new to the core: nobody has left the table.
        self._live[end.peer] = end
        self.room.note(self.number, 3, 0)
        return self.core.link_up(end.peer, self.clock())

    def link_ended(self, end: CableEnd) -> None:
        """One of our ends is over."""
        if self.links.get(end.peer) is end:
            del self.links[end.peer]
        self.take(lambda: self._link_down(end))
        if self.door is not None:
            life = self.lives
            self._time.later(_TRIES_AGAIN_S, lambda: self._try_again(life))

    def _try_again(self, life: int) -> None:
        """Who was cut off before it sat, and so dials nobody by itself, knocks once more."""
        seated = self.core.state.member(self.key) is not None
        if life == self.lives and self.door is not None and not seated:
            self.keep_dialling(self.door)

    def _link_down(self, end: CableEnd) -> Sequence[Effect]:
        if self._live.get(end.peer) is not end:
            return ()
        del self._live[end.peer]
        self.room.note(self.number, 4, 0)
        return self.core.link_down(end.peer, self.clock())

    def drop_links(self) -> None:
        """End every link at once, as after sleep."""
        for end in tuple(self.links.values()):
            end.end()

    # ---- dying, sleeping, coming back -----------------------------------------------------

    def die(self, *, power: bool = False, kept: int | None = None) -> None:
        """End this life; with the power goes what was not synced, or all but `kept` octets of it.

        How many that are is left to chance unless it is said.
        """
        if not self.is_alive:
            return
        self.is_alive = False
        self.is_awake = True
        self.lives += 1
        ends = tuple(self.links.values())
        if power:
            some = self.room.chance.below(len(self.disk.cached) + 1)
            self.disk.power_went(some if kept is None else kept)
            self.journal.power_went(self.room.chance.below(len(self.journal.cached) + 1))
        self.disk.process_died()
        self.journal.process_died()
        self._forget()
        for end in ends:
            end.is_open = False
            # A process that dies resets its connections; a computer that dies says nothing.
            end.link.stall() if power else end.link.closed_by(end)

    def come_back(self) -> None:
        """Start again from what the disk holds, as `resume` does, or `join` if that is nothing."""
        self.is_alive, self.is_paused, self.is_finished = True, False, False
        self.disk.mend()
        self.journal.mend()
        self.core = self.remake(self, None)
        if self.core.state.phase is not Phase.LOBBY:
            self.start()
            if self.wants_seat and self.core.state.member(self.key) is None:
                self.take(lambda: self.core.take_seat(self.clock()))
            return
        near = self.starter.somebody_near(self)
        if near is None:
            self.is_alive = False
            life = self.lives
            self._time.later(1.0, lambda: self.come_back() if life == self.lives else None)
            return
        self.begin_anew(near)

    def begin_anew(self, near: PeerKey) -> None:
        """Nothing in a record of the lobby binds this seat: it sits down as for the first time."""
        self.is_alive = True
        self.disk.restart()
        self.core = self.remake(self, near)
        self.start()
        self.join(near)

    def fall_asleep(self) -> None:
        """The lid is shut: nothing runs, octets pile up outside, the clock stands."""
        self.is_awake = False

    def wake_up(self, slept: float) -> None:
        """The lid is open; within a second the sleep is noticed and links are made anew."""
        if self.is_awake or not self.is_alive:
            return
        self.is_awake = True
        self.lag += slept
        self._alarm_at = None
        if self._wake_at is not None:
            self._set_alarm(self._wake_at)
        self._go_on()
        life = self.lives
        self._time.later(
            self.room.chance.between(0.0, 1.0),
            lambda: self.drop_links() if life == self.lives else None,
        )
