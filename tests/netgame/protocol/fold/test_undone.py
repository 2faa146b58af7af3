"""What is told when steps of the log are void: only of what somebody can have seen."""

from itertools import pairwise

from netgame.protocol import notices
from netgame.protocol.fold.leavers import told_of_undone
from netgame.protocol.fold.phases import Phase
from tests.netgame.games import played, states_of


def test_only_what_was_played_can_be_taken_back():
    """No step of a coin; of a draw alone it is told apart."""
    seen = [*states_of(played())]
    told = {(each.phase, told_of_undone(after, each)) for each, after in pairwise(seen)}
    assert told_of_undone(seen[-1], seen[-1]) == ()
    assert {each for phase, each in told if phase is Phase.COIN_REVEAL} == {()}
    assert (Phase.PLAY, (notices.MovesUndone(),)) in told
    assert (Phase.PLAY, (notices.MovesUndone(only_draws=True),)) in told
    seen = [each for each in seen if each.phase is Phase.PLAY]
    last = max(n for n, each in enumerate(seen) if each.table and not each.table.past)
    assert told_of_undone(seen[-1], seen[last]) == (notices.MovesUndone(),)
