"""The program with a lying core: `python -m tests.lan.liar LIE join …`.

It plays like the program, and also lies to every peer.
`groundless`: in each step of play, it proposes to go on without all others, on a promise that does
not exist, and accepts its own proposal.
`long-gone`: when the game is over, it promises that its log ended some steps ago, and that it would
go on without Ann.
The lies of `tests.lan.faults` replace other parts of the program.
With `silent TABLE COUNT` or `guess TABLE ADDRESS …` it does not play. `silent`: COUNT keys prove
themselves at the table's door and never say hello. `guess`: it tries wrong join codes from these
addresses without end, and prints how each try ended.
"""

import itertools
import sys
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import trio

from cli.__main__ import main as play
from lab.simulation.cheats.words import accept, promise, proposal, seat_of
from netgame.crypto.transcript import expand
from netgame.errors import NetgameError
from netgame.io.disk.identity import Identity
from netgame.io.door.channel import Channel
from netgame.io.door.codes import CODE_WORDS, JoinCode
from netgame.io.door.dial import insist, race
from netgame.io.links import Proved
from netgame.io.network.addresses import parse_address
from netgame.io.network.tcp import TcpStream
from netgame.protocol.log.entry import ReceivedStatement
from netgame.protocol.peer.core import Core
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.status.journal import Journal
from netgame.protocol.peer.sync.pulls import Heads
from netgame.protocol.state.phases import Phase
from netgame.wire import messages as wire
from netgame.wire.statements import Ballot, bit
from tests.lan.faults import FAULTS

VICTIM = "Ann"
_LONG_GONE = 6

Lie = Callable[[Core], list[ReceivedStatement]]


def groundless(core: Core) -> list[ReceivedStatement]:
    """Return a proposal to go on without all others, on a made-up promise, and two accepts.

    Return an empty list unless a round is in play.
    """
    state, seat = core.state, seat_of(core)
    if state.phase is not Phase.PLAY:
        return []
    goes = core.ledger.poll.cut.company & ~bit(seat)
    made_up = expand(bytes(32), "made up", state.step)(64)
    made = proposal(core, Ballot(1 + state.step, seat), [made_up], goes=goes)
    return [made, accept(core, made.name), accept(core, made_up)]


def long_gone(core: Core) -> list[ReceivedStatement]:
    """Return a promise that this seat's log ended some steps ago, and that the victim goes.

    Return an empty list until the game is over both here and at the victim.
    """
    state, step = core.state, core.state.step - _LONG_GONE
    victim = next((each for each in state.seats if each.name == VICTIM), None)
    peer = core.context.links.peers.get(PeerKey(victim.key)) if victim else None
    if state.phase is not Phase.OVER or peer is None or peer.head is None:
        return []
    if peer.head.step != state.step:
        return []
    victims = (bit(seat) for seat in state.present if state.seats[seat].name == VICTIM)
    ballot = Ballot(1, seat_of(core))
    return [promise(core, ballot, step=step, last=step - 1, without=sum(victims))]


LIES: dict[str, Lie] = {"groundless": groundless, "long-gone": long_gone}


def bend(lie: Lie) -> None:
    """Have every core of this process tell this lie, at most once in a step.

    When the game is over it sends no more heads, so that the others stay and hear the last lie. It
    ignores its own statements when they come back, as they would stop an honest program.
    """
    true, told = Core.flush, set[int]()

    def flush(self: Core) -> object:
        step = self.state.step
        if self.state.phase in (Phase.PLAY, Phase.OVER) and step not in told:
            said = lie(self) if self.state.seat_of(self.key) is not None else []
            if said:
                told.add(step)
                self.context.links.tell_all(wire.Statements(tuple(each.signed for each in said)))
                print(f"lied at step {step}", flush=True)
        return true(self)

    Core.flush = flush  # type: ignore[method-assign,assignment]
    tell_head = Heads.tell

    def tell(self: Heads) -> None:
        if self.context.state.phase is not Phase.OVER:  # or nobody would stay to hear the last lie
            tell_head(self)

    Heads.tell = tell  # type: ignore[method-assign]
    # its lies come back and are missing from its journal, which would stop an honest program
    Journal.meet = lambda self, said: None  # type: ignore[method-assign]


async def be_silent(table: str, keys: int) -> None:
    """Prove this many keys at once and send nothing more; print each arrival and each hang-up."""
    address, here = parse_address(table), list[Proved]()

    async def come() -> None:
        channel = Channel(Identity.ephemeral())
        proved = await insist(partial(race, channel, [address], None, None), lambda _: None)
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


async def guess(table: str, sources: Sequence[str]) -> None:
    """Try wrong codes from one address after another, without end; print how each try ended."""
    address, words = parse_address(table), itertools.cycle(CODE_WORDS)
    for source in itertools.cycle(sources):
        channel = Channel(Identity.ephemeral())
        try:
            number = (await channel.look(address)).number
            near = (await trio.open_tcp_stream(*address, local_address=source)).socket
            stream = TcpStream(near, near.getsockname(), near.getpeername())
            await channel.prove(stream, code=JoinCode(number, next(words), "zodiac"))
        except (NetgameError, OSError) as error:
            print(f"guess from {source}: {error}", flush=True)
        await trio.sleep(0.1)


async def _until_hung_up(come: Callable[[], Awaitable[None]]) -> None:
    try:
        await come()
    except NetgameError as error:
        print(f"silent: {error}", flush=True)


def main() -> int:
    """Do what the first argument names: tell that lie while playing, or be silent, or guess."""
    lie = sys.argv.pop(1)
    if lie == "silent":
        trio.run(be_silent, sys.argv[1], int(sys.argv[2]))
        return 0
    if lie == "guess":
        trio.run(guess, sys.argv[1], sys.argv[2:])
        return 0
    if lie in FAULTS:
        FAULTS[lie]()
    else:
        bend(LIES[lie])
    return play()


if __name__ == "__main__":
    sys.exit(main())
