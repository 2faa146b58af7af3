"""The cost of a round's play to one peer, after the deal: its inputs, and the work they ask for.

All peers of a table run in this process, in a heap loop in virtual time, and one of them is timed:
every frame from octets to effects, every proof made or checked, every alarm, and the view of each
turn. Sockets, TLS, threads and disks are no part of it; `bench.peers` has them.
"""

import heapq
import itertools
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from time import process_time
from typing import Final, TypeVar

from bench.figure import Figure, format_figures
from engine.bots.house import choose
from engine.view import SeatView
from netgame.crypto.signing import make_signing_key
from netgame.crypto.transcript import expand
from netgame.protocol.notices import Dealt, YourTurn
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.core import Core
from netgame.wire.messages import Settings

_LATENCY_S: Final = 0.001
_PAUSE_S: Final = 0.25
"""A move comes this long after the turn has: the peers come to rest in between."""

T = TypeVar("T")


class TimedTable:
    """Peers of one game, and the seconds and calls that one of them has spent since the deal.

    Each of its calls is made within `watch`.
    """

    def __init__(
        self,
        seats: int,
        pips: int,
        rounds: int = 1,
        watch: AbstractContextManager[object] | None = None,
    ) -> None:
        self.watch = watch or nullcontext()
        self.spent = defaultdict[str, float](float)
        self.calls = Counter[str]()
        self.now = 0.0
        self.cores: dict[bytes, Core] = {}
        self._alarms = Counter[bytes]()
        self._finished = set[bytes]()
        self._is_dealt = False
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._count = itertools.count()
        settings = Settings("standard", (), pips, seats, rounds, 0)
        for number in range(seats):
            self._sit_down(number, seats, settings)
        self.timed = list(self.cores.values())[seats // 2]

    def _sit_down(self, number: int, seats: int, settings: Settings) -> None:
        signer = make_signing_key(expand(bytes(32), "identity", number)(32))
        entropy = expand(bytes(32), "entropy", number)
        core = Core(signer, f"seat{number}", entropy, entropy(32), (f"10.0.0.{number}:4747",))
        if number == 0:
            core.open_table(bytes(32), settings, start_at=seats)
        else:
            core.look_for_table()
        self._later(0.0, lambda: self._carry_out(core, core.start(self.now)))
        for other in self.cores.values():
            self._later(0.0, partial(self._link, core, other))
        self.cores[core.key] = core

    def _link(self, one: Core, other: Core) -> None:
        self._carry_out(one, one.link_up(other.key, self.now))
        self._carry_out(other, other.link_up(one.key, self.now))

    def play(self) -> None:
        """Play a whole game."""
        while self._queue and len(self._finished) < len(self.cores):
            self.now, _, act = heapq.heappop(self._queue)
            act()

    def _later(self, delay: float, act: Callable[[], None]) -> None:
        heapq.heappush(self._queue, (self.now + delay, next(self._count), act))

    def _call(self, core: Core, kind: str, act: Callable[[], T]) -> T:
        """Make one call; if it is of the peer that is timed, count it."""
        if not self._is_dealt or core is not self.timed:
            return act()
        with self.watch:
            began = process_time()
            result = act()
            self.spent[kind] += process_time() - began
        self.calls[kind] += 1
        return result

    def _input(self, core: Core, kind: str, act: Callable[[], tuple[fx.Effect, ...]]) -> None:
        self._carry_out(core, self._call(core, kind, act))

    def _carry_out(self, core: Core, effects: tuple[fx.Effect, ...]) -> None:
        for effect in effects:
            match effect:
                case fx.Send(peer, frame):
                    self._send(core, self.cores[peer], frame)
                case fx.Work():
                    self._work(core, effect)
                case fx.Wake(at):
                    self._set_alarm(core, at)
                case fx.Notify(notice):
                    self._tell(core, notice)
                case fx.Finished():
                    self._finished.add(core.key)
                case _:
                    pass

    def _send(self, core: Core, other: Core, frame: bytes) -> None:
        def come() -> None:
            self._input(other, "frames", lambda: other.frame(core.key, frame, self.now))

        self._later(_LATENCY_S, come)

    def _work(self, core: Core, work: fx.Work) -> None:
        found = self._call(core, "proofs", work.run)

        def done() -> None:
            self._input(core, "results", lambda: core.work_done(work.job, found, self.now))

        self._later(_LATENCY_S, done)

    def _set_alarm(self, core: Core, at: float) -> None:
        self._alarms[core.key] += 1
        number = self._alarms[core.key]

        def ring() -> None:
            if number == self._alarms[core.key] and core.key not in self._finished:
                self._input(core, "alarms", lambda: core.wake(self.now))

        self._later(max(0.0, at - self.now), ring)

    def _tell(self, core: Core, notice: object) -> None:
        if isinstance(notice, Dealt) and core is self.timed:
            self._is_dealt = True
        if isinstance(notice, YourTurn):
            self._later(_PAUSE_S, lambda: self._move(core))

    def _move(self, core: Core) -> None:
        view = self._call(core, "moves", core.view)
        if not view.can_move or view.table is None or view.hand is None:
            return
        seat_view = SeatView(view.table, view.seat, view.hand)
        move = choose(seat_view, expand(bytes(32), "bot", view.step))
        wish = partial(core.parts.writer.try_move, move)
        effects = self._call(core, "moves", lambda: core.act(wish, self.now))
        if not isinstance(effects, tuple):
            raise AssertionError(f"a bot's move was refused: {effects}")
        self._carry_out(core, effects)


def measure(tables: tuple[tuple[int, int], ...] = ((8, 12), (14, 18))) -> list[Figure]:
    """Play one round at tables of so many seats and pips; say where one peer's time went."""
    figures = []
    for seats, pips in tables:
        table = TimedTable(seats, pips)
        table.play()
        name = f"a round's play, one peer of {seats}"
        figures.append(Figure(name, sum(table.spent.values()), "s"))
        for kind, seconds in sorted(table.spent.items()):
            figures.append(Figure(f"  of it {table.calls[kind]} {kind}", seconds, "s"))
    return figures


if __name__ == "__main__":
    print(format_figures(measure()))
