"""A network that keeps guests apart: `python -m tests.lan.isolated [two | four | guest | gone …]`.

As many a guest Wi-Fi does (client isolation): everybody reaches the host, no guest another guest,
not even by mDNS. What guests sign comes to each other through the host. At all tables a player who
is away is removed once the table has waited a minute. `two`, `four`: the host thinks for longer
than that about a move, and so many guests have nothing to say meanwhile; `guest`: one of four
guests thinks as long. They play a whole game, and nobody is missed. `gone`: one of four guests
vanishes, and the others go on without it after that minute, and lose nobody else. The scenes go
on side by side, each on a network of its own. Prints what it sees; exit 0 if all is well.
"""

import sys
import time
from collections.abc import Callable

from netgame.limits import CLOCK_CHECK_S, DROP_S
from netgame.protocol.peer.people.wishes import PATIENCE_S
from netgame.protocol.state.options import Patience
from tests.lan.guests import NAMES, Party, main_of, must

HOSTS = 5
PORT = 4747
GAME = ("--set", "9", "--rounds", "1", "--patience", "minute")
THINKS_S = PATIENCE_S[Patience.MINUTE] + DROP_S + CLOCK_CHECK_S + 5.0
"""When links alone counted, whoever had none was missed by then."""
SLACK_S = 30.0
"""What a poll takes, and what a busy computer does."""
GOES = "go on without", "goes on without", "went on without"
AWAY = "is gone", "not connected", "has not answered"
"""What is said of somebody who is missed, or away."""


def gather(held: Party, guests: int, thinker: str = "") -> None:
    """Have so many guests, kept apart, at a table; all but one play by themselves."""
    held.net.isolate(*range(1, held.net.hosts))
    table, names = f"{held.net.address(0)}:{PORT}", NAMES[: guests + 1]
    plays = {name: () if name == thinker else ("--auto",) for name in names}
    more = ("--seats", str(len(names)), "--open", "--port", str(PORT))
    held.come("Ann", "host", *GAME, *more, *plays["Ann"])
    held.reads("Ann", "Others join with")
    for name in names[1:]:
        held.come(name, "join", table, *plays[name])
    for name in names:
        held.reads(name, "Round 1 of 1 is dealt", 120.0)


def nobody_reads(held: Party, *texts: str) -> None:
    """A failure if somebody has read one of these."""
    for guest in held.guests.values():
        for text in texts:
            must(text not in guest.said, f"{guest.name} has read {text!r}")


def whole_game(held: Party, guests: int, thinker: str) -> None:
    """Play a game in which one of them thinks for long; nobody is missed, nor said to be away."""
    gather(held, guests, thinker)
    asked = "Type a number"
    held.reads(thinker, asked)
    held.say(f"{thinker} thinks")
    time.sleep(THINKS_S)
    held.say(f"{thinker} plays on")
    nobody_reads(held, *GOES, *AWAY)
    play_first_choices(held, thinker, asked)
    held.ends_well()
    nobody_reads(held, *GOES, *AWAY)


def two(held: Party) -> None:
    """Two guests, who have no link to each other."""
    whole_game(held, 2, "Ann")


def four(held: Party) -> None:
    """Four, of whom three have no link to the fourth: enough to go on without it."""
    whole_game(held, 4, "Ann")


def guest(held: Party) -> None:
    """While a guest thinks, their program signs nothing; the host, linked to it, knows better."""
    whole_game(held, 4, "Ben")


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
    gather(held, 4)
    held.wait_for_play(4)
    held.kill("Cy")
    began = time.monotonic()
    text = "The table goes on without Cy"
    held.reads("Ann", text, THINKS_S + SLACK_S)
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
    "guest": guest,
    "gone": gone,
}

if __name__ == "__main__":
    sys.exit(main_of(__doc__, HOSTS, SCENES, Party))
