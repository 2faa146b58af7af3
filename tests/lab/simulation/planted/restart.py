"""Bugs about a restarted program: what it remembers, and when it may sign again."""

from netgame.protocol.peer.core import Core
from netgame.protocol.peer.entries.writer import EntrySigner
from netgame.protocol.peer.linked import is_ahead
from netgame.protocol.peer.status.journal import Journal
from netgame.protocol.peer.status.recovery import Free, Recovery
from netgame.protocol.state.session import due
from netgame.wire import messages as wire
from tests.lab.simulation.planted.swaps import Swap, bug


@bug("restart writes at once", Recovery, "look")
def _hasty(self):
    if self.lasts:
        self.state = Free(self.context.now)


@bug("restart hears one head only", Recovery, "look")
def _one_head(self):
    heads = [peer.head for peer in self.context.links.peers.values() if peer.greeted and peer.head]
    is_level = heads and not any(is_ahead(each, self.context.head()) for each in heads)
    if self.lasts and is_level:
        self.state = Free(self.context.now)


@bug("restart does not catch up first", Recovery, "look")
def _behind(self):
    if not self.lasts:
        return
    place = self.context
    heads = [peer.head for peer in self.context.links.peers.values() if peer.greeted and peer.head]
    unheard = {member.key for member in place.state.members} - self._heard - {place.key}
    if not unheard or (place.now >= self.state.until and heads):
        self.state = Free(self.context.now)


@bug("a seat without a record writes at once", Core, "start")
def _bold_newcomer(true, self, *arguments):
    before = self.parts.recovery.state
    effects = true(self, *arguments)
    self.parts.recovery.state = before
    return effects


@bug("a step begun is forgotten", Journal, "recall")
def _whole_steps_only(true, self, payloads):
    openings = true(self, payloads)
    self.context.ledger.slots.clear()
    return openings


@bug("the host opens its table again", Core, "start")
def _open_twice(true, self, now, life=b""):
    if self.state.host == self.key:
        self.parts.entry_signer.write(wire.OpenTable(self.key, bytes(32), self.state.settings))
    return true(self, now, life)


@bug("the journal is ignored at restore", Journal, "recall")
def _forgetful(self, payloads):
    return ()


@bug("a seat signs beyond its mark")
def _bold() -> list[Swap]:
    return [
        (Journal, "may_sign", lambda self: True),
        (Journal, "has_filled", lambda self: False),
        (Journal, "to_be_said_again", lambda self: ()),
        (Recovery, "lasts", property(lambda self: False)),
    ]


@bug("forget own slot", EntrySigner, "may_write")
def _slot_forgotten(self):
    state, seat = self.context.state, self.context.seat
    if self.context.fault is not None or seat is None or seat not in due(state).authors:
        return False
    return not self.recovery.lasts and self.begun != (state.log_id, state.step)
