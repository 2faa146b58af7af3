"""A tab with the page, as a person sees, touches and hears it."""

import re
import time

LIMIT_S = 90


class Tab:
    """One tab. Pictures of it go into a folder, if there is one."""

    def __init__(self, page, name, folder):
        self.page = page
        self._name, self._folder = name, folder

    def picture(self, state):
        """Keep what it looks like."""
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=self._folder / f"{self._name}-{state}.png")

    @property
    def rows(self):
        """What stands on the terminal, row by row."""
        return self.page.evaluate(
            "[...document.querySelectorAll('.xterm-rows > div')].map((row) => row.textContent)"
        )

    @property
    def heard(self):
        """What a screen reader was given, sentence by sentence."""
        return self.page.evaluate(
            "[...document.querySelectorAll('#heard > p')].map((each) => each.textContent)"
        )

    def wait_until(self, is_so, what):
        """Return as soon as it is so."""
        limit = time.monotonic() + LIMIT_S
        while not is_so():
            assert time.monotonic() < limit, f"{what}:\n" + "\n".join([*self.rows, *self.heard])
            self.page.wait_for_timeout(100)

    def wait_for(self, text):
        """Return as soon as the terminal shows a text."""
        self.wait_until(lambda: any(text in row for row in self.rows), f"no {text}")

    def wait_to_read(self, where, text):
        """Return as soon as the page itself says this, before the program is there."""
        told = self.page.locator(where)
        self.wait_until(lambda: text in told.inner_text(), f"{where} does not say {text}")

    def wait_to_hear(self, text, before=()):
        """Return the first sentence with this text that was not there before."""
        self.wait_until(lambda: self._new(text, before), f"nothing heard of {text}")
        return self._new(text, before)[0]

    def _new(self, text, before):
        # the oldest sentences may be gone by now
        last = before[-1:]
        heard = self.heard
        at = max((at for at, each in enumerate(heard, 1) if [each] == last), default=0)
        return [each for each in heard[at:] if text in each]

    def tap(self, text):
        """Touch the first letter of a text on the terminal."""
        self.wait_for(text)
        rows = self.rows
        row = next(at for at, each in enumerate(rows) if text in each)
        box = self.page.locator(".xterm-screen").bounding_box()
        width = box["width"] / max(map(len, rows))
        height = box["height"] / len(rows)
        self.page.touchscreen.tap(
            box["x"] + (rows[row].index(text) + 1.5) * width, box["y"] + (row + 0.5) * height
        )

    def stroke(self, from_y, to_y):
        """Move a finger over the terminal."""
        touch = self.page.context.new_cdp_session(self.page)
        for step in range(11):
            point = {"x": 150, "y": from_y + (to_y - from_y) * step / 10}
            kind = "touchMove" if step else "touchStart"
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def press(self, key):
        """Touch a key of the row below the terminal."""
        self.page.locator("#keys button", has_text=re.compile(f"^{key}$")).tap()

    def type(self, line):
        """Type a line into the page's own, and send it."""
        self.page.locator("#line").tap()
        self.page.keyboard.type(f"{line}\n")

    @property
    def line(self):
        """What stands in the page's own line."""
        return self.page.locator("#line").input_value()

    def value(self, script):
        """What a script comes to."""
        return self.page.evaluate(script)
