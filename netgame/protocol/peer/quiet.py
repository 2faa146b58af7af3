"""Ask before you speak: when a seat may sign again after its process has started [protocol.md §8].

A seat that forgot its last entry and wrote another would look exactly like a cheater. So it first
hears where everybody stands and gets all that they have. Where it cannot rule out that a second
program plays with its key, it listens a while longer: that one shows itself by what it writes.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final

from netgame.limits import DIAL_BACKOFF_MAX_S

ASK_FIRST_S: Final = 3.0
"""After a restart a seat waits this long for heads of members it cannot reach."""

_LISTEN_S: Final = DIAL_BACKOFF_MAX_S + 1.0
"""A seat that may not be alone with its key is silent so long once it is level: another program,
run from a copy of its folder, has its links again by then and has told what it wrote meanwhile."""


class Silence:
    """Who has told where they stand since the start, and what keeps this seat silent.

    Times are monotonic seconds. `heard` are the keys whose heads have come.
    """

    def __init__(self) -> None:
        self.heard: set[bytes] = set()
        self._until: float | None = None
        self._level_since: tuple[int, float] | None = None
        self._met_rival: set[bytes] = set()

    @property
    def is_over(self) -> bool:
        """Whether nothing keeps this seat silent any more, or ever has."""
        return self._until is None

    def begin(self, until: float) -> None:
        """Be silent: at least until then while somebody has not been heard."""
        self._until, self._level_since = until, None

    def met_rival(self, key: bytes) -> None:
        """This peer had a link to another process with our key when ours came."""
        if self._until is not None:
            self._met_rival.add(key)

    def lasts(
        self,
        asked: AbstractSet[bytes],
        step: int,
        now: float,
        *,
        is_answered: bool,
        is_behind: bool,
        has_signed: bool,
    ) -> bool:
        """Whether to be silent still.

        `asked` are all whose heads count; `is_answered` tells whether one of them is linked now,
        `is_behind` whether one of them has more than we have, `has_signed` whether this key has
        ever signed anything here.
        """
        if self._until is None:
            return False
        is_unheard = not asked <= self.heard
        if (is_unheard and (now < self._until or not is_answered)) or is_behind:
            return True
        if self._level_since is None:
            self._level_since = step, now
        may_be_two = has_signed and (is_unheard or bool(asked & self._met_rival))
        if may_be_two and now - self._level_since[1] < _LISTEN_S:
            return True
        self._until = None
        return False

    def has_been_level(self, step: int) -> bool:
        """Whether an own entry of this step that we did not sign was made after we had caught up.

        What was forgotten, and what somebody held back, is shown before.
        """
        return self._until is None or (
            self._level_since is not None and step >= self._level_since[0]
        )
