"""A table and what a party does to it: `python -m tests.lan.survive [blips | rebuild | redeal …]`.

Four processes in namespaces on a bridge, found over mDNS. `blips`: the host is killed in
mid-round and comes back, one peer sleeps, one loses its interface and gets another address; all
end with one record. `rebuild`, `redeal`: one process never comes back; the others finish without
it. The games go on at the same time, each on a network of its own, as they mostly wait. Prints what
it sees; exit 0 if all is well.
"""

import argparse
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from tests.lan.guests import NAMES, Guest, Party, party, verify
from tests.lan.network import asked_of, ip, lan

Tell = Callable[[str], None]

HOSTS = 4
AWAY_S = 20.0


def say(game: str, text: str) -> None:
    """Tell what was done in a game, at once."""
    print(f"{game}: {text}", flush=True)


def blips(held: Party, tell: Tell, limit_s: float) -> bool:
    """Everybody is away once, and back; one record in the end."""
    held.wait_for_play(4)
    held.kill(0)
    tell(f"killed {NAMES[0]}, who opened the table")
    held.guests[1].process.send_signal(signal.SIGSTOP)
    tell(f"{NAMES[1]} sleeps")
    held.net.cut(2)
    tell(f"{NAMES[2]} has no network")
    time.sleep(5.0)
    held.resume(0)
    tell(f"{NAMES[0]} is started again")
    time.sleep(AWAY_S - 5.0)
    held.guests[1].process.send_signal(signal.SIGCONT)
    tell(f"{NAMES[1]} wakes up")
    name = held.net.name(2)
    ip("-n", name, "addr", "del", f"{held.net.address(2)}/24", "dev", "eth0")
    ip("-n", name, "addr", "add", "10.77.0.99/24", "dev", "eth0")
    held.net.restore(2)
    tell(f"{NAMES[2]} is back under another address")
    held.wait_for_end(limit_s)
    return same_records(held.guests, tell)


def gone(held: Party, tell: Tell, limit_s: float) -> bool:
    """One process never comes back; the others give it up and finish."""
    held.wait_for_play(6)
    held.kill(2)
    tell(f"killed {NAMES[2]}, for good")
    began = time.monotonic()
    stayed = [guest for guest in held.guests if guest.name != NAMES[2]]
    for guest in stayed:
        left = limit_s - (time.monotonic() - began)
        if guest.process.wait(max(1.0, left)) != 0:
            return False
    for guest in stayed:
        if f"goes on without {NAMES[2]}" not in guest.log.read_text(errors="replace"):
            tell(f"{guest.name} was not told that somebody left")
            return False
    return same_records(stayed, tell)


def same_records(guests: list[Guest], tell: Tell) -> bool:
    """Whether every record verifies, and all are one."""
    verdicts = verify(*(guest.record for guest in guests))
    for guest, verdict in zip(guests, verdicts, strict=True):
        tell(f"{guest.name}: {verdict.says}")
    digests = {verdict.digest for verdict in verdicts}
    tell("one final digest" if len(digests) == 1 else f"digests differ: {digests}")
    return len(digests) == 1 and all(verdict.ok and verdict.finished for verdict in verdicts)


GAMES: dict[str, tuple[tuple[str, ...], Callable[[Party, Tell, float], bool]]] = {
    "blips": (("--set", "9", "--rounds", "4"), blips),
    "rebuild": (("--set", "9", "--rounds", "2", "--patience", "minute"), gone),
    "redeal": (("--set", "9", "--rounds", "2", "--patience", "minute", "--leaver", "redeal"), gone),
}


def play(name: str, limit_s: float) -> bool:
    """One game; the ends of all logs if it goes wrong."""
    words, hurt = GAMES[name]
    tell = partial(say, name)
    started = time.monotonic()
    with (
        lan(HOSTS) as net,
        tempfile.TemporaryDirectory() as folder,
        party(net, Path(folder), words) as held,
    ):
        for host in range(HOSTS):
            held.arrive(host)
        try:
            good = hurt(held, tell, limit_s)
        except (RuntimeError, subprocess.TimeoutExpired) as problem:
            tell(f"failed: {problem}")
            good = False
        if not good:
            tell(held.log_ends())
    tell(f"{'ok' if good else 'FAILED'} after {time.monotonic() - started:.0f} s")
    return good


def main() -> int:
    """Play the games named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*GAMES, []], help="which; all if none")
    parser.add_argument("--seconds", type=float, default=240.0, help="longest game")
    wanted = asked_of(parser)
    names = list(dict.fromkeys(wanted.games)) or list(GAMES)
    with ThreadPoolExecutor(len(names)) as pool:
        good = list(pool.map(partial(play, limit_s=wanted.seconds), names))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
