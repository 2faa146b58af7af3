"""Records that nobody played: a verdict on each, no traceback, and no honest seat convicted."""

import pytest

from cli.__main__ import main
from lab.fuzzing import built_lies, records
from lab.fuzzing.mutation import chance_for
from lab.fuzzing.part import Broken
from lab.fuzzing.record_games import GAMES, played
from netgame.protocol.ledger import ledger, record, verification
from netgame.protocol.ledger.verdict import FileFinding, RecordVerdict
from netgame.wire import messages as wire
from netgame.wire.codec import decode
from tests.netgame.games import entries_in


def entries_said(number: int) -> set[type]:
    """Return the kinds of entry in the game with this number."""
    entries = entries_in(played(number).payloads)
    return {type(decode(each.body, wire.Body).payload) for each in entries}


@pytest.mark.campaign
def test_the_games_have_entries_of_every_kind() -> None:
    """The games give the fuzzer every kind of entry to spoil, except four.

    A quiet lobby has no dismissal, and nobody here discards, moves a marker or lays a chain in a
    turn. Chains occur in openings that all show at once.
    """
    said = set[type]().union(*(entries_said(number) for number in range(len(GAMES))))
    assert set(wire.PAYLOADS) - said == {wire.Dismiss, wire.Discard, wire.Mark, wire.LayChain}


RUNS = {"spoilt": records.spoilt, "built": records.built}


@pytest.mark.parametrize("part", RUNS)
def test_a_slice_of_each(part: str) -> None:
    """Of each part's records some are accepted and some refused; none causes an exception."""
    good = sum(RUNS[part](chance_for(1, part, index)) for index in range(150))
    assert 0 < good < 150


def test_the_command_counts_records_apart(capsys) -> None:
    """`--records` and `--built` say how many spoilt and built records to run; nothing else runs."""
    assert main(["fuzz", "--records", "20", "--built", "10"]) == 0
    _, *rows, last = capsys.readouterr().out.splitlines()
    assert [row.split()[:2] for row in rows] == [["spoilt-records", "20"], ["built-records", "10"]]
    assert last.startswith("30 inputs from seed 0")


def test_a_verifier_that_goes_on_behind_a_fault_is_noticed(monkeypatch) -> None:
    """The fuzzer notices a verifier that reads on after a fault instead of refusing the record."""
    monkeypatch.setattr(record.Reading, "refuse_what_is_found", lambda self, judgement=None: None)
    monkeypatch.setattr(ledger.Ledger, "is_waiting", lambda self: False)
    with pytest.raises((Broken, AssertionError), match="a proved shuffle holds nothing but tiles"):
        _runs_many("built")


def test_a_verifier_that_believes_any_accusation_is_noticed(monkeypatch) -> None:
    """The fuzzer notices a verifier that takes any accusation for proof."""

    def convinced(reading, closing):
        return RecordVerdict(FileFinding.EVIDENCE, (), 1, culprit="Ann (aaaaaaaa)")

    monkeypatch.setattr(verification, "_evidence_verdict", convinced)
    with pytest.raises(Broken, match="an honest seat is convicted"):
        _runs_many("spoilt")


def _runs_many(part: str) -> None:
    for index in range(600):
        RUNS[part](chance_for(2, part, index))


def test_nobody_one_and_two_may_lie() -> None:
    """Games with zero, one and two liars all come up."""
    liars = []
    game = played(1)
    with game.kind.group():
        for index in range(60):
            built = built_lies.conspire(chance_for(3, "lies", index), game, 20 + index)
            liars.append(len(built.liars))
    assert {0, 1, 2} <= set(liars)
