"""What a line asks for, filled in from the table: a move, a question back, or a refusal.

The rules are asked, never guessed: whether a move is legal is for `engine.legality` alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from cli.intents import Choose, Draw, PassTurn, Play
from cli.scene import Scene, choices, find_trains, legal, own_train, train_name
from engine.legality import Refusal, RefusalCode, why_illegal_holding
from engine.moves import DrawTile, LayTile, Move, Pass
from engine.tiles import Tile, make_tile
from engine.trains import Position, TrainId

if TYPE_CHECKING:
    from cli.intents import MoveIntent, Reading
    from engine.trains import Seat

__all__ = ["Ambiguous", "NotFound", "Refused", "Resolved", "resolve"]


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several legal moves fit the words."""

    options: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class NotFound:
    """Words that name nothing at this table; `hint` is a sentence."""

    hint: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The rules are against `move`; `nearest` are legal moves most like it, best first."""

    refusal: Refusal
    move: Move
    nearest: tuple[Move, ...]


ON_ITS_WAY: Final = NotFound("One moment: what was played last is still on its way.")
"""For a move the rules allow, asked for before the table can take it."""

Resolved: TypeAlias = Move | Ambiguous | NotFound | Refused


def resolve(intent: MoveIntent, scene: Scene) -> Resolved:
    """Turn a typed move into one the rules allow, or say what stands against it."""
    if scene.seat is None or scene.hand is None:
        return NotFound("You only look on at this table.")
    match intent:
        case Draw():
            return _judged(DrawTile(scene.seat), scene)
        case PassTurn():
            return _judged(Pass(scene.seat), scene)
        case Choose():
            return _chosen(intent, scene)
        case Play():
            return _played(intent, scene, scene.seat)


def _judged(move: Move, scene: Scene) -> Move | Refused | NotFound:
    assert scene.hand is not None
    refusal = why_illegal_holding(scene.table, scene.hand, move)
    if refusal is not None:
        return _refused(refusal, move, scene)
    return move if scene.can_move else ON_ITS_WAY


def _chosen(intent: Choose, scene: Scene) -> Resolved:
    listed = choices(scene)
    if 1 <= intent.number <= len(listed):
        return listed[intent.number - 1]
    if intent.otherwise is not None:
        return resolve(intent.otherwise, scene)
    if not listed:
        return _judged_anything(scene)
    return NotFound(f"The list of plays goes from 1 to {len(listed)}.")


def _judged_anything(scene: Scene) -> Resolved:
    """Say why a number means nothing now: not this seat's turn, or nothing can be laid."""
    assert scene.seat is not None
    if not scene.can_move:
        return _judged(Pass(scene.seat), scene)
    return NotFound("Nothing you hold can be laid: draw or pass.")


def _played(intent: Play, scene: Scene, seat: Seat) -> Resolved:
    """Keep the readings whose tile is held and whose train exists, and let the rules choose."""
    candidates: list[LayTile] = []
    missing: NotFound | None = None
    for reading in intent.readings:
        found = _moves_of(reading, scene, seat)
        if isinstance(found, NotFound):
            missing = missing or found
        else:
            candidates.extend(found)
    held = {tile for _, tile in scene.hand.tiles} if scene.hand is not None else set()
    candidates = [move for move in candidates if move.tile in held] or candidates
    if not candidates:
        return missing or NotFound("There is no such tile.")
    allowed = [move for move in legal(scene) if move in candidates]
    if len(allowed) == 1:
        return allowed[0]
    if allowed:
        return Ambiguous(tuple(allowed))
    unclear = (_unclear_train(reading, scene) for reading in intent.readings)
    return next((found for found in unclear if found), None) or _refusal_of(candidates, scene)


def _unclear_train(reading: Reading, scene: Scene) -> NotFound | None:
    """Say which trains a word may mean; only asked where the rules allow none of them."""
    trains = find_trains(scene, reading.train) if reading.train is not None else ()
    if len(trains) < 2:
        return None
    names = " or ".join(train_name(scene, train) for train in trains)
    return NotFound(f"{reading.train} could be {names}.")


def _moves_of(reading: Reading, scene: Scene, seat: Seat) -> tuple[LayTile, ...] | NotFound:
    """List every lay a reading can mean, on one train or on all of them."""
    tile = make_tile(*reading.pips)
    if tile.high > scene.table.spec.pip_max:
        return NotFound(f"A double-{scene.table.spec.pip_max} set has no {tile}.")
    trains: tuple[TrainId, ...]
    if reading.train is None:
        trains = tuple(train.id for train in scene.table.trains)
    else:
        trains = find_trains(scene, reading.train)
        if not trains:
            return NotFound(_no_train(scene, reading.train))
    position = _position_of(tile, scene)
    return tuple(move for train in trains for move in _lays_on(scene, seat, position, tile, train))


def _no_train(scene: Scene, text: str) -> str:
    names = ", ".join(train_name(scene, train.id) for train in scene.table.trains)
    return f"There is no train {text} here: {names}."


def _position_of(tile: Tile, scene: Scene) -> Position:
    """Where a tile is held; any position will do for one that is not, as it is refused anyway."""
    assert scene.hand is not None
    for position, held in scene.hand.tiles:
        if held == tile:
            return position
    return Position(-1)


def _lays_on(
    scene: Scene, seat: Seat, position: Position, tile: Tile, train: TrainId
) -> tuple[LayTile, ...]:
    """List the lays of a tile on a train's open ends; the first end stands for all that misfit."""
    found = scene.table.train(train)
    ends = [(end.pip, end.on) for end in found.ends]
    if not ends and not found.lays and scene.table.hub is not None:
        ends = [(scene.table.hub.low, -1)]
    moves = [LayTile(seat, position, tile, train, on, pip) for pip, on in ends if tile.has(pip)]
    if moves:
        return tuple(dict.fromkeys(moves))
    on = ends[0][1] if ends else -1
    return (LayTile(seat, position, tile, train, on, tile.low),)


def _refusal_of(candidates: list[LayTile], scene: Scene) -> Resolved:
    """Pick the refusal that helps most: of a lay that would fit, else on one's own train."""
    assert scene.hand is not None
    judged = [(why_illegal_holding(scene.table, scene.hand, move), move) for move in candidates]
    ranked = sorted(
        ((refusal, move) for refusal, move in judged if refusal is not None),
        key=lambda pair: (
            pair[0].code is RefusalCode.END_MISMATCH,
            pair[1].train != own_train(scene),
        ),
    )
    if not ranked:
        return ON_ITS_WAY
    return _refused(*ranked[0], scene)


def _refused(refusal: Refusal, move: Move, scene: Scene) -> Refused:
    def distance(other: Move) -> tuple[bool, bool]:
        if not isinstance(move, LayTile) or not isinstance(other, LayTile):
            return (type(move) is not type(other), False)
        return (other.tile != move.tile, other.train != move.train)

    return Refused(refusal, move, tuple(sorted(legal(scene), key=distance)))
