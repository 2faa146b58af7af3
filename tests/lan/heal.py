"""Six people, and a bridge that is cut in two and healed, twice: `python -m tests.lan.heal`.

Six processes in namespaces, each with a person who types into a pipe; nobody ever moves. Ann, Ben
and Cy are cut off from Dee, Eve and Flo. Everybody must read that three are away, in the time that
docs/peer.md states; they vote; the bridge is healed, and no vote may be told any more. Cut again,
everybody must be advised again. Then four go on without two, who must come back as watchers, and
whose votes must be over. Prints what it sees; exit 0 if all is well.
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

from netgame.limits import CLOCK_CHECK_S, DROP_S, SUSPECT_S
from tests.lan.guests import NAMES, PROGRAM, NotShown
from tests.lan.network import Lan, asked_of, lan

SIX = NAMES[:6]
PORT = 4747
GAME = ("--open", "--set", "9", "--rounds", "2", "--seats", "6", "--patience", "vote")
SLACK_S = 2.0
"""A busy computer prints a line a moment later."""


@dataclass
class Room:
    """The six, by name: what they type into, and what they read."""

    net: Lan
    folder: Path
    began: float = field(default_factory=time.monotonic)
    people: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def say(self, text: str) -> None:
        """Tell what was seen, and when."""
        print(f"{time.monotonic() - self.began:6.1f} s  {text}", flush=True)

    def come(self, name: str, *words: str) -> None:
        """Start somebody's process."""
        data = str(self.folder / f"{name}.data")
        line = (*PROGRAM, *words, "--plain", "--name", name, "--data", data)
        with (self.folder / name).open("wb") as out:
            self.people[name] = subprocess.Popen(
                self.net.command(SIX.index(name), line),
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=subprocess.STDOUT,
            )

    def type(self, name: str, line: str) -> None:
        """Somebody types a line."""
        self.say(f"{name} types: {line}")
        typed = self.people[name].stdin
        assert typed is not None
        typed.write(f"{line}\n".encode())
        typed.flush()

    def read(self, name: str) -> str:
        """All that somebody has read so far."""
        return (self.folder / name).read_text(errors="replace")

    def marks(self) -> dict[str, int]:
        """How much everybody has read so far."""
        return {name: len(self.read(name)) for name in SIX}

    def all_read(
        self, what: dict[str, Sequence[str]], since: dict[str, int], limit_s: float
    ) -> None:
        """Wait until all of these have read what fits this since then; a failure if they do not."""
        end = time.monotonic() + limit_s
        while lacks := [
            (name, text)
            for name, texts in what.items()
            for text in texts
            if not re.search(text, self.read(name)[since[name] :])
        ]:
            if time.monotonic() > end:
                name, text = lacks[0]
                raise NotShown(f"{name} has not read {text!r} within {limit_s:g} s")
            time.sleep(0.05)
        self.say(f"all have read: {next(iter(what.values()))[0]}")

    def nobody_reads(self, text: str, since: dict[str, int]) -> None:
        """A failure if somebody has read this since then."""
        for name in SIX:
            if text in self.read(name)[since[name] :]:
                raise NotShown(f"{name} has read {text!r}: {self.read(name)[since[name] :]}")


def gather(room: Room) -> None:
    """Sit down, and have the game dealt."""
    room.come("Ann", "host", *GAME, "--port", str(PORT))
    room.all_read({"Ann": ("seats taken",)}, dict.fromkeys(SIX, 0), 30.0)
    for name in SIX[1:]:
        room.come(name, "join", f"{room.net.address(0)}:{PORT}")
    dealt = dict.fromkeys(SIX, ("Round 1 of 2 is dealt",))
    room.all_read(dealt, dict.fromkeys(SIX, 0), 120.0)
    time.sleep(15.0)


def see_cut(room: Room, one: Sequence[str], other: Sequence[str]) -> None:
    """Cut the bridge: everybody reads who is away, and what can be done about it."""
    since = room.marks()
    room.net.split(*map(SIX.index, other))
    room.say(f"{', '.join(one)} | {', '.join(other)}")
    away = {
        name: tuple(f"{who} (has not answered|is gone)" for who in theirs)
        for names, theirs in ((one, other), (other, one))
        for name in names
    }
    room.all_read(away, since, DROP_S + CLOCK_CHECK_S + SLACK_S)
    few = len(other) if len(other) < len(one) else 0
    waits = dict.fromkeys((*one, *other) if not few else other, ("You can only wait",))
    votes = dict.fromkeys(one if few else (), ("Rather than wait, you can vote: without",))
    room.all_read(waits | votes, since, 10.0)


def see_healed(room: Room, one: Sequence[str], other: Sequence[str]) -> None:
    """Heal it: everybody is back for everybody, and no vote is told."""
    since = room.marks()
    room.net.heal()
    room.say("healed")
    back = {
        name: tuple(f"{who} is back" for who in theirs)
        for names, theirs in ((one, other), (other, one))
        for name in names
    }
    room.all_read(back, since, 15.0)
    time.sleep(SUSPECT_S + SLACK_S)
    room.nobody_reads("to go on without", since)


def evening(room: Room) -> None:
    """All of it, in order."""
    gather(room)
    ann, ben, cy, dee, eve, flo = SIX
    one, other = (ann, ben, cy), (dee, eve, flo)
    for _ in range(2):
        see_cut(room, one, other)
        room.type(ann, f"without {dee}")
        room.type(ben, f"without {dee} {eve}")
        room.type(dee, f"without {ann}")
        room.type(eve, f"without {' '.join(one)}")
        time.sleep(SUSPECT_S + SLACK_S)  # programs that nobody attends follow these votes by then
        see_healed(room, one, other)
    few, rest = (eve, flo), (ann, ben, cy, dee)
    see_cut(room, rest, few)
    since = room.marks()
    for name in few:
        room.type(name, f"without {' '.join(rest)}")
    for name in rest:
        room.type(name, f"without {eve} {flo}")
    room.all_read(dict.fromkeys(rest, ("goes on without", "shuffles it again")), since, 20.0)
    time.sleep(10.0)
    see_healed(room, rest, few)
    room.all_read(dict.fromkeys(few, ("went on without you",)), since, 10.0)
    for name in few:
        if "Your hand is empty" in room.read(name)[since[name] :]:
            raise NotShown(f"{name} watches, and reads that a hand is empty")


@contextmanager
def six(net: Lan, folder: Path) -> Iterator[Room]:
    """A room in which nobody is left behind."""
    room = Room(net, folder)
    try:
        yield room
    finally:
        for process in room.people.values():
            process.kill()
            process.wait()


def main() -> int:
    """Play and report."""
    asked_of(argparse.ArgumentParser(description=__doc__))
    with lan(6) as net, tempfile.TemporaryDirectory() as name, six(net, Path(name)) as room:
        try:
            evening(room)
        except NotShown as problem:
            room.say(f"failed: {problem}")
            return 1
        room.say("all is well")
    return 0


if __name__ == "__main__":
    sys.exit(main())
