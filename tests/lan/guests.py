"""Processes of the program at one table, each on a host and with a data folder of its own.

The output of each goes to a log, in which scenes wait for texts. The first to come is on the first
host. All processes are killed when their scene is over.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from tests.lan.network import Lan, asked_of, lan

NAMES = (
    *("Ann", "Ben", "Cy", "Dee", "Eve", "Flo", "Gus"),
    *("Hal", "Ida", "Jon", "Kim", "Leo", "Mia", "Ned"),
)
"""As many names as a table has seats."""
Result = TypeVar("Result")
PROGRAM = (sys.executable, "-m", "cli")


class NotShown(Exception):
    """An expected event did not happen or was not reported."""


def must(held: object, what: str) -> None:
    """Raise NotShown with the text `what` unless `held` is true."""
    if not held:
        raise NotShown(what)


def until(holds: Callable[[], Result | None], what: str, limit_s: float = 60.0) -> Result:
    """Wait until `holds` returns something true, and return it; raise NotShown after `limit_s`."""
    end = time.monotonic() + limit_s
    while not (found := holds()):
        must(time.monotonic() < end, f"not within {limit_s:.0f} s: {what}")
        time.sleep(0.02)
    return found


@dataclass(frozen=True)
class Guest:
    """One process of a party, and the files of its record and its output."""

    name: str
    record: Path
    log: Path
    process: subprocess.Popen[bytes]

    @property
    def said(self) -> str:
        """Everything that the process has printed so far."""
        return self.log.read_text(errors="replace")


@dataclass(frozen=True)
class Verdict:
    """The verdict of `boneyard verify` on a record.

    If the command printed no JSON, `ok` is False and `says` is all that it printed.
    """

    ok: bool
    says: str
    finished: bool = False
    entries: int = 0
    digest: str = ""
    scores: tuple[tuple[int, ...], ...] = ()
    convicted: tuple[str, ...] = ()
    """One sentence about each person whom the evidence files next to the record convict."""


@dataclass
class Party:
    """A scene, its network, and the processes in it by name."""

    net: Lan
    folder: Path
    scene: str
    began: float = field(default_factory=time.monotonic)
    places: dict[str, int] = field(default_factory=dict)
    guests: dict[str, Guest] = field(default_factory=dict)

    def say(self, text: str) -> None:
        """Print an observation, after the scene's name and the seconds since it began."""
        print(f"{self.scene} {time.monotonic() - self.began:6.1f} s  {text}", flush=True)

    def place(self, name: str) -> int:
        """Return the number of somebody's host; assign the next one if they have none yet."""
        return self.places.setdefault(name, len(self.places))

    def data(self, name: str) -> Path:
        """Return the path of somebody's data folder."""
        return self.folder / f"{name}.data"

    def run(self, name: str, words: Sequence[str]) -> Guest:
        """Start a process on somebody's host; its output is appended to their log."""
        log = self.folder / f"{name}.log"
        with log.open("ab") as out:
            process = subprocess.Popen(
                self.net.command(self.place(name), words),
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        self.guests[name] = Guest(name, self.folder / f"{name}.record", log, process)
        return self.guests[name]

    def come(self, name: str, *words: str, program: Sequence[str] = PROGRAM) -> Guest:
        """Start the program for somebody, with a record and a data folder of their own."""
        more = ("--record", str(self.folder / f"{name}.record"), "--data", str(self.data(name)))
        return self.run(name, (*program, *words, "--plain", "--name", name, *more))

    def types(self, name: str, line: str) -> None:
        """Type a line for somebody."""
        typed = self.guests[name].process.stdin
        assert typed is not None, "every process is started with a pipe"
        typed.write(f"{line}\n".encode())
        typed.flush()

    def types_aloud(self, name: str, line: str) -> None:
        """Print that somebody types a line, and type it for them."""
        self.say(f"{name} types: {line}")
        self.types(name, line)

    def said_at(self, name: str, *words: str) -> str:
        """Run a command on somebody's host, and return what it prints on standard output."""
        command = self.net.command(self.place(name), words)
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    def gather(
        self, seats: int, *words: str, port: int = 0, lies: Mapping[str, str] | None = None
    ) -> None:
        """Start an open table for `seats` players and have the others join; all play by themselves.

        They find it over mDNS or, if `port` is given, by its address. `lies` maps the names of
        liars to their lies (`tests.lan.liar`).
        """
        at = ("--port", str(port)) if port else ()
        self.come("Ann", "host", "--seats", str(seats), "--open", *words, *at, "--auto")
        self.reads("Ann", "Others join with")
        table = (f"{self.net.address(0)}:{port}",) if port else ()
        for name in NAMES[1:seats]:
            lie = (lies or {}).get(name)
            program = (sys.executable, "-m", "tests.lan.liar", lie) if lie else PROGRAM
            self.come(name, "join", *table, "--auto", program=program)

    def kill(self, name: str) -> None:
        """Kill somebody's process without warning, and wait for its end.

        The process is the program itself, because `ip netns exec` replaces itself with it.
        """
        self.guests[name].process.kill()
        self.guests[name].process.wait()
        self.say(f"killed {name}")

    def resume(self, name: str) -> None:
        """Start a killed process again from its data folder; from then on it plays by itself."""
        self.come(name, "resume", "--auto")
        self.say(f"{name} is started again")

    def reads(self, name: str, pattern: str, limit_s: float = 60.0, since: int = 0) -> str:
        """Wait until somebody's output after `since` matches this pattern.

        Return the last group of the match, or the whole match if the pattern has no group.
        """
        found = until(
            lambda: re.search(pattern, self.guests[name].said[since:]),
            f"{name} reads {pattern!r}",
            limit_s,
        )
        return found[found.re.groups]

    def wait_for_lines(self, name: str, text: str, number: int) -> None:
        """Wait until this text has appeared in somebody's output at least `number` times."""
        until(lambda: self.guests[name].said.count(text) >= number, f"{name} reads on", 60.0)

    def wait_for_play(self, moves: int) -> None:
        """Wait until the host has reported `moves` moves."""
        self.wait_for_lines("Ann", " on ", moves)

    def ends_well(
        self,
        limit_s: float = 240.0,
        without: str = "",
        codes: Collection[int] = (0,),
        liars: Collection[str] = (),
    ) -> Verdict:
        """Wait for all but `without` to end; check that their records agree; return the verdict.

        Every process must end with one of the exit codes in `codes`. The records of `liars` are
        not checked: one liar's statement may stop another before the end.
        """
        left = [guest for guest in self.guests.values() if guest.name != without]
        end = time.monotonic() + limit_s
        for guest in left:
            code = guest.process.wait(max(1.0, end - time.monotonic()))
            must(code in codes, f"{guest.name} ended with exit code {code}")
            must("Traceback" not in guest.said, f"{guest.name} printed a traceback")
        honest = [guest for guest in left if guest.name not in liars]
        verdicts = verify(*(guest.record for guest in honest))
        for guest, verdict in zip(honest, verdicts, strict=True):
            must(verdict.ok and verdict.finished, f"{guest.name}: {verdict.says}")
        # one record may have more entries that a decision made void, but the log is the same
        digests = [each.digest for each in verdicts]
        must(len(set(digests)) == 1, f"the records differ: {digests}")
        self.say(f"everybody's record, {verdicts[0].digest}: {verdicts[0].says}")
        return verdicts[0]


Scene = TypeVar("Scene", bound=Party)


def played(
    name: str, hosts: int, scene: Callable[[Scene], Result], kind: type[Scene]
) -> list[Result]:
    """Play a scene on a network of its own; return a list with its result.

    If the scene fails, print the end of each log and return an empty list.
    """
    with lan(hosts) as net, tempfile.TemporaryDirectory() as folder:
        held = kind(net, Path(folder), name)
        try:
            found = scene(held)
        except (NotShown, RuntimeError, subprocess.TimeoutExpired) as problem:
            held.say(f"failed: {problem}")
            for log in sorted(held.folder.glob("*.log")):
                print(f"---- {log.stem}\n{log.read_text(errors='replace')[-4000:]}", flush=True)
            return []
        finally:
            for guest in held.guests.values():
                guest.process.kill()
                guest.process.wait()
        held.say("ok")
    return [found]


def main_of(
    about: str,
    hosts: int,
    scenes: Mapping[str, Callable[[Scene], None]],
    kind: type[Scene],
    at_once: int | None = None,
) -> int:
    """Play the scenes named on the command line, or all; return 0 if all went well, or else 1.

    All run side by side, because most scenes only wait; with `at_once`, that many at a time.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("scenes", nargs="*", choices=[*scenes, []], help="which; all if none")
    names = asked_of(parser).scenes or list(scenes)
    with ThreadPoolExecutor(at_once or len(names)) as pool:
        good = list(pool.map(lambda name: played(name, hosts, scenes[name], kind), names))
    return 0 if all(good) else 1


def verify(*records: Path) -> list[Verdict]:
    """Return the verdicts of `boneyard verify` on records, all run at once."""
    asked = [
        subprocess.Popen(
            (*PROGRAM, "verify", "--json", str(record)),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for record in records
    ]
    return [_verdict(process.communicate()[0], process.returncode) for process in asked]


def _verdict(out: str, code: int) -> Verdict:
    try:
        said = json.loads(out)
    except ValueError:
        return Verdict(ok=False, says=out.strip())
    return Verdict(
        ok=code == 0 and said["ok"],
        says=said["sentence"],
        finished=said["finished"],
        entries=said["entries"],
        digest=said["head"],
        scores=tuple(map(tuple, said["scores"])),
        convicted=tuple(each["text"] for each in said.get("convicted", ())),
    )
