"""The one line that always shows how things stand; pure."""

from typing import assert_never

from cli.said.events import on_train
from cli.said.notices import deal_text
from cli.scene import Scene, calls, scene_of, tile_text
from engine.table.moves import Catch, Tap
from engine.table.table import RoundPhase
from netgame.protocol.peer.view import TableStage, TableView


def status_text(view: TableView) -> str:
    """Say what the table waits for, what must be covered, and who cannot be reached."""
    scene = scene_of(view)
    parts = [_stage_text(view, scene)]
    if scene is not None:
        first = scene.table.owed[:1]
        parts += [f"cover {tile_text(owed.tile)} {on_train(scene, owed.train)}" for owed in first]
        parts.append(_call_text(scene) if view.stage is TableStage.PLAYING else "")
    parts += [_link_text(view), "you watch" if view.seat is None and view.table is not None else ""]
    return " | ".join(part for part in parts if part)


def _stage_text(view: TableView, scene: Scene | None) -> str:  # noqa: C901 - one branch a stage
    match view.stage:
        case TableStage.LOBBY if view.settings is None:
            return "waiting to hear what is played here"
        case TableStage.LOBBY:
            return f"{len(view.seats)} of {view.seats_offered} seats taken"
        case TableStage.FORMING:
            return "drawing seats"
        case TableStage.DEALING:
            return f"dealing: {deal_text(view.deal_note)}" if view.deal_note else "dealing"
        case TableStage.PLAYING:
            return "" if scene is None else _turn_text(scene)
        case TableStage.OPENING:
            return "opening hands"
        case TableStage.SCORING:
            return "scoring the round"
        case TableStage.OVER:
            return "the game is over"
        case TableStage.HALTED:
            return "the table has stopped: somebody broke the protocol"
    assert_never(view.stage)


def _turn_text(scene: Scene) -> str:
    table = scene.table
    if scene.can_move:
        return f"YOUR TURN, {scene.names[table.to_move if scene.seat is None else scene.seat]}"
    if table.phase in (RoundPhase.ENGINE, RoundPhase.HIGH_DRAW, RoundPhase.RESHUFFLE):
        return "finding the engine"
    if table.phase is RoundPhase.OPENING_ALL:
        return "everybody plays a train"
    if table.to_move == scene.seat:
        return "your turn, one moment"
    return f"{scene.names[table.to_move]}'s turn"


def _call_text(scene: Scene) -> str:
    """Remind of a last tile that must be told, and of who may be caught."""
    names = [scene.names[call.offender] for call in calls(scene) if isinstance(call, Catch)]
    if names:
        return f"catch {' or '.join(names)}"
    return "tap" if any(isinstance(call, Tap) for call in calls(scene)) else ""


def _link_text(view: TableView) -> str:
    here = [info for info in view.seats if not info.left]
    away = [info.name for info in here if not info.connected]
    if away:
        forming = view.stage is TableStage.LOBBY
        return f"{'connecting to' if forming else 'not connected:'} {', '.join(away)}"
    sits = view.seat is not None or view.stage is TableStage.LOBBY
    others = len(here) - sits
    return f"{others} connected" if others > 0 else ""
