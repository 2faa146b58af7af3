"""People who look on, one who comes late, and a host that dies: `python -m tests.lan.watch`.

Six processes in namespaces on a bridge, found over mDNS. Ann opens a table and plays with Ben and
Cy; Zoe watches from the lobby on. Dee wants a seat in mid-game, and watches, as nobody is at a
keyboard to say yes (`tests.lan.newcomers` has the yes). Then Ann's process is killed, for good:
another seat announces the table, open as it was, and Eve finds it by that name and watches; the
others give Ann up and play on. All records must verify and be one.
Prints what it sees; exit 0 if all is well.
"""

import sys

from tests.lan.guests import NotShown, Party, main_of, must, until

GAME = ("--open", "--set", "12", "--rounds", "4", "--seats", "3", "--patience", "minute")
TRIES = 5
"""Tries to join by name, of three seconds each: news of a stand-in takes a second or two."""


def watch(held: Party) -> None:
    """Play the scene that the module describes."""
    held.come("Ann", "host", "--auto", *GAME)
    held.reads("Ann", "seats taken")
    held.come("Zoe", "join", "--watch")
    held.reads("Zoe", "You only watch")
    for name in ("Ben", "Cy"):
        held.come(name, "join", "--auto")
    held.reads("Ann", "Zoe is here")
    held.reads("Ann", "Round 1 of 4 is dealt")
    held.come("Dee", "join", "ann", "--auto")
    held.say(held.reads("Dee", "nobody is at the keyboard to say yes: you watch"))
    held.kill("Ann")
    eve_finds_it(held, stand_in(held))
    for name in ("Ben", "Zoe", "Dee", "Eve"):
        held.reads(name, "The table goes on without Ann", 120.0)
    scores = held.ends_well(without="Ann").scores
    must({len(each) for each in scores} == {3}, f"Dee has a score: {scores}")


def stand_in(held: Party) -> str:
    """Wait until a player reads that they stand in for the host, and return that player's name.

    Raise NotShown if more than one reads it, or somebody without a seat.
    """
    told = "now announces the table; newcomers need no join code"
    here = held.guests.values()
    names = until(lambda: [each.name for each in here if told in each.said], "who stands in")
    held.say(f"who stands in: {', '.join(names)}")
    must(len(names) == 1 and {"Ben", "Cy"}.issuperset(names), "not one seat stands in")
    return names[0]


def eve_finds_it(held: Party, announcer: str) -> None:
    """Have a newcomer find the table over mDNS by the stand-in's name, and watch.

    Raise NotShown if five tries find nothing.
    """
    for _ in range(TRIES):
        eve = held.come("Eve", "join", announcer.lower(), "--watch")
        until(lambda e=eve: "Mexican" in e.said or e.process.poll() is not None, "Eve is in", 20.0)
        if "Mexican" in eve.said:
            held.say(held.reads("Eve", f"Coming to watch {announcer}'s table"))
            return
    raise NotShown("Eve did not find the table")


if __name__ == "__main__":
    sys.exit(main_of(__doc__, 6, {"watch": watch}, Party))
