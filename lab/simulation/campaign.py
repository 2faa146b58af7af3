"""Many games, added up: how much was simulated, what went wrong on purpose, and what besides."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from lab.simulation.cheats.catalogue import CHEATS
from lab.simulation.cheats.cheat import How
from lab.simulation.game import Game, play_game
from lab.simulation.mishaps.company import KINDS
from lab.simulation.mishaps.kinds import Mishap
from lab.simulation.mishaps.leaving import FOLLOW_UPS
from lab.simulation.polls import KINDS as POLL_KINDS
from netgame.protocol.fold.phases import Phase

REAL_ONCE_IN: Final = 20
"""Of so many seeds one plays with the real group and real signatures, unless told otherwise."""

CHEAT_ONCE_IN: Final = 4
"""Of so many seeds one has a peer that cheats, besides all that goes wrong."""

COMPANY_ONCE_IN: Final = 6
"""Of so many seeds one has people who come late, look on, say farewell or come back."""

LEAVE_ONCE_IN: Final = 4
"""Of so many seeds one has a seat that leaves for good, besides all that goes wrong."""


def games(first: int, *, real: bool | None = None) -> Iterator[Game]:
    """Play one seed after the other, without end; `real` None mixes both groups."""
    seed = first
    while True:
        is_real = seed % REAL_ONCE_IN == REAL_ONCE_IN - 1 if real is None else real
        cheat = seed % CHEAT_ONCE_IN == CHEAT_ONCE_IN - 1
        leave = seed % LEAVE_ONCE_IN == 1
        company = seed % (2 * COMPANY_ONCE_IN) in (2, COMPANY_ONCE_IN)
        yield play_game(seed, real=is_real, cheat=cheat, leave=leave, company=company)
        seed += 1


VERDICTS: Final = (
    "one log, nobody accused",
    "cheater convicted by all",
    "named by the receiver",
    "cheat without effect",
    "host lost in the lobby",
    "no quorum, and so it waits",
    "failed",
)
"""What becomes of a game."""


def _verdict(game: Game) -> str:
    honest, convicted, named, idle, gone, blocked, failed = VERDICTS
    if game.trouble:
        return failed
    if game.is_gone:
        return gone
    if game.is_blocked:
        return blocked
    if not game.cheat:
        return honest
    cheat = CHEATS[game.cheat]
    if cheat.how is How.IDLE:
        return idle
    return convicted if cheat.binds else named


@dataclass(slots=True)
class Campaign:
    """What came of the games so far; `faults` counts what was done to them."""

    games: int = 0
    real: int = 0
    gone: int = 0
    """Tables that ended in the lobby, with their host, as they must."""
    entries: int = 0
    frames: int = 0
    simulated_s: float = 0.0
    faults: Counter[Mishap] = field(default_factory=lambda: Counter(dict.fromkeys(Mishap, 0)))
    cheats: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(CHEATS, 0)))
    """How often each cheat was done, and its author named by everybody unless the game failed."""
    verdicts: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(VERDICTS, 0)))
    """What all honest peers of a game came to, by games."""
    left: Counter[Phase] = field(default_factory=Counter)
    """In which phase somebody left for good."""
    given_up: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(FOLLOW_UPS, 0)))
    """What tables did each time they gave somebody up."""
    polls: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(POLL_KINDS, 0)))
    """What polls came to, and what they took."""
    company: Counter[str] = field(default_factory=lambda: Counter(dict.fromkeys(KINDS, 0)))
    """Who came late, looked on, said farewell and came back."""
    failed: list[Game] = field(default_factory=list)
    _digest: bytes = b""

    def add(self, game: Game) -> None:
        """Count one more game."""
        self.games += 1
        self.real += game.is_real
        self.gone += game.is_gone
        self.entries += game.entries
        self.frames += game.frames
        self.simulated_s += game.simulated_s
        self.faults.update(dict(game.faults))
        if game.cheat:
            self.cheats[game.cheat] += 1
        self.polls.update(dict(game.polls))
        self.company.update(dict(game.company))
        self.left.update(game.left)
        self.given_up.update(game.given_up)
        self._digest = sha256(self._digest + game.digest).digest()
        self.verdicts[_verdict(game)] += 1
        if game.trouble:
            self.failed.append(game)

    @property
    def digest(self) -> str:
        """What stands for all that happened in all games: equal seeds, equal digest."""
        return self._digest.hex()[:32]
