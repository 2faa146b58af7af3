"""A statement that stands already comes once more, with another signature."""

from msgspec.structs import replace

from netgame.protocol.ledger.poll import Heard
from netgame.protocol.log.entry import read_statement
from netgame.wire.messages import SignedStatement
from tests.netgame.simtable import full_table, kill, standard


def test_octets_that_are_held_are_good_by_their_own_signature_alone() -> None:
    """Else a record would be found good that holds a signature of nobody."""
    table = full_table(("Ann", "Ben", "Cy"), standard(6))
    ann, ben, cy = table.sitters
    table.run(lambda: all(each.core.ledger.decisions for each in table.sitters))
    kill(table, cy)
    table.pass_time(7.0)
    table.act(ann, lambda parts: parts.wishes.give_up([cy.core.key]))
    polls = ann.core.parts.polls
    table.act(ann, lambda parts: polls.part())
    (held,) = ann.core.ledger.poll.partings()
    assert ann.core.ledger.hear(held) is Heard.KNOWN
    forged = SignedStatement(held.signed.body, bytes(64))
    assert ann.core.ledger.hear(read_statement(forged)) is Heard.FORGED
    assert replace(held, signed=forged) not in ann.core.ledger.poll.said.values()
    assert not ben.faults()
