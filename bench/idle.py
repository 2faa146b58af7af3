"""The cost of a table while nobody moves: packets on the loopback device, and processor time.

    python -m bench.idle SEATS SECONDS     separate processes; run it in a network namespace
    python -m bench.idle night SEATS HOURS simulated: frames that cores send, without pings

Nobody announces the table, because discovery is not part of the measurement.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from bench._peer import processes, said
from bench.figure import Figure, format_figures
from lab.simulation.computers.process import Process
from lab.simulation.computers.toys import toys
from lab.simulation.computers.weather import Weather
from lab.simulation.computers.world import World
from lab.simulation.mishaps.faults import Injector
from netgame.protocol.notices import Notice, YourTurn
from netgame.wire.messages import Settings

TABLES: Final = (8, 14)
_PIPS, _HAND = 9, 3
"""The set, and so few tiles in each hand that fourteen can play and the deal is quick."""
_REST_S: Final = 10.0
"""After the deal the table needs this long to come to rest."""
_PACKETS_MAX: Final = 4.0
"""The limit at fourteen seats, for half of thirteen links: on each, every `PING_S`, a ping, its
answer and TCP's acknowledgements. In return, an absent player shows as away within 16 s, even if
nobody moves.
"""


def measure(tables: Iterable[int] = TABLES, seconds: float = 60.0) -> list[Figure]:
    """Measure one table at rest for each number of seats in `tables`, one after the other."""
    return [figure for seats in tables for figure in at_rest(seats, seconds)]


def at_rest(seats: int, seconds: float) -> list[Figure]:
    """Measure `seats` processes for `seconds` at a table whose first player never moves."""
    with processes(Settings("standard", (), _PIPS, seats, 1, _HAND)) as running:
        for process in running:
            while not said(process).startswith("Dealt"):
                pass
        time.sleep(_REST_S)
        before = _packets(), [_spent_s(process) for process in running]
        time.sleep(seconds)
        packets = (_packets() - before[0]) / seconds
        spent = [
            100 * (_spent_s(process) - was) / seconds
            for process, was in zip(running, before[1], strict=True)
        ]
    return [
        Figure(
            f"packets of a peer at rest, {seats} seats", packets / seats, "a second", _PACKETS_MAX
        ),
        Figure(f"processor of a peer at rest, {seats} seats", sum(spent) / seats, "%", 0.1),
        Figure(f"processor of the busiest peer at rest, {seats} seats", max(spent), "%"),
    ]


def _packets() -> int:
    """Return how many packets the loopback device has received; it receives each one once."""
    lines = Path("/proc/net/dev").read_text().splitlines()
    return int(next(line for line in lines if line.strip().startswith("lo:")).split()[2])


def _spent_s(process: subprocess.Popen[str]) -> float:
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class _Idler:
    """A person who never moves."""

    def hear(self, notice: Notice) -> None:
        """Ignore a notice."""


class _Night(World):
    """A table at which nobody moves."""

    def person(self, process: Process) -> _Idler:  # type: ignore[override]
        """Return a person who never acts."""
        return _Idler()


def night(seats: int = 8, hours: float = 8.0) -> list[Figure]:
    """Simulate `hours` at a table whose first player never moves; count frames and events."""
    settings = Settings("standard", (), _PIPS, seats, 1, _HAND)
    weather = Weather(0, restless=False)
    injector = Injector(0, faults=False)
    with toys():
        world = _Night(0, settings, weather, injector)
        world.open_table()
        told = [process.told for process in world.processes]
        world.time.run(lambda: any(isinstance(n, YourTurn) for all_ in told for n in all_), 600.0)
        began, frames, events = world.time.now, world.room.frames, world.time.events
        world.time.events_max = None
        world.time.later(hours * 3600, lambda: None)
        world.time.run(lambda: world.time.now >= began + hours * 3600, 2 * hours * 3600)
    peers_s = seats * hours * 3600
    return [
        Figure("frames of a core", (world.room.frames - frames) / peers_s, "a second"),
        Figure("events of a simulated peer", (world.time.events - events) / peers_s, "a second"),
    ]


if __name__ == "__main__":
    match sys.argv[1:]:
        case "night", seats, hours:
            print(format_figures(night(int(seats), float(hours))))
        case seats, seconds:
            print(format_figures(at_rest(int(seats), float(seconds))))
        case _:
            print(format_figures(measure()))
