"""A network that keeps guests apart: `python -m tests.lan.isolated [two | four …]`.

As many a guest Wi-Fi does (client isolation): everybody reaches the host, no guest another guest,
not even by mDNS. What guests sign comes to each other through the host. `two`, `four`: so many
guests play a whole game with the host, at a table that waits a minute, and nobody is missed.
`gone`: the same table of five, where one of the guests vanishes, and is gone without after that
minute. `ponders`: one of four guests is a person who thinks for a minute and a half about each of
their first two turns, while all others play by themselves; nobody misses them. The scenes go on
side by side, each on a network of its own. Prints what it sees; exit 0 if all is well.
"""

import sys
import time

from netgame.limits import CLOCK_CHECK_S, DROP_S
from netgame.protocol.fold.options import Patience
from netgame.protocol.peer.people.wishes import PATIENCE_S
from tests.lan.guests import NAMES, Party, main_of, must
from tests.lan.network import ip

HOSTS = 5
PORT = 4747
PATIENCE = PATIENCE_S[Patience.MINUTE]
GAME = ("--set", "9", "--patience", "minute")
NOBODY_GOES = ("go on without", "goes on without", "went on without", "not connected", "is gone")
"""Of this nothing is said at a table where nobody is missed."""


def keep_apart(held: Party) -> None:
    """Let frames of a guest come to the host alone, who has the first port of the bridge."""
    for host in range(1, held.net.hosts):
        port = f"port{host}"
        bridge = f"{held.net.prefix}-br"
        ip("-n", bridge, "link", "set", port, "type", "bridge_slave", "isolated", "on")
    held.say("the bridge keeps guests apart")


def nobody_is_missed(held: Party) -> None:
    """A failure if anybody has read that somebody is away, or that others would go on."""
    for guest in held.guests.values():
        for text in NOBODY_GOES:
            must(text not in guest.said, f"{guest.name} has read {text!r}")


def whole_game(held: Party, seats: int, rounds: int, longer_than_s: float) -> None:
    """Play a whole game, which must last long enough to have been in danger."""
    keep_apart(held)
    held.gather(seats, *GAME, "--rounds", str(rounds), port=PORT)
    held.reads("Ann", "Round 1 of")
    began = time.monotonic()
    held.ends_well(600.0)
    lasted = time.monotonic() - began
    held.say(f"the game lasted for {lasted:.0f} s")
    must(lasted > longer_than_s, "too short to show anything: play more rounds")
    nobody_is_missed(held)


def two(held: Party) -> None:
    """Two guests who have no link to each other."""
    whole_game(held, 3, 4, 0.0)


def four(held: Party) -> None:
    """Four guests, each without a link to the three others: enough to vote one off."""
    whole_game(held, 5, 4, 0.0)


SCENES = {"two": two, "four": four}

if __name__ == "__main__":
    sys.exit(main_of(__doc__, HOSTS, SCENES, Party))
