"""How many browsers are served at once, and who gives way when there are too many.

An address that has its share gives way to itself: its connection that has waited longest with
nothing asked. Once all places are taken, the address with the most gives way to one with fewer, and
else whoever has long asked for nothing.
"""

from collections import Counter

import trio
from msgspec import Struct, field

from netgame import limits


class BrowserVisit(Struct, eq=False):
    """One connection of a browser."""

    source: str
    since: float
    """When `is_idle` last changed."""
    is_idle: bool = True
    """No whole request of it has come that is not answered."""
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)

    def note(self, *, is_idle: bool) -> None:
        """Note whether a request is being answered."""
        self.is_idle, self.since = is_idle, trio.current_time()


class Visits:
    """The connections of browsers that are being served."""

    def __init__(self) -> None:
        self._visits: list[BrowserVisit] = []

    def admit(self, source: str) -> BrowserVisit | None:
        """A place for one more from there; None if nobody gives way to it."""
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
        """Give the place to others."""
        if visit in self._visits:
            self._visits.remove(visit)
