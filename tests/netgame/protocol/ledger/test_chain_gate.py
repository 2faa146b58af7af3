"""No step is closed behind a chain that does not hold, by anybody [protocol.md §4.4, §6.2]."""

import re
from functools import cache

import pytest
from msgspec.structs import replace

from lab.simulation.cheats.cheater import Accomplice
from netgame.crypto.transcript import expand
from netgame.protocol.ledger.record import BadRecord
from netgame.protocol.ledger.verdict import evidence_file
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.log.entry import FRAME_HEADER_BYTES, read_entry, read_frames
from netgame.protocol.notices import DealPhase
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.people.seeking import SaysItWatches
from netgame.protocol.state.deal import new_deal, why_bad_chain
from netgame.protocol.state.deck import Deal
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any
from tests.netgame.games import Driven, ledgers_in
from tests.netgame.protocol.happenings import numbers_of, seated, verified, walked
from tests.netgame.simtable import SimTable

HIGH_DRAW = wire.Settings("standard", ("first=high-draw",), 6, 3, 1, 3)


class Conspirator(Accomplice):
    """Signs off whatever the others do, and accuses nobody."""

    lies: bool = False

    def write(self, payload):
        """Stack its deck, if it is the one: another tile is put under each mask."""
        if self.lies and isinstance(payload, wire.Deck):
            payload = wire.Deck(payload.round, _stacked(payload.deck))
        super().write(payload)

    def convict(self, fault):
        """Never."""


class Stacker(Conspirator):
    """The one that lies."""

    lies = True


def _stacked(deck):
    """The halves of neighbouring tiles, mingled."""
    halves = [deck[at : at + 33] for at in range(0, len(deck), 33)]
    return b"".join([*halves[2:], *halves[:2]][at ^ 1] for at in range(len(halves)))


@cache
def conspired():
    """A table at which all seats play on over a stacked deck, as far as they come."""
    table = SimTable(HIGH_DRAW)
    ann, *_ = seated(table, Ann=Conspirator, Ben=Conspirator, Cy=Stacker)
    with pytest.raises(AssertionError):  # programs that believe a false chain deserve no better
        table.until(ann, Phase.PLAY, 60)
    return table


def test_verify_names_who_stacked_the_deck_and_goes_no_further():
    """Frame, octet and step of the proof that does not hold; no traceback behind it."""
    octets = conspired().host.record_octets
    verdict = verified(octets)
    assert not verdict.ok
    assert "Cy (" in verdict.sentence
    found = re.search(r"frame (\d+) at octet (\d+) \(step (\d+)\)", verdict.sentence)
    frame, octet, step = map(int, found.groups())
    payloads, _ = read_frames(octets)
    assert octet == sum(len(each) + FRAME_HEADER_BYTES for each in payloads[:frame])
    entry = read_entry(decode_any(payloads[frame], wire.RecordFrame).entry)
    assert isinstance(entry.payload, wire.Proof)
    assert entry.is_by(conspired().sitters[2].key)
    assert entry.step == step
    steps = []
    with pytest.raises(BadRecord):
        steps.extend(walked(octets))
    assert isinstance(steps[-1].after.deal.phase, DealPhase)
    assert steps[-1].after.table is None


def test_what_came_while_the_chain_was_checked_keeps_nobody_from_being_convicted():
    """Entries of the step that waits may stand in the evidence behind the proof that is wrong."""
    ann = conspired().host
    *_, ledger = ledgers_in(ann.record[: numbers_of(ann.record, wire.Checked)[0] + 1])
    deal, entropy = ledger.state.deal, expand(bytes(32), "verify")
    proofs = ledger.proofs(deal)
    bad = why_bad_chain(deal, proofs, entropy)
    fault = replace(ledger.chain_fault(deal, proofs, *bad), shown=ledger.state.step)
    verdict = verify_record(evidence_file(ledger, fault, ann.signer), entropy)
    assert verdict.ok, verdict.sentence
    assert verdict.check == "shuffle"
    assert verdict.culprit.startswith("Cy (")
    assert verdict.entries == sum(1 for _ in ledger.entries_from(0))


def _watcher():
    """Somebody without a seat, linked to the first sitter; its long work does not end by itself."""
    ann = conspired().host
    entropy = expand(bytes(32), "watcher")
    signer = SimTable(HIGH_DRAW, b"w" * 32).seat("Wes").signer
    core = Core(signer, "Wes", entropy, bytes(32), ()).look_for_table(purpose=SaysItWatches())
    watcher = Slow(core)
    watcher.meet(ann.key, ann.state.table_id)
    return watcher, ann


class Slow(Driven):
    """Long work waits until it is let go."""

    def __init__(self, core):
        self.waiting: list[tuple[int, object]] = []
        super().__init__(core)

    def do(self, effects):
        """Carry out effects; put long work by."""
        for effect in effects:
            if getattr(effect, "long", False):
                self.waiting.append((effect.job, effect.run))
            else:
                super().do((effect,))

    def let_go(self):
        """Have the long work run now."""
        waiting, self.waiting = self.waiting, []
        for job, run in waiting:
            self.do(self.core.work_done(job, run(), self.now))


def test_a_watcher_follows_nobody_behind_a_false_chain():
    """All seats have signed it off; who looks on checks for itself, holds that step, and names."""
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
    """Somebody was given up meanwhile: the evidence ends with the proofs, and holds."""
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
    """A deck without one does not pass unseen: its step is done, so that all must be there."""
    deal = Deal(0, (0, 1), 0, ((), (), ()), DealPhase.CHECKED, deck_contexts=(b"", b""))
    with pytest.raises(ValueError, match="shorter"):
        why_bad_chain(deal, (), expand(bytes(32), "batch"))
