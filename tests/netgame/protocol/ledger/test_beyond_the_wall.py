"""A decision to go back beyond a *wall*, a step that all voters have signed [protocol.md §4.7].

Only a quorum of liars can make such a decision, and it then signs entries that its own promises
rule out. Those entries are accepted all the same, so a log can go on past the decided step.
"""

from msgspec.structs import replace

from netgame.protocol.ledger.poll import Reception
from netgame.protocol.log.entry import Entry, read_statement
from netgame.protocol.log.fault import Accepted, Fault, FaultKind
from netgame.wire.statements import bit
from tests.vectors.by_hand import PLAIN, ByHand


def formed_and_dealt() -> tuple[ByHand, list[Entry]]:
    """Return a log of three seats, and the entries that all seats sign for its next two steps."""
    log = ByHand("wall", replace(PLAIN, seats=3)).sit().form()
    ahead, step = log.fork(), log.state.step
    ahead.commit()
    ahead.all_write(ahead.opening)
    return log, [each for n in (step, step + 1) for each in ahead.ledger.steps[n]]


def test_a_quorum_of_liars_takes_nobody_back_beyond_a_wall():
    """A quorum of liars that signs on after its own decision takes no log back beyond a wall."""
    log, entries = formed_and_dealt()
    ledger, step = log.ledger, log.state.step
    *said, last = log.decided(bit(0), voters=[1, 2])
    assert {ledger.hear(read_statement(each)) for each in said} == {Reception.NEWS}
    for each in entries:
        judged = ledger.judge(each.signed)
        assert (judged.beside is None) == (each.seat == 0)
        ledger.settle(judged.entry)
    assert ledger.state.step == step + 2
    assert ledger.hear(read_statement(last)) is Reception.NEWS
    assert ledger.decide() is None
    assert not ledger.state.gone


def test_an_entry_that_a_promise_rules_out_is_taken_and_convicts():
    """An entry that a promise rules out is accepted; the two convict their seat in either order."""
    log, entries = formed_and_dealt()
    before, promise = log.fork(), log.promise(1)
    entry = next(each for each in entries if each.seat == 1)
    assert log.ledger.hear(read_statement(promise)) is Reception.NEWS
    judged = log.ledger.judge(entry.signed)
    assert isinstance(judged, Accepted)
    assert judged.beside is not None
    assert judged.beside.kind is FaultKind.BESIDE
    before.ledger.settle(before.ledger.judge(entry.signed).entry)
    heard = before.ledger.hear(read_statement(promise))
    assert isinstance(heard, Fault)
    assert heard.kind is FaultKind.BESIDE
    assert read_statement(promise).name in before.ledger.poll.said
