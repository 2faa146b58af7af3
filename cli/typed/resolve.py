"""What a line asks for, filled in from the table: a move, a question back, or a refusal.

The rules are asked, never guessed: whether a move is legal is for `engine.play` alone.
"""

from typing import Final, assert_never

from cli.scene import Scene, calls, choices, hangs_on, legal, own_train, train_name
from cli.typed import resolution
from cli.typed.chains import resolve_chain
from cli.typed.intent import (
    CatchSeat,
    Choose,
    DiscardTile,
    HubTile,
    Look,
    MoveIntent,
    Play,
    PlayChain,
    PullTile,
    SetMarker,
    Speak,
    SpokenIntent,
    TileReading,
)
from cli.typed.readers import split_run
from cli.typed.resolution import (
    Ambiguous,
    NotFound,
    Resolved,
    find_places,
    find_seats,
    find_trains,
    judged,
    no_such_tile,
    no_train_text,
    position_of,
)
from engine.play.judge import why_illegal_holding
from engine.refusals import RefusalCode
from engine.rules.switches import Engine
from engine.table import moves
from engine.table.moves import LayTile, Pass
from engine.table.table import RoundPhase, joining_halves
from engine.table.trains import Position, Seat, TrainId
from engine.tiles import Tile, make_tile

_HUB_WORDS: Final = ("hub", "engine")


def resolve(intent: MoveIntent, scene: Scene) -> Resolved:
    """Turn a typed move into one the rules allow, or say what stands against it."""
    if scene.seat is None or scene.hand is None:
        return NotFound("You only watch this table.")
    match intent:
        case Choose():
            return _chosen(intent, scene, scene.seat)
        case Play():
            return _played(intent, scene, scene.seat)
        case PlayChain():
            return resolve_chain(intent, scene, scene.seat)
        case _:
            return resolve_spoken(intent, scene, scene.seat)


def _chosen(intent: Choose, scene: Scene, seat: Seat) -> Resolved:
    listed = choices(scene)
    if 1 <= intent.number <= len(listed):
        return listed[intent.number - 1]
    if intent.otherwise is not None:
        return resolve(intent.otherwise, scene)
    if listed:
        return NotFound(f"The list of plays goes from 1 to {len(listed)}.")
    if scene.can_move:
        return NotFound("You can play nothing that you hold: draw or pass.")
    return judged(Pass(seat), scene)


def _played(intent: Play, scene: Scene, seat: Seat) -> Resolved:
    """Keep the readings whose tile is held and whose train exists, and let the rules choose."""
    hub = next((reading for reading in intent.readings if _names_hub(reading, scene)), None)
    if hub is not None:
        return resolve_spoken(HubTile(hub.pips), scene, seat)
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
    if allowed:
        first = {make_tile(*reading.pips): reading.pips[0] for reading in intent.readings}
        return _only(tuple(move for move in allowed if isinstance(move, LayTile)), first)
    unclear = (_unclear_train(reading, scene) for reading in intent.readings)
    return next((found for found in unclear if found), None) or _refusal_of(candidates, scene)


def _only(allowed: tuple[LayTile, ...], first: dict[Tile, int]) -> Resolved:
    """Take the only place, where both halves fit with the half written first; else ask which."""
    places: dict[tuple[Tile, TrainId, int], LayTile] = {}
    for move in sorted(allowed, key=lambda move: move.joined != first[move.tile]):
        places.setdefault((move.tile, move.train, move.on), move)
    found = tuple(move for move in allowed if move in places.values())
    return found[0] if len(found) == 1 else Ambiguous(found)


def _names_hub(reading: TileReading, scene: Scene) -> bool:
    """Whether a tile is meant for the hub, and not for the train of somebody called so."""
    word = (reading.train or "").casefold()
    return word in _HUB_WORDS and not find_trains(scene, word)


def _unclear_train(reading: TileReading, scene: Scene) -> NotFound | None:
    """Say which trains a word may mean; only asked where the rules allow none of them."""
    trains = find_trains(scene, reading.train) if reading.train is not None else ()
    if len(trains) < 2:
        return None
    names = " or ".join(train_name(scene, train) for train in trains)
    return NotFound(f"{reading.train} could be {names}.")


def _moves_of(reading: TileReading, scene: Scene, seat: Seat) -> tuple[LayTile, ...] | NotFound:
    """List every lay a reading can mean, on one train or on all of them."""
    tile = make_tile(*reading.pips)
    missing = no_such_tile(tile, scene)
    if missing is not None:
        return missing
    trains, double = find_places(scene, reading.train)
    if not trains:
        return NotFound(_no_train(scene, reading.train or ""))
    position = position_of(tile, scene)
    moves = tuple(move for train in trains for move in _lays_on(scene, seat, position, tile, train))
    on_double = tuple(move for move in moves if hangs_on(scene, move) == double)
    return on_double if double is not None and on_double else moves


def _no_train(scene: Scene, text: str) -> str:
    several = " Write several tiles as 9-7 7-5." if split_run(text) else ""
    return f"{no_train_text(scene, text)}{several}"


def _lays_on(
    scene: Scene, seat: Seat, position: Position, tile: Tile, train: TrainId
) -> tuple[LayTile, ...]:
    """List the lays of a tile on a train's open ends; the first end stands for all that misfit."""
    found = scene.table.train(train)
    ends = [(end.pip, end.on) for end in found.ends]
    if not ends and not found.lays and scene.table.hub is not None:
        ends = [(scene.table.hub.low, -1)]
    moves = [
        LayTile(seat, position, tile, train, on, joined)
        for pip, on in ends
        for joined in joining_halves(scene.table.rules, tile, pip)
    ]
    if moves:
        return tuple(dict.fromkeys(moves))
    on = ends[0][1] if ends else -1
    return (LayTile(seat, position, tile, train, on, tile.low),)


def _refusal_of(candidates: list[LayTile], scene: Scene) -> Resolved:
    """Pick the refusal that helps most: of a tile that would fit, else on one's own train."""
    hand = scene.hand
    assert hand is not None

    def rank(move: LayTile) -> tuple[bool, bool, bool]:
        refusal = why_illegal_holding(scene.table, hand, move)
        misfits = refusal is not None and refusal.code is RefusalCode.END_MISMATCH
        return refusal is None, misfits, move.train != own_train(scene)

    return judged(min(candidates, key=rank), scene)


def resolve_spoken(intent: SpokenIntent, scene: Scene, seat: Seat) -> resolution.Resolved:
    """Turn words into a move the rules allow, or say what stands against it."""
    match intent:
        case Speak(kind):
            return resolution.judged(kind(seat), scene)
        case SetMarker(up):
            return resolution.judged(moves.Mark(seat, up), scene)
        case Look():
            turns = [each for each in legal(scene) if isinstance(each, moves.TurnUp)]
            return resolution.one_of(turns, moves.TurnUp(seat, resolution.NOWHERE), scene)
        case CatchSeat():
            return _caught(intent, scene, seat)
        case HubTile():
            return _hub(intent, scene, seat)
        case DiscardTile():
            tile = make_tile(*intent.pips)
            return resolution.judged(
                moves.Discard(seat, resolution.position_of(tile, scene)), scene
            )
        case PullTile():
            return _pulled(intent, scene, seat)
    assert_never(intent)


def _caught(intent: CatchSeat, scene: Scene, seat: Seat) -> resolution.Resolved:
    possible = [call for call in calls(scene) if isinstance(call, moves.Catch)]
    if intent.name is None:
        if possible:
            return resolution.one_of(possible, possible[0], scene)
        return resolution.NotFound("Nobody can be caught now.")
    seats = find_seats(scene, intent.name)
    if not seats:
        return resolution.NotFound(
            f"Nobody here is called {intent.name}: {', '.join(scene.names)}."
        )
    meant = [call for call in possible if call.offender in seats]
    return resolution.one_of(meant, moves.Catch(seat, seats[0]), scene)


def _hub(intent: HubTile, scene: Scene, seat: Seat) -> resolution.Resolved:
    """Play or declare, whichever the rules ask for now."""
    possible = [each for each in legal(scene) if isinstance(each, moves.LayHub | moves.Declare)]
    if intent.pips is None:
        if scene.table.phase is RoundPhase.ENGINE and not possible and scene.can_move:
            return resolution.NotFound("You hold no double that is asked for: say none, or silent.")
        return resolution.one_of(possible, _hub_move(scene, seat, Tile(0, 0)), scene)
    tile = make_tile(*intent.pips)
    meant = [each for each in possible if each.tile == tile]
    return resolution.no_such_tile(tile, scene) or resolution.one_of(
        meant, _hub_move(scene, seat, tile), scene
    )


def _hub_move(scene: Scene, seat: Seat, tile: Tile) -> moves.Move:
    declared = scene.table.rules.engine is Engine.DECLARED
    return (moves.Declare if declared else moves.LayHub)(
        seat, resolution.position_of(tile, scene), tile
    )


def _pulled(intent: PullTile, scene: Scene, seat: Seat) -> resolution.Resolved:
    possible = [each for each in legal(scene) if isinstance(each, moves.PullBack)]
    if not possible:
        return resolution.judged(moves.PullBack(seat, seat, resolution.NOWHERE), scene)
    if intent.number > len(possible):
        return resolution.NotFound(f"That hand has {len(possible)} tiles: pull one by its number.")
    return resolution.judged(possible[intent.number - 1], scene)
