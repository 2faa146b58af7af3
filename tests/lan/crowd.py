"""Everybody presses Enter at eight o'clock: `python -m tests.lan.crowd [--guests 13] [--open]`.

A host and so many guests, each a process in a namespace of its own, at a table of fourteen. All
guests start at one moment. All must come in, which shows in the rules of the table that they are
told, or hear that it is full; nobody may be told anything else, and no seat may be left. The game
begins as the last seat is taken, so whoever takes it may not see itself in the lobby any more: that
the host's program says so counts for all seats. Prints how
long they took, counted from the first: before that, interpreters start. Exit 0 if all is well.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from tests.lan.guests import PROGRAM
from tests.lan.network import Lan, asked_of, lan

SEATS = 14
PORT = 4747
LIMIT_S = 300.0
INSIDE = re.compile("These are the usual rules")
SEATED = re.compile(r"(?m)^ *\d+ Guest\d+ .*\byou\b")
BEGUN = "The game begins: "
FULL = re.compile(r"seats (here|at this table) are taken|people watch this table already")


def started(
    stack: ExitStack, net: Lan, place: int, words: list[str], folder: Path
) -> tuple[subprocess.Popen[bytes], Path]:
    """Start the program in a namespace, as somebody who waits; it is killed in the end."""
    log, name = folder / f"{place}.log", f"Guest{place}"
    command = [*PROGRAM, *words, "--plain", "--name", name, "--data", str(folder / f"{place}")]
    with log.open("wb") as out:
        process = subprocess.Popen(
            net.command(place, command), stdin=subprocess.PIPE, stdout=out, stderr=subprocess.STDOUT
        )
    stack.callback(process.wait)
    stack.callback(process.kill)
    return process, log


def wait_for(log: Path, pattern: str) -> str:
    """The first group of what a log says, once it says it."""
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        found = re.search(pattern, log.read_text(errors="replace"))
        if found is not None:
            return found[1]
        time.sleep(0.05)
    raise RuntimeError(f"{log.name} never held {pattern!r}:\n{log.read_text(errors='replace')}")


def crowd(guests: int, *, is_open: bool) -> int:
    """Have them all come; how many neither came in nor were told that the table is full."""
    with lan(guests + 1) as net, tempfile.TemporaryDirectory() as made, ExitStack() as stack:
        folder = Path(made)
        words = ["host", "--seats", str(SEATS), "--port", str(PORT), "--no-seat"]
        _, host = started(stack, net, 0, [*words, *(["--open"] if is_open else [])], folder)
        code = [] if is_open else ["--code", wait_for(host, r"need this code: (\S+)")]
        wait_for(host, r"(boneyard join)")
        words = ["join", f"{net.address(0)}:{PORT}", "--yes", *code]
        came = [started(stack, net, place, words, folder) for place in range(1, guests + 1)]
        began, taken = time.monotonic(), 0
        inside, seated, told = dict[int, float](), set[int](), dict[int, str]()
        while time.monotonic() < began + LIMIT_S:
            if BEGUN in host.read_text(errors="replace"):
                taken = SEATS
            if len({*inside, *told}) == guests and taken == min(guests, SEATS):
                break
            time.sleep(0.05)
            for place, (process, log) in enumerate(came, 1):
                said = log.read_text(errors="replace")
                if SEATED.search(said):
                    seated.add(place)
                    taken = max(taken, len(seated))
                if INSIDE.search(said):
                    inside.setdefault(place, time.monotonic() - began)
                elif process.poll() is not None:
                    told[place] = said.strip().rpartition("\n")[2]
        for sentence, times in Counter(told.values()).items():
            print(f"told: {sentence} ({times} times)")
        busy = sum("is busy" in log.read_text(errors="replace") for _, log in came)
        when = sorted(inside.values()) or [0.0]
        print(
            f"{len(inside)} of {guests} came in, the first after {when[0]:.1f} s and the last "
            f"{when[-1] - when[0]:.1f} s later; {taken} have a seat; {busy} found the table "
            "busy",
            flush=True,
        )
        lost = {place for place in range(1, guests + 1) if place not in inside}
        lost -= {place for place, sentence in told.items() if FULL.search(sentence)}
        for place in sorted(lost):
            print(f"---- {place}\n{came[place - 1][1].read_text(errors='replace')[-2000:]}")
        return len(lost) + min(guests, SEATS) - taken


def main() -> int:
    """One crowd, as the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--guests", type=int, default=13)
    parser.add_argument("--open", action="store_true", help="a table without a join code")
    wanted = asked_of(parser)
    return 1 if crowd(wanted.guests, is_open=wanted.open) else 0


if __name__ == "__main__":
    sys.exit(main())
