"""Plant mutants, run the tests of their modules, say which survive.

    python -m tests.mutation --mutants 240 --seed 1 --processes 2
    python -m tests.mutation --by-hand

Picks the same mutants for the same seed as long as they exist, whatever happens to the lines around
them. Ends with 1 if more than one survives and fewer than 95 in a hundred are killed, not counting
the survivors that `explained.toml` shows to be no wrong at all. `--by-hand` plants those of
`by_hand` instead, of which each has a test of its own, and none may survive.
"""

import argparse
import os
import signal
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from tests.mutation.by_hand import HandWritten, written_by_hand
from tests.mutation.mutants import Mutant, Wrong, mutants_of
from tests.mutation.planting import NOT_PLANTED, Child, plant, warm_up
from tests.mutation.targets import TESTS, source_of

SCORE_MIN: Final = 0.95
CPU_S_MAX: Final = 120.0
"""The most processor seconds for tests without a mutant; with one they get 3 times what they took,
and 5 more.
"""
WALL_FACTOR: Final = 6
"""A child is killed after this many times its processor time, in case it only sleeps."""
EXPLAINED: Final = Path(__file__).with_name("explained.toml")


def chosen(modules: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """Return the mutants to plant, about `count` of them, and print their number.

    Each module contributes its share, or four mutants if its share is smaller. There are never
    more than `count`.
    """
    every = {module: mutants_of(module, source_of(module).read_text()) for module in modules}
    total = sum(map(len, every.values()))
    picked: list[Mutant] = []
    for mutants in every.values():
        share = max(4, round(count * len(mutants) / total)) if count < total else len(mutants)
        picked += _mixed(mutants, seed)[:share]
    if count < len(picked):
        picked = sorted(picked, key=lambda mutant: _rank(mutant, seed))[:count]
    print(f"{len(picked)} of {total} mutants of {len(modules)} modules, seed {seed}", flush=True)
    return picked


def _mixed(mutants: list[Mutant], seed: int) -> list[Mutant]:
    """Return the mutants with their operators alternating; a hash orders those of one operator."""
    ranked = sorted(mutants, key=lambda mutant: _rank(mutant, seed))
    turns: Counter[str] = Counter()
    placed = []
    for at, mutant in enumerate(ranked):
        placed.append((turns[mutant.operator], at, mutant))
        turns[mutant.operator] += 1
    return [mutant for _, _, mutant in sorted(placed, key=lambda each: each[:2])]


def chosen_by_hand(modules: Sequence[str], count: int, seed: int) -> list[HandWritten]:
    """Return at most `count` hand-written wrongs of these modules, or of all if none is named.

    Print their number, too.
    """
    every = [each for each in written_by_hand() if not modules or each.module in modules]
    picked = sorted(every, key=lambda each: _rank(each, seed))[:count]
    print(f"{len(picked)} of {len(every)} wrongs by hand, seed {seed}", flush=True)
    return picked


def _rank(mutant: Wrong, seed: int) -> bytes:
    """Return a mutant's sort key from its name alone, so that changes elsewhere do not move it."""
    return sha256(f"{seed} {mutant.name}".encode()).digest()


class Run:
    """Child processes side by side, their outcomes, and the time of the tests without a mutant."""

    def __init__(self, processes: int, explained: dict[str, str], *, verbose: bool) -> None:
        self.processes = processes
        self.explained = explained
        self.verbose = verbose
        self.children: dict[int, tuple[Child, float]] = {}
        self.cpu_s: dict[tuple[str, ...], float] = {}
        self.outcomes: dict[str, str] = {}

    def begin(self, mutant: Wrong | None, tests: tuple[str, ...]) -> None:
        """Wait for room, then start a child that runs `tests` with this mutant, or with none."""
        while len(self.children) >= self.processes:
            self.reap()
        cpu_s = CPU_S_MAX if mutant is None else 3 * self.cpu_s[tests] + 5
        child = plant(mutant, tests, cpu_s, time.monotonic())
        self.children[child.pid] = (child, time.monotonic() + WALL_FACTOR * cpu_s)

    def reap(self) -> None:
        """Wait for a child to end, and record its outcome; kill children that take too long."""
        while True:
            pid, status, usage = os.wait4(-1, os.WNOHANG)
            if pid:
                break
            for child, end in self.children.values():
                if time.monotonic() > end:
                    os.killpg(child.pid, signal.SIGKILL)
            time.sleep(0.01)
        child, _ = self.children.pop(pid)
        self._note(child, status, usage.ru_utime + usage.ru_stime)
        child.folder.cleanup()

    def _note(self, child: Child, status: int, cpu_s: float) -> None:
        code = os.waitstatus_to_exitcode(status)
        if child.mutant is None:
            if code:
                print(child.output[-2_000:])
                raise SystemExit(f"without any mutant these fail: {' '.join(child.tests)}")
            self.cpu_s[child.tests] = cpu_s
            return
        outcome = {0: "survived", NOT_PLANTED: "not planted"}.get(code, "killed")
        if code < 0:
            outcome = "timeout"
        name = child.mutant.name
        if outcome == "survived" and name in self.explained:
            outcome = "explained"
        self.outcomes[name] = outcome
        if self.verbose or outcome in ("survived", "not planted"):
            failed = [line for line in child.output.splitlines() if line.startswith("FAILED")]
            by = f"  [{failed[0].split()[1]}]" if failed and self.verbose else ""
            print(f"{outcome:9} {cpu_s:5.1f} s  {name}{by}", flush=True)

    def finish(self) -> None:
        """Wait for all children."""
        while self.children:
            self.reap()


def _report(run: Run, seconds: float) -> bool:
    """Print the outcomes; return True if the tests notice enough."""
    found = Counter(run.outcomes.values())
    for name, outcome in run.outcomes.items():
        if outcome == "explained":
            print(f"no wrong: {name}\n    {run.explained[name]}")
    for name, outcome in run.outcomes.items():
        if outcome in ("survived", "not planted"):
            print(f"{outcome}: {name}")
    noticed = found["killed"] + found["timeout"]
    total = len(run.outcomes)
    wrong = total - found["explained"]
    score = _score(noticed, wrong)
    print(
        f"{total} mutants in {seconds:.0f} s: {found['killed']} killed, {found['timeout']} by the "
        f"time limit, {found['explained']} explained, {found['survived']} survived, "
        f"{found['not planted']} not planted"
    )
    print(f"score {_score(noticed, total):.1%} of all, {score:.1%} of those that are wrong")
    return wrong - noticed <= 1 or score >= SCORE_MIN


def _score(noticed: int, planted: int) -> float:
    return noticed / planted if planted else 1.0


def main() -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("modules", nargs="*", help="modules to mutate (default: all)")
    parser.add_argument("--mutants", type=int, help="how many, about (240, or all by hand)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--name", default="", help="only mutants whose name holds this text")
    parser.add_argument("--tests-pass", action="store_true", help="do not run them unplanted first")
    parser.add_argument("--by-hand", action="store_true", help="plant what a person has thought of")
    parser.add_argument("--list", action="store_true", help="say which, and plant none")
    parser.add_argument("--verbose", action="store_true", help="say what becomes of each")
    args = parser.parse_args()
    modules = args.modules or [module for module in TESTS if source_of(module).is_file()]
    count = sys.maxsize if args.name or args.by_hand else 240
    count = args.mutants or count
    mutants: Sequence[Wrong] = (
        chosen_by_hand(args.modules, count, args.seed)
        if args.by_hand
        else chosen(modules, count, args.seed)
    )
    mutants = [mutant for mutant in mutants if args.name in mutant.name]
    if args.list:
        print("\n".join(mutant.name for mutant in mutants))
        return 0
    explained = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))
    warm_up()
    began = time.monotonic()
    run = Run(args.processes, explained, verbose=args.verbose)
    for tests in dict.fromkeys(map(_tests_of, mutants)):
        if args.tests_pass:
            run.cpu_s[tests] = CPU_S_MAX / 4
        else:
            run.begin(None, tests)
    run.finish()
    for mutant in mutants:
        run.begin(mutant, _tests_of(mutant))
    run.finish()
    is_enough = _report(run, time.monotonic() - began)
    noticed = all(each in ("killed", "timeout") for each in run.outcomes.values())
    return 0 if (noticed if args.by_hand else is_enough) else 1


def _tests_of(mutant: Wrong) -> tuple[str, ...]:
    return (mutant.test,) if isinstance(mutant, HandWritten) else TESTS[mutant.module]


if __name__ == "__main__":
    sys.exit(main())
