"""Who announces the table: the host, or who stands in while the host's process is gone."""

from dataclasses import dataclass

from netgame.limits import HOST_GONE_S
from netgame.protocol.fold.phases import Phase
from netgame.protocol.notices import StandIn
from netgame.protocol.peer.place import Place


@dataclass(eq=False)
class Deputy:
    """`_stands_in`: this computer announces the table; no link to the host since `_gone_at`."""

    place: Place
    _stands_in: bool = False
    _gone_at: float | None = None

    def announces(self) -> bool:
        """Whether this computer is the one to announce the table on the network."""
        return self._stands_in or self.place.is_host

    def stand_in(self) -> None:
        """While the host's process is gone, the first seat that is here announces the table."""
        place, state = self.place, self.place.state
        begun = state.phase not in (Phase.LOBBY, Phase.OVER)
        if not begun or not place.sits(place.key) or place.is_host or place.fault is not None:
            self._stands_in = False
            return
        if place.links.is_greeted(state.host):
            self._gone_at = None
        elif self._gone_at is None:
            self._gone_at = place.now
        up = {place.seat, *place.links.seats()}
        is_first = next(seat for seat in state.present if seat in up) == place.seat
        gone_long = self._gone_at is not None and place.now - self._gone_at >= HOST_GONE_S
        if (gone_long and is_first) != self._stands_in:
            self._stands_in = not self._stands_in
            place.outbox.notify(StandIn(up=self._stands_in))
