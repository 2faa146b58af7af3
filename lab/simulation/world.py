"""Virtual time and everything in it: processes, links between them, and what goes wrong.

A plain heap of what happens next. Nothing here reads a clock, a socket or a random source, so one
seed is one history, down to the last octet: `digest` says which.
"""

from __future__ import annotations

import heapq
from hashlib import sha256
from struct import Struct
from typing import TYPE_CHECKING, Final

from engine.chance import seeded
from lab.simulation.cables import Cable
from lab.simulation.chance import Chance
from lab.simulation.process import Process
from netgame.crypto.entropy import expand
from netgame.crypto.signing import make_signing_key
from netgame.limits import DIAL_TIMEOUT_S
from netgame.protocol.fold.state import Phase
from netgame.protocol.peer.core import Core

if TYPE_CHECKING:
    from collections.abc import Callable

    from lab.simulation.faults import Injector
    from lab.simulation.weather import Weather
    from netgame.protocol.peer.effects import PeerKey
    from netgame.wire.messages import Settings


NAMES: Final = ("Ann", "Ben", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal")
EVENTS_MAX: Final = 400_000
"""Events of one game: a hundred times what a quiet one takes. More is a livelock."""

_NOTE: Final = Struct("<dBBI")


class Stuck(Exception):
    """The game has not come to its end in the time or the events it may take."""


class World:
    """One table and its processes; `injector` says what goes wrong, `weather` how slow it is.

    The people of a seed sit `elsewhere` too, at a table with other secrets.
    """

    def __init__(
        self,
        seed: int,
        settings: Settings,
        weather: Weather,
        injector: Injector,
        *,
        elsewhere: bool = False,
    ) -> None:
        self.seed = seed
        self.settings = settings
        self.weather = weather
        self.injector = injector
        self.chance = Chance(seed, "world")
        self.moves = seeded(f"moves {seed}".encode())
        self.now = 0.0
        self.frames = 0
        self.events = 0
        self.is_gone = False
        """The host has died before the game began, and the table with it."""
        self.processes: list[Process] = []
        self.copies: list[Process] = []
        """Processes of seats that another process plays, from a copy of its folder."""
        self.by_key: dict[PeerKey, Process] = {}
        self.links: list[Cable] = []
        self.apart: dict[frozenset[int], int] = {}
        self._people = expand(bytes(32), "simulated table", seed)(32)
        self._secret = expand(self._people, "elsewhere")(32) if elsewhere else self._people
        self._queue: list[tuple[float, int, Callable[[], object]]] = []
        self._count = 0
        self._trace = sha256()

    # ---- people ---------------------------------------------------------------------------

    def open_table(self, seats: int, core_class: Callable[[int], type[Core]] | None = None) -> None:
        """Start a process for every seat: the first hosts, the others join it."""
        kinds = core_class or (lambda _: Core)
        for number in range(seats):
            self._seat(number, seats, kinds(number))
        host = self.processes[0]
        for process in self.processes:
            process.start()
            if process is not host:
                process.join(host.key)

    def _seat(self, number: int, seats: int, kind: type[Core], *, watches: bool = False) -> None:
        signer = make_signing_key(expand(self._people, "identity", number)(32))
        name, secret = NAMES[number], self.secret("table secret", number)
        addresses = (f"10.0.0.{number}:4747",)

        def entropy(life: int) -> Callable[[int], bytes]:
            return expand(self._secret, "entropy", number, life)

        def first() -> Core:
            if number:
                return kind.join(signer, name, entropy(1), secret, addresses, watches=watches)
            settings = self.settings
            return kind.host(signer, name, settings, entropy(1), secret, addresses, start_at=seats)

        def again(process: Process, near: PeerKey | None) -> Core:
            fresh = entropy(process.lives)
            signed, _ = process.journal.open()
            if near is not None:
                joined = kind.join(
                    *(signer, name, fresh, secret, addresses), host=near, watches=watches
                )
                joined.remember(signed)
                return joined
            payloads, _ = process.disk.open()
            return kind.restore(signer, name, fresh, secret, (), payloads, process.clock(), signed)

        process = Process(self, number, signer, first, again)
        self.processes.append(process)
        self.by_key[process.key] = process

    def add_guest(self, *, watches: bool) -> Process:
        """One more process, of somebody who comes when the game has begun; not started yet."""
        self._seat(len(self.processes), 0, Core, watches=watches)
        guest = self.processes[-1]
        guest.wants_seat = not watches
        return guest

    def secret(self, label: str, number: int) -> bytes:
        """Octets that are fixed by the seed."""
        return expand(self._secret, label, number)(32)

    def somebody_near(self, process: Process) -> PeerKey | None:
        """Who a process that has lost its table joins; nobody if the table never began.

        Who joins before the start needs the host, and a host that died then took the table along.
        """
        host = self.processes[0]
        others = [p for p in self.processes if p is not process]
        if all(p.core.state.phase is Phase.LOBBY for p in others):
            self.is_gone = self.is_gone or process is host or self.injector.has_left(0)
            return host.key if process is not host and host.is_alive else None
        begun = [p for p in others if p.is_alive and p.core.state.phase is not Phase.LOBBY]
        begun = [p for p in begun if p.core.state.member(p.key) is not None]
        if not begun:
            return None
        near = self.chance.pick(begun)
        process.codes.add(near.number)
        return near.key

    # ---- time -----------------------------------------------------------------------------

    def at(self, when: float, act: Callable[[], object]) -> None:
        """Have something happen at a time."""
        self._count += 1
        heapq.heappush(self._queue, (when, self._count, act))

    def later(self, delay: float, act: Callable[[], object]) -> None:
        """Have something happen after so many seconds."""
        self.at(self.now + delay, act)

    def run(self, is_over: Callable[[], bool], limit_s: float) -> None:
        """Let time pass until something is so. Raises `Stuck`."""
        queue, end = self._queue, self.now + limit_s
        while not is_over():
            if not queue:
                raise Stuck("nothing will ever happen again")
            when, _, act = heapq.heappop(queue)
            if when > self.now:
                self.now = when
            self.events += 1
            if self.now > end:
                raise Stuck(f"not over after {limit_s:.0f} simulated seconds")
            if self.events > EVENTS_MAX:
                raise Stuck(f"not over after {EVENTS_MAX} events")
            act()

    def note(self, number: int, kind: int, size: int) -> None:
        """Write what happens into the trace."""
        self._trace.update(_NOTE.pack(self.now, number, kind, size))

    def digest(self) -> bytes:
        """What stands for all that has happened."""
        return self._trace.digest()

    # ---- links ----------------------------------------------------------------------------

    def dial(self, dialler: Process, peer: PeerKey, after: Callable[[], None]) -> None:
        """One attempt to reach a peer; `after` is called when it has failed or led to a link."""
        target = self.by_key[peer]
        if self.are_apart(dialler, target) or not target.is_awake:
            self.later(DIAL_TIMEOUT_S, after)
            return
        if not target.is_alive or target.is_paused or not self._lets_in(target, dialler):
            self.later(self.weather.between_hosts_s() / 3, after)
            return
        life = dialler.lives

        def shaken() -> None:
            if life == dialler.lives and target.is_alive and not self.are_apart(dialler, target):
                link = Cable(self, dialler, target)
                self.links = [each for each in self.links if not each.is_broken]
                self.links.append(link)
                for end in link.ends:
                    if end.is_open:
                        end.owner.link_came(end)
            after()

        self.later(self.weather.between_hosts_s(), shaken)

    def _lets_in(self, target: Process, dialler: Process) -> bool:
        """Who sat down in the lobby has proved a code; guests show one, or a member vouches."""
        known = dialler.number < self.settings.seats or target.number in dialler.codes
        return known or target.core.may_come(dialler.key)

    def are_apart(self, one: Process, other: Process) -> bool:
        """Whether nothing gets from one to the other at the moment."""
        return frozenset((one.number, other.number)) in self.apart

    def part(self, pairs: list[frozenset[int]]) -> None:
        """Cut pairs off from each other: octets stall, dialling leads nowhere."""
        for pair in pairs:
            self.apart[pair] = self.apart.get(pair, 0) + 1
            for link in self.links_of(pair):
                link.stall()

    def rejoin(self, pairs: list[frozenset[int]]) -> None:
        """Undo `part`: half of the links go on, the others are broken by then."""
        for pair in pairs:
            left = self.apart.get(pair, 1) - 1
            if left:
                self.apart[pair] = left
                continue
            self.apart.pop(pair, None)
            for link in self.links_of(pair):
                link.reset() if self.chance.once_in(2) else link.heal()

    def links_of(self, pair: frozenset[int]) -> list[Cable]:
        """The links between two processes that are not known to be broken."""
        return [
            link
            for link in self.links
            if not link.is_broken and {end.owner.number for end in link.ends} == pair
        ]
