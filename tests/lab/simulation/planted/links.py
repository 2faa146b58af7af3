"""OpenLinks: dialled, cut, replaced, and never cut for what honest peers do."""

from lab.simulation.computers.cables import CableEnd
from lab.simulation.computers.links import OpenLinks
from netgame.protocol.log.fault import Later, Repeat
from netgame.protocol.notices import LinkEnd
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.people.greeter import Greeter
from netgame.protocol.peer.receipt.receipt import Receipt
from tests.lab.simulation.planted.swaps import Bug, Swap, into

BUGS: dict[str, Bug] = {}
bug = into(BUGS)


@bug("a replaced link's end counts as the peer's")
def _old_link_down() -> list[Swap]:
    def wrong(self, end):
        self._live.pop(end.peer, None)
        return self._host.core.link_down(end.peer, self._host.clock())

    return [(OpenLinks, "_down", wrong)]


@bug("half a frame is forgotten")
def _short_buffer() -> list[Swap]:
    true = CableEnd.frames

    def wrong(self, octets):
        yield from true(self, octets)
        self._buffer.clear()

    return [(CableEnd, "frames", wrong)]


@bug("who is dialled in vain is not dialled again")
def _one_dial() -> list[Swap]:
    def wrong(self, peer):
        if peer in self.ends:
            self._dialling.pop(peer, None)

    return [(OpenLinks, "_missed", wrong)]


@bug("nobody is dialled after the first time")
def _no_redial() -> list[Swap]:
    true = Core.link_up

    def wrong(self, peer, now):
        kept = dict(self.parts.mesh._dial_at)
        effects = true(self, peer, now)
        self.parts.mesh._dial_at = kept
        return effects

    return [(Core, "link_up", wrong)]


@bug("a broken link is not noticed")
def _deaf_to_links() -> list[Swap]:
    def wrong(self, peer, now, end=LinkEnd.BROKEN):
        del peer, end
        self.place.now = now
        return self.flush()

    return [(Core, "link_down", wrong)]


@bug("who speaks early is dropped")
def _impatient() -> list[Swap]:
    true = Greeter.hear

    def wrong(self, key, peer, hello):
        if not self.place.table_id and self.joiner.host not in (None, key) and hello.table:
            self.place.links.drop(key, "it is at another table")
        else:
            true(self, key, peer, hello)

    return [(Greeter, "hear", wrong)]


@bug("a repeated entry ends the link")
def _strict() -> list[Swap]:
    true = Receipt.offer

    def wrong(self, signed, sender):
        before = self.place.ledger.judge(signed)
        if isinstance(before, Repeat) and sender is not None and self.place.state.step % 4 == 0:
            self.place.links.drop(sender, "it sent an entry twice")
        return true(self, signed, sender)

    return [(Receipt, "offer", wrong)]


@bug("an early entry ends the link")
def _strict_order() -> list[Swap]:
    true = Receipt.offer

    def wrong(self, signed, sender):
        if isinstance(self.place.ledger.judge(signed), Later) and sender is not None:
            self.place.links.drop(sender, "it sent an entry too early")
        return true(self, signed, sender)

    return [(Receipt, "offer", wrong)]


@bug("alarms are slept through")
def _deaf_to_alarms() -> list[Swap]:
    def wrong(self, now):
        self.place.now = now
        return (fx.Wake(now + 1.0),)

    return [(Core, "wake", wrong)]
