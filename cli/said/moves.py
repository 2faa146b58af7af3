"""Moves as sentences, before they are made."""

from cli.scene import Scene, place_text, tile_text, train_name
from engine.table import moves


def move_text(scene: Scene, move: moves.Move) -> str:  # noqa: C901 - one branch a move
    """Say a move as it could be typed."""
    match move:
        case moves.LayTile():
            return f"{tile_text(move.tile, move.joined)} {place_text(scene, move)}"
        case moves.LayChain():
            tiles = " ".join(tile_text(link.tile, link.joined) for link in move.lays)
            said = f"{tiles} {train_name(scene, move.train)}{' back' if move.back else ''}"
            return f"bullet {said}" if move.bullet else said
        case moves.TurnUp():
            return "look"
        case moves.Mark():
            return "open" if move.up else "close"
        case moves.Catch():
            return f"catch {scene.names[move.offender]}"
        case moves.LayHub():
            return f"hub {tile_text(move.tile)}"
        case moves.Declare():
            return f"declare {tile_text(move.tile)}"
        case moves.Discard():
            tile = scene.hand and dict(scene.hand.tiles).get(move.position)
            return f"discard {tile_text(tile)}" if tile else "discard"
        case moves.PullBack():
            return f"pull {scene.table.hands[move.other].index(move.position) + 1}"
        case _:
            return move.word


def forced_text(scene: Scene, move: moves.Move, drawn: str) -> str:
    """Say that only one thing is left to do; `drawn` is a tile that has just come.

    Empty where what comes of it is told anyway: answers and draws while the engine is looked for.
    """
    if scene.table.hub is None and isinstance(
        move, moves.DrawTile | moves.NoDouble | moves.Silent | moves.TurnUp
    ):
        return ""
    if isinstance(move, moves.LayHub | moves.Declare):
        return f"You hold the engine {tile_text(move.tile)}: it is played for you."
    if not isinstance(move, moves.DrawTile | moves.Pass):
        return "Your turn: you had only one thing to do, and it is done."
    so = "you pass" if isinstance(move, moves.Pass) else "you draw"
    if drawn:
        return f"It is {drawn} and does not fit: {so}{'' if so == 'you pass' else ' again'}."
    return f"Your turn: nothing you hold fits, so {so}."
