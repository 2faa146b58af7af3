"""Typed moves: hold back a script's move until it makes sense, then resolve and make it."""

from typing import Final, TypeGuard

from cli.input.chains import PlayChain
from cli.input.plan import Plan, holds, lays_now, plan_of, plan_on, plan_text
from cli.input.resolution import (
    Ambiguous,
    Doubtful,
    MoveIntent,
    NotFound,
    NotLegal,
    Resolved,
    TileByTile,
    Unplayable,
    resolve,
    too_early,
)
from cli.input.single_tiles import after_lays
from cli.language import say
from cli.scene import Scene, calls, choices, lays, legal, scene_of, tile_text, train_name
from cli.session.answers import explanation
from cli.session.session import Session
from cli.session.stay import is_over
from cli.session.verbs.moves import CatchSeat
from cli.session.verbs.play import Choose, Play, TileReading
from cli.session.verbs.verb import Speak
from engine.refusals import RefusalReason
from engine.table.moves import Done, LayTile, Move, Tap
from engine.tiles import make_tile
from netgame.protocol.peer.view import TableView

_LATER: Final = frozenset({RefusalReason.NO_CHAIN, RefusalReason.ANOTHERS_TURN})
"""Refusals of several tiles only because they are too many for this turn, or too early."""


async def make(session: Session, intent: MoveIntent) -> None:
    """Make the move that was typed, keep it as a plan, or say the reason against it.

    A script's line waits until it makes sense. A number counts only if the list of plays that it
    refers to was on the screen.
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
    """Make the move with this number if the list was on the screen; else say that it is new."""
    if session.was_seen(scene):
        await session.moves.make_typed(choices(scene)[number - 1])
    else:
        text = "The list of plays is new since you typed {number}: look."
        session.answer(text, number=number)


async def _resolve(session: Session, intent: MoveIntent, scene: Scene) -> None:
    intent = intent if scene.hand is None else intent.at_table(scene)
    found = resolve(intent, scene)
    play = intent.otherwise if isinstance(intent, Choose) else intent
    if isinstance(intent, PlayChain) and _is_for_later(found, intent):
        await _plan(session, intent, found, scene)
    elif isinstance(play, Play) and (_is_too_early(found) or found == too_early(scene)):
        _plan_ahead(session, play, found, scene)
    elif isinstance(found, Unplayable):
        _refuse(session, found, intent, scene)
    else:
        ends = isinstance(intent, Play | PlayChain) and intent.ends
        await session.moves.make_typed(*_line(found, scene, ends=ends))


def _line(found: Move | TileByTile, scene: Scene, *, ends: bool) -> tuple[Move, ...]:
    """Return the moves of a line in order; with `ends`, add a `Done` if the turn would go on."""
    if not isinstance(found, TileByTile | LayTile):
        return (found,)
    line = found.lays if isinstance(found, TileByTile) else (found,)
    done = Done(line[-1].seat)
    return (*line, done) if ends and done in legal(after_lays(scene, line)) else line


def _asked(found: Unplayable, intent: MoveIntent, scene: Scene) -> tuple[Move, ...]:
    """Return the moves among which the next line may choose; empty if there is nothing to choose.

    For a play that cannot be found, they are all plays of its tile.
    """
    match found:
        case Ambiguous(options):
            return options
        case Doubtful(move):
            return (move,)
        case NotLegal(nearest=(only,)):
            return (only,)
        case NotFound() if isinstance(intent, Play):
            tiles = {make_tile(*each.pips) for each in intent.readings}
            return tuple(lay for lay in lays(scene) if lay.tile in tiles)
        case _:
            return ()


def _refuse(session: Session, found: Unplayable, intent: MoveIntent, scene: Scene) -> None:
    """Say the reason against a typed move.

    Keep a refusal for `why`, a doubtful move for Enter, and the moves the next line may choose.
    """
    desk = session.desk
    desk.offered = (session.node.view().step, found.move) if isinstance(found, Doubtful) else None
    desk.asked = _asked(found, intent, scene)
    hint = session.moves.remember(found.refusal) if isinstance(found, NotLegal) else ""
    session.front.say(f"{explanation(found, scene)}{hint}")


async def _plan(session: Session, intent: PlayChain, found: NotLegal, scene: Scene) -> None:
    """Make a typed train the plan, and play as many of its tiles as this turn allows.

    If it makes no plan, or the rules or the teacher refuse its first tile, say why, and keep the
    old plan. If it was typed too early, play nothing. Tiles leave the plan when they are played.
    """
    before = session.desk.plan if _is_too_early(found) else None
    plan = plan_on(before, intent, scene)
    if isinstance(plan, NotFound):
        session.front.say(plan.hint)
        return
    text, now = plan_text(scene, plan), lays_now(plan, scene)
    if _is_too_early(found):
        _keep(session, plan, scene, say("Not your turn yet."))
    elif not now:
        first = Play((TileReading(plan.pairs[0], train_name(scene, plan.train)),))
        alone = resolve(first, scene)
        _refuse(session, alone if isinstance(alone, Unplayable) else found, first, scene)
        session.answer("To keep it for a later turn, type: plan {plan}", plan=text)
    elif withheld := session.desk.teacher.withheld(scene, now[0]):
        session.front.say(withheld)
    else:
        session.desk.plan = plan
        said = (
            "One tile a turn: {tile} is played, and the rest is your plan. Enter plays the "
            "next one; plan none drops it."
        )
        if len(now) > 1:
            said = (
                "This turn takes {tiles}; the rest is your plan. Enter plays the next one; "
                "plan none drops it."
            )
        tiles = [tile_text(lay.tile, lay.joined) for lay in now]
        session.answer(said, tile=tiles[0], tiles=" ".join(tiles))
        await session.moves.make_typed(*now)


def _plan_ahead(session: Session, play: Play, found: NotLegal | NotFound, scene: Scene) -> None:
    """Make a tile typed too early the plan, or add it to the plan, and say why it is too early.

    If it makes no plan, say why not, and keep the old plan.
    """
    held = [each for each in play.readings if holds(scene, each.pips)]
    meant = (held or play.readings)[0]
    chain, before = PlayChain((meant.pips,), meant.train), session.desk.plan
    plan = plan_on(before, chain, scene)
    if isinstance(plan, NotFound) or before is None or not plan.begins_with(before):
        plan = plan_of(chain, scene)
    if isinstance(plan, NotFound):
        _refuse(session, found, play, scene)
        session.front.say(plan.hint)
    else:
        why = found.hint if isinstance(found, NotFound) else say("Not your turn yet.")
        _keep(session, plan, scene, why)


def _keep(session: Session, plan: Plan, scene: Scene, why: str) -> None:
    """Make this the plan for the player's turn, and say so; name the plan that it replaces, if any.

    `why` is a sentence on why nothing is played now. If `plan` is only the start of the present
    plan, keep that one. A plan that extends the present one does not count as replacing it.
    """
    before, text = session.desk.plan, plan_text(scene, plan)
    said = "{why} {plan} is your plan: Enter plays it in your turn."
    if before is not None and before.begins_with(plan):
        plan = before
    elif before is not None and not plan.begins_with(before):
        said = "{why} {plan} is your plan now, in place of {before}: Enter plays it in your turn."
    session.desk.plan = plan
    lost = "" if before is None else plan_text(scene, before)
    session.answer(said, why=why, plan=text, before=lost)


def _answers_turn(session: Session, intent: MoveIntent, view: TableView) -> bool:
    """Return True if a script's line plays a tile in its turn, which must be shown first."""
    plays = isinstance(intent, Play | PlayChain | Choose)
    in_play = view.can_move and not is_over(view)
    return plays and in_play and not (session.front.asks_back or session.sitting.auto)


def _is_for_later(found: Resolved, chain: PlayChain) -> TypeGuard[NotLegal]:
    """Return True if a chain is refused only because it is too long for this turn, or too early.

    False for a bullet train, and for a chain typed with `back`.
    """
    waits = isinstance(found, NotLegal) and found.refusal.reason in _LATER
    return waits and not (chain.bullet or chain.back)


def _is_too_early(found: Resolved) -> TypeGuard[NotLegal]:
    """Return True if the only reason against a play is that it is somebody else's turn."""
    return isinstance(found, NotLegal) and found.refusal.reason is RefusalReason.ANOTHERS_TURN


def makes_sense(intent: MoveIntent, view: TableView) -> bool:
    """Return True if a script's line can act now.

    For a tile or a number, the list of plays must not be empty. For other moves, this seat must be
    able to move; but for a tap or a catch, it is enough that a call can be made.
    """
    scene = scene_of(view)
    if isinstance(intent, Play | PlayChain | Choose):
        return scene is not None and bool(choices(scene))
    calling = isinstance(intent, CatchSeat) or intent == Speak(Tap)
    return view.can_move or (calling and scene is not None and bool(calls(scene)))
