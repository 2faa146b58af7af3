"""The limits on connections of browsers, and the choice of one to end in favour of a new one.

If the new one's address already has its full share, the idlest connection of that address ends.
Otherwise, once all places are taken, one of the address with the most connections ends. If that
address would then have fewer than the new one's, the idlest of all connections ends instead, if it
has been idle for `PAGE_SILENT_S`. If none can end, the new connection is not served.
"""

from collections import Counter

import trio
from msgspec import Struct, field

from netgame import limits


class BrowserVisit(Struct, eq=False):
    """One connection of a browser."""

    source: str
    since: float
    """The time when `is_idle` last changed."""
    is_idle: bool = True
    """True if no request of it is being answered."""
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)

    def note(self, *, is_idle: bool) -> None:
        """Note whether a request is being answered."""
        self.is_idle, self.since = is_idle, trio.current_time()


class Visits:
    """The connections of browsers that are being served."""

    def __init__(self) -> None:
        self._visits: list[BrowserVisit] = []

    def admit(self, source: str) -> BrowserVisit | None:
        """Return a new visit from `source`; None if there is no room and no other can be ended.

        If another one has to give way, its `scope` is cancelled.
        """
        of_source = [each for each in self._visits if each.source == source]
        if len(of_source) >= limits.PAGE_CONNECTIONS_PER_ADDRESS_MAX:
            goes = [each for each in of_source if each.is_idle]
        elif len(self._visits) >= limits.PAGE_CONNECTIONS_MAX:
            counts = Counter(each.source for each in self._visits)
            most = max(counts.values())
            goes = [each for each in self._visits if counts[each.source] == most]
            if most <= len(of_source) + 1:
                too_long = trio.current_time() - limits.PAGE_SILENT_S
                goes = [each for each in self._visits if each.is_idle and each.since < too_long]
        else:
            goes = None
        if goes is not None:
            if not goes:
                return None
            gone = min(goes, key=lambda each: (not each.is_idle, each.since))
            gone.scope.cancel()
            self._visits.remove(gone)
        visit = BrowserVisit(source, trio.current_time())
        self._visits.append(visit)
        return visit

    def leave(self, visit: BrowserVisit) -> None:
        """Free the place of this visit, if it still has one."""
        if visit in self._visits:
            self._visits.remove(visit)
