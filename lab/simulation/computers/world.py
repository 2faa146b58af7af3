"""One table of a simulated game: its processes, and the person at each.

Nothing here reads a clock, a socket or a random source, so a seed always leads to the same game.
"""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import combinations
from types import MappingProxyType
from typing import Final

from lab.simulation.computers.agreement import Agreement
from lab.simulation.computers.network import Network
from lab.simulation.computers.person import Person
from lab.simulation.computers.process import Process
from lab.simulation.computers.room import Room
from lab.simulation.computers.surroundings import Fate
from lab.simulation.computers.weather import Weather
from netgame.crypto.signing import make_signing_key
from netgame.crypto.transcript import expand
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.notices import Notice
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.seeking import SaysItWatches, WantsSeat
from netgame.protocol.state.options import is_open
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.state import State
from netgame.wire.messages import Settings

NAMES: Final = (
    "Ann", "Ben", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo", "Kit", "Lou", "Mo", "Ned",
    "Oz", "Pat", "Ray",
)  # fmt: skip


class World:
    """One table and its processes."""

    def __init__(
        self,
        seed: int,
        settings: Settings,
        weather: Weather,
        trouble: Fate[Process],
        *,
        elsewhere: bool = False,
        apart: bool = False,
    ) -> None:
        """Set up a table of this seed, with its `trouble` and its `weather`.

        The people of a seed may also sit `elsewhere`, at a table with other secrets. If the network
        keeps guests `apart`, each reaches only the host.
        """
        self.seed = seed
        self.settings = settings
        self.room = Room(seed, weather)
        self.time = self.room.time
        self.later = self.time.later
        self.follow = self.time.follow
        self.run = self.time.run
        """Schedule an action or follow a script; let time pass until a condition is true."""
        self.network = Network(self.room, settings.seats)
        self.keeps_apart = apart
        self.trouble = trouble
        self.story: list[str] = []
        """A line for every fault, and for everybody who came or went."""
        self.left: set[int] = set()
        """The numbers of the processes that have left for good."""
        self.began_badly = False
        """True if anything went wrong while all still sat in the lobby."""
        self.calm_until = 0.0
        """The time until which nothing new goes wrong.

        A seat that lost part of its record may write once it has heard everybody; loss on top of
        isolation is more than any log survives.
        """
        self.is_gone = False
        """True if the host died before the game began, and the table with it."""
        self.liars: set[int] = set()
        """The numbers of the processes that sign faults whenever they like."""
        self.processes: list[Process] = []
        self.copies: list[Process] = []
        """Processes that play a seat from a copy of another process's folder."""
        self.by_key: dict[PeerKey, Process] = {}
        self.agreement = Agreement()
        self._people = expand(bytes(32), "simulated table", seed)(32)
        self._secret = expand(self._people, "elsewhere")(32) if elsewhere else self._people
        trouble.attach(self)

    def tell(self, what: str) -> None:
        """Add a line to the story."""
        self.story.append(f"{self.time.now:10.3f} s: {what}")

    def run_game(self, limit_s: float) -> None:
        """Open the table, and play until the game is over for all who have not left for good.

        Raises `Stuck` if that takes more than `limit_s` simulated seconds or too many events.
        """
        self.open_table()
        self.time.run(lambda: all(each.is_finished for each in self.staying), limit_s)

    # ---- people ---------------------------------------------------------------------------

    @property
    def staying(self) -> list[Process]:
        """All processes but those that have left for good."""
        return [each for each in self.processes if each.number not in self.left]

    @property
    def honest(self) -> list[Process]:
        """All processes that have not left for good and are not liars."""
        return [each for each in self.staying if each.number not in self.liars]

    @property
    def began(self) -> list[Process]:
        """The processes with which the table began."""
        return self.processes[: self.settings.seats]

    def furthest(self) -> State:
        """Return the most advanced state among the processes with which the table began.

        At a table with liars, all honest processes count, because few of those that began may have
        stayed.
        """
        honest = (each for each in self.processes if each.number not in self.liars)
        states = (each.state for each in (honest if self.liars else self.began))
        return max(states, key=lambda state: state.step)

    def longest(self) -> Ledger:
        """Return the longest log that any process has, except those of liars."""
        honest = (each for each in self.processes if each.number not in self.liars)
        return max((each.ledger for each in honest), key=lambda log: len(log.steps))

    def open_table(self, kinds: Mapping[int, Callable[..., Core]] = MappingProxyType({})) -> None:
        """Start a process for every seat; the first one hosts, and the others join it.

        `kinds` maps the number of a process to the callable that makes its core, if not `Core`.
        """
        for number in range(self.settings.seats):
            self._seat(number, kinds.get(number, Core))
        host = self.processes[0]
        if self.keeps_apart:
            self.tell("the network keeps guests apart")
            self.network.part(
                [frozenset(p) for p in combinations(range(1, self.settings.seats), 2)]
            )
        for process in self.processes:
            process.start()
            if process is not host:
                process.join(host.key)

    def _seat(self, number: int, kind: Callable[..., Core], *, watches: bool = False) -> None:
        signer = make_signing_key(expand(self._people, "identity", number)(32))
        name = NAMES[number]
        secret = self.secret("table secret", number)
        address = f"10.0.0.{number}:4747"
        purpose = SaysItWatches() if watches else WantsSeat()

        def core(life: int, *addresses: str) -> tuple[Core, Callable[[int], bytes]]:
            entropy = expand(self._secret, "entropy", number, life)
            made = kind(signer, name, entropy, secret, addresses)
            made.parts.chair.knows = partial(self._has_shown_code, number)
            return made, entropy

        def first() -> Core:
            made, entropy = core(1, address)
            if number:
                return made.look_for_table(purpose=purpose)
            return made.open_table(entropy(32), self.settings, start_at=self.settings.seats)

        def again(process: Process, near: PeerKey | None) -> Core:
            signed, _ = process.records.journal.open()
            payloads, _ = process.records.disk.open()
            made, _ = core(process.lives, *((address,) if near is not None else ()))
            made.restore(payloads, process.clock(), signed)
            if near is None:
                return made
            if not made.state.host:
                process.records.disk.empty()  # it held a header, at the most
            return made.look_for_table(host=near, purpose=purpose)

        process = Process(self, number, signer, first(), again)
        self.processes.append(process)
        self.by_key[process.key] = process
        self.network.plug_in(process)

    def _has_shown_code(self, door: int, key: bytes) -> bool:
        """Return True if the owner of this key has shown the join code of process `door`.

        At an open table nobody has to show a code, and the answer is False.
        """
        comer = self.by_key.get(PeerKey(key))
        return not is_open(self.settings) and comer is not None and door in comer.codes

    def person(self, process: Process) -> Callable[[Notice], None]:
        """Return the person at a process: a function to call with each notice of its core."""
        return Person(process, self.trouble).hear

    def add_guest(self, *, watches: bool, kind: Callable[..., Core] = Core) -> Process:
        """Add a process for somebody who comes after the game has begun; the caller starts it."""
        self._seat(len(self.processes), kind, watches=watches)
        guest = self.processes[-1]
        guest.wants_seat = not watches
        return guest

    def moved(self, process: Process) -> None:
        """Compare the steps that this process may have followed with those of the others.

        Cheaters are left out, because they need not follow the same course.
        """
        if type(process.core) is Core:
            self.agreement.look(process)
            self.trouble.moved(process)

    def is_stopped(self) -> bool:
        """Return True if any process has seen a proved fault, which ends the game."""
        return any(each.core.fault is not None for each in self.processes)

    def secret(self, label: str, number: int) -> bytes:
        """Return octets that follow from the game's seed, `label` and `number`."""
        return expand(self._secret, label, number)(32)

    def somebody_near(self, process: Process) -> PeerKey | None:
        """Return a peer through which a process without a table can join, or None if there is none.

        Once the game has begun, the process also gets that peer's join code. Before that only the
        host will do, and the table is gone if the host has left or is the process itself.
        """
        host = self.processes[0]
        others = [each for each in self.staying if each is not process]
        if all(p.state.phase is Phase.LOBBY for p in others):
            self.is_gone = self.is_gone or process is host or 0 in self.left
            return host.key if process is not host and host.is_alive else None
        begun = [p for p in others if p.is_alive and p.state.phase is not Phase.LOBBY]
        begun = [p for p in begun if p.state.member(p.key) is not None]
        if not begun:
            return None
        near = host if self.keeps_apart and process is not host else self.room.chance.pick(begun)
        process.codes.add(near.number)
        return near.key
