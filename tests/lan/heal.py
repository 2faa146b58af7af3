"""Six people, and a bridge that is cut in two and healed, twice: `python -m tests.lan.heal`.

Six processes in namespaces, each with a person who types into a pipe; nobody ever moves. Ann, Ben
and Cy are cut off from Dee, Eve and Flo. Everybody must read that three are away, in the time that
docs/peer.md states; they vote; the bridge is healed, and no vote may be told any more. Cut again,
everybody must be advised again. Then four go on without two, who must come back as watchers, and
whose votes must be over. Prints what it sees; exit 0 if all is well.
"""

import sys
import time
from collections.abc import Iterable, Mapping, Sequence

from cli.session.advice import INVITE_S
from netgame.limits import CLOCK_CHECK_S, DROP_S, SUSPECT_S
from tests.lan.guests import NAMES, Party, main_of, must

SIX = NAMES[:6]
PORT = 4747
GAME = ("--open", "--set", "9", "--rounds", "2", "--seats", "6", "--patience", "vote")
SLACK_S = 2.0
"""A busy computer prints a line a little late."""


def marks(held: Party) -> dict[str, int]:
    """Return the length of each player's output so far."""
    return {name: len(guest.said) for name, guest in held.guests.items()}


def all_read(
    held: Party,
    who: Iterable[str],
    texts: Sequence[str],
    limit_s: float,
    since: Mapping[str, int] | None = None,
) -> None:
    """Wait until each of these players has read each of these texts.

    Raise NotShown after `limit_s` in all. If `since` is given, only the output after that length
    counts.
    """
    end = time.monotonic() + limit_s
    for name in who:
        for text in texts:
            left = max(0.1, end - time.monotonic())
            held.reads(name, text, left, since[name] if since else 0)
    held.say(f"all have read: {texts[0]}")


def nobody_reads(held: Party, text: str, who: Iterable[str], since: Mapping[str, int]) -> None:
    """Raise NotShown if one of these players has read this text after the lengths `since`."""
    for name in who:
        said = held.guests[name].said[since[name] :]
        must(text not in said, f"{name} has read {text!r}: {said}")


def gather(held: Party) -> None:
    """Seat six players, wait for the first deal, and then for another 15 seconds."""
    held.come("Ann", "host", *GAME, "--port", str(PORT))
    held.reads("Ann", "seats taken")
    for name in SIX[1:]:
        held.come(name, "join", f"{held.net.address(0)}:{PORT}")
    all_read(held, SIX, ["Round 1 of 2 is dealt"], 120.0)
    time.sleep(15.0)


def see_cut(held: Party, one: Sequence[str], other: Sequence[str]) -> None:
    """Cut the bridge; everybody must read who is away and what can be done about it."""
    since = marks(held)
    held.net.split(*map(held.place, other))
    held.say(f"{', '.join(one)} | {', '.join(other)}")
    end = time.monotonic() + DROP_S + CLOCK_CHECK_S + SLACK_S
    for who, theirs in ((one, other), (other, one)):
        away = [f"{name} (has not answered|is gone)" for name in theirs]
        all_read(held, who, away, end - time.monotonic(), since)
    may_vote = len(other) < len(one)
    waits = "Rather than wait, you can vote: without" if may_vote else "You can only wait"
    all_read(held, one, [waits], (INVITE_S if may_vote else 0.0) + 10.0, since)
    all_read(held, other, ["You can only wait"], 10.0, since)


def see_healed(held: Party, one: Sequence[str], other: Sequence[str]) -> None:
    """Heal the bridge; everybody must read that the others are back.

    Nobody may read about a vote after that.
    """
    since = marks(held)
    held.net.heal()
    held.say("healed")
    for who, theirs in ((one, other), (other, one)):
        all_read(held, who, [f"{name} is back" for name in theirs], 15.0, since)
    time.sleep(SUSPECT_S + SLACK_S)
    nobody_reads(held, "to go on without", SIX, since)


def heal(held: Party) -> None:
    """Cut and heal twice, then cut two off and let the others go on without them."""
    gather(held)
    ann, ben, cy, dee, eve, flo = SIX
    one, other = (ann, ben, cy), (dee, eve, flo)
    for _ in range(2):
        see_cut(held, one, other)
        held.types_aloud(ann, f"without {dee}")
        held.types_aloud(ben, f"without {dee} {eve}")
        held.types_aloud(dee, f"without {ann}")
        held.types_aloud(eve, f"without {' '.join(one)}")
        time.sleep(SUSPECT_S + SLACK_S)  # unattended programs have followed these votes by then
        see_healed(held, one, other)
    few, rest = (eve, flo), (ann, ben, cy, dee)
    see_cut(held, rest, few)
    since = marks(held)
    for name in few:
        held.types_aloud(name, f"without {' '.join(rest)}")
    for name in rest:
        held.types_aloud(name, f"without {eve} {flo}")
    all_read(held, rest, ["goes on without", "reshuffles it"], 20.0, since)
    time.sleep(10.0)
    see_healed(held, rest, few)
    all_read(held, few, ["went on without you"], 10.0, since)
    nobody_reads(held, "Your hand is empty", few, since)


if __name__ == "__main__":
    sys.exit(main_of(__doc__, len(SIX), {"heal": heal}, Party))
