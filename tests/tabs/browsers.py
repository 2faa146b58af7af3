"""Debian's Chromium on a host of a network of namespaces, and its open pages.

Scenes use a page only through `Tab`. It reads what xterm.js draws and types like a person; the page
has no test hooks.
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
"""Turns off the check by which Chromium keeps web sites from a LAN.

Other browsers lack that check, so a table must be safe without it.
"""
_POLL_S: Final = 0.1
_LOADED_AGAIN: Final = "Execution context was destroyed"
LIMIT_S: Final = 240.0
"""The most seconds to wait: six other test runs may share two cores."""
_ROWS: Final = """() => [...document.querySelectorAll('.xterm-rows > div')]
    .map((row) => row.textContent).join('\\n')"""
_HEARD: Final = "() => [...document.querySelectorAll('#heard > p')].map((each) => each.textContent)"
_ITS_OWN_WORDS: Final = "() => document.querySelector('#wait:not([hidden])')?.innerText"
"""The page's own text before the program runs, or in its place."""
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
    """One page of a browser, and all text that was read on its screen."""

    name: str
    page: Page
    log: Path
    pictures: Path | None = None
    """The folder for its screenshots, if they are wanted."""
    taps: int = 0
    """The number of moves made by taps alone."""
    errors: list[str] = field(default_factory=list)
    """Uncaught errors of its scripts."""
    complaints: list[str] = field(default_factory=list)
    """Errors and warnings in the browser's console."""
    read: list[str] = field(default_factory=list)
    """Every screen read that differed from the one before."""

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
        """Go to an address; return False if nobody answers there yet."""
        try:
            self.open(url)
        except Error:
            return False
        return True

    def reload(self) -> None:
        """Reload the page, as a person does by pulling it down."""
        self.page.reload()

    def screen(self) -> str:
        """Return the text of the terminal as drawn now, one row per line.

        A text that differs from the last one is added to `read` and to the log.
        """
        rows: str = self.page.evaluate(_ROWS)
        rows = rows.replace("\xa0", " ")
        if not self.read or self.read[-1] != rows:
            self.read.append(rows)
            with self.log.open("a") as out:
                out.write(f"{rows.rstrip()}\n{'-' * 20}\n")
        return rows

    @property
    def rows(self) -> list[str]:
        """The rows of the terminal as drawn now."""
        return self.screen().split("\n")

    def said(self) -> str:
        """Return the page's own text and the screen as one line, as sentences may wrap anywhere."""
        own: str | None = self.page.evaluate(_ITS_OWN_WORDS)
        return " ".join(f"{own or ''} {self.screen()}".split())

    def until(
        self, holds: Callable[[], Result | None], what: str, limit_s: float = LIMIT_S
    ) -> Result:
        """Let the browser go on until `holds` returns something true, and return that.

        Fail after `limit_s` seconds. An error because the page is just being reloaded counts as
        nothing returned.
        """

        def looked() -> Result | None:
            try:
                return holds()
            except Error as error:
                if _LOADED_AGAIN not in error.message:
                    raise
                return None

        end = time.monotonic() + limit_s
        while not (found := looked()):
            must(
                time.monotonic() < end,
                f"not within {limit_s:.0f} s: {self.name}: {what}\n{self.screen()}",
            )
            self.wait()
        return found

    def reads(self, pattern: str, limit_s: float = LIMIT_S) -> str:
        """Wait until this pattern is on the screen; return its last group, or the whole match."""
        found = self.until(lambda: re.search(pattern, self.said()), f"reads {pattern!r}", limit_s)
        return found[found.re.groups]

    def reads_no_more(self, text: str) -> None:
        """Wait until this text has left the screen."""
        self.until(lambda: text not in self.said(), f"still reads {text!r}")

    def changes(self, before: str, limit_s: float = LIMIT_S) -> None:
        """Wait until the screen differs from `before`."""
        self.until(lambda: self.screen() != before, "gets an answer", limit_s)

    @property
    def heard(self) -> list[str]:
        """The sentences given to a screen reader."""
        heard: list[str] = self.page.evaluate(_HEARD)
        return heard

    def hears(self, text: str, before: Sequence[str] = ()) -> str:
        """Wait for a sentence with this text after the last one of `before`, and return it."""
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
        """True if the page has keys and an input line of its own below the terminal."""
        return self.page.locator("#line").is_visible()

    @property
    def line(self) -> str:
        """The text in the input line below the terminal."""
        return self.page.locator("#line").input_value()

    def type(self, line: str) -> None:
        """Type a line and Enter, into the input line for fingers or else into the terminal."""
        if self.for_fingers:
            self.page.locator("#line").fill(line)
            self.page.locator("#line").press("Enter")
            return
        # no click, which would put the text of the tile under it into the line
        self.page.locator(".xterm-helper-textarea").focus()
        self.page.keyboard.type(line)
        self.page.keyboard.press("Enter")

    def tap(self, text: str) -> bool:
        """Tap this text where it first occurs in the terminal; return False if it isn't there."""
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
        """Drag a finger vertically over the page, between two heights in pixels from the top."""
        touch = self.devtools()
        for step in range(11):
            point = {"x": 150, "y": from_y + (to_y - from_y) * step / 10}
            kind = "touchMove" if step else "touchStart"
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def press(self, key: str) -> None:
        """Tap the key with this label in the row below the terminal."""
        self.page.locator("#keys button", has_text=re.compile(f"^{key}$")).tap()

    def picture(self, state: str) -> None:
        """Save a screenshot, named after this state, if screenshots are wanted."""
        if self.pictures is not None:
            self.page.screenshot(path=self.pictures / f"{self.name}-{state}.png")

    def kept(self) -> Mapping[str, bytes]:
        """Return the files that the browser keeps for this page: their octets by path.

        Pieces of a file after a gap are left out.
        """
        found: dict[str, bytes] = {}
        for path, at, octets in self.page.evaluate(_KEPT):
            before = found.get(path, b"")
            if len(before) == at:
                found[path] = before + base64.b64decode(octets)
        return found

    def devtools(self) -> CDPSession:
        """Return a new session with the page's developer tools."""
        return self.page.context.new_cdp_session(self.page)


@dataclass
class Chromium:
    """A browser on a host of the network."""

    browser: Browser
    held: Party
    contexts: list[BrowserContext] = field(default_factory=list)

    def context(self, size: tuple[int, int] = LAPTOP) -> BrowserContext:
        """Return a new browser profile with its own storage and a window of this size.

        With the size of a phone it has a touch screen.
        """
        width, height = size
        is_phone = size == PHONE
        options: dict[str, Any] = {"has_touch": True, "is_mobile": True} if is_phone else {}
        made = self.browser.new_context(
            viewport={"width": width, "height": height}, locale="en-GB", **options
        )
        self.contexts.append(made)
        return made

    def tab(self, name: str, url: str, context: BrowserContext) -> Tab:
        """Open a page of this profile at an address."""
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
        """Start a browser on somebody's host."""
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
    """Provide the browsers of a scene, and close them all when the block ends."""
    with ExitStack() as stack:
        yield Browsers(held, stack)
