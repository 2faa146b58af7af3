"""The room that all processes of a game share: time, weather, chance, and a trace."""

from collections.abc import Callable
from hashlib import sha256
from struct import Struct
from typing import Final

from lab.rounds.seeds import seeded
from lab.simulation.computers.chance import Chance
from lab.simulation.computers.clock import VirtualTime
from lab.simulation.computers.weather import Weather

EVENTS_MAX: Final = 400_000
"""The most events of one game: a hundred times as many as a quiet one takes. More is a livelock."""

_NOTE: Final = Struct("<dBBI")


class Room:
    """The surroundings of one game. The same seed always gives the same `digest` at the end."""

    def __init__(self, seed: int, weather: Weather) -> None:
        self.time = VirtualTime(EVENTS_MAX)
        self.weather = weather
        self.chance = Chance(seed, "world")
        self.moves = seeded(f"moves {seed}".encode())
        self.frames = 0
        self.overhear: Callable[[bytes], None] = lambda _: None
        """Called with each frame that a process hears."""
        self._trace = sha256()

    def note(self, number: int, kind: int, size: int) -> None:
        """Add an event to the trace: a process's number, the kind of event, a size in octets."""
        self._trace.update(_NOTE.pack(self.time.now, number, kind, size))

    def digest(self) -> bytes:
        """Return a digest of the trace so far."""
        return self._trace.digest()
