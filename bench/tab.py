"""The cost of the program in a browser tab, next to that of the program on this computer.

Measuring needs the built page, node, Chromium, and the dependency group `browser`; without them
there are no figures. A tab's processor time is that of the browser process that runs it. The share
of a deal and the memory are measured in node, which has the same engine as Chromium.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from statistics import quantiles
from time import monotonic, sleep
from typing import Any, Final

from bench._terminal import LIMIT_S, TURN, at_terminal
from bench.deal import share_of_deal_ms
from bench.figure import Figure, middle
from page.chromium import FLAGS, chromium
from page.serve import BUILT, serving

_CLONE: Final = Path(__file__).resolve().parents[1]
_SIZE_GOAL_MB: Final = 12.0
_START_GOAL_S: Final = 5.0
_DEAL_GOAL: Final = 2.5
_HEAP_GOAL_MB: Final = 80.0
_ECHO_GOAL_MS: Final = 30.0
_TICK_S: Final = os.sysconf("SC_CLK_TCK")
_SHARE: Final = "from bench.deal import share_of_deal_ms\nstr(share_of_deal_ms({}, {}, {}, 7))"
_HEAP: Final = """
from page.tab import loop
loop.prepare()
from tests.page.seeded import record_of_seed
await record_of_seed()
import pyodide_js
str(pyodide_js._module.HEAPU8.length)
"""
_WATCH_ECHOES: Final = """() => {
    window.echoes = [];
    let pressed = 0;
    addEventListener("keydown", () => { pressed = performance.now(); }, true);
    new MutationObserver(() => {
        if (pressed) { window.echoes.push(performance.now() - pressed); pressed = 0; }
    }).observe(document.querySelector(".xterm-rows"),
               {subtree: true, childList: true, characterData: true, attributes: true});
}"""


def measure(repeat: int = 3) -> list[Figure]:
    """Measure download, start, a share of a deal, keys while bots think, and the heap.

    If something is missing, name it on standard error and return no figures.
    """
    missing = _missing()
    if missing:
        print(f"a tab is not measured: {missing}", file=sys.stderr)
        return []
    size = sum(each.stat().st_size for each in (BUILT / "parts").iterdir()) / 1e6
    figures = [Figure("download, once", size, "MB", _SIZE_GOAL_MB)]
    figures += _deals()
    starts, echoes = [], list[float]()
    for _ in range(repeat):
        start, keys = _practice()
        starts.append(start)
        echoes += keys
    native = [_native_start_s() for _ in range(repeat)]
    where = 'to "your turn", practice with three bots'
    return [
        *figures,
        middle(f"processor {where}, tab", starts, "s", _START_GOAL_S),
        middle(f"processor {where}, native", native, "s"),
        Figure(
            "key to its echo while expert bots play, 95th percentile",
            quantiles(echoes, n=20)[-1],
            "ms",
            _ECHO_GOAL_MS,
            f"of {len(echoes)}",
        ),
        Figure("memory of Python after a whole game, tab", _heap_mb(), "MB", _HEAP_GOAL_MB),
    ]


def _missing() -> str:
    """Return a sentence about what is missing for a measurement, or "" if nothing is."""
    if not (BUILT / "parts.json").is_file():
        return "no page is built (uv run --group page python -m page.build)"
    if shutil.which("node") is None or chromium() is None:
        return "it takes node and chromium"
    if find_spec("playwright") is None:
        return "it takes the dependency group browser (uv run --group browser ...)"
    return ""


def _deals() -> Iterator[Figure]:
    for seats, pips, hand, goal in ((3, 9, 13, _DEAL_GOAL), (4, 12, 12, None)):
        code = _SHARE.format(seats, pips, hand)
        ratio = float(_in_node(code)) / share_of_deal_ms(seats, pips, hand, 7)
        yield Figure(
            f"share of a deal, {seats} seats, double-{pips}, tab by native", ratio, "times", goal
        )


def _heap_mb() -> float:
    """Return the MB that the page's Python has taken in node by the end of a whole game."""
    return float(_in_node(_HEAP)) / 1e6


def _in_node(code: str) -> str:
    """Run code in the page's Python, in node; return the value of its last expression, a string."""
    command = ["node", str(_CLONE / "page" / "in_node.mjs"), str(BUILT), str(_CLONE)]
    done = subprocess.run(command, input=code, capture_output=True, text=True, check=True)
    return done.stdout


def _native_start_s() -> float:
    with (
        tempfile.TemporaryDirectory(prefix="boneyard-") as folder,
        at_terminal(
            os.environ, "-m", "cli", "play", "--name", "Ann", "--pace", "0", "--data", folder
        ) as terminal,
    ):
        terminal.seconds(b"", TURN)
        return terminal._processor_s()


@contextmanager
def _tab(address: str) -> Iterator[tuple[Any, int]]:
    """Open a new browser with one tab at the address; yield the page and its process number."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        session = browser.new_browser_cdp_session()
        page.goto(address, wait_until="commit")
        found = session.send("SystemInfo.getProcessInfo")["processInfo"]
        # The tab's renderer is the one that has used time; the others are spare.
        numbers = [each["id"] for each in found if each["type"] == "renderer"]
        sleep(1)
        yield page, max(numbers, key=_processor_s)
        browser.close()


def _processor_s(process: int) -> float:
    """Return the processor seconds of a process in all its threads."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK_S


def _practice() -> tuple[float, list[float]]:
    """Play in a tab; return its processor seconds until the first turn, and each echo in ms."""
    with serving("127.0.0.1") as address, _tab(address) as (page, process):
        _shown(page, "name")
        page.locator(".xterm-screen").click()
        page.keyboard.type("Ann\rplay --bots expert,expert,expert --pace 0\r")
        _shown(page, "Your turn")
        start = _processor_s(process)
        page.evaluate(_WATCH_ECHOES)
        for _ in range(6):
            page.keyboard.press("Enter")
            page.keyboard.type("1", delay=120)
            page.keyboard.press("Backspace", delay=120)
            page.keyboard.type("1", delay=120)
            page.keyboard.press("Enter")
            page.keyboard.type("zzzzzz", delay=90)
            for _key in range(6):
                page.keyboard.press("Backspace", delay=60)
        echoes = page.evaluate("window.echoes")
    return start, [each for each in echoes if each > 0]


def _shown(page: Any, text: str) -> None:  # noqa: ANN401 - Playwright's page
    until = monotonic() + LIMIT_S
    rows = "[...document.querySelectorAll('.xterm-rows > div')].map((each) => each.textContent)"
    while not any(text in row for row in page.evaluate(rows)):
        if monotonic() > until:
            raise RuntimeError(f"no {text!r} was shown: {json.dumps(page.evaluate(rows))}")
        page.wait_for_timeout(20)
