"""What a line asks for, filled in from the table: a move, a question back, or a refusal.

The rules are asked, never guessed: whether a move is legal is for `engine.play` alone.
"""

from typing import assert_never

from msgspec import structs

from cli.language import say
from cli.scene import Scene, calls, choices, hangs_on, legal, own_train
from cli.typed import intent as typed
from cli.typed import resolution
from cli.typed.chains import resolve_chain
from cli.typed.readers import split_run
from engine.play.step_rules import mismatch
from engine.refusals import RefusalCode
from engine.rules.switches import Engine
from engine.table import moves
from engine.table.table import RoundPhase, joining_halves
from engine.table.trains import HUB, Seat, TrainId
from engine.tiles import Tile, make_tile


def resolve(  # noqa: C901 - one branch an intent
    intent: typed.MoveIntent, scene: Scene
) -> resolution.Resolved:
    """Turn a typed move into one the rules allow, or say what stands against it."""
    if scene.seat is None or scene.hand is None:
        return resolution.only_watches()
    seat = scene.seat
    match intent:
        case typed.Choose():
            return _chosen(intent, scene, seat)
        case typed.Play():
            return _played(intent, scene, seat)
        case typed.PlayChain():
            return resolve_chain(intent, scene, seat)
        case typed.Speak(kind):
            return resolution.judged(kind(seat), scene)
        case typed.SetMarker(up):
            return resolution.judged(moves.Mark(seat, up), scene)
        case typed.Look():
            turns = [each for each in legal(scene) if isinstance(each, moves.TurnUp)]
            return resolution.one_of(turns, moves.TurnUp(seat, resolution.NOWHERE), scene)
        case typed.CatchSeat(name):
            return _caught(name, scene, seat)
        case typed.HubTile(pips):
            return _hub(pips, scene, seat)
        case typed.DiscardTile(pips):
            position = resolution.position_of(make_tile(*pips), scene)
            return resolution.judged(moves.Discard(seat, position), scene)
        case typed.PullTile(number):
            return _pulled(number, scene, seat)
    assert_never(intent)


def _chosen(intent: typed.Choose, scene: Scene, seat: Seat) -> resolution.Resolved:
    listed = choices(scene)
    if 1 <= intent.number <= len(listed):
        return listed[intent.number - 1]
    if intent.otherwise is not None:
        return resolve(intent.otherwise, scene)
    if listed:
        text = "The list of plays goes from 1 to {last}."
        return resolution.NotFound(say(text, last=len(listed)))
    if scene.can_move:
        return resolution.NotFound(say("You can play nothing that you hold: draw or pass."))
    if scene.table.to_move == seat and scene.table.phase is RoundPhase.PLAY:
        return resolution.too_early(scene)
    return resolution.judged(moves.Pass(seat), scene)


def _played(intent: typed.Play, scene: Scene, seat: Seat) -> resolution.Resolved:
    """Keep the readings whose tile is held and whose train exists, and let the rules choose."""
    hub = next((reading for reading in intent.readings if _names_hub(reading, scene)), None)
    if hub is not None:
        return _hub(hub.pips, scene, seat)
    found = [_moves_of(reading, scene, seat) for reading in intent.readings]
    missing = [each for each in found if isinstance(each, resolution.NotFound)]
    if len(missing) == len(found):
        return missing[0]
    readable = [move for each in found if isinstance(each, tuple) for move in each]
    held = [move for move in readable if move.position != resolution.NOWHERE]
    candidates = held or readable
    allowed = [move for move in legal(scene) if move in candidates]
    if allowed:
        typed_of = {make_tile(*reading.pips): reading for reading in intent.readings}
        lays = tuple(move for move in allowed if isinstance(move, moves.LayTile))
        found_lay = _only(lays, {tile: reading.pips[0] for tile, reading in typed_of.items()})
        if isinstance(found_lay, moves.LayTile):
            return resolution.in_doubt(found_lay, typed_of[found_lay.tile].train, scene)
        return found_lay
    for reading in intent.readings:
        if names := resolution.unclear_train(scene, reading.train):
            return resolution.NotFound(resolution.could_be_text(reading.train or "", names))
    return _refusal_of(candidates, scene)


def _only(
    allowed: tuple[moves.LayTile, ...], first: dict[Tile, int]
) -> moves.LayTile | resolution.Ambiguous:
    """Take the only place; of several that which the half written first joins; else ask which."""
    as_written = tuple(move for move in allowed if move.joined == first[move.tile])
    places: dict[tuple[Tile, TrainId, int], moves.LayTile] = {}
    for move in as_written or allowed:
        places.setdefault((move.tile, move.train, move.on), move)
    found = tuple(places.values())
    return found[0] if len(found) == 1 else resolution.Ambiguous(found)


def _names_hub(reading: typed.TileReading, scene: Scene) -> bool:
    """Whether a tile is meant for the hub, and not for the train of somebody called so."""
    word = (reading.train or "").casefold()
    return word in ("hub", "engine") and not resolution.find_trains(scene, word)


def _moves_of(
    reading: typed.TileReading, scene: Scene, seat: Seat
) -> tuple[moves.LayTile, ...] | resolution.NotFound:
    """List every lay a reading can mean, on one train or on all of them."""
    tile = make_tile(*reading.pips)
    missing = resolution.no_such_tile(tile, scene)
    if missing is not None:
        return missing
    trains, double = resolution.find_places(scene, reading.train)
    if not trains:
        return resolution.NotFound(_no_train(scene, reading.train or ""))
    lays = tuple(lay for train in trains for lay in _lays_on(scene, seat, tile, train))
    on_double = tuple(lay for lay in lays if hangs_on(scene, lay) == double)
    return on_double if double is not None and on_double else lays


def _no_train(scene: Scene, text: str) -> str:
    said = resolution.no_train_text(scene, text)
    return f"{said} {say('Write several tiles as 9-7 7-5.')}" if split_run(text) else said


def _lays_on(scene: Scene, seat: Seat, tile: Tile, train: TrainId) -> tuple[moves.LayTile, ...]:
    """List the lays of a tile on a train's open ends; the first end stands for all that misfit."""
    found, position = scene.table.train(train), resolution.position_of(tile, scene)
    ends = [(end.pip, end.on) for end in found.ends]
    if not ends and not found.lays and scene.table.hub is not None:
        ends = [(scene.table.hub.low, HUB)]
    fitting = dict.fromkeys(
        moves.LayTile(seat, position, tile, train, on, joined)
        for pip, on in ends
        for joined in joining_halves(scene.table.rules, tile, pip)
    )
    on = ends[0][1] if ends else HUB
    return tuple(fitting) or (moves.LayTile(seat, position, tile, train, on, tile.low),)


def _refusal_of(candidates: list[moves.LayTile], scene: Scene) -> resolution.Resolved:
    """Pick the refusal that helps most: of a tile that would fit, else on one's own train.

    A tile that joins nothing is told so, whatever else shuts the trains it was meant for.
    """

    def rank(move: moves.LayTile) -> tuple[bool, bool]:
        return not _joins(move, scene), move.train != own_train(scene)

    best = min(candidates, key=rank)
    found = resolution.judged(best, scene)
    if _joins(best, scene) or not isinstance(found, resolution.NotLegal):
        return found
    if found.refusal.code not in (RefusalCode.TRAIN_CLOSED, RefusalCode.OWN_TRAIN_FIRST):
        return found
    misfit = mismatch(scene.table.train(best.train), best.tile)
    return structs.replace(found, refusal=misfit)


def _joins(move: moves.LayTile, scene: Scene) -> bool:
    """Whether the tile fits an end of the train, if only it were open."""
    ends = scene.table.train(move.train).ends
    return any(joining_halves(scene.table.rules, move.tile, end.pip) for end in ends)


def _caught(name: str | None, scene: Scene, seat: Seat) -> resolution.Resolved:
    possible = [call for call in calls(scene) if isinstance(call, moves.Catch)]
    if name is None:
        if possible:
            return resolution.one_of(possible, possible[0], scene)
        return resolution.NotFound(say("Nobody can be caught now."))
    seats = resolution.find_seats(scene, name)
    if not seats:
        text = "Nobody here is called {name}: {names}."
        return resolution.NotFound(say(text, name=name, names=", ".join(scene.names)))
    meant = [call for call in possible if call.offender in seats]
    return resolution.one_of(meant, moves.Catch(seat, seats[0]), scene)


def _hub(pips: tuple[int, int] | None, scene: Scene, seat: Seat) -> resolution.Resolved:
    """Play or declare, whichever the rules ask for now."""
    meant = [each for each in legal(scene) if isinstance(each, moves.LayHub | moves.Declare)]
    tile = make_tile(*(pips or (0, 0)))
    if pips is not None:
        if missing := resolution.no_such_tile(tile, scene):
            return missing
        meant = [each for each in meant if each.tile == tile]
    elif scene.table.phase is RoundPhase.ENGINE and not meant and scene.can_move:
        text = "You hold no double that is asked for: say none, or silent."
        return resolution.NotFound(say(text))
    kind = moves.Declare if scene.table.rules.engine is Engine.DECLARED else moves.LayHub
    otherwise = kind(seat, resolution.position_of(tile, scene), tile)
    return resolution.one_of(meant, otherwise, scene)


def _pulled(number: int, scene: Scene, seat: Seat) -> resolution.Resolved:
    possible = [each for each in legal(scene) if isinstance(each, moves.PullBack)]
    if not possible:
        return resolution.judged(moves.PullBack(seat, seat, resolution.NOWHERE), scene)
    if number > len(possible):
        text = "That hand has {count} tiles: pull one by its number."
        return resolution.NotFound(say(text, count=len(possible)))
    return resolution.judged(possible[number - 1], scene)
