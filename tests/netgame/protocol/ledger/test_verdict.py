"""The verdicts of `verify` on a record; a refused file is credited with nothing."""

import pytest

from engine.rules.revision import RULES_REVISION
from netgame.protocol.ledger.verdict import FileFinding, RecordVerdict
from netgame.protocol.log.entry import frame_payload, read_entry
from netgame.protocol.peer.parts import leave_for_good
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.games import entries_of, played
from tests.netgame.protocol.happenings import file_of, verified
from tests.netgame.simtable import full_table, standard


@pytest.mark.parametrize(
    ("octets", "why"),
    [
        (b"", "the file is empty"),
        (b"no record", "this is not a Boneyard record"),
        (frame_payload(b"nor this"), "this is not a record of this program"),
    ],
    ids=["empty", "no frames", "no header"],
)
def test_a_refused_file_is_credited_with_nothing(octets, why):
    """A file that is not a record has no entries, steps, names, scores, winner or culprit."""
    verdict = verified(octets)
    nothing = RecordVerdict(
        finding=FileFinding.BAD if octets else FileFinding.EMPTY,
        says=verdict.says,
        revision=RULES_REVISION,
        entries=0,
        steps=0,
        head="",
        names=(),
        scores=(),
        winners=(),
        culprit="",
        check="",
    )
    assert verdict == nothing
    assert not verdict.ok
    assert why in verdict.sentence


def test_each_way_to_be_cut_off_is_told_apart():
    """A file that is cut off, empty, damaged or of another version has a finding of its own."""
    record = list(played(3, 6, 1).host.record)
    whole = file_of(record)
    border = len(file_of(record[:-2]))
    for octets, finding, says in (
        (whole[: border + 9], FileFinding.CUT_OFF, "breaks off inside the frame at octet"),
        (whole[: border + 3], FileFinding.CUT_OFF, "what comes before it is good, up to step"),
        (whole[:border], FileFinding.UNFINISHED, "a game that is not finished and waits for"),
        (whole[:12], FileFinding.CUT_OFF, "breaks off inside its first frame"),
        (b"", FileFinding.EMPTY, "the file is empty"),
        (b"\xff" * 12, FileFinding.BAD, "not a Boneyard record"),
        (whole[: border - 1] + b"\x00" + whole[border:], FileFinding.BAD, "checksum"),
        (file_of([encode(wire.RecordHeader(9))]), FileFinding.OTHER_VERSION, "protocol version 9"),
    ):
        verdict = verified(octets)
        assert says in verdict.sentence, verdict.sentence
        assert verdict.finding is finding, verdict.sentence
        assert verdict.ok == (finding is FileFinding.UNFINISHED)


def test_nobody_has_won_a_game_that_is_not_finished():
    """The verdict on an unfinished game names no winner, but has the scores of its rounds."""
    verdict = verified(file_of(list(played(2, 6, 2).host.record)[:-10]))
    assert verdict.finding is FileFinding.UNFINISHED
    assert (len(verdict.scores), verdict.winners) == (1, ())


def test_every_key_stands_behind_a_record_with_what_it_has_signed():
    """A verdict counts the entries that each key has signed, including the host's in the lobby."""
    game = played(3, 6, 1)
    entries = [read_entry(each) for each in entries_of(game.host)]
    signed = {each.key: each.entries for each in verified(game.host.record_octets).signers}
    assert signed == {
        sitter.key.hex(): sum(entry.is_by(sitter.key) for entry in entries)
        for sitter in game.sitters
    }
    assert sum(signed.values()) == len(entries)


def test_a_game_that_was_over_before_it_began_is_no_game_that_waits():
    """A game that ends before its first deal counts as finished.

    One of two players leaves while they sign the roster.
    """
    table = full_table(("Ann", "Ben"), standard(6, 2, 1))
    ann, ben = table.sitters
    table.until(ann, Phase.ROSTER)
    table.act(ben, leave_for_good)
    table.until(ann, Phase.OVER)
    verdict = verified(ann.record_octets)
    assert verdict.sentence.startswith("A good record: a game that was over before it began. ")
    assert (verdict.finished, verdict.scores, verdict.winners) == (True, (), ())
