"""Debian's Chromium on a host of a network of namespaces, and the pages that it has open.

All that a scene does to a page goes through `Tab`. It reads what xterm.js draws and types as a
person would; the page has no door for tests.
"""

import base64
import re
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import (
    Browser,
    BrowserContext,
    CDPSession,
    ConsoleMessage,
    Error,
    Page,
    sync_playwright,
)

from page.chromium import FLAGS, chromium
from tests.lan.guests import Party, Result, must

LAPTOP: Final = (1280, 800)
PHONE: Final = (390, 844)
_APART: Final = "--disable-features=LocalNetworkAccessChecks,LocalNetworkAccessChecksWebSockets"
"""It keeps sites away from a LAN; other browsers do not, so the table has to."""
_POLL_S: Final = 0.1
LIMIT_S: Final = 240.0
"""Six other lanes may be under way on two cores."""
_ROWS: Final = """() => [...document.querySelectorAll('.xterm-rows > div')]
    .map((row) => row.textContent).join('\\n')"""
_HEARD: Final = "() => [...document.querySelectorAll('#heard > p')].map((each) => each.textContent)"
_ITS_OWN_WORDS: Final = "() => document.querySelector('#wait:not([hidden])')?.innerText"
"""What the page says before the program is there, or in its place."""
_KEPT: Final = """async () => {
    const done = (asked) => new Promise((resolve, reject) => {
        asked.onsuccess = () => resolve(asked.result);
        asked.onerror = () => reject(asked.error);
    });
    const found = [];
    for (const { name } of await indexedDB.databases()) {
        const base = await done(indexedDB.open(name));
        const pieces = base.transaction('pieces').objectStore('pieces');
        const keys = await done(pieces.getAllKeys()), values = await done(pieces.getAll());
        keys.forEach(([path, at], index) => {
            const octets = Array.from(values[index], (each) => String.fromCharCode(each)).join('');
            found.push([path, at, btoa(octets)]);
        });
        base.close();
    }
    return found;
}"""


@dataclass
class Tab:
    """One page of a browser, and all that was ever read on its screen."""

    name: str
    page: Page
    log: Path
    pictures: Path | None = None
    """The folder for pictures of it, if they are wanted."""
    taps: int = 0
    """Moves that were made by taps alone."""
    errors: list[str] = field(default_factory=list)
    """Errors of its scripts that nothing has caught."""
    complaints: list[str] = field(default_factory=list)
    """Errors and warnings that the browser has written into its console."""
    read: list[str] = field(default_factory=list)
    """Every screen that was looked at and unlike the one before."""

    def __post_init__(self) -> None:
        self.page.set_default_timeout(1_000 * LIMIT_S)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._take_complaint)

    def _take_complaint(self, line: ConsoleMessage) -> None:
        if line.type in ("error", "warning"):
            self.complaints.append(line.text)

    def open(self, url: str) -> None:
        """Go to an address."""
        self.page.goto(url)

    def opens(self, url: str) -> bool:
        """Go to an address, where perhaps nobody answers yet."""
        try:
            self.open(url)
        except Error:
            return False
        return True

    def reload(self) -> None:
        """Load the page anew, as whoever pulls it down does."""
        self.page.reload()

    def screen(self) -> str:
        """The rows of the terminal as they are drawn now."""
        rows: str = self.page.evaluate(_ROWS)
        rows = rows.replace("\xa0", " ")
        if not self.read or self.read[-1] != rows:
            self.read.append(rows)
            with self.log.open("a") as out:
                out.write(f"{rows.rstrip()}\n{'-' * 20}\n")
        return rows

    @property
    def rows(self) -> list[str]:
        """The same, row by row."""
        return self.screen().split("\n")

    def said(self) -> str:
        """The screen as one line, as sentences are cut at any column; and the page's own words."""
        own: str | None = self.page.evaluate(_ITS_OWN_WORDS)
        return " ".join(f"{own or ''} {self.screen()}".split())

    def until(
        self, holds: Callable[[], Result | None], what: str, limit_s: float = LIMIT_S
    ) -> Result:
        """Wait for something, while the browser goes on; what it gives."""
        end = time.monotonic() + limit_s
        while not (found := holds()):
            must(
                time.monotonic() < end,
                f"not within {limit_s:.0f} s: {self.name}: {what}\n{self.screen()}",
            )
            self.wait()
        return found

    def reads(self, pattern: str, limit_s: float = LIMIT_S) -> str:
        """Wait until this is on the screen; its last group, or all of it."""
        found = self.until(lambda: re.search(pattern, self.said()), f"reads {pattern!r}", limit_s)
        return found[found.re.groups]

    def reads_no_more(self, text: str) -> None:
        """Wait until this has left the screen."""
        self.until(lambda: text not in self.said(), f"still reads {text!r}")

    def changes(self, before: str, limit_s: float = LIMIT_S) -> None:
        """Wait until the screen shows something else."""
        self.until(lambda: self.screen() != before, "gets an answer", limit_s)

    @property
    def heard(self) -> list[str]:
        """What a screen reader was given, sentence by sentence."""
        heard: list[str] = self.page.evaluate(_HEARD)
        return heard

    def hears(self, text: str, before: Sequence[str] = ()) -> str:
        """Wait for a sentence with this text that was not there `before`; the first of them."""
        return self.until(lambda: self._new(text, before), f"hears {text!r}")[0]

    def _new(self, text: str, before: Sequence[str]) -> list[str]:
        heard = self.heard  # the oldest sentences may be gone by now
        at = max((at for at, each in enumerate(heard, 1) if [each] == before[-1:]), default=0)
        return [each for each in heard[at:] if text in each]

    def wait(self) -> None:
        """Let the browser go on for a moment."""
        self.page.wait_for_timeout(1_000 * _POLL_S)

    @property
    def for_fingers(self) -> bool:
        """Whether it has keys and a line of its own below the terminal."""
        return self.page.locator("#line").is_visible()

    @property
    def line(self) -> str:
        """What stands in that line."""
        return self.page.locator("#line").input_value()

    def type(self, line: str) -> None:
        """Type a line and Enter: into the line for fingers where there is one, else a terminal."""
        if self.for_fingers:
            self.page.locator("#line").fill(line)
            self.page.locator("#line").press("Enter")
            return
        # No click: there may be a tile under it, whose words would then stand in the line.
        self.page.locator(".xterm-helper-textarea").focus()
        self.page.keyboard.type(line)
        self.page.keyboard.press("Enter")

    def tap(self, text: str) -> bool:
        """Touch the first place of the terminal where this is drawn; False if it is nowhere."""
        rows = self.rows
        place = next(((at, row.index(text)) for at, row in enumerate(rows) if text in row), None)
        box = self.page.locator(".xterm-screen").bounding_box()
        if place is None or box is None:
            return False
        row, column = place
        x = box["x"] + (column + 1.5) * box["width"] / max(map(len, rows))
        self.page.touchscreen.tap(x, box["y"] + (row + 0.5) * box["height"] / len(rows))
        return True

    def stroke(self, from_y: float, to_y: float) -> None:
        """Move a finger over the terminal."""
        touch = self.devtools()
        for step in range(11):
            point = {"x": 150, "y": from_y + (to_y - from_y) * step / 10}
            kind = "touchMove" if step else "touchStart"
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def press(self, key: str) -> None:
        """Touch a key of the row below the terminal."""
        self.page.locator("#keys button", has_text=re.compile(f"^{key}$")).tap()

    def picture(self, state: str) -> None:
        """Keep what it looks like, if pictures are wanted."""
        if self.pictures is not None:
            self.page.screenshot(path=self.pictures / f"{self.name}-{state}.png")

    def kept(self) -> Mapping[str, bytes]:
        """What the browser keeps for this page: paths and their octets."""
        found: dict[str, bytes] = {}
        for path, at, octets in self.page.evaluate(_KEPT):
            before = found.get(path, b"")
            if len(before) == at:
                found[path] = before + base64.b64decode(octets)
        return found

    def devtools(self) -> CDPSession:
        """A session with the page's own developer tools."""
        return self.page.context.new_cdp_session(self.page)


@dataclass
class Chromium:
    """A browser on a host of the network."""

    browser: Browser
    held: Party
    contexts: list[BrowserContext] = field(default_factory=list)

    def context(self, size: tuple[int, int] = LAPTOP) -> BrowserContext:
        """A browser of somebody: what it keeps is its own. A small one has a touch screen."""
        width, height = size
        is_phone = size == PHONE
        options: dict[str, Any] = {"has_touch": True, "is_mobile": True} if is_phone else {}
        made = self.browser.new_context(
            viewport={"width": width, "height": height}, locale="en-GB", **options
        )
        self.contexts.append(made)
        return made

    def tab(self, name: str, url: str, context: BrowserContext) -> Tab:
        """A page of somebody's browser, opened at an address."""
        tab = Tab(name, context.new_page(), self.held.folder / f"{name}.log")
        tab.open(url)
        return tab


class Browsers:
    """The browsers of a scene, each on a host of its own."""

    def __init__(self, held: Party, stack: ExitStack) -> None:
        self._held = held
        self._stack = stack
        self._playwright = stack.enter_context(sync_playwright())

    def on(self, host_name: str) -> Chromium:
        """Start a browser on the host of somebody."""
        words = self._held.net.command(self._held.place(host_name), (chromium() or "chromium",))
        script = self._held.folder / f"{host_name}.chromium"
        script.write_text(f'#!/bin/sh\nexec {" ".join(words)} "$@"\n')
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        started = self._playwright.chromium.launch(
            executable_path=str(script), args=[*FLAGS, _APART], timeout=1_000 * LIMIT_S
        )
        self._stack.callback(_closed, started)
        return Chromium(started, self._held)


def _closed(browser: Browser) -> None:
    try:
        browser.close()
    except Error:
        return  # it has gone already


@contextmanager
def browsers(held: Party) -> Iterator[Browsers]:
    """Have browsers within the block."""
    with ExitStack() as stack:
        yield Browsers(held, stack)
