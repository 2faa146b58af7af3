"""What is told when steps of the log are void: only of what somebody can have seen."""

from itertools import pairwise

from netgame.protocol import notices
from netgame.protocol.fold.leavers import told_of_undone
from netgame.protocol.fold.phases import Phase
from netgame.protocol.fold.state import State
from tests.netgame.small_games import new_table, playing


def states() -> list[State]:
    """Each state of a game of two rounds, to the second of them."""
    table = new_table(("draws=hidden",), rounds=2)
    ann, found = table.sitters[0].core, []

    def look() -> bool:
        if not found or found[-1] is not ann.state:
            found.append(ann.state)
        return playing(table, 1)

    table.run(look)
    return found


def test_only_what_was_played_can_be_taken_back() -> None:
    """No step of a deal, nor one in which a hand is mixed; of a draw alone it is told apart."""
    seen = states()
    told = {(each.phase, told_of_undone(after, each)) for each, after in pairwise(seen)}
    assert told_of_undone(seen[-1], seen[-1]) == ()
    assert {each for phase, each in told if phase in (Phase.MIX_HAND, Phase.COIN_REVEAL)} == {()}
    assert (Phase.PLAY, (notices.MovesUndone(),)) in told
    assert (Phase.PLAY, (notices.MovesUndone(only_draws=True),)) in told
    last = max(n for n, each in enumerate(seen) if each.table and not each.table.past)
    assert told_of_undone(seen[-1], seen[last]) == (notices.MovesUndone(),)
