"""The page that was built, served from an address of this computer to a browser of its own.

A page from 127.0.0.1 may do what one of a LAN may not, so it comes from another address.
"""

import os
from pathlib import Path

import pytest

from page.chromium import FLAGS, chromium
from page.serve import BUILT, serving

WHERE = "BONEYARD_PAGE_AT"
"""The variable with an address of this computer that is not its own alone."""


def pytest_addoption(parser):
    """Let whoever looks at screens say where they are to be."""
    parser.addoption("--screens", type=Path, help="a folder for pictures of the page")


@pytest.fixture(scope="session")
def served():
    """The address of the page; skips where none is built, or nobody says where to serve it."""
    if not (BUILT / "parts.json").is_file():
        pytest.skip("no page is built: uv run --group page python -m page.build")
    address = os.environ.get(WHERE)
    if not address:
        pytest.skip(f"it is served where {WHERE} says, in a network namespace: not at 127.0.0.1")
    with serving(address) as where:
        yield where


@pytest.fixture(scope="session")
def browser():
    """A browser; skips where there is none, or nothing to drive it with."""
    driver = pytest.importorskip("playwright.sync_api", reason="it needs the group `browser`")
    found = chromium()
    if found is None:
        pytest.skip("there is no Chromium on this computer")
    with driver.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found,
            args=FLAGS,
            # a person's browser has that cache, too
            ignore_default_args=["--disable-back-forward-cache"],
        )
        yield browser
        browser.close()


@pytest.fixture
def opened(browser, served, request, tmp_path):
    """Opens tabs of a browser that has never been here; fails where one of them has complained."""
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
