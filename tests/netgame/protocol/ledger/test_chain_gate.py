"""Nobody follows a deal whose chain of shuffles is bad [protocol.md §4.4].

The files of the vectors show what `verify` says of such a record (`test_file_vectors`).
"""

from functools import cache

import pytest
from msgspec.structs import replace

from lab.simulation.cheats.cheater import Accomplice
from netgame.crypto.transcript import expand
from netgame.protocol.notices import DealPhase
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.people.seeking import SaysItWatches
from netgame.protocol.state.deal import new_deal, why_bad_chain
from netgame.protocol.state.deck import Deal
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from tests.netgame.games import Driven
from tests.netgame.protocol.happenings import numbers_of, seated, verified
from tests.netgame.simtable import SimTable

HIGH_DRAW = wire.Settings("standard", ("first=high-draw",), 6, 3, 1, 3)


class Conspirator(Accomplice):
    """A core that signs off whatever the other seats do, and accuses nobody."""

    lies: bool = False

    def write(self, payload):
        """Write a payload; if this seat lies, stack a deck before writing it."""
        if self.lies and isinstance(payload, wire.Deck):
            payload = wire.Deck(payload.round, _stacked(payload.deck))
        super().write(payload)

    def convict(self, fault):
        """Accuse nobody."""


class Stacker(Conspirator):
    """A conspirator that stacks the deck."""

    lies = True


def _stacked(deck):
    """Return the deck shifted by one tile, with the halves of each tile exchanged."""
    halves = [deck[at : at + 33] for at in range(0, len(deck), 33)]
    return b"".join([*halves[2:], *halves[:2]][at ^ 1] for at in range(len(halves)))


@cache
def conspired():
    """Return a table whose seats have signed off a stacked deck and played on until one failed."""
    table = SimTable(HIGH_DRAW)
    ann, *_ = seated(table, Ann=Conspirator, Ben=Conspirator, Cy=Stacker)
    with pytest.raises(AssertionError):  # programs that believe a false chain break in the end
        table.until(ann, Phase.PLAY, 60)
    return table


def _watcher():
    """Return a watcher that is linked to the host, and the host."""
    ann = conspired().host
    entropy = expand(bytes(32), "watcher")
    signer = SimTable(HIGH_DRAW, b"w" * 32).seat("Wes").signer
    core = Core(signer, "Wes", entropy, bytes(32), ()).look_for_table(purpose=SaysItWatches())
    watcher = Slow(core)
    watcher.meet(ann.key, ann.state.table_id)
    return watcher, ann


class Slow(Driven):
    """A core whose long work waits until a test calls `let_go`."""

    def __init__(self, core):
        self.waiting: list[tuple[int, object]] = []
        super().__init__(core)

    def do(self, effects):
        """Carry out effects; set long work aside."""
        for effect in effects:
            if getattr(effect, "long", False):
                self.waiting.append((effect.job, effect.run))
            else:
                super().do((effect,))

    def let_go(self):
        """Run the long work that waits, and give its results to the core."""
        waiting, self.waiting = self.waiting, []
        for job, run in waiting:
            self.do(self.core.work_done(job, run(), self.now))


def test_a_watcher_follows_nobody_behind_a_false_chain():
    """A watcher stops at a false chain that all seats have signed off, and convicts its author."""
    watcher, ann = _watcher()
    watcher.read(ann.key, ann.record)
    state = watcher.state
    assert state.deal.phase is DealPhase.CHECKED
    assert state.table is None
    assert watcher.core.fault is None
    watcher.let_go()
    assert watcher.core.fault.finding.check.value == "shuffle"
    assert watcher.state.step == state.step
    verdict = verified(watcher.evidence[0])
    assert verdict.ok, verdict.sentence
    assert verdict.culprit.startswith("Cy (")


def test_a_chain_found_bad_after_its_deal_was_thrown_away_still_convicts():
    """A chain found bad after its deal was thrown away still convicts its author.

    A new deal has begun meanwhile. The log up to the proof step of the old deal shows the fault,
    and the evidence file is good.
    """
    watcher, ann = _watcher()
    watcher.read(ann.key, ann.record[: numbers_of(ann.record, wire.Checked)[0]])
    core = watcher.core
    deal = core.state.deal
    bad = next(run() for _, run in watcher.waiting if run() is not None)
    fault = core.ledger.chain_fault(deal, core.ledger.proofs(deal), *bad)
    assert fault.shown == deal.proof_step
    now = core.state.now
    again = new_deal(core.state, core.state.spec, 0)
    core.ledger.state = core.state.at(replace(now, deal=again))
    watcher.let_go()
    assert core.fault == fault
    verdict = verified(watcher.evidence[0])
    assert verdict.ok, verdict.sentence
    assert verdict.culprit.startswith("Cy (")


def test_chain_is_good_only_with_a_proof_for_every_deck():
    """`why_bad_chain` raises ValueError if there is no proof for a deck of the chain."""
    deal = Deal(0, (0, 1), 0, ((), (), ()), DealPhase.CHECKED, deck_contexts=(b"", b""))
    with pytest.raises(ValueError, match="shorter"):
        why_bad_chain(deal, (), expand(bytes(32), "batch"))
