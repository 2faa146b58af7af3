"""A table of real cores in one process, in virtual time, with a network that can be cut.

It is a plain heap loop, without trio. Messages take a little time, work runs at once unless a
test makes it `slow`, and records are lists. Bots play every seat unless `bots` is False.
`peer.driver` drives the cores, as in the program.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import TypeVar

from engine.bots.house import choose
from engine.refusals import Refusal
from engine.view import SeatView
from lab.simulation.computers.clock import VirtualTime
from netgame.crypto.signing import SigningKey, make_signing_key
from netgame.crypto.transcript import expand
from netgame.protocol import notices
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import frame_payload
from netgame.protocol.peer import driver
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.context import PeerContext
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.driver import FrameCame, LinkDown, LinkUp, Woken, WorkDone
from netgame.protocol.peer.parts import Parts
from netgame.protocol.peer.people.seeking import LooksOn, SaysItWatches, WantsSeat
from netgame.protocol.peer.view import TableView
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.state import State
from netgame.wire.messages import Settings

LATENCY_S = 0.002


def standard(pip_max: int = 6, seats: int = 3, rounds: int = 1, hand: int = 0) -> Settings:
    """Return settings of the `standard` preset."""
    return Settings("standard", (), pip_max, seats, rounds, hand)


Told = TypeVar("Told")


class Subject:
    """A core under test, and the notices for its person."""

    core: Core
    told: list[notices.Notice]

    @property
    def key(self) -> fx.PeerKey:
        """Return its public key."""
        return self.core.key

    @property
    def state(self) -> State:
        """Return the state of its log."""
        return self.core.state

    @property
    def ledger(self) -> Ledger:
        """Return its log."""
        return self.core.ledger

    @property
    def parts(self) -> Parts:
        """Return the parts of its core."""
        return self.core.parts

    @property
    def context(self) -> PeerContext:
        """Return its context, with its links."""
        return self.core.context

    @property
    def name(self) -> str:
        """Return the name it sits under."""
        return self.context.name

    @property
    def view(self) -> TableView:
        """Return the view that its person sees."""
        return self.core.view()

    @property
    def seat(self) -> int | None:
        """Return its seat, or None if it has no seat."""
        return self.state.seat_of(self.key)

    def told_of(self, kind: type[Told]) -> list[Told]:
        """Return every notice of one kind."""
        return [each for each in self.told if isinstance(each, kind)]


@dataclass
class Sitter(Subject):
    """A core with its secret, what it has written to disk, and the notices for its person."""

    core: Core
    secret: bytes
    signer: SigningKey
    record: list[bytes] = field(default_factory=list)
    journal: list[bytes] = field(default_factory=list)
    told: list[notices.Notice] = field(default_factory=list)
    evidence: dict[str, bytes] = field(default_factory=dict)
    links: dict[fx.PeerKey, driver.PeerLink] = field(default_factory=dict)
    finished: bool = False
    wakes: int = 0
    alive: bool = True
    lives: int = 1

    @property
    def record_octets(self) -> bytes:
        """Return the record file as it would be on disk."""
        return b"".join(frame_payload(payload) for payload in self.record)

    def faults(self) -> list[notices.FaultFound]:
        """Return the notices of faults that this sitter got."""
        return self.told_of(notices.FaultFound)


@dataclass(eq=False)
class LinkEnd:
    """One end of a link: frames that `here` sends over it reach `there` a little later."""

    table: "SimTable"
    here: Sitter
    there: Sitter
    dialled: bool
    since: float
    ending: notices.LinkEnd = notices.LinkEnd.BROKEN
    flooded: bool = False

    def __post_init__(self) -> None:
        self.peer = self.there.key

    def send(self, body: bytes, /) -> None:
        """Deliver a frame, unless the link is gone by then."""
        self.table.carry(self, body)

    def look_after(self, *, closely: bool) -> None:
        """Do nothing: links of a simulated table never die silently."""

    def finish(self, _reason: str, /) -> None:
        """Close the link once all earlier frames have arrived."""
        self.table.later(2 * LATENCY_S, lambda: self.table.disconnect(self.here, self.there))


@dataclass
class Shell:
    """The shell of a sitter's core: it carries out the core's effects at a table."""

    table: "SimTable"
    sitter: Sitter

    def keep(self, kept: fx.Persist | fx.Journalled, /) -> None:
        """Keep a payload for good, in the record or the journal."""
        file = self.sitter.record if isinstance(kept, fx.Persist) else self.sitter.journal
        file.append(kept.record)

    def keep_dialling(self, peer: fx.PeerKey, _addresses: tuple[str, ...], /) -> None:
        """Link to a peer, now or as soon as possible."""
        self.table.dial(self.sitter, self.table.by_key.get(peer))

    def work(self, work: fx.Work, /) -> None:
        """Run a piece of work; if it is slow, its result waits until the test asks for it."""
        self.table.work(self.sitter, work)

    def wake(self, at: float, /) -> None:
        """Wake the core at this time, unless it asks for another time first."""
        self.table.wake(self.sitter, at)

    def tell(self, notice: notices.Notice, /) -> None:
        """Keep a notice; at a table of bots, move when it is this seat's turn."""
        self.sitter.told.append(notice)
        if isinstance(notice, notices.YourTurn) and self.table.bots:
            self.table.later(0.0, lambda: self.table.move(self.sitter))


class SimTable:
    """The processes at one table, their links, and the virtual time."""

    def __init__(self, settings: Settings, seed: bytes = bytes(32), *, bots: bool = True) -> None:
        self.settings = settings
        self.seed = seed
        self.time = VirtualTime()
        self.sitters: list[Sitter] = []
        self.by_key: dict[bytes, Sitter] = {}
        self.cut: set[frozenset[bytes]] = set()
        self.links: set[frozenset[bytes]] = set()
        self.bots = bots
        self.frames = 0
        self.sent: list[tuple[bytes, bytes, bytes]] | None = None
        self.work_s = 0.0
        self.slow: Callable[[Sitter, fx.Work], bool] = lambda _sitter, _work: False
        self.unfinished: list[tuple[Sitter, Callable[[], None]]] = []
        self.knows: Callable[[bytes], bool] = lambda _key: True
        """The keys that each door knows: here everybody has shown everybody's join code."""

    # ---- people ----

    @property
    def host(self) -> Sitter:
        """Return the peer that opened the table."""
        return self.sitters[0]

    def seat(
        self,
        name: str,
        *,
        core_class: Callable[..., Core] = Core,
        start_at: int | None = None,
        seated: bool = True,
        looks_first: bool = False,
        watches: bool = False,
        door: Sitter | None = None,
    ) -> Sitter:
        """Add a process, and return its sitter.

        The first process hosts. Each later one is linked to the host, or to `door` if given.
        """
        number = len(self.sitters)
        signer = make_signing_key(expand(self.seed, "identity", number)(32))
        secret = expand(self.seed, "table secret", number)(32)
        entropy = expand(self.seed, "entropy", number)
        address = (f"10.0.0.{number}:4747",)
        core = core_class(signer, name, entropy, secret, address)
        core.parts.chair.knows = self.knows
        if number == 0:
            core.open_table(entropy(32), self.settings, seated=seated, start_at=start_at)
        else:
            sees = LooksOn() if looks_first else WantsSeat()
            core.look_for_table(purpose=SaysItWatches() if watches else sees)
        sitter = Sitter(core, secret, signer)
        self.sitters.append(sitter)
        self.by_key[signer.public_bytes] = sitter
        self.do(sitter, core.start(self.now))
        if number:
            self.connect(sitter, door or self.sitters[0])
        return sitter

    def connect(self, one: Sitter, other: Sitter) -> None:
        """Open a link between two living processes, unless they have one or it is cut."""
        pair = frozenset((one.key, other.key))
        if pair in self.cut or pair in self.links or not (one.alive and other.alive):
            return
        self.links.add(pair)
        self._input(one, LinkUp(LinkEnd(self, one, other, dialled=True, since=self.now)))
        self._input(other, LinkUp(LinkEnd(self, other, one, dialled=False, since=self.now)))

    def disconnect(self, one: Sitter, other: Sitter) -> None:
        """Break the link between two processes, if there is one."""
        pair = frozenset((one.key, other.key))
        if pair not in self.links:
            return
        self.links.discard(pair)
        follow = [
            (here, driver.decide(here.core, here.links, LinkDown(link), self.now))
            for here, there in ((one, other), (other, one))
            if here.alive and (link := here.links.get(there.key)) is not None
        ]
        for here, effects in follow:
            self.do(here, effects)

    # ---- the loop ----

    @property
    def now(self) -> float:
        """Return the seconds since the table was opened."""
        return self.time.now

    def later(self, delay: float, act: Callable[[], None]) -> None:
        """Make something happen after `delay` seconds."""
        self.time.later(delay, act)

    def run(self, until: Callable[[], bool], limit_s: float = 600.0) -> None:
        """Let time pass until a condition is true; fail after `limit_s` simulated seconds."""
        self.time.run(until, limit_s)

    def until(self, sitter: Sitter, phase: Phase, limit_s: float = 600.0) -> None:
        """Let time pass until this sitter's log is in a phase."""
        self.run(lambda: sitter.state.phase is phase, limit_s)

    def pass_time(self, seconds: float = 0.5) -> None:
        """Let this much time pass, whatever happens."""
        end = self.now + seconds
        self.later(seconds, lambda: None)
        self.run(lambda: self.now >= end)

    def run_game(self, limit_s: float = 3600.0) -> None:
        """Let time pass until every living process has finished."""
        self.run(lambda: all(s.finished for s in self.sitters if s.alive), limit_s)

    def act(self, sitter: Sitter, wish: Callable[[Parts], Refusal | None]) -> None:
        """Carry out a wish of the person at a seat; the wish must be allowed."""
        effects = sitter.core.act(partial(wish, sitter.parts), self.now)
        assert not isinstance(effects, Refusal), effects
        self.do(sitter, effects)

    def do(self, sitter: Sitter, effects: Sequence[fx.Effect]) -> None:
        """Carry out effects in order."""
        for effect in effects:
            self._do_one(sitter, effect)

    def _do_one(self, sitter: Sitter, effect: fx.Effect) -> None:
        if driver.carry_out(effect, Shell(self, sitter), sitter.links):
            return
        match effect:
            case fx.SaveEvidence(name, content):
                sitter.evidence[name] = content
            case fx.Finished():
                sitter.finished = True

    def _input(self, sitter: Sitter, event: driver.Event) -> None:
        if sitter.alive:
            self.do(sitter, driver.decide(sitter.core, sitter.links, event, self.now))

    def work(self, sitter: Sitter, work: fx.Work) -> None:
        """Run a piece of work; if a test made it `slow`, its result waits for `finish`."""
        result, life = work.run(), sitter.lives

        def done() -> None:
            if life == sitter.lives:
                self._input(sitter, WorkDone(work.job, result))

        if self.slow(sitter, work):
            self.unfinished.append((sitter, done))
        else:
            self.later(self.work_s, done)

    def finish(self, sitter: Sitter) -> None:
        """Deliver the results of all slow work of this sitter now."""
        ready = [done for each, done in self.unfinished if each is sitter]
        self.unfinished = [pair for pair in self.unfinished if pair[0] is not sitter]
        for done in ready:
            done()

    def wake(self, sitter: Sitter, at: float) -> None:
        """Wake a core at this time, unless it asks for another time first."""
        sitter.wakes += 1
        number = sitter.wakes

        def ring() -> None:
            if number == sitter.wakes and not sitter.finished:
                self._input(sitter, Woken())

        self.later(max(0.0, at - self.now), ring)

    def carry(self, link: LinkEnd, frame: bytes) -> None:
        """Deliver a frame to the other end, once after each delay that `delays` returns."""
        self.frames += 1
        if self.sent is not None:
            self.sent.append((link.here.key, link.peer, frame))
        pair = frozenset((link.here.key, link.peer))

        def deliver() -> None:
            end = link.there.links.get(link.here.key)
            if pair in self.links and end is not None:
                self._input(link.there, FrameCame(end, frame))

        for delay in self.delays(link.here, link.there):
            self.later(delay, deliver)

    def delays(self, sitter: Sitter, other: Sitter) -> tuple[float, ...]:
        """Return the delays of a frame in seconds: one, unless a test says otherwise."""
        del sitter, other
        return (LATENCY_S,)

    def dial(self, sitter: Sitter, other: Sitter | None) -> None:
        """Keep dialling, once a second, until there is a link."""
        if other is None or not sitter.alive:
            return
        pair = frozenset((sitter.key, other.key))
        if pair not in self.links:
            self.connect(sitter, other)
        if pair not in self.links:
            self.later(1.0, lambda: self.dial(sitter, other))

    def move(self, sitter: Sitter) -> None:
        """Let the bot at this seat move, if it can."""
        view = sitter.view
        if not view.can_move or view.hand is None or view.table is None or not sitter.alive:
            return
        entropy = expand(self.seed, "bot", self.time.asked)
        move = choose(SeatView(view.table, view.seat, view.hand), entropy)
        self.act(sitter, lambda parts: parts.writer.try_move(move))


def full_table(
    names: Sequence[str], settings: Settings, *, seed: bytes = bytes(32), bots: bool = True
) -> SimTable:
    """Return a table with a process for each of `names`; the game begins by itself."""
    table = SimTable(settings, seed, bots=bots)
    table.seat(names[0], start_at=len(names))
    for name in names[1:]:
        table.seat(name)
    return table


# ---- coming back ----------------------------------------------------------------------------


def kill(table: SimTable, sitter: Sitter) -> None:
    """End a process: its links break, and results and wakes it waits for never come."""
    sitter.alive = False
    sitter.lives += 1
    for other in table.sitters:
        table.disconnect(sitter, other)


def revive(table: SimTable, sitter: Sitter, label: str = "second life") -> None:
    """Restart a killed process from what it wrote to disk; its links come later."""
    sitter.core = Core(
        sitter.signer,
        sitter.name,
        expand(table.seed, label),
        sitter.secret,
        (f"10.0.0.{table.sitters.index(sitter)}:4747",),
    ).restore(sitter.record, table.now, sitter.journal)
    sitter.core.parts.chair.knows = table.knows
    sitter.alive = True
    table.do(sitter, sitter.core.start(table.now))


def link_all(table: SimTable) -> None:
    """Link every pair again, unless it is cut."""
    for one, other in combinations(table.sitters, 2):
        table.connect(one, other)
