"""What a typed move can come to: a move, a question back, words that name nothing, a refusal."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from cli.scene import Scene, calls, legal
from engine.play.judge import why_illegal_holding
from engine.refusals import Refusal, RefusalCode
from engine.table.moves import Catch, LayChain, LayTile, Move, Tap
from engine.table.trains import Position
from engine.tiles import Tile

NOWHERE: Final = Position(-1)
"""Where a tile is that is not held: whatever is done with it is refused."""


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several legal moves fit the words."""

    options: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class NotFound:
    """Words that name nothing at this table; `hint` is a sentence."""

    hint: str


@dataclass(frozen=True, slots=True)
class NotLegal:
    """The rules are against `move`; `nearest` are legal moves most like it, best first."""

    refusal: Refusal
    move: Move
    nearest: tuple[Move, ...]


ON_ITS_WAY: Final = NotFound("One moment: what was played last is still on its way.")
"""For a move the rules allow, asked for before the table can take it."""

TOO_LATE: Final = NotFound("Too late: their next turn comes before anybody may call again.")
"""For a catch that would have to be called between the turns before."""

Resolved: TypeAlias = Move | Ambiguous | NotFound | NotLegal


def no_such_tile(tile: Tile, scene: Scene) -> NotFound | None:
    """Say so if the set has no such tile."""
    pip_max = scene.table.spec.pip_max
    return NotFound(f"A double-{pip_max} set has no {tile}.") if tile.high > pip_max else None


def judged(move: Move, scene: Scene) -> Move | NotLegal | NotFound:
    """Ask the rules about one move."""
    assert scene.hand is not None
    refusal = why_illegal_holding(scene.table, scene.hand, move)
    if refusal is not None:
        return refused(refusal, move, scene)
    if isinstance(move, Catch):
        return move if move in calls(scene) else TOO_LATE
    if scene.can_move or (isinstance(move, Tap) and move in calls(scene)):
        return move
    return ON_ITS_WAY


def one_of(moves: Sequence[Move], otherwise: Move, scene: Scene) -> Resolved:
    """Take the only one of these legal moves, ask which of several, or say what is against it."""
    if len(moves) == 1:
        return judged(moves[0], scene)
    return Ambiguous(tuple(moves)) if moves else judged(otherwise, scene)


def refused(refusal: Refusal, move: Move, scene: Scene) -> NotLegal:
    """Say no, with the legal moves most like the one that was meant."""

    def distance(other: Move) -> tuple[bool, bool]:
        if not isinstance(move, LayTile) or not isinstance(other, LayTile):
            return (type(move) is not type(other), False)
        return (other.tile != move.tile, other.train != move.train)

    near = () if refusal.code is RefusalCode.NOT_YOUR_TURN else legal(scene)
    if isinstance(move, LayChain):
        near = tuple(other for other in near if isinstance(other, LayTile | LayChain))
    return NotLegal(refusal, move, tuple(sorted(near, key=distance)))


def position_of(tile: Tile, scene: Scene) -> Position:
    """Where a tile is held; `NOWHERE` for one that is not."""
    assert scene.hand is not None
    return next((at for at, held in scene.hand.tiles if held == tile), NOWHERE)
