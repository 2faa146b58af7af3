"""The ledger alone: repeated entries, the end of a record, and the epoch of a checked chain."""

from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.verdict import record_frames
from netgame.protocol.log.entry import Entry
from netgame.protocol.log.fault import Repeat
from netgame.protocol.notices import DealPhase
from netgame.protocol.state.phases import Phase
from tests.netgame.games import ledger_until, ledgers_in, played, read_until
from tests.netgame.protocol.ledger.intake import at_deal, at_phase


def test_what_stands_is_known_again_without_a_look_at_its_signature(monkeypatch):
    """A repeated entry is recognised without verifying its signature again.

    So a peer that repeats the whole log costs only one comparison for each entry.
    """
    ledger = ledger_until(at_phase(Phase.PLAY))

    def looked_at(_entry, _key):
        raise AssertionError("a signature was verified again")

    monkeypatch.setattr(Entry, "is_by", looked_at)
    standing = list(ledger.entries_from(0))
    assert all(isinstance(ledger.judge(signed), Repeat) for signed in standing)


def test_a_record_ends_with_the_due_step_however_far_it_is_asked_for():
    """A record that is asked for beyond the due step ends with that step, and repeats no entry."""
    ledger = next(log for log in ledgers_in(played().host.record) if log.slots)
    assert list(record_frames(ledger, ledger.state.step + 2)) == list(record_frames(ledger))


def test_a_chain_that_was_found_good_is_that_of_one_session():
    """A checked chain counts only for its epoch: another epoch may use the same step numbers."""
    _, frames = read_until(at_deal(DealPhase.CHECKED))
    *_, ledger = ledgers_in(played().host.record[: frames + 1], Ledger)
    born = ledger.state.deal.born
    ledger.pass_chain((bytes(64), born))
    assert ledger.is_waiting()
    ledger.pass_chain((ledger.state.log_id, born))
    assert not ledger.is_waiting()
