"""A network that keeps guests apart: `python -m tests.lan.isolated [two | four | guest | gone …]`.

As many a guest Wi-Fi does (client isolation): everybody reaches the host, no guest another guest,
not even by mDNS. The host forwards a link between every two of them. At all tables a player who
is away is removed once the table has waited a minute. `two`, `four`: the host thinks for longer
than that about a move, and so many guests have nothing to say meanwhile; `guest`: one of four
guests thinks as long. They play a whole game, and nobody is missed. `gone`: one of four guests
vanishes, and the others go on without it after that minute, and lose nobody else. `host`: the host
vanishes, and two guests who are apart play on by a third, whom all reach. `firewall`: nobody can
open a connection to one guest, who dials the others, so that no link is forwarded. `tunnel`: one
guest has a tunnel to the host and nothing else, in a network of its own. The scenes go on side by
side, each on a network of its own. Prints what it sees; exit 0 if all is well.
"""

import re
import sys
import time
from collections.abc import Callable, Collection, Mapping

from netgame.limits import CLOCK_CHECK_S, DROP_S
from netgame.protocol.peer.people.wishes import PATIENCE_S
from netgame.protocol.state.options import Patience
from tests.lan.guests import NAMES, Party, main_of, must, until
from tests.lan.told import FORWARDED

HOSTS = 5
PORT = 4747
GAME = ("--set", "9", "--rounds", "1", "--patience", "minute")
THINKS_S = PATIENCE_S[Patience.MINUTE] + DROP_S + CLOCK_CHECK_S + 5.0
"""Long enough for a player without direct links to be missed, if only direct links counted."""
SLACK_S = 30.0
"""Time for a poll, and for a busy computer."""
GOES = "go on without", "goes on without", "went on without"
AWAY = "is gone", "not connected", "has not answered"
"""Phrases about a player who is missed or away."""


TOLD = (sys.executable, "-m", "tests.lan.told")


def gather(
    held: Party,
    guests: int,
    thinker: str = "",
    reached: Collection[int] = (),
    at: Mapping[str, str] | None = None,
) -> None:
    """Start a table with this many guests, kept apart; all but the thinker play by themselves.

    Guests on the hosts `reached` are not kept apart. Guests named in `at` join at the address that
    it gives for them.
    """
    held.net.isolate(*(host for host in range(1, held.net.hosts) if host not in reached))
    names, found = NAMES[: guests + 1], at or {}
    plays = {name: () if name == thinker else ("--auto",) for name in names}
    more = ("--seats", str(len(names)), "--open", "--port", str(PORT))
    held.come("Ann", "host", *GAME, *more, *plays["Ann"], program=TOLD)
    held.reads("Ann", "Others join with")
    for name in names[1:]:
        table = f"{found.get(name, held.net.address(0))}:{PORT}"
        held.come(name, "join", table, *plays[name], program=TOLD)
    for name in names:
        held.reads(name, "Round 1 of 1 is dealt", 120.0)


def forwarders(held: Party, name: str) -> dict[str, str]:
    """Return the forwarder of each forwarded link of `name`: the one that was printed last.

    A link is named by the key of the peer at its far end, and a forwarder by its own key.
    """
    told = re.findall(FORWARDED + r"(\w+) to (\w+)", held.guests[name].said)
    return {peer: by for by, peer in told}


def wait_for_forwarded(held: Party, names: Collection[str]) -> None:
    """Wait until all these players, who are kept apart, are linked; print the number of links."""
    others = len(names) - 1
    for name in names:
        until(lambda name=name: len(forwarders(held, name)) == others, f"{name} is linked to all")
    held.say(f"{len(names) * others // 2} forwarded links")


def nobody_reads(held: Party, *texts: str) -> None:
    """Raise NotShown if anybody has read one of these texts."""
    for guest in held.guests.values():
        for text in texts:
            must(text not in guest.said, f"{guest.name} has read {text!r}")


def whole_game(held: Party, guests: int, thinker: str) -> None:
    """Play a game in which one player thinks for long; nobody may be called gone or given up."""
    gather(held, guests, thinker)
    wait_for_forwarded(held, NAMES[1 : guests + 1])
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
    """Two guests are linked only by the host; nobody is missed while the host thinks for long."""
    whole_game(held, 2, "Ann")


def four(held: Party) -> None:
    """Four guests are linked only by the host; nobody is missed while the host thinks for long.

    Any three of them would be enough to vote the fourth out.
    """
    whole_game(held, 4, "Ann")


def guest(held: Party) -> None:
    """Four guests are linked only by the host; nobody is missed while one of them thinks long."""
    whole_game(held, 4, "Ben")


def play_first_choices(held: Party, name: str, asked: str) -> None:
    """Type 1 whenever somebody is asked for a number, until their program ends."""
    guest, answered = held.guests[name], 0
    while guest.process.poll() is None:
        if guest.said.count(asked) > answered:
            answered += 1
            typed = guest.process.stdin
            typed.write(b"1\n")
            typed.flush()
        time.sleep(0.05)


def gone(held: Party) -> None:
    """A guest is killed; those linked to it only by the host go on without it after a minute."""
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


def host(held: Party) -> None:
    """The host is killed in mid-game; Dee, whom all reach, then forwards the link of Ben and Cy."""
    gather(held, 3, thinker="Dee", reached=[3])
    wait_for_forwarded(held, ("Ben", "Cy"))
    asked = "Type a number"
    held.reads("Dee", asked)
    by_host = forwarders(held, "Ben")
    held.kill("Ann")
    until(lambda: forwarders(held, "Ben") != by_host, "Ben is linked to Cy by another")
    held.say("Ben and Cy are linked by Dee")
    play_first_choices(held, "Dee", asked)
    held.ends_well(without="Ann")
    nobody_reads(held, "The table goes on without Ben", "The table goes on without Cy")


def dialled(held: Party, name: str) -> set[str]:
    """Return the addresses that somebody has dialled and is still connected to."""
    told = held.said_at(name, "ss", "-Htn", "state", "established", "dport", "=", f":{PORT}")
    return {line.split()[-1].rpartition(":")[0] for line in told.splitlines()}


def reaches(held: Party, name: str, other: str) -> bool:
    """Return True if `name` can open a connection to `other`."""
    address = held.net.address(held.place(other))
    code = f"import socket; socket.create_connection(({address!r}, {PORT}), 2.0); print('yes')"
    return "yes" in held.said_at(name, sys.executable, "-c", code)


def firewall(held: Party) -> None:
    """Ben's firewall lets nobody in, so he dials Cy, whichever of their keys is lower."""
    held.net.shut(1)
    gather(held, 2, thinker="Ann", reached=range(HOSTS))
    must(reaches(held, "Ben", "Cy"), "Ben does not reach Cy")
    must(not reaches(held, "Cy", "Ben"), "the firewall lets Cy in")
    others = {held.net.address(held.place(name)) for name in ("Ann", "Cy")}
    until(lambda: dialled(held, "Ben") == others, "Ben has dialled both")
    held.say("Ben has dialled both")
    play_first_choices(held, "Ann", "Type a number")
    held.ends_well()
    nobody_reads(held, FORWARDED, *GOES, *AWAY)


def tunnel(held: Party) -> None:
    """Cy reaches the host through a tunnel, and Ben only by a link that the host forwards."""
    near = held.net.tunnel(2, 0)
    gather(held, 2, thinker="Ann", reached=range(HOSTS), at={"Cy": near})
    must(reaches(held, "Ann", "Ben"), "Ann does not reach Ben")
    must(not reaches(held, "Cy", "Ben"), "the tunnel leads further than to Ann")
    wait_for_forwarded(held, ("Ben", "Cy"))
    play_first_choices(held, "Ann", "Type a number")
    held.ends_well()
    nobody_reads(held, *GOES, *AWAY)


SCENES: dict[str, Callable[[Party], None]] = {
    "two": two,
    "four": four,
    "guest": guest,
    "gone": gone,
    "host": host,
    "firewall": firewall,
    "tunnel": tunnel,
}

if __name__ == "__main__":
    sys.exit(main_of(__doc__, HOSTS, SCENES, Party))
