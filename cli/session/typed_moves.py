"""A typed move: held where a script is too early, filled in from the table, and made."""

from typing import Final, TypeGuard

from cli.input.chains import PlayChain
from cli.input.plan import lays_now, plan_of, plan_text
from cli.input.resolution import (
    Doubtful,
    MoveIntent,
    NotFound,
    NotLegal,
    Resolved,
    TileByTile,
    Unplayable,
    resolve,
)
from cli.scene import Scene, calls, choices, scene_of, tile_text, train_name
from cli.session.answers import explanation
from cli.session.session import Session
from cli.session.stay import is_over
from cli.session.verbs.moves import CatchSeat
from cli.session.verbs.play import Choose, Play, TileReading
from cli.session.verbs.verb import Speak
from engine.refusals import RefusalReason
from engine.table.moves import Tap
from netgame.protocol.peer.view import TableView

_LATER: Final = frozenset({RefusalReason.NO_CHAIN, RefusalReason.ANOTHERS_TURN})
"""Refusals of several tiles that are only too many, or too early."""


async def make(session: Session, intent: MoveIntent) -> None:
    """Make the move that was typed, keep it as a plan, or say what stands against it.

    A script's line waits until it makes sense. A number of the list is taken only of the list that
    was on the screen.
    """
    await session.hold(lambda view: makes_sense(intent, view) and not session.moves.goes_on)
    if _answers_turn(session, intent, session.node.view()):
        await session.moves.wait_for_choice()
    view = session.node.view()
    if is_over(view):
        session.next_table.say_over()
        return
    scene = session.table_begun()
    if scene is None:
        return
    listed = range(1, len(choices(scene)) + 1)
    if isinstance(intent, Choose) and intent.number in listed:
        await _choose(session, intent.number, scene)
    else:
        await _resolve(session, intent, scene)


async def _choose(session: Session, number: int, scene: Scene) -> None:
    """Make a move of the list, if this list stood on the screen; else say that it is new."""
    if session.was_seen(scene):
        await session.moves.make_typed(choices(scene)[number - 1])
    else:
        text = "The list of plays is new since you typed {number}: look."
        session.answer(text, number=number)


async def _resolve(session: Session, intent: MoveIntent, scene: Scene) -> None:
    found = resolve(intent, scene)
    if isinstance(intent, PlayChain) and _is_for_later(found, intent):
        await _plan(session, intent, found, scene)
    elif isinstance(found, Unplayable):
        _refuse(session, found, scene)
    elif isinstance(found, TileByTile):
        await session.moves.make_typed(*found.lays)
    else:
        await session.moves.make_typed(found)


def _refuse(session: Session, found: Unplayable, scene: Scene) -> None:
    """Say what stands against a typed move; a refusal is kept for `why`, a doubt for Enter."""
    session.desk.offered = (
        (session.node.view().step, found.move) if isinstance(found, Doubtful) else None
    )
    hint = session.moves.remember(found.refusal) if isinstance(found, NotLegal) else ""
    session.front.say(f"{explanation(found, scene)}{hint}")


async def _plan(session: Session, intent: PlayChain, found: NotLegal, scene: Scene) -> None:
    """Make a typed train the plan, and play of it what this turn takes; or say why it is none.

    Out of turn nothing is played. If the rules are against its first tile, the plan stays as it
    was. What is played is taken from the plan once it lies on the table.
    """
    plan = plan_of(intent, scene)
    if isinstance(plan, NotFound):
        session.front.say(plan.hint)
        return
    text, lays = plan_text(scene, plan), lays_now(plan, scene)
    if found.refusal.reason is RefusalReason.ANOTHERS_TURN:
        before, session.desk.plan = session.desk.plan, plan
        said = "Not your turn yet. {plan} is your plan: Enter plays it then."
        if before is not None and before != plan:
            said = (
                "Not your turn yet. {plan} is your plan now, in place of {before}: Enter plays it "
                "then."
            )
        lost = "" if before is None else plan_text(scene, before)
        session.answer(said, plan=text, before=lost)
    elif not lays:
        first = Play((TileReading(plan.pairs[0], train_name(scene, plan.train)),))
        alone = resolve(first, scene)
        _refuse(session, alone if isinstance(alone, Unplayable) else found, scene)
        session.answer("To keep it for a later turn, type: plan {plan}", plan=text)
    else:
        session.desk.plan = plan
        said = (
            "One tile a turn: {tile} is played, and the rest is your plan. Enter plays the "
            "next one; plan none drops it."
        )
        if len(lays) > 1:
            said = (
                "This turn takes {tiles}; the rest is your plan. Enter plays the next one; "
                "plan none drops it."
            )
        tiles = [tile_text(lay.tile, lay.joined) for lay in lays]
        session.answer(said, tile=tiles[0], tiles=" ".join(tiles))
        await session.moves.make_typed(*lays)


def _answers_turn(session: Session, intent: MoveIntent, view: TableView) -> bool:
    """Whether a script's line lays something in its turn: that is shown before the line counts."""
    lays = isinstance(intent, Play | PlayChain | Choose)
    in_play = view.can_move and not is_over(view)
    return lays and in_play and not (session.front.asks_back or session.sitting.auto)


def _is_for_later(found: Resolved, chain: PlayChain) -> TypeGuard[NotLegal]:
    """Whether tiles are only too many, or too early; False for a bullet, or with `back`."""
    waits = isinstance(found, NotLegal) and found.refusal.reason in _LATER
    return waits and not (chain.bullet or chain.back)


def makes_sense(intent: MoveIntent, view: TableView) -> bool:
    """Whether a line of a script has its turn: something to choose, to do, or to call.

    False for a tile or a number while the list of plays is empty.
    """
    scene = scene_of(view)
    if isinstance(intent, Play | PlayChain | Choose):
        return scene is not None and bool(choices(scene))
    calling = isinstance(intent, CatchSeat) or intent == Speak(Tap)
    return view.can_move or (calling and scene is not None and bool(calls(scene)))
