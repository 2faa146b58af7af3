"""A program that comes back: what it remembers, and when it may sign again."""

from __future__ import annotations

from netgame.protocol.fold.session import due
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.journal import Journal
from netgame.protocol.peer.sync import is_ahead
from netgame.wire import messages as wire
from tests.netgame.simulation.planted.swaps import Bug, Swap, into

BUGS: dict[str, Bug] = {}
bug = into(BUGS)


@bug("restart writes at once")
def _hasty() -> list[Swap]:
    return [(Core, "_is_quiet", lambda self: False)]


@bug("restart hears one head only")
def _one_head() -> list[Swap]:
    def wrong(self):
        if self.quiet.is_over:
            return False
        heads = [peer.head for peer in self.peers.values() if peer.greeted and peer.head]
        if not heads or any(
            is_ahead(each, self.state.step, frozenset(self.ledger.slots)) for each in heads
        ):
            return True
        self.quiet._until = None
        return False

    return [(Core, "_is_quiet", wrong)]


@bug("restart does not catch up first")
def _behind() -> list[Swap]:
    def wrong(self):
        if self.quiet.is_over:
            return False
        heads = [peer.head for peer in self.peers.values() if peer.greeted and peer.head]
        unheard = {member.key for member in self.state.members} - self.quiet.heard - {self.key}
        if unheard and (self.now < self.quiet._until or not heads):
            return True
        self.quiet._until = None
        return False

    return [(Core, "_is_quiet", wrong)]


@bug("a seat without a record writes at once")
def _bold_newcomer() -> list[Swap]:
    true = Core.start

    def wrong(self, *arguments):
        quiet = self.quiet._until
        effects = true(self, *arguments)
        self.quiet._until = quiet
        return effects

    return [(Core, "start", wrong)]


@bug("a step begun is forgotten")
def _whole_steps_only() -> list[Swap]:
    true = Core.restore.__func__

    def wrong(cls, *arguments):
        restored = true(cls, *arguments)
        restored.ledger.slots.clear()
        return restored

    return [(Core, "restore", classmethod(wrong))]


@bug("the host opens its table again")
def _open_twice() -> list[Swap]:
    true = Core.start

    def wrong(self, now):
        if self.state.host == self.key:
            self.write(wire.OpenTable(self.key, bytes(32), self.state.settings))
        return true(self, now)

    return [(Core, "start", wrong)]


@bug("the journal is ignored at restore")
def _forgetful() -> list[Swap]:
    return [(Core, "remember", lambda self, journal: None)]


@bug("a seat signs beyond its mark")
def _bold() -> list[Swap]:
    return [
        (Journal, "may_sign", lambda self, ledger: True),
        (Journal, "has_filled", lambda self, step: False),
        (Journal, "to_be_said_again", lambda self, ledger: ()),
        (Core, "_is_quiet", lambda self: False),
    ]


@bug("forget own slot")
def _slot_forgotten() -> list[Swap]:
    def wrong(self):
        state = self.state
        seat = self.author.seat(state)
        if self.fault is not None or seat is None or seat not in due(state).authors:
            return False
        return not self._is_quiet() and self._writing != state.step

    return [(Core, "may_write", wrong)]
