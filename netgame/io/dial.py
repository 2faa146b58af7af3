"""Reaching a peer at one of several addresses.

The addresses are raced, each started `RACE_DELAY_S` after the one before or as soon as that one
has failed, because a laptop at a party has addresses that lead nowhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import trio

from netgame.errors import Disconnected, Malformed, NetgameError, Refused, TimedOut
from netgame.limits import RACE_DELAY_S

if TYPE_CHECKING:
    from collections.abc import Sequence

    from netgame.io.addresses import Address
    from netgame.io.channel import Channel, Proved
    from netgame.protocol.effects import PeerKey

__all__ = ["race"]

_TELLING: Final = (Disconnected, TimedOut, Malformed, Refused)
"""Errors from the least to the most telling: of several attempts the last kind is reported."""


async def race(
    channel: Channel, addresses: Sequence[Address], expected: PeerKey | None = None
) -> Proved:
    """Open a channel to the first address that works; raise the most telling error if none does.

    Raises `Disconnected`, `TimedOut`, `Malformed` or `Refused`.
    """
    won: list[Proved] = []
    errors: list[NetgameError] = []

    async def attempt(address: Address, failed: trio.Event, race_over: trio.CancelScope) -> None:
        try:
            proved = await channel.connect(address, expected)
        except NetgameError as error:
            errors.append(error)
            failed.set()
            return
        if won:
            await proved.frames.close()
            return
        won.append(proved)
        race_over.cancel()

    async with trio.open_nursery() as nursery:
        for address in addresses:
            failed = trio.Event()
            nursery.start_soon(attempt, address, failed, nursery.cancel_scope)
            with trio.move_on_after(RACE_DELAY_S):
                await failed.wait()
    if won:
        return won[0]
    raise max(errors, key=_weight, default=Disconnected("no address to reach the peer at"))


def _weight(error: NetgameError) -> int:
    return next((rank for rank, kind in enumerate(_TELLING) if isinstance(error, kind)), -1)
