"""A table and what a party does to it: `python -m tests.lan.survive [blips | asleep | rebuild …]`.

Four processes in namespaces on a bridge, found over mDNS. `blips`: the host is killed in
mid-round and comes back, one peer is stopped, one loses its interface and gets another address; all
end with one record. `asleep`: a computer sleeps, its clock stands still, and it wakes; nobody reads
there that the others are gone. `rebuild`, `redeal`: one process never comes back; the others finish
without it. The games go on at the same time, each on a network of its own, as they mostly wait.
Prints what it sees; exit 0 if all is well.
"""

import signal
import sys
import time

from netgame.limits import DROP_S
from tests.lan.guests import Party, main_of, must
from tests.lan.network import ip
from tests.lan.sleeper import lags

HOSTS = 4
AWAY_S = 20.0


def blips(held: Party) -> None:
    """Three of four players are away and come back, and all records agree in the end."""
    held.gather(HOSTS, "--set", "9", "--rounds", "4")
    held.wait_for_play(4)
    held.kill("Ann")
    held.guests["Ben"].process.send_signal(signal.SIGSTOP)
    held.say("Ben sleeps")
    cy = held.place("Cy")
    held.net.cut(cy)
    held.say("Cy has no network")
    time.sleep(5.0)
    held.resume("Ann")
    time.sleep(AWAY_S - 5.0)
    held.guests["Ben"].process.send_signal(signal.SIGCONT)
    held.say("Ben wakes up")
    said = held.reads("Ben", r"This program was stopped for (\d+) s", 10.0)
    must(abs(int(said) - AWAY_S) < 3.0, f"it says that it was stopped for {said} s")
    name = held.net.name(cy)
    ip("-n", name, "addr", "del", f"{held.net.address(cy)}/24", "dev", "eth0")
    ip("-n", name, "addr", "add", "10.77.0.99/24", "dev", "eth0")
    held.net.restore(cy)
    held.say("Cy is back under another address")
    held.ends_well()


def rebuild(held: Party, *leaver: str) -> None:
    """One process never comes back; the others go on without it and finish."""
    held.gather(HOSTS, "--set", "9", "--rounds", "2", "--patience", "minute", *leaver)
    held.wait_for_play(6)
    held.kill("Cy")
    held.ends_well(without="Cy")
    for name in ("Ann", "Ben", "Dee"):
        held.reads(name, "goes on without Cy", 1.0)


def redeal(held: Party) -> None:
    """Play `rebuild` under the rule that the round is dealt again when somebody leaves."""
    rebuild(held, "--leaver", "redeal")


def asleep(held: Party) -> None:
    """A computer sleeps and wakes: its screen says so, and never that somebody else was gone."""
    lag = held.folder / "lag"
    lags(lag, 0.0)
    held.come(
        "Ann", "host", "--seats", str(HOSTS), "--open", "--set", "9", "--rounds", "2", "--auto"
    )
    held.reads("Ann", "Others join with")
    sleeper = (sys.executable, "-m", "tests.lan.sleeper", str(lag))
    held.come("Ben", "join", "--auto", program=sleeper)
    for name in ("Cy", "Dee"):
        held.come(name, "join", "--auto")
    held.wait_for_play(6)
    ben = held.guests["Ben"]
    held.net.cut(held.place("Ben"))
    ben.process.send_signal(signal.SIGSTOP)
    before, since = time.monotonic(), len(ben.said)
    held.say("Ben's computer sleeps")
    for name in ("Ann", "Cy", "Dee"):
        held.reads(name, "Ben (has not answered|is gone)", DROP_S + 10.0)
    time.sleep(5.0)
    slept = time.monotonic() - before
    lags(lag, slept)
    held.net.restore(held.place("Ben"))
    ben.process.send_signal(signal.SIGCONT)
    held.say(f"Ben's computer wakes after {slept:.1f} s")
    said = held.reads("Ben", r"This computer slept for (\d+) s", 10.0, since)
    must(abs(int(said) - slept) < 2.0, f"it says that it slept for {said} s")
    for name in ("Ann", "Cy", "Dee"):
        held.reads(name, "Ben is back", 20.0)
    time.sleep(3.0)
    for text in ("is gone", "has not answered", "not connected", "is back"):
        must(text not in ben.said[since:], f"Ben reads that somebody {text}")
    held.ends_well()


SCENES = {"blips": blips, "asleep": asleep, "rebuild": rebuild, "redeal": redeal}

if __name__ == "__main__":
    sys.exit(main_of(__doc__, HOSTS, SCENES, Party))
