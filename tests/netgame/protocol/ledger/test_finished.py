"""The finished rounds of a record are each listed once, even if a cut has made one void."""

from netgame.protocol import notices
from netgame.protocol.ledger.finished import finished_rounds
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from tests.netgame.games import NAMES, played
from tests.netgame.protocol.happenings import apart, go_on, heal, walked
from tests.netgame.simtable import full_table, kill
from tests.netgame.small_games import end_whole


def _rounds(octets):
    """Return the number and the scores of each finished round of a record."""
    return [(each.number, each.table.past[-1]) for each in finished_rounds(walked(octets))]


def test_hands_opened_before_one_alone_and_taken_back_finish_no_round():
    """A round that only one seat has scored is not listed any more after a cut takes it back.

    Dee's opened hand reaches only Ann before Dee's program dies; the others go on without Dee.
    """
    settings = wire.Settings("standard", (), 6, 5, 2, 2, ("patience=vote",))
    table = full_table(NAMES[:5], settings, seed=bytes([3]) * 32)
    ann, ben, cy, dee, eve = table.sitters
    others = [ben, cy, eve]
    table.until(ann, Phase.PLAY)
    apart(table, [dee], others)
    table.until(ann, Phase.SCORE)
    apart(table, [ann], others)
    assert {each.state.phase for each in others} == {Phase.OPEN}
    first = ann.state.table.past
    kill(table, dee)
    assert _rounds(ann.record_octets) == [(1, *first)], "a round just scored is there at once"
    go_on(table, others, dee)
    table.run(lambda: bool(ben.state.gone))
    heal(table, [ann], others)
    end_whole(table)
    assert ann.told_of(notices.MovesUndone)
    rounds = [*enumerate(ben.state.table.past, 1)]
    assert rounds[0] != (1, *first)
    assert _rounds(ann.record_octets) == _rounds(ben.record_octets) == rounds


def test_a_record_is_read_no_further_than_to_the_round_that_is_asked_for():
    """A record is read only up to the round that is asked for, not through later rounds."""
    steps = walked(played().host.record_octets)
    assert next(finished_rounds(steps)).number == 1
    assert len(next(steps).after.table.past) == 1
