"""What a person can do, has to do, and may call now, in sentences.

Which moves there are only the engine says; this tells what they are about.
"""

from typing import Final

from cli.said.events import on_train
from cli.scene import Scene, calls, legal, place_text, possible, tile_text, train_name
from engine.rules.switches import Engine, LastTile
from engine.table import moves
from engine.table.events import TileDrawn
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
    return (*_turn_sentences(scene), *call_sentences(scene))


def _turn_sentences(scene: Scene) -> list[str]:
    table, stage = scene.table, scene.table.turn.stage
    match table.phase:
        case RoundPhase.HIGH_DRAW:
            return ["Turn up a tile: the highest begins (look)."]
        case RoundPhase.ENGINE if table.aside.seek is not None:
            return [_seeking(table, table.aside.seek)]
        case RoundPhase.OPENING_ALL:
            how = "tile by tile and then done, or in one line such as 9-7 7-5"
            return [f"Everybody plays a whole train at once: {how}."]
        case RoundPhase.PLAY if scene.can_move and stage in _STAGES:
            return [_STAGES[stage]]
        case RoundPhase.PLAY if table.owed:
            due = table.owed[0]
            return [f"You must cover {tile_text(due.tile)} {on_train(scene, due.train)} first."]
        case _:
            return []


def _seeking(table: Table, seek: Seek) -> str:
    if seek.step is not SeekStep.ASK:
        return _STEPS[seek.step]
    asked = tile_text(seek.asked[0]) if seek.asked else "a double"
    if table.rules.engine is Engine.DECLARED:
        return f"Declare {asked}, or keep silent."
    return f"Play {asked} in the hub (hub), or say none."


def call_sentences(scene: Scene) -> tuple[str, ...]:
    """Say that a last tile must be told now, and who may be caught for not telling."""
    caught = (call.offender for call in calls(scene) if isinstance(call, moves.Catch))
    names = [scene.names[seat] for seat in caught]
    catches = (f"{n} has one tile left and has not tapped yet: type catch {n}." for n in names)
    may_tap = any(isinstance(move, moves.Tap) for move in possible(scene))
    return (*(_tap_sentences(scene) if may_tap else ()), *catches)


def _tap_sentences(scene: Scene) -> list[str]:
    """Say that a tap says something; before a play there has to be a tile to lay."""
    if scene.table.rules.last_tile is LastTile.BEFORE_PLAY:
        plays = any(isinstance(move, moves.LayTile | moves.LayChain) for move in legal(scene))
        return ["This play may leave you one tile: type tap first."] * plays
    one_left = scene.hand is not None and len(scene.hand.tiles) == 1
    return ["One tile left: type tap."] * one_left


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
        for position, tile in scene.hand.tiles if scene.hand is not None else ():
            if position == self._position:
                self._position = None
                return tile_text(tile)
        return ""
