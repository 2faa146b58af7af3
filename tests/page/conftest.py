"""Fixtures that serve the built page from this computer and open it in a browser.

A page from 127.0.0.1 may do things that a page on a LAN may not, so it is served from a different
address.
"""

import os
from pathlib import Path

import pytest

from page.chromium import FLAGS, chromium
from page.serve import BUILT, serving

WHERE = "BONEYARD_PAGE_AT"
"""The environment variable with the address to serve at: one of this computer, not loopback."""


def pytest_addoption(parser):
    """Add `--screens`, a folder for screenshots."""
    parser.addoption("--screens", type=Path, help="a folder for pictures of the page")


@pytest.fixture(scope="session")
def served():
    """Serve the page and yield its URL; skip if it is not built or no address is given."""
    if not (BUILT / "parts.json").is_file():
        pytest.skip("no page is built: uv run --group page python -m page.build")
    address = os.environ.get(WHERE)
    if not address:
        pytest.skip(f"it is served where {WHERE} says, in a network namespace: not at 127.0.0.1")
    with serving(address) as where:
        yield where


@pytest.fixture(scope="session")
def browser():
    """Start a browser and yield it; skip if there is none, or no driver for it."""
    driver = pytest.importorskip("playwright.sync_api", reason="it needs the group `browser`")
    found = chromium()
    if found is None:
        pytest.skip("there is no Chromium on this computer")
    with driver.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found,
            args=FLAGS,
            # people's browsers have that cache, too
            ignore_default_args=["--disable-back-forward-cache"],
        )
        yield browser
        browser.close()


@pytest.fixture
def opened(browser, served, request, tmp_path):
    """Yield a function that opens the page in a new tab.

    The tab has a fresh browser profile, or shares that of `other_of`. At the end, fail if any tab
    has had an uncaught error or an error in its console.
    """
    from tests.tabs.browsers import Tab

    pictures = request.config.getoption("--screens", default=None)
    contexts, complaints = [], []

    def opened(name, *, other_of=None, script="", **facts):
        context = other_of.page.context if other_of else browser.new_context(**facts)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else 0)
        if script:
            page.add_init_script(script)
        page.goto(served, wait_until="commit")
        return Tab(name, page, tmp_path / f"{name}.log", pictures)

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []
