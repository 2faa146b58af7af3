"""A player leaves for good just after a coin: the others hear of it, and play to the end."""

import msgspec
import pytest

from netgame.protocol.notices import SaidFarewell
from netgame.protocol.peer.parts import leave_for_good
from netgame.protocol.state.phases import Phase
from tests.netgame.simtable import full_table, kill, standard


@pytest.mark.parametrize("number", [0, 2])
def test_a_farewell_is_heard_though_nobody_has_told_yet_how_far_they_are(number):
    """A farewell counts even before the others have told how far their logs are.

    The leaver's program closes before it can know that the others have the decision.
    """
    table = full_table(("Ann", "Ben", "Cy"), standard(6, 3))
    leaver = table.sitters[number]
    table.until(leaver, Phase.PLAY)
    for peer in leaver.context.links.peers.values():
        assert peer.head is not None
        peer.head = msgspec.structs.replace(peer.head, polls=0)
    table.act(leaver, leave_for_good)
    table.pass_time(0.05)
    kill(table, leaver)
    others = [each for each in table.sitters if each is not leaver]
    for each in others:
        assert each.told_of(SaidFarewell)
    table.run(lambda: all(each.state.phase is Phase.OVER for each in others), 60.0)
