"""A lobby does not go on for ever: from step 2,048 on it admits nobody."""

import pytest

from netgame.limits import LOBBY_STEPS_MAX
from netgame.wire import messages as wire
from tests.conformance.reader import Reader
from tests.vectors.by_hand import PLAIN, ByHand

pytestmark = pytest.mark.real_group


@pytest.mark.campaign
def test_who_is_let_in_at_a_lobby_that_is_full_of_steps_convicts_the_host():
    """A host that admits anybody at step 2,048 of its lobby is convicted by check 7.10.

    The program and the conformance reader agree. Dismissing somebody at that step is still allowed.
    """
    log = ByHand("full lobby", PLAIN).sit()
    reader = Reader(log.state.table_id)
    ann, ben = log.people
    come_and_go = (lambda: wire.Dismiss(ben.public_bytes), lambda: log.request(ben))
    while log.state.step < LOBBY_STEPS_MAX:
        log.write(255, come_and_go[(log.state.step - 3) % 2]())
    late = log.entry(255, log.request(ben))
    for each in log.signed:
        assert reader.take(each.body, each.signature)["outcome"] == "accept"
    found = log.fork().replay.offer(late)
    assert (found["outcome"], found["check"], found["step"]) == ("fault", "shape", LOBBY_STEPS_MAX)
    assert found["culprit"] == ann.public_bytes
    there = reader.fork().take(late.body, late.signature)
    assert there == {**found, "culprit": ann.public_bytes.hex()}
    good = log.entry(255, wire.Dismiss(ann.public_bytes))
    assert log.fork().replay.offer(good) is None
    assert reader.fork().take(good.body, good.signature)["outcome"] == "accept"
