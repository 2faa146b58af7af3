"""Many games, added up: how much was simulated, what went wrong on purpose, and what besides."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from lab.simulation.cheats.catalogue import CHEATS
from lab.simulation.cheats.cheat import How
from lab.simulation.game import Game, play_game
from lab.simulation.mishaps.company import KINDS
from lab.simulation.mishaps.kinds import Mishap
from lab.simulation.mishaps.leaving import FOLLOW_UPS
from lab.simulation.polls import KINDS as POLL_KINDS
from lab.simulation.report import Digest, line
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


_TALLIES: Final[dict[str, tuple[str, Iterable[str]]]] = {
    "faults": ("faults", [each.value for each in Mishap]),
    "cheats": ("cheats, each found out", CHEATS),
    "verdicts": ("verdicts, by games", VERDICTS),
    "left": ("seats that left for good", [each.value for each in Phase]),
    "given_up": ("seats given up", FOLLOW_UPS),
    "polls": ("polls, by what they came to", POLL_KINDS),
    "company": ("people who come and go", KINDS),
}
"""What is counted by kinds, as a person reads it, and the kinds."""


class CampaignReport:
    """Tables of peers under faults."""

    def __init__(self, played: Iterator[Game]) -> None:
        self.failed: list[Game] = []
        self.work = map(self._add, played)
        self._sums: Counter[str] = Counter()
        self._simulated_s = 0.0
        self._tallies = {
            name: Counter(dict.fromkeys(kinds, 0)) for name, (_, kinds) in _TALLIES.items()
        }
        self._digest = Digest()

    def _add(self, game: Game) -> None:
        """Count one more game."""
        for name in ("is_real", "is_gone", "entries", "frames"):
            self._sums[name] += getattr(game, name)
        self._simulated_s += game.simulated_s
        told = {
            "faults": {fault.value: count for fault, count in game.faults},
            "cheats": filter(None, [game.cheat]),
            "verdicts": [_verdict(game)],
            "left": [phase.value for phase in game.left],
            "given_up": game.given_up,
            "polls": dict(game.polls),
            "company": dict(game.company),
        }
        for name, counts in told.items():
            self._tallies[name].update(counts)
        self._digest.add(game.digest)
        if game.trouble:
            self.failed.append(game)

    def facts(self) -> dict[str, object]:
        """Give the result as JSON has it."""
        sums, tallies = self._sums, {name: dict(told) for name, told in self._tallies.items()}
        return {
            "games": self._tallies["verdicts"].total(),
            "real": sums["is_real"],
            "gone": sums["is_gone"],
            "entries": sums["entries"],
            "frames": sums["frames"],
            "simulated_hours": round(self._simulated_s / 3600, 3),
            **tallies,
            "left": dict(+self._tallies["left"]),
            "failed": [
                {
                    "seed": game.seed,
                    "what": list(game.trouble),
                    "settings": repr(game.settings),
                    "story": list(game.story),
                    "again": _again(game),
                }
                for game in self.failed
            ],
            "digest": str(self._digest),
        }

    def lines(self) -> list[str]:
        """Give the result as a person reads it."""
        sums = self._sums
        lines = [
            line("games", self._tallies["verdicts"].total()),
            line("  with the real group", sums["is_real"]),
            line("  ended in the lobby", sums["is_gone"]),
            f"{'simulated hours':<28}{self._simulated_s / 3600:>12,.2f}",
            line("steps of all logs", sums["entries"]),
            line("frames", sums["frames"]),
        ]
        for name in ("faults", "cheats", "left", "given_up", "polls", "company", "verdicts"):
            lines += self._lines_of(name)
        lines += [line("failed", len(self.failed)), f"digest {self._digest}"]
        for game in self.failed:
            lines += ["", f"seed {game.seed}:", *(f"  {each}" for each in game.trouble)]
            lines += [f"  {game.settings}", *(f"  {each}" for each in game.story)]
            lines.append(f"  see it again: {_again(game)}")
        return lines

    def _lines_of(self, name: str) -> Iterator[str]:
        counts, (heading, _) = self._tallies[name], _TALLIES[name]
        yield heading if name in ("polls", "company") else line(heading, counts.total())
        for kind, count in counts.items():
            match name:
                case "cheats":
                    yield f"  {kind:<44}{count:>4}"
                case "left":
                    yield from [line(f"  in {kind}", count)] if count else []
                case _:
                    yield line(f"  {kind}", count)


def _again(game: Game) -> str:
    group = "real" if game.is_real else "toy"
    return f"boneyard simulate --seeds 1 --from {game.seed} --{group}"
