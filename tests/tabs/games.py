"""Steps of a game at a table of tabs and native programs, for all scenes."""

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
    """A table with a page; its host is Ann unless another name is given."""

    def __init__(self, held: Party, *words: str, host: str = "Ann", page_by: str = "") -> None:
        """Start the host with these arguments, and wait until there is a page.

        The host serves it, unless `page_by` names a guest; then that guest joins and serves it.
        """
        self.held, self.host, self.page_by = held, host, page_by or host
        held.come(host, "host", "--port", str(PORT), *words)
        if page_by:
            code = held.reads(host, r"need this code: (\S+)", LIMIT_S)
            held.come(page_by, "join", self.at, "--code", code, "--page", "--auto")
        self.url = self.page_address()

    @property
    def at(self) -> str:
        """The address and port at which others join the host."""
        return f"{self.held.net.address(self.held.place(self.host))}:{PORT}"

    def page_address(self, since: int = 0) -> str:
        """Wait for the page's address in the output after the first `since` characters.

        Return the last one printed, with its join code if it has one.
        """
        by = self.page_by
        said = self.held.guests[by]
        found = until(lambda: _PAGE.findall(said.said[since:]), f"{by} has a page", LIMIT_S)
        address, code = found[-1]
        return f"{address}#{code}" if code else address

    def guest(self, name: str, *words: str) -> None:
        """Start a native program that joins the table, and wait until it sits down."""
        code = self.url.partition("#")[2]
        more = ("--code", code) if code else ()
        self.held.come(name, "join", self.at, *more, *words)
        self.sees(f"{name} sits down")

    @property
    def told(self) -> str:
        """The host's output so far."""
        return self.held.guests[self.host].said

    @property
    def read(self) -> int:
        """The length of the host's output so far."""
        return len(self.told)

    def sees(self, text: str, since: int = 0, limit_s: float = LIMIT_S) -> None:
        """Wait until this pattern is in the host's output after the first `since` characters."""
        self.held.reads(self.host, text, limit_s, since)

    def types(self, line: str) -> None:
        """Have the host type a line."""
        self.held.types(self.host, line)


def sit_down(table: Table, tab: Tab) -> None:
    """Type the tab's name, take a seat, and wait until the host reports it."""
    tab.reads("name")
    tab.type(tab.name)
    tab.reads("Sit down")
    tab.type("y")
    table.sees(f"{tab.name} sits down")


def status(tab: Tab) -> str:
    """Return the last row of the screen that is not blank, or an empty string."""
    rows = [row for row in tab.screen().splitlines() if row.strip()]
    return rows[-1].strip() if rows else ""


def may_play(tab: Tab) -> bool:
    """Return True if the screen says that it is this person's turn."""
    return status(tab).startswith("YOUR TURN")


def game_is_over(tab: Tab) -> bool:
    """Return True if the screen says that the game is over."""
    return status(tab).startswith("the game is over")


def page_at(page: str, where: str) -> str:
    """Return the address of a page with its host and port replaced by `where`."""
    scheme, _, rest = page.partition("://")
    return f"{scheme}://{where}/{rest.partition('/')[2]}"


def hand_shown(tab: Tab) -> list[str]:
    """Return the tiles of the hand as drawn on a small screen."""
    _, _, below = tab.screen().partition(" Hand ")
    return re.findall(r"\[\d\|\d\]", re.split("Longest|──", below)[0])


def record_of(tab: Tab) -> tuple[str, bytes] | None:
    """Return the path and octets of a tab's record, or None unless it has exactly one."""
    found = [(path, octets) for path, octets in tab.kept().items() if path.endswith("/record")]
    return found[0] if len(found) == 1 else None


def play_until(tabs: Collection[Tab], holds: Callable[[], bool], limit_s: float = LIMIT_S) -> None:
    """Play the first listed move whenever it is a tab's turn, until `holds` is true.

    Fail if no tab has a turn for `limit_s` seconds. On a small screen the tile is tapped twice. On
    a laptop, and if the tile fits in several places, the move's number is typed.
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
    """Play the first listed move by two taps on its tile.

    Return False if the tile is not found or fits in several places.
    """
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
    """Write a tab's record to a file in this folder, and return the file's path."""
    found = record_of(tab)
    must(found is not None, f"{tab.name} keeps no record")
    assert found is not None
    path = folder / f"{tab.name}.record"
    path.write_bytes(found[1])
    return path


def one_digest(held: Party, *records: Path) -> Verdict:
    """Check that all records are good, finished and of one log; return the first one's verdict."""
    verdicts = verify(*records)
    for record, verdict in zip(records, verdicts, strict=True):
        must(verdict.ok and verdict.finished, f"{record.stem}: {verdict.says}")
    digests = [each.digest for each in verdicts]
    must(len(set(digests)) == 1, f"the records differ: {digests}")
    held.say(f"all {len(records)} records, {digests[0]}: {verdicts[0].says}")
    return verdicts[0]
