"""When a peer without a link is dialled [protocol.md §3.3].

A link that held for a while is dialled again at once. One that comes and goes is not: where two
programs with one key, run from a copied folder, take each other's links away, pauses that grow keep
them from doing so thousands of times a second.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from netgame.limits import DIAL_BACKOFF_MAX_S, DIAL_BACKOFF_MIN_S, LINK_SETTLED_S

HIGHER_KEY_WAITS_S: Final = 1.5
"""Of two members without a link the one with the lower key dials; the other only after this, unless
it has just been started again."""


class Mesh:
    """What is known of links that came and went, by key; times are monotonic seconds."""

    def __init__(self) -> None:
        self._dial_at: dict[bytes, float] = {}
        self._up_since: dict[bytes, float] = {}
        self._pauses: dict[bytes, float] = {}

    def begin(self, keys: Iterable[bytes], now: float) -> None:
        """Dial all of these at once: they may be in a long pause between two tries to reach us."""
        self._dial_at = dict.fromkeys(keys, now)

    def came(self, key: bytes, now: float) -> None:
        """There is a link to this peer."""
        self._up_since[key] = now
        self._dial_at.pop(key, None)

    def went(self, key: bytes, now: float, *, is_dialled: bool) -> None:
        """The link is gone; how long it held matters of those who are dialled from here."""
        held_s = now - self._up_since.pop(key, now)
        pause = self._pauses.pop(key, 0.0)
        if is_dialled and held_s < LINK_SETTLED_S:
            if pause:  # the first time may have been bad luck
                self._dial_at[key] = now + pause
            self._pauses[key] = min(max(2 * pause, DIAL_BACKOFF_MIN_S), DIAL_BACKOFF_MAX_S)

    def is_time(self, key: bytes, now: float, wait: float) -> bool:
        """Whether to dial now; once, as the shell goes on by itself until there is a link.

        `wait` is for whoever leaves it to the other side at first.
        """
        if now < self._dial_at.setdefault(key, now + wait):
            return False
        self._dial_at[key] = math.inf
        return True
