"""The cost of links that a member forwards: five peers, each in its own network namespace.

    python -m bench.forwarded [RUNS [ONE_WAY_MS]]

Either all are linked directly, or the four guests reach only the host, which forwards their six
links. In both cases a frame takes ONE_WAY_MS (5) from a computer to any other that it reaches, so a
forwarded one takes twice as long. The two kinds of run alternate. A deal, or a move, ends when the
last of the five hears of it. Needs root and `ip`; without them, nothing is measured.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from bench._machine import deaf_to_ctrl_c
from bench._peer import said
from bench._switch import DEVICE, delayed
from bench.figure import Figure, format_figures, middle
from tests.lan.network import Lan, usable

SEATS: Final = 5
PIPS: Final = 12
MOVES: Final = 30
RUNS: Final = 3
ONE_WAY_S: Final = 0.005
RATIO_MAX: Final = 2.0
_THIRTY: Final = f"{MOVES} moves"
GOALS: Final = ("a deal", _THIRTY)
"""The figures that may take `RATIO_MAX` times as long with forwarded links."""


class Run(NamedTuple):
    """How long the deal and the first moves of one game took, in milliseconds."""

    deal: float
    moves: tuple[tuple[str, float], ...]
    """The kind of each move, and the time it took: from when the last peer heard of the move before
    it to when the last peer heard of this one.
    """

    @property
    def parts(self) -> dict[str, float]:
        """The times to compare, by name: the deal, all moves together, the median of each kind."""
        kinds = sorted({kind for kind, _ in self.moves})
        of_kind = {
            f"a {kind}": median(ms for each, ms in self.moves if each == kind) for kind in kinds
        }
        return {"a deal": self.deal, _THIRTY: sum(ms for _, ms in self.moves)} | of_kind


def measure(runs: int = RUNS, one_way_s: float = ONE_WAY_S) -> list[Figure]:
    """Play the beginning of `runs` games each way, alternating; compare the medians.

    If this machine cannot do it, say why on standard error and return no figures.
    """
    if not usable() or not Path(DEVICE).exists():
        print(f"forwarded: needs root, network namespaces and {DEVICE}", file=sys.stderr)
        return []
    direct, forwarded = [], []
    for _ in range(runs):
        direct.append(play(one_way_s, apart=False).parts)
        forwarded.append(play(one_way_s, apart=True).parts)
    return [
        figure
        for part in dict.fromkeys(name for run in direct for name in run)
        for figure in compared(part, _values(direct, part), _values(forwarded, part))
    ]


def _values(runs: Iterable[dict[str, float]], part: str) -> list[float]:
    return [run[part] for run in runs if part in run]


def compared(part: str, direct: list[float], forwarded: list[float]) -> list[Figure]:
    """Return a part's medians with direct and with forwarded links, and their ratio.

    Return an empty list if either list is empty.
    """
    if not (direct and forwarded):
        return []
    goal = RATIO_MAX if part in GOALS else None
    return [
        middle(f"{part}, direct links", direct, "ms"),
        middle(f"{part}, forwarded links", forwarded, "ms"),
        Figure(f"{part}, forwarded by direct", median(forwarded) / median(direct), "", goal),
    ]


def play(one_way_s: float, *, apart: bool) -> Run:
    """Play the beginning of a game and return its times.

    With `apart`, the guests reach only the host, which forwards their links.
    """
    with delayed(SEATS, one_way_s, apart=apart) as net, _peers(net) as peers:
        for number, peer in enumerate(peers):
            forwarded = SEATS - 2 if apart and number else 0
            while said(peer) != f"linked {forwarded}":
                assert peer.poll() is None, "it runs until it is killed"
        _write(peers[0], "begin")
        return taken([_told(peer) for peer in peers])


@contextmanager
def _peers(net: Lan) -> Iterator[list[subprocess.Popen[str]]]:
    """Start a peer on each host, the first of which opens the table; kill all after the block."""
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder:
        running, place = list[subprocess.Popen[str]](), ""
        try:
            for number in range(SEATS):
                words = number, Path(folder) / str(number), place, SEATS, PIPS
                command = net.command(
                    number, [sys.executable, "-m", "bench._far", *map(str, words)]
                )
                with deaf_to_ctrl_c():
                    process = subprocess.Popen(
                        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
                    )
                running.append(process)
                port = said(process)
                place = place or f"{net.address(0)}:{port}"
            yield running
        finally:
            for process in running:
                process.kill()
                process.wait()


def _write(peer: subprocess.Popen[str], line: str) -> None:
    assert peer.stdin is not None, "it is a pipe"
    peer.stdin.write(f"{line}\n")
    peer.stdin.flush()


def _told(peer: subprocess.Popen[str]) -> list[tuple[str, float]]:
    """Return the names of a peer's notices from the start to the last measured move, with times."""
    told: list[tuple[str, float]] = []
    while len(told) < 2 + MOVES:
        word, _, at = said(peer).partition(" ")
        assert word, "it runs until it is killed"
        if word != "linked":
            told.append((word, float(at)))
    return told


def taken(told: list[list[tuple[str, float]]]) -> Run:
    """Compute the times of a run from the notices of every peer, given with their times."""
    started = min(each[0][1] for each in told)
    ends = [(rows[0][0], max(at for _, at in rows)) for rows in zip(*told, strict=True)][1:]
    deal = 1000 * (ends[0][1] - started)
    return Run(deal, tuple((kind, 1000 * (at - was)) for (_, was), (kind, at) in pairwise(ends)))


if __name__ == "__main__":
    runs, *one_way_ms = sys.argv[1:] or [str(RUNS)]
    delay_s = float(one_way_ms[0]) / 1000 if one_way_ms else ONE_WAY_S
    print(format_figures(measure(int(runs), delay_s)))
