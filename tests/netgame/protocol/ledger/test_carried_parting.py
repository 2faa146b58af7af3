"""Who has parted has parted in later polls and epochs, too [protocol.md §4.7]."""

from netgame.protocol.fold.phases import Phase
from netgame.protocol.peer.parts import leave_for_good
from netgame.wire.messages import Settings
from tests.netgame.simtable import full_table, kill


def _table():
    offer = Settings("standard", (), 6, 3, 1, 2, ("patience=vote",))
    return full_table(("Ann", "Ben", "Cy"), offer)


def test_who_parts_where_a_coin_has_fallen_goes_in_the_session():
    """Nobody can go at the coin; what was said there holds for the epoch that it opens."""
    table = _table()
    ann, ben = table.sitters[:2]
    table.until(ben, Phase.COIN_FALLEN)
    table.act(ben, leave_for_good)
    table.later(0.1, lambda: kill(table, ben))
    table.run_game()
    state = ann.state
    assert [state.seats[seat].key for seat in state.gone] == [ben.key]
    assert [decision.goes > 0 for decision in ann.ledger.decisions] == [False, True]
    assert not tuple(ann.ledger.poll.partings()), "it has no say to give up"
