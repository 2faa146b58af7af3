"""A seat played by a strategy instead of a person.

It looks at its own seat of the same node, through the same view and the same `propose` as a
person's shell; it reads no notices, so a shell may show them while a bot plays (`--auto`).
"""

from collections.abc import Callable

import trio

from engine.bots import Choice
from engine.refusals import RefusalCode
from engine.view import SeatView
from netgame.crypto.group import Entropy
from netgame.io.node.node import Node
from netgame.protocol.peer.view import TableStage, TableView

Strategy = Callable[[SeatView, Entropy], Choice]


_ENDED = (TableStage.OVER, TableStage.HALTED)


async def play_seat(node: Node, choose: Strategy, entropy: Entropy, pause_s: float = 0.0) -> None:
    """Play the seat of `node` until the game is over, halted, or the seat is paused.

    `choose` runs in a thread; `pause_s` seconds pass before each move, for people to follow.
    """
    while node.paused is None:
        changed = node.when_changed()
        view = node.view()
        if view.stage in _ENDED:
            return
        if view.can_move and node.waiting is None:
            await trio.sleep(pause_s)
            if await _move(node, view, choose, entropy):
                continue
        await changed.wait()


async def _move(node: Node, view: TableView, choose: Strategy, entropy: Entropy) -> bool:
    """Choose and propose; False if the seat may not write yet and has to wait for news."""
    assert view.table is not None, "a seat that can move sits at a table in play"
    seat_view = SeatView(view.table, view.seat, view.hand)
    choice = await trio.to_thread.run_sync(choose, seat_view, entropy)
    if node.view().step != view.step:
        return True
    refusal = await node.propose(choice.move)
    if refusal is None or node.view().step != view.step:
        # A refusal says nothing of a table that has moved on: a person at this seat was quicker.
        return True
    # The seat has just come back, and still asks the others what it may have missed.
    assert refusal.code is RefusalCode.NOT_YOUR_TURN, refusal
    return False
