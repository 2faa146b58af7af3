"""Bugs about seats and watchers: requests, grants and dismissals."""

from msgspec.structs import replace

from engine.table.table import AllScored
from netgame.protocol.notices import LinkEnd
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.entries.lobby_host import LobbyHost
from netgame.protocol.peer.people.applicants import Applicants
from netgame.protocol.peer.people.chair import Chair
from netgame.protocol.peer.people.joiner import Joiner
from netgame.protocol.peer.people.watchers import Watchers
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.seating import NoSeat, WhyNoSeat
from netgame.protocol.state import leavers
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from tests.lab.simulation.planted.swaps import Swap, bug


@bug("the host dismisses in mid-game", Core, "link_down")
def _dismissal(true, self, peer, now, end=LinkEnd.BROKEN):
    if self.parts.lobby_host.opening is not None and self.state.phase is not Phase.LOBBY:
        self.parts.entry_signer.write(wire.Dismiss(peer))
    return true(self, peer, now, end)


@bug("who sits down anew is told it sits", LobbyHost, "hear")
def _twice_seated(true, self, key, ask):
    if self.context.state.member(key) is not None:
        self.context.outbox.send(key, NoSeat(WhyNoSeat.SEATED).answer())
    else:
        true(self, key, ask)


@bug("the chair forgets a newcomer's signature", Applicants, "granted")
def _unsigned_wish(true, self):
    return tuple(wire.Admit(each.request, bytes(64)) for each in true(self))


@bug("a newcomer writes before the coin", Author, "owed")
def _hasty_newcomer(true, self, state, *, chain_checked):
    seat, table = state.seat_of(self.key), state.table
    came = table is not None and seat is not None and table.game.came >> seat & 1
    if came and state.phase is Phase.ROSTER:
        return wire.CoinCommit(bytes(64))
    return true(self, state, chain_checked=chain_checked)


@bug("a promised seat is never taken back")
def _empty_promise() -> list[Swap]:
    # The chair takes it back as soon as it changes its mind, and its receiver when the log says so.
    true = Applicants._answer

    def wrong(self, key, no_seat):
        if no_seat is None:
            true(self, key, no_seat)

    return [(Applicants, "_answer", wrong), (Joiner, "lose_hope", lambda self: None)]


@bug("the chair knows everybody", Chair, "is_stranger")
def _hospitable(self, key):
    return False


@bug("the scores seat no more than three", Applicants, "granted")
def _few_seats(true, self):
    return true(self)[:3]


@bug("who has no seat turns away whom it does not know", Watchers, "may_watch")
def _haughty(true, self, key):
    if not self.context.belongs(self.context.key):
        self.context.links.drop(key, "it has no seat at this table")
        return False
    return true(self, key)


@bug("who goes when the game is scored loses the result", leavers, "leave")
def _lost_result(true, table, seats):
    gone = replace(table.game, gone=table.game.gone | sum(1 << seat for seat in seats))
    return replace(table, game=gone) if isinstance(table.now, AllScored) else true(table, seats)
