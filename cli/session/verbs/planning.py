"""The verb that plans tiles for the turns to come, and helpers for verbs that need a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, assert_never

from cli.input.chains import PlayChain
from cli.input.lexer import Words, heard
from cli.input.plan import Plan, longest_plan, plan_of, plan_on, plan_text
from cli.input.readers import THEN, UsageError
from cli.input.resolution import NotFound
from cli.language import say
from cli.scene import Scene
from cli.session.until import Until
from cli.session.verbs.play import Choose, Play, as_chain, read_move
from cli.session.verbs.verb import Ask, Read, TableVerb, in_play

if TYPE_CHECKING:
    from cli.session.session import Session

NO_TILES: Final = "You hold no tiles."


async def with_hand(session: Session) -> Scene | None:
    """Return the table if this person holds tiles there; a script waits until they are dealt.

    Before the game, or if this person has no hand, say so and return None.
    """
    await session.hold(lambda view: bool(view.hand))
    return holding(session, session.table_begun())


def holding(session: Session, scene: Scene | None) -> Scene | None:
    """Return the table if this person has a hand there.

    Otherwise say that they hold no tiles, and return None. If `scene` is None, say nothing.
    """
    if scene is not None and scene.hand is None:
        session.answer(NO_TILES)
        return None
    return scene


class MakePlan(Ask, frozen=True):
    """Plan these tiles, or drop the plan.

    Without tiles, show the plan; if there is none, plan the longest train in hand.
    """

    chain: Play | PlayChain | None = None
    goes_on: bool = False
    """True to add the tiles to the end of the present plan, if they join it."""
    drops: bool = False
    until: ClassVar = Until.ROUND_ENDS

    async def do(self, session: Session) -> None:
        """Make, show or drop the plan, and say so; or say why these tiles make no plan."""
        scene, desk, front = await with_hand(session), session.desk, session.front
        if scene is None:
            return
        if self.drops:
            had, desk.plan = desk.plan, None
            session.answer("You had no plan." if had is None else "You have no plan now.")
            return
        found: Plan | NotFound | None = desk.plan
        if self.chain is not None:
            tiles = as_chain(self.chain, scene)
            found = plan_on(desk.plan, tiles, scene) if self.goes_on else plan_of(tiles, scene)
        elif found is None:
            found = longest_plan(scene)
        match found:
            case None:
                session.answer("Nothing you hold fits your train.")
            case NotFound(hint):
                front.say(hint)
            case Plan():
                desk.plan = found
                text = (
                    "Your plan: {plan}. Enter plays the next tile at your turn; plan none drops it."
                )
                session.answer(text, plan=plan_text(scene, found))
            case _:
                assert_never(found)


def _read_plan(words: Words) -> Read:
    """Read the words after `plan`: no words, `none`, or tiles in order, with or without a train.

    Tiles after the word `then` extend the present plan. Return a `UsageError` for anything else.
    """
    if not words:
        return MakePlan()
    if len(words) == 1 and heard(words[0]).lower() in ("none", "off", "ninguno"):
        return MakePlan(drops=True)
    goes_on = heard(words[0]).casefold() in THEN
    found = read_move(words[goes_on:]) if len(words) > goes_on else None
    if isinstance(found, Choose):
        found = found.otherwise
    if not isinstance(found, Play | PlayChain):
        return UsageError(say("type plan, plan none, or tiles: plan 9-7 7-5 5-5"))
    return MakePlan(found, goes_on=goes_on)


PLAN: Final = TableVerb(
    "plan [TILES]",
    "Plan tiles for the turns to come: Enter plays the next one. Without tiles it is the "
    "longest train you hold; plan none drops it.",
    _read_plan,
    examples=("plan", "plan 9-7 7-5 5-5", "plan 9-7 7-5 ben", "plan none"),
    is_of_use=in_play,
    with_words=(
        "then: then",
        "then play: then",
        "then i play: then",
        "and then: then",
        "after that: then",
        "next i play: then",
        "next i want: then",
        "next i want to play: then",
        "i want to play next: then",
        "luego: then",
        "después: then",
        "luego quiero jugar: then",
    ),
)
