"""The words of the game -> moves: calls, markers, the search for the engine, the end of a turn."""

from typing import assert_never

from cli.scene import Scene, calls, legal
from cli.typed import resolution
from cli.typed.intent import (
    CatchSeat,
    DiscardTile,
    HubTile,
    Look,
    PullTile,
    SetMarker,
    Speak,
    SpokenIntent,
)
from cli.typed.places import find_seats
from engine.rules.switches import Engine
from engine.table import moves
from engine.table.table import RoundPhase
from engine.table.trains import Seat
from engine.tiles import Tile, make_tile


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
