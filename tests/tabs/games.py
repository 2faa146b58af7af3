"""What tabs do at a table with native programs, as far as every scene needs it."""

import re
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

from tests.lan.guests import Party, Verdict, must, until, verify
from tests.tabs.browsers import LIMIT_S, Tab

PORT: Final = 4747
_PAGE: Final = re.compile(r"open\s+(http://\S+?)(?:#(\S+))?\s")


class Table:
    """A table with a page beside it, whose host is Ann unless somebody else is named."""

    def __init__(self, held: Party, *words: str, host: str = "Ann", page_by: str = "") -> None:
        """Open it, with the words of `host`; its page is served by a guest of that name, if any."""
        self.held, self.host, self.page_by = held, host, page_by or host
        held.come(host, "host", "--port", str(PORT), *words)
        if page_by:
            code = held.reads(host, r"need this code: (\S+)", LIMIT_S)
            held.come(page_by, "join", self.at, "--code", code, "--page", "--auto")
        self.url = self.page_address()

    @property
    def at(self) -> str:
        """The address of the host's own door."""
        return f"{self.held.net.address(self.held.place(self.host))}:{PORT}"

    def page_address(self, since: int = 0) -> str:
        """The address of the page, with the join code if there is one, as it was last told."""
        by = self.page_by
        said = self.held.guests[by]
        found = until(lambda: _PAGE.findall(said.said[since:]), f"{by} has a page", LIMIT_S)
        address, code = found[-1]
        return f"{address}#{code}" if code else address

    def guest(self, name: str, *words: str) -> None:
        """Have a native program sit down."""
        code = self.url.partition("#")[2]
        more = ("--code", code) if code else ()
        self.held.come(name, "join", self.at, *more, *words)
        self.sees(f"{name} sits down")

    @property
    def told(self) -> str:
        """All that the host has read."""
        return self.held.guests[self.host].said

    @property
    def read(self) -> int:
        """How much that is."""
        return len(self.told)

    def sees(self, text: str, since: int = 0, limit_s: float = LIMIT_S) -> None:
        """Wait until the host has read this, after what was read before."""
        self.held.reads(self.host, text, limit_s, since)

    def types(self, line: str) -> None:
        """Have the host type a line."""
        self.held.types(self.host, line)


def sit_down(table: Table, tab: Tab) -> None:
    """Tell the page a name, and take a seat."""
    tab.reads("name")
    tab.type(tab.name)
    tab.reads("Sit down")
    tab.type("y")
    table.sees(f"{tab.name} sits down")


def status(tab: Tab) -> str:
    """What the last row of the screen says."""
    rows = [row for row in tab.screen().splitlines() if row.strip()]
    return rows[-1].strip() if rows else ""


def may_play(tab: Tab) -> bool:
    """Whether it is this person's turn, by what is on the screen."""
    return status(tab).startswith("YOUR TURN")


def game_is_over(tab: Tab) -> bool:
    """Whether the page says so."""
    return status(tab).startswith("the game is over")


def page_at(page: str, where: str) -> str:
    """The address of a page, with another host and port in it."""
    scheme, _, rest = page.partition("://")
    return f"{scheme}://{where}/{rest.partition('/')[2]}"


def hand_shown(tab: Tab) -> list[str]:
    """The tiles of the hand on a small screen, as they are drawn."""
    _, _, below = tab.screen().partition(" Hand ")
    return re.findall(r"\[\d\|\d\]", re.split("Longest|──", below)[0])


def record_of(tab: Tab) -> tuple[str, bytes] | None:
    """The path and octets of the one record that a tab keeps; None if it keeps none."""
    found = [(path, octets) for path, octets in tab.kept().items() if path.endswith("/record")]
    return found[0] if len(found) == 1 else None


def play_until(tabs: Collection[Tab], holds: Callable[[], bool], limit_s: float = LIMIT_S) -> None:
    """Play the first move of the list whenever it is a tab's turn, until something holds.

    Fails once no tab has had a turn for so long. On a small screen the tile is tapped, and tapped
    again; where that is not enough to say which move is meant, and at a desk, the number is typed.
    """
    end = time.monotonic() + limit_s
    while not holds():
        must(time.monotonic() < end, f"the game does not go on: {[status(tab) for tab in tabs]}")
        for tab in tabs:
            if may_play(tab):
                before = tab.screen()
                if not (tab.for_fingers and _tapped(tab)):
                    tab.type("1")
                tab.changes(before)
                end = time.monotonic() + limit_s
        next(iter(tabs)).wait()


def _tapped(tab: Tab) -> bool:
    """Play the first move of the list by two taps on its tile; False if that plays nothing."""
    found = re.search(r"1: (\d)[-=](\d) ", tab.screen())
    if found is None:
        return False
    one, other = found.groups()
    tile = next(
        (each for each in hand_shown(tab) if each in (f"[{one}|{other}]", f"[{other}|{one}]")), ""
    )
    if not tile or not tab.tap(tile):
        return False
    until(lambda: tab.line, f"{tab.name}'s line has the tile", LIMIT_S)
    if tab.line.endswith(" "):  # it fits in several places
        return False
    tab.tap(tile)
    tab.taps += 1
    return True


def save_record(tab: Tab, folder: Path) -> Path:
    """Write down the record that a tab keeps, for `verify`."""
    found = record_of(tab)
    must(found is not None, f"{tab.name} keeps no record")
    assert found is not None
    path = folder / f"{tab.name}.record"
    path.write_bytes(found[1])
    return path


def one_digest(held: Party, *records: Path) -> Verdict:
    """Verify records, which are good, finished, and of one log; what holds of them."""
    verdicts = verify(*records)
    for record, verdict in zip(records, verdicts, strict=True):
        must(verdict.ok and verdict.finished, f"{record.stem}: {verdict.says}")
    digests = [each.digest for each in verdicts]
    must(len(set(digests)) == 1, f"the records differ: {digests}")
    held.say(f"all {len(records)} records, {digests[0]}: {verdicts[0].says}")
    return verdicts[0]
