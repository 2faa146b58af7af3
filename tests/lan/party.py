"""A whole game across namespaces: `python -m tests.lan.party --hosts 3 --set 9 [--cut]`.

One host opens a table, the others find it over mDNS; all play by themselves. With `--cut` one
host loses its interface in mid-game and gets it back. At the end the records must agree.
Prints what it sees, and what the processes cost; exit 0 if all is well.
"""

import argparse
import resource
import sys
import time

from tests.lan.guests import NAMES, Party, played
from tests.lan.network import asked_of


def cut_last(held: Party) -> None:
    """Pull the cable of the last guest in mid-game, and put it back after eight seconds."""
    held.wait_for_play(6)
    victim = held.net.hosts - 1
    held.net.cut(victim)
    held.say(f"cut the link of {NAMES[victim]}")
    time.sleep(8)
    held.net.restore(victim)
    held.say(f"restored the link of {NAMES[victim]}")


def main() -> int:
    """Play one game and print what it cost; return 1 if it went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hosts", type=int, default=3)
    parser.add_argument("--set", type=int, default=9, dest="pips")
    parser.add_argument("--rounds", type=int, default=0, help="0: all the set has")
    parser.add_argument("--cut", action="store_true", help="pull a cable in mid-game")
    parser.add_argument("--seconds", type=float, default=300.0, help="longest game")
    wanted = asked_of(parser)
    rounds = ("--rounds", str(wanted.rounds)) if wanted.rounds else ()

    def play(held: Party) -> None:
        held.gather(wanted.hosts, "--set", str(wanted.pips), *rounds)
        if wanted.cut:
            cut_last(held)
        verdict = held.ends_well(wanted.seconds)
        held.say(f"scores by round: {verdict.scores}")
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = (spent.ru_utime + spent.ru_stime) / wanted.hosts
        held.say(f"a process: {seconds:.1f} s of processor, {spent.ru_maxrss / 1024:.0f} MiB")

    return 0 if played("party", wanted.hosts, play, Party) else 1


if __name__ == "__main__":
    sys.exit(main())
