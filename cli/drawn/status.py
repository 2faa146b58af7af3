"""The one line that always shows how things stand; pure."""

from __future__ import annotations

from typing import assert_never

from cli.said.events import on_train
from cli.scene import calls, scene_of, seat_name, tile_text
from engine.table.moves import Catch, Tap
from engine.table.table import RoundPhase
from netgame.protocol.peer.view import TableStage, TableView


def status_text(view: TableView) -> str:
    """Say what the table waits for, what must be covered, and who cannot be reached."""
    parts = [
        _stage_text(view),
        _owed_text(view),
        _call_text(view),
        _link_text(view),
        _watch_text(view),
    ]
    return " | ".join(part for part in parts if part)


def _stage_text(view: TableView) -> str:  # noqa: C901 - one branch a stage
    match view.stage:
        case TableStage.LOBBY if view.settings is None:
            return "waiting to hear what is played here"
        case TableStage.LOBBY:
            return f"{len(view.seats)} of {view.seats_offered} seats taken"
        case TableStage.FORMING:
            return "seats are being drawn"
        case TableStage.DEALING:
            return f"dealing: {view.deal_note}" if view.deal_note else "dealing"
        case TableStage.PLAYING:
            return _turn_text(view)
        case TableStage.OPENING:
            return "hands are being opened"
        case TableStage.SCORING:
            return "the round is being scored"
        case TableStage.OVER:
            return "the game is over"
        case TableStage.HALTED:
            return "the table has stopped: somebody broke the protocol"
    assert_never(view.stage)


def _turn_text(view: TableView) -> str:
    scene = scene_of(view)
    if scene is None:
        return ""
    if view.can_move:
        own = scene.table.to_move if scene.seat is None else scene.seat
        return f"YOUR TURN, {seat_name(scene, own)}"
    if scene.table.phase in (RoundPhase.ENGINE, RoundPhase.HIGH_DRAW, RoundPhase.RESHUFFLE):
        return "the engine is being found"
    if scene.table.phase is RoundPhase.OPENING_ALL:
        return "all lay their trains"
    if scene.table.to_move == scene.seat:
        return "your turn, one moment"
    return f"{seat_name(scene, scene.table.to_move)}'s turn"


def _owed_text(view: TableView) -> str:
    scene = scene_of(view)
    if scene is None or not scene.table.owed:
        return ""
    owed = scene.table.owed[0]
    return f"cover {tile_text(owed.tile)} {on_train(scene, owed.train)}"


def _call_text(view: TableView) -> str:
    """Remind of a last tile that must be told, and of who may be caught."""
    scene = scene_of(view)
    if scene is None or view.stage is not TableStage.PLAYING:
        return ""
    names = [seat_name(scene, call.offender) for call in calls(scene) if isinstance(call, Catch)]
    if names:
        return f"catch {' or '.join(names)}"
    return "tap" if any(isinstance(call, Tap) for call in calls(scene)) else ""


def _watch_text(view: TableView) -> str:
    return "you watch" if view.seat is None and view.table is not None else ""


def _link_text(view: TableView) -> str:
    here = [info for info in view.seats if not info.left]
    away = [info.name for info in here if not info.connected]
    if away:
        forming = view.stage is TableStage.LOBBY
        return f"{'connecting to' if forming else 'not connected:'} {', '.join(away)}"
    sits = view.seat is not None or view.stage is TableStage.LOBBY
    others = len(here) - sits
    return f"{others} connected" if others > 0 else ""
