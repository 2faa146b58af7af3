"""A seat that has lost its own statements in a poll, while the others have its promise."""

from lab.simulation.cheats.words import promise
from netgame.wire.codec import decode_any, encode
from netgame.wire.messages import RecordEntry, RecordHeader, RecordStatement, Statements
from netgame.wire.statements import Ballot
from tests.netgame.protocol.happenings import until_in_play
from tests.netgame.simtable import full_table, kill, revive, standard


def test_what_a_seat_has_forgotten_of_an_epoch_that_it_has_yet_to_read_keeps_it_silent():
    """A seat that has lost its own promise says nothing in that poll, even once it has caught up.

    The coin is lost as well, so the seat first has to read the epoch of the poll again. It gets
    the promise back from the others.
    """
    table = full_table(("Ann", "Ben", "Cy"), standard(6), bots=False)
    until_in_play(table)
    ann, ben, cy = table.sitters
    said = promise(cy.core, Ballot(1, ann.seat))
    kill(table, cy)
    frame = encode(Statements((said.signed,)))
    table.do(ann, ann.core.frame(ben.key, frame, table.now))
    kinds = RecordHeader | RecordEntry | RecordStatement
    coin = [isinstance(decode_any(each, kinds), RecordStatement) for each in cy.record].index(True)
    cy.record, cy.journal = cy.record[:coin], []
    revive(table, cy)
    for each in (ann, ben):
        table.connect(each, cy)
    table.run(lambda: cy.state.head == ann.state.head)
    journal = cy.parts.journal
    assert said.name in journal.statements
    assert not journal.may_say()
    table.pass_time(20.0)
    assert not any(each.faults() for each in table.sitters)
