"""A whole game across namespaces: `python -m tests.lan.party --hosts 3 --set 9 [--cut]`.

One host opens a table, the others find it over mDNS; all play by themselves. With `--cut` one
host loses its interface in mid-game and gets it back. At the end the records must agree.
Prints what it sees, and what the processes cost; exit 0 if all is well.
"""

import argparse
import resource
import sys
import tempfile
import time
from pathlib import Path

from tests.lan.guests import NAMES, Party, one_verdict, party, verify
from tests.lan.network import asked_of, lan


def tampered(record: Path) -> list[str]:
    """What `boneyard verify` says of copies with one byte changed, spread over the file."""
    octets = record.read_bytes()
    copies = {
        number * (len(octets) - 1) // 4: record.with_suffix(f".flip{number}") for number in range(5)
    }
    for at, copy in copies.items():
        copy.write_bytes(octets[:at] + bytes([octets[at] ^ 1]) + octets[at + 1 :])
    answers = dict(zip(copies, verify(*copies.values()), strict=True))
    for at, verdict in answers.items():
        if verdict.ok:
            raise RuntimeError(f"a copy with octet {at} changed passed: {verdict.says}")
    return [f"octet {at} changed: {verdict.says}" for at, verdict in answers.items()]


def cut_last(table: Party) -> None:
    """Pull the cable of the last guest in mid-game, and put it back."""
    table.wait_for_play(6)
    victim = table.net.hosts - 1
    table.net.cut(victim)
    print(f"cut the link of {NAMES[victim]}")
    time.sleep(8)
    table.net.restore(victim)
    print(f"restored the link of {NAMES[victim]}")


def play(table: Party, *, cut: bool, limit_s: float) -> None:
    """Play the game; a failure unless everybody ends well with the same record."""
    for host in range(table.net.hosts):
        table.arrive(host)
    if cut:
        cut_last(table)
    table.wait_for_end(limit_s)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = (spent.ru_utime + spent.ru_stime) / table.net.hosts
    print(f"a process: {seconds:.1f} s of processor, {spent.ru_maxrss / 1024:.0f} MiB at most")
    verdict = one_verdict(table.guests)
    print(f"everybody's record, {verdict.digest}: {verdict.says}")
    print(f"scores by round: {verdict.scores}")
    for line in tampered(table.guests[-1].record):
        print(line)


def main() -> int:
    """Play and report; the logs of a party that went wrong are printed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hosts", type=int, default=3)
    parser.add_argument("--set", type=int, default=9, dest="pips")
    parser.add_argument("--rounds", type=int, default=0, help="0: all the set has")
    parser.add_argument("--cut", action="store_true", help="pull a cable in mid-game")
    parser.add_argument("--seconds", type=float, default=300.0, help="longest game")
    wanted = asked_of(parser)
    words = ["--set", str(wanted.pips)]
    words += ["--rounds", str(wanted.rounds)] if wanted.rounds else []
    started = time.monotonic()
    with (
        lan(wanted.hosts) as net,
        tempfile.TemporaryDirectory() as folder,
        party(net, Path(folder), words) as table,
    ):
        try:
            play(table, cut=wanted.cut, limit_s=wanted.seconds)
        except RuntimeError as problem:
            print(f"failed: {problem}\n{table.log_ends()}")
            return 1
    print(f"{time.monotonic() - started:.1f} s in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
