"""Bugs about links that are dialled, cut, replaced, or cut without reason."""

from lab.simulation.computers.cables import CableEnd
from lab.simulation.computers.links import OpenLinks
from netgame.protocol.log.fault import Later, Repeat
from netgame.protocol.notices import LinkEnd
from netgame.protocol.peer import driver
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.people.greeter import Greeter
from netgame.protocol.peer.sync.intake import Intake
from tests.lab.simulation.planted.swaps import bug


@bug("a replaced link's end counts as the peer's", driver, "is_outdated")
def _old_link_down(true, event, links):
    if isinstance(event, driver.LinkDown) and event.link.peer in links:
        return False
    return true(event, links)


@bug("half a frame is forgotten", CableEnd, "frames")
def _short_buffer(true, self, octets):
    yield from true(self, octets)
    self._buffer.clear()


@bug("who is dialled in vain is not dialled again", OpenLinks, "_dials")
def _one_dial(self, peer):
    yield from self._network.dial(self._host, peer)
    if peer in self.ends:
        self._dialling.discard(peer)


@bug("nobody is dialled after the first time", Core, "link_up")
def _no_redial(true, self, peer, now):
    kept = dict(self.parts.mesh._dial_at)
    effects = true(self, peer, now)
    self.parts.mesh._dial_at = kept
    return effects


@bug("a broken link is not noticed", Core, "link_down")
def _deaf_to_links(self, peer, now, end=LinkEnd.BROKEN):
    del peer, end
    self.context.now = now
    return self.flush()


@bug("who speaks early is dropped", Greeter, "hear")
def _impatient(true, self, key, peer, hello):
    if not self.context.table_id and self.joiner.host not in (None, key) and hello.table:
        self.context.links.drop(key, "it is at another table")
    else:
        true(self, key, peer, hello)


@bug("a repeated entry ends the link", Intake, "offer")
def _strict(true, self, signed, sender):
    before = self.context.ledger.judge(signed)
    if isinstance(before, Repeat) and sender is not None and self.context.state.step % 4 == 0:
        self.context.links.drop(sender, "it sent an entry twice")
    return true(self, signed, sender)


@bug("an early entry ends the link", Intake, "offer")
def _strict_order(true, self, signed, sender):
    if isinstance(self.context.ledger.judge(signed), Later) and sender is not None:
        self.context.links.drop(sender, "it sent an entry too early")
    return true(self, signed, sender)


@bug("alarms are slept through", Core, "wake")
def _deaf_to_alarms(self, now):
    self.context.now = now
    return (fx.Wake(now + 1.0),)
