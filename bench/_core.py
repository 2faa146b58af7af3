"""A peer whose inputs and work are timed, at a table in virtual time.

The time covers every frame from octets to effects, every proof made or checked, every alarm, and
the view at each turn, but no sockets, channels, threads or disks; `bench.peers` measures those.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from functools import partial
from typing import ClassVar, TypeVar

from msgspec.structs import replace

from bench.figure import timed
from engine.refusals import Refusal
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.core import Core, Wish
from netgame.protocol.peer.view import TableView

T = TypeVar("T")


class TimedCore(Core):
    """A core that counts processor seconds and calls by kind, for all instances together."""

    spent: ClassVar = defaultdict[str, float](float)
    calls: ClassVar = Counter[str]()

    @classmethod
    def begin(cls) -> None:
        """Set all counts of seconds and calls to 0."""
        cls.spent.clear()
        cls.calls.clear()

    @classmethod
    def timed(cls, kind: str, act: Callable[[], T]) -> T:
        """Call `act`, count its processor time under `kind`, and return its result."""
        result, seconds = timed(act)
        cls.spent[kind] += seconds
        cls.calls[kind] += 1
        return result

    def frame(self, peer: fx.PeerKey, body: bytes, now: float) -> tuple[fx.Effect, ...]:
        """Take a frame from a peer; the time counts as "frames"."""
        return self._out(self.timed("frames", partial(super().frame, peer, body, now)))

    def work_done(self, job: int, result: object, now: float) -> tuple[fx.Effect, ...]:
        """Take the result of a piece of work; the time counts as "results"."""
        return self._out(self.timed("results", partial(super().work_done, job, result, now)))

    def wake(self, now: float) -> tuple[fx.Effect, ...]:
        """Do what is due at `now`; the time counts as "alarms"."""
        return self._out(self.timed("alarms", partial(super().wake, now)))

    def view(self) -> TableView:
        """Return what the person sees; the time counts as "moves", as that of `act` does."""
        return self.timed("moves", super().view)

    def act(self, wish: Wish, now: float) -> tuple[fx.Effect, ...] | Refusal:
        """Take a wish from the person; the time counts as "moves"."""
        effects = self.timed("moves", partial(super().act, wish, now))
        return effects if isinstance(effects, Refusal) else self._out(effects)

    def _out(self, effects: tuple[fx.Effect, ...]) -> tuple[fx.Effect, ...]:
        return tuple(
            replace(each, run=partial(self.timed, "proofs", each.run))
            if isinstance(each, fx.Work)
            else each
            for each in effects
        )
