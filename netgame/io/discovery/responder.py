"""zeroconf, which lives in a thread of its own and is imported only when used."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import trio

if TYPE_CHECKING:
    from zeroconf import Zeroconf


@asynccontextmanager
async def responder() -> AsyncIterator[Zeroconf]:
    """Speak mDNS on all interfaces within the block. Raises whatever zeroconf and systems do."""
    zeroconf = await trio.to_thread.run_sync(_open_zeroconf)
    try:
        yield zeroconf
    finally:
        with trio.CancelScope(shield=True), suppress(Exception):
            await trio.to_thread.run_sync(zeroconf.close)


def _open_zeroconf() -> Zeroconf:
    from zeroconf import InterfaceChoice, IPVersion, Zeroconf

    # Without a handler of its own, zeroconf's warnings would land on the player's screen.
    logging.getLogger("zeroconf").addHandler(logging.NullHandler())
    return Zeroconf(interfaces=InterfaceChoice.All, ip_version=IPVersion.V4Only, use_asyncio=False)


def why_silent(error: Exception) -> str:
    """Why the responder gave up, in a few words; it raises RuntimeError without an interface."""
    if isinstance(error, RuntimeError):
        return "this computer has no network interface that is up"
    return f"{error.strerror or error}" if isinstance(error, OSError) else type(error).__name__
