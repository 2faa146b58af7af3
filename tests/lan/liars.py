"""Liars at a table of real processes: `python -m tests.lan.liars [statements | majority | silent]`.

Each computer is a namespace on a bridge. `statements`: one of three says, in every step, that all
others go, by promises that nobody has; the host is killed and resumed meanwhile. `majority`: two of
three say when the game is over that their logs ended long before, and that the third, the host,
goes: it names them, and the game stands. `silent`: sixty-four keys prove themselves at the door of
an open table and never say hello, while a guest is killed and comes back. In each the game must go
on to its end, with one record for all, and nobody may be told that the others went on without them.
Exit 0 if all is well.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from netgame.limits import HELLO_S, LINKS_KEPT, LINKS_MAX
from tests.lan.guests import NAMES, Party, one_verdict, party
from tests.lan.network import asked_of, lan
from tests.lan.strangers import NotShown, found
from tests.lan.survive import say

HOSTS = 3
PORT = 4747
_GONE_ON = ("gone on without you", "goes on without")
_WORDS = ("--set", "9", "--rounds", "2")


@dataclass(frozen=True)
class Scene:
    """Who lies, by the number of the host, and how often at least; if the host names a liar."""

    lies: Mapping[int, str]
    times: int = 20
    convicts: bool = False


SCENES: Mapping[str, Scene] = {
    "statements": Scene({2: "groundless"}),
    "majority": Scene({1: "long-gone", 2: "long-gone"}, times=1, convicts=True),
    "silent": Scene({}),
}


def come_back(held: Party, tell: partial[None], guest: int) -> None:
    """One process is killed in mid-game and started again."""
    held.wait_for_play(4)
    held.kill(guest)
    tell(f"killed {NAMES[guest]}")
    time.sleep(2.0)
    held.resume(guest)
    tell(f"{NAMES[guest]} is started again")


def silent_crowd(held: Party, log: Path) -> subprocess.Popen[bytes]:
    """Sixty-four keys at the door, from the host that no player uses."""
    words = [sys.executable, "-m", "tests.lan.liar", "silent"]
    words += [f"{held.net.address(0)}:{PORT}", str(LINKS_MAX)]
    with log.open("wb") as out:
        return subprocess.Popen(
            held.net.command(HOSTS, words), stdout=out, stderr=subprocess.STDOUT
        )


def besiege(held: Party, tell: partial[None], log: Path) -> None:
    """The guests sit; the crowd takes what links there are, and a guest comes back."""
    held.wait_for_play(2)
    crowd = silent_crowd(held, log)
    try:
        end = time.monotonic() + 60.0
        while log.read_text().count(" in") < LINKS_MAX - LINKS_KEPT - HOSTS:
            if time.monotonic() > end:
                raise RuntimeError(f"the crowd never came in: {log.read_text()[-500:]}")
            time.sleep(0.05)
        come_back(held, tell, 2)
        time.sleep(HELLO_S)
    finally:
        crowd.kill()
        crowd.wait()
    said = log.read_text()
    tell(f"{said.count(' in')} silent links came in, {said.count('hung up')} were hung up on")
    if not said.count("hung up"):
        raise RuntimeError("nobody silent was hung up on")


def is_well(held: Party, lies: Mapping[int, str], times: int) -> str:
    """What went wrong, or an empty string."""
    for number, guest in enumerate(held.guests):
        text = guest.log.read_text(errors="replace")
        if number in lies and text.count("lied at step") < times:
            return f"{guest.name} has hardly lied"
        for words in _GONE_ON:
            if words in text:
                return f"{guest.name} was told: {words}"
        if "Traceback" in text:
            return f"{guest.name}: a traceback"
    return ""


def play(name: str, limit_s: float) -> bool:
    """One scene; the ends of all logs if it goes wrong."""
    scene, tell, started = SCENES[name], partial(say, name), time.monotonic()
    with (
        lan(HOSTS + 1) as net,
        tempfile.TemporaryDirectory() as folder,
        party(net, Path(folder), (*_WORDS, "--seats", str(HOSTS)), PORT, scene.lies) as held,
    ):
        held.arrive(0)
        try:
            found(held.guests[0].log, "Others join with")
            for host in range(1, HOSTS):
                held.arrive(host)
            if name == "silent":
                besiege(held, tell, Path(folder) / "crowd")
            else:
                come_back(held, tell, 0)
            if scene.convicts:
                for guest in held.guests:
                    guest.process.wait(limit_s)
                found(held.guests[0].log, "an entry that a promise rules out")
            else:
                held.wait_for_end(limit_s)
            verdict = one_verdict(held.guests)
            tell(f"everybody's record, {verdict.digest}: {verdict.says}")
            wrong = is_well(held, scene.lies, scene.times)
        except (NotShown, RuntimeError, subprocess.TimeoutExpired) as problem:
            wrong = str(problem)
        if wrong:
            tell(f"failed: {wrong}\n{held.log_ends()}")
    tell(f"{'FAILED' if wrong else 'ok'} after {time.monotonic() - started:.0f} s")
    return not wrong


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the scenes named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", nargs="*", choices=[*SCENES, []], help="which; all if none")
    parser.add_argument("--seconds", type=float, default=180.0, help="longest game")
    wanted = asked_of(parser, arguments)
    names = list(dict.fromkeys(wanted.scenes)) or list(SCENES)
    with ThreadPoolExecutor(len(names)) as pool:
        good = list(pool.map(partial(play, limit_s=wanted.seconds), names))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
