"""Print, for each planted bug, within how many seeds the simulator finds it."""

import argparse
import sys
import time
from functools import partial

from tests.lab.simulation.planted.catalogue import (
    BUGS,
    BY_TEST,
    fails_by_test,
    found_by,
    shows_without_faults,
)
from tests.lab.simulation.planted.swaps import BadlyPlanted


def main() -> int:
    """Look for each named bug, or for all; return 1 if any is not found or is badly planted."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--seeds", type=int, default=300)
    options = parser.parse_args()
    missed = 0
    for name in options.names or BUGS:
        began = time.monotonic()
        if name in BY_TEST:
            fails = fails_by_test(name)
            missed += not fails
            told = "by test" if fails else "NOT FOUND"
            print(f"{name:<46} {told:>9} {'':>9}  {'':<9}  {_test_of(name)}", flush=True)
            continue
        try:
            game = found_by(name, options.seeds)
        except BadlyPlanted as slip:
            missed += 1
            print(f"{name:<46} BADLY PLANTED  {slip}", flush=True)
            continue
        quiet = shows_without_faults(name)
        missed += game is None
        told = "NOT FOUND" if game is None else f"seed {game.seed}"
        what = "" if game is None else game.trouble[0][:70]
        seconds = f"{time.monotonic() - began:.1f} s"
        how = "at once" if quiet else "by faults"
        print(f"{name:<46} {told:>9} {seconds:>9}  {how:<9}  {what}", flush=True)
    total = len(options.names or BUGS)
    print(f"{total - missed} of {total} found")
    return 1 if missed else 0


def _test_of(name: str) -> str:
    test = BY_TEST[name]
    return test.func.__name__ if isinstance(test, partial) else test.__name__


if __name__ == "__main__":
    sys.exit(main())
