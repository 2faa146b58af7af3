"""What a typed line needs before it can be done: its turn, or the people it names; pure."""

from __future__ import annotations

from cli.drawn.rule_sheet import offer_of
from cli.scene import calls, choices, scene_of
from cli.seat.answers import NOT_BEGUN
from cli.typed.intent import CatchSeat, Choose, MoveIntent, Play, PlayChain, Saying, Speak
from engine.rules.switches import First
from netgame.protocol.peer.view import SeatInfo, TableView


def makes_sense(intent: MoveIntent, view: TableView) -> bool:
    """Whether a line of a script has its turn: something to choose, to do, or to call."""
    scene = scene_of(view)
    match intent:
        case Play() | PlayChain() | Choose():
            return scene is not None and bool(choices(scene))
        case CatchSeat() | Speak(saying=Saying.TAP):
            return scene is not None and (view.can_move or bool(calls(scene)))
        case _:
            return view.can_move


def away_named(
    view: TableView, names: tuple[str, ...], own_key: bytes
) -> tuple[SeatInfo, ...] | str:
    """Return who is meant by these names, all of others who sit here, or what to type instead."""
    others = [info for info in view.seats if info.key != own_key and not info.left]
    found = [
        [info for info in others if info.name.casefold().startswith(name.casefold())]
        for name in names
    ]
    if view.table is None:
        return NOT_BEGUN
    if any(len(who) != 1 for who in found):
        return f"Name who is away: {', '.join(info.name for info in others)}."
    return tuple(who[0] for who in found)


def why_not_first(view: TableView, name: str) -> str | None:
    """Say why the game cannot begin with whoever has this name playing first, or None."""
    offer = None if view.settings is None else offer_of(view.settings)
    if offer is None or offer.rules.first is not First.CHOSEN_ROTATE:
        return "These rules decide who plays first; type start alone."
    if any(info.name.casefold() == name.casefold() for info in view.seats):
        return None
    return f"Nobody of that name sits here. Name one of: {', '.join(i.name for i in view.seats)}."
