"""No step is closed behind a chain that does not hold, by anybody [protocol.md §4.4, §6.2]."""

import re
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from msgspec.structs import replace

from lab.simulation.cheats.cheater import Accomplice
from lab.simulation.computers.toys import toys
from netgame.crypto.transcript import expand
from netgame.protocol.fold.deal import new_deal, why_bad_chain
from netgame.protocol.fold.deck import Deal
from netgame.protocol.fold.phases import Phase
from netgame.protocol.fold.state import State
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.record import BadRecord, walk
from netgame.protocol.ledger.verdict import evidence_file
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.log.entry import FRAME_HEADER_BYTES, read_entry, read_frames
from netgame.protocol.log.fault import Accepted, Unlinked
from netgame.protocol.notices import DealPhase
from netgame.protocol.peer.core import Core
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any
from tests.netgame.games import NAMES, Driven, entries_in, ledgers_in, played, read_until, signed_at
from tests.netgame.protocol.happenings import numbers_of, seated, verified
from tests.netgame.protocol.peer.test_slow_checks import is_check
from tests.netgame.simtable import SimTable, Sitter, full_table, standard

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


def _stacked(deck: bytes) -> bytes:
    """The halves of neighbouring tiles, mingled."""
    halves = [deck[at : at + 33] for at in range(0, len(deck), 33)]
    return b"".join([*halves[2:], *halves[:2]][at ^ 1] for at in range(len(halves)))


@pytest.fixture(autouse=True)
def with_toys() -> Iterator[None]:
    """All of it with toys: nothing here is about the group."""
    with toys():
        yield


@cache
def high_draw() -> SimTable:
    """A whole game; not to be changed."""
    table = full_table(NAMES[:3], HIGH_DRAW, seed=b"g" * 32)
    table.run_game()
    return table


@cache
def conspired() -> SimTable:
    """A table at which all seats play on over a stacked deck, as far as they come."""
    table = SimTable(HIGH_DRAW)
    ann, *_ = seated(table, Ann=Conspirator, Ben=Conspirator, Cy=Stacker)
    with pytest.raises(AssertionError):  # programs that believe a false chain deserve no better
        table.run(lambda: ann.core.state.phase is Phase.PLAY, 60)
    return table


def test_verify_names_who_stacked_the_deck_and_goes_no_further() -> None:
    """Frame, octet and step of the proof that does not hold; no traceback behind it."""
    octets = conspired().sitters[0].record_octets
    verdict = verified(octets)
    assert not verdict.ok
    assert "Cy (" in verdict.sentence
    found = re.search(r"frame (\d+) at octet (\d+) \(step (\d+)\)", verdict.sentence)
    frame, octet, step = map(int, found.groups())
    payloads, _ = read_frames(octets)
    assert octet == sum(len(each) + FRAME_HEADER_BYTES for each in payloads[:frame])
    entry = read_entry(decode_any(payloads[frame], wire.RecordFrame).entry)
    assert isinstance(entry.payload, wire.Proof)
    assert entry.is_by(conspired().sitters[2].core.key)
    assert entry.step == step
    walked = []
    with pytest.raises(BadRecord):
        walked.extend(walk(octets, expand(bytes(32), "walk")))
    assert isinstance(walked[-1].after.deal.phase, DealPhase)
    assert walked[-1].after.table is None


def test_what_came_while_the_chain_was_checked_keeps_nobody_from_being_convicted() -> None:
    """Entries of the step that waits may stand in the evidence behind the proof that is wrong."""
    ann = conspired().sitters[0]
    *_, ledger = ledgers_in(ann.record[: numbers_of(ann.record, wire.Checked)[0] + 1])
    deal, entropy = ledger.state.deal, expand(bytes(32), "verify")
    bad = why_bad_chain(deal, ledger.proofs(deal), entropy)
    fault = replace(ledger.chain_fault(deal, *bad), shown=ledger.state.step)
    verdict = verify_record(evidence_file(ledger, fault, ann.signer), entropy)
    assert verdict.ok, verdict.sentence
    assert verdict.check == "shuffle"
    assert verdict.culprit.startswith("Cy (")
    assert verdict.entries == sum(1 for _ in ledger.entries_from(0))


def _watcher(table: SimTable) -> tuple[Driven, Sitter]:
    """Somebody without a seat, linked to the first sitter; its long work does not end by itself."""
    ann = table.sitters[0]
    entropy = expand(bytes(32), "watcher")
    signer = SimTable(HIGH_DRAW, b"w" * 32).seat("Wes").signer
    core = Core(signer, "Wes", entropy, bytes(32), ()).look_for_table(watches=True)
    watcher = Slow(core)
    watcher.do(core.link_up(ann.core.key, 0.0))
    watcher.hear(ann.core.key, wire.Hello(ann.core.state.table_id))
    return watcher, ann


class Slow(Driven):
    """Long work waits until it is let go."""

    def __init__(self, core: Core) -> None:
        self.waiting: list[tuple[int, object]] = []
        super().__init__(core)

    def do(self, effects) -> None:
        """Carry out effects; put long work by."""
        for effect in effects:
            if getattr(effect, "long", False):
                self.waiting.append((effect.job, effect.run))
            else:
                super().do((effect,))

    def let_go(self) -> None:
        """Have the long work run now."""
        waiting, self.waiting = self.waiting, []
        for job, run in waiting:
            self.do(self.core.work_done(job, run(), self.now))


def _with_last_deck(change: Callable[[bytes], bytes]) -> tuple[Ledger, wire.SignedEntry]:
    """The log of a game with the last deck of its first deal as its author has changed it."""
    log, at = read_until(lambda state: _decks(state) == len(NAMES[:3]))
    (true,) = entries_in(played().sitters[0].record[at : at + 1])
    deck = read_entry(true).payload
    assert isinstance(deck, wire.Deck)
    last = signed_at(log, wire.Deck(deck.round, change(deck.deck)), 2)
    _settle(log, last)
    return log, last


def _decks(state: State) -> int:
    return 0 if state.deal is None else len(state.deal.decks)


def _settle(log: Ledger, signed: wire.SignedEntry) -> None:
    judged = log.judge(signed)
    assert isinstance(judged, Accepted)
    log.settle(judged.entry)


def test_who_is_shown_another_last_deck_proves_nothing_on_the_log_of_the_others() -> None:
    """The step of the proofs is closed by those alone who hold one deck: no share is due before.

    Ann and Ben are honest, and whoever mixes last shows each of them another deck. It may prove
    both; Ben's own proof names the head of his log, and there is no second one of his.
    """
    ann, one = _with_last_deck(lambda deck: deck)
    ben, other = _with_last_deck(_stacked)
    proof = wire.Proof(0, _some_proof())
    for seat in (0, 2):
        _settle(ann, signed_at(ann, proof, seat))
    assert isinstance(ann.judge(signed_at(ben, proof, 1)), Unlinked)
    assert ann.state.deal.phase is DealPhase.PROOF
    fault = ann.proved((one, other))
    assert fault.key == ann.state.seats[2].key
    _settle(ann, signed_at(ann, proof, 1))
    assert ann.state.deal.phase is DealPhase.CHECKED


def _some_proof() -> bytes:
    """The octets of a proof that is as long as it has to be."""
    entries = map(read_entry, entries_in(played().sitters[0].record))
    return next(e.payload.proof for e in entries if isinstance(e.payload, wire.Proof))


def test_a_watcher_follows_nobody_behind_a_false_chain() -> None:
    """All seats have signed it off; who looks on checks for itself, holds that step, and names."""
    watcher, ann = _watcher(conspired())
    watcher.read(ann.core.key, ann.record)
    state = watcher.core.state
    assert state.deal.phase is DealPhase.CHECKED
    assert state.table is None
    assert watcher.core.fault is None
    watcher.let_go()
    assert watcher.core.fault.finding.check.value == "shuffle"
    assert watcher.core.state.step == state.step
    verdict = verified(watcher.evidence[0])
    assert verdict.ok, verdict.sentence
    assert verdict.culprit.startswith("Cy (")


def test_a_watcher_goes_on_when_its_own_check_has_passed() -> None:
    """What came meanwhile is held, and taken then."""
    table = high_draw()
    watcher, ann = _watcher(table)
    watcher.read(ann.core.key, ann.record)
    assert watcher.core.state.deal.phase is DealPhase.CHECKED
    assert watcher.core.state.table is None
    while watcher.waiting:
        watcher.let_go()
    assert watcher.core.state.head == ann.core.state.head


def test_who_comes_back_waits_for_its_own_check_again() -> None:
    """A record that ends with the step all signed is checked anew before it goes on."""
    table = high_draw()
    ann = table.sitters[0]
    signed = numbers_of(ann.record, wire.Checked)[0] + 2

    def back(frames: int) -> Core:
        record = ann.record[: frames + 1]
        return Core(ann.signer, "Ann", expand(bytes(32), "x"), ann.secret, ()).restore(record, 0.0)

    core = back(signed)
    assert core.state.deal.phase is DealPhase.CHECKED
    assert core.ledger.is_waiting()
    again = Driven(core)
    assert not core.ledger.is_waiting()
    assert again.core.state.phase is not Phase.DEAL
    assert back(signed + 1).state.phase is not Phase.DEAL


def test_a_chain_found_bad_after_its_deal_was_thrown_away_still_convicts() -> None:
    """Somebody was given up meanwhile: the evidence ends with the proofs, and holds."""
    watcher, ann = _watcher(conspired())
    watcher.read(ann.core.key, ann.record[: numbers_of(ann.record, wire.Checked)[0]])
    core = watcher.core
    deal = core.state.deal
    bad = next(run() for _, run in watcher.waiting if run() is not None)
    fault = core.ledger.chain_fault(deal, *bad)
    assert fault.shown == deal.proof_step
    now = core.state.now
    again = new_deal(core.state, core.state.spec, 0)
    core.ledger.state = core.state.at(replace(now, deal=again))
    watcher.let_go()
    assert core.fault == fault
    verdict = verified(watcher.evidence[0])
    assert verdict.ok, verdict.sentence
    assert verdict.culprit.startswith("Cy (")


def test_a_turn_is_played_while_the_next_rounds_chain_is_being_checked() -> None:
    """Only the step that signs the chain off waits for it, not the turn before that."""
    table = full_table(NAMES[:3], standard(6, 3, 2))
    table.slow = lambda sitter, work: (
        is_check(sitter, work) and sitter.core.state.phase is Phase.PLAY
    )
    table.run(lambda: len(table.unfinished) == 3)
    turns = table.sitters[0].core.state.table.turns
    table.run(lambda: all(each.core.state.table.turns > turns for each in table.sitters), 30)
    for sitter in table.sitters:
        assert not sitter.faults()


def test_chain_is_good_only_with_a_proof_for_every_deck():
    """A deck without one does not pass unseen: its step is done, so that all must be there."""
    deal = Deal(0, (0, 1), 0, ((), (), ()), DealPhase.CHECKED, deck_contexts=(b"", b""))
    with pytest.raises(ValueError, match="shorter"):
        why_bad_chain(deal, (), expand(bytes(32), "batch"))
