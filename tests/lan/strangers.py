"""Who may not come in: `python -m tests.lan.strangers [wrong-code | middle | changed-key …]`.

Real processes in namespaces on a bridge. `wrong-code`: three wrong join codes, after which the host
asks for another one. `middle`: somebody with a key of his own stands between a joiner and the
table, and passes everything on. `changed-key`: a host whose player was met before comes with
another key. Whoever is to be kept out must be told why and end with exit code 4; then the table
must fill and play to its end, with one record for all. Exit 0 if all is well.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from cli.exits import ExitCode
from netgame.io.disk.identity import KEY_FILE
from netgame.io.disk.known_peers import FILE_NAME
from netgame.io.door.codes import CODE_WORDS, JoinCode, parse_code
from netgame.limits import CODE_TRIES_PER_ADDRESS
from tests.lan.guests import PROGRAM, Guest, NotShown, one_verdict
from tests.lan.network import Lan, asked_of, lan

HOSTS = 3
PORT = 4747
WAIT_S = 60.0
STRANGER = "Mallory"
_FIRST_CODE = r"Newcomers need this code: (\S+)"
_NEXT_CODE = r"code of this table is now (\S+)\."


def say(text: str) -> None:
    """Tell what was seen, at once."""
    print(text, flush=True)


def must(held: object, what: str) -> None:
    """Go on only if something holds."""
    if not held:
        raise NotShown(what)


def found(file: Path, pattern: str) -> str:
    """Wait until a file holds this; the last group of it, or all."""
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        text = file.read_text(errors="replace") if file.exists() else ""
        match = re.search(pattern, text)
        if match is not None:
            return match[match.re.groups]
        time.sleep(0.05)
    raise NotShown(f"{file.name} never held {pattern!r}")


@dataclass
class Scene:
    """A network, a folder for all data, who sits at the table, and how many were refused."""

    net: Lan
    folder: Path
    seated: list[Guest] = field(default_factory=list)
    refusals: int = 0

    @property
    def table(self) -> str:
        """Where the table is."""
        return f"{self.net.address(0)}:{PORT}"

    @property
    def host_log(self) -> Path:
        """What the host of the table says."""
        return self.seated[0].log

    def known(self, name: str) -> Path:
        """The file of known peers of somebody."""
        return self.folder / name / FILE_NAME

    def _as(self, name: str, words: Sequence[str]) -> list[str]:
        """The program, run by somebody who plays by itself and has a data folder of their own."""
        data = str(self.folder / name)
        return [*PROGRAM, *words, "--auto", "--plain", "--name", name, "--data", data]

    @contextmanager
    def running(self, place: int, log: Path, words: list[str]) -> Iterator[subprocess.Popen[bytes]]:
        """A process in a namespace; it is killed in the end."""
        with log.open("wb") as out:
            process = subprocess.Popen(
                self.net.command(place, words),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    @contextmanager
    def _seat(self, place: int, name: str, words: Sequence[str]) -> Iterator[Guest]:
        record, log = self.folder / f"{name}.record", self.folder / f"{name}.log"
        record.unlink(missing_ok=True)
        words = self._as(name, [*words, "--record", str(record)])
        with self.running(place, log, words) as process:
            guest = Guest(name, record, log, process)
            self.seated.append(guest)
            try:
                yield guest
            finally:
                self.seated.remove(guest)

    @contextmanager
    def hosting(self) -> Iterator[str]:
        """Ann's table for two, as long as the block lasts; yields its join code."""
        words = ["host", "--seats", "2", "--port", str(PORT), "--set", "9", "--rounds", "1"]
        with self._seat(0, "Ann", words) as host:
            code = found(host.log, _FIRST_CODE)
            say(f"the host asks for {code}")
            yield code

    @contextmanager
    def sitting(self, place: int, name: str, code: str) -> Iterator[None]:
        """Somebody takes the other seat; with that the game begins."""
        with self._seat(place, name, ["join", self.table, "--code", code]):
            found(self.known("Ann"), f'name = "{name}"')
            found(self.known(name), 'name = "Ann"')
            say(f"{name} at {self.table} with {code}: has a seat")
            yield

    def refused(self, place: int, name: str, table: str, code: str = "") -> str:
        """Ask for a seat and be sent away; return with what sentence."""
        words = self._as(name, ["join", table, *(("--code", code) if code else ())])
        done = subprocess.run(
            self.net.command(place, words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=WAIT_S,
            check=False,
        )
        sentence = done.stdout.strip().rpartition("\n")[2]
        shown = f" with {code}" if code else ""
        say(f"{name} at {table}{shown}: exit code {done.returncode}: {sentence}")
        must(done.returncode == ExitCode.REFUSED, f"{name} was not refused: {done.stdout}")
        must("Traceback" not in done.stdout, done.stdout)
        self.refusals += 1
        return sentence

    def plays_on(self) -> None:
        """Everybody seated plays to the end, with one record, and nobody else is in it."""
        for guest in self.seated:
            must(guest.process.wait(WAIT_S) == 0, f"{guest.name} did not end well")
        verdict = one_verdict(self.seated)
        must(len(verdict.scores) > 0, "nobody has a score")
        for guest in self.seated:
            octets = guest.record.read_bytes()
            must(guest.name.encode() in octets, f"{guest.name} is not in the record")
            must(STRANGER.encode() not in octets, f"{STRANGER} is in the record")
        say(f"the table played on, all records are one: {verdict.says}")


# ---- the scenes -----------------------------------------------------------------------------


def wrong_codes(code: str) -> Iterator[str]:
    """Codes that differ from this one in one word."""
    right = parse_code(code)
    for word in CODE_WORDS:
        if word not in (right.first, right.second):
            yield str(JoinCode(right.number, right.first, word))


def told_of_old(code: str, fresh: str) -> str:
    """Return what somebody hears who brings the code from before: a fresh number shows it."""
    if parse_code(code).number == parse_code(fresh).number:
        return "join code is wrong"
    return "begins with another number; ask its host for the code shown now"


def wrong_code(scene: Scene) -> None:
    """Three wrong tries: each is refused, and then another code is asked for."""
    with scene.hosting() as code:
        for wrong, _ in zip(wrong_codes(code), range(CODE_TRIES_PER_ADDRESS), strict=False):
            said = scene.refused(1, STRANGER, scene.table, wrong)
            must("join code is wrong" in said, said)
        fresh = found(scene.host_log, _NEXT_CODE)
        say(f"the host says: {found(scene.host_log, '(Wrong join codes .*)')}")
        must(fresh != code, "the host kept its code")
        said = scene.refused(1, STRANGER, scene.table, fresh)
        must("wait a minute" in said, said)
        said = scene.refused(2, "Ben", scene.table, code)
        must(told_of_old(code, fresh) in said, said)
        with scene.sitting(2, "Ben", fresh):
            must(STRANGER not in scene.known("Ann").read_text(), "the host noted the stranger")
            scene.plays_on()


def middle(scene: Scene) -> None:
    """Who passes everything on gets nowhere, whether he passes on the proof of key or gives his."""
    between = f"{scene.net.address(2)}:{PORT}"
    with scene.hosting() as code:
        for flags, told in (((), "key was not proved"), (("--own-proof",), "code is wrong")):
            overheard = scene.folder / f"overheard{len(flags)}"
            words = [sys.executable, "-m", "tests.lan.middle", between, scene.table]
            words += [str(overheard), *flags]
            log = scene.folder / "middle.log"
            with scene.running(2, log, words):
                say(" ".join(("somebody", found(log, "(stands at .*)"), *flags)))
                said = scene.refused(1, "Ben", between, code)
            must(told in said and "somebody stands between" in said, said)
            check_overheard(overheard.read_bytes(), code)
            must(not scene.known("Ben").exists(), "Ben noted the one in the middle")
            must(not scene.known("Ann").exists(), "the host noted the one in the middle")
        must(re.search(_NEXT_CODE, scene.host_log.read_text()) is None, "the code was changed")
        with scene.sitting(1, "Ben", code):
            scene.plays_on()


def check_overheard(octets: bytes, code: str) -> None:
    """Both ends spoke through the one in the middle, and neither said a word of the code."""
    must(b"server-hello" in octets and b"client-proof" in octets, "nothing was overheard")
    right = parse_code(code)
    for word in (right.first, right.second):
        must(word.encode() not in octets, f"{word} was overheard")
    say(f"overheard {len(octets)} octets, no word of the code among them")


def changed_key(scene: Scene) -> None:
    """A player met before, at the same address with another key: stopped, nothing overwritten."""
    with scene.hosting() as code, scene.sitting(1, "Ben", code):
        say("both go away again")
    (scene.folder / "Ann" / KEY_FILE).unlink()
    before = scene.known("Ben").read_bytes()
    say("the host's key is replaced; its address and name stay")
    with scene.hosting() as code:
        for table, shown in (("Ann", ""), ("Ann", code), (scene.table, code)):
            said = scene.refused(1, "Ben", table, shown)
            must("WARNING" in said and "another key than before" in said, said)
            must(scene.known("Ben").read_bytes() == before, "the entry was overwritten")
        say("what Ben knows of the host is as it was")
        with scene.sitting(2, "Cy", code):
            scene.plays_on()


SCENES: dict[str, Callable[[Scene], None]] = {
    "wrong-code": wrong_code,
    "middle": middle,
    "changed-key": changed_key,
}


def play(name: str) -> str:
    """One scene on a network of its own; its line in the table, and all logs if it goes wrong."""
    say(f"== {name}")
    started = time.monotonic()
    with lan(HOSTS) as net, tempfile.TemporaryDirectory() as folder:
        scene, result = Scene(net, Path(folder)), "ok"
        try:
            SCENES[name](scene)
        except (NotShown, RuntimeError, subprocess.TimeoutExpired) as problem:
            result = "FAILED"
            say(f"failed: {problem}")
            for log in sorted(Path(folder).glob("*.log")):
                say(f"---- {log.name}\n{log.read_text(errors='replace')[-3000:]}")
    took = time.monotonic() - started
    return f"{name:<12} {scene.refusals:>7}  {took:>4.0f} s  {result}"


def main() -> int:
    """Play the scenes named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", nargs="*", choices=[*SCENES, []], help="which; all if none")
    wanted = asked_of(parser)
    lines = [play(name) for name in wanted.scenes or SCENES]
    say("\n".join(("", "scene        refused    took  table", *lines)))
    return 0 if all(line.endswith(" ok") for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
