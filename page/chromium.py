"""Finds the browser in which the page is tested and measured: Chromium, as Debian packages it."""

import shutil
from typing import Final

FLAGS: Final = (
    "--no-sandbox",  # making network namespaces takes root
    *("--disable-gpu", "--disable-quic", "--no-first-run", "--no-proxy-server"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
"""Chromium's arguments; most of them keep it from contacting anything but the page."""


def chromium() -> str | None:
    """Return the path of Chromium's executable; None if it is not installed."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
