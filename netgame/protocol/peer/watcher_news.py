"""What the person here is told of who watches: each comes once, and goes once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from netgame.limits import DROP_S, WATCHERS_TOLD_MAX
from netgame.protocol.notices import WatcherChanged
from netgame.protocol.peer.effects import PeerKey


@dataclass(slots=True)
class _Told:
    """A watcher that the person here has been told of; `gone_at`: without a link since then."""

    name: str
    gone_at: float | None = None
    gone_told: bool = False


class WatcherNews:
    """Of whose coming and going the person here has been told; times are monotonic seconds."""

    def __init__(self) -> None:
        self._told: dict[PeerKey, _Told] = {}

    def changes(
        self, here: Mapping[PeerKey, str], belongs: Callable[[bytes], bool], now: float
    ) -> Iterator[WatcherChanged]:
        """What there is to tell, now that these watch; who has come to sit has not gone."""
        for key, name in here.items():
            if key not in self._told and len(self._told) < WATCHERS_TOLD_MAX:
                self._told[key] = _Told(name)
                yield WatcherChanged(name, watches=True)
        for key, told in self._told.items():
            if key in here or told.gone_told:
                told.gone_at = None
            elif told.gone_at is None:
                told.gone_at = now
            elif now - told.gone_at >= DROP_S:
                told.gone_told = True
                if not belongs(key):
                    yield WatcherChanged(told.name, watches=False)
