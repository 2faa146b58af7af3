"""The program with a liar at its core: `python -m tests.lan.liar LIE join …`.

It plays as the program does, and tells every peer something besides whenever a step is due in play.
`behind-nothing`: that all others were missing in the last step, behind a log that nobody has.
`long-gone`: that Ann was missing some steps ago; two of three say so, each in its own name.
`silent` is no player: so many keys prove themselves at the door of a table and never say hello.
"""

import sys
from collections.abc import Awaitable, Callable
from functools import partial

import trio

from cli.__main__ import main as play
from lab.simulation.cheats.votes import vote
from netgame.errors import NetgameError
from netgame.io.disk.identity import Identity
from netgame.io.door.channel import Channel
from netgame.io.door.dial import insist, race
from netgame.io.links import Proved
from netgame.io.network.addresses import parse_address
from netgame.protocol.fold.phases import Phase
from netgame.protocol.log.entry import GENESIS
from netgame.protocol.peer.core import Core
from netgame.wire import messages as wire

VICTIM = "Ann"
_LONG_GONE = 6
_STAGE = 9


def behind_nothing(core: Core) -> wire.SignedEntry | None:
    """All others were missing in the last step, on no log that anybody has."""
    seat, step = core.state.seat_of(core.key), core.state.step - 1
    others = tuple(each for each in core.state.present if each != seat)
    return vote(core, others, _STAGE, step=step, prev=GENESIS)


def long_gone(core: Core) -> wire.SignedEntry | None:
    """The victim was missing some steps ago, on the log that all have."""
    state, step = core.state, core.state.step - _LONG_GONE
    (seat,) = (seat for seat in state.present if state.seats[seat].name == VICTIM)
    if step < state.company.seats_step:
        return None
    return vote(core, (seat,), _STAGE, step=step, prev=core.ledger.head_before(step))


LIES: dict[str, Callable[[Core], wire.SignedEntry | None]] = {
    "behind-nothing": behind_nothing,
    "long-gone": long_gone,
}


def bend(lie: Callable[[Core], wire.SignedEntry | None]) -> None:
    """Have every core of this process tell this lie, once in every step of play."""
    true, told = Core.flush, set[int]()

    def flush(self: Core) -> object:
        step = self.state.step
        if self.state.phase in (Phase.PLAY, Phase.OVER) and step not in told:
            told.add(step)
            signed = lie(self) if self.state.seat_of(self.key) is not None else None
            if signed is not None:
                self.place.links.tell_all(wire.Entries((signed,)))
                print(f"lied at step {step}", flush=True)
        return true(self)

    Core.flush = flush  # type: ignore[method-assign,assignment]


async def be_silent(table: str, keys: int) -> None:
    """Prove so many keys at once, and say nothing more; tell how many came in, and then ended."""
    address, here = parse_address(table), list[Proved]()

    async def come() -> None:
        channel = Channel(Identity.ephemeral())
        proved = await insist(partial(race, channel, [address]), lambda _: None)
        here.append(proved)
        print(f"silent: {len(here)} in", flush=True)
        try:
            while True:
                await proved.frames.receive_frame()
        finally:
            print("silent: hung up", flush=True)

    async with trio.open_nursery() as nursery:
        for _ in range(keys):
            nursery.start_soon(_until_hung_up, come)


async def _until_hung_up(come: Callable[[], Awaitable[None]]) -> None:
    try:
        await come()
    except NetgameError as error:
        print(f"silent: {error}", flush=True)


def main() -> int:
    """Lie as the first word says."""
    lie = sys.argv.pop(1)
    if lie == "silent":
        trio.run(be_silent, sys.argv[1], int(sys.argv[2]))
        return 0
    bend(LIES[lie])
    return play()


if __name__ == "__main__":
    sys.exit(main())
