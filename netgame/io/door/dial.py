"""Reaching a peer at one of several addresses.

The addresses race, because a laptop at a party may have addresses that lead nowhere. Each attempt
starts `RACE_DELAY_S` after the one before, or as soon as that one has failed.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

import trio

from netgame import limits
from netgame.errors import Disconnected, HungUp, Malformed, NetgameError, Refused, TimedOut
from netgame.io.disk.identity import Identity
from netgame.io.door.channel import Channel, GuessSpent, Seen
from netgame.io.door.codes import JoinCode
from netgame.io.entropy import jittered
from netgame.io.links import Proved
from netgame.io.network.addresses import Address
from netgame.protocol.peer.effects import PeerKey

T = TypeVar("T")

_TELLING: Final = (Refused, HungUp, Malformed, TimedOut, NetgameError)
"""Errors, the most informative first: if several attempts fail, the first of these is raised."""


async def race(
    channel: Channel, addresses: Sequence[Address], expected: PeerKey | None, code: JoinCode | None
) -> Proved:
    """Open a channel to the first address that works; close any others that open.

    If none works, raise the most informative error: `Refused`, `HungUp` (worth another try),
    `Malformed`, `TimedOut` or `Disconnected`. Without addresses, raise `Disconnected`.
    """
    won: list[Proved] = []
    try:
        await first(addresses, lambda at: channel.connect(at, expected, code), won)
        return won.pop(0)
    finally:
        with trio.CancelScope(shield=True):
            for unwanted in won:
                await unwanted.frames.close()


async def insist(attempt: Callable[[], Awaitable[T]], tell_busy: Callable[[float], None]) -> T:
    """Repeat `attempt` while it raises `HungUp`: many others may be connecting to that table.

    Returns the attempt's result. Any error but `HungUp` is raised at once, and the last error after
    `HUNG_UP_TRIES` attempts. Pauses grow, with some randomness; `tell_busy` is called with each, in
    seconds. `GuessSpent` is also raised if it has occurred as often as a table lets one address
    guess.
    """
    pause, guesses = limits.HUNG_UP_PAUSE_MIN_S, 0
    for _ in range(limits.HUNG_UP_TRIES - 1):
        try:
            return await attempt()
        except HungUp as error:
            guesses += isinstance(error, GuessSpent)
            if guesses == limits.CODE_TRIES_PER_ADDRESS:
                raise
            left = jittered(pause)
            tell_busy(left)
            await trio.sleep(left)
            pause = min(2 * pause, limits.HUNG_UP_PAUSE_MAX_S)
    return await attempt()


async def look(addresses: Sequence[Address], channel: Channel | None = None) -> Seen:
    """Return the first message of the server that answers first; errors as for `race`.

    Without a `channel` this uses a throwaway key, so that the tables do not learn who looks.
    """
    channel = channel or Channel(Identity.ephemeral())
    won: list[Seen] = []
    await first(addresses, channel.look, won)
    return won[0]


async def first(
    addresses: Sequence[Address], work: Callable[[Address], Awaitable[T]], won: list[T]
) -> None:
    """Race `work` over the addresses; append its results to `won` as they arrive.

    The first result cancels the attempts still running, but another may have succeeded at the same
    time. If all attempts fail, raise the most informative error, as `race` does.
    """
    errors: list[NetgameError] = []

    async def attempt(address: Address, failed: trio.Event) -> None:
        try:
            won.append(await work(address))
            nursery.cancel_scope.cancel()
        except NetgameError as error:
            errors.append(error)
            failed.set()

    async with trio.open_nursery() as nursery:
        for address in addresses:
            failed = trio.Event()
            nursery.start_soon(attempt, address, failed)
            with trio.move_on_after(limits.RACE_DELAY_S):
                await failed.wait()
    if not won:
        telling = [error for kind in _TELLING for error in errors if isinstance(error, kind)]
        raise telling[0] if telling else Disconnected("no address to reach the peer at")
