"""A whole game across namespaces: `python -m tests.lan.party --hosts 3 --set 9 [--cut]`.

One host opens a table, the others find it over mDNS; all play by themselves. With `--cut` one
host loses its interface in mid-game and gets it back. At the end the records must agree.
Prints what it sees; exit 0 if all is well.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.lan.network import Lan, lan, usable

NAMES = ("Ann", "Ben", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal")
PROGRAM = (sys.executable, "-m", "cli")


@dataclass
class Guest:
    """One process at the party."""

    name: str
    record: Path
    log: Path
    process: subprocess.Popen[bytes]


@dataclass
class Party:
    """What is played, where, and by whom."""

    net: Lan
    folder: Path
    pips: int
    rounds: int
    guests: list[Guest] = field(default_factory=list)

    def arrive(self, host: int) -> None:
        """Start the process of one host; the first opens the table."""
        name = NAMES[host]
        record, log = self.folder / f"{name}.record", self.folder / f"{name}.log"
        words = [*PROGRAM]
        if host == 0:
            words += ["host", "--seats", str(self.net.hosts), "--set", str(self.pips)]
            words += ["--open", "--rounds", str(self.rounds)] if self.rounds else ["--open"]
        else:
            words += ["join"]
        words += ["--auto", "--plain", "--name", name, "--record", str(record)]
        words += ["--data", str(self.folder / f"{name}.data")]
        with log.open("wb") as out:
            process = subprocess.Popen(
                self.net.command(host, words),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        self.guests.append(Guest(name, record, log, process))

    def wait_for_play(self, lines: int, limit_s: float = 60.0) -> None:
        """Until the first guest has told of so many moves."""
        end = time.monotonic() + limit_s
        while time.monotonic() < end:
            if self.guests[0].log.read_text(errors="replace").count(" on ") >= lines:
                return
            time.sleep(0.05)
        raise RuntimeError("no play within the time allowed")

    def wait_for_end(self, limit_s: float) -> list[int]:
        """Exit codes of all, or a failure when somebody does not finish."""
        end = time.monotonic() + limit_s
        return [guest.process.wait(max(1.0, end - time.monotonic())) for guest in self.guests]


def verify(record: Path) -> tuple[int, str]:
    """What `boneyard verify` says of a record."""
    done = subprocess.run(
        (*PROGRAM, "verify", str(record)), capture_output=True, text=True, check=False
    )
    return done.returncode, (done.stdout + done.stderr).strip()


def tampered(record: Path) -> list[str]:
    """What `boneyard verify` says of copies with one byte changed, spread over the file."""
    octets = record.read_bytes()
    answers = []
    for number in range(5):
        at = number * (len(octets) - 1) // 4
        copy = record.with_suffix(f".flip{number}")
        copy.write_bytes(octets[:at] + bytes([octets[at] ^ 1]) + octets[at + 1 :])
        code, says = verify(copy)
        if code != 1:
            raise RuntimeError(f"a copy with octet {at} changed passed: {says}")
        answers.append(f"octet {at} changed: {says}")
    return answers


def play(party: Party, *, cut: bool, limit_s: float) -> bool:
    """Play the game; whether everybody ended well with the same record."""
    for host in range(party.net.hosts):
        party.arrive(host)
    if cut:
        party.wait_for_play(6)
        victim = party.net.hosts - 1
        party.net.cut(victim)
        print(f"cut the link of {NAMES[victim]}")
        time.sleep(8)
        party.net.restore(victim)
        print(f"restored the link of {NAMES[victim]}")
    codes = party.wait_for_end(limit_s)
    verdicts = [verify(guest.record) for guest in party.guests]
    for guest, code, (verdict, says) in zip(party.guests, codes, verdicts, strict=True):
        print(f"{guest.name}: exit {code}; verify exit {verdict}: {says}")
    digests = {says.rsplit("digest", 1)[-1] for _, says in verdicts}
    print("one final digest" if len(digests) == 1 else f"digests differ: {digests}")
    for line in tampered(party.guests[-1].record):
        print(line)
    good = all(code == 0 for code in codes) and all(code == 0 for code, _ in verdicts)
    return good and len(digests) == 1


def main() -> int:
    """Play and report; the logs of a party that went wrong are printed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hosts", type=int, default=3)
    parser.add_argument("--set", type=int, default=9, dest="pips")
    parser.add_argument("--rounds", type=int, default=0, help="0: all the set has")
    parser.add_argument("--cut", action="store_true", help="pull a cable in mid-game")
    parser.add_argument("--if-possible", action="store_true", help="exit 0 without root")
    parser.add_argument("--seconds", type=float, default=300.0, help="longest game")
    wanted = parser.parse_args()
    if not usable():
        print("needs root and network namespaces (ip netns)", file=sys.stderr)
        return 0 if wanted.if_possible else 2
    with lan(wanted.hosts) as net, tempfile.TemporaryDirectory() as folder:
        party = Party(net, Path(folder), wanted.pips, wanted.rounds)
        started = time.monotonic()
        try:
            good = play(party, cut=wanted.cut, limit_s=wanted.seconds)
        except (RuntimeError, subprocess.TimeoutExpired) as problem:
            print(f"failed: {problem}")
            good = False
        finally:
            for guest in party.guests:
                guest.process.kill()
        print(f"{time.monotonic() - started:.1f} s")
        if not good:
            for guest in party.guests:
                print(f"---- {guest.name}\n{guest.log.read_text(errors='replace')[-4000:]}")
        return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
