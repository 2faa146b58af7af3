"""Records that nobody played: a verdict on each, no traceback, and nobody honest convicted."""

from collections import Counter
from random import Random

import pytest
from msgspec import structs

from cli.__main__ import main
from engine.rules.revision import RULES_REVISION
from lab.fuzzing import built_lies, records
from lab.fuzzing.mutation import chance_for
from lab.fuzzing.other_rules import made_up
from lab.fuzzing.part import Broken
from lab.fuzzing.record_games import GAMES, RecordGame, played
from netgame.crypto.transcript import expand
from netgame.protocol.ledger import ledger, record, verification
from netgame.protocol.ledger.signed_log import SignedLog
from netgame.protocol.ledger.verdict import RecordVerdict, VerdictKind
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.log.entry import frame_payload
from netgame.wire import messages as wire
from netgame.wire.codec import decode, encode
from tests.netgame.games import entries_in
from tests.netgame.revisions import playing


def entries_said(number: int) -> set[type]:
    """The kinds of entry in one of the games."""
    entries = entries_in(played(number).payloads)
    return {type(decode(each.body, wire.Body).payload) for each in entries}


@pytest.mark.campaign
def test_the_games_have_entries_of_every_kind() -> None:
    """Each kind is then spoilt; a dismissal is the one that no quiet lobby has."""
    said = set[type]().union(*(entries_said(number) for number in range(len(GAMES))))
    assert set(wire.PAYLOADS) - said == {wire.Dismiss}


RUNS = {"spoilt": records.spoilt, "built": records.built, "other-rules": made_up}


@pytest.mark.parametrize("part", RUNS)
def test_a_slice_of_each(part: str) -> None:
    """Some are taken, not all are, and every one gets a verdict."""
    good = sum(RUNS[part](chance_for(1, part, index)) for index in range(150))
    assert 0 < good < 150


def test_the_command_counts_records_apart(capsys) -> None:
    """`--records` and `--built` say how many of each, and nothing else is run."""
    assert main(["fuzz", "--records", "20", "--built", "10"]) == 0
    told = capsys.readouterr().out
    assert "spoilt-records" in told
    assert "32 inputs from seed 0" in told
    assert "other-rules" in told
    assert "decoder" not in told


def test_a_verifier_that_goes_on_behind_a_fault_is_noticed(monkeypatch) -> None:
    """The campaign is worth what it finds: here a fold that goes on over a false chain."""
    monkeypatch.setattr(record.Reading, "refuse_what_is_found", lambda self, judgement=None: None)
    monkeypatch.setattr(ledger.Ledger, "is_waiting", lambda self: False)
    _finds_something("built")


def test_a_verifier_that_believes_any_accusation_is_noticed(monkeypatch) -> None:
    """A verifier that convicts the honest is found."""

    def convinced(reading, closing):
        return RecordVerdict(VerdictKind.EVIDENCE, (), 1, accused="Ann (aaaaaaaa)")

    monkeypatch.setattr(verification, "_evidence_verdict", convinced)
    _finds_something("spoilt")


def test_a_reader_that_lets_seats_close_the_lobby_again_is_noticed(monkeypatch) -> None:
    """Who decides would change while they decide."""
    true = SignedLog._follow

    def follow(log, entry):
        chair = isinstance(entry.payload, wire.Close | wire.Dismiss)
        true(log, structs.replace(entry, seat=wire.CHAIR) if chair else entry)

    monkeypatch.setattr(SignedLog, "_follow", follow)
    _finds_something("other-rules")


def _finds_something(part: str) -> None:
    run = RUNS[part]
    for index in range(600):
        try:
            run(chance_for(2, part, index))
        except (Broken, AssertionError, LookupError, ValueError, TypeError):
            return
    raise AssertionError("nothing was found")


def test_lies_are_told_in_every_way() -> None:
    """Each kind of lie comes up, by one liar and by several."""
    liars = []
    game = played(1)
    with game.kind.group():
        for index in range(60):
            built = built_lies.conspire(chance_for(3, "lies", index), game, 20 + index)
            liars.append(len(built.liars))
    assert {0, 1, 2} <= set(liars)


@pytest.mark.parametrize(
    ("first", "count"), [(0, 120), pytest.param(120, 1_500, marks=pytest.mark.campaign)]
)
def test_a_program_of_another_revision_comes_to_a_verdict_too(first: int, count: int) -> None:
    """On false records as on spoilt ones; none is good, and each culprit one under any rules."""
    kinds = Counter[VerdictKind]()
    for index in range(first, first + count):
        chance = Random(index)
        game = records._any_game(chance)
        at = chance.choice(range(2, len(game.payloads)))  # behind the offer
        with game.kind.group():
            octets = (_false if index % 2 else _spoilt)(chance, game, at)
            own = verify_record(octets, expand(bytes(32), "verify"))
            with playing(RULES_REVISION + 1):
                verdict = verify_record(octets, expand(bytes(32), "verify"))
        kinds[verdict.kind] += 1
        assert verdict.kind is not VerdictKind.RECORD, index
        assert verdict.culprit in ("", own.culprit), index
    assert kinds[VerdictKind.OTHER_REVISION] > 10


def _false(chance: Random, game: RecordGame, at: int) -> bytes:
    """The frames that seats have made up from there on."""
    made = built_lies.conspire(chance, game, at)
    frames = [*game.payloads[:at], *(encode(records._framed(each)) for each in made.frames)]
    if made.accusation is not None:
        frames.append(encode(made.accusation))
    return b"".join(map(frame_payload, frames))


def _spoilt(chance: Random, game: RecordGame, at: int) -> bytes:
    """A record of which somebody without a key has changed what is behind that place."""
    before = b"".join(map(frame_payload, game.payloads[:at]))
    return before + records._changed(chance, game, list(game.payloads[at:]))
