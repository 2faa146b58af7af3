"""The browser in which the page is tried and measured: Debian's Chromium, and nothing beside it."""

import shutil
from typing import Final

FLAGS: Final = (
    "--no-sandbox",  # whoever makes network namespaces is root
    *("--disable-gpu", "--disable-quic", "--no-first-run", "--no-proxy-server"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
"""Arguments by which it asks nothing of anybody but the page."""


def chromium() -> str | None:
    """The path of its program; None where it is not installed."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
