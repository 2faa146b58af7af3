"""The status line: whose turn it is, who is away, and what you must do. Pure."""

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from cli.language import either, joined, say, say_count
from cli.program import typed_in_shell
from cli.render.cells import Canvas, clip, text_cells
from cli.render.sheets import is_reached, taken
from cli.scene import (
    CompletionContext,
    LobbyScene,
    Scene,
    calls,
    forced_move,
    plays_alone,
    scene_of,
    tile_text,
    train_name,
)
from cli.wording.notices import DEALING
from engine.play.hub_search import asks_heaviest
from engine.table.moves import Catch, Tap
from engine.table.table import RoundPhase
from netgame.protocol.agreement import agreed_on
from netgame.protocol.notices import NetworkState
from netgame.protocol.peer.people.joiner import OwnPlace
from netgame.protocol.peer.view import SeatInfo, TableStage, TableView

_WATCHES: Final[Mapping[OwnPlace, str]] = {
    OwnPlace.SEAT: "",
    OwnPlace.PROMISED: "you watch until the next round",
    OwnPlace.ASKED: "you watch, and ask for a seat",
    OwnPlace.WATCHING: "you watch",
}
"""The words of the status line for somebody without a seat in a game."""


_MIXED: Final = (RoundPhase.ENGINE, RoundPhase.HIGH_DRAW, RoundPhase.RESHUFFLE)
_BY_ALL: Final = (RoundPhase.OPENING_ALL,)
"""The phases in which it is nobody's turn."""

_NAMED_MAX: Final = 3
"""More people are only counted, because a line has no room for their names."""


def status_text(view: TableView, *, at_card: bool = False, asks_draw: bool = False) -> str:
    """Return what the table waits for, what to cover or call, and who is connected or not.

    A bar separates these parts; the last one tells a person without a seat that they watch.
    With `at_card`, the person still reads the card of the last round, so there is nothing to cover
    or call. With `asks_draw`, the program asks the person before it draws for them.
    """
    scene = scene_of(view, asks_draw=asks_draw)
    links = _link_text(view, () if scene is None else _waited_for(view, scene))
    missing = any(info.unanswered or not info.in_reach for info in view.here)
    away = view.network is NetworkState.LOST or missing
    parts = [_stage_text(view, scene, at_card=at_card)]
    if away:
        parts.append(links)
    if scene is not None and not at_card and not view.catching_up:
        for owed in scene.table.owed[:1]:
            text = (
                "cover {tile} ({train}): {need} more" if owed.need > 1 else "cover {tile} ({train})"
            )
            tile, train = tile_text(owed.tile), train_name(scene, owed.train)
            parts.append(say(text, need=owed.need, tile=tile, train=train))
        parts.append(_call_text(scene) if view.stage is TableStage.PLAYING else "")
    if not away:
        parts.append(links)
    if view.table is not None:
        parts.append(say(_WATCHES[view.own]))
    return " | ".join(part for part in parts if part)


def _stage_text(  # noqa: C901 - one branch a stage
    view: TableView, scene: Scene | None, *, at_card: bool
) -> str:
    if view.catching_up:
        return say("catching up with the table")
    match view.stage:
        case TableStage.LOBBY if view.settings is None:
            return say("waiting to hear what is played here")
        case TableStage.LOBBY:
            return taken(view)
        case TableStage.FORMING:
            return say("drawing seats")
        case TableStage.DEALING if note := view.deal_note:
            step = say(DEALING[note.step], name=note.name)
            return say("dealing: {step}", step=step)
        case TableStage.DEALING:
            return say("dealing")
        case TableStage.PLAYING if scene is not None:
            return _card_text(scene) if at_card else _turn_text(view, scene)
        case TableStage.PLAYING:
            return say("one moment")
        case TableStage.OPENING:
            return say("opening hands")
        case TableStage.SCORING:
            return say("scoring the round")
        case TableStage.OVER:
            return say("the game is over")
        case TableStage.HALTED:
            return say("the table has stopped: somebody cheated")
    assert_never(view.stage)


def status_line(told: str, keys: str, canvas: Canvas) -> str:
    """Return the status `told`, cut to the width, with `keys` at the right edge if both fit."""
    status = clip(f" {told}", canvas.columns, canvas.glyphs.cut)
    gap = canvas.columns - text_cells(status) - text_cells(keys)
    return f"{status}{' ' * gap}{keys}" if gap > 1 else status


def leaving_text(place: CompletionContext, *, resumable: bool) -> str:
    """Return a warning of what another Ctrl-C does, with the command to come back if there is one.

    A host in a lobby is told for whom else the table is closed. A host alone there, a guest there,
    an onlooker, and somebody with no game to resume are told only that it leaves at once.
    """
    match place:
        case LobbyScene(view=view) if view.is_host and (others := _others(place)):
            count = len(others)
            names = joined(others) if count <= _NAMED_MAX else say("{count} others", count=count)
            return say("Ctrl-C once more closes this table for {names} too.", names=names)
        case Scene() if resumable and (place.hand is not None or place.chairs):
            text = "Press Ctrl-C once more to leave at once; come back with: {command}"
            command = typed_in_shell("resume")
            if place.chairs:
                text = "Press Ctrl-C once more to leave; come back with: {command}"
                command = typed_in_shell("resume", "--wall")
            if place.table.phase is not RoundPhase.FINISHED:
                return say(text, command=command)
        case _:
            pass
    return say("Press Ctrl-C once more to leave at once.")


def _others(lobby: LobbyScene) -> list[str]:
    """Return the names of the other people at a table that is still forming.

    Bots are left out, and watchers come last.
    """
    seats = (info for info in lobby.view.seats if not info.bot and info.key != lobby.own_key)
    return [*(info.name for info in seats), *lobby.view.watchers]


def _card_text(scene: Scene) -> str:
    """Return a note that the next round has begun, or that it waits for the reader of the card."""
    text = "round {number} has begun"
    if scene.can_move:
        text = "round {number} waits for you"
    return say(text, number=scene.table.round_number + 1)


def _turn_text(view: TableView, scene: Scene) -> str:
    table = scene.table
    # the program makes an only move for the seat, whose player has nothing to do then
    if scene.can_move and forced_move(scene) is None:
        seat = table.to_move if scene.seat is None else scene.seat
        return say("YOUR TURN, {name}", name=scene.names[seat])
    if asks_heaviest(table):
        return say("finding the heaviest tile")
    if table.phase in _MIXED:
        return say("finding the engine")
    if table.phase in _BY_ALL:
        return say("everybody plays a train")
    away = _waited_for(view, scene)
    facts = {"name": scene.names[table.to_move], "names": joined(away)}
    if table.to_move == scene.seat:
        text = "your turn, waiting for {names}" if away else "your turn, one moment"
        return say(text, **facts)
    text = "{name}'s turn, waiting for {names}" if away else "{name}'s turn"
    if facts["name"] in away:
        text = "waiting for {names}: it is {name}'s turn"
    return say(text, **facts)


def _waited_for(view: TableView, scene: Scene) -> list[str]:
    """Return the names of absent players whom the game waits for; empty if it is nobody's turn."""
    if view.stage is not TableStage.PLAYING or scene.table.phase in (*_MIXED, *_BY_ALL):
        return []
    infos = ((seat, view.seats[seat]) for seat in scene.awaited)
    return [scene.names[seat] for seat, info in infos if info.unanswered or not info.in_reach]


def _call_text(scene: Scene) -> str:
    """Return `catch` and who may be caught, or `tap` if a last tile may be announced, or ""."""
    names = [scene.names[call.offender] for call in calls(scene) if isinstance(call, Catch)]
    if names:
        return say("catch {names}", names=either(names))
    return say("tap") if any(isinstance(call, Tap) for call in calls(scene)) else ""


def _votes_text(view: TableView, here: Sequence[SeatInfo]) -> list[str]:
    """Return a short text on each group of players whom the same others would go on without.

    It names the group, and counts the votes given and needed.
    """
    text = "without {name}: {agreed} of {needed}"
    missed = agreed_on((info.name, info.missed_by) for info in here if info.missed_by)
    return [
        say(text, name=joined(each.without), agreed=len(each.by), needed=view.needed)
        for each in missed
    ]


def _link_text(view: TableView, waited_for: Sequence[str]) -> str:
    """Return who is not connected, does not answer or is voted on, or else how many are connected.

    The count is left out in a lobby, if everybody else has left, and if the others are the player's
    own bots. The players `waited_for` are not named, because the text of the turn names them. If
    this computer has no network, the text says only that.
    """
    if view.network is NetworkState.LOST and not plays_alone(view):
        return say("this computer has no network")
    here = view.here
    gone = [info.name for info in here if not (is_reached(view, info) or info.missed_by)]
    away = [name for name in gone if name not in waited_for]
    votes = _votes_text(view, here)
    unanswered = [info.name for info in here if info.unanswered and not info.missed_by]
    silent = [name for name in unanswered if name not in (*gone, *waited_for)]
    if gone or votes or unanswered:
        forming = view.stage is TableStage.LOBBY
        text = "connecting to {names}" if forming else "not connected: {names}"
        links = say(text, names=", ".join(away)) if away else ""
        answers = say("no answer from {names}", names=", ".join(silent)) if silent else ""
        return " | ".join(filter(None, (links, answers, *votes)))
    if plays_alone(view) or view.stage is TableStage.LOBBY:
        return ""  # the player's own bots run in this program; a lobby counts its seats already
    if len(here) == view.sits:
        return ""  # nobody else is left
    if view.is_hosted_apart and view.is_host_here:
        return say_count("1 connected + host", "{count} connected + host", len(here))
    return say_count("1 connected", "{count} connected", len(here))
