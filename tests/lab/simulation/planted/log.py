"""Bugs about the shared log: one digest for each step, and every entry reaches everybody."""

from math import inf

from msgspec.structs import replace

from netgame.crypto.transcript import digest
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.peer.entries.writer import EntrySigner
from netgame.protocol.peer.sync.intake import Intake
from netgame.protocol.peer.sync.pulls import Heads, Pulls
from netgame.wire import messages as wire
from tests.lab.simulation.planted.swaps import Swap, bug


@bug("wrong step digest order", Ledger, "settle")
def _arrival_order(true, self, entry):
    notices = true(self, entry)
    if self.steps and entry in self.steps[-1] and not self.slots:
        arrived = self.__dict__.pop("_planted", [])
        arrived.append(entry)
        bodies = [each.signed.body for each in arrived]
        head = digest("step", self.past._heads[-2], bodies)
        if len(arrived) == len(self.steps[-1]):
            self.past._heads[-1] = head
            self.state = replace(self.state, head=head)
    else:
        self.__dict__.setdefault("_planted", []).append(entry)
    return notices


@bug("entries of the due step are not passed on", Ledger, "entries_from")
def _done_steps_only(true, self, step, filled=frozenset()):
    of_due_step = {entry.signed for entry in self.slots.values()}
    for signed in true(self, step, filled):
        if signed not in of_due_step:
            yield signed


@bug("which slots are filled is not told", Ledger, "filled")
def _no_mask(self):
    return b""


@bug("a pull skips a step", Pulls, "pull")
def _next_step(true, self, key, peer, question):
    true(self, key, peer, wire.Pull(question.step + 1, question.filled, question.polls))


@bug("a pulled batch is lost", Intake, "hear_pulled")
def _lost_batch(true, self, key, peer, entries):
    return len(entries) if self.recovery.lasts else true(self, key, peer, entries)


@bug("what answers a pull begins no dig")
def _shallow() -> list[Swap]:
    true = Pulls.dig

    def wrong(self, sender, step):
        if getattr(self, "_unasked", True):
            true(self, sender, step)

    hear = Intake.hear_pulled

    def pulled(self, key, peer, entries):
        self.pulls._unasked = False
        hear(self, key, peer, entries)
        self.pulls._unasked = True

    return [(Pulls, "dig", wrong), (Intake, "hear_pulled", pulled)]


@bug("heads are told on change only", Heads, "tell")
def _no_beat(true, self):
    for peer in self.context.links.peers.values():
        peer.told_at = self.context.now
    self.lifetime._heads.clear()
    true(self)
    state, ledger = self.context.state, self.context.ledger
    here = state.step, state.head, ledger.filled(), len(ledger.decisions)
    if self._told == wire.Head(*here):
        self.round_at = inf


@bug("own moves are signed twice", EntrySigner, "made")
def _double(true, self, at, payload):
    true(self, at, payload)
    if isinstance(payload, wire.Shares) and self.context.due() == at:
        self.context.ledger.pending.clear()
        self.context.ledger.slots.pop(self.context.seat, None)
        true(self, at, wire.Shares(payload.tokens, bytes(98)))
