"""A seat whose entry takes time to make, and that promises something in a poll meanwhile."""

from netgame.protocol.fold.phases import Phase
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import ReceivedStatement
from netgame.wire.messages import Settings
from netgame.wire.statements import Promise
from tests.netgame.protocol.happenings import go_on
from tests.netgame.simtable import full_table


def _promises(ledger: Ledger) -> list[ReceivedStatement]:
    return [each for each in ledger.poll.said.values() if isinstance(each.statement, Promise)]


def test_what_could_not_be_signed_is_made_again_once_nobody_has_gone() -> None:
    """Two think that it is too slow, and one of them thinks better of it."""
    table = full_table(("Ann", "Ben", "Cy"), Settings("standard", (), 6, 3, 1, 2, ()))
    ann, ben, cy = table.sitters
    table.run(lambda: cy.core.state.phase is Phase.DEAL)
    ledger, pen = cy.core.ledger, cy.core.parts.pen
    table.slow = lambda sitter, work: sitter is cy and ledger.state.phase is Phase.SHARES
    table.run(lambda: bool(table.unfinished))
    assert pen.begun == (ledger.state.log_id, ledger.state.step)
    table.run(lambda: {each.core.state.step for each in (ann, ben)} == {ledger.state.step})
    go_on(table, [ann], cy)
    go_on(table, [ben], cy)
    go_on(table, [ben])
    table.run(lambda: any(each.statement.seat == cy.core.place.seat for each in _promises(ledger)))
    table.finish(cy)
    table.slow = lambda sitter, work: False
    table.run_game()
    assert [decision.goes for decision in ledger.decisions] == [0, 0]
