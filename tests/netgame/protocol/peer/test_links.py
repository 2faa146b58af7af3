"""Whatever the network does, all peers end with the same log, and requests for entries stay few."""

import pytest

from netgame.limits import HEAD_QUIET_S, HELD_ENTRIES_MAX
from netgame.protocol.log.entry import read_entry, read_statement, sign_entry
from netgame.protocol.notices import DealPhase
from netgame.protocol.peer import linked
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from netgame.wire.statements import Promise
from tests.netgame.games import NAMES, driven, ledger_until, played, statements_of
from tests.netgame.protocol.happenings import apart, expect_agreement, heard, seated
from tests.netgame.simtable import SimTable, full_table, standard


def pulls(table):
    """Return the number of requests for entries that peers have sent."""
    return len(list(heard(table, wire.Pull)))


# ---- topologies, partitions, weather ---------------------------------------------------------


def test_a_step_larger_than_a_frame_arrives_in_parts(monkeypatch):
    """A seat that comes back catches up, even if the entries of a step do not fit one frame.

    They come in several answers, with a request for each.
    """
    monkeypatch.setattr(linked, "PULL_BYTES_MAX", 1)
    table = full_table(NAMES[:4], standard(6, 4, 1))
    a, b, c, d = table.sitters
    table.run(lambda: bool(a.state.deal and a.state.deal.phase is DealPhase.PROOF))
    apart(table, [d], [a, b, c])
    table.run(lambda: len(a.ledger.slots) == 3)
    table.sent = []
    table.cut.clear()
    table.run_game()
    expect_agreement(table)
    told = [len(message.entries) for _, message in heard(table, wire.Pulled) if message.entries]
    assert len(told) >= 3
    assert set(told) == {1}


# ---- bounds ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_quiet_game_needs_no_questions(seats):
    """Once its links are up, a quiet game needs no requests for entries, and few frames.

    The poll about the coin is its only poll.
    """
    table = SimTable(standard(6, seats, 1))
    table.sent = []
    seated(table, *NAMES[:seats])
    table.until(table.host, Phase.PLAY)
    assert pulls(table) <= seats * seats, "while links come up"
    table.sent.clear()
    table.run_game()
    expect_agreement(table)
    entries = len(table.host.record) - 1
    assert table.frames <= 2 * (seats - 1) * entries + 20 * seats
    assert pulls(table) == 0
    said = (read_statement(each).statement for each in statements_of(table.host))
    opened = [e for e in said if isinstance(e, Promise) and e.seat == e.ballot.owner]
    assert len(opened) == len(table.host.ledger.decisions) == 1, "the coin's"


def test_who_says_once_more_where_it_stands_is_told_where_we_stand():
    """A peer that repeats its head is sent this peer's head only once, so the two soon stop."""
    one = driven(30)
    ben, log = played().sitters[1].key, one.ledger
    one.link(ben)
    where = wire.Head(log.state.step, log.state.head, log.filled(), len(log.decisions))
    one.hear(ben, where)
    one.pass_time(HEAD_QUIET_S / 2)
    one.sent.clear()
    for _ in range(3):
        one.hear(ben, where)
    assert one.said(wire.Head) == [where]


def test_an_honest_peer_is_heard_beside_one_that_lies_about_its_log():
    """A peer catches up from an honest peer, even if another only claims to have a longer log."""
    one = driven(60)
    ben, cy = (sitter.key for sitter in played().sitters[1:])
    log = played().host.ledger
    one.link(ben)
    one.link(cy)
    one.hear(ben, wire.Head(200_000, bytes(64), b"\xff" * 32, 0))
    one.hear(cy, wire.Head(log.state.step, log.state.head, b"", 0))
    for _ in range(20):
        before = len(one.sent)
        one.pass_time(0.1)
        asked = [(p, m) for p, m in one.sent[before:] if isinstance(m, wire.Pull)]
        for peer, pull in asked:
            if peer == cy:
                one.hear(cy, linked.pulled(log.entries_from(pull.step)))
            else:
                one.hear(ben, wire.Pulled(()))
    assert one.state.step == log.state.step


def test_one_frame_answers_one_pull():
    """The answer to a request fits into one frame and contains at least one entry."""
    ledger = ledger_until(lambda state: state.phase is Phase.OVER)
    for step in range(ledger.state.step):
        batch = linked.pulled(ledger.entries_from(step))
        assert batch.entries
        assert len(encode(batch)) <= 65_536


# ---- forks -----------------------------------------------------------------------------------


def test_a_fork_far_back_is_found_by_reading_on(monkeypatch):
    """A fork at least twenty steps back is found by asking for earlier and earlier steps.

    Each answer has room for one entry only.
    """
    monkeypatch.setattr(linked, "PULL_BYTES_MAX", 1)
    log = played().host.ledger
    one = driven(60)
    ben = played().sitters[1].key
    one.link(ben)
    mine = one.ledger
    depth, forged = next(
        (depth, entry)
        for depth in range(mine.state.step - 20, 0, -1)
        for entry in mine.steps[depth]
        if mine.state.author_key(depth, entry.seat) != one.key
    )
    signer = played().by_key[mine.state.author_key(depth, forged.seat)].signer
    lie = sign_entry(
        signer, wire.Body(forged.id, depth, forged.prev, forged.seat, 0, wire.Checked(9))
    )

    def answer(pull):
        theirs = [
            lie if each == forged.signed else each
            for each in log.entries_from(pull.step, linked.read_mask(pull.filled))
        ]
        return linked.pulled(theirs)

    answered = 0
    for _ in range(400):
        asked = one.said(wire.Pull)
        if one.core.faults:
            break
        if len(asked) > answered:
            one.hear(ben, answer(asked[answered]))
            answered += 1
        else:
            one.hear(ben, wire.Head(mine.state.step, b"\x01" * 64, b"", 0))
            one.pass_time(1.0)
    (fault,) = one.core.faults
    assert fault.finding.check.value == "fork"
    assert fault.key == signer.public_bytes
    assert one.core.fault is None, "all others have signed behind it, so it can part nobody"
    assert answered < 300


def is_of_guest(entry):
    """Return True if a guest, not the host, wrote this entry of the finished game."""
    log = played().host.ledger
    return log.state.seats[entry.seat].key != played().host.key


def lie_at(step):
    """Return a guest's second, conflicting entry for a step of the finished game, and its key."""
    log = played().host.ledger
    entry = next(filter(is_of_guest, log.steps[step]))
    signer = played().by_key[log.state.seats[entry.seat].key].signer
    body = wire.Body(entry.id, step, entry.prev, entry.seat, 0, wire.Checked(9))
    return sign_entry(signer, body), signer.public_bytes


def behind():
    """Return Ann with only the beginning of a log, the keys of Ben and Cy, and the whole log.

    She has links to both.
    """
    one = driven(30)
    ben, cy = (sitter.key for sitter in played().sitters[1:])
    one.link(ben)
    one.link(cy)
    return one, ben, cy, played().host.ledger


def test_evidence_of_a_later_step_waits_for_it():
    """Evidence about a later step is kept until that step comes, even if junk fills the store."""
    one, ben, cy, log = behind()
    at = next(n for n in range(one.state.step + 6, log.state.step) if len(log.steps[n]) == 3)
    lie, liar = lie_at(at)
    one.hear(ben, wire.Evidence((lie,)))
    junk = [
        wire.SignedEntry(encode(wire.Body(bytes(64), n, bytes(64), 0, 0, wire.Close())), bytes(64))
        for n in range(at - 1, at - 1 + HELD_ENTRIES_MAX)
    ]
    for n in range(0, len(junk), 128):
        one.hear(cy, wire.Entries(tuple(junk[n : n + 128])))
    assert not one.core.faults
    for signed in log.entries_from(one.state.step):
        if not one.core.faults:
            one.hear(cy, wire.Entries((signed,)))
    assert one.core.faults[0].key == liar
    assert one.state.step <= at + 1


def test_a_lie_told_early_is_not_forgotten_when_the_truth_comes_in_one_frame():
    """A false entry that comes early is kept, and reveals the fork when the true one comes."""
    one, ben, cy, log = behind()
    step = one.state.step
    at = next(n for n in range(step + 2, log.state.step) if any(map(is_of_guest, log.steps[n])))
    lie, liar = lie_at(at)
    one.hear(ben, wire.Entries((lie,)))
    assert not one.core.faults
    truth = [signed for signed in log.entries_from(step) if read_entry(signed).step <= at]
    one.hear(cy, wire.Pulled(tuple(truth)))
    assert one.core.faults[0].key == liar
    assert one.state.step == at + 1
    assert one.core.fault is None, "a body that no log can hold stops nobody"
