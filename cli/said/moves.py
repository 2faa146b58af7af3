"""Moves as sentences, before they are made."""

from __future__ import annotations

from typing import assert_never

from cli.scene import Scene, place_text, seat_name, tile_text, train_name
from engine.table.moves import (
    Catch,
    Declare,
    Discard,
    Done,
    DrawTile,
    LayChain,
    LayHub,
    LayTile,
    Mark,
    Move,
    NoDouble,
    Pass,
    PullBack,
    Quiet,
    Silent,
    Tap,
    TurnUp,
)


def move_text(scene: Scene, move: Move) -> str:
    """Say a move as it could be typed."""
    match move:
        case LayTile():
            train = place_text(scene, move)
            tile = tile_text(move.tile, move.joined)
            return f"{tile} {train.lower() if move.train < 0 else train}"
        case DrawTile():
            return "draw"
        case Pass():
            return "pass"
        case LayChain():
            train = train_name(scene, move.train)
            tiles = " ".join(tile_text(link.tile, link.joined) for link in move.lays)
            where = train.lower() if move.train < 0 else train
            said = f"{tiles} {where}{' back' if move.back else ''}"
            return f"bullet {said}" if move.bullet else said
        case _:
            return _said(scene, move)


def _said(  # noqa: C901 - one branch a move
    scene: Scene,
    move: Done
    | Mark
    | Tap
    | Catch
    | Quiet
    | LayHub
    | NoDouble
    | Declare
    | Silent
    | TurnUp
    | Discard
    | PullBack,
) -> str:
    """Say a move that lays nothing on a train as it could be typed."""
    match move:
        case Done() | Tap() | Quiet() | Silent():
            return type(move).__name__.lower()
        case NoDouble():
            return "none"
        case Mark():
            return "open" if move.up else "close"
        case Catch():
            return f"catch {seat_name(scene, move.offender)}"
        case LayHub():
            return f"hub {tile_text(move.tile)}"
        case Declare():
            return f"declare {tile_text(move.tile)}"
        case TurnUp():
            return "look"
        case Discard():
            return f"discard{_held_tile(scene, move.position)}"
        case PullBack():
            return f"pull {scene.table.hands[move.other].index(move.position) + 1}"
    assert_never(move)


def _held_tile(scene: Scene, position: int) -> str:
    """Name a tile of the own hand."""
    held = scene.hand.tiles if scene.hand is not None else ()
    found = [tile for at, tile in held if at == position]
    return f" {tile_text(found[0])}" if found else ""


def forced_text(scene: Scene, move: Move, drawn: str) -> str:
    """Say that only one thing is left to do; `drawn` is a tile that has just come.

    Empty where what comes of it is told anyway: answers and draws while the engine is looked for.
    """
    if scene.table.hub is None and isinstance(move, DrawTile | NoDouble | Silent | TurnUp):
        return ""
    if isinstance(move, DrawTile):
        return (
            f"It is {drawn} and does not fit: you draw again."
            if drawn
            else ("Your turn: nothing you hold fits, so you draw.")
        )
    if isinstance(move, LayHub | Declare):
        return f"You hold the engine {tile_text(move.tile)}: it is played for you."
    if not isinstance(move, Pass):
        return "Your turn: there was only one thing to do, and it is done."
    if drawn:
        return f"It is {drawn} and does not fit: you pass."
    return "Your turn: nothing you hold fits, so you pass."
