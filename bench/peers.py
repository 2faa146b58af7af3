"""The cost of a game to each peer, in its own process, over loopback sockets.

Processor time is counted for each process. Wall time says little, because all peers share one
computer. Memory held is what the system has given a process at the time of a notice.

Peers deal the next round while they play one. So the cost of play alone comes from a game of one
round, and the memory that a round adds from a game of several, counted from the end of the second.

A move is all work of one process from half a pause before it to half a pause after it: the mover
chooses, proves and signs, the others check and store.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from typing import Final, NamedTuple

from bench._peer import processes
from bench.figure import Figure, format_figures, middle
from netgame.wire.messages import Settings

TABLES: Final = ((2, 12, 1), (8, 12, 1), (8, 12, 5), (14, 18, 1))
"""Seats, pips of the set, and rounds: five at one table, to measure the growth of memory."""
_PAUSE_S: Final = 0.1
"""The pause before each move, in which the peers come to rest."""
_DEAL: Final = "first deal, processor"
_WALL: Final = "first deal, wall"
_HELD: Final = "held after the deal"
_PLAY: Final = "a round's play, processor"
_ROUND: Final = "a round's play beside the next deal, processor"
_GROWN: Final = "grown with each further round"
_MOVES: Final = {
    f"{whose}-{kind}": f"{title} {kind}, processor"
    for whose, title in (("own", "own"), ("other", "another's"))
    for kind in ("lay", "draw", "pass")
}
"""The name of a figure, by the word that a process prints for a move."""
GOALS: Final = {
    (8, 12, _DEAL): 0.2,
    (8, 12, _WALL): 1.5,
    (8, 12, _PLAY): 0.3,
    (8, 12, _GROWN): 0.1,
    (14, 18, _DEAL): 0.7,
    (14, 18, _HELD): 60.0,
    (14, 18, _PLAY): 0.8,
}
"""The most seconds or MiB of a peer, by seats, pips and figure; the wall time is for two cores."""


class Outlay(NamedTuple):
    """The costs of a process from its start to a notice."""

    word: str
    """The kind of notice."""
    cpu: float
    """Seconds of processor time."""
    at: float
    """Seconds of the wall clock."""
    mib: float
    """The memory held, in MiB."""


def run_table(seats: int, pips: int, rounds: int) -> list[list[Outlay]]:
    """Play a game in `seats` processes; return each one's costs at each notice, in order."""
    settings = Settings("standard", (), pips, seats, rounds, 0)
    with processes(settings, _PAUSE_S) as running:
        outputs = [process.communicate()[0] for process in running]
    return [[_outlay(*line.split()) for line in output.splitlines()] for output in outputs]


def _outlay(word: str, cpu: str, at: str, mib: str) -> Outlay:
    return Outlay(word, float(cpu), float(at), float(mib))


def spent(told: list[list[Outlay]]) -> dict[tuple[str, str], list[float]]:
    """Return the costs of the deal, rounds and moves to all peers, by name and unit of a figure.

    Figures of the deal, the moves and the play alone come from games of one round only.
    """
    figures: dict[tuple[str, str], list[float]] = defaultdict(list)
    for all_marks in told:
        marks = [mark for mark in all_marks if mark.word not in _MOVES]
        ends = [mark.mib for mark in marks if mark.word in ("RoundOver", "GameOver")]
        is_lone = len(ends) == 1
        figures[f"held after {len(ends)} rounds", "MiB"].append(marks[-1].mib)
        for before, after in pairwise(marks):
            if after.word == "Dealt" and before.word == "GameStarted" and is_lone:
                figures[_DEAL, "s"].append(after.cpu - before.cpu)
                figures[_WALL, "s"].append(after.at - before.at)
                figures[_HELD, "MiB"].append(after.mib)
            if after.word in ("RoundOver", "GameOver"):
                name = _PLAY if is_lone else _ROUND
                figures[name, "s"].append(after.cpu - before.cpu)
        for before, after in pairwise(all_marks):
            if is_lone and before.word in _MOVES and after.word in _MOVES:
                figures[_MOVES[after.word], "ms"].append(1000 * (after.cpu - before.cpu))
        if len(ends) > 2:
            figures[_GROWN, "MiB"].append((ends[-1] - ends[1]) / (len(ends) - 2))
    return figures


def measure(tables: Iterable[tuple[int, int, int]] = TABLES) -> list[Figure]:
    """Play a game at each table; return each figure's median over all peers, with the spread."""
    return [
        middle(f"{name}, {seats} processes", values, unit, GOALS.get((seats, pips, name)))
        for seats, pips, rounds in tables
        for (name, unit), values in spent(run_table(seats, pips, rounds)).items()
    ]


if __name__ == "__main__":
    seats, pips, rounds = map(int, sys.argv[1:] or TABLES[0])
    print(format_figures(measure([(seats, pips, rounds)])))
