"""A record that has lost what it said of a poll, beside a journal that has not."""

from netgame.protocol.fold.phases import Phase
from netgame.wire.codec import decode_any
from netgame.wire.messages import RecordEntry, RecordHeader, RecordStatement
from tests.netgame.simtable import full_table, kill, revive, standard


def test_a_seat_says_nothing_in_a_poll_before_the_one_it_has_spoken_in():
    """Its record has lost the decision that its journal has gone on from."""
    table = full_table(("Ann", "Ben", "Cy"), standard(6))
    table.run(lambda: all(each.core.ledger.decisions for each in table.sitters))
    ann, ben, cy = table.sitters
    kill(table, cy)
    table.pass_time(7.0)
    for each in (ann, ben):
        table.act(each, lambda parts: parts.wishes.give_up([cy.core.key]))
    table.run(lambda: all(len(each.core.ledger.decisions) == 2 for each in (ann, ben)))
    kill(table, ben)
    kinds = RecordHeader | RecordEntry | RecordStatement
    said = [isinstance(decode_any(each, kinds), RecordStatement) for each in ben.record]
    ben.record = ben.record[: said.index(True)]  # before the coin was decided
    revive(table, ben)
    journal, ledger = ben.core.parts.journal, ben.core.ledger
    assert ledger.state.phase is Phase.COIN_FALLEN
    assert journal.is_behind(ledger)
    table.connect(ann, ben)
    table.run(lambda: ben.core.state.head == ann.core.state.head and not journal.is_behind(ledger))
    assert not any(each.faults() for each in table.sitters)
