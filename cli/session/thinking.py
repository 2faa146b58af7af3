"""Thinking for a person, in a thread of its own: hints, and other slow answers.

The search for a hint begins with the turn, so that most hints are ready when somebody asks. Its
result is kept as long as the table does not change. On battery, in a game that repeats, and for a
script, it only begins when somebody asks.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import TypeVar

from cli.language import say
from cli.scene import Scene
from cli.session.frontend import FrontEnd, explain
from cli.session.tasks import Signal, Tasks, from_thread, in_breaths
from cli.wording.hints import hint_sentence
from engine.bots.advice import Advice, advise
from engine.bots.effort import Effort, never
from engine.bots.pieces import Pieces
from engine.table.table import Table
from engine.view import SeatView
from netgame.crypto.group import Entropy
from netgame.io.battery import on_battery
from netgame.io.node.node import Node
from netgame.io.tables.bot import effort_for_move, informed

T = TypeVar("T")


def chance_at(view: SeatView) -> Entropy:
    """Return a source of random octets that is the same whenever it is made for the same position.

    So a later review tries the same deals as the hint did.
    """
    table, held = view.table, () if view.hand is None else view.hand.tiles
    laid = sum(len(train.lays) for train in table.trains)
    place = table.round_number, table.turns, view.seat, len(table.boneyard), laid, len(held)
    return Random(repr(place)).randbytes


@dataclass(slots=True)
class _Search:
    """One search for advice about one table."""

    table: Table
    cut: Signal = field(default_factory=Signal)
    """Given to end the search at once."""
    over: Signal = field(default_factory=Signal)
    """Given when the search ends."""
    advice: Advice | None = None
    """The result, once it is over."""
    is_asked: bool = False
    """True once somebody has asked for the advice."""

    def serves(self, table: Table) -> bool:
        """Return True if this search is for the same table and was not cut short."""
        if self.table is not table or self.cut.is_given:
            return False
        return self.advice is None or not self.advice.is_cut_short


@dataclass(slots=True)
class Thinking:
    """Thinks about hints and other slow answers for one seat.

    A game that `repeats` is dealt from a seed, and no clock limits the thinking in it.
    """

    node: Node
    front: FrontEnd
    tasks: Tasks
    repeats: bool
    _search: _Search | None = None
    """The last search for advice."""

    async def thought(
        self,
        scene: Scene,
        think: Callable[[SeatView, Entropy, Effort], Pieces[T]],
        is_cut: Callable[[], bool] = never,
    ) -> T:
        """Run `think`, piece by piece, on what this seat knows, and return its result.

        In a game from a seed the same position gives the same result; in other games a clock
        limits the thinking. It ends early once `is_cut` returns True.
        """
        view = informed(self.node.view(), scene.table)

        def is_stopped() -> bool:
            from_thread(None)
            return is_cut()

        effort = effort_for_move(repeats=self.repeats, is_stopped=is_stopped)
        return await in_breaths(think(view, chance_at(view), effort))

    def begin(self, scene: Scene) -> None:
        """Begin the search for a hint at a person's turn, in case they ask for one.

        Do nothing on battery, or in a game from a seed, which must come out the same.
        """
        if not self.repeats and not on_battery():
            self._searched(scene)

    async def hint(self, scene: Scene) -> None:
        """Say what an expert would do; a person may type on meanwhile, but a script waits.

        Until the hint is there, say that it is on its way. A second request, or a move, cuts the
        search short: the hint comes at once, as good as it is by then. If there is no advice, as
        when this seat cannot move, say nothing.
        """
        self.cut()
        search = self._searched(scene)
        search.is_asked = True

        async def tell() -> None:
            if not search.over.is_given:
                self.front.working(say("Thinking about a hint…"))
                await search.over.wait()
                if self._search is search:  # else the person waits for a newer hint
                    self.front.working(None)
            if search.advice is not None:
                is_past = self.node.view().table is not scene.table
                tells = self.front.say if is_past else partial(explain, self.front)
                tells(hint_sentence(scene, search.advice))

        if self.front.asks_back:
            self.tasks.start_soon(tell)
        else:
            await tell()

    def _searched(self, scene: Scene) -> _Search:
        """Return the search that serves this table; begin a new one if none does."""
        if self._search is not None and self._search.serves(scene.table):
            return self._search
        search = self._search = _Search(scene.table)

        async def run() -> None:
            search.advice = await self.thought(scene, advise.pieces, lambda: search.cut.is_given)
            search.over.give()

        self.tasks.start_soon(run)
        return search

    def cut(self) -> None:
        """End the search for a hint that somebody waits for; do nothing if nobody does."""
        search = self._search
        if search is not None and search.is_asked and not search.over.is_given:
            search.cut.give()
