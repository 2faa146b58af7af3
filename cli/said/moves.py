"""Moves as sentences, before they are made."""

from __future__ import annotations

from typing import assert_never

from cli.scene import Scene, place_text, tile_text, train_name
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


def move_text(scene: Scene, move: Move) -> str:  # noqa: C901 - one branch a move
    """Say a move as it could be typed."""
    match move:
        case LayTile():
            return f"{tile_text(move.tile, move.joined)} {place_text(scene, move)}"
        case LayChain():
            tiles = " ".join(tile_text(link.tile, link.joined) for link in move.lays)
            said = f"{tiles} {train_name(scene, move.train)}{' back' if move.back else ''}"
            return f"bullet {said}" if move.bullet else said
        case DrawTile():
            return "draw"
        case NoDouble():
            return "none"
        case TurnUp():
            return "look"
        case Pass():
            return "pass"
        case Done():
            return "done"
        case Tap():
            return "tap"
        case Quiet():
            return "quiet"
        case Silent():
            return "silent"
        case Mark():
            return "open" if move.up else "close"
        case Catch():
            return f"catch {scene.names[move.offender]}"
        case LayHub():
            return f"hub {tile_text(move.tile)}"
        case Declare():
            return f"declare {tile_text(move.tile)}"
        case Discard():
            tile = scene.hand and dict(scene.hand.tiles).get(move.position)
            return f"discard {tile_text(tile)}" if tile else "discard"
        case PullBack():
            return f"pull {scene.table.hands[move.other].index(move.position) + 1}"
    assert_never(move)


def forced_text(scene: Scene, move: Move, drawn: str) -> str:
    """Say that only one thing is left to do; `drawn` is a tile that has just come.

    Empty where what comes of it is told anyway: answers and draws while the engine is looked for.
    """
    if scene.table.hub is None and isinstance(move, DrawTile | NoDouble | Silent | TurnUp):
        return ""
    if isinstance(move, LayHub | Declare):
        return f"You hold the engine {tile_text(move.tile)}: it is played for you."
    if not isinstance(move, DrawTile | Pass):
        return "Your turn: you had only one thing to do, and it is done."
    so = "you pass" if isinstance(move, Pass) else "you draw"
    if drawn:
        return f"It is {drawn} and does not fit: {so}{'' if so == 'you pass' else ' again'}."
    return f"Your turn: nothing you hold fits, so {so}."
