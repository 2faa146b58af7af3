"""A network that keeps guests apart: `python -m tests.lan.isolated [two | four | thinks | gone …]`.

As many a guest Wi-Fi does (client isolation): everybody reaches the host, no guest another guest,
not even by mDNS. What guests sign comes to each other through the host. At all tables a player who
is away is removed after a minute. `two`, `four`: so many guests play a game with the host that
lasts longer than that, and nobody is missed. `thinks`: the first of four guests is a person, who
thinks for a minute and a half. `gone`: one of four guests vanishes, and is gone without after that
minute, alone. The scenes go on side by side, each on a network of its own. Prints what it sees;
exit 0 if all is well.
"""

import sys
import time
from collections.abc import Callable, Sequence

from netgame.limits import CLOCK_CHECK_S, DROP_S
from netgame.protocol.fold.options import Patience
from netgame.protocol.peer.people.wishes import PATIENCE_S
from tests.lan.guests import NAMES, Party, main_of, must

HOSTS = 5
PORT = 4747
GAME = ("--set", "9", "--patience", "minute")
LONG_S = PATIENCE_S[Patience.MINUTE] + DROP_S + CLOCK_CHECK_S
"""After so long whoever has had no link was missed, when only links counted."""
THINKS_S = 1.5 * PATIENCE_S[Patience.MINUTE]
SLACK_S = 30.0
"""What a poll takes, and what a busy computer does."""
GOES = "go on without", "goes on without", "went on without"
AWAY = "is gone", "not connected", "has not answered"
"""What is said of somebody who is missed, or away."""


def gather(held: Party, guests: int, *words: str, people: Sequence[str] = ()) -> None:
    """Have so many guests, kept apart, at a table on which the host takes its time."""
    held.net.isolate(*range(1, held.net.hosts))
    table, seats = f"{held.net.address(0)}:{PORT}", guests + 1
    more = ("--seats", str(seats), "--open", "--port", str(PORT), "--auto")
    held.come("Ann", "host", *GAME, *words, *more)
    held.reads("Ann", "Others join with")
    for name in NAMES[1:seats]:
        held.come(name, "join", table, *(() if name in people else ("--auto",)))
    for name in NAMES[:seats]:
        held.reads(name, "Round 1 of . is dealt", 120.0)


def nobody_reads(held: Party, *texts: str) -> None:
    """A failure if somebody has read one of these."""
    for guest in held.guests.values():
        for text in texts:
            must(text not in guest.said, f"{guest.name} has read {text!r}")


def whole_game(held: Party, guests: int) -> None:
    """Play a game that is long enough for somebody to be missed."""
    gather(held, guests, "--rounds", "1", "--pace", "7")
    began = time.monotonic()
    held.ends_well(400.0)
    lasted = time.monotonic() - began
    held.say(f"they played for {lasted:.0f} s")
    must(lasted > LONG_S, "too short to show anything: the host has to take more time")
    nobody_reads(held, *GOES, *AWAY)


def two(held: Party) -> None:
    """Two guests, who have no link to each other."""
    whole_game(held, 2)


def four(held: Party) -> None:
    """Four, of whom three have no link to the fourth: enough to go on without it."""
    whole_game(held, 4)


def thinks(held: Party) -> None:
    """While a guest thinks, their program signs nothing; the host, linked to it, knows better."""
    name = NAMES[1]
    gather(held, 4, "--rounds", "1", people=(name,))
    asked = "Type a number"
    held.reads(name, asked)
    held.say(f"{name} thinks")
    time.sleep(THINKS_S)
    nobody_reads(held, *GOES, *AWAY)
    held.say(f"{name} plays on")
    play_first_choices(held, name, asked)
    held.ends_well()
    nobody_reads(held, *GOES, *AWAY)


def play_first_choices(held: Party, name: str, asked: str) -> None:
    """Type 1 whenever somebody is asked for a number, until their program has ended."""
    guest, answered = held.guests[name], 0
    while guest.process.poll() is None:
        if guest.said.count(asked) > answered:
            answered += 1
            typed = guest.process.stdin
            typed.write(b"1\n")
            typed.flush()
        time.sleep(0.05)


def gone(held: Party) -> None:
    """A guest is killed; those who heard it through the host go on by the host's word."""
    gather(held, 4, "--rounds", "1")
    held.wait_for_play(4)
    held.kill("Cy")
    began = time.monotonic()
    text = "The table goes on without Cy"
    held.reads("Ann", text, LONG_S + SLACK_S)
    took = time.monotonic() - began
    held.say(f"they go on without Cy after {took:.0f} s")
    must(took > PATIENCE_S[Patience.MINUTE], "that was too soon")
    held.ends_well(without="Cy")
    for name in ("Ann", "Ben", "Dee", "Eve"):
        must(held.guests[name].said.count("goes on without") == 1, f"{name} has lost others, too")
        held.reads(name, text, 1.0)


SCENES: dict[str, Callable[[Party], None]] = {
    "two": two,
    "four": four,
    "thinks": thinks,
    "gone": gone,
}

if __name__ == "__main__":
    sys.exit(main_of(__doc__, HOSTS, SCENES, Party))
