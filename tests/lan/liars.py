"""Liars at a table of real processes: `python -m tests.lan.liars [statements | majority | silent]`.

Each computer is a namespace on a bridge. `statements`: one of three says, in every step, that all
others go, by promises that nobody has; the host is killed and resumed meanwhile. `majority`: two of
three say when the game is over that their logs ended long before, and that the third, the host,
goes: it names them, and the game stands. `silent`: sixty-four keys prove themselves at the door of
an open table and never say hello, while a guest is killed and comes back. In each the game must go
on to its end, with one record for all, and nobody may be told that the others went on without them.
Exit 0 if all is well.
"""

import sys
import time
from collections.abc import Collection

from cli.exits import ExitCode
from netgame.limits import HELLO_S, LINKS_KEPT, LINKS_MAX
from tests.lan.guests import Party, main_of, must

HOSTS = 3
PORT = 4747
_LIES_MIN = 20


def come_back(held: Party, name: str) -> None:
    """Kill one process in mid-game and start it again."""
    held.wait_for_play(4)
    held.kill(name)
    time.sleep(2.0)
    held.resume(name)


def silent(held: Party) -> None:
    """Silent keys take all free links while a guest is killed and comes back.

    The host must hang up on some of them.
    """
    gather(held, {})
    held.wait_for_play(2)
    words = (sys.executable, "-m", "tests.lan.liar", "silent", f"{held.net.address(0)}:{PORT}")
    crowd = held.run("crowd", (*words, str(LINKS_MAX)))
    held.wait_for_lines("crowd", " in", LINKS_MAX - LINKS_KEPT - HOSTS)
    come_back(held, "Cy")
    time.sleep(HELLO_S)
    held.kill("crowd")
    del held.guests["crowd"]
    ended = crowd.said.count("hung up")
    held.say(f"{crowd.said.count(' in')} silent links came in, {ended} were hung up on")
    must(ended, "nobody silent was hung up on")
    goes_on(held)


def statements(held: Party) -> None:
    """One player lies in every step, while the host is killed and comes back."""
    gather(held, {"Cy": "groundless"})
    come_back(held, "Ann")
    goes_on(held)
    must(held.guests["Cy"].said.count("lied at step") >= _LIES_MIN, "Cy has hardly lied")


def gather(held: Party, lies: dict[str, str]) -> None:
    """Start three players; `lies` maps each liar's name to the lie told."""
    held.gather(HOSTS, "--set", "9", "--rounds", "2", port=PORT, lies=lies)


def goes_on(held: Party, convicts: Collection[str] = ()) -> None:
    """Wait for the end of the game; nobody may read that the table goes on without a player.

    If `convicts` are named, their records are not checked, and programs may end with any exit code.
    """
    held.ends_well(codes=tuple(ExitCode) if convicts else (0,), liars=convicts)
    for guest in held.guests.values():
        for words in ("gone on without you", "goes on without"):
            must(words not in guest.said, f"{guest.name} was told: {words}")


def majority(held: Party) -> None:
    """Two of three lie, unless the first lie stops the second liar; the third convicts a liar."""
    lies = {"Ben": "long-gone", "Cy": "long-gone"}
    gather(held, lies)
    come_back(held, "Ann")
    goes_on(held, lies)
    must(any("lied at step" in held.guests[name].said for name in lies), "nobody has lied")
    held.reads("Ann", "an entry that a promise rules out", 1.0)


SCENES = {"statements": statements, "majority": majority, "silent": silent}

if __name__ == "__main__":
    sys.exit(main_of(__doc__, HOSTS + 1, SCENES, Party))
