"""People who look on, one who comes late, and a host that dies: `python -m tests.lan.watch`.

Six processes in namespaces on a bridge, found over mDNS. Ann opens a table and plays with Ben and
Cy; Zoe watches from the lobby on, Dee comes in mid-game. Then Ann's process is killed, for good:
another seat announces the table, open as it was, and Eve finds it by that name and watches; the
others give Ann up and play on, Dee from the next round on. All records must verify and be one.
Prints what it sees; exit 0 if all is well.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.lan.guests import PROGRAM, Guest, NotShown, one_verdict
from tests.lan.network import Lan, asked_of, lan

NAMES = ("Ann", "Ben", "Cy", "Zoe", "Dee", "Eve")
GAME = ("--open", "--set", "12", "--rounds", "4", "--seats", "3", "--patience", "minute")
TRIES = 5
"""A stand-in needs a second or two until others hear of it; `join` by name looks for three."""


@dataclass
class Evening:
    """The processes of one table, by name."""

    net: Lan
    folder: Path
    limit_s: float
    began: float = field(default_factory=time.monotonic)
    guests: dict[str, Guest] = field(default_factory=dict)

    def say(self, text: str) -> None:
        """Tell what was seen, and when."""
        print(f"{time.monotonic() - self.began:6.1f} s  {text}", flush=True)

    def come(self, name: str, *words: str) -> Guest:
        """Start somebody's process."""
        log, record = self.folder / f"{name}.log", self.folder / f"{name}.record"
        line: Sequence[str] = (
            *(*PROGRAM, *words, "--plain", "--name", name),
            *("--record", str(record), "--data", str(self.folder / f"{name}.data")),
        )
        with log.open("ab") as out:
            process = subprocess.Popen(
                self.net.command(NAMES.index(name), line),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        self.guests[name] = Guest(name, record, log, process)
        return self.guests[name]

    def heard(self, name: str, pattern: str, limit_s: float = 60.0) -> str:
        """Wait until somebody was told this; its last group, or all of it."""
        end = time.monotonic() + limit_s
        while time.monotonic() < end:
            found = re.search(pattern, self.said_to(name))
            if found is not None:
                self.say(f"{name} reads: {found[0]}")
                return found[found.re.groups]
            time.sleep(0.05)
        raise NotShown(f"{name} never read {pattern!r}")

    def said_to(self, name: str) -> str:
        """All that somebody was told so far."""
        return self.guests[name].log.read_text(errors="replace")

    def ends_well(self) -> list[Guest]:
        """Wait for the end of all who are left."""
        left = [guest for guest in self.guests.values() if guest.name != "Ann"]
        for guest in left:
            wait = max(1.0, self.began + self.limit_s - time.monotonic())
            if guest.process.wait(wait) != 0:
                raise NotShown(f"{guest.name} ended with {guest.process.returncode}")
        return left


@contextmanager
def evening(net: Lan, folder: Path, limit_s: float) -> Iterator[Evening]:
    """An evening at which nobody is left behind."""
    made = Evening(net, folder, limit_s)
    try:
        yield made
    finally:
        for guest in made.guests.values():
            guest.process.kill()
            guest.process.wait()


def play(held: Evening) -> None:
    """What the module says."""
    held.come("Ann", "host", "--auto", *GAME)
    held.heard("Ann", "seats taken")
    held.come("Zoe", "join", "--watch")
    held.heard("Zoe", "You only watch")
    for name in ("Ben", "Cy"):
        held.come(name, "join", "--auto")
    held.heard("Ann", "Zoe is here")
    held.heard("Ann", "Round 1 of 4 is dealt")
    held.come("Dee", "join", "ann", "--auto")
    held.heard("Dee", "The game has begun: .*")
    held.guests["Ann"].process.kill()
    held.guests["Ann"].process.wait()
    held.say("Ann's process is killed")
    eve_finds_it(held, stand_in(held))
    for name in ("Ben", "Zoe", "Dee", "Eve"):
        held.heard(name, "The table goes on without Ann", 120.0)
    for name in ("Ben", "Zoe", "Dee"):
        held.heard(name, "You sit down" if name == "Dee" else "Dee sits down", 120.0)
    verdict = one_verdict(held.ends_well())
    held.say(f"all records are one: {verdict.says}")
    if {len(scores) for scores in verdict.scores} != {4}:
        raise NotShown(f"not all four have scores: {verdict.scores}")


def stand_in(held: Evening) -> str:
    """Who stands in for the host: one seat, which alone is told so."""
    told = "now announces the table; newcomers need no join code"
    end = time.monotonic() + 60.0
    while time.monotonic() < end:
        if names := [name for name in held.guests if told in held.said_to(name)]:
            held.say(f"who stands in: {', '.join(names)}")
            if len(names) > 1 or not {"Ben", "Cy"}.issuperset(names):
                raise NotShown("not one seat that stands in")
            return names[0]
        time.sleep(0.05)
    raise NotShown("nobody stands in for the host")


def eve_finds_it(held: Evening, announcer: str) -> None:
    """A newcomer finds the table over mDNS by the name of whoever announces it now, and watches."""
    for _ in range(TRIES):
        eve = held.come("Eve", "join", announcer.lower(), "--watch")
        end = time.monotonic() + 20.0
        while time.monotonic() < end and eve.process.poll() is None:
            if "Mexican" in held.said_to("Eve"):
                held.heard("Eve", f"Coming to watch {announcer}'s table")
                return
            time.sleep(0.05)
    raise NotShown("Eve did not find the table")


def main() -> int:
    """Play, and report; all logs if it goes wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=240.0, help="longest game")
    wanted = asked_of(parser)
    with (
        lan(len(NAMES)) as net,
        tempfile.TemporaryDirectory() as folder,
        evening(net, Path(folder), wanted.seconds) as held,
    ):
        try:
            play(held)
        except (NotShown, RuntimeError, subprocess.TimeoutExpired) as problem:
            held.say(f"failed: {problem}")
            for guest in held.guests.values():
                held.say(guest.log_end())
            return 1
        held.say("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
