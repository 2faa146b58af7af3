"""Refusals: the first rule a move breaks, as a stable code with facts; sentences are elsewhere."""

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from engine.tiles import Tile


class RefusalCode(Enum):
    """Why something is refused. Where several apply, the first in this order is named."""

    NOT_ALLOWED = "not-allowed"
    """No such action under these rules, or not now. Facts: `phase` or `action`."""
    NOT_YOUR_TURN = "not-your-turn"
    """Facts: `to_move` (a seat)."""
    NOT_YOUR_TILE = "not-your-tile"
    """Not in the hand, not in the set, or already seen. Facts: `tile`."""
    NO_SUCH_TRAIN = "no-such-train"
    """None, or not to be started yet. Facts: `train`."""
    OWED_DOUBLE = "owed-double"
    """Another end must be covered. Facts: `double`, `train` (where it lies)."""
    OWN_TRAIN_FIRST = "own-train-first"
    """The own train has no tile yet."""
    TRAIN_CLOSED = "train-closed"
    """Private, or not open in the first turn. Facts: `train`."""
    END_MISMATCH = "end-mismatch"
    """The tile does not fit that end. Facts: `tile`, `train`, `pip` once for each open end."""
    PLAYABLE_TILE = "playable-tile"
    """A draw or pass with a tile that can be laid. Facts: `tile`."""
    MUST_DRAW = "must-draw"
    """A pass while a draw is due."""
    ALREADY_DRAWN = "already-drawn"
    """A second draw for what is due now."""
    BONEYARD_EMPTY = "boneyard-empty"
    """A draw with nothing to draw."""
    WRONG_ENGINE = "wrong-engine"
    """Not the round's double, or used before."""
    MUST_DECLARE = "must-declare"
    """A double that had to be declared was not."""
    CHAIN_ENDS_DOUBLE = "chain-ends-double"
    """An opening chain may not end on a double."""
    IMPOSSIBLE_TABLE = "impossible-table"
    """There is no such table to play at. Facts: `problem` and what belongs to it."""


Fact: TypeAlias = tuple[str, int | str | Tile]
"""One thing a sentence about a refusal may name. Seats and trains are their numbers."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The first rule a move breaks."""

    code: RefusalCode
    facts: tuple[Fact, ...]
    rule: str
    """Where the rule is written, for example `rules.md §5.2`."""


RANK: Final = {code: rank for rank, code in enumerate(RefusalCode)}
"""Which of two refusals is named: the lower one."""
