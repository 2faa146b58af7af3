"""A watching screen shows the join code to its room only while the host asks for that code."""

import trio

from netgame.io.tables.host import host_table
from netgame.io.tables.join import join_table
from netgame.protocol.notices import Trouble, TroubleKind
from tests.netgame.io.tables.test_tables import host_options, join_options, notices_of, place


async def test_a_code_is_shown_to_a_room_until_its_host_asks_for_another(tmp_path, jumping_clock):
    """A watcher shows the code to its room until the host's door asks for a different one.

    When the door asks for the first code again, it is shown again.
    """
    async with host_table(host_options(tmp_path, 3, open=False)) as host:
        code = host.door.code
        options = join_options(
            tmp_path, "wall", auto=False, watches=True, code=str(code), shown_code=str(code)
        )
        async with join_table(options, place(host)) as wall:
            await trio.sleep(25)
            assert wall.door.shown == code
            assert host.door.change_code()
            assert host.door.number != code.number, "by which it can be told"
            await trio.sleep(25)
            assert wall.door.shown is None
            told = [each.kind for each in notices_of(wall, Trouble)]
            assert told == [TroubleKind.CODE_ELSEWHERE]
            host.door.code = code
            await trio.sleep(25)
            assert wall.door.shown == code
            assert notices_of(wall, Trouble) == []
