"""What a person can do, has to do, and may call now, in sentences.

Which moves there are only the engine says; this tells what they are about.
"""

from typing import Final

from cli.said.events import on_train
from cli.scene import Scene, calls, legal, place_text, possible, tile_text, train_name
from engine.rules.switches import Engine, LastTile
from engine.table import moves
from engine.table.events import TileDrawn
from engine.table.moves import Catch, LayChain, LayTile, Tap
from engine.table.table import RoundPhase, Table
from engine.table.trains import Position
from engine.table.turn import Seek, SeekStep, TurnStage
from netgame.protocol import notices


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


_STEPS: Final = {
    SeekStep.IN_TURN: "Play your highest double in the hub (hub), or say you have none (none).",
    SeekStep.ALL_DRAW: "Nobody has the double asked for: everybody draws.",
    SeekStep.TURN_DRAW: "Nobody has the double asked for: you draw.",
    SeekStep.DRAWN: "Play the double asked for if you have drawn it (hub), else say none.",
    SeekStep.CLAIM: "Nobody declared: say none if you hold no unused double, else silent.",
    SeekStep.LOOK: "Look at the next tile of the boneyard (look).",
    SeekStep.LOOKED: "Declare the double you have found, or keep silent.",
    SeekStep.FORCED: "Play the highest unused double if you hold it (hub), else say none.",
    SeekStep.TURN: "Turn up the next tile of the boneyard (look).",
    SeekStep.FOUND: "You have turned up a double: play it in the hub (hub).",
    SeekStep.DISCARD: "Put a tile of your hand back into the boneyard (discard TILE).",
    SeekStep.PULL: "Pull a tile, unseen, out of the hand that played the engine (pull NUMBER).",
}

_STAGES: Final = {
    TurnStage.EXTRA: "Your double gives you one more tile.",
    TurnStage.MAY: "You may play a tile on your double; type done if you do not.",
    TurnStage.HELD: "Your second double needs its cover from the tiles you held.",
    TurnStage.CHAIN: "Your train goes on: play the next tile, or type done.",
    TurnStage.DRIVE: "Your drive goes on along the public trains; type done to stop.",
}


def duty_sentences(scene: Scene) -> tuple[str, ...]:
    """Say what this seat has to do in its turn, and what it may call."""
    table, said = scene.table, []
    match table.phase:
        case RoundPhase.HIGH_DRAW:
            said.append("Turn up a tile: the highest begins (look).")
        case RoundPhase.ENGINE if table.aside.seek is not None:
            said.append(_seeking(table, table.aside.seek))
        case RoundPhase.OPENING_ALL:
            said.append(
                "Everybody plays a whole train at once: tile by tile and then done, or in one line "
                "such as 9-7 7-5."
            )
        case RoundPhase.PLAY:
            said += _in_play(scene)
        case _:
            pass
    return (*said, *call_sentences(scene))


def _seeking(table: Table, seek: Seek) -> str:
    if seek.step is not SeekStep.ASK:
        return _STEPS[seek.step]
    asked = tile_text(seek.asked[0]) if seek.asked else "a double"
    if table.rules.engine is Engine.DECLARED:
        return f"Declare {asked}, or keep silent."
    return f"Play {asked} in the hub (hub), or say none."


def _in_play(scene: Scene) -> list[str]:
    table = scene.table
    stage = table.turn.stage
    if scene.can_move and stage in _STAGES:
        return [_STAGES[stage]]
    return [
        f"You must cover {tile_text(due.tile)} {on_train(scene, due.train)} first."
        for due in table.owed[:1]
    ]


def call_sentences(scene: Scene) -> tuple[str, ...]:
    """Say that a last tile must be told now, and who may be caught for not telling."""
    said = []
    before = scene.table.rules.last_tile is LastTile.BEFORE_PLAY
    if any(isinstance(move, Tap) for move in possible(scene)) and _worth_telling(scene):
        said.append(
            "This play may leave you one tile: type tap first."
            if before
            else "One tile left: type tap."
        )
    for call in calls(scene):
        if isinstance(call, Catch):
            name = scene.names[call.offender]
            said.append(f"{name} has one tile left and has not tapped yet: type catch {name}.")
    return tuple(said)


def _worth_telling(scene: Scene) -> bool:
    """Whether a tap says something: before a play there has to be a tile to lay."""
    if scene.table.rules.last_tile is not LastTile.BEFORE_PLAY:
        return scene.hand is not None and len(scene.hand.tiles) == 1
    return any(isinstance(move, LayTile | LayChain) for move in legal(scene))


class Drawn:
    """What this seat has drawn last: which tile it is, the others' shares show only later."""

    def __init__(self) -> None:
        self._position: Position | None = None

    def note(self, scene: Scene | None, notice: notices.Notice) -> None:
        """Remember what this seat draws; to be called for every notice."""
        if not isinstance(notice, notices.Played) or scene is None or notice.seat != scene.seat:
            return
        for event in notice.events:
            if isinstance(event, TileDrawn):
                self._position = event.position

    def tile(self, scene: Scene) -> str:
        """Return the tile if it has just become visible, and forget it."""
        held = scene.hand.tiles if scene.hand else ()
        found = [tile for at, tile in held if at == self._position]
        if not found:
            return ""
        self._position = None
        return tile_text(found[0])
