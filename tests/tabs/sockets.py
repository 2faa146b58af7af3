"""Three tabs at a table with eight native players, while fifty useless sockets crowd the page."""

import re
import sys
import time
from typing import Final

from tests.lan.guests import Party, must
from tests.lan.network import ip
from tests.tabs.browsers import LAPTOP, LIMIT_S, PHONE, browsers
from tests.tabs.crowd import SOCKETS
from tests.tabs.games import Table, play_until, sit_down
from tests.tabs.hostile import nobody_is_accused

NATIVE: Final = 8
SOURCES: Final = 4
MOVES: Final = 2


def sockets(held: Party) -> None:
    """Check that the tabs sit down, get their hands and play despite the crowd of sockets."""
    bots = ",".join(["easy"] * (NATIVE - 1))
    game = ("--set", "9", "--deal", "4", "--rounds", "1", "--bots", bots)
    table = Table(held, *game, "--auto")
    page = table.url.partition("#")[0]
    held.run("Mal", (sys.executable, "-m", "tests.tabs.crowd", page, *_sources(held)))
    held.reads("Mal", rf"crowd: \d+ here, {SOCKETS} ever", LIMIT_S)
    with browsers(held) as made:
        browser = made.on("Zoe")
        tabs = []
        for name, size in (("Xia", LAPTOP), ("Yan", PHONE), ("Zoe", PHONE)):
            began = time.monotonic()
            tabs.append(browser.tab(name, table.url, browser.context(size)))
            sit_down(table, tabs[-1])
            held.say(f"{name} sits down after {time.monotonic() - began:.1f} s")
        began = time.monotonic()
        table.types("start")
        for tab in tabs:
            tab.reads(r"Round 1 of 1 is dealt|R1/1|Round 1/1")
        held.say(f"dealt to {NATIVE + len(tabs)} after {time.monotonic() - began:.1f} s")
        began = time.monotonic()
        play_until(tabs, lambda: all(_moves(table, tab.name) >= MOVES for tab in tabs))
        held.say(f"every tab has moved {MOVES} times after {time.monotonic() - began:.1f} s")
        here, ever = re.findall(r"crowd: (\d+) here, (\d+) ever", held.guests["Mal"].said)[-1]
        held.say(f"the crowd had {ever} sockets so far, {here} of them now")
        for tab in tabs:
            must(f"{tab.name} is gone" not in table.told, f"the table has lost {tab.name}")
        nobody_is_accused(held, *tabs)


def _sources(held: Party) -> list[str]:
    """Give Mal's host several addresses for the crowd, and return them.

    Connections from a single address would displace each other.
    """
    place = held.place("Mal")
    found = [f"10.77.0.{200 + number}" for number in range(SOURCES)]
    for address in found:
        ip("-n", held.net.name(place), "addr", "add", f"{address}/24", "dev", "eth0")
    return found


def _moves(table: Table, name: str) -> int:
    return len(re.findall(rf"^{name} (?:drew|played|passed)", table.told, re.M))
