"""The stand-in for a host whose process is gone."""

from netgame import limits
from netgame.protocol.notices import StandIn
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.people.names import ScreenNames
from netgame.protocol.peer.people.own_network import OwnNetwork
from netgame.protocol.peer.people.presence import Presence
from netgame.protocol.state.phases import Phase


class Deputy(PeerPart):
    """Decides which peer announces the table: the host or, if its process is gone, a stand-in."""

    names: ScreenNames
    own_network: OwnNetwork
    presence: Presence
    _stand_in: bytes = b""
    """The key of the stand-in, as far as our links tell; empty without one."""
    _gone_at: float | None = None
    """The time since which the host has had no link to us; None while it has one."""

    def announcer(self) -> bytes:
        """Return the key of the peer that announces the table; b"" before the log names a host."""
        return self._stand_in or self.context.state.host

    def announces(self) -> bool:
        """Return True if this computer announces the table on the network."""
        return bool(self.context.state.host) and self.announcer() == self.context.key

    def stand_in(self) -> None:
        """While the host's process is gone, let the first seat that listens announce the table.

        Tells the player whose computer announces it from now on. Nobody stands in after the game.
        While this computer itself is cut off, nothing changes, except that the time for which the
        host has been gone starts over if nobody stands in yet.
        """
        context, before = self.context, self._stand_in
        if self.own_network.is_cut_off():
            self._gone_at = self._gone_at if before else None
            return
        self._stand_in = now = self._first_here() if self._is_host_gone() else b""
        host = context.state.host
        if now != before and (now or host in context.links.greeted()):
            name = "" if now == context.key else self.names.name_of(PeerKey(now or host))
            context.outbox.notify(StandIn(bool(now), name, bool(now) and self.has_host_left()))

    def _is_host_gone(self) -> bool:
        """Return True in a game whose host has had no link to us for `HOST_GONE_S`.

        False if we are the host, or a fault stops us.
        """
        context, state = self.context, self.context.state
        begun = state.phase not in (Phase.LOBBY, Phase.OVER) and context.fault is None
        if not begun or context.is_host or state.host in context.links.greeted():
            self._gone_at = None
            return False
        self._gone_at = context.now if self._gone_at is None else self._gone_at
        return context.reached(self._gone_at + limits.HOST_GONE_S)

    def has_host_left(self) -> bool:
        """Return True if the host is known to have closed its program, or left its seat for good.

        False for a host that never had a seat.
        """
        context, company = self.context, self.context.state.company.now
        host = context.state.host
        if company.seat_of(host) is None:
            return False
        if self.presence.has_closed(PeerKey(host)):
            return True
        parted = context.ledger.poll.cut.parted() & company.bit_of(host)
        return bool(parted) or not company.has(host)

    def _first_here(self) -> bytes:
        """Return the key of the lowest seat that listens and is ours or linked to us; else b"".

        A seat that does not listen, as in a browser tab, is left out: nobody could come to the
        table at its address.
        """
        context, state = self.context, self.context.state
        up = {context.seat, *context.links.seats()}
        keys = (state.company.now.keys[seat] for seat in state.present if seat in up)
        here = (member for key in keys if (member := state.member(key)) is not None)
        return next((member.key for member in here if member.listens), b"")
