"""Processes of the program at one table, each on a host of its own with a data folder of its own.

One opens the table, the others find it over mDNS or by its address; all play by themselves and keep
their records.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from tests.lan.network import Lan

NAMES = (
    *("Ann", "Ben", "Cy", "Dee", "Eve", "Flo", "Gus"),
    *("Hal", "Ida", "Jon", "Kim", "Leo", "Mia", "Ned"),
)
"""As many as a table seats."""
PROGRAM = (sys.executable, "-m", "cli")


class NotShown(Exception):
    """What a scene is there to show did not happen, or was not told."""


@dataclass(frozen=True)
class Guest:
    """One process at the party."""

    name: str
    record: Path
    log: Path
    process: subprocess.Popen[bytes]

    def log_end(self, chars: int = 4000) -> str:
        """The last that it said."""
        return f"---- {self.name}\n{self.log.read_text(errors='replace')[-chars:]}"


@dataclass(frozen=True)
class Verdict:
    """What `boneyard verify` says of a record; without a record nothing but `says`."""

    ok: bool
    says: str
    finished: bool = False
    entries: int = 0
    digest: str = ""
    scores: tuple[tuple[int, ...], ...] = ()


@dataclass
class Party:
    """What is played (the words after `host`), where, and by whom.

    Guests find the table over mDNS, or know its `port`. Some tell `lies` (`tests.lan.liar`), by the
    number of their host.
    """

    net: Lan
    folder: Path
    words: Sequence[str]
    port: int = 0
    lies: Mapping[int, str] = field(default_factory=dict)
    guests: list[Guest] = field(default_factory=list)

    def arrive(self, host: int) -> None:
        """Start the process of one host; the first opens the table."""
        name = NAMES[host]
        log = self.folder / f"{name}.log"
        if host:
            words = ["join", *([f"{self.net.address(0)}:{self.port}"] if self.port else [])]
        else:
            words = ["host", "--seats", str(self.net.hosts), "--open", *self.words]
            words += ["--port", str(self.port)] if self.port else []
        log.touch()
        self.guests.append(Guest(name, self.folder / f"{name}.record", log, self._run(host, words)))

    def kill(self, host: int) -> None:
        """End a process without a word; `ip netns exec` has become the program."""
        process = self.guests[host].process
        process.kill()
        process.wait()

    def resume(self, host: int) -> None:
        """Start a killed process again, from its data folder."""
        self.guests[host] = replace(self.guests[host], process=self._run(host, ["resume"]))

    def data(self, host: int) -> Path:
        """The data folder of a host."""
        return self.folder / f"{NAMES[host]}.data"

    def _run(self, host: int, words: Sequence[str]) -> subprocess.Popen[bytes]:
        name = NAMES[host]
        lie = self.lies.get(host)
        program = PROGRAM if lie is None else (sys.executable, "-m", "tests.lan.liar", lie)
        words = [*program, *words, "--auto", "--plain", "--name", name]
        words += ["--record", str(self.folder / f"{name}.record"), "--data", str(self.data(host))]
        with (self.folder / f"{name}.log").open("ab") as out:
            return subprocess.Popen(
                self.net.command(host, words),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )

    def wait_for_play(self, lines: int, limit_s: float = 60.0) -> None:
        """Until the first guest has told of so many moves."""
        end = time.monotonic() + limit_s
        while time.monotonic() < end:
            if self.guests[0].log.read_text(errors="replace").count(" on ") >= lines:
                return
            time.sleep(0.05)
        raise RuntimeError("no play within the time allowed")

    def wait_for_end(self, limit_s: float) -> None:
        """Until all have ended well; a failure when somebody does not."""
        end = time.monotonic() + limit_s
        for guest in self.guests:
            try:
                code = guest.process.wait(max(1.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                raise RuntimeError(f"{guest.name} has not ended after {limit_s:g} s") from None
            if code:
                raise RuntimeError(f"{guest.name} ended with exit code {code}")

    def log_ends(self) -> str:
        """The last that everybody said."""
        return "\n".join(guest.log_end() for guest in self.guests)


@contextmanager
def party(
    net: Lan,
    folder: Path,
    words: Sequence[str],
    port: int = 0,
    lies: Mapping[int, str] = MappingProxyType({}),
) -> Iterator[Party]:
    """A party at which nobody is left behind."""
    made = Party(net, folder, words, port, lies)
    try:
        yield made
    finally:
        for guest in made.guests:
            guest.process.kill()
            guest.process.wait()


def verify(*records: Path) -> list[Verdict]:
    """What `boneyard verify` says of records, all at once."""
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
    )


def one_verdict(guests: Sequence[Guest]) -> Verdict:
    """What holds of the records of all guests; a failure if one does not, or they differ."""
    verdicts = verify(*(guest.record for guest in guests))
    for guest, verdict in zip(guests, verdicts, strict=True):
        if not verdict.ok or not verdict.finished:
            raise RuntimeError(f"{guest.name}: {verdict.says}")
    if len(set(verdicts)) != 1:
        raise RuntimeError("the records differ: " + ", ".join(each.digest for each in verdicts))
    return verdicts[0]
