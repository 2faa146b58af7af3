"""A good record replays the game, wherever it ends.

The files of the vectors show why a record is refused (`test_file_vectors`).
"""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from netgame.crypto.batch import Batch
from netgame.protocol import notices
from netgame.protocol.ledger.record import BadRecord
from netgame.protocol.log.entry import read_entry
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any, encode
from tests.netgame.games import entries_in, entries_of, played
from tests.netgame.protocol.happenings import file_of, verified, walked
from tests.netgame.protocol.ledger.intake import resigned, signer_of


def frames():
    """Return the frames of a good record of a whole game."""
    return list(played(3, 6, 1).host.record)


def refused(payloads):
    """Return the sentence that refuses a file of these frames."""
    verdict = verified(file_of(payloads))
    assert not verdict.ok, verdict.sentence
    assert not verdict.finished
    with pytest.raises(BadRecord):
        list(walked(file_of(payloads)))
    return verdict.sentence


def test_nothing_follows_the_end_of_a_game():
    """A finished game's record with one more entry is refused."""
    good = frames()
    assert "there is more after the end of the game" in refused([*good, good[-1]])


def test_walking_a_record_gives_every_state_of_the_game():
    """Walking a record gives the state before and after each step, and its notices."""
    game = played(3, 6, 1).host
    steps = list(walked(game.record_octets))
    entries = [each.entry.signed for each in steps if each.entry is not None]
    assert entries == list(entries_of(game))
    (coin,) = (each for each in steps if each.decided is not None)
    assert coin.entry is None
    assert (coin.decided.goes, coin.decided.step) == (0, coin.before.step)
    assert coin.before.phase is Phase.COIN_FALLEN
    assert steps[0].before.step == 0
    for one, following in pairwise(steps):
        assert following.before is one.after
        assert one.after.step - one.before.step in (0, 1)
        assert (one.after.step == one.before.step) or one.after.head != one.before.head
        if one.after.step == one.before.step and one.decided is None:
            assert not one.notices
    assert steps[-1].after == game.state
    told = [type(notice) for each in steps for notice in each.notices]
    assert told.count(notices.GameStarted) == told.count(notices.GameOver) == 1
    assert told.count(notices.Played) == sum(
        isinstance(read_entry(each).payload, wire.Lay | wire.Draw | wire.Pass) for each in entries
    )


def test_a_verdict_reads_as_a_person_would_say_it():
    """A verdict reads naturally: with singulars, lists of names, and the players it waits for."""
    record = frames()

    def said(length):
        return verified(file_of(record[:length])).sentence

    assert said(1) == "A good record: a table that was never opened."
    assert said(2).startswith(
        "A good record: a game that is not finished and waits for the host. "
        "Checked: 1 entry up to step 1, with every signature, move and proof. Final digest "
    )
    told = [said(length).split(". ")[0].partition(" waits for ")[2] for length in range(9, 32)]
    assert 0 < told.count("") < 12, "while they decide on their coin"
    waits = {each for each in told if each}
    assert {each.count(",") + each.count(" and ") for each in waits} == {0, 1, 2}
    assert "the host" not in waits
    assert " a whole game of 1 round between " in said(len(record))
    longer = played(3, 6, 2).host.record_octets
    assert " a whole game of 2 rounds between " in verified(longer).sentence
    assert f" Checked: {len(entries_in(record))} entries up to step " in said(len(record))
    assert " and " in said(len(record)).split(". ")[0]


def test_a_bug_where_proofs_are_added_up_is_shown_and_no_good_record_read_in_silence(monkeypatch):
    """A bug in adding up proofs raises its own exception if all proofs of a record are good.

    If a proof is false, replaying the log after it may go wrong in any way, so the record is
    refused for that proof.
    """
    good, bad = frames(), frames()
    read = ((n, read_entry(each)) for n, frame in enumerate(good) for each in entries_in((frame,)))
    at, lay = next((n, entry.payload) for n, entry in read if type(entry.payload) is wire.Lay)
    spoilt = lay.proof[:-1] + bytes([lay.proof[-1] ^ 1])
    bad[at] = resigned(bad[at], signer_of(bad[at]), payload=replace(lay, proof=spoilt))

    def adds(self, *equations):
        raise ZeroDivisionError("a slip of ours")

    monkeypatch.setattr(Batch, "add", adds)
    with pytest.raises(ZeroDivisionError, match="a slip of ours"):
        verified(file_of(good))
    assert "check proof" in refused(bad)


def test_a_fork_of_two_large_entries_fits_its_evidence():
    """Two entries of the largest size fit into a frame of evidence.

    The longest shuffle proof fits into one entry.
    """
    from netgame.limits import ENTRY_BYTES_MAX, FRAME_BYTES_MAX

    large = wire.SignedEntry(bytes(ENTRY_BYTES_MAX), bytes(64))
    frame = wire.EvidenceFrame("x" * 32, (large, large))
    assert len(encode(frame)) <= FRAME_BYTES_MAX
    assert len(encode(wire.Evidence((large, large)))) <= FRAME_BYTES_MAX
    proof = wire.Proof(99, bytes(163 * 190 + 293))
    body = wire.Body(bytes(64), 200_000, bytes(64), 13, 0, proof)
    assert len(encode(body)) <= ENTRY_BYTES_MAX


@pytest.mark.parametrize("forged", [False, True])
def test_a_record_with_a_statement_that_nobody_has_signed_is_not_good(forged):
    """A record with a forged statement is refused, although the game does not depend on it.

    With forged statements, a record could show votes that nobody cast.
    """
    record = list(played(3, 6, 1).host.record)
    number, said = next(
        (number, frame.statement)
        for number, payload in enumerate(record[1:], 1)
        if isinstance(frame := decode_any(payload, wire.RecordFrame), wire.RecordStatement)
    )
    again = wire.SignedStatement(said.body, bytes(64)) if forged else said
    record.insert(number + 1, encode(wire.RecordStatement(again)))
    verdict = verified(file_of(record))
    assert verdict.ok != forged, verdict.sentence
