"""Players are told when their own computer loses its network, and when it has one again."""

import trio

from netgame.io.network.interfaces import HAS_NETWORK
from netgame.io.tables.own_network import watch_network
from netgame.protocol.notices import NetworkChanged, NetworkState
from tests.netgame.io.tables.test_tables import host_options, host_table


async def test_a_network_that_is_gone_for_a_while_is_told_and_that_it_is_back(
    tmp_path, jumping_clock
):
    """Losing the network for a while is reported, and so is its return.

    A moment's loss, as when a computer wakes, is not reported. Nor is the lack of a network at
    the start.
    """
    has = [False]
    HAS_NETWORK.set(lambda: has[0])
    async with host_table(host_options(tmp_path, 2, announce=False)) as host:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch_network, host)
            told = []
            for has_it, seconds in ((False, 20), (True, 20), (False, 5), (True, 20), (False, 20)):
                has[0] = has_it
                await trio.sleep(seconds)
                told.append(host.view().network)
            has[0] = True
            await trio.sleep(20)
            nursery.cancel_scope.cancel()
        assert told == [*[NetworkState.WORKS] * 4, NetworkState.LOST]
        notices = []
        while host.notices.statistics().current_buffer_used:
            notices.append(host.notices.receive_nowait())
        assert [each.state for each in notices if isinstance(each, NetworkChanged)] == [
            NetworkState.LOST,
            NetworkState.WORKS,
        ]
