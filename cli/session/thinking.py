"""Thinking for a person, in a thread of its own: a hint, and whatever else takes that long.

The search for a hint begins with the turn, so that most hints are there when they are asked for.
It is kept for as long as the table stays as it is. On battery, in a game that repeats, and for a
script it begins when somebody asks.
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
    """Return the random octets for thinking about a position, the same ones each time.

    So a review, which comes later, tries the deals that a hint has tried.
    """
    table, held = view.table, () if view.hand is None else view.hand.tiles
    laid = sum(len(train.lays) for train in table.trains)
    place = table.round_number, table.turns, view.seat, len(table.boneyard), laid, len(held)
    return Random(repr(place)).randbytes


@dataclass(slots=True)
class _Search:
    """The search for advice at one table."""

    table: Table
    cut: Signal = field(default_factory=Signal)
    """Given to end the search at once."""
    over: Signal = field(default_factory=Signal)
    """Given by the search when it has ended."""
    advice: Advice | None = None
    """What it has found, once it is over."""
    is_asked: bool = False
    """True if somebody waits for it, or has been told."""

    def serves(self, table: Table) -> bool:
        """Whether it can answer for this table, now or soon, and as well as a new one."""
        if self.table is not table or self.cut.is_given:
            return False
        return self.advice is None or not self.advice.is_cut_short


@dataclass(slots=True)
class Thinking:
    """Thinks about the table of one seat; in a game that `repeats` no clock limits it."""

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
        """Return what `think` makes, piece by piece, of what this seat knows.

        Of the same position it comes to the same in a game from a seed; in others a clock limits
        it. It ends sooner once `is_cut`.
        """
        view = informed(self.node.view(), scene.table)

        def is_stopped() -> bool:
            from_thread(None)
            return is_cut()

        effort = effort_for_move(repeats=self.repeats, is_stopped=is_stopped)
        return await in_breaths(think(view, chance_at(view), effort))

    def begin(self, scene: Scene) -> None:
        """Begin the search for a hint at the turn of a person, who may ask for one.

        Does nothing where that would cost battery or make a game from a seed differ.
        """
        if not self.repeats and not on_battery():
            self._searched(scene)

    async def hint(self, scene: Scene) -> None:
        """Say what an expert would do; a person may type on meanwhile, a script waits.

        Until it is there, it is said that it is on its way. Asked again, or by a move, a hint that
        is waited for comes at once, as good as it is. Out of turn none comes.
        """
        self.cut()
        search = self._searched(scene)
        search.is_asked = True

        async def tell() -> None:
            if not search.over.is_given:
                self.front.working(say("Thinking about a hint…"))
                await search.over.wait()
                if self._search is search:  # else the next hint is waited for
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
        """Return the search that serves this table; a new one begins if none does."""
        if self._search is not None and self._search.serves(scene.table):
            return self._search
        search = self._search = _Search(scene.table)

        async def run() -> None:
            search.advice = await self.thought(scene, advise.pieces, lambda: search.cut.is_given)
            search.over.give()

        self.tasks.start_soon(run)
        return search

    def cut(self) -> None:
        """Have a hint that is waited for come at once; nothing if none is."""
        search = self._search
        if search is not None and search.is_asked and not search.over.is_given:
            search.cut.give()
