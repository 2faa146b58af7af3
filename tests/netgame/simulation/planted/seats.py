"""Seats and watchers: who asks for one, who gets it, who is dismissed."""

from __future__ import annotations

from netgame.protocol.fold.phases import Phase
from netgame.protocol.peer.author import Author
from netgame.protocol.peer.core import Core
from netgame.wire import messages as wire
from tests.netgame.simulation.planted.swaps import Bug, Swap, into

BUGS: dict[str, Bug] = {}
bug = into(BUGS)


@bug("the host dismisses in mid-game")
def _dismissal() -> list[Swap]:
    true = Core.link_down

    def wrong(self, peer, now):
        if self._opening is not None and self.state.phase is not Phase.LOBBY:
            self.write(wire.Dismiss(peer))
        return true(self, peer, now)

    return [(Core, "link_down", wrong)]


@bug("who sits down anew is told it sits")
def _twice_seated() -> list[Swap]:
    true = Core._asked_for_seat

    def wrong(self, key, ask):
        if self.state.phase is Phase.LOBBY and self.state.member(key) is not None:
            self.send(key, wire.JoinAnswer("seated", "You sit already."))
        else:
            true(self, key, ask)

    def stays(self, peer, now):
        opening, self._opening = self._opening, None
        effects = link_down(self, peer, now)
        self._opening = opening
        return effects

    link_down = Core.link_down
    return [(Core, "_asked_for_seat", wrong), (Core, "link_down", stays)]


@bug("the chair forgets a newcomer's signature")
def _unsigned_wish() -> list[Swap]:
    def wrong(self):
        return ((each.request, bytes(64)) for each in self.applicants.values())

    return [(Core, "_asking", wrong)]


@bug("a newcomer writes before the coin")
def _hasty_newcomer() -> list[Swap]:
    true = Author.owed

    def wrong(self, state, *, chain_checked):
        seat, table = self.seat(state), state.table
        came = table is not None and seat is not None and table.aside.came >> seat & 1
        if came and state.phase is Phase.ROSTER:
            return wire.CoinCommit(bytes(64))
        return true(self, state, chain_checked=chain_checked)

    return [(Author, "owed", wrong)]


@bug("a promised seat is never taken back")
def _empty_promise() -> list[Swap]:
    return [(Core, "_lose_hope", lambda self: None)]


@bug("who has no seat turns away whom it does not know")
def _haughty() -> list[Swap]:
    true = Core._may_watch

    def wrong(self, key):
        if not self._belongs(self.key):
            self.drop(key, "it has no seat at this table")
            return False
        return true(self, key)

    return [(Core, "_may_watch", wrong)]


@bug("a watcher keeps what no member has")
def _stubborn() -> list[Swap]:
    return [(Core, "start_anew", lambda self: None)]
