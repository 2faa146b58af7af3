"""Whole games of real nodes, sockets and record files on a clock that jumps, under seeded faults.

`python -m tests.netgame.io.node.shellgames --seeds N` plays N of them. `lab.simulation`
simulates cores alone. Here a few games run with everything around the cores: tasks, links,
dialling, threads, files. When the log reaches a planned step, peers are cancelled in the middle of
their work and come back from their records, or their links are cut. No time-out takes real time.
"""

import argparse
import math
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import trio
from trio.testing import MockClock

from netgame.errors import Refused
from netgame.io.network.listen import LOOPBACK
from netgame.io.node.node import Node
from netgame.io.tables.host import host_table
from netgame.io.tables.join import join_table
from netgame.io.tables.options import HostOptions, JoinOptions, ReachedBy
from netgame.io.tables.resume import resume_table
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.notices import FaultFound
from netgame.protocol.peer.view import TableStage
from netgame.wire.messages import Settings

NAMES = ("Ann", "Ben", "Cy")
LIMIT_S = 3600.0
"""A game that is not over within this many seconds of the jumping clock has gone wrong."""

IDLE_S = 0.01
"""The clock jumps when every task has waited for this many real seconds."""

LAST_FAULT_STEP = 45


@dataclass(frozen=True)
class Fault:
    """A fault: at `step` the peers `whom` die for `pause_s` seconds, or lose all their links."""

    step: int
    kind: str
    whom: tuple[int, ...]
    pause_s: float


@dataclass
class Peer:
    """A computer: what remains when its program is killed, and its node while the program runs."""

    number: int
    folder: Path
    port: int | None = None
    node: Node | None = None
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    pause_s: float = 0.0
    lives: int = 0
    head: str = ""
    accused: list[str] = field(default_factory=list)

    @property
    def record(self) -> bytes:
        """Return the record of this computer's only table."""
        (path,) = self.folder.glob("tables/*/record")
        return path.read_bytes()


class Game:
    """The three peers of one seed, and the faults planned for them."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.chance = random.Random(seed)
        rounds = self.chance.choice((1, 1, 2))
        self.settings = Settings("standard", (), 6, len(NAMES), rounds, 4, ("newcomers=open",))
        self.peers = [Peer(number, folder / name) for number, name in enumerate(NAMES)]
        self.plan = sorted(self._plan(), key=lambda fault: -fault.step)
        self.story: list[str] = []
        self.over = trio.Event()

    def _plan(self) -> list[Fault]:
        """Return one to four random faults; a killed peer comes back at once or after a pause."""
        plan = []
        for _ in range(self.chance.randint(1, 4)):
            whom = self.chance.sample(range(len(NAMES)), self.chance.choice((1, 1, 2)))
            pause = self.chance.choice((0.0, self.chance.uniform(0, 5), self.chance.uniform(5, 60)))
            kind = self.chance.choice(("kill", "kill", "cut"))
            plan.append(Fault(self.chance.randint(4, LAST_FAULT_STEP), kind, tuple(whom), pause))
        return plan

    # ---- lives --------------------------------------------------------------------------------

    async def live(self, peer: Peer, first: trio.Event) -> None:
        """Run one computer from its first start to the end of the game; set `first` when it runs.

        After each kill, start it again from its record.
        """
        while not self.over.is_set():
            with trio.CancelScope() as peer.scope:
                async with AsyncExitStack() as stack:
                    try:
                        peer.node = await self._start(stack, peer)
                    except Refused:  # its last entry reached the disk just before the kill
                        verdict = verify_record(peer.record, random.Random(1).randbytes)
                        assert verdict.finished, verdict.sentence
                        peer.head = bytes.fromhex(verdict.head)
                        await self._last_one(peer)
                        return
                    peer.port, peer.lives = peer.node.port, peer.lives + 1
                    first.set()
                    async with trio.open_nursery() as nursery:
                        nursery.start_soon(self._listen, peer, peer.node)
                        await peer.node.finished.wait()
                        peer.head = peer.node.view().head
                        await self._last_one(peer)
                        nursery.cancel_scope.cancel()
            peer.node = None
            if not self.over.is_set():
                await trio.sleep(peer.pause_s)

    async def _start(self, stack: AsyncExitStack, peer: Peer) -> Node:
        common = {
            "name": NAMES[peer.number],
            "data_dir": peer.folder,
            "auto": True,
            "reach": ReachedBy.COMPUTER,
            "port": peer.port,
        }
        if peer.lives:
            return await stack.enter_async_context(resume_table(JoinOptions(**common)))
        if peer.number:
            door = f"{LOOPBACK}:{self.peers[0].port}"
            return await stack.enter_async_context(join_table(JoinOptions(**common), door))
        options = HostOptions(**common, settings=self.settings, start_at=len(NAMES), announce=False)
        return await stack.enter_async_context(host_table(options))

    async def _last_one(self, peer: Peer) -> None:
        """Wait until every computer has seen the end; then stop those that still run."""
        if all(each.head for each in self.peers):
            self.over.set()
            for other in self.peers:
                if other is not peer:
                    other.scope.cancel()
        await self.over.wait()

    async def _listen(self, peer: Peer, node: Node) -> None:
        """Note accusations by this node; cause each planned fault when its log reaches the step."""
        async for notice in node.notices:
            if isinstance(notice, FaultFound):
                peer.accused.append(notice.sentence)
            view = node.view()
            begun = all(
                each.node and each.node.view().stage is not TableStage.LOBBY
                for each in self.peers
                if each.lives < 2
            )
            while begun and self.plan and self.plan[-1].step <= view.step:
                self._strike(self.plan.pop(), view.step)

    def _strike(self, fault: Fault, step: int) -> None:
        for number in fault.whom:
            peer = self.peers[number]
            if peer.node is None or peer.node.view().stage is TableStage.OVER:
                continue  # nobody comes back to a game that is over
            self.story.append(f"step {step}: {fault.kind} {NAMES[number]}, {fault.pause_s:.1f} s")
            if fault.kind == "cut":
                peer.node.pool.drop_all("cut")
            else:
                peer.pause_s = fault.pause_s
                peer.scope.cancel()

    # ---- the whole ----------------------------------------------------------------------------

    async def play(self) -> list[str]:
        """Play to the end; return a sentence for each thing that went wrong."""
        with trio.move_on_after(LIMIT_S) as limit:
            async with trio.open_nursery() as nursery:
                for peer in self.peers:
                    started = trio.Event()
                    nursery.start_soon(self.live, peer, started)
                    await started.wait()
        if limit.cancelled_caught:
            return [f"not over within {LIMIT_S:g} s"]
        return self._wrong()

    def _wrong(self) -> list[str]:
        found = [sentence for peer in self.peers for sentence in peer.accused]
        if len({peer.head for peer in self.peers}) != 1:
            found.append(f"different heads: {[peer.head[:8] for peer in self.peers]}")
        for peer in self.peers:
            verdict = verify_record(peer.record, random.Random(1).randbytes)
            if not (verdict.ok and verdict.finished):
                found.append(f"{NAMES[peer.number]}: {verdict.sentence}")
        return found


@contextmanager
def patient_with_threads(clock: MockClock) -> Iterator[None]:
    """Stop the clock while a thread works: trio alone would think that nothing is running."""
    run_sync, busy = trio.to_thread.run_sync, 0

    async def counted(*args: Any, **more: Any) -> Any:
        nonlocal busy
        busy += 1
        clock.autojump_threshold = math.inf
        try:
            return await run_sync(*args, **more)
        finally:
            busy -= 1
            if not busy:
                clock.autojump_threshold = IDLE_S

    trio.to_thread.run_sync = counted
    try:
        yield
    finally:
        trio.to_thread.run_sync = run_sync


def play(seed: int) -> tuple[list[str], Game]:
    """Play the game of one seed; return what went wrong in it, and the game."""
    clock = MockClock(autojump_threshold=IDLE_S)
    with tempfile.TemporaryDirectory(prefix="boneyard-") as folder, patient_with_threads(clock):

        async def run() -> tuple[list[str], Game]:
            game = Game(seed, Path(folder))
            return await game.play(), game

        return trio.run(run, clock=clock)


def main(words: Sequence[str]) -> int:
    """Play the chosen games and print what went wrong in each; return 1 if anything did, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.netgame.io.node.shellgames")
    parser.add_argument("--seeds", type=int, default=20, help="how many games")
    parser.add_argument("--seed", type=int, default=0, help="the first of them")
    chosen = parser.parse_args(words)
    bad = 0
    for seed in range(chosen.seed, chosen.seed + chosen.seeds):
        trouble, game = play(seed)
        lives = sum(peer.lives for peer in game.peers)
        print(f"seed {seed}: {lives} lives; {'; '.join(game.story) or 'nothing happened'}")
        for sentence in trouble:
            print(f"  WRONG: {sentence}")
        if trouble:
            print(f"  again: python -m tests.netgame.io.node.shellgames --seed {seed} --seeds 1")
        bad += bool(trouble)
    print(f"{chosen.seeds} games, {bad} of them wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
