"""Whatever the network does, every peer ends with one log; and nobody asks for ever."""

import pytest

from netgame.crypto.transcript import expand
from netgame.limits import HELD_ENTRIES_MAX
from netgame.protocol.fold.phases import Phase
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import filled_mask, read_entry, sign_entry
from netgame.protocol.notices import DealPhase
from netgame.protocol.peer import sync
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.secrets.keyring import PendingPayload
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.games import (
    NAMES,
    Driven,
    driven,
    entries_of,
    ledger_until,
    played,
    statements_of,
)
from tests.netgame.mallory import Mallory, when
from tests.netgame.protocol.happenings import (
    apart,
    expect_agreement,
    heard,
    seated,
    until_in_play,
    verified,
)
from tests.netgame.simtable import SimTable, full_table, standard


def pulls(table: SimTable) -> int:
    """How often anybody asked for entries."""
    return len(list(heard(table, wire.Pull)))


# ---- topologies, partitions, weather ---------------------------------------------------------


def test_a_star_with_the_host_in_the_middle() -> None:
    """Nobody but the host can reach anybody; the host passes on what it has by being asked."""
    table = SimTable(standard(6, 4, 1))
    host = table.seat("Ann", start_at=4)
    table.connect = lambda one, other: (  # type: ignore[method-assign]
        SimTable.connect(table, one, other) if host in (one, other) else None
    )
    for name in NAMES[1:4]:
        table.seat(name)
    table.run_game()
    expect_agreement(table)
    assert all(host.core.key in pair for pair in table.links)


@pytest.mark.parametrize("at_step", [5, 9, 13, 18, 30])
def test_partitions_that_heal_lose_nothing(at_step: int) -> None:
    """Two and two, then three and one; each half goes on as far as the rules let it."""
    table = full_table(NAMES[:4], standard(6, 4, 1))
    a, b, c, d = table.sitters
    table.run(lambda: a.core.state.step >= at_step)
    apart(table, [a, b], [c, d])
    table.later(20.0, table.cut.clear)
    until = table.now + 21.2  # all have dialled once more
    table.run(lambda: table.now >= until)
    apart(table, [d], [a, b, c])
    table.later(20.0, table.cut.clear)
    table.run_game()
    expect_agreement(table)


def test_a_step_larger_than_a_frame_arrives_in_parts(monkeypatch) -> None:
    """Who comes back to a step of which one frame holds one entry gets the others, too."""
    monkeypatch.setattr(sync, "PULL_BYTES_MAX", 1)
    table = full_table(NAMES[:4], standard(6, 4, 1))
    a, b, c, d = table.sitters
    table.run(lambda: bool(a.core.state.deal and a.core.state.deal.phase is DealPhase.PROOF))
    apart(table, [d], [a, b, c])
    table.run(lambda: len(a.core.ledger.slots) == 3)
    table.cut.clear()
    table.run_game()
    expect_agreement(table)


# ---- bounds ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_quiet_game_needs_no_questions(seats: int) -> None:
    """Each entry goes to each other seat once, with a few heads; nothing is pulled in play."""
    table = SimTable(standard(6, seats, 1))
    table.sent = []
    seated(table, *NAMES[:seats])
    table.run(lambda: table.sitters[0].core.state.phase is Phase.PLAY)
    assert pulls(table) <= seats * seats, "while links come up"
    table.sent.clear()
    table.run_game()
    expect_agreement(table)
    entries = len(table.sitters[0].record) - 1
    assert table.frames <= 2 * (seats - 1) * entries + 20 * seats
    assert pulls(table) == 0


def test_catching_up_asks_one_peer_at_a_time(monkeypatch) -> None:
    """Who missed a round asks for it once, not once of everybody."""
    monkeypatch.setattr(sync, "PULL_BYTES_MAX", 3_000)
    table = full_table(NAMES[:5], standard(9, 5, 1), bots=False)
    lone = table.sitters[-1]
    until_in_play(table)
    missing = sum(len(each.body) for each in lone.core.ledger.entries_from(0))
    copy = Core(lone.signer, "Eve", expand(bytes(32), "y"), lone.secret, ()).restore(
        lone.record[:7], table.now
    )
    lone.alive = False
    lone.lives += 1
    for other in table.sitters[:-1]:
        table.disconnect(lone, other)
    lone.core, lone.alive, table.sent = copy, True, []
    table.do(lone, copy.start(table.now))
    for other in table.sitters[:-1]:
        table.connect(lone, other)
    table.run(lambda: copy.state.phase is Phase.PLAY)
    heard = sum(len(frame) for _, peer, frame in table.sent if peer == copy.key)
    assert heard < 2 * missing
    assert pulls(table) < 4 + missing // 1_500


def test_a_peer_that_promises_and_brings_nothing_is_seldom_asked() -> None:
    """However often it answers with nothing: one question in two seconds."""
    one = driven(60)
    ben = played().sitters[1].core.key
    one.link(ben)
    one.hear(ben, wire.Head(200_000, bytes(64), b"\xff" * 32, 0))
    for _ in range(200):
        one.hear(ben, wire.Pulled(()))
        one.hear(ben, wire.Pulled(tuple(one.core.ledger.entries_from(0))[:5]))
        one.pass_time(0.05)
    assert len(one.said(wire.Pull)) <= 6


def test_an_honest_peer_is_heard_beside_one_that_lies_about_its_log() -> None:
    """The liar is asked first and brings nothing; the other is asked soon after."""
    one = driven(60)
    ben, cy = (sitter.core.key for sitter in played().sitters[1:])
    log = played().sitters[0].core.ledger
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
                one.hear(cy, sync.pulled(log.entries_from(pull.step)))
            else:
                one.hear(ben, wire.Pulled(()))
    assert one.core.state.step == log.state.step


def test_a_pull_is_answered_with_what_is_lacking_only() -> None:
    """Of the step asked for without the slots named, then all of the later ones."""
    one = driven(len(entries_of(played().sitters[0])))
    ben = played().sitters[1].core.key
    one.link(ben)
    step = next(n for n, each in enumerate(one.core.ledger.steps) if len(each) == 3)
    one.hear(ben, wire.Pull(step, filled_mask((0, 2)), 0))
    (answer,) = one.said(wire.Pulled)
    first = [read_entry(each) for each in answer.entries]
    assert (first[0].step, first[0].seat) == (step, 1)
    assert first[1].step == step + 1


def test_one_frame_answers_one_pull() -> None:
    """Whatever is asked, the answer fits one frame and holds at least one entry."""
    ledger = ledger_until(lambda state: state.phase is Phase.OVER)
    for step in range(ledger.state.step):
        batch = sync.pulled(ledger.entries_from(step))
        assert batch.entries
        assert len(encode(batch)) <= 65_536


# ---- forks -----------------------------------------------------------------------------------


class Secretive(Mallory):
    """Tells one peer another story, and keeps each story from those who know the other."""

    victim: bytes = b""
    other: wire.SignedEntry | None = None
    true: wire.SignedEntry | None = None

    def write(self, payload: wire.Payload | PendingPayload) -> None:
        """Sign twice, once."""
        bent = None
        if not isinstance(payload, PendingPayload) and self.bend and self.cheated_at is None:
            bent = self.bend(self, payload)
        if bent is None:
            super(Mallory, self).write(payload)
            return
        self.cheated_at = self.state.step
        self.other = sign_entry(self.place.signer, self.body(bent))
        self.true = sign_entry(self.place.signer, self.body(payload))
        self.send(self.victim, wire.Entries((self.other,)))
        super(Mallory, self).write(payload)

    def send(self, peer, message) -> None:
        """Never show a story to who has the other, and never a head to anybody."""
        if self.cheated_at is not None and not isinstance(message, wire.Hello | wire.Pull):
            if not isinstance(message, wire.Entries | wire.Pulled):
                return
            hidden = self.true if peer == self.victim else self.other
            if hidden in message.entries:
                return
        super().send(peer, message)


LATER_KEYS = when(
    wire.KeyCommit, lambda _, p: wire.KeyCommit(1, bytes(64), b"") if p.round else None
)
COIN = when(wire.CoinCommit, lambda _, p: wire.CoinCommit(bytes(64)))


@pytest.mark.parametrize("bend", [COIN, LATER_KEYS], ids=["coin", "next deal"])
@pytest.mark.parametrize("victim", [0, 1, 2])
def test_a_fork_shown_to_one_and_hidden_from_all_others_convicts(bend, victim: int) -> None:
    """Honest heads differ, honest logs are compared, and every honest peer has the proof."""
    table = SimTable(standard(6, 4, 2))
    *honest, mallory = seated(table, "Ann", "Ben", "Dee", Mallory=Secretive)
    mallory.core.bend = bend
    mallory.core.victim = honest[victim].core.key
    table.run(lambda: all(sitter.faults() for sitter in honest), 300)
    for sitter in honest:
        (fault,) = sitter.faults()
        assert fault.check == "fork"
        assert fault.name.startswith("Mallory (")
        verdict = verified(sitter.evidence[fault.evidence])
        assert verdict.ok, verdict.sentence
        assert verdict.culprit.startswith("Mallory (")
        assert verdict.check == "fork"


def test_a_fork_far_back_is_found_by_reading_on(monkeypatch) -> None:
    """Even if a frame holds one entry, and the fork is twenty steps deep."""
    monkeypatch.setattr(sync, "PULL_BYTES_MAX", 1)
    log = played().sitters[0].core.ledger
    one = driven(60)
    ben = played().sitters[1].core.key
    one.link(ben)
    mine = one.core.ledger
    depth, forged = next(
        (depth, entry)
        for depth in range(mine.state.step - 20, 0, -1)
        for entry in mine.steps[depth]
        if mine.state.author_key(depth, entry.seat) != one.core.key
    )
    signer = played().by_key[mine.state.author_key(depth, forged.seat)].signer
    lie = sign_entry(
        signer, wire.Body(forged.id, depth, forged.prev, forged.seat, 0, wire.Checked(9))
    )

    def answer(pull: wire.Pull) -> wire.Pulled:
        theirs = [
            lie if each == forged.signed else each
            for each in log.entries_from(pull.step, sync.read_mask(pull.filled))
        ]
        return sync.pulled(theirs)

    answered = 0
    for _ in range(400):
        asked = one.said(wire.Pull)
        if one.core.fault is not None:
            break
        if len(asked) > answered:
            one.hear(ben, answer(asked[answered]))
            answered += 1
        else:
            one.hear(ben, wire.Head(mine.state.step, b"\x01" * 64, b"", 0))
            one.pass_time(1.0)
    assert one.core.fault.finding.check.value == "fork"
    assert one.core.fault.key == signer.public_bytes
    assert answered < 300


def lie_at(step: int) -> tuple[wire.SignedEntry, bytes]:
    """A second entry of whoever wrote first in a step of a finished game, and their key."""
    log = played().sitters[0].core.ledger
    entry = log.steps[step][0]
    signer = played().by_key[log.state.seats[entry.seat].key].signer
    body = wire.Body(entry.id, step, entry.prev, entry.seat, 0, wire.Checked(9))
    return sign_entry(signer, body), signer.public_bytes


def behind() -> tuple[Driven, bytes, bytes, Ledger]:
    """Ann, far behind Ben and Cy, to whom she has links, and the log they have."""
    one = driven(30)
    ben, cy = (sitter.core.key for sitter in played().sitters[1:])
    one.link(ben)
    one.link(cy)
    return one, ben, cy, played().sitters[0].core.ledger


def test_evidence_of_a_later_step_waits_for_it() -> None:
    """Who is behind when a fault is told finds it by itself on the way."""
    one, ben, cy, log = behind()
    at = next(n for n in range(one.core.state.step + 6, log.state.step) if len(log.steps[n]) == 3)
    lie, liar = lie_at(at)
    one.hear(ben, wire.Evidence((lie,)))
    junk = [
        wire.SignedEntry(encode(wire.Body(bytes(64), n, bytes(64), 0, 0, wire.Close())), bytes(64))
        for n in range(at - 1, at - 1 + HELD_ENTRIES_MAX)
    ]
    for n in range(0, len(junk), 128):
        one.hear(cy, wire.Entries(tuple(junk[n : n + 128])))
    assert one.core.fault is None
    for signed in log.entries_from(one.core.state.step):
        if one.core.fault is None:
            one.hear(cy, wire.Entries((signed,)))
    assert one.core.fault.key == liar
    assert one.core.state.step <= at + 1


def test_a_lie_told_early_is_not_forgotten_when_the_truth_comes_in_one_frame() -> None:
    """It waits for its step; that the step is done at once, by another entry, proves the fork."""
    one, ben, cy, log = behind()
    step = one.core.state.step
    lie, liar = lie_at(step + 2)
    one.hear(ben, wire.Entries((lie,)))
    assert one.core.fault is None
    truth = [signed for signed in log.entries_from(step) if read_entry(signed).step <= step + 2]
    one.hear(cy, wire.Pulled(tuple(truth)))
    assert one.core.fault.key == liar
    decided = len(one.core.ledger.decisions)
    one.hear(cy, wire.Statements(statements_of(played().sitters[0])))
    assert len(one.core.ledger.decisions) == decided, "nothing is decided where all has stopped"
