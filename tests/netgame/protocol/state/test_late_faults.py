"""A fault seen only after a whole round convicts even a seat that has left [protocol.md §7.14]."""

from dataclasses import dataclass

import pytest

from lab.simulation.computers.toys import toys
from netgame.protocol.log.entry import read_entry, read_frames
from netgame.protocol.log.fault import CheckCode, Finding
from netgame.protocol.state import phases, round_end
from netgame.wire import messages as wire
from netgame.wire.codec import decode, decode_any, encode
from tests.netgame.games import NAMES
from tests.netgame.protocol.happenings import file_of, verified
from tests.netgame.simtable import SimTable, Sitter, full_table, kill
from tests.netgame.small_games import is_its_turn

FINDING = Finding(CheckCode.AUDIT, "said that nothing fits, and had a tile that does")


@dataclass
class Told:
    """A table that a liar has left, and the liar's sitter."""

    table: SimTable
    liar: Sitter

    @property
    def honest(self):
        """Return every sitter but the liar."""
        return [sitter for sitter in self.table.sitters if sitter is not self.liar]


@pytest.fixture(scope="module")
def told():
    """Return a table whose liar died in its turn, once all others have found its fault.

    The judge of the opened hands is patched to find that fault.
    """
    settings = wire.Settings("standard", (), 6, 4, 1, 4, ("patience=minute",))
    with toys(), pytest.MonkeyPatch.context() as patch:
        table = full_table(NAMES[:4], settings, seed=bytes([1]) * 32)
        told = Told(table, table.sitters[3])
        table.run(lambda: is_its_turn(told.liar))
        late = phases.Late(told.liar.seat, FINDING)
        patch.setattr(round_end, "judged_again", lambda history, tiles: late)
        kill(table, told.liar)
        table.run(lambda: all(each.faults() for each in told.honest), 3600)
        yield told


def test_a_seat_that_lied_and_left_is_named_by_all(told):
    """All name a seat that lied and left, with its own last entry as evidence.

    It has no entry in the step that opens the hands.
    """
    name = told.liar.name
    for sitter in told.honest:
        (fault,) = sitter.faults()
        assert fault.check == "audit"
        assert fault.name.startswith(f"{name} (")
        seat = sitter.state.seat_of(told.liar.key)
        assert seat in sitter.state.gone
        (signed,) = sitter.core.fault.entries
        entry = read_entry(signed)
        assert entry.is_by(told.liar.key)
        own = [e for step in sitter.ledger.steps for e in step if e.is_by(told.liar.key)]
        assert entry == own[-1]
        assert sitter.core.fault.shown == sitter.state.step - 1


def test_its_evidence_convinces_a_third_party(told):
    """The evidence of a late fault convinces a third party, and a changed file does not.

    The file has the log up to the opened hands, and the verifier finds the same fault.
    """
    for sitter in told.honest:
        content = sitter.evidence[sitter.faults()[0].evidence]
        verdict = verified(content)
        assert verdict.ok, verdict.sentence
        assert verdict.check == "audit"
        assert verdict.culprit == sitter.faults()[0].name
        frames, _ = read_frames(content)
        closing = decode_any(frames[-1], wire.RecordFrame)
        other = decode(frames[5], wire.RecordEntry).entry
        framed = wire.EvidenceFrame(closing.check, (other,))
        forged = file_of((*frames[:-1], encode(framed)))
        assert not verified(forged).ok


def test_a_record_that_shows_it_is_refused_by_name(told):
    """`verify` refuses a record that shows a late fault, and names the liar and the check."""
    sitter = told.honest[0]
    verdict = verified(sitter.record_octets)
    assert not verdict.ok
    assert f"{told.liar.name} (" in verdict.sentence
    assert "check audit" in verdict.sentence
