"""The speed of everything in one game: links, disks, work, people."""

from itertools import pairwise
from typing import Final

from lab.simulation.computers.chance import Chance

_PIECES_MOST: Final = 5

_RESTLESS_S: Final = (
    (0.0002, 0.001, 0.004, 0.03),
    (0.0, 0.0, 0.001, 0.02),
    (0.0, 0.005, 0.05),
    (0.0, 0.0, 0.05, 0.05, 4.0),
)
"""The longest times of a link, a sync, a proof and a person, to choose from."""

SLOW_WORK_S: Final = (0.3, 3.0)
"""The longest times of proofs on a slow processor."""

SLOW_CHECK_S: Final = (2.0, 120.0)
"""Extra time of a slow check of a chain: seconds to minutes, because no timer may limit it."""


class Weather:
    """The delays of one game, in seconds; faults add to them.

    Without `restless` it is a quiet room: every link takes 1 to 2 ms, and nobody pauses.
    """

    def __init__(self, seed: int, *, restless: bool) -> None:
        self.chance = Chance(seed, "weather")
        self.slow: dict[frozenset[bytes], float] = {}
        """By pair of keys: the delay that a fault adds between them."""
        self.lame: dict[int, float] = {}
        """By number of a process: the time that a fault adds to all its work."""
        self.slow_checks: dict[int, float] = {}
        """By number of a process: the time that a fault adds to the check of a chain."""
        self.cut_up_frames = 0
        self.repeated_frames = 0
        self._latency_s, self._sync_s, self._work_s, self._think_s = (
            map(self.chance.pick, _RESTLESS_S) if restless else (0.002, 0.0, 0.0, 0.0)
        )

    def delay(self, pair: frozenset[bytes]) -> float:
        """Return the time that octets take now between the two processes with these keys."""
        most = self._latency_s + self.slow.get(pair, 0.0)
        return self.chance.between(most / 2, most)

    def between_hosts_s(self) -> float:
        """Return the time that a handshake between two hosts takes."""
        return 3 * self._latency_s

    def sync_s(self) -> float:
        """Return the time that the next sync takes."""
        return self._up_to(self._sync_s)

    def work_s(self, number: int, *, checks: bool) -> float:
        """Return the time that process `number` takes for a proof, or to check a whole chain."""
        most = self._work_s + self.lame.get(number, 0.0)
        longer = self.slow_checks.get(number, 0.0) if checks else 0.0
        return self._up_to(most) + longer

    def think_s(self) -> float:
        """Return the time for which a person thinks before the next act."""
        return self._up_to(self._think_s)

    def _up_to(self, most: float) -> float:
        return most and self.chance.between(0.0, most)

    def repeats(self) -> bool:
        """Return True if the frame just sent is to arrive a second time, later.

        Counts down `repeated_frames`, if any are left; without them no frame arrives twice.
        """
        if not self.repeated_frames:
            return False
        self.repeated_frames -= 1
        return self.chance.once_in(2)

    def pieces(self, octets: bytes) -> tuple[bytes, ...]:
        """Return the octets as the stream delivers them: whole, or in pieces.

        Counts down `cut_up_frames`, if any are left; without them every frame arrives whole.
        """
        if not self.cut_up_frames:
            return (octets,)
        self.cut_up_frames -= 1
        count = 1 + self.chance.below(_PIECES_MOST)
        cuts = sorted({self.chance.below(len(octets) + 1) for _ in range(count)} | {0, len(octets)})
        return tuple(octets[a:b] for a, b in pairwise(cuts))
