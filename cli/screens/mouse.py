"""Clicks on the table, and the lines that they type."""

from cli.input.readers import begins_tile
from cli.render.hand import Suggestion
from cli.scene import Scene, choices, tile_text, train_name
from cli.wording.moves import move_text
from engine.table.moves import LayTile, Move
from engine.table.trains import TrainId
from engine.tiles import Tile


def clicked_words(
    scene: Scene, about: Tile | TrainId | Move | None, typed: str, suggestion: Suggestion | None
) -> str:
    """Return the line that a click makes of the `typed` one; empty for a click without a meaning.

    For a tile, return the suggestion if that plays the tile, else the tile's only play, else the
    tile and a blank. For a train, return the typed tiles and the train's name. If no tile is typed,
    return the train's play if it has just one, else nothing. For a play, return that play.
    """
    plays = {move_text(scene, play): play for play in choices(scene) if isinstance(play, LayTile)}
    match about:
        case None:
            return ""
        case Tile():
            fits = [text for text, play in plays.items() if play.tile == about]
            if suggestion is not None and suggestion.text in fits:
                return suggestion.text
            return fits[0] if len(fits) == 1 else f"{tile_text(about)} "
        case int():
            tiles = [word for word in typed.split() if begins_tile(word)]
            fits = [text for text, play in plays.items() if play.train == about]
            if tiles:
                return " ".join((*tiles, train_name(scene, about)))
            return fits[0] if len(fits) == 1 else ""
        case _:
            return move_text(scene, about)
