"""The results of many games, added up: how much was played, which faults, and the failures."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from lab.simulation.cheats.catalogue import CHEATS
from lab.simulation.cheats.cheat import How
from lab.simulation.game import APART, Game, play_game
from lab.simulation.liars.lies import Breach
from lab.simulation.liars.plan import Standing
from lab.simulation.liars.stops import LASTED, Bind
from lab.simulation.mishaps.company import KINDS
from lab.simulation.mishaps.kinds import Mishap
from lab.simulation.mishaps.leaving import FOLLOW_UPS
from lab.simulation.mishaps.talking import KINDS as TALK_KINDS
from lab.simulation.polls import KINDS as POLL_KINDS
from lab.simulation.report import Digest, Failure, line, share
from lab.simulation.verdict_liars import TABLES

REAL_ONCE_IN: Final = 20
"""One seed in this many plays with the real group and real signatures, unless told otherwise."""

CHEAT_ONCE_IN: Final = 4
"""One seed in this many has a cheating peer, besides all other faults."""

COMPANY_ONCE_IN: Final = 6
"""One seed in this many has people who come late, watch, say farewell or come back."""

LEAVE_ONCE_IN: Final = 4
"""One seed in this many has a seat that leaves for good, besides all other faults."""

APART_ONCE_IN: Final = 8
"""One seed in this many plays on a network that keeps guests apart. Another one in this many does,
and also has a seat that leaves for good.
"""

TALK_AT: Final = 13, 9
"""Of this many seeds, the one that has people who talk, in addition to everything else."""

LIES_AT: Final = 32, 10
"""Of this many seeds, the one with keys that sign faults at random moments, and without cheats,
company, leavers or guests kept apart.
"""


def games(first: int, *, real: bool | None = None, liars: bool = False) -> Iterator[Game]:
    """Play the game of each seed from `first` on, without end, and yield each game.

    If `real` is None, a few games use the real group and the others the toy group. With `liars`,
    every game has liars, who sign faults; otherwise only some games do. A game with liars has no
    cheats, company, leavers or guests kept apart.
    """
    seed = first
    while True:
        is_real = seed % REAL_ONCE_IN == REAL_ONCE_IN - 1 if real is None else real
        cheat = seed % CHEAT_ONCE_IN == CHEAT_ONCE_IN - 1
        leave = seed % LEAVE_ONCE_IN == 1
        company = seed % (2 * COMPANY_ONCE_IN) in (2, COMPANY_ONCE_IN)
        apart = seed % APART_ONCE_IN in (4, 5)
        talk = seed % TALK_AT[0] == TALK_AT[1]
        if liars or seed % LIES_AT[0] == LIES_AT[1]:
            yield play_game(seed, real=is_real, lies=True, talk=talk)
        else:
            yield play_game(
                seed,
                real=is_real,
                cheat=cheat,
                leave=leave,
                company=company,
                apart=apart,
                talk=talk,
            )
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
"""The possible verdicts on a game."""


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


class _Kinds(NamedTuple):
    """How to print one group of counts in the report for people."""

    heading: str
    kinds: Iterable[str] = ()
    """Kinds to list even if there were none."""
    has_total: bool = True
    width: int = 28
    has_share: bool = False


_KINDS: Final = {
    "faults": _Kinds("faults", [each.value for each in Mishap]),
    "cheats": _Kinds("cheats, each found out", CHEATS, width=46),
    "left": _Kinds("seats that left for good"),
    "given_up": _Kinds("seats given up", FOLLOW_UPS),
    "polls": _Kinds("polls, by what they came to", POLL_KINDS, has_total=False),
    "networks": _Kinds("networks", [APART], has_total=False),
    "company": _Kinds("people who come and go", KINDS, has_total=False),
    "talk": _Kinds("what people said", TALK_KINDS, has_total=False),
    "lies": _Kinds("faults signed by liars", [each.value for each in Breach], has_share=True),
    "signers": _Kinds("  signed by one who is", [each.value for each in Standing], has_share=True),
    "tables": _Kinds("tables with liars", TABLES, has_total=False, width=34),
    "binds": _Kinds(
        "stops of honest programs", [each.value for each in Bind], width=34, has_share=True
    ),
    "lasted": _Kinds("stops that ended", LASTED),
    "verdicts": _Kinds("verdicts, by games", VERDICTS),
}

_SUMS: Final = {
    "games": "games",
    "real": "  with the real group",
    "gone": "  ended in the lobby",
    "entries": "steps of all logs",
    "frames": "frames",
}
"""The sums, by their names in JSON, with their names for people."""


class CampaignReport:
    """The results of many tables under faults."""

    def __init__(self, played: Iterator[Game]) -> None:
        self.failed: list[Failure] = []
        self.work = map(self._add, played)
        self._sums = Counter(dict.fromkeys(_SUMS, 0))
        self._simulated_s = 0.0
        self._counts = {
            name: Counter(dict.fromkeys(counted.kinds, 0)) for name, counted in _KINDS.items()
        }
        self._digest = Digest()

    def _add(self, game: Game) -> None:
        self._sums.update(
            games=1, real=game.is_real, gone=game.is_gone, entries=game.entries, frames=game.frames
        )
        self._simulated_s += game.simulated_s
        for name, counts in {**game.counts, "verdicts": {_verdict(game): 1}}.items():
            self._counts[name].update(counts)
        self._digest.add(game.digest)
        if game.trouble:
            self.failed.append(_failure(game))

    def facts(self) -> dict[str, object]:
        """Return the result in its JSON form."""
        return {
            **self._sums,
            "simulated_hours": round(self._simulated_s / 3600, 3),
            **self._counts,
            "failed": [each.as_json() for each in self.failed],
            "digest": str(self._digest),
        }

    def lines(self) -> list[str]:
        """Return the report's lines for people, without the failures."""
        lines = [line(told, self._sums[name]) for name, told in _SUMS.items()]
        lines.append(f"{'simulated hours':<28}{self._simulated_s / 3600:>12,.2f}")
        for name, kinds in _KINDS.items():
            counts = self._counts[name]
            all_of_them = counts.total()
            lines.append(line(kinds.heading, all_of_them) if kinds.has_total else kinds.heading)
            of = all_of_them if kinds.has_share else 0
            lines += [
                line(f"  {kind}", count, kinds.width) + share(count, of)
                for kind, count in counts.items()
            ]
        return [*lines, line("failed", len(self.failed)), f"digest {self._digest}"]


def _failure(game: Game) -> Failure:
    settings = str(game.settings)
    group = "real" if game.is_real else "toy"
    facts = {"seed": game.seed, "settings": settings, "story": list(game.story)}
    family = " --liars" if game.has_liars else ""
    again = f"--seeds 1 --from {game.seed} --{group}{family}"
    return Failure(f"seed {game.seed}", game.trouble, again, facts, (settings, *game.story))
