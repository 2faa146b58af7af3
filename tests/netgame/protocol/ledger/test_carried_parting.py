"""Who has parted has parted in later polls and epochs, too [protocol.md §4.7]."""

from netgame.protocol.fold.phases import Phase
from netgame.protocol.ledger.poll import Heard
from netgame.protocol.log.entry import sign_statement
from netgame.protocol.peer.parts import leave_for_good
from netgame.wire.messages import Settings
from netgame.wire.statements import Accept
from tests.netgame.simtable import SimTable, full_table, kill


def _table() -> SimTable:
    offer = Settings("standard", (), 6, 3, 1, 2, ("patience=vote",))
    return full_table(("Ann", "Ben", "Cy"), offer)


def test_who_parts_where_a_coin_has_fallen_goes_in_the_session() -> None:
    """Nobody can go at the coin; what was said there holds for the epoch that it opens."""
    table = _table()
    ann, ben = table.sitters[:2]
    table.run(lambda: ben.core.state.phase is Phase.COIN_FALLEN)
    table.act(ben, leave_for_good)
    table.later(0.1, lambda: kill(table, ben))
    table.run_game()
    state = ann.core.state
    assert [state.seats[seat].key for seat in state.gone] == [ben.core.key]
    assert [decision.goes > 0 for decision in ann.core.ledger.decisions] == [False, True]
    assert not tuple(ann.core.ledger.poll.partings()), "it has no say to give up"


def test_nothing_else_of_an_old_poll_comes_into_the_open_one() -> None:
    """An accept that comes late is of a poll that is over."""
    table = _table()
    ann = table.sitters[0]
    ledger = ann.core.ledger
    table.run(lambda: bool(ledger.decisions))
    old = ledger.decisions[0].book
    seat = old.cut.company.bit_length() - 1
    key = ledger.state.company.of_id(old.id).keys[seat]
    late = Accept(old.id, old.number, seat, bytes(64))
    before = dict(ledger.poll.said)
    assert ledger.hear(sign_statement(table.by_key[key].signer, late)) is Heard.OLD
    assert ledger.poll.said == before
