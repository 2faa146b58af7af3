"""The tiles typed on one line as single moves, as many of them as this turn takes.

A train laid in one move ends its player's turn; the same tiles laid one by one leave the turn open
while something can follow. So a typed line is usually played tile by tile; `chains` says when not.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from cli.scene import Scene, forced_move
from engine.play.apply import apply
from engine.play.judge import why_illegal_holding
from engine.table.moves import Done, LayChain, LayTile
from engine.table.table import Hand, RoundPhase
from engine.table.turn import InChain


class SingleTiles(NamedTuple):
    """The first tiles of a chain as moves of their own, and the scene after them."""

    lays: tuple[LayTile, ...]
    after: Scene
    turns: int
    """The table's count of turns before the first lay."""

    @property
    def turn_goes_on(self) -> bool:
        """True if the turn is not over after the lays, and the player can do more than end it."""
        return self._in_turn and not isinstance(forced_move(self.after), Done)

    @property
    def train_goes_on(self) -> bool:
        """True if the turn is not over after the lays, and its opening can go on with a tile."""
        return self._in_turn and isinstance(self.after.table.turn.stage, InChain)

    @property
    def _in_turn(self) -> bool:
        table = self.after.table
        return table.phase is RoundPhase.PLAY and table.turns == self.turns


def single_tiles(chain: LayChain, scene: Scene) -> SingleTiles:
    """Return the tiles of a chain as single lays, up to the first that this turn does not take.

    There are no lays if that is the very first tile. There are none either while all seats open at
    once, because then the chain in one line is the whole opening. [§3.1]

    Nothing is played at the table itself. There must be a hand.
    """
    assert scene.hand is not None
    found = SingleTiles((), replace(scene, can_move=True), scene.table.turns)
    on = chain.on
    for link in chain.lays:
        table, hand = found.after.table, found.after.hand
        lay = LayTile(chain.seat, link.position, link.tile, chain.train, on, link.joined)
        assert hand is not None
        goes_on = table.phase is RoundPhase.PLAY and table.turns == found.turns
        if not goes_on or why_illegal_holding(table, hand, lay) is not None:
            break
        found = SingleTiles((*found.lays, lay), after_lays(found.after, (lay,)), found.turns)
        on = len(found.after.table.train(chain.train).lays) - 1
    return found


def after_lays(scene: Scene, lays: Sequence[LayTile]) -> Scene:
    """Return the scene after the player's own legal lays, as they see it. There must be a hand.

    The scene returned has the same `can_move`, even if the turn is over.
    """
    assert scene.hand is not None
    table, gone = scene.table, {lay.position for lay in lays}
    for lay in lays:
        table, _ = apply(table, lay)
    hand = Hand(scene.hand.seat, tuple(held for held in scene.hand.tiles if held[0] not in gone))
    return replace(scene, table=table, hand=hand)
