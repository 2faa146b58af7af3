"""Showing the join code of a table that another computer announces, while it is valid there."""

from contextlib import suppress
from typing import Final

import trio

from netgame.errors import NetgameError
from netgame.io.door.codes import JoinCode
from netgame.io.door.dial import look
from netgame.io.node.node import Node
from netgame.protocol.notices import Trouble, TroubleKind

_LOOK_S: Final = 10.0
"""Seconds between two looks at that door: a kick, or wrong tries, may have changed its code."""


async def show_code(
    node: Node, code: JoinCode, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
) -> None:
    """Show this code while the table's announcer asks for it; runs until cancelled.

    Every door tells the number of its code. Every `_LOOK_S` the announcer's number is compared with
    that of `code`, which is hidden while the announcer asks for no code or for a different one. In
    the latter case the player is told. While the announcer does not answer, nothing changes.
    """
    node.door.elsewhere = code
    task_status.started()
    while True:
        announcer = node.view().announcer
        number = await _number_at_door(node, announcer)
        shows = node.door.elsewhere is not None
        if number is not None:
            node.door.elsewhere = code if number == code.number else None
        if shows and number not in (None, 0, code.number):
            node.tell(Trouble(TroubleKind.CODE_ELSEWHERE))
        with trio.move_on_after(_LOOK_S):
            await _announced_elsewhere(node, announcer)


async def _announced_elsewhere(node: Node, before: bytes) -> None:
    await node.until(lambda view: view.announcer != before)


async def _number_at_door(node: Node, announcer: bytes) -> int | None:
    """Return the number of the code that the announcer asks for, 0 for none; None if unknown."""
    with suppress(NetgameError):
        seen = await look(node.addresses_of(announcer))
        return seen.number if seen.key == announcer else None
    return None
