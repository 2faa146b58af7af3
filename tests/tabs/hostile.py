"""A hostile server of the page does no more harm to a game than a cut cable."""

import sys
from typing import Final

from tests.lan.guests import Party, must
from tests.tabs.browsers import LIMIT_S, PHONE, Tab, browsers
from tests.tabs.games import (
    Table,
    game_is_over,
    may_play,
    one_digest,
    page_at,
    play_until,
    save_record,
    sit_down,
)
from tests.tabs.middle import TRICKS

MIDDLE_PORT: Final = 8_080
ACCUSING: Final = "The proof is in", "broke", "breaks the rules", "two answers", "Traceback"
"""Words on a screen that show that somebody is convicted, or that a program has crashed."""


class Middle:
    """A hostile server of the page, as a process on a host of its own."""

    def __init__(self, held: Party, page: str) -> None:
        """Start the server on Mal's host, in front of the page at this address."""
        self._held = held
        self._where = f"{held.net.address(held.place('Mal'))}:{MIDDLE_PORT}"
        held.run("Mal", (sys.executable, "-m", "tests.tabs.middle", self._where))
        self.leads_to(page)
        self.url = self.at(page)
        """The page's address for a browser."""

    def at(self, page: str) -> str:
        """Return the address at which this server shows the given page."""
        return page_at(page, self._where)

    def leads_to(self, page: str) -> None:
        """Have the server show the page that is at this address, from now on."""
        self.told(f"to {page.split('/')[2]}")

    def told(self, order: str) -> None:
        """Give the server an order, and wait until it obeys."""
        before = len(self._held.guests["Mal"].said)
        self._held.types("Mal", order)
        self.does(f"now {order}", before)

    def does(self, what: str, since: int) -> str:
        """Wait until the server has printed this pattern after its first `since` characters.

        Return the pattern's last group, or the whole match.
        """
        return self._held.reads("Mal", what, LIMIT_S, since)

    @property
    def done(self) -> int:
        """The length of the server's output so far."""
        return len(self._held.guests["Mal"].said)


def hostile(held: Party) -> None:
    """Check that a game goes on while messages are dropped, altered, repeated, swapped and delayed.

    In the end all records agree, and nobody is accused.
    """
    table = Table(held, "--set", "6", "--rounds", "2", "--auto")
    table.guest("Ben", "--auto")
    middle = Middle(held, table.url)
    with browsers(held) as made:
        browser = made.on("Zoe")
        zoe = browser.tab("Zoe", middle.url, browser.context(PHONE))
        sit_down(table, zoe)
        table.types("start")
        for trick in TRICKS:
            play_until((zoe,), lambda: may_play(zoe))
            _try(held, middle, zoe, trick)
        _speak_for(held, middle)
        play_until((zoe,), lambda: game_is_over(zoe))
        records = []
        for name in ("Ann", "Ben"):
            must(held.guests[name].process.wait(60.0) == 0, f"{name} did not end well")
            records.append(held.guests[name].record)
        one_digest(held, *records, save_record(zoe, held.folder))
        nobody_is_accused(held, zoe)


def _try(held: Party, middle: Middle, tab: Tab, trick: str) -> None:
    """Play a trick on the next message that leaves the browser, then on the next that enters it.

    If it is the tab's turn, make a move, so that there are messages.
    """
    for way in ("out", "in"):
        before = middle.done
        middle.told(f"{trick} {way}")
        if may_play(tab):
            tab.type("1")
        middle.does(f"done: {trick} {way}", before)
        middle.told("honest")
    held.say(f"{trick}: done")


def _speak_for(held: Party, middle: Middle) -> None:
    """Have the server repeat what the browser has sent; it must not be taken for the browser."""
    before = middle.done
    middle.told("another")
    answers = middle.does(r"another: \d+ messages said, (\d+) answered", before)
    # the host's part of a handshake whose other part only the browser can send
    must(int(answers) <= 1, f"somebody who repeats what Zoe said gets {answers} answers")
    held.say("another: done")


def nobody_is_accused(held: Party, *tabs: Tab) -> None:
    """Check that nobody has read an accusation or kept evidence, and that no program crashed."""
    read = {name: guest.said for name, guest in held.guests.items()}
    read |= {tab.name: "\n".join(tab.read) for tab in tabs}
    for name, text in read.items():
        for accusing in ACCUSING:
            must(accusing not in text, f"{name} has read {accusing!r}")
    must(not [*held.folder.glob("**/evidence-*")], "somebody has kept evidence")
    for tab in tabs:
        must(not any("evidence-" in path for path in tab.kept()), f"{tab.name} has evidence")
        must(not tab.errors, f"{tab.name}'s page: {tab.errors}")
